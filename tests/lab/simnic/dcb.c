// SPDX-License-Identifier: GPL-2.0
/* The DCB operations every behaviour shares: count, let a fault act, else ask the behaviour. */
#include <linux/string.h>

#include "simnic.h"

static int sim_getets(struct net_device *dev, struct ieee_ets *ets)
{
	struct sim_port *p = netdev_priv(dev);

	return (p->nic->getets ?: sim_generic.getets)(p, ets);
}

static int sim_setets(struct net_device *dev, struct ieee_ets *ets)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_ETS, &err))
		err = (p->nic->setets ?: sim_generic.setets)(p, ets);
	return sim_done(dev, err, "setets tc %*ph tsa %*ph bw %*ph", 8, ets->prio_tc, 8, ets->tc_tsa, 8, ets->tc_tx_bw);
}

static int sim_getmaxrate(struct net_device *dev, struct ieee_maxrate *rate)
{
	struct sim_port *p = netdev_priv(dev);

	return p->nic->getmaxrate(p, rate);
}

static int sim_setmaxrate(struct net_device *dev, struct ieee_maxrate *rate)
{
	struct sim_port *p = netdev_priv(dev);
	const u64 *r = rate->tc_maxrate;
	int err = 0;

	if (sim_gate(dev, SIM_MAXRATE, &err))
		err = p->nic->setmaxrate(p, rate);
	return sim_done(dev, err, "setmaxrate %llu %llu %llu %llu %llu %llu %llu %llu", r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]);
}

static int sim_getpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct sim_port *p = netdev_priv(dev);

	return (p->nic->getpfc ?: sim_generic.getpfc)(p, pfc);
}

static int sim_setpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_PFC, &err))
		err = (p->nic->setpfc ?: sim_generic.setpfc)(p, pfc);
	return sim_done(dev, err, "setpfc 0x%02x delay %u", pfc->pfc_en, pfc->delay);
}

static int sim_getbuffer(struct net_device *dev, struct dcbnl_buffer *buffer)
{
	struct sim_port *p = netdev_priv(dev);

	return p->nic->getbuffer(p, buffer);
}

static int sim_setbuffer(struct net_device *dev, struct dcbnl_buffer *buffer)
{
	struct sim_port *p = netdev_priv(dev);
	const u32 *s = buffer->buffer_size;
	int err = 0;

	if (sim_gate(dev, SIM_BUFFER, &err))
		err = p->nic->setbuffer(p, buffer);
	return sim_done(dev, err, "setbuffer prio %*phN size %u %u %u %u %u %u %u %u", 8, buffer->prio2buffer, s[0], s[1], s[2], s[3], s[4],
			s[5], s[6], s[7]);
}

static int sim_setapp(struct net_device *dev, struct dcb_app *app)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_APPSET, &err))
		err = (p->nic->setapp ?: sim_generic.setapp)(p, app);
	return sim_done(dev, err, "setapp selector %u protocol %u priority %u", app->selector, app->protocol, app->priority);
}

static int sim_delapp(struct net_device *dev, struct dcb_app *app)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_APPDEL, &err))
		err = (p->nic->delapp ?: sim_generic.delapp)(p, app);
	return sim_done(dev, err, "delapp selector %u protocol %u priority %u", app->selector, app->protocol, app->priority);
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
/* As lan966x and sparx5, the drivers that have these tables: they trust DSCP and PCP. */
static int sim_getapptrust(struct net_device *dev, u8 *selectors, int *count)
{
	struct sim_port *p = netdev_priv(dev);

	memcpy(selectors, p->trusted, p->trusted_count);
	*count = p->trusted_count;
	return 0;
}

static int sim_setapptrust(struct net_device *dev, u8 *selectors, int count)
{
	struct sim_port *p = netdev_priv(dev);
	int i, err = 0;

	for (i = 0; i < count; i++)
		if (selectors[i] != IEEE_8021QAZ_APP_SEL_DSCP && selectors[i] != DCB_APP_SEL_PCP)
			err = -EOPNOTSUPP;
	if (!err && sim_gate(dev, SIM_APPTRUST, &err)) {
		memcpy(p->trusted, selectors, count);
		p->trusted_count = count;
	}
	return sim_done(dev, err, "setapptrust %*ph", count, selectors);
}

