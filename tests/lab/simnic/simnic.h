/* SPDX-License-Identifier: GPL-2.0 */
/* simnic: pairs of connected Ethernet ports which answer DCB and ethtool as the drivers of real NICs do. */
#ifndef SIMNIC_H
#define SIMNIC_H

#include <linux/dcbnl.h>
#include <linux/device.h>
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/devlink.h>
#include <net/dcbnl.h>

#define SIM_DSCPS 64
#define SIM_VF_MAX 8
#define SIM_TCS IEEE_8021QAZ_MAX_TCS

/* What a user can write, and what can be made to fail. */
enum sim_op { SIM_MTU, SIM_PAUSE, SIM_ETS, SIM_MAXRATE, SIM_PFC, SIM_BUFFER, SIM_TUNABLE, SIM_APPSET, SIM_APPDEL, SIM_DCBX, SIM_PRIVFLAGS, SIM_RING, SIM_CHANNELS, SIM_FEATURES, SIM_LINKMODES, SIM_FEC, SIM_COALESCE, SIM_APPTRUST, SIM_REWRITE, SIM_PARAM, SIM_RELOAD, SIM_VFS, SIM_VF, SIM_OPEN, SIM_CLOSE, SIM_OPS };

struct sim_port;

/* How one driver behaves. What is absent, the generic behaviour does. */
struct sim_nic {
	const char *driver;
	int (*init)(struct sim_port *p);
	void (*ready)(struct sim_port *p); /* the netdev is registered */
	int (*getets)(struct sim_port *p, struct ieee_ets *ets);
	int (*setets)(struct sim_port *p, struct ieee_ets *ets);
	int (*getmaxrate)(struct sim_port *p, struct ieee_maxrate *rate); /* without these there is no operation */
	int (*setmaxrate)(struct sim_port *p, struct ieee_maxrate *rate);
	int (*getpfc)(struct sim_port *p, struct ieee_pfc *pfc);
	int (*setpfc)(struct sim_port *p, struct ieee_pfc *pfc);
	int (*getbuffer)(struct sim_port *p, struct dcbnl_buffer *buffer); /* and these */
	int (*setbuffer)(struct sim_port *p, struct dcbnl_buffer *buffer);
	int (*setapp)(struct sim_port *p, struct dcb_app *app);
	int (*delapp)(struct sim_port *p, struct dcb_app *app);
	u8 (*setdcbx)(struct sim_port *p, u8 mode);
	void (*getpause)(struct sim_port *p, struct ethtool_pauseparam *pause);
	int (*setpause)(struct sim_port *p, struct ethtool_pauseparam *pause);
	int (*gettunable)(struct sim_port *p, u32 id, void *value);
	int (*settunable)(struct sim_port *p, u32 id, const void *value);
	void (*mtu_changed)(struct sim_port *p);
	u32 ring_rx_min, ring_tx_min, ring_multiple; /* 0: any */
	bool ring_power_of_two;
	bool channels_apart; /* has channels that only receive or transmit */
	int (*checkchannels)(const struct ethtool_channels *channels);
	bool negotiates_all; /* keeps what it offers, whatever is asked */
	bool forced_speed_offered; /* offers only the modes of the speed that is forced */
	bool fec_auto_negotiates; /* no FEC auto without autoneg */
	bool fec_auto_unread; /* tells what it can do for what it was told */
	bool coalesce_frames; /* and CQE mode */
	bool enable_roce; /* a devlink parameter for the driver's start */
	bool coalesce_restarts; /* the numbers start again with the way of counting */
	u32 coalesce_usecs_max; /* 0: any */
	const char *count_names[4]; /* of a priority's bytes and packets received, and sent */
	const char *const *flags; /* names of the private flags, up to NULL */
	u32 flags_on; /* when it comes up */
	int agent_flag; /* which of them runs the firmware's agent, where startagent is */
	int (*startagent)(struct sim_port *p, bool on);
};

/* What the driver keeps for a virtual function. */
struct sim_vf {
	u8 mac[ETH_ALEN];
	u16 vlan;
	u8 qos;
	__be16 vlan_proto;
	int min_rate, max_rate, state;
	bool spoofchk, trust;
};

struct sim_counts {
	u64 bytes, packets;
};

