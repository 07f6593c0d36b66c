// SPDX-License-Identifier: GPL-2.0
/* The ports: two by two connected, carrier when both ends are up. */
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "simnic.h"

enum { MAX_PAIRS = 32, RING_MAX = 8192, CHANNELS_MAX = 8 };

static char *driver = "generic";
module_param(driver, charp, 0444);
MODULE_PARM_DESC(driver, "name to report; mlx5_core, bnxt_en, ice and hns3 bring their behaviour");
static unsigned int pairs = 1;
module_param(pairs, uint, 0444);
MODULE_PARM_DESC(pairs, "pairs of connected ports");
static char *without = "";
module_param(without, charp, 0444);
MODULE_PARM_DESC(without, "operations to leave out: ets,maxrate,pfc,buffer,tunable,app,dcbx,setets,setpfc, or dcb for all of DCB");
static int dcbx = -1;
module_param(dcbx, int, 0444);
MODULE_PARM_DESC(dcbx, "initial DCBX bits, -1 for those of the driver");
static bool agent;
module_param(agent, bool, 0444);
MODULE_PARM_DESC(agent, "the firmware's LLDP agent runs");
static char *trust = "pcp";
module_param(trust, charp, 0444);
MODULE_PARM_DESC(trust, "what an mlx5 port trusts when it comes up: pcp or dscp");
static bool tables;
module_param(tables, bool, 0444);
MODULE_PARM_DESC(tables, "the APP trust and rewrite tables of switches, where the kernel has them (6.3)");
static bool firmware_buffers;
module_param(firmware_buffers, bool, 0444);
MODULE_PARM_DESC(firmware_buffers, "mlx5: until they are written, the firmware gives lossless priorities a buffer of their own");
static unsigned int flap_ms = 20;
module_param(flap_ms, uint, 0444);
MODULE_PARM_DESC(flap_ms, "for how long a write which disturbs the link takes the carrier away");

static unsigned int vfs;
module_param(vfs, uint, 0444);
MODULE_PARM_DESC(vfs, "virtual functions that each port can have; 0 for ports without SR-IOV");

static struct sim_port **ports;
/* Its devices can have virtual functions, which those of the platform bus cannot. */
static struct bus_type bus = { .name = "simnic", .num_vf = sim_num_vf };
static struct device_driver bound = { .bus = &bus };

struct sim_port *sim_port_at(unsigned int index)
{
	return ports && index < 2 * pairs ? ports[index] : NULL;
}

static void update_link(struct sim_port *p)
{
	struct sim_port *q = p->peer;
	bool up = netif_running(p->dev) && netif_running(q->dev) && !p->link_lost && !q->link_lost;

	if (up) {
		netif_carrier_on(p->dev);
		netif_carrier_on(q->dev);
	} else {
		netif_carrier_off(p->dev);
		netif_carrier_off(q->dev);
	}
}

static void link_work(struct work_struct *work)
{
	struct sim_port *p = container_of(to_delayed_work(work), struct sim_port, link_work);

	rtnl_lock();
	p->link_lost = false;
	if (p->dev->reg_state == NETREG_REGISTERED && p->peer->dev->reg_state == NETREG_REGISTERED)
		update_link(p);
	rtnl_unlock();
}

/* The carrier goes, and comes back a little later. */
void sim_lose_link(struct sim_port *p)
{
	p->link_lost = true;
	update_link(p);
	mod_delayed_work(system_wq, &p->link_work, msecs_to_jiffies(flap_ms));
}

/* As ice_dcbnl_devreset: the port is open afterwards even where it was closed before. */
void sim_reopen(struct sim_port *p)
{
	p->resetting = true;
	dev_close(p->dev);
	netdev_state_change(p->dev);
	p->link_lost = true;
	dev_open(p->dev, NULL);
	netdev_state_change(p->dev);
	p->resetting = false;
	mod_delayed_work(system_wq, &p->link_work, msecs_to_jiffies(flap_ms));
}

