// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/plan/plan.hpp"
#include "netlink/live.hpp"

/// A private user and network namespace of this process, with iproute2 as the witness in it.
namespace sandbox {

/// Leaves the host's network behind. Says why not where that cannot be done.
std::optional<std::string> enter();

/// Runs a shell command; fails the test unless it succeeds. Gives back what it printed.
std::string run(const std::string& command);
/// What `ip -j …` says.
nlohmann::json ip(const std::string& arguments);

/// Two connected veth ports, up, for as long as it lives.
struct Pair {
    explicit Pair(const std::string& name, const std::string& peer = "peer0");
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    ~Pair();
    std::string port;
};

/// The live host as rocectl composes it.
netlink::Live live();

core::Scope scope(const std::string& port, core::Objects objects);
/// One port with these objects; fails the test where there is none.
core::Port read(const std::string& port, core::Objects objects);

/// Writes one element of one setting, as a step of a plan does.
std::optional<core::Refusal> write(const std::string& port, const std::string& key,
                                   const std::optional<core::Value>& value,
                                   const std::string& element = {});
/// The same for an item of a collection, whose identity is taken from it.
std::optional<core::Refusal> write_item(const std::string& port, const std::string& key,
                                        const core::Value& item);

}  // namespace sandbox
