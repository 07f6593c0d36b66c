// SPDX-License-Identifier: Apache-2.0
#include "cli/run/accepted.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>

#include "cli/files/trust.hpp"
#include "cli/log.hpp"

namespace cli {

std::vector<core::AcceptedFinding> read_accepted(const Options& options) {
    const netlink::HostPath own = options.root / "etc/rocectl/accepted.json";
    if (options.state || !exists(own)) return {};
    log_info("accepted findings " + own.string());
    return core::load_accepted(
        {.name = own.string(), .text = open_named(own, options.only_trusted).text});
}

std::vector<core::AcceptedFinding> with_accepted_by(std::vector<core::AcceptedFinding> here,
                                                    const core::Profile& profile,
                                                    const core::Variables& variables) {
    std::ranges::move(core::accepted_by(profile, variables), std::back_inserter(here));
    return here;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

}  // namespace cli
