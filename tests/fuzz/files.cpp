// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/boot/judge.hpp"
#include "core/boot/program.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/plan/saved_plan.hpp"
#include "core/plan/undo.hpp"
#include "core/probe/message.hpp"
#include "core/probe/payload.hpp"
#include "core/profile/accepted_findings.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"
#include "tests/fuzz/targets.hpp"

namespace fuzz {
namespace {

constexpr std::size_t kPorts = 2;  // a plan for more takes longer, and nothing else

std::string file(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(std::string(ROCECTL_SOURCE_DIR "/") + path).rdbuf();
    return text.str();
}

core::Source shipped(const std::string& name) {
    return {.name = name, .text = file("profiles/" + name + ".json")};
}

core::Source extended(const std::string& name, const std::string& /*from*/) {
    if (name == "roce-v2-lossless") return shipped(name);
    throw core::Error(core::Status::invalid_input, "no profile " + name);
}

/// Runs the work; a file that is not valid is reported so, and with no other status.
template <typename Work>
void where_valid(const Work& work) {
    try {
        work();
    } catch (const core::Error& error) {
        require(error.status() == core::Status::invalid_input, "a bad file is invalid input");
        require(!error.lines().empty(), "what is wrong is said");
    }
}

void plan(const core::Profile& profile, const core::State& state) {
    const core::DesiredState desired_values = core::resolve(profile, {}, state);
    static_cast<void>(core::undo_profile(core::make_plan(desired_values, state)));
}

void profile(Bytes bytes) {
    static const core::State host =
        core::parse_state(file("tests/states/mlx5_core.json"), "mlx5_core.json");
    where_valid([&] {
        const core::Source source{.name = "profile", .text = text_of(bytes)};
        plan(core::load_profile(source, extended), host);
    });
}

void variables(Bytes bytes) {
    static const core::Profile rails = core::load_profile(shipped("gpu-rail"), extended);
    where_valid([&] {
        const core::Source source{.name = "vars", .text = text_of(bytes)};
        core::check_variables(rails, core::load_variables(source));
    });
}

void accepted(Bytes bytes) {
    where_valid([&] {
        const core::Source source{.name = "accepted", .text = text_of(bytes)};
        for (const core::AcceptedFinding& one : core::load_accepted(source))
            require(one.row != nullptr && !one.reason.empty(), "what is read is whole");
    });
}

void state(Bytes bytes) {
    static const core::Profile lossless = core::load_profile({.name = "lossless", .text = R"({
            "format": 1, "name": "lossless", "extends": ["roce-v2-lossless"],
            "ports": [{ "match": { "name": "*" }, "mtu": 9000, "routes": [{ "to": "10.0.0.0/8", "via": "198.18.0.254" }],
                        "rules": [{ "from": "198.18.0.1", "table": 101 }] }] })"},
                                                             extended);
    for (const auto values : {core::Values::described, core::Values::observed})
        where_valid([&] {
            const core::State read = core::parse_state(text_of(bytes), "state", values);
            // What any command might say of it.
            require_kept(read);
            if (read.ports.size() <= kPorts) plan(lossless, read);
        });
}

void saved_plan(Bytes bytes) {
    where_valid([&] {
        const core::SavedPlan saved = core::parse_saved_plan(text_of(bytes), "plan");
        static_cast<void>(core::written(core::to_json(saved)));
        const core::Plan now = core::make_plan(saved.desired_values, saved.before);
        static_cast<void>(core::changed_since(saved, now));
    });
}

void journal(Bytes bytes) {
    where_valid([&] {
        const core::JournalEntry entry = core::parse_entry(text_of(bytes), "entry");
        static_cast<void>(core::state_text(entry));
        core::Undo undo = core::undo_of({entry});
        core::find_again(undo, {});
        const core::JournalEntry again =
            core::parse_entry(core::written(core::first_line(entry)) + '\n', "again");
        require(
            again.undo_profile.desired_values.size() == entry.undo_profile.desired_values.size(),
            "no desired value is lost");
        for (std::size_t i = 0; i < again.undo_profile.desired_values.size(); ++i)
            require(again.undo_profile.desired_values[i].value ==
                        entry.undo_profile.desired_values[i].value,
                    "nor its value");
    });
}

/// What the peer of a probe sends, in pieces as they may come; and what it would be as a call.
void peer(Bytes bytes) {
    const std::span piece(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          std::min(bytes.size(), core::probe::kCallBytes));
    if (const auto head = core::probe::head_in(piece))
        require(std::ranges::equal(core::probe::bytes_of(*head), piece), "a head is one form");
    std::string arrived;
    const std::string all = text_of(bytes);
    constexpr std::size_t kPiece = 61;
    try {
        for (std::size_t from = 0; from < all.size(); from += kPiece) {
            arrived += all.substr(from, kPiece);
            while (const auto frame = core::probe::take_frame(arrived)) {
                require(core::probe::bytes_of(*frame).size() == frame->bytes.size() + 36,
                        "a frame is as long as it says");
                const core::probe::Message message = core::probe::parse_message(frame->bytes);
                require(core::probe::parse_message(core::probe::bytes_of(message)) == message,
                        "a message is the same when it is sent on");
            }
            require(arrived.size() <= (std::size_t{64} << 10U) + 36 + kPiece,
                    "no more is kept than a message has");
        }
    } catch (const core::Error& error) {
        require(error.status() == core::Status::failed, "a peer's bytes are no file");
    }
}

/// One text as the files of every program that sets something at boot, and all that is asked of it.
void boot(Bytes bytes) {
    static const core::Profile rail = core::load_profile({.name = "rail", .text = R"({
            "format": 1, "name": "rail", "ports": [{ "match": { "name": "ens1f0" }, "mtu": 9000, "up": true,
            "addresses": ["198.18.0.1/31"], "ip": { "rp_filter": 0 } }],
            "host": { "sysctl": { "vm.swappiness": 1 }, "modules": ["rdma_ucm"] } })"},
                                                         extended);
    core::State host;
    host.ports.emplace_back("ens1f0").link = core::Link{.mac = "02:00:00:00:00:01"};
    core::BootFiles& files = host.ports.emplace_back(core::kHost).boot_files.emplace();
    for (const char* enabled : {"rocectl", "systemd-networkd", "NetworkManager", "networking"})
        files.push_back(
            {.file = std::string("/etc/systemd/system/a.wants/") + enabled + ".service"});
    for (const core::boot::Source& source : core::boot::sources())
        for (const char* name : {"rocectl", "interfaces"})
            for (core::BootLine& line : core::boot::kept_lines(
                     source,
                     std::string(source.folders.front()) + '/' + name + std::string(source.ending),
                     text_of(bytes)))
                files.push_back(std::move(line));
    const core::DesiredState desired_values = core::resolve(rail, {}, host);
    for (const core::Finding& finding :
         core::boot::after_boot(desired_values, host, {.names = {"rail"}}))
        require(!finding.text.empty(), "an answer has words");
    require_kept(host);
}

}  // namespace

std::vector<Target> of_files() {
    return {{"peer", peer}, {"profile", profile}, {"vars", variables},  {"accepted", accepted},
            {"boot", boot}, {"state", state},     {"plan", saved_plan}, {"journal", journal}};
}

}  // namespace fuzz
