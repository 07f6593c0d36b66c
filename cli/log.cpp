// SPDX-License-Identifier: Apache-2.0
#include "cli/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace cli {

void start_log(int verbosity) {
    const auto logger = std::make_shared<spdlog::logger>(
        "rocectl", std::make_shared<spdlog::sinks::stderr_sink_st>());
    logger->set_pattern("%n: %v");
    spdlog::level::level_enum level = spdlog::level::warn;
    if (verbosity < 0) level = spdlog::level::err;
    if (verbosity == 1) level = spdlog::level::info;
    if (verbosity > 1) level = spdlog::level::debug;
    logger->set_level(level);
    spdlog::set_default_logger(logger);
}

void log_error(const std::string& line) {
    spdlog::error("{}", line);
}
void log_warning(const std::string& line) {
    spdlog::warn("{}", line);
}
void log_info(const std::string& line) {
    spdlog::info("{}", line);
}
void log_debug(const std::string& line) {
    spdlog::debug("{}", line);
}

}  // namespace cli
