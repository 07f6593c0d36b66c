// SPDX-License-Identifier: GPL-2.0
/* Tunables, of which the kernel has checked type and length. */
#include "simnic.h"

int sim_get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna, void *value)
{
	struct sim_port *p = netdev_priv(dev);

	return p->nic->gettunable ? p->nic->gettunable(p, tuna->id, value) : -EOPNOTSUPP;
}

int sim_set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna, const void *value)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (!p->nic->settunable)
		return -EOPNOTSUPP;
	if (sim_gate(dev, SIM_TUNABLE, &err))
		err = p->nic->settunable(p, tuna->id, value);
	return sim_done(dev, err, "tunable %u %u", tuna->id, tuna->len == sizeof(u16) ? *(const u16 *)value : 0);
}
