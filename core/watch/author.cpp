// SPDX-License-Identifier: Apache-2.0
#include "core/watch/author.hpp"

#include <algorithm>

namespace core {
namespace {

using What = Notification::What;

/// Rules, and routes that have gone, are announced without a port. Which rule it was is not told
/// apart.
bool may_be_of(const Notification& one, const Deviation& deviation) {
    if (one.what != What::written || !one.object || one.object != deviation.object) return false;
    if (!one.port.empty() && one.port != deviation.port) return false;
    if (!deviation.change) return true;
    const std::string& element = deviation.change->element;
    const bool begins = one.element.empty() || one.element.ends_with(' ');
    return begins ? element.starts_with(one.element) : element == one.element;
}

/// The process's write in words: the object, where no element is known.
std::string written(const Notification& one) {
    return one.element.empty() ? "wrote " + std::string(row_of(*one.object).name) + " meanwhile"
                               : "wrote it";
}

std::string writer_of(const Notification& one) {
    const std::string number = "process " + std::to_string(one.process);
    return (one.program.empty() ? number + ", which has ended, "
                                : one.program + " (" + number + ") ") +
           written(one);
}

void add_once(std::vector<std::string>& out, std::string line) {
    if (std::ranges::find(out, line) == out.end()) out.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> reasons_for(const Deviation& deviation,
                                     const std::vector<Notification>& notifications) {
    std::vector<std::string> out;
    bool gone = false;
    bool came = false;
    std::string reason;
    for (const Notification& one : notifications) {
        if (may_be_of(one, deviation)) add_once(out, writer_of(one));
        if (one.port.empty() || one.port != deviation.port) continue;
        gone = gone || one.what == What::gone;
        came = came || one.what == What::came;
        if (!one.reason.empty()) reason = one.reason;
    }
    std::string way;
    if (!reason.empty())
        way = "the port went and came back: " + reason;
    else if (came && gone)
        way =
            "the port went and came back, as by a reload of its driver, a reset, or a move to "
            "another namespace";
    else if (came)
        way = "the port came";
    else if (gone)
        way = "the port went";
    if (way.empty()) return out;
    std::vector<std::string> all{std::move(way)};
    all.insert(all.end(), out.begin(), out.end());
    return all;
}

}  // namespace core
