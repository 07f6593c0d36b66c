// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"
#include "core/model/object.hpp"
#include "core/model/shape.hpp"
#include "core/redact/redaction.hpp"
#include "core/redact/texts.hpp"
#include "tests/unit/hosts.hpp"

namespace redact_test {

using namespace core;

namespace {

constexpr std::uint64_t kSeed = 4711;

/// The hosts of tests/states, by name.
std::map<std::string, State> all_hosts() {
    std::map<std::string, State> out;
    for (const auto& file :
         std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/states")) {
        const std::string name = file.path().filename();
        out.emplace(name, parse_state(cli::read_file(file.path()), name));
    }
    return out;
}

std::set<std::string> words(const std::string& text, const char* expression) {
    const std::regex form(expression);
    std::set<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        out.insert(at->str());
    return out;
}

constexpr const char* kMac = "\\b([0-9a-f]{2}:){5}[0-9a-f]{2}\\b";
constexpr const char* kIpv4 = "\\b([0-9]{1,3}\\.){3}[0-9]{1,3}\\b(?!/(8|12|16)\\b)";
constexpr const char* kGid = "\\b([0-9a-f]{4}:){7}[0-9a-f]{4}\\b";
constexpr const char* kIpv6 = "\\b(fe80|fd[0-9a-f]{2}|2[0-9a-f]{3}):[0-9a-f:]+";

/// What may tell whose host it is. Independent of how it is found there.
std::set<std::string> tells(State state) {
    for (Port& port : state.ports)
        if (port.device) port.device->firmware.clear();
    const std::string text = to_json(state).dump();
    std::set<std::string> out;
    for (const char* form : {kMac, kIpv4, kGid, kIpv6})
        out.merge(words(text, form));
    std::erase_if(out, [](const std::string& one) {
        const auto ip = parse_ip(one);
        return (ip && (is_common(*ip) || one == "fe80::")) || one == "00:00:00:00:00:00" ||
               one == "ff:ff:ff:ff:ff:ff";
    });
    for (const Port& port : state.ports) {
        if (port.name != kHost && port.name != "lo") out.insert(port.name);
        if (port.rdma_link && !port.rdma_link->device.empty()) out.insert(port.rdma_link->device);
    }
    if (!state.host.name.empty()) out.insert(state.host.name);
    return out;
}

bool stands_in(const std::string& word, const std::string& text) {
    const auto is_of_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_of_word(text[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == text.size() || !is_of_word(text[end]))) return true;
    }
    return false;
}

/// A host with all that can tell of it, where nothing looks for it too.
State talkative() {
    State state = all_hosts().at("mlx5_core.json");
    state.host.name = "node17.example.org";
    Port& port = state.ports.front();
    port.refused[Object::fec] = {.code = 5, .text = "node17: ens1f0np0 (b8:59:9F:00:00:01) failed"};
    port.owners = {{"NetworkManager", "/etc/NetworkManager/system-connections/jane.nmconnection"},
                   {"udev rule", "/home/jane/nets/ens1f0np0.rules"}};
    Port host{kHost};
    host.kernel_log = {
        {1, "module", "mlx5_core 0000:5e:00.0 ens1f0np0: peer:10.66.7.8:4791, 10.66.7.8."},
        {2, "module", "via:fd00:1::7, gid fe80::ba59:9fff:fe00:1 at node17"},
        {3, "module", "Serial Number: MT2233X01234, S/N=MT2233X01234; guid b859:9f03:0000:0001"},
        {4, "module", "peer 0000:0000:0000:0000:0000:ffff:0a42:0708 at B8-59-9F-00-00-01"}};
    host.environments = {{7, "app", "NCCL_IB_HCA", "=mlx5_0:1,mlx5_1:1"},
                         {8, "app", "NCCL_IB_HCA", "^mlx5"},
                         {9, "app", "UCX_NET_DEVICES", "mlx5_0:1"}};
    host.sysctl.emplace();
    host.sysctl->emplace("net.ipv4.conf.ens1f0np0.arp_ignore", "1");
    state.ports.push_back(std::move(host));
    return state;
}

}  // namespace

TEST_CASE("law: a state in which nothing is replaced is the same state") {
    for (const auto& [name, state] : all_hosts()) {
        CAPTURE(name);
        const State same =
            with_texts(state, [](std::string_view text, TextOf) { return std::string(text); });
        CHECK(to_json(same).dump() == to_json(state).dump());
    }
    const State state = talkative();
    CHECK(to_json(with_texts(state, [](std::string_view text, TextOf) {
              return std::string(text);
          })).dump() == to_json(state).dump());
}

TEST_CASE("law: nothing that tells whose host it is stands in a snapshot that is redacted") {
    auto hosts = all_hosts();
    hosts.emplace("talkative", talkative());
    for (const auto& [name, state] : hosts) {
        CAPTURE(name);
        const State other = Redaction(state, kSeed).state();
        const std::string text = to_json(other).dump();
        for (const std::string& word : tells(state))
            CHECK_MESSAGE(!stands_in(word, text), word);
        // It is a state as before, and the same seed makes the same.
        const State read = parse_state(text, name, Values::observed);
        CHECK(to_json(read).dump() == text);
        CHECK(to_json(Redaction(state, kSeed).state()).dump() == text);
        CHECK(other.ports.size() == state.ports.size());
    }
}

