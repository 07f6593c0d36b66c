// SPDX-License-Identifier: Apache-2.0
#include "cli/run/accepted.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cli/files/trust.hpp"
#include "cli/log.hpp"

namespace cli {

std::vector<core::AcceptedFinding> read_accepted(const Options& options) {
    const std::filesystem::path own = options.root / "etc/rocectl/accepted.json";
    std::error_code error;
    if (options.state || !std::filesystem::exists(own, error)) return {};
    log_info("accepted findings " + own.string());
    return core::load_accepted(
        {.name = own.string(), .text = read_named(own.string(), options.only_trusted)});
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
