// SPDX-License-Identifier: Apache-2.0
#include "core/watch/hearing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace core {
namespace {

using What = Announcement::What;

bool is_way_of_port(const Announcement& one) {
    return one.what == What::gone || one.what == What::came;
}

}  // namespace

bool Hearing::add(std::vector<Announcement> news, const std::set<std::string>& ports) {
    if (std::exchange(told_, false)) before_ = std::exchange(heard_, {});
    std::ranges::copy_if(news, std::back_inserter(gone_),
                         [](const Announcement& one) { return one.what == What::gone; });
    bool moved = false;
    for (Announcement& one : news) {
        const bool way = is_way_of_port(one) && ports.contains(one.port);
        moved = moved || way;
        if (way && one.what == What::came) returned_.insert(one.port);
        heard_.push_back(std::move(one));
    }
    return moved;
}

bool Hearing::add_of_own_writes(std::vector<Announcement> news,
                                const std::set<std::string>& ports) {
    std::erase_if(news, [](const Announcement& one) {
        return !is_way_of_port(one) && (one.program.empty() || one.program == "rocectl");
    });
    before_.clear();
    heard_.clear();
    told_ = false;
    std::set<std::string> returned = std::exchange(returned_, {});
    const bool moved = add(std::move(news), ports);
    returned_ = std::move(returned);
    return moved;
}

void Hearing::was_told(const std::vector<std::string>& ports) {
    told_ = true;
    std::erase_if(gone_, [&](const Announcement& one) {
        return std::ranges::find(ports, one.port) != ports.end();
    });
}

std::vector<std::string> Hearing::reasons(const Deviation& deviation) const {
    std::vector<Announcement> all = gone_;
    all.insert(all.end(), before_.begin(), before_.end());
    all.insert(all.end(), heard_.begin(), heard_.end());
    return reasons_for(deviation, all);
}

}  // namespace core