TEST_CASE("law: what a field says is the name of a port or RDMA device has another one") {
    const std::string canary = "acme7vpn";
    std::size_t named = 0;
    const auto check = [&](const Field& field, const Elements& elements) {
        INFO(field.key);
        State state{.ports = {Port("ens1f0"), Port(kHost)}};
        const bool of_host = row_of(field.object).lives == Lives::host;
        Port& port = state.ports[of_host ? 1 : 0];
        field.set(port, elements);
        REQUIRE(to_json(state).dump().find(canary) != std::string::npos);
        CHECK(to_json(Redaction(state, kSeed).state()).dump().find(canary) == std::string::npos);
        ++named;
    };
    for (const Field& field : fields()) {
        if (field.shape.names != Shape::Names::nothing)
            check(field, {{is_collection(field.shape) ? canary : "", Value(canary)}});
        for (const RecordPart& part : field.shape.parts) {
            if (part.shape.names == Shape::Names::nothing) continue;
            auto record = std::get<Record>(samples(field.shape).front());
            record[std::string(part.name)] = canary;
            check(field, {{is_collection(field.shape) ? "one" : "", Value(record)}});
        }
    }
    CHECK(named > 8);
}

TEST_CASE("redact: lines, paths, variables and refusals tell nothing, and fit each other") {
    const State state = talkative();
    const Redaction redaction(state, kSeed);
    const State other = redaction.state();
    const std::string text = to_json(other).dump();
    for (const char* word : {"node17", "jane", "MT2233X01234", "b859:9f03", "10.66.7.8",
                             "fd00:1::7", "0a42:0708", "B8-59-9F-00-00-01", "ens1f0np0", "mlx5_0"})
        CHECK_MESSAGE(text.find(word) == std::string::npos, word);
    const Port& host = other.ports.back();
    const std::string port = other.ports.front().name;
    const std::string device = other.ports.front().rdma_link->device;
    CHECK(port == redaction.text("ens1f0np0"));
    CHECK((*host.kernel_log)[0].text.starts_with("mlx5_core 0000:5e:00.0 " + port + ": peer:10."));
    CHECK(host.sysctl->contains("net.ipv4.conf." + port + ".arp_ignore"));
    CHECK((*host.environments)[0].value.starts_with("=" + device + ":1,"));
    CHECK((*host.environments)[1].value == "^" + device.substr(0, device.size() - 1));
    CHECK((*host.environments)[2].value == device + ":1");
    CHECK(other.ports.front().owners->at("NetworkManager").ends_with(".nmconnection"));
    // The GID of an address is the other address's.
    const std::string ip = redaction.text("10.66.7.8");
    const auto bytes = parse_ip(ip).value().bytes;
    char gid[10];
    std::snprintf(gid, sizeof gid, "%02x%02x:%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
    CHECK((*host.kernel_log)[3].text.find("ffff:" + std::string(gid)) != std::string::npos);
    // A link-local address that is made of the hardware address is made of the other one.
    const std::string mac = redaction.text("b8:59:9f:00:00:01");
    const std::string local = redaction.text("fe80::ba59:9fff:fe00:1");
    const auto low = parse_ip(local).value().bytes;
    std::snprintf(gid, sizeof gid, "%02x:%02x:%02x", low[8] ^ 2U, low[9], low[10]);
    CHECK(mac.starts_with(gid));
}

TEST_CASE("law: other addresses are in the networks of which they were, and in no others") {
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        NewAddresses addresses;
        std::vector<Prefix> networks;
        std::vector<Ip> ips;
        for (int i = 0; i < 12; ++i) {
            Prefix one;
            const bool v6 = i % 3 == 0;
            one.ip.v6 = v6;
            for (std::size_t b = 0; b < (v6 ? 16U : 4U); ++b)
                one.ip.bytes.at(b) = static_cast<std::uint8_t>(random() % 4);
            one.ip.bytes[0] = v6 ? 0x20 : i % 2 == 0 ? 10 : 203;
            one.length = static_cast<std::uint8_t>((v6 ? 32 : 9) + random() % (v6 ? 90 : 23));
            networks.push_back(network(one));
            ips.push_back(one.ip);
            ips.push_back(networks.back().ip);
            addresses.meet(networks.back());
            addresses.meet(one.ip);
        }
        addresses.choose_networks(random);
        addresses.choose_addresses(random);
        std::set<Ip> others;
        for (const Ip& ip : std::set<Ip>(ips.begin(), ips.end())) {
            CHECK(others.insert(addresses.of(ip)).second);
            CHECK(addresses.of(ip).v6 == ip.v6);
            for (const Prefix& net : networks) {
                const std::string said = text(ip) + " in " + text(net) + " became " +
                                         text(addresses.of(ip)) + " in " + text(addresses.of(net));
                CAPTURE(said);
                CHECK(contains(net, ip) == contains(addresses.of(net), addresses.of(ip)));
            }
        }
        for (const Prefix& net : networks) {
            CHECK(addresses.of(net).length == net.length);
            CHECK(network(addresses.of(net)) == addresses.of(net));
        }
    }
}

TEST_CASE("snapshot --redact: a snapshot of another host, which is taken by --state") {
    std::ostringstream out;
    cli::Options options;
    options.state = ROCECTL_SOURCE_DIR "/tests/states/gpu-rail.json";
    options.redact = true;
    cli::Session session{.command = "snapshot",
                         .options = options,
                         .style = {},
                         .out = out,
                         .live = nullptr,
                         .ask = nullptr,
                         .missing_privilege = nullptr};
    REQUIRE(cli::snapshot(session) == Status::done);
    const State state = parse_state(out.str(), "redacted");
    CHECK(fabric_ports(state, nullptr).size() == 8);
    CHECK(out.str().find("enp26s0np0") == std::string::npos);
}

}  // namespace redact_test
