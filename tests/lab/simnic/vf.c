// SPDX-License-Identifier: GPL-2.0
/* Virtual functions, as far as the physical function's driver has to do with them: their number is set as drivers/pci/pci-sysfs.c does it. */
#include <linux/rtnetlink.h>

#include "simnic.h"

static struct sim_port *port_of(struct device *parent)
{
	return dev_get_drvdata(parent);
}

static ssize_t sriov_totalvfs_show(struct device *parent, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", port_of(parent)->vf_limit);
}
static DEVICE_ATTR_RO(sriov_totalvfs);

static ssize_t sriov_numvfs_show(struct device *parent, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", port_of(parent)->vf_count);
}

/* A driver forgets what it kept for those that go, and checks the sources of new ones where ice does. */
static void make_vfs(struct sim_port *p, unsigned int count)
{
	unsigned int i;

	memset(p->vfs, 0, sizeof(p->vfs));
	for (i = 0; i < count; i++) {
		p->vfs[i].vlan_proto = htons(ETH_P_8021Q);
		p->vfs[i].spoofchk = !strcmp(p->nic->driver, "ice");
	}
	p->vf_count = count;
}

static ssize_t sriov_numvfs_store(struct device *parent, struct device_attribute *attr, const char *buf, size_t length)
{
	struct sim_port *p = port_of(parent);
	unsigned int count;
	int err = kstrtouint(buf, 0, &count);

	if (err)
		return err;
	if (count > p->vf_limit)
		return -ERANGE;
	rtnl_lock();
	if (count == p->vf_count)
		goto out;
	if (count && p->vf_count)
		err = -EBUSY;
	else if (sim_gate(p->dev, SIM_VFS, &err))
		make_vfs(p, count);
	sim_done(p->dev, err, "numvfs %u", count);
out:
	rtnl_unlock();
	return err ?: length;
}
static DEVICE_ATTR_RW(sriov_numvfs);

static struct attribute *attributes[] = { &dev_attr_sriov_totalvfs.attr, &dev_attr_sriov_numvfs.attr, NULL };
static const struct attribute_group group = { .attrs = attributes };

int sim_vf_add(struct device *parent)
{
	return port_of(parent)->vf_limit ? sysfs_create_group(&parent->kobj, &group) : 0;
}

void sim_vf_remove(struct device *parent)
{
	if (port_of(parent)->vf_limit)
		sysfs_remove_group(&parent->kobj, &group);
}

int sim_num_vf(struct device *parent)
{
	struct sim_port *p = port_of(parent);

	return p ? p->vf_count : 0;
}

static struct sim_vf *vf_of(struct net_device *dev, int vf)
{
	struct sim_port *p = netdev_priv(dev);

	return vf < p->vf_count ? &p->vfs[vf] : NULL;
}

int sim_get_vf_config(struct net_device *dev, int vf, struct ifla_vf_info *info)
{
	const struct sim_vf *v = vf_of(dev, vf);

	if (!v)
		return -EINVAL;
	info->vf = vf;
	memcpy(info->mac, v->mac, ETH_ALEN);
	info->vlan = v->vlan;
	info->qos = v->qos;
	info->vlan_proto = v->vlan_proto;
	info->min_tx_rate = v->min_rate;
	info->max_tx_rate = v->max_rate;
	info->spoofchk = v->spoofchk;
	info->trusted = v->trust;
	info->linkstate = v->state;
	return 0;
}

/* Whether the write is to be done; else *err has the answer. */
static struct sim_vf *gate(struct net_device *dev, int vf, int *err)
{
	struct sim_vf *v = vf_of(dev, vf);

	*err = v ? 0 : -EINVAL;
	return v && sim_gate(dev, SIM_VF, err) ? v : NULL;
}

int sim_set_vf_mac(struct net_device *dev, int vf, u8 *mac)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v && is_multicast_ether_addr(mac))
		err = -EINVAL;
	else if (v)
		memcpy(v->mac, mac, ETH_ALEN);
	return sim_done(dev, err, "vf %d mac %pM", vf, mac);
}

int sim_set_vf_vlan(struct net_device *dev, int vf, u16 vlan, u8 qos, __be16 proto)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v && (vlan > 4094 || qos > 7)) {
		err = -EINVAL;
	} else if (v) {
		v->vlan = vlan;
		v->qos = qos;
		v->vlan_proto = proto;
	}
	return sim_done(dev, err, "vf %d vlan %u qos %u proto %04x", vf, vlan, qos, ntohs(proto));
}

int sim_set_vf_rate(struct net_device *dev, int vf, int min, int max)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v) {
		v->min_rate = min;
		v->max_rate = max;
	}
	return sim_done(dev, err, "vf %d rate %d %d", vf, min, max);
}

int sim_set_vf_spoofchk(struct net_device *dev, int vf, bool on)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v)
		v->spoofchk = on;
	return sim_done(dev, err, "vf %d spoofchk %d", vf, on);
}

int sim_set_vf_trust(struct net_device *dev, int vf, bool on)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v)
		v->trust = on;
	return sim_done(dev, err, "vf %d trust %d", vf, on);
}

int sim_set_vf_link_state(struct net_device *dev, int vf, int state)
{
	int err;
	struct sim_vf *v = gate(dev, vf, &err);

	if (v)
		v->state = state;
	return sim_done(dev, err, "vf %d state %d", vf, state);
}