struct sim_port {
	struct net_device *dev;
	struct sim_port *peer;
	struct device *parent;
	struct devlink *devlink; /* outlives the port */
	const struct sim_nic *nic;
	struct dcbnl_rtnl_ops dcb;
	struct delayed_work link_work;
	bool link_lost; /* until link_work */
	bool resetting; /* the driver itself closes and opens */
	bool agent; /* the firmware's LLDP agent runs */
	bool trusts_dscp; /* at load */
	bool no_stall_detect; /* without tunables */
	bool tables; /* of APP trust and rewriting, where the kernel has them */
	u8 trusted[IEEE_8021QAZ_APP_SEL_DSCP + 1]; /* selectors in order */
	int trusted_count;
	bool firmware_buffers; /* the firmware splits the buffers when PFC comes on */
	struct ethtool_pauseparam pause;
	u32 flags; /* beside the agent's */
	u32 ring_rx, ring_tx;
	struct ethtool_ops ops;
	__ETHTOOL_DECLARE_LINK_MODE_MASK(offered);
	bool autoneg;
	u32 speed; /* while it does not negotiate */
	u32 fec;
	struct ethtool_coalesce coalesce;
	bool cqe_rx, cqe_tx;
	u32 combined, channels_rx, channels_tx;
	u8 dcbx;
	bool have_ets;
	struct ieee_ets ets;
	struct ieee_pfc pfc;
	struct dcbnl_buffer buffer;
	u8 dscp_prio[SIM_DSCPS]; /* what the hardware does, also where no APP entry shows it */
	unsigned int dscp_entries; /* 0: the port trusts the VLAN priority */
	struct sim_counts counts[2][SIM_TCS]; /* received, sent */
	unsigned int vf_limit, vf_count; /* without virtual functions: 0 */
	struct sim_vf vfs[SIM_VF_MAX];
	void *own; /* of the behaviour, freed with the port */
};

extern const struct sim_nic sim_generic, sim_mlx5, sim_bnxt, sim_ice, sim_hns3;

/* netdev.c */
void sim_lose_link(struct sim_port *p);
void sim_reopen(struct sim_port *p);
struct sim_port *sim_port_at(unsigned int index);

int sim_port_down(unsigned int index);
int sim_port_up(unsigned int index);

/* devlink.c */
struct devlink *sim_devlink_add(struct device *parent, unsigned int index);
void sim_devlink_remove(struct devlink *devlink);

/* dcb.c */
void sim_dcb_init(struct sim_port *p, const char *without);

/* tunable.c */
int sim_get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna, void *value);
int sim_set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna, const void *value);

/* evidence.c */
void sim_evidence_init(struct sim_port *p);

/* fwctl.c */
int sim_fwctl_init(unsigned int count); /* what it made before it failed, sim_fwctl_remove takes away */
void sim_fwctl_remove(void);

/* count.c */
struct sim_look { /* what of a packet decides where it is counted; the packet itself is given away */
	unsigned int len;
	int tos;
	u16 tci;
	bool marked;
};
void sim_look(const struct sk_buff *skb, struct sim_look *look);
void sim_count(struct sim_port *from, struct sim_port *to, const struct sim_look *look);
int sim_count_names(const struct sim_port *p);
void sim_count_strings(const struct sim_port *p, u8 *data);
void sim_get_counts(struct net_device *dev, struct ethtool_stats *stats, u64 *data);

/* module.c */
void sim_module_init(struct sim_port *p);

/* link.c */
void sim_link_init(struct sim_port *p);
int sim_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd);
int sim_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *cmd);
int sim_get_fecparam(struct net_device *dev, struct ethtool_fecparam *fec);
int sim_set_fecparam(struct net_device *dev, struct ethtool_fecparam *fec);

/* coalesce.c */
void sim_coalesce_init(struct sim_port *p);
u32 sim_coalesce_params(const struct sim_nic *nic);
int sim_get_coalesce(struct net_device *dev, struct ethtool_coalesce *c, struct kernel_ethtool_coalesce *kernel,
		     struct netlink_ext_ack *extack);
int sim_set_coalesce(struct net_device *dev, struct ethtool_coalesce *c, struct kernel_ethtool_coalesce *kernel,
		     struct netlink_ext_ack *extack);

/* vf.c */
int sim_vf_add(struct device *parent);
void sim_vf_remove(struct device *parent);
int sim_num_vf(struct device *parent);
int sim_get_vf_config(struct net_device *dev, int vf, struct ifla_vf_info *info);
int sim_set_vf_mac(struct net_device *dev, int vf, u8 *mac);
int sim_set_vf_vlan(struct net_device *dev, int vf, u16 vlan, u8 qos, __be16 proto);
int sim_set_vf_rate(struct net_device *dev, int vf, int min, int max);
int sim_set_vf_spoofchk(struct net_device *dev, int vf, bool on);
int sim_set_vf_trust(struct net_device *dev, int vf, bool on);
int sim_set_vf_link_state(struct net_device *dev, int vf, int state);

/* faults.c */
int sim_faults_init(void);
void sim_faults_exit(void);
bool sim_gate(struct net_device *dev, enum sim_op op, int *result);
__printf(3, 4) int sim_done(struct net_device *dev, int result, const char *format, ...);

#endif
