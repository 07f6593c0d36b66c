// SPDX-License-Identifier: GPL-2.0
/* Link modes and FEC, as the drivers refuse and reinterpret them. */
#include <linux/linkmode.h>

#include "simnic.h"

static const struct {
	int bit;
	u32 speed;
} modes[] = {
	{ ETHTOOL_LINK_MODE_25000baseCR_Full_BIT, SPEED_25000 },
	{ ETHTOOL_LINK_MODE_50000baseCR2_Full_BIT, SPEED_50000 },
	{ ETHTOOL_LINK_MODE_100000baseCR2_Full_BIT, SPEED_100000 },
	{ ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT, SPEED_100000 },
};

/* The modes of one speed, or all of them for 0. */
static void add_modes(unsigned long *to, u32 speed)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (!speed || modes[i].speed == speed)
			linkmode_set_bit(modes[i].bit, to);
}

static u32 best_speed(const unsigned long *offered)
{
	u32 best = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (linkmode_test_bit(modes[i].bit, offered))
			best = max(best, modes[i].speed);
	return best;
}

void sim_link_init(struct sim_port *p)
{
	p->autoneg = true;
	p->speed = SPEED_100000;
	p->fec = ETHTOOL_FEC_AUTO;
	add_modes(p->offered, 0);
}

int sim_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	struct sim_port *p = netdev_priv(dev);
	bool up = netif_carrier_ok(dev);

	ethtool_link_ksettings_zero_link_mode(cmd, supported);
	add_modes(cmd->link_modes.supported, 0);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Autoneg);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Pause);
	ethtool_link_ksettings_add_link_mode(cmd, supported, FEC_NONE);
	ethtool_link_ksettings_add_link_mode(cmd, supported, FEC_RS);
	ethtool_link_ksettings_add_link_mode(cmd, supported, FEC_BASER);
	linkmode_copy(cmd->link_modes.advertising, p->offered);
	ethtool_link_ksettings_add_link_mode(cmd, advertising, Pause);
	if (p->autoneg)
		ethtool_link_ksettings_add_link_mode(cmd, advertising, Autoneg);
	cmd->base.speed = !up ? SPEED_UNKNOWN : p->autoneg ? best_speed(p->offered) : p->speed;
	cmd->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	cmd->base.autoneg = p->autoneg ? AUTONEG_ENABLE : AUTONEG_DISABLE;
	cmd->base.port = PORT_DA;
	return 0;
}

static int negotiate(struct sim_port *p, const struct ethtool_link_ksettings *cmd)
{
	__ETHTOOL_DECLARE_LINK_MODE_MASK(offered) = {};

	if (p->nic->negotiates_all) {
		p->autoneg = true;
		return 0;
	}
	add_modes(offered, 0);
	linkmode_and(offered, offered, cmd->link_modes.advertising);
	if (linkmode_empty(offered))
		return -EINVAL;
	linkmode_copy(p->offered, offered);
	p->autoneg = true;
	return 0;
}

static int force(struct sim_port *p, const struct ethtool_link_ksettings *cmd)
{
	__ETHTOOL_DECLARE_LINK_MODE_MASK(offered) = {};

	add_modes(offered, cmd->base.speed);
	if (!cmd->base.speed || linkmode_empty(offered) || cmd->base.duplex == DUPLEX_HALF)
		return -EINVAL;
	p->autoneg = false;
	p->speed = cmd->base.speed;
	if (p->nic->forced_speed_offered)
		linkmode_copy(p->offered, offered);
	return 0;
}

int sim_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *cmd)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_LINKMODES, &err)) {
		err = cmd->base.autoneg == AUTONEG_ENABLE ? negotiate(p, cmd) : force(p, cmd);
		if (!err)
			sim_lose_link(p);
	}
	return sim_done(dev, err, "linkmodes autoneg %u speed %d", cmd->base.autoneg, cmd->base.speed);
}

int sim_get_fecparam(struct net_device *dev, struct ethtool_fecparam *fec)
{
	struct sim_port *p = netdev_priv(dev);

	fec->active_fec = p->fec == ETHTOOL_FEC_AUTO ? ETHTOOL_FEC_RS : p->fec;
	fec->fec = p->nic->fec_auto_unread ? ETHTOOL_FEC_AUTO | ETHTOOL_FEC_RS | ETHTOOL_FEC_BASER : p->fec;
	return 0;
}

int sim_set_fecparam(struct net_device *dev, struct ethtool_fecparam *fec)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_FEC, &err)) {
		if (hweight32(fec->fec) != 1)
			err = -EOPNOTSUPP;
		else if (fec->fec == ETHTOOL_FEC_LLRS || (fec->fec == ETHTOOL_FEC_AUTO && p->nic->fec_auto_negotiates && !p->autoneg))
			err = -EINVAL;
		else
			p->fec = fec->fec;
		if (!err)
			sim_lose_link(p);
	}
	return sim_done(dev, err, "fec 0x%x", fec->fec);
}
