// SPDX-License-Identifier: Apache-2.0
#include "core/boot/judge.hpp"

#include <algorithm>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/outcome.hpp"
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "core/plan/judge.hpp"

namespace core::boot {
namespace {

/// The fact that has the lines of the files.
constexpr std::string_view kBootFiles = "host.boot_files";

/// What is still there after a boot. /run is empty then, but for what generators write there anew
/// from other files (systemd.generator(7), netplan(5)).
BootFiles lasting(const BootFiles& files) {
    const bool planned = std::ranges::any_of(files, [](const BootLine& line) {
        return line.file.starts_with("/etc/netplan/") || line.file.starts_with("/usr/lib/netplan/");
    });
    const auto is_lasting = [planned](const BootLine& line) {
        return !line.file.starts_with("/run/") || line.file.starts_with("/run/systemd/generator") ||
               (planned && is_from_netplan(line.file));
    };
    BootFiles out;
    std::ranges::copy_if(files, std::back_inserter(out), is_lasting);
    return out;
}

/// The unit that applies the profile.
const Service* surest(const std::vector<Service>& services) {
    const auto sure =
        std::ranges::find_if(services, [](const Service& one) { return one.unsure.empty(); });
    if (sure != services.end()) return &*sure;
    return services.empty() ? nullptr : &services.front();
}

/// An apply that would have to do more than it may does nothing at all: where one desired value may
/// cost so much, nothing of the unit is known.
void uncertain_cost(const DesiredState& desired_values, const State& state,
                    std::vector<Service>& services) {
    for (const Desired& desired : desired_values.desired_values) {
        const Port* port = find_port(state, desired.port);
        if (port == nullptr || desired.external || row_of(desired.field->object).play == nullptr)
            continue;
        const Disruption cost =
            disruption_in(state, *port, desired.field->object, {desired.field->key});
        for (Service& service : services)
            if (service.unsure.empty() && cost > service.allowed)
                service.unsure = "where " + std::string(desired.field->key) + " of " +
                                 desired.port + " differs after the boot it costs " +
                                 std::string(word(cost)) + ", more than its --allow " +
                                 std::string(word(service.allowed)) +
                                 ", and then it applies nothing";
    }
}

/// Nor does an apply leave anything that is refused one desired value.
void uncertain_blacklisted(const Desired& desired, const Port& port,
                           const BootConfiguration& configuration, std::vector<Service>& services) {
    if (desired.optional || desired.external || !desired.value) return;
    const auto missing = blacklisted(desired, port, configuration);
    if (!missing) return;
    for (Service& service : services)
        if (service.unsure.empty())
            service.unsure =
                missing->text + ", and where one desired value is refused it applies nothing";
}

/// The value is missing now and nothing more is to be reported: its absence is no fault, or it
/// comes from a file that is the same after a boot.
bool is_reported_already(const Desired& desired, const State& state) {
    const Port* port = find_port(state, desired.port);
    return (desired.optional || stays(desired)) &&
           (port == nullptr || !holds(core::Reading(*port), desired));
}

FindingId id_of(BootOutcome::Kind kind) {
    switch (kind) {
        case BootOutcome::Kind::restored: return findings::restored_at_boot;
        case BootOutcome::Kind::overwritten: return findings::overwritten_at_boot;
        case BootOutcome::Kind::lost: return findings::lost_at_boot;
        case BootOutcome::Kind::unknown: break;
    }
    return findings::unknown_at_boot;
}

Finding finding_of(const Desired& desired, const BootOutcome& outcome) {
    const FindingId id = id_of(outcome.kind);
    Finding out = finding_about(desired, id);
    if (!desired.optional) out.level = id.row().level;
    out.text = out.cause = outcome.text;
    out.remedy = std::string(id.row().remedy);
    return out;
}

/// What files bring to a collection of which nothing else is desired.
void add_strangers(const Exact& exact, const DesiredState& desired_values,
                   const BootConfiguration& configuration, std::vector<Finding>& out) {
    for (const auto& found : brought(*exact.field, exact.port, configuration)) {
        const bool all_desired =
            std::ranges::any_of(desired_values.desired_values, [&](const Desired& desired) {
                return desired.port == exact.port && desired.field == exact.field &&
                       desired.value && desired.element == found.first;
            });
        if (all_desired) continue;
        const Desired absent{.port = exact.port,
                             .field = exact.field,
                             .element = found.first,
                             .origin = exact.origin};
        out.push_back(finding_of(absent, {BootOutcome::Kind::overwritten, found.second}));
    }
}

}  // namespace

Scope scope_beside(const DesiredState& desired_values) {
    Scope scope{.ports = desired_values.ports, .objects = inventory()};
    scope.objects.insert(object_of(kBootFiles));
    if (std::ranges::find(*scope.ports, kHost) == scope.ports->end())
        scope.ports->emplace_back(kHost);
    return scope;
}

std::vector<Finding> after_boot(const DesiredState& desired_values, const State& state,
                                const Asked& asked) {
    std::vector<Finding> out;
    const Port* host = find_port(state, kHost);
    const bool known = host != nullptr && host->boot_files;
    const auto refused = [&]() -> std::string {
        const Object object = object_of(kBootFiles);
        if (host == nullptr || !host->refused.contains(object))
            return "no file that is read at boot was recorded";
        return text(host->refused.at(object)) + " while reading the files of boot";
    };
    const std::string unread = known ? "" : refused();
    const BootFiles files = known ? lasting(*host->boot_files) : BootFiles();
    std::set<std::string, std::less<>> names;
    for (const Port& port : state.ports)
        names.insert(port.name);
    std::vector<Service> all = services(files, asked, names);
    uncertain_cost(desired_values, state, all);
    std::map<std::string, BootConfiguration> by_port;
    const auto settings_of = [&](const std::string& name) -> const BootConfiguration& {
        const auto [place, fresh] = by_port.try_emplace(name);
        const Port* port = find_port(state, name);
        if (fresh) place->second = configuration(port == nullptr ? Port(name) : *port, files);
        return place->second;
    };
    for (const Desired& desired : desired_values.desired_values)
        if (const Port* port = find_port(state, desired.port); port != nullptr && known)
            uncertain_blacklisted(desired, *port, settings_of(desired.port), all);
    for (const Desired& desired : desired_values.desired_values) {
        if (is_of_fact(desired) || is_reported_already(desired, state)) continue;
        const Port* port = find_port(state, desired.port);
        BootOutcome outcome{BootOutcome::Kind::unknown, unread};
        if (known)
            outcome = boot_outcome_of(desired, port == nullptr ? Port(desired.port) : *port,
                                      settings_of(desired.port), surest(all));
        out.push_back(finding_of(desired, outcome));
    }
    for (const Exact& exact : desired_values.exact)
        if (known) add_strangers(exact, desired_values, settings_of(exact.port), out);
    std::ranges::stable_sort(out, std::greater<>(), &Finding::level);
    return out;
}

bool is_of_boot(const Finding& finding) {
    return &group_of(finding.id.row()) == &finding_group::boot;
}

}  // namespace core::boot
