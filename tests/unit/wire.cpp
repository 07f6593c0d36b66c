// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/wire.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace wire {
namespace {

std::byte byte_of(const std::string& digits) {
    return static_cast<std::byte>(std::stoul(digits, nullptr, 16));
}

bool newest = false;

std::filesystem::path file_of(const std::string& name) {
    const auto wire = std::filesystem::path(ROCECTL_SOURCE_DIR) / "tests/wire";
    const auto seen = wire / "7.3" / (name.substr(name.rfind('/') + 1) + ".hex");
    return newest && exists(seen) ? seen : wire / (name + ".hex");
}

std::vector<std::byte> bytes_of(const std::string& name) {
    std::ifstream file(file_of(name));
    std::vector<std::byte> bytes;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        for (std::size_t at = 0; at + 1 < line.size(); at += 2)
            bytes.push_back(byte_of(line.substr(at, 2)));
    }
    return bytes;
}

}  // namespace

Newest::Newest() {
    newest = true;
}

Newest::~Newest() {
    newest = false;
}

std::vector<Message> messages(const std::string& name) {
    const std::vector<std::byte> bytes = bytes_of(name);
    std::vector<Message> found;
    netlink::Bytes left = bytes;
    while (const auto header = netlink::header_of<nlmsghdr>(left)) {
        if (header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > left.size()) break;
        const auto payload = left.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
        found.push_back({*header, {payload.begin(), payload.end()}});
        left = left.subspan(std::min(netlink::aligned(header->nlmsg_len), left.size()));
    }
    REQUIRE_MESSAGE(!found.empty(), "no capture " << name);
    return found;
}

std::vector<Message> messages(const std::string& name, int type) {
    std::vector<Message> found = messages(name);
    std::erase_if(found, [&](const Message& message) { return message.header.nlmsg_type != type; });
    REQUIRE_MESSAGE(!found.empty(), "no message of type " << type << " in " << name);
    return found;
}

}  // namespace wire
