// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dcb/codecs.hpp"
#include "dcb/exchange.hpp"
#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/ip/codecs.hpp"
#include "netlink/link/codecs.hpp"
#include "netlink/rdma/codecs.hpp"
#include "netlink/rdma/devlink.hpp"
#include "netlink/system/nft_rule.hpp"
#include "netlink/transport/error.hpp"
#include "tests/unit/wire.hpp"

// A decoder reads what is in the bytes it is given, and never past their end, which a sanitizer
// sees: each is given the messages of a capture, cut short at every length.

namespace cut_short_test {
namespace {

using netlink::Bytes;

/// Whether a decoder made anything of what it was given.
template <typename Decoded>
bool is_something(const Decoded& decoded) {
    if constexpr (requires { decoded.has_value(); })
        return decoded.has_value();
    else if constexpr (requires { decoded.empty(); })
        return !decoded.empty();
    else
        return !(decoded == Decoded());
}

struct Row {
    std::string capture;
    std::string name;                   ///< of the decoder
    std::function<bool(Bytes)> decode;  ///< whether it makes anything of them
    bool of_another_kind = false;       ///< no message of the capture is for this decoder
};

template <typename Decode>
Row row(const char* capture, const char* name, Decode decode) {
    return {capture, name, [decode](Bytes bytes) { return is_something(decode(bytes)); }};
}
#define ROW(capture, decoder) row(capture, #decoder, decoder)

Row of_another_kind(Row row) {
    row.of_another_kind = true;
    return row;
}

std::optional<core::App> app_in(Bytes payload) {
    return dcb::decode_ieee(payload).app;
}

std::optional<std::uint8_t> status_in(Bytes payload) {
    return dcb::attributes_of(payload).value<std::uint8_t>(DCB_ATTR_IEEE);
}

core::Parameters parameters_in(Bytes payload) {
    core::Parameters out;
    netlink::decode_parameter(payload, out);
    return out;
}

std::optional<netlink::KernelError> error_in(Bytes payload) {
    const nlmsghdr header = wire::messages("link-too-large", NLMSG_ERROR).back().header;
    return netlink::error_in(header, payload);
}

const std::vector<Row>& decoders() {
    static const std::vector<Row> all = {
        ROW("link-port", netlink::decode_link),
        ROW("link-vlan", netlink::decode_link),
        ROW("link-vlan-maps", netlink::decode_link),
        ROW("6.12/link-bond", netlink::decode_link),
        ROW("6.12/vf-changed", netlink::decode_vfs),
        ROW("link-port", netlink::decode_ip_conf),
        ROW("addresses", netlink::decode_address),
        ROW("routes-4", netlink::decode_route),
        ROW("routes-6", netlink::decode_route),
        ROW("rules-4", netlink::decode_rule),
        ROW("rules-6", netlink::decode_rule),
        ROW("neighbours", netlink::decode_neighbour),
        ROW("ieee", app_in),
        ROW("app-set", status_in),
        of_another_kind(ROW("app-set", app_in)),
        ROW("ieee-limits", app_in),
        ROW("6.12/dcb-tables", app_in),
        ROW("dcbx", dcb::decode_dcbx),
        ROW("6.12/dcb-peer", dcb::decode_peer),
        ROW("6.12/dcb-peer-cee", dcb::decode_peer),
        ROW("pause", netlink::decode_pause),
        ROW("speed", netlink::decode_speed),
        ROW("6.1/ethtool-coalesce", netlink::decode_coalesce),
        ROW("6.1/ethtool-features", netlink::decode_features),
        of_another_kind(ROW("6.1/ethtool-features-unmet", netlink::decode_features)),
        ROW("6.1/ethtool-features-unmet", netlink::decode_unmet_features),
        ROW("6.1/ethtool-linkmodes-all", netlink::decode_link_modes),
        ROW("6.1/ethtool-fec", netlink::decode_fec),
        ROW("6.1/ethtool-rings", netlink::decode_ring),
        ROW("6.1/ethtool-channels", netlink::decode_channels),
        ROW("6.1/ethtool-privflags-ice", netlink::decode_private_flags),
        ROW("6.12/ethtool-linkstate-lost", netlink::decode_link_state),
        ROW("6.12/ethtool-module-qsfp28-lower", netlink::decode_module_bytes),
        ROW("6.12/ethtool-statistics", netlink::decode_standard_statistics),
        ROW("6.12/ethtool-pause-statistics", netlink::decode_pause_statistics),
        ROW("6.12/devlink-devices", netlink::decode_devlink_handle),
        ROW("6.12/devlink-devices-reloaded", netlink::decode_devlink_device),
        ROW("6.12/devlink-param", netlink::decode_enable_roce),
        ROW("6.12/devlink-param", parameters_in),
        ROW("6.12/devlink-reporters", netlink::decode_reporter),
        ROW("6.12/devlink-info", netlink::decode_versions),
        ROW("rdma-devices", netlink::decode_rdma_device),
        ROW("rdma-ports", netlink::decode_rdma_port),
        ROW("rdma-driver", netlink::decode_rdma_type),
        ROW("6.12/rdma-qp-dump", netlink::decode_queue_pairs),
        ROW("6.12/rdma-resources", netlink::decode_queue_pair_count),
        ROW("6.12/rdma-statistic", netlink::decode_rdma_counters),
        ROW("6.12/rdma-system", netlink::decode_rdma_system),
        ROW("link-too-large", error_in)};
    return all;
}

/// Of the firewall, whose rules no kernel of the lab was asked for.
const std::vector<Row>& decoders_of_firewall() {
    static const std::vector<Row> all = {
        ROW("6.18/nft-rules", netlink::decode_nft_rule),
        of_another_kind(ROW("6.18/nft-chains", netlink::decode_nft_rule)),
        ROW("6.18/nft-iptables-rules", netlink::decode_nft_rule),
        of_another_kind(ROW("6.18/nft-rules", netlink::decode_nft_chain)),
        ROW("6.18/nft-chains", netlink::decode_nft_chain),
        of_another_kind(ROW("6.18/nft-iptables-rules", netlink::decode_nft_chain))};
    return all;
}

/// What it makes of the first bytes, which lie in memory that ends there.
bool decode_first(const Row& row, const wire::Message& message, std::size_t length) {
    const auto begin = message.payload.begin();
    std::vector<std::byte> bytes(begin, begin + static_cast<std::ptrdiff_t>(length));
    bytes.shrink_to_fit();
    return row.decode(Bytes(bytes));
}

/// Of a whole message the decoder makes something, of no bytes nothing, and it never throws.
void cut_short(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        INFO(row.name, " of ", row.capture);
        unsigned whole = 0;
        for (const wire::Message& message : wire::messages(row.capture)) {
            CHECK_FALSE(decode_first(row, message, 0));
            std::size_t length = 0;
            try {
                while (length < message.payload.size())
                    static_cast<void>(decode_first(row, message, length++));
                if (decode_first(row, message, length)) ++whole;
            } catch (const std::exception& error) {
                FAIL_CHECK("of ", length, " bytes it throws ", error.what());
            }
        }
        CHECK((whole > 0) == !row.of_another_kind);
    }
}

}  // namespace

KERNELS_TEST_CASE("decoders: a message cut short is never read past its end") {
    cut_short(decoders());
}

TEST_CASE("decoders: a rule of the firewall cut short is never read past its end") {
    cut_short(decoders_of_firewall());
}

}  // namespace cut_short_test
