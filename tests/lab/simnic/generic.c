// SPDX-License-Identifier: GPL-2.0
/* A driver without opinions: what is written is what is read. */
#include "simnic.h"

enum { SIM_BUFFERS = 262144 };

static int generic_getets(struct sim_port *p, struct ieee_ets *ets)
{
	*ets = p->ets;
	ets->ets_cap = SIM_TCS;
	return 0;
}

static int generic_setets(struct sim_port *p, struct ieee_ets *ets)
{
	p->ets = *ets;
	return 0;
}

static int generic_getpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	*pfc = p->pfc;
	pfc->pfc_cap = SIM_TCS;
	return 0;
}

static int generic_setpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	p->pfc = *pfc;
	return 0;
}

/* All that comes is in one, as after a reset. */
static int generic_init(struct sim_port *p)
{
	p->buffer.total_size = SIM_BUFFERS;
	p->buffer.buffer_size[0] = SIM_BUFFERS;
	return 0;
}

static int generic_getbuffer(struct sim_port *p, struct dcbnl_buffer *buffer)
{
	*buffer = p->buffer;
	return 0;
}

static int generic_setbuffer(struct sim_port *p, struct dcbnl_buffer *buffer)
{
	p->buffer = *buffer;
	p->buffer.total_size = SIM_BUFFERS;
	return 0;
}

static int generic_setapp(struct sim_port *p, struct dcb_app *app)
{
	return dcb_ieee_setapp(p->dev, app);
}

static int generic_delapp(struct sim_port *p, struct dcb_app *app)
{
	return dcb_ieee_delapp(p->dev, app);
}

static u8 generic_setdcbx(struct sim_port *p, u8 mode)
{
	p->dcbx = mode;
	return 0;
}

const struct sim_nic sim_generic = {
	.driver = "generic",
	.init = generic_init,
	.coalesce_frames = true,
	.getets = generic_getets,
	.setets = generic_setets,
	.getpfc = generic_getpfc,
	.setpfc = generic_setpfc,
	.getbuffer = generic_getbuffer,
	.setbuffer = generic_setbuffer,
	.setapp = generic_setapp,
	.delapp = generic_delapp,
	.setdcbx = generic_setdcbx,
};
