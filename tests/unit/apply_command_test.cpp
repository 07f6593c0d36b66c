// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <sstream>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "core/json/json.hpp"
#include "core/plan/state_file.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/pass_through.hpp"

namespace apply_command_test {

namespace {

using core::Object;
using core::StateFile;
using core::Status;

const std::string kRoot = ROCECTL_SOURCE_DIR;

struct Run {
    Status status = Status::done;
    std::string text;
    core::State after;
};

/// What happens before a write reaches the host: a no of its own, or nothing.
using Before = std::function<std::optional<core::Refusal>(const core::Step&)>;

cli::Options options() {
    static const OwnRoot root;  // journal and lock of the host are not the test's
    cli::Options options;
    options.root = root.path();
    options.operands = {kRoot + "/profiles/db-cluster.json"};
    options.set = {{"nic", "ens1f0np0"},
                   {"address", "192.168.100.1"},
                   {"network", "192.168.100.0"},
                   {"length", "24"}};
    options.yes = true;
    return options;
}

core::State mlx5() {
    const std::string file = kRoot + "/tests/states/mlx5_core.json";
    return core::parse_state(cli::read_file(file), file);
}

cli::Session session_on(StateFile& host, std::ostream& out, const cli::Options& options,
                        const Before& before = {}) {
    return {.command = "apply",
            .options = options,
            .style = {},
            .out = out,
            .live = [&host, before](const netlink::Root&) -> std::unique_ptr<core::Kernel> {
                return std::make_unique<hosts::PassThrough>(host,
                                                            hosts::Hooks{.before_write = before});
            },
            .ask = nullptr,
            .missing_privilege = [] { return std::string(); }};
}

Run apply(StateFile& host, const cli::Options& options, const Before& before = {}) {
    std::ostringstream out;
    cli::Session session = session_on(host, out, options, before);
    const Status status = cli::apply(session);
    return {status, out.str(), host.state()};
}

core::Refusal no() {
    return {.code = 95, .text = "Operation not supported"};
}

}  // namespace

TEST_CASE("apply command: 0 on a host that takes every write, and nothing the second time") {
    StateFile host(mlx5());
    const Run first = apply(host, options());
    CHECK(first.status == Status::done);
    CHECK(first.text.find("applied and verified") != std::string::npos);
    const unsigned writes = host.writes();
    const Run second = apply(host, options());
    CHECK(second.status == Status::done);
    CHECK(
        second.text.ends_with("\nnothing changed; 82 of 85 values match, 3 optional not "
                              "held\n"));
    CHECK(host.writes() == writes);
}

TEST_CASE(
    "apply command: of eight rails the one whose write is refused is named, and what was said") {
    const std::string file = kRoot + "/tests/states/gpu-rail.json";
    StateFile host(core::parse_state(cli::read_file(file), file));
    cli::Options rails = options();
    rails.operands = {kRoot + "/profiles/gpu-rail.json"};
    rails.vars = kRoot + "/tests/vars/gpu-rail.json";
    rails.set.clear();
    const auto refuse_one = [](const core::Step& step) -> std::optional<core::Refusal> {
        if (step.port != "enp156s0np0" || step.object != Object::pfc) return std::nullopt;
        return no();
    };
    const Run run = apply(host, rails, refuse_one);
    CHECK(run.status == Status::brought_back);
    const std::string said =
        "failed: enp156s0np0: pfc: Operation not supported (95) while setting pfc.priorities to "
        "[3]\n";
    const std::size_t at = run.text.find(said);
    REQUIRE(at != std::string::npos);
    CHECK(std::ranges::count(run.text.substr(at), '\n') <= 8);
    CHECK(run.text.ends_with("brought back: every setting reads as before\n"));
}

TEST_CASE("apply command: 3 and the host as it was where a write is refused") {
    for (const Object object : {Object::link, Object::pause, Object::ets, Object::pfc, Object::app,
                                Object::cm_defaults, Object::addresses}) {
        CAPTURE(core::row_of(object).name);
        StateFile host(mlx5());
        host.refuse(object, no());
        const Run run = apply(host, options());
        CAPTURE(run.text);
        CHECK(run.status == Status::brought_back);
        CHECK(run.text.find("Operation not supported (95)") != std::string::npos);
        CHECK(run.text.find("brought back") != std::string::npos);
        CHECK(core::compare(mlx5(), run.after).empty());
    }
}

TEST_CASE("apply command: 3 and no claim of success where a write lies") {
    StateFile host(mlx5());
    host.lie(Object::pfc);
    const Run run = apply(host, options());
    CAPTURE(run.text);
    CHECK(run.status == Status::brought_back);
    CHECK(run.text.find("applied and verified") == std::string::npos);
    CHECK(core::compare(mlx5(), run.after).empty());
}

TEST_CASE("apply command: 4 and what is left where the way back is refused too") {
    StateFile host(mlx5());
    bool back = false;
    const Run run =
        apply(host, options(), [&](const core::Step& step) -> std::optional<core::Refusal> {
            if (step.object == Object::pfc) back = true;
            if (back && (step.object == Object::pfc || step.object == Object::link)) return no();
            return std::nullopt;
        });
    CAPTURE(run.text);
    CHECK(run.status == Status::left_changed);
    CHECK(run.text.find("brought back") == std::string::npos);
    CHECK(run.text.find("is to be set right by hand") != std::string::npos);
    CHECK(run.text.find("ens1f0np0: mtu: was 1500, is 9000") != std::string::npos);
}

TEST_CASE("apply command: what nobody desired and nobody foresaw is reported, and is no failure") {
    StateFile host(mlx5());
    const Run run =
        apply(host, options(), [&host](const core::Step& step) -> std::optional<core::Refusal> {
            if (step.object != Object::pfc) return std::nullopt;
            return host.write({.port = step.port,
                               .object = Object::pfc,
                               .changes = {{.field = core::find_field("pfc.cable_length"),
                                            .before = core::Value(std::uint64_t{7}),
                                            .after = core::Value(std::uint64_t{9})}}});
        });
    CHECK(run.status == Status::done);
    const std::size_t end = run.text.find("note: ens1f0np0: pfc.cable_length: was 7, is 9\n");
    CAPTURE(run.text);
    REQUIRE(end != std::string::npos);
    CHECK(run.text.find("\napplied and verified: ", end) != std::string::npos);
    CHECK(
        run.text.ends_with("; 82 of 85 values match, 3 optional not held; not "
                           "foreseen is what stands above\n"));
    CHECK(run.text.find("failure") == std::string::npos);
}

TEST_CASE("apply command: SIGTERM in the middle brings the host back") {
    StateFile host(mlx5());
    unsigned writes = 0;
    const Run run = apply(host, options(), [&](const core::Step&) -> std::optional<core::Refusal> {
        if (++writes == 3) REQUIRE(std::raise(SIGTERM) == 0);
        return std::nullopt;
    });
    CHECK(run.status == Status::brought_back);
    CHECK(run.text.find("interrupted") != std::string::npos);
    CHECK(core::compare(mlx5(), run.after).empty());
}

TEST_CASE("apply command: a person who says no changes nothing") {
    StateFile host(mlx5());
    cli::Options asking = options();
    asking.yes = false;
    std::ostringstream out;
    std::string question;
    cli::Session session = session_on(host, out, asking);
    session.ask = [&question](const std::string& asked) {
        question = asked;
        return false;
    };
    CHECK(cli::apply(session) == Status::failed);
    CHECK(question == "Apply? [y/N] ");
    CHECK(host.writes() == 0);
}

TEST_CASE("apply command: 77 names what is missing, and only where there is something to write") {
    StateFile host(mlx5());
    std::ostringstream out;
    cli::Session session = session_on(host, out, options());
    session.missing_privilege = [] { return std::string("CAP_NET_ADMIN is missing"); };
    const auto status = [&session] {
        try {
            return cli::apply(session);
        } catch (const core::Error& error) {
            return error.status();
        }
    };
    CHECK(status() == Status::no_permission);
    CHECK(host.writes() == 0);
    session.missing_privilege = [] { return std::string(); };
    CHECK(status() == Status::done);
    session.missing_privilege = [] { return std::string("CAP_NET_ADMIN is missing"); };
    CHECK(status() == Status::done);
}

}  // namespace apply_command_test
