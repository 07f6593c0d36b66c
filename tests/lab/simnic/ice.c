// SPDX-License-Identifier: GPL-2.0
/*
 * As ice_dcb_nl.c and ice_dcb_lib.c of Linux 6.1 and 6.12 outside a bond, with eight traffic classes.
 *
 * The driver keeps two configurations, and so does this: writes edit "desired" and apply all of it, reads show "local". "desired" starts
 * empty and the reset at the last DSCP entry does not touch it, so a later write brings back what it still holds.
 */
#include <linux/slab.h>

#include "simnic.h"

enum { CHANGED_RESET = 0, UNCHANGED = 1, CHANGED = 2 };
enum { BLOCK = 8 }; /* code points a priority */

struct ice_ets {
	u8 willing, cbs, maxtcs;
	u8 prio_tc[SIM_TCS], bw[SIM_TCS], tsa[SIM_TCS];
};

struct ice_config {
	u32 apps;
	struct ice_ets ets, rec;
	u8 pfc_willing, pfc_cap, pfc_en;
	u8 dscp_mode;
	struct dcb_app app[SIM_DSCPS];
	u64 mapped;
	u8 dscp_map[SIM_DSCPS];
};

struct ice {
	struct ice_config local, desired;
};

static bool contiguous(const struct ice_config *c)
{
	u8 used = 0;
	int i;

	for (i = 0; i < SIM_TCS; i++)
		used |= BIT(c->ets.prio_tc[i]);
	return !(used & (used + 1));
}

static int count_tcs(const struct ice_config *c)
{
	u8 used = 0;
	int i;

	for (i = 0; i < SIM_TCS; i++)
		used |= BIT(c->ets.prio_tc[i]);
	return contiguous(c) ? hweight8(used) : 1;
}

static int check_bw(struct ice_config *c)
{
	int i, tcs = count_tcs(c);
	u8 total = 0;

	if (tcs > 1) {
		for (i = 0; i < tcs; i++)
			total += c->ets.bw[i];
		if (total && total != 100)
			return -EINVAL;
	}
	if (!total)
		c->ets.bw[0] = 100;
	return 0;
}

static int software_defaults(struct sim_port *p, bool willing);

static int apply(struct sim_port *p, struct ice_config *c)
{
	struct ice *ice = p->own;

	if (!memcmp(c, &ice->local, sizeof(*c)))
		return UNCHANGED;
	if (check_bw(c))
		return -EINVAL;
	ice->local = *c;
	ice->local.rec = ice->local.ets;
	c->rec = ice->local.ets;
	memcpy(p->dscp_prio, c->dscp_map, SIM_DSCPS);
	/* Classes with a gap are taken, and everything becomes the default. */
	if (!contiguous(&ice->local)) {
		software_defaults(p, false);
		ice->local.ets.willing = 1;
	}
	return CHANGED_RESET;
}

static int software_defaults(struct sim_port *p, bool willing)
{
	struct ice *ice = p->own;
	struct ice_config *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int result;

	if (!c)
		return -ENOMEM;
	memset(&ice->local, 0, sizeof(ice->local));
	c->ets.willing = willing;
	c->ets.maxtcs = SIM_TCS;
	c->ets.bw[0] = 100;
	c->ets.tsa[0] = IEEE_8021QAZ_TSA_ETS;
	c->rec = c->ets;
	c->rec.willing = 0;
	c->pfc_willing = 1;
	c->pfc_cap = SIM_TCS;
	c->apps = 1;
	c->app[0].selector = IEEE_8021QAZ_APP_SEL_ETHERTYPE;
	c->app[0].protocol = ETH_P_FCOE;
	c->app[0].priority = 3;
	result = apply(p, c);
	kfree(c);
	return result;
}

static int ice_init(struct sim_port *p)
{
	p->own = kzalloc(sizeof(struct ice), GFP_KERNEL);
	if (!p->own)
		return -ENOMEM;
	p->dcbx = DCB_CAP_DCBX_VER_IEEE | (p->agent ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST);
	return software_defaults(p, true);
}

static bool software_mode(const struct sim_port *p)
{
	return !(p->dcbx & DCB_CAP_DCBX_LLD_MANAGED) && (p->dcbx & DCB_CAP_DCBX_VER_IEEE);
}

