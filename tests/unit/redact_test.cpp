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

/// In small letters.
std::string small(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string capitals(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string without(std::string text, const char* signs) {
    std::erase_if(
        text, [&](char c) { return std::string_view(signs).find(c) != std::string_view::npos; });
    return text;
}

std::string other_sign(std::string text, char from, char to) {
    std::ranges::replace(text, from, to);
    return text;
}

/// So many digits, then the sign, and again.
std::string in_groups(const std::string& digits, std::size_t size, const char* sign) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i += size)
        out += (i == 0 ? "" : sign) + digits.substr(i, size);
    return out;
}

/// The digits as switches, kernels, firmware and people write them.
std::vector<std::string> forms_of(const std::string& digits) {
    std::vector<std::string> out = {digits};
    for (const char* sign : {":", "-", ".", "_", " "})
        out.push_back(in_groups(digits, 2, sign));
    for (const char* sign : {":", "-", "."})
        out.push_back(in_groups(digits, 4, sign));
    out.push_back(in_groups(digits, 6, "-"));
    return out;
}

/// A MAC address, and what is made of it: EUI-64, interface identifier, serial number of a PCI
/// device, GUID.
std::vector<std::string> spellings_of_mac(const std::string& mac) {
    const std::string digits = without(mac, ":");
    const std::string high = digits.substr(0, 6);
    const std::string low = digits.substr(6);
    std::string turned = high;
    turned[1] = "0123456789abcdef"[std::stoul(turned.substr(1, 1), nullptr, 16) ^ 2U];
    std::vector<std::string> out = forms_of(digits);
    for (const char* between : {"fffe", "ffff", "0300", "0003"})
        for (const std::string& first : {high, turned})
            for (std::string& one : forms_of(first + between + low))
                out.push_back(std::move(one));
    return out;
}

std::string hex_of(const Ip& ip) {
    std::string out;
    for (std::size_t i = 0; i < (ip.v6 ? 16U : 4U); ++i) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", ip.bytes.at(i));
        out += two;
    }
    return out;
}

std::vector<std::string> spellings_of_ip(const Ip& ip) {
    const std::string shown = text(ip);
    if (!ip.v6)
        return {shown, other_sign(shown, '.', '-'), other_sign(shown, '.', '_'), hex_of(ip)};
    return {shown, in_groups(hex_of(ip), 4, ":"), other_sign(shown, ':', '-'), hex_of(ip)};
}

/// What tells of a host, each with all its spellings, found by other means than redaction has.
struct Identities {
    std::set<std::string> anywhere{};  ///< stands in no word either
    std::set<std::string> tails{};     ///< stand nowhere by themselves
};

Identities identities(const State& state) {
    Identities out;
    const std::string all = small(to_json(state).dump());
    for (const std::string& mac : words(all, kMac)) {
        const std::string digits = without(mac, ":");
        if (digits.find_first_not_of('0') == std::string::npos ||
            digits.find_first_not_of('f') == std::string::npos || mac.starts_with("01:00:5e") ||
            mac.starts_with("33:33") || mac.starts_with("01:80:c2"))
            continue;
        for (std::string& one : spellings_of_mac(mac))
            out.anywhere.insert(std::move(one));
        out.tails.insert({digits.substr(6), mac.substr(9), other_sign(mac.substr(9), ':', '-')});
    }
    for (const std::string& word : tells(state))
        if (const auto ip = parse_ip(word); ip && !is_common(*ip) && !mapped_in(*ip))
            for (std::string& one : spellings_of_ip(*ip))
                out.tails.insert(std::move(one));
    if (!state.host.name.empty()) {
        const std::string name = small(state.host.name);
        const std::size_t dot = name.find('.');
        for (const std::string& one : {name, name.substr(0, dot), name.substr(dot + 1)}) {
            out.anywhere.insert(one);
            out.anywhere.insert(other_sign(one, '.', '-'));
        }
    }
    return out;
}

/// Whether it stands there and is no part of a longer number.
bool stands_alone(const std::string& word, const std::string& text) {
    const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    const char* signs = ":-._";
    const auto joined = [&](char sign, char beyond) {
        return is_hex(sign) ||
               (std::string_view(signs).find(sign) != std::string_view::npos && is_hex(beyond));
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool before = at > 1 && joined(text[at - 1], text[at - 2]);
        const bool behind = end + 1 < text.size() && joined(text[end], text[end + 1]);
        if (!before && !behind) return true;
    }
    return false;
}

