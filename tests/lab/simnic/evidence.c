// SPDX-License-Identifier: GPL-2.0
/* What a NIC tells of itself beside its settings: parameters of the module that can be changed at any time, the same for all ports. */
#include <linux/moduleparam.h>

#include "simnic.h"

static int reason = -1;
module_param(reason, int, 0644);
MODULE_PARM_DESC(reason, "why there is no link: ETHTOOL_LINK_EXT_STATE_*, -1 for nothing");
static int detail;
module_param(detail, int, 0644);
MODULE_PARM_DESC(detail, "and more closely: ETHTOOL_LINK_EXT_SUBSTATE_*");
static int downs = -1;
module_param(downs, int, 0644);
MODULE_PARM_DESC(downs, "how often the device itself saw the link go, -1 where it does not count");
static int symbol_errors = -1;
module_param(symbol_errors, int, 0644);
static int fcs_errors = -1;
module_param(fcs_errors, int, 0644);
static int pause_frames = -1;
module_param(pause_frames, int, 0644);
MODULE_PARM_DESC(pause_frames, "link-level pause frames received; -1 in any of these: not counted");
static int peer_pfc = -1;
module_param(peer_pfc, int, 0644);
MODULE_PARM_DESC(peer_pfc, "mask of the priorities that the switch announces as lossless, -1 where it announces nothing");
static bool peer_cee;
module_param(peer_cee, bool, 0644);
MODULE_PARM_DESC(peer_cee, "the switch announces by the older version of DCBX");

static int sim_ext_state(struct net_device *dev, struct ethtool_link_ext_state_info *info)
{
	if (reason < 0 || netif_carrier_ok(dev))
		return -ENODATA;
	info->link_ext_state = reason;
	info->__link_ext_substate = detail;
	return 0;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
static void sim_ext_stats(struct net_device *dev, struct ethtool_link_ext_stats *stats)
{
	if (downs >= 0)
		stats->link_down_events = downs;
}
#endif

static void sim_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats)
{
	if (pause_frames >= 0)
		stats->rx_pause_frames = pause_frames;
}

static void sim_phy_stats(struct net_device *dev, struct ethtool_eth_phy_stats *stats)
{
	if (symbol_errors >= 0)
		stats->SymbolErrorDuringCarrier = symbol_errors;
}

static void sim_mac_stats(struct net_device *dev, struct ethtool_eth_mac_stats *stats)
{
	if (fcs_errors >= 0)
		stats->FrameCheckSequenceErrors = fcs_errors;
}

static int sim_peer_getpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	if (peer_pfc < 0 || peer_cee)
		return -ENODATA;
	pfc->pfc_cap = 8;
	pfc->pfc_en = peer_pfc;
	return 0;
}

static int sim_peer_getets(struct net_device *dev, struct ieee_ets *ets)
{
	if (peer_pfc < 0 || peer_cee)
		return -ENODATA;
	ets->ets_cap = 8;
	ets->prio_tc[3] = 3;
	ets->tc_tx_bw[0] = 40;
	ets->tc_tx_bw[3] = 60;
	ets->tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	ets->tc_tsa[3] = IEEE_8021QAZ_TSA_ETS;
	return 0;
}

static int sim_peer_getappinfo(struct net_device *dev, struct dcb_peer_app_info *info, u16 *count)
{
	*count = peer_pfc < 0 ? 0 : 1;
	return 0;
}

static int sim_peer_getapptable(struct net_device *dev, struct dcb_app *table)
{
	table->selector = peer_cee ? DCB_APP_IDTYPE_PORTNUM : IEEE_8021QAZ_APP_SEL_DGRAM;
	table->protocol = 4791;
	table->priority = 3;
	return 0;
}

/* As bnx2x: from a switch that says nothing in this version come zeroes. */
static int sim_cee_peer_getpfc(struct net_device *dev, struct cee_pfc *pfc)
{
	if (peer_pfc < 0 || !peer_cee)
		return 0;
	pfc->tcs_supported = 8;
	pfc->pfc_en = peer_pfc;
	return 0;
}

static int sim_cee_peer_getpg(struct net_device *dev, struct cee_pg *pg)
{
	if (peer_pfc < 0 || !peer_cee)
		return 0;
	pg->pg_en = 1;
	pg->tcs_supported = 8;
	pg->pg_bw[0] = 40;
	pg->pg_bw[1] = 60;
	pg->prio_pg[3] = 1;
	return 0;
}

void sim_evidence_init(struct sim_port *p)
{
	p->ops.get_link_ext_state = sim_ext_state;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	p->ops.get_link_ext_stats = sim_ext_stats;
#endif
	p->ops.get_pause_stats = sim_pause_stats;
	p->ops.get_eth_phy_stats = sim_phy_stats;
	p->ops.get_eth_mac_stats = sim_mac_stats;
	p->dcb.ieee_peer_getpfc = sim_peer_getpfc;
	p->dcb.ieee_peer_getets = sim_peer_getets;
	p->dcb.cee_peer_getpfc = sim_cee_peer_getpfc;
	p->dcb.cee_peer_getpg = sim_cee_peer_getpg;
	p->dcb.peer_getappinfo = sim_peer_getappinfo;
	p->dcb.peer_getapptable = sim_peer_getapptable;
}
