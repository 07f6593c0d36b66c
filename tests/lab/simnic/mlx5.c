// SPDX-License-Identifier: GPL-2.0
/* As mlx5 en_dcbnl.c of Linux 6.1 and 6.12 with all capabilities. */
#include <linux/slab.h>

#include "mlx5.h"

enum { LOWEST_GROUP = 0, VENDOR_GROUP = 7, MAX_BW = 100, DEFAULT_CABLE = 7, DEFAULT_STALL = 8000, MAX_CABLE = 1000 };

static void write_ets(struct mlx5 *m, const struct ieee_ets *ets)
{
	int i, strict = LOWEST_GROUP, zeroes = 0, last_zero = -1;
	bool any_ets = false;

	for (i = 0; i < SIM_TCS; i++) {
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		any_ets = true;
		if (!ets->tc_tx_bw[i]) {
			zeroes++;
			last_zero = i;
		}
	}
	strict += any_ets + !!zeroes;
	for (i = 0; i < SIM_TCS; i++) {
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_VENDOR:
			m->group[i] = VENDOR_GROUP;
			m->bw[i] = MAX_BW;
			break;
		case IEEE_8021QAZ_TSA_STRICT:
			m->group[i] = strict++;
			m->bw[i] = MAX_BW;
			break;
		case IEEE_8021QAZ_TSA_ETS:
			m->group[i] = LOWEST_GROUP + (ets->tc_tx_bw[i] && zeroes);
			m->bw[i] = ets->tc_tx_bw[i] ?: MAX_BW / zeroes;
			break;
		}
	}
	if (zeroes)
		m->bw[last_zero] += MAX_BW % zeroes;
	memcpy(m->prio_tc, ets->prio_tc, SIM_TCS);
	memcpy(m->tsa, ets->tc_tsa, SIM_TCS);
}

static int mlx5_init(struct sim_port *p)
{
	struct ieee_ets ets = {};
	struct mlx5 *m = kzalloc(sizeof(*m), GFP_KERNEL);
	int i;

	if (!m)
		return -ENOMEM;
	p->own = m;
	p->dcbx = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE;
	m->cable = DEFAULT_CABLE;
	m->stall = DEFAULT_STALL;
	for (i = 0; i < SIM_TCS; i++) {
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		ets.prio_tc[i] = i < 2 ? !i : i;
	}
	write_ets(m, &ets);
	mlx5_init_buffers(m);
	for (i = 0; i < SIM_DSCPS; i++)
		p->dscp_prio[i] = i >> 3;
	return 0;
}

/* A port which trusts DSCP from before shows the whole table of its hardware. */
static void mlx5_ready(struct sim_port *p)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP };

	if (!p->trusts_dscp)
		return;
	for (app.protocol = 0; app.protocol < SIM_DSCPS; app.protocol++) {
		app.priority = p->dscp_prio[app.protocol];
		if (!dcb_ieee_setapp(p->dev, &app))
			p->dscp_entries++;
	}
}

static int mlx5_getets(struct sim_port *p, struct ieee_ets *ets)
{
	struct mlx5 *m = p->own;
	bool zero_bw = false, group_6 = false;
	int i;

	ets->ets_cap = SIM_TCS;
	memcpy(ets->prio_tc, m->prio_tc, SIM_TCS);
	memcpy(ets->tc_tx_bw, m->bw, SIM_TCS);
	for (i = 0; i < SIM_TCS; i++) {
		if (m->tsa[i] == IEEE_8021QAZ_TSA_ETS && m->group[i] == LOWEST_GROUP + 1)
			zero_bw = true;
		if (m->group[i] == VENDOR_GROUP - 1)
			group_6 = true;
	}
	for (i = 0; i < SIM_TCS; i++) {
		if (zero_bw && m->group[i] == LOWEST_GROUP)
			ets->tc_tx_bw[i] = 0;
		if (ets->tc_tx_bw[i] < MAX_BW)
			m->tsa[i] = IEEE_8021QAZ_TSA_ETS;
		else if (m->group[i] == VENDOR_GROUP && !group_6)
			m->tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		if (ets->tc_tx_bw[i] == MAX_BW && m->tsa[i] != IEEE_8021QAZ_TSA_ETS)
			ets->tc_tx_bw[i] = 0;
	}
	memcpy(ets->tc_tsa, m->tsa, SIM_TCS);
	return 0;
}

