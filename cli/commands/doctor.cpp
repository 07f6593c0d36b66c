// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>

#include "cli/command.hpp"
#include "cli/commands/watch.hpp"
#include "cli/files/library.hpp"
#include "cli/files/text_file.hpp"
#include "cli/run/accepted.hpp"
#include "cli/run/task.hpp"
#include "cli/views/doctor.hpp"
#include "cli/views/monitor.hpp"
#include "cli/views/printable.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/comparison.hpp"
#include "core/doctor/reading.hpp"
#include "core/json/json.hpp"
#include "core/model/quote.hpp"
#include "core/model/shell.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"

namespace cli {
namespace {

/// Checks and groups of doctor.
std::vector<std::string> doctor_names() {
    std::vector<std::string> out;
    for (const core::FindingRow* row : core::doctor_rows())
        out.emplace_back(row->id);
    for (const core::FindingGroup* group : core::finding_groups())
        if (std::ranges::any_of(core::doctor_rows(), [&](const core::FindingRow* row) {
                return &core::group_of(*row) == group;
            }))
            out.emplace_back(group->name);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

constexpr std::array<std::string_view, 6> kDoctorForms = {"text",       "json",   "junit",
                                                          "prometheus", "nagios", "npd"};
constexpr OptionRow kOnly{
    .name = "--only",
    .value = "NAMES",
    .help = "Look for these findings or groups alone, with commas between them",
    .repeats = true,
    .take = store<&Options::only>,
    .more_words = doctor_names};
constexpr OptionRow kSkip{.name = "--skip",
                          .value = "NAMES",
                          .help = "Leave out these findings or groups",
                          .repeats = true,
                          .take = store<&Options::skip>,
                          .more_words = doctor_names};
constexpr OptionRow kWindow{
    .name = "--window",
    .value = "DURATION",
    .help = "Read the host twice, DURATION apart, and look at what was counted in between",
    .take = store<&Options::window>};
constexpr OptionRow kWatch{
    .name = "--watch",
    .help = "Go on, and tell what happens as it happens; with --window for so long",
    .excludes = "--state --since --html --output-file",
    .take = store<&Options::watch>};
constexpr OptionRow kSince{.name = "--since",
                           .value = "FILE",
                           .help =
                               "Compare with the earlier snapshot in FILE: what was counted since, "
                               "and what changed",
                           .reads_input = true,
                           .excludes = "--window",
                           .take = store<&Options::since>};
constexpr OptionRow kStrict{.name = "--strict",
                            .help = "End with status 2 where there are warnings alone",
                            .take = store<&Options::strict>};
constexpr OptionRow kList{.name = "--list",
                          .help = "List what is looked for, and look for nothing",
                          .take = store<&Options::list>};
constexpr OptionRow kOutputFile{.name = "--output-file",
                                .value = "FILE",
                                .help = "Replace FILE with what would be printed, as a whole",
                                .excludes = "--html",
                                .take = store<&Options::out>};
constexpr OptionRow kDoctorOutput{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help =
        "Print text (default), json, junit, prometheus, or the line of a nagios or npd plugin, "
        "with its own exit statuses",
    .take = store<&Options::output>,
    .words = kDoctorForms};
constexpr OptionRow kActive{.name = "--active",
                            .value = "HOST[:PORT]",
                            .help = "Send by RDMA to a host where rocectl probe serve runs, too",
                            .excludes = "--state --watch --html",
                            .take = store<&Options::active>};
constexpr std::array kDoctorOptions = {&option::state,
                                       &kOnly,
                                       &kSkip,
                                       &kWindow,
                                       &kWatch,
                                       &kSince,
                                       &kStrict,
                                       &kList,
                                       &option::set,
                                       &option::vars,
                                       &option::trust_files,
                                       &option::run_limit,
                                       &option::firmware,
                                       &option::html,
                                       &kOutputFile,
                                       &kDoctorOutput,
                                       &kActive,
                                       &option::secret};

std::string doctor_misuse(const Options& options) {
    const bool text_or_json = options.output == Output::text || options.output == Output::json;
    if (options.active.empty() && options.secret) return "--secret needs --active";
    if (options.watch && !text_or_json) return "--watch needs -o text or json";
    if (!options.active.empty() && !text_or_json && options.output != Output::junit)
        return "--active needs -o text, json or junit";
    return {};
}

std::string assignment(const std::string& name, const std::string& value) {
    return core::shell(name + '=' + value);
}

/// What applies the profile that was named, with the variables that were given.
std::string apply_command(const Options& options) {
    std::string out = "rocectl apply";
    for (const std::string& operand : options.operands)
        out += ' ' + core::shell(operand);
    if (options.vars) out += " --vars " + core::shell(*options.vars);
    for (const auto& [name, value] : options.set)
        out.append(" --set ").append(assignment(name, value));
    return out;
}

/// What is wrong with --only and --skip. Throws Error (usage).
void check_names(std::string_view option, const std::set<std::string>& names) {
    const std::vector<const core::FindingRow*> rows = core::doctor_rows();
    for (const std::string& name : names)
        if (std::ranges::none_of(rows, [&](const core::FindingRow* row) {
                return row->id == name || core::group_of(*row).name == name;
            }))
            throw core::Error(
                core::Status::usage,
                std::string(option) + ": found " + core::in_quotes(name) +
                    ", expected a check or a group; rocectl doctor --list names them");
}

/// The profile that was named, resolved for the host; nothing where none was.
std::optional<core::DesiredState> desired_of(core::Kernel& kernel,
                                             const std::optional<core::Profile>& profile,
                                             const core::Variables& variables) {
    if (!profile) return std::nullopt;
    return core::resolve(*profile, variables, read_inventory(kernel, *profile));
}

/// The snapshot that --since names; nothing where it names none. Throws Error.
std::optional<core::State> read_since(const Options& options) {
    if (!options.since) return std::nullopt;
    return core::parse_state(read_input(*options.since), input_name(*options.since));
}

/// When the host was read; of one in a file that is not known.
std::optional<std::int64_t> now_of(const Options& options) {
    if (options.state) return std::nullopt;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

/// The report in the form that was asked for.
std::string doctor_report(const Session& session, core::Status status, const DoctorView& view,
                          const Style& style) {
    const Options& options = session.options;
    switch (options.output) {
        case Output::json: return doctor_json({session.command, status}, view);
        case Output::junit: return doctor_junit(view, options.strict);
        case Output::prometheus: return doctor_prometheus(view, now_of(options));
        case Output::nagios:
        case Output::npd: return monitor_line(options.output, view, options.strict);
        default: return doctor_text(view, style);
    }
}

/// So many readings of a window make a curve.
constexpr unsigned kSamples = 19;

/// What was counted between the two readings of a window, where there were more.
std::vector<core::CounterSeries> drawn(const std::optional<core::Earlier>& earlier,
                                       const core::State& now,
                                       const core::Examination& examination) {
    if (!earlier || earlier->samples.empty()) return {};
    core::CounterSeriesList counter_series(true);
    counter_series.add(earlier->state, examination.intents, 0);
    for (const core::Sample& sample : earlier->samples)
        counter_series.add(sample.state, examination.intents, sample.seconds);
    counter_series.add(now, examination.intents, earlier->seconds);
    return counter_series.grown();
}

/// What is looked for, and nothing of a host.
core::Status list_checks(Session& session) {
    if (session.options.output == Output::json)
        session.out << doctor_list_json({session.command, core::Status::done});
    else
        session.out << doctor_list(session.style);
    return core::Status::done;
}

}  // namespace

constinit const Command command::doctor{
    .name = "doctor",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .input_operand = "PROFILE",
    .help = "Find what is wrong, from the first broken link on, and what fixes it",
    .host = HostUse::reads,
    .asks_devices = true,
    .asks_with_rights = true,
    .limited = true,
    .options = kDoctorOptions,
    .misuse = doctor_misuse,
    .run = cli::doctor};

core::Status doctor(Session& session) {
    const Options& options = session.options;
    check_names("--only", options.only);
    check_names("--skip", options.skip);
    if (options.list) return list_checks(session);
    std::optional<core::Profile> profile;
    core::Variables variables;
    Inputs inputs;
    if (!options.operands.empty()) {
        profile = read_profile(options, inputs);
        variables = read_variables(options, inputs);
    }
    std::vector<core::AcceptedFinding> accepted = read_accepted(options);
    if (profile) accepted = with_accepted_by(std::move(accepted), *profile, variables);
    // Before the host is opened, which seals this process off from them.
    const std::vector<std::string> profiles =
        profile || options.state ? std::vector<std::string>()
                                 : Library(options.root, options.only_trusted).own();
    std::optional<core::State> since = read_since(options);
    const auto kernel = open_host(session);
    const auto desired_values = desired_of(*kernel, profile, variables);
    core::Inquiry inquiry{.twice = options.window || since,
                          .desired_values = desired_values ? &*desired_values : nullptr,
                          .only = options.only,
                          .leave = options.skip,
                          .accepted = accepted,
                          .today = today()};
    if (options.watch) return watch_host(session, *kernel, inquiry);
    std::optional<core::Earlier> earlier;
    if (options.window)
        earlier = core::read_before(*kernel, inquiry, *options.window, options.html ? kSamples : 0);
    const core::State state = core::read_host(*kernel, inquiry, since.has_value());
    if (earlier) core::hear(*kernel, *earlier);
    if (since && core::are_of_different_hosts(*since, state))
        throw core::Error(core::Status::failed, input_name(*options.since) + ": it is of host '" +
                                                    since->host.name + "', this is '" +
                                                    state.host.name +
                                                    "': expected an earlier snapshot of this host");
    if (since) {
        const double seconds = core::seconds_between(*since, state);
        earlier = core::Earlier{.state = *std::move(since), .seconds = seconds};
    }
    inquiry.now = &state;
    if (earlier) {
        inquiry.earlier = &earlier->state;
        inquiry.seconds = earlier->seconds;
        inquiry.set_down = earlier->set_down;
    }
    const core::Diagnosis diagnosis = core::diagnose(inquiry);
    core::Status status = status_of(diagnosis.examination, options.strict);
    if (session.active && session.active->status != core::Status::done)
        status = core::Status::differs;
    const std::optional<core::Comparison> changes =
        options.since ? std::optional(core::compared(earlier->state, state, earlier->seconds))
                      : std::nullopt;
    const std::string named = profile ? options.operands.front() : "";
    const DoctorView view{.state = state,
                          .diagnosis = diagnosis,
                          .changes = changes ? &*changes : nullptr,
                          .profile = named,
                          .apply = profile ? apply_command(options) : "",
                          .profiles = profiles,
                          .counter_series = drawn(earlier, state, diagnosis.examination),
                          .active = session.active ? &*session.active : nullptr,
                          .all = options.verbosity > 0};
    if (options.html) session.save(doctor_page({session.command, status}, view));
    const bool saved = options.out && !options.html;
    // A file is no terminal.
    const Style style{.colour = session.style.colour && !saved,
                      .group_ports = session.style.group_ports,
                      .width = saved ? std::string::npos : session.style.width};
    const std::string text = doctor_report(session, status, view, style);
    if (saved)
        session.save(printable(text));
    else if (!session.options.is_quiet() || status != core::Status::done)
        session.out << text;
    return is_monitor(options.output)
               ? monitor_status(options.output, diagnosis.examination, options.strict)
               : status;
}

}  // namespace cli
