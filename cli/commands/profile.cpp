// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "cli/files/library.hpp"
#include "cli/log.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/profile.hpp"
#include "cli/views/switch_words.hpp"
#include "core/model/glob.hpp"
#include "core/profile/draft.hpp"
#include "core/profile/resolve.hpp"
#include "core/profile/schema.hpp"

namespace cli {
namespace {

constexpr std::array kCheckOptions = {&option::set, &option::vars, &option::output};

}  // namespace

constinit const Command command::profile_check{.name = "profile check",
                                               .operands = "PROFILE...",
                                               .operand_required = true,
                                               .operands_max = kMany,
                                               .input_operand = "PROFILE",
                                               .help = "Check profiles without a host",
                                               .options = kCheckOptions,
                                               .run = cli::profile_check};

core::Status profile_check(Session& session) {
    // They are the same for all profiles, and can be read once.
    std::optional<core::Variables> variables;
    if (session.options.vars) variables = read_variables(session.options);
    std::vector<std::string> valid;
    std::vector<std::string> problems;
    std::vector<std::string> notes;
    for (const std::string& name : session.options.operands) {
        Library library(session.options.root, session.options.only_trusted);
        try {
            const core::Source source = library.open(name);
            const auto load = [&library](const std::string& other, const std::string& from) {
                return library.open(other, from);
            };
            const core::Profile profile = core::load_profile(source, load, session.options.set);
            if (variables) core::check_variables(profile, *variables);
            valid.push_back(source.name);
            for (const core::Problem& note : profile.notes)
                notes.push_back(core::text(note));
        } catch (const core::Error& error) {
            // Every profile is checked, whatever is wrong with the ones before it.
            problems.insert(problems.end(), error.lines().begin(), error.lines().end());
        }
    }
    if (session.files_read) session.files_read();
    if (!problems.empty()) throw core::Error(core::Status::invalid_input, problems);
    if (session.options.output == Output::json)
        session.out << names_json({session.command, core::Status::done}, valid, notes);
    else if (!session.options.is_quiet())
        for (const std::string& name : valid)
            session.out << on_one_line(name) << ": valid\n";
    if (session.options.output == Output::text && !session.options.is_quiet())
        for (const std::string& note : notes)
            session.out << "note: " << on_one_line(note) << '\n';
    return core::Status::done;
}

namespace {

constexpr OptionRow kSwitch{
    .name = "--switch",
    .help =
        "Show what the switches have to be set to, also as SONiC, Cumulus, EOS and NX-OS say it",
    .excludes = "--state"};
constexpr std::array kProfileShowOptions = {&option::state, &option::set, &option::vars, &kSwitch,
                                            &option::output};

/// What holds on every port: --set, and the host's values that no port has otherwise.
core::Given given_for_all(const Options& options) {
    if (!options.vars) return options.set;
    const core::Variables variables = read_variables(options);
    core::Given given = variables.host;
    for (const auto& [port, values] : variables.ports)
        for (const auto& [name, value] : values)
            given.erase(name);
    for (const auto& [name, value] : variables.set)
        given.insert_or_assign(name, value);
    return given;
}

core::Status show_on_host(Session& session, const core::Profile& profile) {
    const core::Variables variables = read_variables(session.options);
    const core::State inventory = read_inventory(*open_host(session), profile);
    const core::DesiredState desired_values = core::resolve(profile, variables, inventory);
    const bool held_against_it = std::ranges::any_of(
        desired_values.findings,
        [](const core::Finding& finding) { return finding.level != core::Finding::Level::note; });
    const core::Status status = held_against_it ? core::Status::failed : core::Status::done;
    if (session.options.output == Output::json)
        session.out << desired_json({session.command, status}, profile.name, desired_values,
                                    inventory);
    else
        session.out << desired_text(desired_values, inventory, session.style);
    return status;
}

}  // namespace

namespace {

/// The MTU that the entry states; nothing where it states none, or one with a variable in it.
std::optional<std::uint64_t> stated_mtu(const core::Entry& entry) {
    const core::DesiredValues stated = core::stated_desired(entry);
    const auto found =
        std::ranges::find_if(stated.desired_values, [](const core::Desired& desired) {
            return desired.field->key == "mtu" && desired.value.has_value();
        });
    if (found == stated.desired_values.end()) return std::nullopt;
    const auto* mtu = std::get_if<std::uint64_t>(&*found->value);
    return mtu == nullptr ? std::nullopt : std::optional(*mtu);
}

/// What the switches need for each entry that has an intent; for the whole profile where it has no
/// entries.
std::vector<SwitchPart> switch_parts(const core::Profile& profile, const core::Given& given) {
    const core::OfflineProfile offline = core::offline_profile(profile, given);
    std::vector<SwitchPart> out;
    bool any = false;
    offline.each_entry([&](const core::OfflineEntry& entry) {
        any = true;
        if (!entry.intent) return;
        const core::SwitchNeeds needs = switch_needs(*entry.intent, stated_mtu(entry.entry));
        const auto same = std::ranges::find(out, needs, &SwitchPart::needs);
        auto& part = same != out.end() ? *same : out.emplace_back(SwitchPart{needs, {}});
        part.of.push_back(text(entry.entry.match));
    });
    if (!any && offline.intent) out.push_back({switch_needs(*offline.intent, std::nullopt), {}});
    if (out.empty())
        throw core::Error(core::Status::invalid_input,
                          profile.name + ": --switch is computed from roce, and no roce is stated");
    return out;
}

core::Status show_switches(Session& session, const core::Profile& profile,
                           const core::Given& given) {
    const std::vector<SwitchPart> parts = switch_parts(profile, given);
    if (session.options.output == Output::json)
        session.out << switch_json({session.command, core::Status::done}, profile.name, parts);
    else
        session.out << switch_text(profile.name, parts, session.style);
    return core::Status::done;
}

}  // namespace

constinit const Command command::profile_show{
    .name = "profile show",
    .operands = "PROFILE",
    .operand_required = true,
    .operands_max = 1,
    .input_operand = "PROFILE",
    .help = "Show what a profile comes to, and where each value comes from",
    .options = kProfileShowOptions,
    .run = cli::profile_show};

core::Status profile_show(Session& session) {
    const core::Profile profile = read_profile(session.options);
    if (session.options.state) return show_on_host(session, profile);
    const core::Given given = given_for_all(session.options);
    if (session.files_read) session.files_read();
    if (given_value(session.options, kSwitch)) return show_switches(session, profile, given);
    if (session.options.output == Output::json)
        write_offline_profile_json(session.out, {session.command, core::Status::done}, profile,
                                   given);
    else
        write_offline_profile(session.out, profile, given, session.style);
    return core::Status::done;
}

namespace {

constexpr OptionRow kProfileFile{.name = "--out",
                                 .letter = "-o",
                                 .value = "FILE",
                                 .help = "Write to FILE instead of standard output",
                                 .take = store<&Options::out>};
constexpr std::array kInitOptions = {&option::state, &kProfileFile, &option::reading_limit};

/// The ports that are named, or those that RoCE could run on: with a bus address or RDMA.
std::vector<const core::Port*> ports_for(const core::State& state, const Options& options) {
    std::vector<const core::Port*> out;
    for (const std::string& name : options.operands) {
        const core::Port* port = core::find_port(state, name);
        if (port == nullptr) throw core::Error(core::Status::failed, "no port '" + name + "'");
        out.push_back(port);
    }
    for (const core::Port& port : state.ports) {
        const bool bus = port.link && !port.link->pci.empty();
        const bool rdma = port.rdma_link && !port.rdma_link->device.empty();
        if (options.operands.empty() && (bus || rdma)) out.push_back(&port);
    }
    if (out.empty())
        throw core::Error(core::Status::failed,
                          "no port has a bus address or an RDMA device; name the ports that a "
                          "profile is wanted for");
    return out;
}

/// The ports, the VLANs on them and on those, and the host.
std::vector<std::string> with_vlans(const core::State& state,
                                    const std::vector<const core::Port*>& ports) {
    std::set<std::string> names{std::string(core::kHost)};
    for (const core::Port* port : ports)
        names.insert(port->name);
    const auto is_on_one = [&names](const core::Port& port) {
        return port.vlan && names.contains(port.vlan->parent) && !names.contains(port.name);
    };
    for (;;) {
        const auto found = std::ranges::find_if(state.ports, is_on_one);
        if (found == state.ports.end()) break;
        names.insert(found->name);
    }
    std::vector<std::string> out;
    for (const std::string& name : names)
        out.push_back(core::literal(name));
    return out;
}

/// Of every port who it is, of those that a profile is wanted for everything.
core::State read_for_draft(core::Kernel& kernel, const Options& options) {
    core::Objects reported = core::inventory();
    for (const std::string_view key : {"rdma.device", "egress_priority"})
        reported.insert(core::object_of(key));
    core::State state = kernel.read({.ports = std::nullopt, .objects = reported});
    core::Objects rest = core::drafted_objects();
    std::erase_if(rest, [&reported](core::Object object) { return reported.contains(object); });
    core::add_parts(
        state,
        kernel.read({.ports = with_vlans(state, ports_for(state, options)), .objects = rest}),
        rest);
    return state;
}

}  // namespace

constinit const Command command::profile_init{
    .name = "profile init",
    .operands = "[PORT]...",
    .operands_max = kMany,
    .help = "Write a profile that this host fulfils as it is",
    .host = HostUse::reads,
    .options = kInitOptions,
    .run = cli::profile_init};

core::Status profile_init(Session& session) {
    const core::State state = read_for_draft(*open_host(session), session.options);
    const std::string name = state.host.name.empty() ? "host" : state.host.name;
    const core::Draft draft = core::draft_profile(state, ports_for(state, session.options), name);
    std::string text =
        "// What " + name + " held when this was written" +
        (draft.left_out.empty()
             ? ": `rocectl verify` finds nothing to change.\n"
             : ", but for what contradicts the rest: `rocectl verify` finds that still.\n") +
        "// Features and private flags are left out; state those that matter.\n";
    for (const std::string& line : draft.left_out) {
        log_warning("left out: " + line);
        text += "// Left out: " + line + '\n';
    }
    for (const std::string& line : draft.set_by)
        text += "// " + line + '\n';
    text += draft.document;
    if (session.options.out)
        session.save(text);
    else
        session.out << text;
    return core::Status::done;
}

constinit const Command command::profile_schema{.name = "profile schema",
                                                .help = "Print the JSON Schema of profiles",
                                                .run = cli::profile_schema};

core::Status profile_schema(Session& session) {
    session.out << core::profile_schema().dump(2) << '\n';
    return core::Status::done;
}

}  // namespace cli
