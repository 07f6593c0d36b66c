// SPDX-License-Identifier: GPL-2.0
/*
 * What each priority sent and received, as the drivers that tell it do. A port gives a packet the priority of its DSCP where it trusts that, else of its
 * VLAN tag, else 0; both ends do so for themselves. A RoCE packet with the mark of congestion is answered by a notification (CNP), which is counted
 * and not sent: DSCP 48, 74 bytes.
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>

#include "simnic.h"

enum { ROCE_PORT = 4791, CNP_DSCP = 48, CNP_BYTES = 74, PRIO_MASK = 7 };

/* The ToS of an IP packet, -1 of any other. */
static int tos_of(const struct sk_buff *skb)
{
	if (skb->protocol == htons(ETH_P_IP))
		return ipv4_get_dsfield(ip_hdr(skb));
	if (skb->protocol == htons(ETH_P_IPV6))
		return ipv6_get_dsfield(ipv6_hdr(skb));
	return -1;
}

static bool is_roce(const struct sk_buff *skb)
{
	const struct udphdr *udp;

	if (skb->protocol == htons(ETH_P_IP) && ip_hdr(skb)->protocol == IPPROTO_UDP)
		udp = (const void *)((const u8 *)ip_hdr(skb) + ip_hdr(skb)->ihl * 4);
	else if (skb->protocol == htons(ETH_P_IPV6) && ipv6_hdr(skb)->nexthdr == IPPROTO_UDP)
		udp = (const void *)(ipv6_hdr(skb) + 1);
	else
		return false;
	return (const u8 *)(udp + 1) <= skb_tail_pointer(skb) && udp->dest == htons(ROCE_PORT);
}

static unsigned int prio_of(const struct sim_port *p, int tos, u16 tci)
{
	if (p->dscp_entries)
		return tos < 0 ? 0 : p->dscp_prio[tos >> 2] & PRIO_MASK;
	return tci >> VLAN_PRIO_SHIFT;
}

static void add(struct sim_port *p, bool sent, unsigned int prio, unsigned int len)
{
	p->counts[sent][prio].bytes += len;
	p->counts[sent][prio].packets++;
}

void sim_look(const struct sk_buff *skb, struct sim_look *look)
{
	look->len = skb->len;
	look->tos = tos_of(skb);
	look->tci = 0;
	if (skb->protocol == htons(ETH_P_8021Q))
		vlan_get_tag(skb, &look->tci);
	look->marked = is_roce(skb) && INET_ECN_is_ce(look->tos);
}

void sim_count(struct sim_port *from, struct sim_port *to, const struct sim_look *look)
{
	add(from, true, prio_of(from, look->tos, look->tci), look->len);
	add(to, false, prio_of(to, look->tos, look->tci), look->len);
	if (look->marked) {
		add(to, true, prio_of(to, CNP_DSCP << 2, 0), CNP_BYTES);
		add(from, false, prio_of(from, CNP_DSCP << 2, 0), CNP_BYTES);
	}
}

/* Received and sent, bytes and packets, of eight priorities each. */
enum { STATS = 2 * 2 * SIM_TCS };

int sim_count_names(const struct sim_port *p)
{
	return p->nic->count_names[0] ? STATS : -EOPNOTSUPP;
}

void sim_count_strings(const struct sim_port *p, u8 *data)
{
	int i;

	for (i = 0; i < STATS; i++)
		snprintf(data + i * ETH_GSTRING_LEN, ETH_GSTRING_LEN, p->nic->count_names[i / SIM_TCS], i % SIM_TCS);
}

void sim_get_counts(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct sim_port *p = netdev_priv(dev);
	int i;

	for (i = 0; i < SIM_TCS; i++) {
		data[i] = p->counts[0][i].bytes;
		data[SIM_TCS + i] = p->counts[0][i].packets;
		data[2 * SIM_TCS + i] = p->counts[1][i].bytes;
		data[3 * SIM_TCS + i] = p->counts[1][i].packets;
	}
}
