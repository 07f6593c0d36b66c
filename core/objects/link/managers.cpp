// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/managers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/model/words.hpp"

namespace core {
namespace {

/// `0x1a` or `26`, as scripts take numbers.
std::optional<std::uint64_t> number_in(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// The number of `NAME=VALUE` among the words; nothing without one.
std::optional<std::uint64_t> assigned(const std::vector<std::string>& words,
                                      std::string_view name) {
    for (const std::string& word : words)
        if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
            return number_in(std::string_view(word).substr(name.size() + 1));
    return std::nullopt;
}

ManagedSetting setting_of(std::string_view key, Value value, std::string words = {}) {
    return {.key = key, .element = {}, .value = std::move(value), .words = std::move(words)};
}

ManagedSetting entry_of(std::string_view key, std::uint64_t element, std::uint64_t value) {
    return {.key = key, .element = std::to_string(element), .value = value};
}

/// What roceOptimized of a NicConfigurationTemplate does where its qos says nothing else.
std::vector<ManagedSetting> sets_of_nic_configuration(std::string_view /*seen*/) {
    return {setting_of("pfc.priorities", Numbers{3}),
            setting_of("dscp.trust", std::string("dscp")),
            {.value = std::uint64_t{0}, .words = "ToS 0", .is_tos = true},
            setting_of("ecn.cnp_dscp", std::uint64_t{4}, "CNP_DSCP_P1 4 up to release 26.7"),
            setting_of("ecn.cnp_dscp", std::uint64_t{48}, "CNP_DSCP_P1 48 from release 26.10 on"),
            setting_of("ecn.cnp_priority", std::uint64_t{6}, "CNP_802P_PRIO_P1 6"),
            {.words = "ROCE_CC_PRIO_MASK_P1 255"}};
}

/// The line by which doRoCE.sh has itself run has the options that it was given.
std::vector<ManagedSetting> sets_of_doroce(std::string_view seen) {
    const std::vector<std::string> words = words_in(seen);
    const auto has = [&](std::string_view option) {
        return std::ranges::find(words, option) != words.end();
    };
    if (has("-d")) return {};  // some devices alone, by their names
    std::uint64_t tos = 106;
    if (const auto option = std::ranges::find(words, "-t");
        option != words.end() && std::next(option) != words.end())
        tos = number_in(*std::next(option)).value_or(tos);
    constexpr unsigned to_priority = 5;
    const Numbers lossless =
        has("-s") || has("--lossy_buf") ? Numbers{} : Numbers{tos >> to_priority};
    return {setting_of("dscp.trust", std::string("dscp")),
            setting_of("pfc.priorities", lossless),
            {.key = "rdma.traffic_class", .value = tos, .is_tos = true},
            {.key = "rdma.default_tos", .value = tos, .is_tos = true}};
}

/// What bnxt_setupcc.sh does with the values of bnxt_re.conf. What it does for a NIC of one service
/// profile alone is left out.
std::vector<ManagedSetting> sets_of_bnxt_re_conf(std::string_view seen) {
    const std::vector<std::string> words = words_in(seen);
    constexpr std::uint64_t congestion_alone = 2;
    const auto priority = assigned(words, "ROCE_PRI");
    if (!priority || assigned(words, "ENABLE_FC") == std::uint64_t{0}) return {};
    std::vector<ManagedSetting> out = {setting_of("pause.rx", false),
                                       setting_of("pause.tx", false)};
    if (assigned(words, "FC_MODE") == congestion_alone) {
        out.push_back(setting_of("pfc.priorities", Numbers{}));
    } else {
        out.push_back(setting_of("pfc.priorities", Numbers{*priority}));
        out.push_back(entry_of("app.udp", 4791, *priority));
    }
    if (const auto dscp = assigned(words, "ROCE_DSCP"))
        out.push_back(entry_of("dscp.map", *dscp, *priority));
    return out;
}

constexpr std::array kManagers = {
    Manager{.name = "firmware",
            .writes = Others::firmware,
            .stop = "state \"dcbx\": {\"mode\": \"host\"}, or dcb dcbx set dev PORT host ieee"},
    Manager{.name = "lldpad",
            .writes = Others::dcb_agent,
            .stop = "systemctl disable --now lldpad.socket lldpad.service"},
    Manager{.name = "NetworkManager",
            .writes = Others::network_daemon,
            .stop = "nmcli device set PORT managed no, and unmanaged-devices= in its conf.d"},
    Manager{.name = "systemd-networkd",
            .writes = Others::network_daemon,
            .stop = "a .network file with Unmanaged=yes for the port, then networkctl reload"},
    Manager{.name = "udev rule",
            .writes = Others::udev_rule,
            .stop = "mask it with an empty file of its name in /etc/udev/rules.d",
            .rdma_module = "bnxt_re",
            .when = "whenever the RDMA device appears",
            .source = "Broadcom's bnxt_re_conf and bnxt_setupcc.sh 233.2.82.0, README.TXT of its "
                      "bnxt_re, bnxt_re_conf package to program DCB",
            .sets = sets_of_bnxt_re_conf},
    Manager{.name = "sriov-network-operator",
            .writes = Others::sriov_operator,
            .stop = "take the port out of its SriovNetworkNodePolicy, or externallyManaged: true"},
    Manager{.name = "nic-configuration-operator",
            .writes = Others::udev_rule,
            .stop = "where a NicConfigurationTemplate names the NIC, take it out of that, or state "
                    "the same there",
            .rdma_module = "mlx5_ib",
            .when = "after each boot, with roceOptimized where its qos says nothing else",
            .source = "NVIDIA Network Operator 26.7.0 and 26.10.0, NIC Configuration Operator, "
                      "Configuration Details",
            .sets = sets_of_nic_configuration,
            .only_where = "where a NicConfigurationTemplate names the NIC"},
    Manager{.name = "doRoCE",
            .writes = Others::udev_rule,
            .stop = "/usr/bin/doRoCE.sh --uninstall",
            .rdma_module = "mlx5_ib",
            .when = "whenever openibd, or rc.local at boot, has started the driver",
            .source = "NVIDIA doRoCE.sh 0.98",
            .sets = sets_of_doroce},
};

}  // namespace

std::span<const Manager> managers() {
    return kManagers;
}

const Manager* find_manager(std::string_view name) {
    const auto* found = std::ranges::find(kManagers, name, &Manager::name);
    return found == kManagers.end() ? nullptr : found;
}

}  // namespace core