static int ice_getets(struct sim_port *p, struct ieee_ets *ets)
{
	struct ice_config *c = &((struct ice *)p->own)->local;

	ets->willing = c->ets.willing;
	ets->ets_cap = c->ets.maxtcs;
	ets->cbs = c->ets.cbs;
	memcpy(ets->tc_tx_bw, c->ets.bw, SIM_TCS);
	memcpy(ets->tc_rx_bw, c->ets.bw, SIM_TCS);
	memcpy(ets->tc_tsa, c->ets.tsa, SIM_TCS);
	memcpy(ets->prio_tc, c->ets.prio_tc, SIM_TCS);
	memcpy(ets->tc_reco_bw, c->rec.bw, SIM_TCS);
	memcpy(ets->tc_reco_tsa, c->rec.tsa, SIM_TCS);
	memcpy(ets->reco_prio_tc, c->ets.prio_tc, SIM_TCS);
	return 0;
}

static int ice_setets(struct sim_port *p, struct ieee_ets *ets)
{
	struct ice_config *c = &((struct ice *)p->own)->desired;
	int i, bw = 0, rec = 0, result;

	if (!software_mode(p))
		return -EINVAL;
	c->ets.willing = ets->willing;
	c->ets.cbs = ets->cbs;
	for (i = 0; i < SIM_TCS; i++) {
		bw += c->ets.bw[i] = ets->tc_tx_bw[i];
		rec += c->rec.bw[i] = ets->tc_reco_bw[i];
		c->ets.tsa[i] = ets->tc_tsa[i];
		c->rec.tsa[i] = ets->tc_reco_tsa[i];
		if (!c->dscp_mode) {
			c->ets.prio_tc[i] = ets->prio_tc[i];
			c->rec.prio_tc[i] = ets->reco_prio_tc[i];
		}
	}
	if (check_bw(c))
		return -EINVAL;
	c->ets.maxtcs = SIM_TCS;
	if (!bw)
		c->ets.bw[0] = 100;
	if (!rec)
		c->rec.bw[0] = 100;
	result = apply(p, c);
	if (result == CHANGED_RESET)
		sim_reopen(p);
	return result == UNCHANGED ? 0 : result;
}

static int ice_getpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	struct ice_config *c = &((struct ice *)p->own)->local;

	pfc->pfc_cap = c->pfc_cap;
	pfc->pfc_en = c->pfc_en;
	return 0;
}

static int ice_setpfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	struct ice_config *c = &((struct ice *)p->own)->desired;
	int result;

	if (!software_mode(p))
		return -EINVAL;
	c->pfc_cap = pfc->pfc_cap ?: SIM_TCS;
	c->pfc_en = pfc->pfc_en;
	result = apply(p, c);
	if (result == CHANGED_RESET)
		sim_reopen(p);
	return result == UNCHANGED ? 0 : result;
}

static void enter_dscp_mode(struct ice_config *c)
{
	int i;

	c->dscp_mode = 1;
	c->ets.willing = 0;
	c->pfc_cap = SIM_TCS;
	c->pfc_willing = 0;
	for (i = 0; i < SIM_DSCPS; i++)
		c->dscp_map[i] = i / BLOCK;
	for (i = 0; i < SIM_TCS; i++) {
		c->ets.bw[i] = i ? 0 : 100;
		c->ets.tsa[i] = IEEE_8021QAZ_TSA_ETS;
		c->ets.prio_tc[i] = i;
	}
}

static int ice_setapp(struct sim_port *p, struct dcb_app *app)
{
	struct ice *ice = p->own;
	struct ice_config *c = &ice->desired;
	int result;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || !software_mode(p) || app->protocol >= SIM_DSCPS || app->priority >= SIM_TCS)
		return -EINVAL;
	result = dcb_ieee_setapp(p->dev, app);
	if (result)
		return result;
	if (c->mapped & BIT_ULL(app->protocol)) {
		netdev_err(p->dev, "DSCP value 0x%04X already user mapped\n", app->protocol);
		dcb_ieee_delapp(p->dev, app);
		return -EINVAL;
	}
	c->mapped |= BIT_ULL(app->protocol);
	if (!ice->local.dscp_mode)
		enter_dscp_mode(c);
	c->dscp_map[app->protocol] = app->priority;
	c->app[c->apps++] = *app;
	p->dscp_entries++;
	result = apply(p, c);
	if (result == CHANGED_RESET)
		sim_reopen(p);
	return result == CHANGED_RESET ? 0 : UNCHANGED;
}

