// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/wire.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "tests/framework/packed.hpp"

namespace wire {
namespace {

using Captures = std::map<std::string, std::string>;

constexpr const char* kOldest = "6.1";
constexpr const char* kNewest = "7.3";

bool newest = false;

/// By kernel series.
const std::map<std::string, Captures>& all_captures() {
    static const auto all = [] {
        std::map<std::string, Captures> found;
        for (const auto& file :
             std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/wire"))
            if (file.path().extension() == ".captures")
                found.emplace(file.path().stem(), packed::sections(file.path()));
        return found;
    }();
    return all;
}

const std::string* bytes_of(const std::string& series, const std::string& name) {
    const auto captures = all_captures().find(series);
    if (captures == all_captures().end()) return nullptr;
    const auto capture = captures->second.find(name);
    return capture == captures->second.end() ? nullptr : &capture->second;
}

}  // namespace

Newest::Newest() {
    newest = true;
}

Newest::~Newest() {
    newest = false;
}

bool any_kernel_has(const std::string& name) {
    return std::ranges::any_of(all_captures(),
                               [&](const auto& each) { return each.second.contains(name); });
}

std::vector<Message> messages(const std::string& name) {
    const auto slash = name.find('/');
    std::string series = slash == std::string::npos ? kOldest : name.substr(0, slash);
    if (newest) series = kNewest;
    const std::string* const bytes = bytes_of(series, name.substr(slash + 1));
    REQUIRE_MESSAGE(bytes != nullptr, "tests/wire/", series, ".captures has no [",
                    name.substr(slash + 1), "]");
    std::vector<Message> found;
    netlink::Bytes left = std::as_bytes(std::span(*bytes));
    while (const auto header = netlink::header_of<nlmsghdr>(left)) {
        if (header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > left.size()) break;
        const auto payload = left.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
        found.push_back({*header, {payload.begin(), payload.end()}});
        left = left.subspan(std::min(netlink::aligned(header->nlmsg_len), left.size()));
    }
    REQUIRE_MESSAGE(!found.empty(), "no message in capture " << name);
    return found;
}

std::vector<Message> messages(const std::string& name, int type) {
    std::vector<Message> found = messages(name);
    std::erase_if(found, [&](const Message& message) { return message.header.nlmsg_type != type; });
    REQUIRE_MESSAGE(!found.empty(), "no message of type " << type << " in " << name);
    return found;
}

}  // namespace wire