static int sim_open(struct net_device *dev)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (!p->resetting) {
		bool real = sim_gate(dev, SIM_OPEN, &err);

		if (sim_done(dev, err, "open"))
			return err;
		/* Only claimed to be open: never a carrier. */
		p->link_lost = !real || delayed_work_pending(&p->link_work);
	}
	netif_start_queue(dev);
	update_link(p);
	return 0;
}

static int sim_close(struct net_device *dev)
{
	struct sim_port *p = netdev_priv(dev);
	int err;

	if (!p->resetting) {
		sim_gate(dev, SIM_CLOSE, &err);
		sim_done(dev, 0, "close");
	}
	netif_stop_queue(dev);
	update_link(p);
	return 0;
}

static netdev_tx_t sim_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct sim_port *p = netdev_priv(dev);
	struct net_device *to = p->peer->dev;
	unsigned int len = skb->len;
	struct sim_look look;

	sim_look(skb, &look);
	if (netif_carrier_ok(dev) && to->reg_state == NETREG_REGISTERED && dev_forward_skb(to, skb) == NET_RX_SUCCESS) {
		dev->stats.tx_packets++;
		dev->stats.tx_bytes += len;
		to->stats.rx_packets++;
		to->stats.rx_bytes += len;
		sim_count(p, p->peer, &look);
	} else {
		if (!netif_carrier_ok(dev) || to->reg_state != NETREG_REGISTERED)
			dev_kfree_skb(skb);
		dev->stats.tx_dropped++;
	}
	return NETDEV_TX_OK;
}

static int sim_change_mtu(struct net_device *dev, int mtu)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_MTU, &err)) {
		WRITE_ONCE(dev->mtu, mtu);
		if (p->nic->mtu_changed && netif_running(dev))
			p->nic->mtu_changed(p);
	}
	return sim_done(dev, err, "mtu %d", mtu);
}

static int sim_set_features(struct net_device *dev, netdev_features_t features)
{
	netdev_features_t changed = dev->features ^ features;
	int err = 0;

	/* A lie keeps what the device does; the kernel then has only the request. */
	if (!sim_gate(dev, SIM_FEATURES, &err) && !err)
		err = 1;
	sim_done(dev, err < 0 ? err : 0, "features %pNF", &changed);
	return err;
}

static const struct net_device_ops netdev_ops = {
	.ndo_open = sim_open,
	.ndo_stop = sim_close,
	.ndo_start_xmit = sim_xmit,
	.ndo_change_mtu = sim_change_mtu,
	.ndo_set_features = sim_set_features,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_get_vf_config = sim_get_vf_config,
	.ndo_set_vf_mac = sim_set_vf_mac,
	.ndo_set_vf_vlan = sim_set_vf_vlan,
	.ndo_set_vf_rate = sim_set_vf_rate,
	.ndo_set_vf_spoofchk = sim_set_vf_spoofchk,
	.ndo_set_vf_trust = sim_set_vf_trust,
	.ndo_set_vf_link_state = sim_set_vf_link_state,
};

static int count_flags(const struct sim_nic *nic)
{
	int n = 0;

	while (nic->flags && nic->flags[n])
		n++;
	return n;
}

static void sim_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct sim_port *p = netdev_priv(dev);

	strscpy(info->driver, driver, sizeof(info->driver));
	strscpy(info->fw_version, "sim-1.0", sizeof(info->fw_version));
	strscpy(info->bus_info, dev_name(p->parent), sizeof(info->bus_info));
	info->n_priv_flags = count_flags(p->nic);
}

static void sim_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct sim_port *p = netdev_priv(dev);

	if (p->nic->getpause) {
		p->nic->getpause(p, pause);
		return;
	}
	pause->autoneg = p->pause.autoneg;
	pause->rx_pause = p->pause.rx_pause;
	pause->tx_pause = p->pause.tx_pause;
}

static int sim_set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_PAUSE, &err)) {
		err = p->nic->setpause ? p->nic->setpause(p, pause) : 0;
		if (!err)
			p->pause = *pause;
	}
	return sim_done(dev, err, "pause autoneg %u rx %u tx %u", pause->autoneg, pause->rx_pause, pause->tx_pause);
}

