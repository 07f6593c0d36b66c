// SPDX-License-Identifier: Apache-2.0
#include "core/watch/notification_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace core {
namespace {

using What = Notification::What;

bool is_way_of_port(const Notification& one) {
    return one.what == What::gone || one.what == What::came;
}

}  // namespace

bool NotificationLog::add(std::vector<Notification> news, const std::set<std::string>& ports) {
    if (std::exchange(reported_, false)) before_ = std::exchange(notifications_, {});
    std::ranges::copy_if(news, std::back_inserter(gone_),
                         [](const Notification& one) { return one.what == What::gone; });
    bool moved = false;
    for (Notification& one : news) {
        const bool way = is_way_of_port(one) && ports.contains(one.port);
        moved = moved || way;
        if (way && one.what == What::came) returned_.insert(one.port);
        notifications_.push_back(std::move(one));
    }
    return moved;
}

bool NotificationLog::add_of_own_writes(std::vector<Notification> news,
                                        const std::set<std::string>& ports) {
    std::erase_if(news, [](const Notification& one) {
        return !is_way_of_port(one) && (one.program.empty() || one.program == "rocectl");
    });
    before_.clear();
    notifications_.clear();
    reported_ = false;
    std::set<std::string> returned = std::exchange(returned_, {});
    const bool moved = add(std::move(news), ports);
    returned_ = std::move(returned);
    return moved;
}

void NotificationLog::was_reported(const std::vector<std::string>& ports) {
    reported_ = true;
    std::erase_if(gone_, [&](const Notification& one) {
        return std::ranges::find(ports, one.port) != ports.end();
    });
}

std::vector<std::string> NotificationLog::reasons(const Deviation& deviation) const {
    std::vector<Notification> all = gone_;
    all.insert(all.end(), before_.begin(), before_.end());
    all.insert(all.end(), notifications_.begin(), notifications_.end());
    return reasons_for(deviation, all);
}

}  // namespace core
