// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/active.hpp"

#include <nlohmann/json.hpp>

#include "cli/log.hpp"
#include "cli/probe/secret.hpp"
#include "cli/run/child.hpp"
#include "cli/run/live.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/probe.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "verbs/probe/path.hpp"
#include "verbs/probe/run.hpp"

namespace cli {
namespace {

constexpr std::uint64_t kFewMessages = 100;

std::string secret_of(const ActiveOptions& options) {
    if (options.secret) return read_secret(*options.secret, options.only_trusted);
    const netlink::HostPath file(options.root, kProbeSecret);
    return exists(file) ? read_secret(file, options.only_trusted) : std::string();
}

std::string failure_of(const std::vector<core::probe::PathReport>& reports) {
    for (const core::probe::PathReport& report : reports)
        if (!report.failure.empty())
            return report.advice.empty() ? report.failure : report.failure + "; " + report.advice;
    return {};
}

/// What the child says of it, as JSON.
std::string probe(const ActiveOptions& options) {
    const std::string secret = secret_of(options);
    const auto kernel = live_host(options.root);
    core::probe::Parameters parameters;
    parameters.functional = !options.latency;
    parameters.iterations = kFewMessages;
    std::vector<verbs::Path> paths =
        verbs::paths_of(verbs::read_rails(*kernel), parameters, options.host, secret).all;
    verbs::set_traffic_classes(*kernel, nullptr, parameters, paths);
    seal_but_for_sending();
    const auto reports =
        verbs::run_paths(*kernel, paths, parameters,
                         {.secret = secret, .stopped = [] { return false; }, .debug = log_debug});
    std::string text;
    for (const core::probe::PathReport& report : reports)
        text += probe_text(report, {.colour = options.colour});
    return core::written(core::Json{{"status", static_cast<int>(verbs::status_of(reports))},
                                    {"text", text},
                                    {"paths", core::Json::parse(probe_paths_json(reports))},
                                    {"failure", failure_of(reports)}});
}

Active not_probed(const std::string& why) {
    const core::Json path = {{"failure", why}};
    return {.status = core::Status::failed,
            .text = why + '\n',
            .paths = core::written(core::Json::array({path})),
            .failure = why};
}

}  // namespace

Active probe_actively(const ActiveOptions& options) {
    try {
        const Answer answer = in_child([&options] { return probe(options); }, options.limit);
        if (!answer.text)
            return not_probed("the probe did not end in " + std::to_string(options.limit.count()) +
                              " ms");
        const core::Json said = core::Json::parse(*answer.text);
        return {.status = static_cast<core::Status>(said.at("status").get<int>()),
                .text = said.at("text"),
                .paths = said.at("paths").dump(),
                .failure = said.at("failure")};
    } catch (const core::Error& error) {
        return not_probed(error.what());
    }
}

}  // namespace cli
