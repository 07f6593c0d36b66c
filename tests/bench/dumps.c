// SPDX-License-Identifier: Apache-2.0
// dumps PORT...: asks the kernel what `rocectl plan` of tests/bench/run asks of ports without RDMA,
// request for request (strace shows both the same), and does nothing with the answers: the least
// time that such a plan can take.
// dumps --whole: asks for one dump of each kind, whole: links, addresses, routes and neighbours.
// dumps --snapshot: asks what `rocectl snapshot` there asks of veths that nobody has set up.
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Since Linux 5.10 and newer than some headers.
enum { kFilterSkipStats = 1 << 3 };

struct request {
    struct nlmsghdr header;
    char rest[256];
};

static char answer[65536];

static void fail(const char* what) {
    perror(what);
    exit(1);
}

static int open_socket(int protocol) {
    const int one = 1;
    const int bytes = 1024 * 1024;
    struct sockaddr_nl self = {.nl_family = AF_NETLINK};
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
    if (netlink < 0 || bind(netlink, (struct sockaddr*)&self, sizeof(self)) < 0) fail("socket");
    setsockopt(netlink, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    setsockopt(netlink, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
    setsockopt(netlink, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
    setsockopt(netlink, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one, sizeof(one));
    return netlink;
}

static void* grow(struct request* request, size_t bytes) {
    void* at = (char*)request + NLMSG_ALIGN(request->header.nlmsg_len);
    request->header.nlmsg_len = (unsigned)(NLMSG_ALIGN(request->header.nlmsg_len) + bytes);
    return at;
}

static struct request begin(int type, int flags, const void* header, size_t bytes) {
    struct request request = {.header = {.nlmsg_len = NLMSG_HDRLEN,
                                         .nlmsg_type = (unsigned short)type,
                                         .nlmsg_flags = (unsigned short)(NLM_F_REQUEST | flags)}};
    memcpy(grow(&request, bytes), header, bytes);
    return request;
}

static void put(struct request* request, int type, const void* value, size_t bytes) {
    struct nlattr* attribute = grow(request, NLA_HDRLEN + bytes);
    attribute->nla_type = (unsigned short)type;
    attribute->nla_len = (unsigned short)(NLA_HDRLEN + bytes);
    memcpy((char*)attribute + NLA_HDRLEN, value, bytes);
}

/// Sends the request and reads to the end of its answer, the last datagram of which stays in
/// `answer`.
static ssize_t ask(int netlink, const struct request* request) {
    const int dump = (request->header.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
    if (send(netlink, request, request->header.nlmsg_len, 0) < 0) fail("send");
    for (;;) {
        const ssize_t length = recv(netlink, answer, sizeof(answer), 0);
        if (length < 0) fail("recv");
        size_t left = (size_t)length;
        for (const struct nlmsghdr* at = (const struct nlmsghdr*)answer; NLMSG_OK(at, left);
             at = NLMSG_NEXT(at, left))
            if (!dump || at->nlmsg_type == NLMSG_DONE || at->nlmsg_type == NLMSG_ERROR)
                return length;
    }
}

static void ask_links(int netlink, const char* port) {
    const unsigned mask = kFilterSkipStats;
    const struct ifinfomsg header = {.ifi_family = AF_UNSPEC};
    struct request request =
        begin(RTM_GETLINK, port == NULL ? NLM_F_DUMP : 0, &header, sizeof(header));
    put(&request, IFLA_EXT_MASK, &mask, sizeof(mask));
    if (port != NULL) put(&request, IFLA_IFNAME, port, strlen(port) + 1);
    ask(netlink, &request);
}

/// The whole of each kind: one dump for all ports is less than one for each.
static void ask_addresses(int netlink) {
    const struct ifaddrmsg header = {.ifa_family = AF_UNSPEC};
    const struct request request = begin(RTM_GETADDR, NLM_F_DUMP, &header, sizeof(header));
    ask(netlink, &request);
}

static void ask_routes(int netlink, int family) {
    const struct rtmsg header = {.rtm_family = (unsigned char)family};
    const struct request request = begin(RTM_GETROUTE, NLM_F_DUMP, &header, sizeof(header));
    ask(netlink, &request);
}

static void ask_neighbours(int netlink) {
    const struct ndmsg header = {.ndm_family = AF_UNSPEC};
    const struct request request = begin(RTM_GETNEIGH, NLM_F_DUMP, &header, sizeof(header));
    ask(netlink, &request);
}

static void ask_dcb(int netlink, int command, const char* port) {
    const struct dcbmsg header = {.dcb_family = AF_UNSPEC, .cmd = (unsigned char)command};
    struct request request = begin(RTM_GETDCB, 0, &header, sizeof(header));
    put(&request, DCB_ATTR_IFNAME, port, strlen(port) + 1);
    ask(netlink, &request);
}

static int ethtool_family(int netlink) {
    const struct genlmsghdr header = {.cmd = CTRL_CMD_GETFAMILY, .version = 1};
    struct request request = begin(GENL_ID_CTRL, 0, &header, sizeof(header));
    put(&request, CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME, sizeof(ETHTOOL_GENL_NAME));
    const char* end = answer + ask(netlink, &request);
    const char* at = answer + NLMSG_HDRLEN + GENL_HDRLEN;
    while (at + NLA_HDRLEN + sizeof(unsigned short) <= end) {
        const struct nlattr* attribute = (const struct nlattr*)at;
        if (attribute->nla_type == CTRL_ATTR_FAMILY_ID)
            return *(const unsigned short*)(at + NLA_HDRLEN);
        at += NLA_ALIGN(attribute->nla_len);
    }
    fail("the ethtool family");
    return 0;
}

static void ask_pause(int netlink, int family, const char* port) {
    const struct genlmsghdr header = {.cmd = ETHTOOL_MSG_PAUSE_GET, .version = 1};
    struct request request = begin(family, 0, &header, sizeof(header));
    struct nlattr* nest = grow(&request, NLA_HDRLEN);
    put(&request, ETHTOOL_A_HEADER_DEV_NAME, port, strlen(port) + 1);
    nest->nla_type = ETHTOOL_A_PAUSE_HEADER | NLA_F_NESTED;
    nest->nla_len = (unsigned short)((char*)&request + request.header.nlmsg_len - (char*)nest);
    ask(netlink, &request);
}

/// One dump for all ports.
static void ask_ethtool(int netlink, int family, int command, int header_attribute) {
    const struct genlmsghdr header = {.cmd = (unsigned char)command, .version = 1};
    struct request request = begin(family, NLM_F_DUMP, &header, sizeof(header));
    put(&request, header_attribute | NLA_F_NESTED, "", 0);
    ask(netlink, &request);
}

static void exchange(int control, const char* port, void* data) {
    struct ifreq request = {.ifr_data = data};
    strncpy(request.ifr_name, port, sizeof(request.ifr_name) - 1);
    ioctl(control, SIOCETHTOOL, &request);
}

/// What a driver counts has no dump.
static void ask_statistics(int control, const char* port) {
    static char room[65536 * ETH_GSTRING_LEN];
    struct {
        struct ethtool_sset_info head;
        unsigned count;
    } set = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_STATS}};
    exchange(control, port, &set);
    struct ethtool_gstrings names = {
        .cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS, .len = set.count};
    memcpy(room, &names, sizeof(names));
    exchange(control, port, room);
    struct ethtool_stats stats = {.cmd = ETHTOOL_GSTATS, .n_stats = set.count};
    memcpy(room, &stats, sizeof(stats));
    exchange(control, port, room);
}

static void ask_each_link(int netlink, int count, char** ports) {
    for (int i = 1; i < count; ++i)
        ask_links(netlink, ports[i]);
}

int main(int count, char** ports) {
    const int route = open_socket(NETLINK_ROUTE);
    ask_links(route, NULL);
    if (count == 2 && strcmp(ports[1], "--whole") == 0) {
        ask_addresses(route);
        ask_routes(route, AF_INET);
        ask_routes(route, AF_INET6);
        ask_neighbours(route);
        return 0;
    }
    if (count == 2 && strcmp(ports[1], "--snapshot") == 0) {
        ask_links(route, NULL);
        const int generic = open_socket(NETLINK_GENERIC);
        const int family = ethtool_family(generic);
        ask_ethtool(generic, family, ETHTOOL_MSG_CHANNELS_GET, ETHTOOL_A_CHANNELS_HEADER);
        ask_ethtool(generic, family, ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER);
        ask_ethtool(generic, family, ETHTOOL_MSG_LINKMODES_GET, ETHTOOL_A_LINKMODES_HEADER);
        ask_ethtool(generic, family, ETHTOOL_MSG_LINKSTATE_GET, ETHTOOL_A_LINKSTATE_HEADER);
        ask_addresses(route);
        ask_routes(route, AF_INET);
        ask_routes(route, AF_INET6);
        ask_neighbours(route);
        struct if_nameindex* const all = if_nameindex();
        const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        for (const struct if_nameindex* at = all; at->if_name != NULL; ++at)
            ask_statistics(control, at->if_name);
        return 0;
    }
    // What the desired values are about.
    ask_each_link(route, count, ports);
    const int generic = open_socket(NETLINK_GENERIC);
    const int family = ethtool_family(generic);
    for (int i = 1; i < count; ++i)
        ask_pause(generic, family, ports[i]);
    ask_addresses(route);
    ask_routes(route, AF_INET);
    ask_routes(route, AF_INET6);
    for (int i = 1; i < count; ++i)
        ask_dcb(route, DCB_CMD_IEEE_GET, ports[i]);
    for (int i = 1; i < count; ++i)
        ask_dcb(route, DCB_CMD_GDCBX, ports[i]);
    // What a step needs beside; which ports it takes along; who writes them too.
    ask_each_link(route, count, ports);
    ask_neighbours(route);
    ask_links(route, NULL);
    ask_each_link(route, count, ports);
    return 0;
}
