// SPDX-License-Identifier: Apache-2.0
#include "cli/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "cli/views/printable.hpp"

namespace cli {
namespace {

/// Not in spdlog's registry, which would make a logger of its own at every start.
spdlog::logger& diagnostics() {
    static spdlog::logger logger("rocectl", std::make_shared<spdlog::sinks::stderr_sink_st>());
    return logger;
}

}  // namespace

void start_log(int verbosity) {
    diagnostics().set_pattern("%n: %v");
    spdlog::level::level_enum level = spdlog::level::warn;
    if (verbosity < 0) level = spdlog::level::err;
    if (verbosity == 1) level = spdlog::level::info;
    if (verbosity > 1) level = spdlog::level::debug;
    diagnostics().set_level(level);
}

void log_error(const std::string& line) {
    diagnostics().error("{}", on_one_line(line));
}
void log_warning(const std::string& line) {
    diagnostics().warn("{}", on_one_line(line));
}
void log_info(const std::string& line) {
    diagnostics().info("{}", on_one_line(line));
}
void log_debug(const std::string& line) {
    diagnostics().debug("{}", on_one_line(line));
}

}  // namespace cli
