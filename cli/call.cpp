// SPDX-License-Identifier: Apache-2.0
#include "cli/call.hpp"

#include <iostream>

#include "cli/log.hpp"
#include "cli/views/json.hpp"
#include "cli/views/monitor.hpp"

namespace cli {
namespace {

core::Status report(const Call& call, core::Status status, const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        log_error(line);
    if (call.command == "doctor" && is_monitor(call.form)) {
        std::cout << monitor_error(call.form, lines);
        return monitor_unknown(call.form);
    }
    if (call.form == Output::json) std::cout << errors_json({call.command, status}, lines);
    return status;
}

}  // namespace

core::Status caught(const Call& call, const std::function<core::Status()>& work) {
    try {
        return work();
    } catch (const core::Error& error) {
        return report(call, error.status(), error.lines());
    } catch (const std::exception& error) {
        return report(call, core::Status::failed, {error.what()});
    }
}

core::Status flushed(const Call& call, core::Status status) {
    if (std::cout.flush()) return status;
    const core::Status failed =
        report(call, core::Status::failed, {"standard output cannot be written"});
    return call.writes || status != core::Status::done ? status : failed;
}

}  // namespace cli