static int sim_setrewr(struct net_device *dev, struct dcb_app *app)
{
	int err = 0;

	if (sim_gate(dev, SIM_REWRITE, &err))
		err = dcb_setrewr(dev, app);
	return sim_done(dev, err, "setrewr selector %u protocol %u priority %u", app->selector, app->protocol, app->priority);
}

static int sim_delrewr(struct net_device *dev, struct dcb_app *app)
{
	int err = 0;

	if (sim_gate(dev, SIM_REWRITE, &err))
		err = dcb_delrewr(dev, app);
	return sim_done(dev, err, "delrewr selector %u protocol %u priority %u", app->selector, app->protocol, app->priority);
}

static void add_tables(struct sim_port *p)
{
	p->trusted[0] = DCB_APP_SEL_PCP;
	p->trusted_count = 1;
	p->dcb.dcbnl_getapptrust = sim_getapptrust;
	p->dcb.dcbnl_setapptrust = sim_setapptrust;
	p->dcb.dcbnl_setrewr = sim_setrewr;
	p->dcb.dcbnl_delrewr = sim_delrewr;
}
#else
static void add_tables(struct sim_port *p)
{
}
#endif

static u8 sim_getdcbx(struct net_device *dev)
{
	struct sim_port *p = netdev_priv(dev);

	return p->dcbx;
}

static u8 sim_setdcbx(struct net_device *dev, u8 mode)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_DCBX, &err))
		err = (p->nic->setdcbx ?: sim_generic.setdcbx)(p, mode);
	/* There is no errno here: 1 is refused. */
	return sim_done(dev, err < 0 ? 1 : err, "setdcbx 0x%02x", mode);
}

static const struct dcbnl_rtnl_ops all_ops = {
	.ieee_getets = sim_getets,
	.ieee_setets = sim_setets,
	.ieee_getpfc = sim_getpfc,
	.ieee_setpfc = sim_setpfc,
	.ieee_setapp = sim_setapp,
	.ieee_delapp = sim_delapp,
	.getdcbx = sim_getdcbx,
	.setdcbx = sim_setdcbx,
};

static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list && *list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, length) && (!list[length] || list[length] == ','))
			return true;
	return false;
}

void sim_dcb_init(struct sim_port *p, const char *without)
{
	p->dcb = all_ops;
	if (lists(without, "ets"))
		p->dcb.ieee_getets = NULL;
	if (lists(without, "ets") || lists(without, "setets"))
		p->dcb.ieee_setets = NULL;
	if (p->nic->getmaxrate && !lists(without, "maxrate"))
		p->dcb.ieee_getmaxrate = sim_getmaxrate;
	if (p->nic->setmaxrate && !lists(without, "maxrate"))
		p->dcb.ieee_setmaxrate = sim_setmaxrate;
	if (p->nic->getbuffer && !lists(without, "buffer"))
		p->dcb.dcbnl_getbuffer = sim_getbuffer;
	if (p->nic->setbuffer && !lists(without, "buffer"))
		p->dcb.dcbnl_setbuffer = sim_setbuffer;
	if (p->tables)
		add_tables(p);
	if (lists(without, "pfc"))
		p->dcb.ieee_getpfc = NULL;
	if (lists(without, "pfc") || lists(without, "setpfc"))
		p->dcb.ieee_setpfc = NULL;
	if (lists(without, "app")) {
		p->dcb.ieee_setapp = NULL;
		p->dcb.ieee_delapp = NULL;
	}
	if (lists(without, "dcbx")) {
		p->dcb.getdcbx = NULL;
		p->dcb.setdcbx = NULL;
	}
	if (!lists(without, "dcb"))
		p->dev->dcbnl_ops = &p->dcb;
}