/// The host with lines in which all that tells of it stands in all its spellings.
State told(State state) {
    if (find_port(state, kHost) == nullptr) state.ports.emplace_back(kHost);
    if (state.host.name.empty()) state.host.name = "gpu-17.Rail.example.org";
    auto& log = find_port(state, kHost)->kernel_log.emplace();
    std::uint64_t line = 0;
    const auto say = [&](const std::string& text) { log.push_back({++line, "module", text}); };
    say("S/N: MT2233X01234");
    say("board MT2233X01234, mt2233x01234 and xMT2233X01234y");
    const Identities found = identities(state);
    for (const auto* list : {&found.anywhere, &found.tails})
        for (const std::string& one : *list) {
            say("peer " + one + " is gone");
            say("peer_" + capitals(one) + ", (" + one + ")");
        }
    for (const std::string& one : found.anywhere)
        say("nodex" + one + "x is gone");
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

TEST_CASE("law: no spelling of what tells whose host it is stands in a snapshot that is redacted") {
    auto hosts = all_hosts();
    hosts.emplace("talkative", talkative());
    State numbered = talkative();
    numbered.host.name = "ip-10-66-7-9.ec2.internal";
    hosts.emplace("numbered", numbered);
    for (const auto& [name, state] : hosts) {
        CAPTURE(name);
        const State now = told(state);
        const std::string text = small(to_json(Redaction(now, kSeed).state()).dump());
        const Identities found = identities(now);
        CHECK(found.anywhere.size() > 50);
        for (const std::string& one : found.anywhere)
            CHECK_MESSAGE(text.find(one) == std::string::npos, one);
        for (const std::string& one : found.tails)
            CHECK_MESSAGE(!stands_alone(one, text), one);
        CHECK(text.find("mt2233x01234") == std::string::npos);
    }
}

TEST_CASE("redact: what says nothing of a host stays as it is, letter by letter") {
    State state = talkative();
    Port& port = state.ports.front();
    port.device->firmware = "10.66.7.8 (MT_0000000359)";
    find_port(state, kHost)->sysctl->emplace("net.core.rmem_max", "212992");
    port.link->mac = "b8:59:9f:21:29:92";
    const Redaction redaction(state, kSeed);
    for (const char* line :
         {"mlx5_core 0000:5e:00.0: firmware version: 22.36.1010", "Linux 6.12.0-1-amd64 #1 SMP",
          "4096 87380 6291456", "[    0.000001] at 2026-11-29T10:00:01Z", "212992",
          "127.0.0.1, 255.255.255.255, ::1, ff02::1, 01:00:5e:00:00:01, 00:00:00:00:00:00",
          "driver 5.8.2.1.8, 16 of 63, 0xdeadbeef, 100000 packets", "/sys/class/net",
          "decade by decade, face to face", "0-3,8-11",
          "/var/log/pods/*_nic-configuration-daemon-*"})
        CHECK(redaction.text(line) == line);
    const State other = redaction.state();
    CHECK(other.ports.front().device->firmware == port.device->firmware);
    CHECK(find_port(other, kHost)->sysctl->at("net.core.rmem_max") == "212992");
    // A name that may be any word is replaced where it is one.
    for (const char* name : {"core", "active", "ice", "a"}) {
        state.host.name = name;
        const Redaction any(state, kSeed);
        CHECK(any.text("net/core is active on ice and a") !=
              std::string("net/core is active on ice and a"));
        CHECK(any.text("mlx5corex, inactively, nicely") == "mlx5corex, inactively, nicely");
        CHECK(any.state().ports.front().rdma_port == other.ports.front().rdma_port);
    }
}

namespace {

/// A host with so many addresses of one network of 4096, and as many routes, neighbours, and lines.
State large(std::size_t count) {
    State state = talkative();
    state.host.name = "gpu17.example.org";
    Port& port = state.ports.front();
    port.addresses.emplace();
    port.routes.emplace();
    port.neighbours.emplace();
    std::string line = "routes:";
    for (std::size_t i = 1; i <= count; ++i) {
        const std::string low = std::to_string(i / 250 % 250) + '.' + std::to_string(i % 250);
        const Ip ip =
            parse_ip("10.64." + std::to_string(i / 256 % 16) + '.' + std::to_string(i % 256))
                .value();
        port.addresses->push_back({.ip = ip, .prefix_length = 20});
        port.routes->push_back({.to = parse_prefix("11." + low + ".0/24").value(), .via = ip});
        char mac[18];
        std::snprintf(mac, sizeof mac, "02:00:00:%02x:%02x:%02x", static_cast<unsigned>(i >> 16U),
                      static_cast<unsigned>(i >> 8U & 0xFFU), static_cast<unsigned>(i & 0xFFU));
        port.neighbours->push_back({.ip = ip, .mac = mac});
        line += " 11." + low + ".0/24";
    }
    find_port(state, kHost)->kernel_log->push_back({9, "module", line});
    return state;
}

std::uint64_t steps_of(std::size_t count) {
    const State state = large(count);
    const Redaction redaction(state, kSeed);
    const State other = redaction.state();
    CHECK(other.ports.front().routes->size() == count);
    std::set<Ip> ips;
    for (const Address& address : *other.ports.front().addresses)
        ips.insert(address.ip);
    CHECK(ips.size() == count);
    return redaction.steps();
}

}  // namespace

TEST_CASE("law: four times the addresses, routes and lines take at most five times the steps") {
    constexpr std::size_t few = 750;
    const std::uint64_t once = steps_of(few);
    const std::uint64_t four_times = steps_of(4 * few);
    INFO(once << " and " << four_times);
    CHECK(four_times <= 5 * once);
    CHECK(once < few * 2000);
}

TEST_CASE("redact: a whole block of MACs finds another one, however many tails are met") {
    constexpr unsigned heads = 0x10000;
    constexpr unsigned octets = 0x100;
    constexpr unsigned octet = 8;
    std::string macs;
    const auto meet = [&macs](const char* vendor, unsigned rest) {
        char mac[19];
        std::snprintf(mac, sizeof mac, "%s:%02x:%02x:%02x ", vendor, rest >> 16U,
                      rest >> octet & 0xFFU, rest & 0xFFU);
        macs += mac;
    };
    for (unsigned head = 0; head < heads; ++head)
        meet("10:70:fd", (head << octet) + 7);
    for (unsigned last = 0; last < octets; ++last)
        meet("b8:59:9f", 0x654300 + last);
    State state{.ports = {Port(kHost)}};
    state.ports.front().kernel_log.emplace().push_back({9, "module", macs});
    const Redaction redaction(state, kSeed);
    const std::string first = redaction.text("b8:59:9f:65:43:00");
    const std::string last = redaction.text("b8:59:9f:65:43:ff");
    CHECK(last != "b8:59:9f:65:43:ff");
    CHECK(first.substr(0, 14) == last.substr(0, 14));
    CHECK(first.ends_with(":00"));
    CHECK(last.ends_with(":ff"));
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