static void sim_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring, struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct sim_port *p = netdev_priv(dev);

	ring->rx_pending = p->ring_rx;
	ring->tx_pending = p->ring_tx;
	ring->rx_max_pending = RING_MAX;
	ring->tx_max_pending = RING_MAX;
}

static u32 ring_stored(const struct sim_nic *nic, u32 size)
{
	if (nic->ring_power_of_two)
		return roundup_pow_of_two(size);
	return nic->ring_multiple ? roundup(size, nic->ring_multiple) : size;
}

static int sim_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring, struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_RING, &err)) {
		if (ring->rx_pending < max(1U, p->nic->ring_rx_min) || ring->tx_pending < max(1U, p->nic->ring_tx_min)) {
			err = -EINVAL;
		} else {
			p->ring_rx = ring_stored(p->nic, ring->rx_pending);
			p->ring_tx = ring_stored(p->nic, ring->tx_pending);
		}
	}
	return sim_done(dev, err, "ring rx %u tx %u", ring->rx_pending, ring->tx_pending);
}

static void sim_get_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	struct sim_port *p = netdev_priv(dev);

	channels->max_combined = CHANNELS_MAX;
	channels->combined_count = p->combined;
	if (p->nic->channels_apart) {
		channels->max_rx = CHANNELS_MAX;
		channels->max_tx = CHANNELS_MAX;
		channels->rx_count = p->channels_rx;
		channels->tx_count = p->channels_tx;
	}
}

static int sim_set_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	struct sim_port *p = netdev_priv(dev);
	int err = 0;

	if (sim_gate(dev, SIM_CHANNELS, &err)) {
		err = p->nic->checkchannels ? p->nic->checkchannels(channels) : 0;
		if (!err) {
			p->combined = channels->combined_count;
			p->channels_rx = channels->rx_count;
			p->channels_tx = channels->tx_count;
		}
	}
	return sim_done(dev, err, "channels rx %u tx %u combined %u", channels->rx_count, channels->tx_count, channels->combined_count);
}

static int sim_get_sset_count(struct net_device *dev, int set)
{
	struct sim_port *p = netdev_priv(dev);

	if (set == ETH_SS_STATS)
		return sim_count_names(p);
	return set == ETH_SS_PRIV_FLAGS && p->nic->flags ? count_flags(p->nic) : -EOPNOTSUPP;
}

static void sim_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	struct sim_port *p = netdev_priv(dev);
	int i;

	if (set == ETH_SS_STATS)
		sim_count_strings(p, data);
	for (i = 0; set == ETH_SS_PRIV_FLAGS && i < count_flags(p->nic); i++)
		strscpy(data + i * ETH_GSTRING_LEN, p->nic->flags[i], ETH_GSTRING_LEN);
}

static u32 sim_get_priv_flags(struct net_device *dev)
{
	struct sim_port *p = netdev_priv(dev);

	return p->flags | (p->nic->startagent && p->agent ? BIT(p->nic->agent_flag) : 0);
}

static int sim_set_priv_flags(struct net_device *dev, u32 flags)
{
	struct sim_port *p = netdev_priv(dev);
	u32 agent_bit = p->nic->startagent ? BIT(p->nic->agent_flag) : 0;
	int err = 0;

	if (sim_gate(dev, SIM_PRIVFLAGS, &err)) {
		if (agent_bit)
			err = p->nic->startagent(p, flags & agent_bit);
		if (!err)
			p->flags = flags & ~agent_bit;
	}
	return sim_done(dev, err, "privflags 0x%x", flags);
}

