// SPDX-License-Identifier: GPL-2.0
/*
 * The parameter enable_roce as mlx5 has it (mlx5/core/devlink.c): taken by the start of the driver, which a reload is. A health reporter
 * "fw" that sees a fault each time its fault is counted, and versions of the firmware that runs and of the one that is stored.
 */
#include <linux/moduleparam.h>

#include "simnic.h"

static char *stored = "1.0";
module_param(stored, charp, 0644);
MODULE_PARM_DESC(stored, "version of the firmware that the next start will run");

struct sim_devlink {
	unsigned int index; /* of the port */
	struct devlink_health_reporter *reporter;
};

static struct net_device *netdev_of(struct devlink *devlink)
{
	return sim_port_at(((struct sim_devlink *)devlink_priv(devlink))->index)->dev;
}

/* Up to Linux 7.1 a value goes by itself, and not where it is. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#define BY_POINTER &
static int check_enable_roce(struct devlink *devlink, u32 id, union devlink_param_value *asked, struct netlink_ext_ack *extack)
{
	union devlink_param_value value = *asked;
#else
#define BY_POINTER
static int check_enable_roce(struct devlink *devlink, u32 id, union devlink_param_value value, struct netlink_ext_ack *extack)
{
#endif
	struct net_device *dev = netdev_of(devlink);
	int err = 0;

	sim_gate(dev, SIM_PARAM, &err);
	if (err)
		NL_SET_ERR_MSG_MOD(extack, "refused by the lab");
	return sim_done(dev, err, "param enable_roce %u", value.vbool);
}

static const struct devlink_param params[] = {
	DEVLINK_PARAM_GENERIC(ENABLE_ROCE, BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL, check_enable_roce),
};

static int reload_down(struct devlink *devlink, bool netns_change, enum devlink_reload_action action, enum devlink_reload_limit limit,
		       struct netlink_ext_ack *extack)
{
	struct net_device *dev = netdev_of(devlink);
	int err = 0;

	sim_gate(dev, SIM_RELOAD, &err);
	if (err)
		NL_SET_ERR_MSG_MOD(extack, "reload is refused by the lab");
	if (sim_done(dev, err, "reload"))
		return err;
	return sim_port_down(((struct sim_devlink *)devlink_priv(devlink))->index);
}

static int reload_up(struct devlink *devlink, enum devlink_reload_action action, enum devlink_reload_limit limit, u32 *actions_performed,
		     struct netlink_ext_ack *extack)
{
	*actions_performed = BIT(action);
	return sim_port_up(((struct sim_devlink *)devlink_priv(devlink))->index);
}

static int info_get(struct devlink *devlink, struct devlink_info_req *req, struct netlink_ext_ack *extack)
{
	int err = devlink_info_version_fixed_put(req, "fw.psid", "SIM_0001");

	err = err ?: devlink_info_version_running_put(req, "fw.version", "1.0");
	return err ?: devlink_info_version_stored_put(req, "fw.version", stored);
}

static int recover(struct devlink_health_reporter *reporter, void *context, struct netlink_ext_ack *extack)
{
	return 0;
}

static const struct devlink_health_reporter_ops reporter_ops = {
	.name = "fw",
	.recover = recover,
};

/* Any write makes the first device's reporter see a fault. */
static int fall_ill(const char *value, const struct kernel_param *param)
{
	struct sim_port *p = sim_port_at(0);

	if (!p || !p->devlink)
		return -ENODEV;
	return devlink_health_report(((struct sim_devlink *)devlink_priv(p->devlink))->reporter, "the lab made it ill", NULL);
}

static const struct kernel_param_ops ill_ops = { .set = fall_ill };
module_param_cb(ill, &ill_ops, NULL, 0200);
MODULE_PARM_DESC(ill, "any write: the health reporter of the first device sees a fault");

static const struct devlink_ops ops = {
	.info_get = info_get,
	.reload_actions = BIT(DEVLINK_RELOAD_ACTION_DRIVER_REINIT),
	.reload_down = reload_down,
	.reload_up = reload_up,
};

struct devlink *sim_devlink_add(struct device *parent, unsigned int index)
{
	struct devlink *devlink = devlink_alloc(&ops, sizeof(struct sim_devlink), parent);
	union devlink_param_value on = { .vbool = true };
	int err;

	if (!devlink)
		return ERR_PTR(-ENOMEM);
	((struct sim_devlink *)devlink_priv(devlink))->index = index;
	err = devlink_params_register(devlink, params, ARRAY_SIZE(params));
	if (err) {
		devlink_free(devlink);
		return ERR_PTR(err);
	}
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0) /* the time between two recoveries is in reporter_ops */
	((struct sim_devlink *)devlink_priv(devlink))->reporter = devlink_health_reporter_create(devlink, &reporter_ops, NULL);
#else
	((struct sim_devlink *)devlink_priv(devlink))->reporter = devlink_health_reporter_create(devlink, &reporter_ops, 0, NULL);
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	devl_lock(devlink);
	devl_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, BY_POINTER on);
	devl_unlock(devlink);
#else
	devlink_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, on);
	devlink_set_features(devlink, DEVLINK_F_RELOAD);
#endif
	devlink_register(devlink);
	return devlink;
}

void sim_devlink_remove(struct devlink *devlink)
{
	if (!devlink)
		return;
	devlink_unregister(devlink);
	devlink_params_unregister(devlink, params, ARRAY_SIZE(params));
	devlink_health_reporter_destroy(((struct sim_devlink *)devlink_priv(devlink))->reporter);
	devlink_free(devlink);
}