static int ice_delapp(struct sim_port *p, struct dcb_app *app)
{
	struct ice *ice = p->own;
	struct ice_config *c = &ice->desired;
	int result;
	u32 i, j;

	if (p->dcbx & DCB_CAP_DCBX_LLD_MANAGED)
		return -EINVAL;
	result = dcb_ieee_delapp(p->dev, app);
	if (result)
		return result;
	for (i = 0; i < c->apps; i++)
		if (!memcmp(&c->app[i], app, sizeof(*app)))
			break;
	if (i == c->apps)
		return -EINVAL;
	memset(&c->app[i], 0, sizeof(*app));
	c->apps--;
	for (j = i; j < c->apps; j++)
		c->app[j] = ice->local.app[j + 1];
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
		return CHANGED;
	c->mapped &= ~BIT_ULL(app->protocol);
	c->dscp_map[app->protocol] = app->protocol % BLOCK;
	p->dscp_entries--;
	if (!c->mapped && c->dscp_mode) {
		c->dscp_mode = 0;
		result = software_defaults(p, true);
	} else {
		result = apply(p, c);
	}
	if (result == CHANGED_RESET)
		sim_reopen(p);
	return result == UNCHANGED ? CHANGED : result;
}

/* 1 is also the answer to the mode it already has. */
static u8 ice_setdcbx(struct sim_port *p, u8 mode)
{
	struct ice *ice = p->own;

	if (p->agent || (mode & DCB_CAP_DCBX_LLD_MANAGED) || !(mode & DCB_CAP_DCBX_HOST) || mode == p->dcbx ||
	    ((mode & DCB_CAP_DCBX_VER_IEEE) && (mode & DCB_CAP_DCBX_VER_CEE)) || ice->local.dscp_mode)
		return UNCHANGED;
	p->dcbx = mode;
	return 0;
}

static void ice_getpause(struct sim_port *p, struct ethtool_pauseparam *pause)
{
	struct ice *ice = p->own;

	pause->autoneg = p->pause.autoneg;
	pause->rx_pause = !ice->local.pfc_en && p->pause.rx_pause;
	pause->tx_pause = !ice->local.pfc_en && p->pause.tx_pause;
}

static int ice_setpause(struct sim_port *p, struct ethtool_pauseparam *pause)
{
	struct ice *ice = p->own;

	return pause->autoneg != p->pause.autoneg || ice->local.pfc_en ? -EOPNOTSUPP : 0;
}

static int ice_startagent(struct sim_port *p, bool on)
{
	struct ice *ice = p->own;

	if (on == p->agent)
		return 0;
	if (on && ice->local.dscp_mode)
		return -EOPNOTSUPP;
	p->agent = on;
	p->dcbx &= ~(DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_LLD_MANAGED);
	p->dcbx |= on ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST;
	software_defaults(p, true);
	sim_lose_link(p);
	return 0;
}

/* ice_ethtool.c: ice_set_channels */
static int ice_checkchannels(const struct ethtool_channels *channels)
{
	return channels->rx_count && channels->tx_count ? -EINVAL : 0;
}

/* ice_gstrings_priv_flags */
static const char *const ice_flags[] = { "link-down-on-close", "fw-lldp-agent", "vf-true-promisc-support", "mdd-auto-reset-vf",
					 "vf-vlan-pruning", "legacy-rx", NULL };

const struct sim_nic sim_ice = {
	.driver = "ice",
	.init = ice_init,
	.getets = ice_getets,
	.setets = ice_setets,
	.getpfc = ice_getpfc,
	.setpfc = ice_setpfc,
	.setapp = ice_setapp,
	.delapp = ice_delapp,
	.setdcbx = ice_setdcbx,
	.getpause = ice_getpause,
	.setpause = ice_setpause,
	.mtu_changed = sim_lose_link,
	.flags = ice_flags,
	.agent_flag = 1,
	.startagent = ice_startagent,
	.ring_rx_min = 64,
	.ring_tx_min = 64,
	.ring_multiple = 32,
	.coalesce_usecs_max = 8160,
	.channels_apart = true,
	.checkchannels = ice_checkchannels,
};