static const struct ethtool_ops ethtool_ops = {
	.get_drvinfo = sim_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = sim_get_link_ksettings,
	.set_link_ksettings = sim_set_link_ksettings,
	.get_fecparam = sim_get_fecparam,
	.set_fecparam = sim_set_fecparam,
	.get_coalesce = sim_get_coalesce,
	.set_coalesce = sim_set_coalesce,
	.get_pauseparam = sim_get_pauseparam,
	.set_pauseparam = sim_set_pauseparam,
	.get_ringparam = sim_get_ringparam,
	.set_ringparam = sim_set_ringparam,
	.get_channels = sim_get_channels,
	.set_channels = sim_set_channels,
	.get_sset_count = sim_get_sset_count,
	.get_strings = sim_get_strings,
	.get_ethtool_stats = sim_get_counts,
	.get_tunable = sim_get_tunable,
	.set_tunable = sim_set_tunable,
	.get_priv_flags = sim_get_priv_flags,
	.set_priv_flags = sim_set_priv_flags,
};

static const struct sim_nic *nic_of(const char *name)
{
	static const struct sim_nic *const nics[] = { &sim_mlx5, &sim_bnxt, &sim_ice, &sim_hns3 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nics); i++)
		if (!strcmp(nics[i]->driver, name))
			return nics[i];
	return &sim_generic;
}

static void free_parent(struct device *parent)
{
	kfree(parent);
}

/* A parent with the name of a PCI function, bound to a driver of the name asked for. */
static struct device *make_parent(unsigned int index)
{
	struct device *parent = kzalloc(sizeof(*parent), GFP_KERNEL);
	int err;

	if (!parent)
		return ERR_PTR(-ENOMEM);
	parent->bus = &bus;
	parent->release = free_parent;
	dev_set_name(parent, "0000:%02x:00.%u", 0x5e + index / 2, index % 2);
	err = device_register(parent);
	if (err) {
		put_device(parent);
		return ERR_PTR(err);
	}
	return parent;
}

static void free_port(struct sim_port *p)
{
	kfree(p->own);
	free_netdev(p->dev);
}

static struct sim_port *new_port(unsigned int index, struct device *parent)
{
	u8 mac[ETH_ALEN] = { 0x02, 0x00, 0x5e, 0x00, 0x00, index };
	struct net_device *dev;
	struct sim_port *p;

	dev = alloc_etherdev(sizeof(*p));
	if (!dev)
		return ERR_PTR(-ENOMEM);
	snprintf(dev->name, sizeof(dev->name), "sim%u", index);
	eth_hw_addr_set(dev, mac);
	memcpy(dev->perm_addr, mac, ETH_ALEN);
	dev->netdev_ops = &netdev_ops;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = 9978;
	SET_NETDEV_DEV(dev, parent);

	p = netdev_priv(dev);
	p->dev = dev;
	p->parent = parent;
	p->vf_limit = min_t(unsigned int, vfs, SIM_VF_MAX);
	p->nic = nic_of(driver);
	p->ops = ethtool_ops;
	p->ops.supported_coalesce_params = sim_coalesce_params(p->nic);
	dev->ethtool_ops = &p->ops;
	sim_link_init(p);
	sim_coalesce_init(p);
	p->agent = agent;
	p->trusts_dscp = !strcmp(trust, "dscp");
	p->no_stall_detect = strstr(without, "tunable");
	p->tables = tables;
	p->firmware_buffers = firmware_buffers;
	p->flags = p->nic->flags_on;
	p->ring_rx = 1024;
	p->ring_tx = 1024;
	p->combined = CHANNELS_MAX;
	p->pause.rx_pause = 1;
	p->pause.tx_pause = 1;
	p->dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
	INIT_DELAYED_WORK(&p->link_work, link_work);
	if (p->nic->init) {
		int err = p->nic->init(p);

		if (err) {
			free_port(p);
			return ERR_PTR(err);
		}
	}
	if (dcbx >= 0)
		p->dcbx = dcbx;
	sim_dcb_init(p, without);
	sim_evidence_init(p);
	sim_module_init(p);
	netif_carrier_off(dev);
	dev_set_drvdata(parent, p);
	return p;
}

