// SPDX-License-Identifier: GPL-2.0
/* As bnxt_dcb.c of Linux 6.1 and 6.12, with three traffic classes of which one can be lossless. */
#include "simnic.h"

enum { MAX_TC = 3, MAX_LOSSLESS_TC = 1 };

static int bnxt_init(struct sim_port *p)
{
	p->dcbx = DCB_CAP_DCBX_VER_IEEE | (p->agent ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST);
	return 0;
}

static bool host_owned(const struct sim_port *p)
{
	return (p->dcbx & DCB_CAP_DCBX_VER_IEEE) && (p->dcbx & DCB_CAP_DCBX_HOST);
}

/* In host mode zeros until something was set; else what the firmware has: one class for everything. */
static int bnxt_getets(struct sim_port *p, struct ieee_ets *ets)
{
	ets->ets_cap = MAX_TC;
	if (!p->have_ets) {
		if (p->dcbx & DCB_CAP_DCBX_HOST)
			return 0;
		p->have_ets = true;
		p->ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
		p->ets.tc_tx_bw[0] = 100;
	}
	ets->cbs = p->ets.cbs;
	memcpy(ets->tc_tx_bw, p->ets.tc_tx_bw, SIM_TCS);
	memcpy(ets->tc_rx_bw, p->ets.tc_rx_bw, SIM_TCS);
	memcpy(ets->tc_tsa, p->ets.tc_tsa, SIM_TCS);
	memcpy(ets->prio_tc, p->ets.prio_tc, SIM_TCS);
	return 0;
}

/* The loops end where those of the driver do, one class too early or too late. */
static int bnxt_validate(struct sim_port *p, const struct ieee_ets *ets, u8 *tcs)
{
	int i, total = 0;
	bool zero = false;
	u8 max_tc = 0;

	for (i = 0; i < SIM_TCS; i++) {
		if (ets->prio_tc[i] > MAX_TC)
			return -EINVAL;
		max_tc = max(max_tc, ets->prio_tc[i]);
		if ((ets->tc_tx_bw[i] || ets->tc_tsa[i]) && i > MAX_TC)
			return -EINVAL;
	}
	for (i = 0; i < max_tc; i++) {
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_STRICT:
			break;
		case IEEE_8021QAZ_TSA_ETS:
			total += ets->tc_tx_bw[i];
			zero = zero || !ets->tc_tx_bw[i];
			break;
		default:
			return -ENOTSUPP;
		}
	}
	if (total > 100 || (zero && total == 100))
		return -EINVAL;
	*tcs = max_tc >= MAX_TC ? MAX_TC : max_tc + 1;
	return 0;
}

static int bnxt_setets(struct sim_port *p, struct ieee_ets *ets)
{
	u8 tcs = 0;
	int err;

	if (!host_owned(p))
		return -EINVAL;
	err = bnxt_validate(p, ets, &tcs);
	if (err)
		return err;
	/* Another number of classes re-makes the rings. */
	if (tcs != p->dev->num_tc) {
		p->dev->num_tc = tcs;
		if (netif_running(p->dev))
			sim_lose_link(p);
	}
	p->ets = *ets;
	p->have_ets = true;
	return 0;
}

static int bnxt_getpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	pfc->pfc_cap = MAX_LOSSLESS_TC;
	pfc->pfc_en = p->pfc.pfc_en;
	pfc->mbc = p->pfc.mbc;
	pfc->delay = p->pfc.delay;
	return 0;
}

/* The firmware wants queues, so ETS must have been set before. */
static int bnxt_setpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	unsigned int lossless = 0;
	int i;

	if (!host_owned(p) || !p->have_ets)
		return -EINVAL;
	for (i = 0; i < SIM_TCS; i++)
		if ((pfc->pfc_en & BIT(i)) && p->ets.prio_tc[i] < MAX_TC)
			lossless |= BIT(p->ets.prio_tc[i]);
	if (hweight32(lossless) > MAX_LOSSLESS_TC)
		return -EINVAL;
	p->pfc = *pfc;
	return 0;
}

static int bnxt_app(struct sim_port *p, const struct dcb_app *app)
{
	if (!host_owned(p))
		return -EINVAL;
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol >= SIM_DSCPS ? -EINVAL : 0;
}

static int bnxt_setapp(struct sim_port *p, struct dcb_app *app)
{
	int err = bnxt_app(p, app) ?: dcb_ieee_setapp(p->dev, app);

	if (!err && app->selector == IEEE_8021QAZ_APP_SEL_DSCP) {
		p->dscp_prio[app->protocol] = app->priority;
		p->dscp_entries++;
	}
	return err;
}

/* The firmware forgets the code point, also where another entry for it is left. */
static int bnxt_delapp(struct sim_port *p, struct dcb_app *app)
{
	int err = bnxt_app(p, app) ?: dcb_ieee_delapp(p->dev, app);

	if (!err && app->selector == IEEE_8021QAZ_APP_SEL_DSCP) {
		p->dscp_prio[app->protocol] = 0;
		p->dscp_entries--;
	}
	return err;
}

static u8 bnxt_setdcbx(struct sim_port *p, u8 mode)
{
	if (p->dcbx & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (mode & DCB_CAP_DCBX_HOST) {
		if (p->agent || (mode & DCB_CAP_DCBX_VER_CEE) || !(mode & DCB_CAP_DCBX_VER_IEEE))
			return 1;
	}
	p->dcbx = mode;
	return 0;
}

/* bnxt_ethtool.c: bnxt_set_channels */
static int bnxt_checkchannels(const struct ethtool_channels *channels)
{
	return channels->combined_count && (channels->rx_count || channels->tx_count) ? -EINVAL : 0;
}

const struct sim_nic sim_bnxt = {
	.driver = "bnxt_en",
	.fec_auto_negotiates = true,
	.coalesce_frames = true,
	.init = bnxt_init,
	.getets = bnxt_getets,
	.setets = bnxt_setets,
	.getpfc = bnxt_getpfc,
	.setpfc = bnxt_setpfc,
	.setapp = bnxt_setapp,
	.delapp = bnxt_delapp,
	.setdcbx = bnxt_setdcbx,
	.mtu_changed = sim_lose_link,
	.ring_tx_min = 19,
	.channels_apart = true,
	.checkchannels = bnxt_checkchannels,
	.count_names = { "rx_bytes_pri%u", "rx_packets_pri%u", "tx_bytes_pri%u", "tx_packets_pri%u" },
};