static int mlx5_setets(struct sim_port *p, struct ieee_ets *ets)
{
	bool any_ets = false;
	int i, sum = 0;

	for (i = 0; i < SIM_TCS; i++)
		if (ets->prio_tc[i] >= SIM_TCS)
			return -EINVAL;
	for (i = 0; i < SIM_TCS; i++)
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_CB_SHAPER)
			return -EOPNOTSUPP;
	for (i = 0; i < SIM_TCS; i++) {
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS) {
			any_ets = true;
			sum += ets->tc_tx_bw[i];
		}
	}
	if (any_ets && sum != 100) {
		netdev_err(p->dev, "Failed to validate ETS: BW sum is illegal\n");
		return -EINVAL;
	}
	write_ets(p->own, ets);
	return 0;
}

enum { RATE_100M = 3, RATE_1G = 4, KBIT_100M = 100000, KBIT_1G = 1000000 };

static int mlx5_getmaxrate(struct sim_port *p, struct ieee_maxrate *rate)
{
	struct mlx5 *m = p->own;
	int i;

	for (i = 0; i < SIM_TCS; i++)
		rate->tc_maxrate[i] = (u64)m->rate[i] * (m->rate_unit[i] == RATE_1G ? KBIT_1G : m->rate_unit[i] == RATE_100M ? KBIT_100M : 0);
	return 0;
}

/* Whole steps, never less than one; more than a byte of 1 Gb/s is refused (as since 43b27d1bd88a, with its comparison as it was meant). */
static int mlx5_setmaxrate(struct sim_port *p, struct ieee_maxrate *rate)
{
	u8 value[SIM_TCS] = {}, unit[SIM_TCS] = {};
	struct mlx5 *m = p->own;
	int i;

	for (i = 0; i < SIM_TCS; i++) {
		u64 wanted = rate->tc_maxrate[i];

		if (wanted > 255ULL * KBIT_1G)
			return -EINVAL;
		if (!wanted)
			continue;
		unit[i] = wanted <= 255ULL * KBIT_100M ? RATE_100M : RATE_1G;
		value[i] = max_t(u64, 1, div_u64(wanted, unit[i] == RATE_100M ? KBIT_100M : KBIT_1G));
	}
	memcpy(m->rate, value, sizeof(value));
	memcpy(m->rate_unit, unit, sizeof(unit));
	return 0;
}

static int mlx5_getpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	struct mlx5 *m = p->own;

	pfc->pfc_cap = SIM_TCS;
	pfc->pfc_en = p->pfc.pfc_en;
	pfc->delay = m->cable;
	return 0;
}

/* PFC stays on where the buffers do not go with it. */
static int mlx5_setpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	bool toggled = pfc->pfc_en != p->pfc.pfc_en, longer;
	struct mlx5 *m = p->own;
	u16 cable = m->cable;
	int err;

	if (toggled) {
		p->pfc.pfc_en = pfc->pfc_en;
		sim_lose_link(p);
	}
	longer = pfc->delay && pfc->delay < MAX_CABLE && pfc->delay != m->cable;
	if (longer)
		m->cable = pfc->delay;
	err = mlx5_pfc_changed(p, toggled, longer);
	if (err)
		m->cable = cable;
	return err;
}

