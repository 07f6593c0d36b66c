// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile_keys.hpp"

#include <array>

#include "core/profile/acceptance.hpp"
#include "core/profile/fabric.hpp"
#include "core/profile/match.hpp"

namespace core {
namespace {

constexpr std::array kTopKeys = {
    EntryKey{"format", "Version of this format.", "1"},
    EntryKey{"name", "What the profile is called.", "a text"},
    EntryKey{"$schema", "For editors; rocectl does not look at it.", "a text"},
    EntryKey{"extends",
             "Shipped profiles by name, others by path. Objects are merged key by key, ports are "
             "appended, other lists are replaced, and what comes later wins.",
             "a list of texts"},
    EntryKey{"roce",
             "The intent: every setting that follows from it is derived for the ports; null for "
             "none.",
             "an object, or null"},
    EntryKey{"host", "What is desired for the host itself.", "an object of settings"},
    EntryKey{"switch",
             "What the switches are configured to do; settings that disagree are an error.",
             "an object, or null"},
    EntryKey{"probe", "What rocectl probe run --profile measures, and what it has to find.",
             "an object, or null"},
    EntryKey{"ports", "Which ports, and what is desired for them.", "a list of entries"},
};

constexpr std::array kVlanKeys = {
    EntryKey{"name", "Name of the VLAN; PORT.ID where not stated.", "a device name"},
};

constexpr std::array kItemKeys = {
    EntryKey{"absent", "The element of a list should not be there.", "true or false"},
};

void add(std::span<const EntryKey> keys, const std::string& prefix, const std::string& place,
         std::vector<ProfileKey>& out) {
    for (const EntryKey& key : keys)
        out.push_back(
            {prefix + std::string(key.name), std::string(key.doc), std::string(key.takes), place});
}

}  // namespace

std::span<const EntryKey> top_keys() {
    return kTopKeys;
}

std::vector<ProfileKey> profile_keys() {
    std::vector<ProfileKey> out;
    add(kTopKeys, "", "at the top of a profile", out);
    add(entry_keys(), "", "in an entry of ports", out);
    for (const MatchKey& key : match_keys())
        out.push_back({"match." + std::string(key.name), std::string(key.doc),
                       key.words.empty() ? std::string("a text, or a list of texts")
                                         : admits({.kind = Shape::Kind::word, .words = key.words}) +
                                               ", or a list of them",
                       "in match"});
    add(kVlanKeys, "vlans.", "in a VLAN of vlans", out);
    for (const FabricKey& key : fabric_keys())
        out.push_back({"switch." + std::string(key.name), std::string(key.doc), admits(key.shape),
                       "in switch"});
    for (const AcceptanceKey& key : acceptance_keys())
        out.push_back({"probe." + std::string(key.name), std::string(key.doc), admits(key.shape),
                       "in probe"});
    add(host_entry_keys(), "", "in host", out);
    add(kItemKeys, "", "in an object of a list such as addresses or routes", out);
    return out;
}

}  // namespace core
