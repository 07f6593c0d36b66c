// SPDX-License-Identifier: GPL-2.0
/* Interrupt coalescing, as the drivers have it; nothing is ever interrupted. */
#include "simnic.h"

enum { USECS = 16, FRAMES = 32, ADAPTIVE_USECS = 8, ADAPTIVE_FRAMES = 128 };

static void restart(u32 *usecs, u32 *frames, bool adaptive)
{
	*usecs = adaptive ? ADAPTIVE_USECS : USECS;
	*frames = adaptive ? ADAPTIVE_FRAMES : FRAMES;
}

void sim_coalesce_init(struct sim_port *p)
{
	restart(&p->coalesce.rx_coalesce_usecs, &p->coalesce.rx_max_coalesced_frames, true);
	restart(&p->coalesce.tx_coalesce_usecs, &p->coalesce.tx_max_coalesced_frames, false);
	p->coalesce.use_adaptive_rx_coalesce = 1;
	if (!p->nic->coalesce_frames) {
		p->coalesce.rx_max_coalesced_frames = 0;
		p->coalesce.tx_max_coalesced_frames = 0;
	}
}

u32 sim_coalesce_params(const struct sim_nic *nic)
{
	u32 params = ETHTOOL_COALESCE_USECS | ETHTOOL_COALESCE_USE_ADAPTIVE;

	return nic->coalesce_frames ? params | ETHTOOL_COALESCE_MAX_FRAMES | ETHTOOL_COALESCE_USE_CQE : params;
}

int sim_get_coalesce(struct net_device *dev, struct ethtool_coalesce *c, struct kernel_ethtool_coalesce *kernel,
		     struct netlink_ext_ack *extack)
{
	struct sim_port *p = netdev_priv(dev);

	*c = p->coalesce;
	kernel->use_cqe_mode_rx = p->cqe_rx;
	kernel->use_cqe_mode_tx = p->cqe_tx;
	return 0;
}

/* mlx5 starts the numbers again where the way of counting changes, whatever comes with it. */
static void take(struct sim_port *p, const struct ethtool_coalesce *c, const struct kernel_ethtool_coalesce *kernel)
{
	bool rx = c->use_adaptive_rx_coalesce != p->coalesce.use_adaptive_rx_coalesce || kernel->use_cqe_mode_rx != p->cqe_rx;
	bool tx = c->use_adaptive_tx_coalesce != p->coalesce.use_adaptive_tx_coalesce || kernel->use_cqe_mode_tx != p->cqe_tx;

	p->coalesce = *c;
	p->cqe_rx = kernel->use_cqe_mode_rx;
	p->cqe_tx = kernel->use_cqe_mode_tx;
	if (p->nic->coalesce_restarts && rx)
		restart(&p->coalesce.rx_coalesce_usecs, &p->coalesce.rx_max_coalesced_frames, c->use_adaptive_rx_coalesce);
	if (p->nic->coalesce_restarts && tx)
		restart(&p->coalesce.tx_coalesce_usecs, &p->coalesce.tx_max_coalesced_frames, c->use_adaptive_tx_coalesce);
}

int sim_set_coalesce(struct net_device *dev, struct ethtool_coalesce *c, struct kernel_ethtool_coalesce *kernel,
		     struct netlink_ext_ack *extack)
{
	struct sim_port *p = netdev_priv(dev);
	u32 max = p->nic->coalesce_usecs_max ?: U32_MAX;
	int err = 0;

	if (sim_gate(dev, SIM_COALESCE, &err)) {
		if (c->rx_coalesce_usecs > max || c->tx_coalesce_usecs > max)
			err = -ERANGE;
		else
			take(p, c, kernel);
	}
	return sim_done(dev, err, "coalesce adaptive %u %u usecs %u %u frames %u %u", c->use_adaptive_rx_coalesce, c->use_adaptive_tx_coalesce,
			c->rx_coalesce_usecs, c->tx_coalesce_usecs, c->rx_max_coalesced_frames, c->tx_max_coalesced_frames);
}