static u8 mlx5_setdcbx(struct sim_port *p, u8 mode)
{
	if (mode & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (!mode) {
		p->dcbx &= ~DCB_CAP_DCBX_HOST;
		return 0;
	}
	if (!(mode & DCB_CAP_DCBX_HOST))
		return 1;
	p->dcbx = mode;
	return 0;
}

/* The first entry turns trust to DSCP; the driver itself takes a replaced entry off the list. */
static int mlx5_setapp(struct sim_port *p, struct dcb_app *app)
{
	struct dcb_app old = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = app->protocol };
	bool is_new;
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= SIM_DSCPS)
		return -EINVAL;
	old.priority = p->dscp_prio[app->protocol];
	p->dscp_prio[app->protocol] = app->priority;
	is_new = dcb_ieee_delapp(p->dev, &old) != 0;
	err = dcb_ieee_setapp(p->dev, app);
	if (!err && is_new)
		p->dscp_entries++;
	return err;
}

static int mlx5_delapp(struct sim_port *p, struct dcb_app *app)
{
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= SIM_DSCPS)
		return -EINVAL;
	if (!p->dscp_entries || app->priority != p->dscp_prio[app->protocol])
		return -ENOENT;
	err = dcb_ieee_delapp(p->dev, app);
	if (err)
		return err;
	p->dscp_prio[app->protocol] = 0;
	p->dscp_entries--;
	return 0;
}

static int mlx5_setpause(struct sim_port *p, struct ethtool_pauseparam *pause)
{
	return pause->autoneg ? -EINVAL : 0;
}

enum { STALL_AUTO = 100, STALL_MIN = 80, STALL_MAX = 8000 };

static int mlx5_gettunable(struct sim_port *p, u32 id, void *value)
{
	struct mlx5 *m = p->own;

	if (id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EINVAL;
	if (p->no_stall_detect)
		return -EOPNOTSUPP;
	*(u16 *)value = m->stall;
	return 0;
}

static int mlx5_settunable(struct sim_port *p, u32 id, const void *value)
{
	struct mlx5 *m = p->own;
	u16 stall = *(const u16 *)value;

	if (id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EINVAL;
	if (p->no_stall_detect)
		return -EOPNOTSUPP;
	if (stall == PFC_STORM_PREVENTION_AUTO)
		stall = STALL_AUTO;
	if (stall != PFC_STORM_PREVENTION_DISABLE && (stall < STALL_MIN || stall > STALL_MAX))
		return -EINVAL;
	m->stall = stall;
	return 0;
}

/* mlx5e_priv_flags */
static const char *const mlx5_flags[] = { "rx_cqe_moder", "tx_cqe_moder", "rx_cqe_compress", "rx_striding_rq", "rx_no_csum_complete",
					  "xdp_tx_mpwqe", "skb_tx_mpwqe", "tx_port_ts", NULL };

const struct sim_nic sim_mlx5 = {
	.driver = "mlx5_core",
	.enable_roce = true,
	.init = mlx5_init,
	.ready = mlx5_ready,
	.getets = mlx5_getets,
	.setets = mlx5_setets,
	.getmaxrate = mlx5_getmaxrate,
	.setmaxrate = mlx5_setmaxrate,
	.getpfc = mlx5_getpfc,
	.setpfc = mlx5_setpfc,
	.getbuffer = mlx5_getbuffer,
	.setbuffer = mlx5_setbuffer,
	.setapp = mlx5_setapp,
	.delapp = mlx5_delapp,
	.setdcbx = mlx5_setdcbx,
	.setpause = mlx5_setpause,
	.gettunable = mlx5_gettunable,
	.settunable = mlx5_settunable,
	.ring_rx_min = 2,
	.ring_tx_min = 64,
	.ring_power_of_two = true,
	.forced_speed_offered = true,
	.coalesce_frames = true,
	.coalesce_restarts = true,
	.coalesce_usecs_max = 4095,
	.count_names = { "rx_prio%u_bytes", "rx_prio%u_packets", "tx_prio%u_bytes", "tx_prio%u_packets" },
	.flags = mlx5_flags,
	.flags_on = BIT(0) | BIT(3) | BIT(5) | BIT(6),
};
