// SPDX-License-Identifier: GPL-2.0
/* As hclge_dcb.c of Linux 6.1 and 6.12 on a device of version 3 with fibre and eight traffic classes. */
#include "simnic.h"

enum { NO_PRIO = 0xff };

static int hns3_init(struct sim_port *p)
{
	memset(p->dscp_prio, NO_PRIO, sizeof(p->dscp_prio));
	p->ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	p->ets.tc_tx_bw[0] = 100;
	return 0;
}

static int count_tcs(const struct ieee_ets *ets)
{
	int i, max_tc = 0;

	for (i = 0; i < SIM_TCS; i++)
		max_tc = max_t(int, max_tc, ets->prio_tc[i]);
	return max_tc + 1;
}

static int hns3_getets(struct sim_port *p, struct ieee_ets *ets)
{
	memset(ets, 0, sizeof(*ets));
	ets->willing = 1;
	ets->ets_cap = SIM_TCS;
	memcpy(ets->prio_tc, p->ets.prio_tc, SIM_TCS);
	memcpy(ets->tc_tx_bw, p->ets.tc_tx_bw, SIM_TCS);
	memcpy(ets->tc_tsa, p->ets.tc_tsa, SIM_TCS);
	return 0;
}

static int hns3_setets(struct sim_port *p, struct ieee_ets *ets)
{
	int i, tcs = count_tcs(ets), sum = 0;
	bool any_ets = false, changed = tcs != count_tcs(&p->ets);

	if (!(p->dcbx & DCB_CAP_DCBX_VER_IEEE) || tcs > SIM_TCS)
		return -EINVAL;
	for (i = 0; i < SIM_TCS; i++) {
		changed = changed || ets->prio_tc[i] != p->ets.prio_tc[i] || ets->tc_tsa[i] != p->ets.tc_tsa[i];
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_STRICT:
			break;
		case IEEE_8021QAZ_TSA_ETS:
			if (i >= tcs || !ets->tc_tx_bw[i])
				return -EINVAL;
			sum += ets->tc_tx_bw[i];
			any_ets = true;
			break;
		default:
			return -EINVAL;
		}
	}
	if (any_ets && sum != 100)
		return -EINVAL;
	memcpy(p->ets.prio_tc, ets->prio_tc, SIM_TCS);
	memcpy(p->ets.tc_tsa, ets->tc_tsa, SIM_TCS);
	for (i = 0; i < SIM_TCS; i++)
		p->ets.tc_tx_bw[i] = ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS ? ets->tc_tx_bw[i] : 0;
	if (changed && netif_running(p->dev))
		sim_lose_link(p);
	return 0;
}

static int hns3_getpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	memset(pfc, 0, sizeof(*pfc));
	pfc->pfc_cap = SIM_TCS;
	pfc->pfc_en = p->pfc.pfc_en;
	return 0;
}

static int hns3_setpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	if (!(p->dcbx & DCB_CAP_DCBX_VER_IEEE))
		return -EINVAL;
	if (pfc->pfc_en == p->pfc.pfc_en)
		return 0;
	p->pfc.pfc_en = pfc->pfc_en;
	if (netif_running(p->dev))
		sim_lose_link(p);
	return 0;
}

static int hns3_setapp(struct sim_port *p, struct dcb_app *app)
{
	struct dcb_app old = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = app->protocol };
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= SIM_DSCPS || app->priority >= SIM_TCS)
		return -EINVAL;
	old.priority = p->dscp_prio[app->protocol];
	if (app->priority == old.priority)
		return 0;
	err = dcb_ieee_setapp(p->dev, app);
	if (err)
		return err;
	p->dscp_prio[app->protocol] = app->priority;
	if (old.priority != NO_PRIO)
		return dcb_ieee_delapp(p->dev, &old);
	p->dscp_entries++;
	return 0;
}

static int hns3_delapp(struct sim_port *p, struct dcb_app *app)
{
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= SIM_DSCPS || app->priority >= SIM_TCS ||
	    app->priority != p->dscp_prio[app->protocol])
		return -EINVAL;
	err = dcb_ieee_delapp(p->dev, app);
	if (err)
		return err;
	p->dscp_prio[app->protocol] = NO_PRIO;
	p->dscp_entries--;
	return 0;
}

static u8 hns3_setdcbx(struct sim_port *p, u8 mode)
{
	if ((mode & DCB_CAP_DCBX_LLD_MANAGED) || (mode & DCB_CAP_DCBX_VER_CEE) || !(mode & DCB_CAP_DCBX_HOST))
		return 1;
	p->dcbx = mode;
	return 0;
}

static void hns3_getpause(struct sim_port *p, struct ethtool_pauseparam *pause)
{
	pause->rx_pause = !p->pfc.pfc_en && p->pause.rx_pause;
	pause->tx_pause = !p->pfc.pfc_en && p->pause.tx_pause;
}

static int hns3_setpause(struct sim_port *p, struct ethtool_pauseparam *pause)
{
	return p->pfc.pfc_en || pause->autoneg ? -EOPNOTSUPP : 0;
}

const struct sim_nic sim_hns3 = {
	.driver = "hns3",
	.init = hns3_init,
	.getets = hns3_getets,
	.setets = hns3_setets,
	.getpfc = hns3_getpfc,
	.setpfc = hns3_setpfc,
	.setapp = hns3_setapp,
	.delapp = hns3_delapp,
	.setdcbx = hns3_setdcbx,
	.getpause = hns3_getpause,
	.setpause = hns3_setpause,
	.mtu_changed = sim_lose_link,
	.ring_rx_min = 72,
	.ring_tx_min = 72,
	.ring_multiple = 8,
	.negotiates_all = true,
	.fec_auto_unread = true,
	.coalesce_frames = true,
	.coalesce_usecs_max = 8160,
};
