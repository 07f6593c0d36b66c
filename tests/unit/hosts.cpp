// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hosts.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/model/object.hpp"
#include "core/model/shape.hpp"

namespace hosts {

using namespace core;

namespace {

/// As after a reset: bnxt turns all on when its driver is loaded (bnxt_re_setup_cc).
Ecn congestion(const std::string& interface) {
    Ecn out{.interface = interface};
    out.notify.emplace();
    for (std::size_t i = 0; i < kPriorities; ++i)
        out.notify->emplace(std::to_string(i), interface == "configfs");
    out.react = out.notify;
    if (interface == "configfs") out.marking = false;
    using enum Ecn::Number;
    const bool configfs = interface == "configfs";
    for (const auto number : {g, init_cr, init_tr, inact_th})
        if (configfs) out.numbers.at(number) = Ecn::Held{.value = 1};
    out.numbers.at(cnp_dscp) = Ecn::Held{.value = 48};
    out.numbers.at(cnp_priority) = Ecn::Held{.value = 7};
    for (std::size_t i = min_time_between_cnps; !configfs && i <= initial_alpha_value; ++i)
        out.numbers.at(i) = Ecn::Held{.value = 1};
    return out;
}

/// The least of each number that the driver has a file for.
Ecn by_algorithm(const FileBackEnd& back_end) {
    Port port("");
    port.ecn = Ecn{.interface = std::string(back_end.name)};
    for (const ValueFile& file : back_end.files)
        for (const ElementRange& range : file.ranges)
            set_element(port, *find_field(file.key), std::string(range.element),
                        std::uint64_t{range.min});
    return *port.ecn;
}

}  // namespace

Port port(const std::string& driver, const std::string& name) {
    Port port(name);
    port.device = Device{.driver = driver, .firmware = "1.0"};
    port.link = Link{.index = 2,
                     .mac = "02:00:00:00:00:01",
                     .pci = "0000:3b:00.0",
                     .up = true,
                     .carrier = true,
                     .mtu = 1500,
                     .mtu_min = 68,
                     .mtu_max = 9978};
    port.ipv4 =
        Ipv4{.arp_ignore = {}, .arp_announce = {}, .rp_filter = {.own = 2}, .accept_local = {}};
    port.ipv6 = Ipv6{};
    port.speed = 100000;
    port.link_modes = LinkModes{.autoneg = true,
                                .duplex = "full",
                                .offered = {{"25000baseCR/Full", true},
                                            {"50000baseCR2/Full", true},
                                            {"100000baseCR2/Full", true},
                                            {"100000baseCR4/Full", true}},
                                .fec = {"baser", "off", "rs"},
                                .can_negotiate = true};
    port.fec = Fec{.mode = driver == "hns3" ? "rs" : "auto", .active = "rs"};
    if (driver == "ice")
        port.private_flags = {{"fw-lldp-agent", false}, {"link-down-on-close", false}};
    if (driver == "mlx5_core")
        port.private_flags = {{"rx_cqe_compress", false}, {"rx_striding_rq", true}};
    port.features = Features{.active = {{"rx-checksum", true},
                                        {"rx-gro", true},
                                        {"tx-checksum-ip-generic", true},
                                        {"tx-lockless", false},
                                        {"tx-scatter-gather", true},
                                        {"tx-tcp-segmentation", true}},
                             .fixed = {"tx-lockless"},
                             .requested = {}};
    port.ring = Ring{.rx = 1024, .tx = 1024, .rx_max = 8192, .tx_max = 4096};
    port.channels = Channels{.combined = 8, .combined_max = 8};
    if (driver == "generic" || driver == "ice" || driver == "bnxt_en") {
        port.channels->rx = port.channels->tx = 0;
        port.channels->rx_max = port.channels->tx_max = 8;
    }
    const Coalescing every_packet{.adaptive = false, .cqe = true, .usecs = 16, .frames = 32};
    port.coalesce = Coalesce{.rx = every_packet, .tx = every_packet};
    if (driver == "ice") port.coalesce->rx = port.coalesce->tx = {.adaptive = false, .usecs = 50};
    const Driver& of = driver_named(driver);
    // Where PFC has the same flags, ones that are set are never written.
    if (!of.pause.absent)
        port.pause = Pause{.rx = of.pause.type_set_by.empty(), .tx = of.pause.type_set_by.empty()};
    const bool bnxt = driver == "bnxt_en";
    const bool ice = driver == "ice";
    port.dcbx =
        Dcbx{.bits = static_cast<std::uint8_t>(driver == "mlx5_core" ? Dcbx::cee | Dcbx::ieee
                                               : can_be_hosts(of)    ? Dcbx::host | Dcbx::ieee
                                                                     : of.dcbx.host)};
    port.ets = Ets{.capability = static_cast<std::uint8_t>(bnxt ? 3 : 8)};
    if (driver == "mlx5_core") {
        port.ets->algorithm.fill(Ets::vendor);
        port.ets->traffic_class = {1, 0, 2, 3, 4, 5, 6, 7};
    }
    if (ice || driver == "hns3" || bnxt) {  // of bnxt, as after somebody told it
        port.ets->algorithm = {Ets::shared};
        port.ets->bandwidth = {100};
    }
    if (driver == "mlx5_core" || driver == "generic") port.maxrate = MaxRate{};
    port.pfc = Pfc{.delay = static_cast<std::uint16_t>(driver == "mlx5_core" ? 7 : 0),
                   .capability = static_cast<std::uint8_t>(bnxt ? 1 : 8)};
    if (port.maxrate) port.storm_prevention = StormPrevention{.timeout = 8000};
    const Driver& row = driver_named(driver);
    if (row.buffer.checked)
        port.buffer = Buffer{.size = {131072, 131072}, .total = 524032};  // cells of 128
    port.app = App{};
    port.rewrite = Rewrite{};
    // Of ice as with the kernel's irdma, which has none of it.
    if (!row.ecn.back_ends.empty() && row.rdma_software.module != "irdma")
        port.ecn = congestion(std::string(row.ecn.back_ends.front().name));
    if (driver == "hns3") port.ecn = by_algorithm(row.ecn.back_ends.front());
    port.rdma_link = RdmaLink{};
    if (driver == "mlx5_core") port.devlink = EnableRoce{.on = true};
    if (bnxt) port.devlink = EnableRoce{.on = true, .mode = EnableRoce::Mode::permanent};
    if (ice) port.devlink = EnableRoce{.on = true, .mode = EnableRoce::Mode::runtime};
    if (!row.traffic_class.back_ends.empty()) port.traffic_class = TrafficClass{};
    port.vf = VirtualFunctions{.count = 2, .limit = 8, .node_guids = true};
    for (const std::uint32_t number : {0U, 1U}) {
        port.vf->functions[number] = made_function();
        port.vf->functions[number].node_guid = "00:00:00:00:00:00:00:00";
    }
    if (driver != "generic")
        port.pcie = Pcie{.read_request = 512, .payload = 256, .relaxed_ordering = true};
    port.interrupts = Interrupts{.local = {0, 1}, .affinity = {{40, {0}}, {41, {2, 3}}}};
    port.addresses = {Address{.ip = *parse_ip("198.18.0.1"), .prefix_length = 24},
                      Address{.ip = *parse_ip("2001:db8::1"), .prefix_length = 64}};
    port.routes.emplace();
    link::reopen(port);
    port.addresses = {Address{.ip = *parse_ip("198.18.0.1"), .prefix_length = 24},
                      Address{.ip = *parse_ip("2001:db8::1"), .prefix_length = 64}};
    const auto route = [&](const std::string& to, const std::string& via, std::uint32_t metric) {
        port.routes->push_back(
            Route{.to = *parse_prefix(to), .metric = metric, .via = parse_ip(via)});
    };
    route("10.0.0.0/8", "198.18.0.254", 0);
    route("2001:db8:1::/48", "2001:db8::fe", 1024);
    port.neighbours = {
        Neighbour{.ip = *parse_ip("198.18.0.254"), .mac = "02:00:00:00:00:fe", .state = "stale"}};
    return port;
}

VirtualFunction made_function(const std::string& mac) {
    return {.mac = mac,
            .vlan = 0,
            .qos = 0,
            .protocol = "802.1Q",
            .min_tx_rate = 0,
            .max_tx_rate = 0,
            .spoofchk = false,
            .trust = false,
            .state = "auto"};
}

Port whole_host() {
    const auto own = [](bool v6, std::uint32_t priority, std::uint32_t table) {
        return Rule{.v6 = v6, .priority = priority, .table = table, .protocol = 2};
    };
    Port host(kHost);
    host.modules = {"ib_core", "one"};
    host.rdma_system = "shared";
    host.hugepages = HugePages{{"default", 8}, {"1G", 0}, {"1G/node0", 0}};
    host.sysctl = Sysctl{{"net.core.rmem_max", "212992"},
                         {"net.ipv4.conf.all.arp_ignore", "0"},
                         {"vm.swappiness", "60"}};
    host.governor = Governors{{"policy0", "powersave"}, {"policy1", "schedutil"}};
    host.irqbalance = true;
    host.tuned = "balanced";
    host.memlock.emplace();
    host.nccl = Nccl{{"NCCL_DEBUG", "WARN"}};
    host.ucx.emplace();
    host.gpus = Gpus{
        .devices = {{.pci = "0000:18:00.0",
                     .above = "0000:17:01.0",
                     .id = "10de:2330",
                     .driver = "nvidia",
                     .model = "NVIDIA H100 80GB HBM3",
                     .numa_node = 0,
                     .iommu_group = 12,
                     .speed = "32.0 GT/s PCIe",
                     .width = 16,
                     .max_speed = "32.0 GT/s PCIe",
                     .max_width = 16,
                     .bar = 131072,
                     .instances = 0}},
        .bridges = {
            {.pci = "0000:17:01.0", .id = "1000:c030", .subsystem = "1000:0144", .acs = "off"}}};
    host.gpus->data_direct = {{.pci = "0000:18:00.1", .above = "0000:17:01.0", .iommu_group = 12}};
    host.gpu_direct =
        GpuDirect{.drivers = {{.name = "nvidia", .version = "580.95.05", .flavour = "open"}},
                  .peer_modules = {"nvidia_peermem"},
                  .peer_clients = {"nv_mem"},
                  .kernel_options = GpuDirect::Options{{"DMABUF_MOVE_NOTIFY", "n"},
                                                       {"DMA_SHARED_BUFFER", "y"},
                                                       {"HSA_AMD_P2P", "n"},
                                                       {"INFINIBAND_ON_DEMAND_PAGING", "y"},
                                                       {"PCI_P2PDMA", "y"}}};
    host.rules = {own(false, 0, 255),
                  own(false, 32766, 254),
                  own(false, 32767, 253),
                  own(true, 0, 255),
                  own(true, 32766, 254),
                  Rule{.from = parse_network("198.18.0.1"), .priority = 1000, .table = 101}};
    host.absent = {{Object::modules, {"rdma_ucm"}}, {Object::sysctl, {"net.no.such"}}};
    for (const Field& field : fields())
        if (row_of(field.object).read.by_name)
            for (const Value& sample : samples(field.shape))
                for (const std::string& key : sample_keys(field.shape))
                    host.absent[field.object].insert(
                        key.empty() ? identity(field.shape, canonical(field.shape, sample)) : key);
    return host;
}

State host(const std::string& driver) {
    return {.host = {.name = "node1", .kernel = "6.1.0"}, .ports = {port(driver)}};
}

Desired desired(const std::string& key, const Value& value, const std::string& element,
                const std::string& port) {
    const Field* field = find_field(key);
    if (field == nullptr) throw std::logic_error("no field " + key);
    Desired desired{.port = port, .field = field, .element = element, .value = value};
    if ((row_of(field->object).lives == Lives::host)) desired.port = kHost;
    if (field->shape.kind == Shape::Kind::items)
        desired.element = identity(field->shape, canonical(field->shape, value));
    desired.origin = {.file = "test.json", .line = 1};
    return desired;
}

Desired no_desired(const std::string& key, const std::string& element, const std::string& port) {
    const Field* field = find_field(key);
    if (field == nullptr) throw std::logic_error("no field " + key);
    return {.port = (row_of(field->object).lives == Lives::host) ? std::string(kHost) : port,
            .field = field,
            .element = element,
            .value = std::nullopt,
            .origin = {.file = "test.json", .line = 1}};
}

DesiredState desired_values(std::vector<Desired> some) {
    DesiredState all;
    all.ports = {"ens1f0"};
    all.desired_values = std::move(some);
    if (std::ranges::find(all.desired_values, kHost, &Desired::port) != all.desired_values.end())
        all.ports.emplace_back(kHost);
    return all;
}

Scope everything() {
    Scope scope;
    for (const ObjectRow* row : objects())
        scope.objects.insert(row->object);
    return scope;
}

State read_all(Kernel& kernel) {
    return kernel.read(everything());
}

Plan plan(Kernel& kernel, const DesiredState& desired_values) {
    return make_plan(desired_values, read_all(kernel));
}

Report apply(Kernel& kernel, const DesiredState& desired_values) {
    return core::apply(kernel, desired_values, plan(kernel, desired_values));
}

std::string difference(const State& left, const State& right) {
    std::string out;
    for (const Finding& finding : compare(left, right))
        out += finding.port + ": " + finding.key + ": " + finding.text + "; ";
    return out;
}

std::vector<Value> held(std::string_view key) {
    if (key == "maxrate")
        return {Numbers{0, 0, 0, 25'500'000, 100'000, 255'000'000, 0, 26'000'000}};
    if (key == "link.speed") return {std::uint64_t{25000}, std::uint64_t{100000}};
    if (key == "link.lanes") return {std::uint64_t{2}, std::uint64_t{4}};
    if (key.starts_with("coalesce.") && (key.ends_with("_usecs") || key.ends_with("_frames")))
        return {std::uint64_t{8}, std::uint64_t{64}};
    if (key == "vf.count") return {std::uint64_t{1}, std::uint64_t{4}};
    if (key == "vf.mac") return {std::string("02:00:00:00:00:0a")};
    if (key == "vf.node_guid") return {std::string("00:11:22:33:44:55:66:77")};
    if (key == "pfc.storm_prevention") return {std::string("80"), std::string("0100")};
    if (key == "buffer.of_priority") return {Numbers{0, 0, 0, 1, 0, 0, 0, 0}};
    if (key == "buffer.size")
        return {Numbers{65536, 65536, 131072, 0, 0, 0, 0, 128},
                Numbers{131200, 0, 0, 0, 0, 0, 0, 0}};
    return {};
}

DesiredState lossless(const std::string& driver) {
    const bool compact = driver_named(driver).ets.classes == Driver::Ets::Classes::compact;
    std::vector<Desired> some = {
        desired("dcbx.mode", std::string("host")),
        desired("mtu", std::uint64_t{9000}),
        desired("pause.rx", false),
        desired("pause.tx", false),
        desired("ets.traffic_class",
                compact ? Numbers{0, 0, 0, 1, 0, 0, 2, 0} : Numbers{0, 1, 2, 3, 4, 5, 6, 7}),
        desired("ets.algorithm",
                compact ? Words{"ets", "ets", "strict", "strict", "strict", "strict", "strict",
                                "strict"}
                        : Words{"ets", "ets", "ets", "ets", "ets", "ets", "strict", "ets"}),
        desired("ets.bandwidth",
                compact ? Numbers{50, 50, 0, 0, 0, 0, 0, 0} : Numbers{50, 0, 0, 50, 0, 0, 0, 0}),
        desired("pfc.priorities", Numbers{3}),
        desired("dscp.map", std::uint64_t{3}, "26"),
        desired("dscp.map", std::uint64_t{6}, "48"),
        desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}}),
        desired("rdma.default_mode", std::string("RoCE v2")),
        desired("rdma.default_tos", std::uint64_t{106}),
        desired("addresses", std::string("192.168.100.1/24")),
        desired("routes", Record{{"to", "172.16.0.0/12"},
                                 {"via", "192.168.100.254"},
                                 {"source", "192.168.100.1"}}),
    };
    if (driver_named(driver).app.trust == Driver::App::Trust::by_map)
        some.push_back(desired("dscp.trust", std::string("dscp")));
    if (driver == "mlx5_core") {
        some.push_back(desired("maxrate", Numbers{0, 0, 0, 0, 0, 0, 1'000'000, 0}));
        some.push_back(desired("ecn.notify", true, "3"));
        some.push_back(desired("ecn.react", true, "3"));
        some.push_back(desired("ecn.cnp_dscp", std::uint64_t{46}));
        some.push_back(desired("ecn.min_time_between_cnps", std::uint64_t{50}));
        some.push_back(desired("pfc.cable_length", std::uint64_t{30}));
        some.push_back(desired("pfc.storm_prevention", std::string("auto")));
        some.push_back(desired("buffer.of_priority", Numbers{0, 0, 0, 1, 0, 0, 0, 0}));
        some.push_back(desired("buffer.size", Numbers{65536, 196608, 0, 0, 0, 0, 0, 0}));
    }
    if (driver == "ice") some[5] = desired("ets.algorithm", Words(8, "ets"));
    const Driver& row = driver_named(driver);
    if (row.app.needs_dgram) some.push_back(desired("app.udp", std::uint64_t{3}, "4791"));
    std::erase_if(some, [&](const Desired& one) {
        const std::string_view key = one.field->key;
        const bool no_pause = row.pause.absent || !row.pause.type_set_by.empty();
        return (no_pause && key.starts_with("pause.")) ||
               (!row.app.no_dscp.empty() && key.starts_with("dscp.")) ||
               (!can_be_hosts(row) && key == "dcbx.mode");
    });
    return desired_values(std::move(some));
}

}  // namespace hosts
