// SPDX-License-Identifier: Apache-2.0
#include "core/watch/flap_guard.hpp"

#include <algorithm>

namespace core {

void FlapGuard::wrote(const std::vector<Step>& steps, double seconds) {
    for (const Step& step : steps)
        for (const Change& change : step.changes) {
            auto& times = writes_[{step.port, element_name(*change.field, change.element)}];
            std::erase_if(times,
                          [&](double time) { return time < seconds - kBounds.back().within; });
            if (times.empty() || times.back() != seconds) times.push_back(seconds);
        }
}

void FlapGuard::lost(const std::string& port) {
    std::erase_if(writes_, [&](const auto& one) { return one.first.first == port; });
}

std::optional<Overwritten> FlapGuard::hopeless(const std::vector<Step>& steps,
                                               double seconds) const {
    for (const Step& step : steps)
        for (const Change& change : step.changes) {
            const auto of = writes_.find({step.port, element_name(*change.field, change.element)});
            if (of == writes_.end()) continue;
            for (const Bound& bound : kBounds) {
                const auto recent = std::ranges::find_if(
                    of->second, [&](double time) { return time >= seconds - bound.within; });
                const auto writes = static_cast<unsigned>(of->second.end() - recent);
                if (writes >= bound.writes)
                    return Overwritten{.port = of->first.first,
                                       .name = of->first.second,
                                       .seconds = seconds - *recent,
                                       .writes = writes};
            }
        }
    return std::nullopt;
}

}  // namespace core
