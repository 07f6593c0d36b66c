// SPDX-License-Identifier: Apache-2.0
// What a state does not hold passes for nothing: each check without each part that it reads, and
// with each list that it reads emptied.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/checks/catalogue.hpp"
#include "core/model/object.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace recorded_test {
namespace {

using namespace core;
using namespace broken_hosts;

/// Hosts on which nothing is found, that have every kind of port together.
constexpr std::array kHosts = {"gpu-rail", "e810", "bonded-port", "soft-roce", "nvmeof-storage"};

/// How each check of a port ended, by its row and the port.
using Ended = std::map<std::pair<const FindingRow*, std::string>, Verdict>;

Ended ended(const State& state, const std::set<std::string>& only = {}) {
    Ended out;
    for (const Check& check : diagnose({.now = &state, .only = only}).examination.checks)
        out.emplace(std::pair(check.row, check.port), check.verdict);
    return out;
}

bool reads(const FindingRow& row, const Field& field) {
    return std::ranges::find(row.needs.keys, field.key) != row.needs.keys.end();
}

bool reads(const FindingRow& row, Object object) {
    return std::ranges::any_of(
        row.needs.keys, [&](std::string_view key) { return find_field(key)->object == object; });
}

/// The checks that passed and read this, by id.
template <typename What>
std::set<std::string> that_read(const Ended& sound, const What& what) {
    std::set<std::string> out;
    for (const auto& [check, verdict] : sound)
        if (verdict == Verdict::pass && reads(*check.first, what)) out.emplace(check.first->id);
    return out;
}

}  // namespace

TEST_CASE("law: no check passes without a part of the port that it reads") {
    for (const char* name : kHosts) {
        const State host = whole(applied(name));
        const Ended sound = ended(host);
        for (const ObjectRow* row : objects()) {
            // Which ports there are, is read of these.
            const std::set<std::string> ids = that_read(sound, row->object);
            if (row->read.inventory || ids.empty()) continue;
            State less = host;
            for (Port& port : less.ports)
                copy_part(row->object, Port(port.name), port);
            for (const auto& [check, verdict] : ended(less, ids)) {
                const auto before = sound.find(check);
                if (before == sound.end() || before->second != Verdict::pass ||
                    !reads(*check.first, row->object))
                    continue;
                INFO(std::string(name), ": ", check.first->id, " of ", check.second, " without ",
                     row->name);
                CHECK(verdict != Verdict::pass);
                if (row->read.always) CHECK(verdict == Verdict::unknown);
            }
        }
    }
}

TEST_CASE("law: a check passes with an empty list only where that is sound, and why") {
    std::set<std::pair<std::string_view, std::string_view>> met;
    for (const char* name : kHosts) {
        const State host = whole(applied(name));
        const Ended sound = ended(host);
        for (const Field& field : fields()) {
            const std::set<std::string> ids = that_read(sound, field);
            if (field.shape.kind != Shape::Kind::items || ids.empty()) continue;
            State less = host;
            std::set<std::string> emptied;
            for (Port& port : less.ports)
                if (const auto got = field.get(port); got && !got->empty()) {
                    field.set(port, {});
                    emptied.insert(port.name);
                }
            if (emptied.empty()) continue;
            for (const auto& [check, verdict] : ended(less, ids)) {
                const auto before = sound.find(check);
                if (verdict != Verdict::pass || before == sound.end() ||
                    before->second != Verdict::pass || !reads(*check.first, field))
                    continue;
                met.emplace(check.first->id, field.key);
            }
        }
    }
    for (const auto& [id, key] : met)
        MESSAGE(id, " ", key);
}

}  // namespace recorded_test
