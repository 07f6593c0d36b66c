// SPDX-License-Identifier: Apache-2.0
#include "tests/netns/sandbox.hpp"

#include "cli/run/codecs.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace sandbox {
namespace {

bool put(const char* path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    return static_cast<bool>(file.flush());
}

}  // namespace

std::optional<std::string> enter() {
    const std::string user = std::to_string(geteuid());
    const std::string group = std::to_string(getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return std::string("no user and network namespace: ") + std::strerror(errno);
    const bool mapped = put("/proc/self/setgroups", "deny") &&
                        put("/proc/self/uid_map", "0 " + user + " 1") &&
                        put("/proc/self/gid_map", "0 " + group + " 1");
    if (!mapped) return "no root in the user namespace";
    if (std::system("ip link set dev lo up") != 0) return "no ip(8)";
    if (std::system("ip link add probe0 type veth peer name probe1 2>/dev/null") != 0)
        return "no veth in this kernel";
    if (std::system("ip link delete dev probe0") != 0) return "veth cannot be removed";
    return std::nullopt;
}

std::string run(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t length = 0; (length = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        output.append(buffer.data(), length);
    REQUIRE_MESSAGE(pclose(pipe) == 0, command << "\n" << output);
    return output;
}

nlohmann::json ip(const std::string& arguments) {
    const std::string output = run("ip -j " + arguments);
    return output.empty() ? nlohmann::json::array() : nlohmann::json::parse(output);
}

Pair::Pair(const std::string& name, const std::string& peer) : port(name) {
    run("ip link add " + name + " type veth peer name " + peer);
    run("ip link set dev " + peer + " up");
    run("ip link set dev " + name + " up");
}

// Not run(): a failed check in a destructor would end the process.
Pair::~Pair() {
    static_cast<void>(!std::system(("ip link delete dev " + port).c_str()));
}

netlink::Live live() {
    return {"/", cli::codecs()};
}

core::Scope scope(const std::string& port, core::Objects objects) {
    return {.ports = {{port}}, .objects = std::move(objects)};
}

core::Port read(const std::string& port, core::Objects objects) {
    netlink::Live host = live();
    const core::State state = host.read(scope(port, std::move(objects)));
    REQUIRE(state.ports.size() == 1);
    return state.ports.front();
}

std::optional<core::Refusal> write(const std::string& port, const std::string& key,
                                   const std::optional<core::Value>& value,
                                   const std::string& element) {
    core::Change change;
    change.field = core::find_field(key);
    REQUIRE(change.field != nullptr);
    change.element = element;
    change.after = value;
    core::Step step;
    step.port = port;
    step.object = change.field->object;
    step.changes = {change};
    netlink::Live host = live();
    return host.write(step);
}

std::optional<core::Refusal> write_item(const std::string& port, const std::string& key,
                                        const core::Value& item) {
    const core::Field* field = core::find_field(key);
    REQUIRE(field != nullptr);
    return write(port, key, item,
                 core::identity(field->shape, core::canonical(field->shape, item)));
}

}  // namespace sandbox
