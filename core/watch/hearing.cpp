// SPDX-License-Identifier: Apache-2.0
#include "core/watch/hearing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace core {
namespace {

using What = Announcement::What;

bool is_way_of_port(const Announcement& one) {
    return one.what != What::written;
}

}  // namespace

bool Hearing::add(std::vector<Announcement> news) {
    if (std::exchange(told_, false)) before_ = std::exchange(heard_, {});
    std::ranges::copy_if(news, std::back_inserter(gone_),
                         [](const Announcement& one) { return one.what == What::gone; });
    heard_.insert(heard_.end(), news.begin(), news.end());
    return std::ranges::any_of(news, is_way_of_port);
}

void Hearing::add_of_own_writes(std::vector<Announcement> news) {
    std::erase_if(news, [](const Announcement& one) {
        return !is_way_of_port(one) && (one.program.empty() || one.program == "rocectl");
    });
    before_.clear();
    heard_.clear();
    told_ = false;
    add(std::move(news));
}

std::vector<std::string> Hearing::unexplained(const std::vector<std::string>& watched) const {
    return Losses::came(heard_, watched);
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