static int make_port(unsigned int index)
{
	struct device *parent = make_parent(index);
	struct sim_port *p;

	if (IS_ERR(parent))
		return PTR_ERR(parent);
	p = new_port(index, parent);
	if (IS_ERR(p)) {
		device_unregister(parent);
		return PTR_ERR(p);
	}
	ports[index] = p;
	return sim_vf_add(parent);
}

static int register_port(struct sim_port *p)
{
	int err = register_netdev(p->dev);

	if (!err && p->nic->ready)
		p->nic->ready(p);
	return err;
}

static int add_devlink(unsigned int index)
{
	struct sim_port *p = ports[index];
	struct devlink *devlink;

	if (!p->nic->enable_roce)
		return 0;
	devlink = sim_devlink_add(p->parent, index);
	if (IS_ERR(devlink))
		return PTR_ERR(devlink);
	p->devlink = devlink;
	return 0;
}

/* A driver that starts anew: the netdev goes, with all that hung on it, and another comes. */
int sim_port_down(unsigned int index)
{
	unregister_netdev(ports[index]->dev);
	cancel_delayed_work_sync(&ports[index]->link_work);
	return 0;
}

int sim_port_up(unsigned int index)
{
	struct sim_port *old = ports[index];
	struct sim_port *p = new_port(index, old->parent);

	if (IS_ERR(p))
		return PTR_ERR(p);
	p->devlink = old->devlink;
	rtnl_lock();
	p->peer = old->peer;
	old->peer->peer = p;
	ports[index] = p;
	rtnl_unlock();
	synchronize_net();
	free_port(old);
	return register_port(p);
}

static void remove_ports(void)
{
	unsigned int i;

	for (i = 0; i < 2 * pairs; i++)
		if (ports[i])
			sim_vf_remove(ports[i]->parent);
	for (i = 0; i < 2 * pairs; i++)
		if (ports[i])
			sim_devlink_remove(ports[i]->devlink);
	for (i = 0; i < 2 * pairs; i++)
		if (ports[i] && ports[i]->dev->reg_state == NETREG_REGISTERED)
			unregister_netdev(ports[i]->dev);
	for (i = 0; i < 2 * pairs; i++)
		if (ports[i])
			cancel_delayed_work_sync(&ports[i]->link_work);
	for (i = 0; i < 2 * pairs; i++) {
		struct device *parent;

		if (!ports[i])
			continue;
		parent = ports[i]->parent;
		free_port(ports[i]);
		device_unregister(parent);
	}
	kfree(ports);
	ports = NULL;
}

static int __init sim_init(void)
{
	unsigned int i;
	int err;

	if (!pairs || pairs > MAX_PAIRS)
		return -EINVAL;
	ports = kcalloc(2 * pairs, sizeof(*ports), GFP_KERNEL);
	if (!ports)
		return -ENOMEM;
	bound.name = driver;
	err = bus_register(&bus);
	if (err)
		goto no_bus;
	err = driver_register(&bound);
	if (err)
		goto no_driver;
	for (i = 0; i < 2 * pairs && !err; i++)
		err = make_port(i);
	for (i = 0; i < 2 * pairs && !err; i++)
		ports[i]->peer = ports[i ^ 1];
	for (i = 0; i < 2 * pairs && !err; i++)
		err = register_port(ports[i]);
	for (i = 0; i < 2 * pairs && !err; i++)
		err = add_devlink(i);
	if (!err)
		err = sim_fwctl_init(2 * pairs);
	if (!err)
		err = sim_faults_init();
	if (!err)
		return 0;
	sim_fwctl_remove();
	remove_ports();
	driver_unregister(&bound);
no_driver:
	bus_unregister(&bus);
no_bus:
	kfree(ports);
	ports = NULL;
	return err;
}

static void __exit sim_exit(void)
{
	sim_faults_exit();
	sim_fwctl_remove();
	remove_ports();
	driver_unregister(&bound);
	bus_unregister(&bus);
}

module_init(sim_init);
module_exit(sim_exit);
MODULE_DESCRIPTION("Connected Ethernet ports which behave as other drivers do towards DCB");
MODULE_LICENSE("GPL");
