// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/examination.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <map>

#include "core/checks/catalogue.hpp"
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/doctor/accepted.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/model/object.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

constexpr std::array<std::string_view, 7> kVerdicts = {"pass", "skip", "accepted", "unknown",
                                                       "warn", "fail", "crash"};

/// Where the key is read: of the host what is the host's, of its bond what a member has from that,
/// else of the port.
const Port* holder(const Field& field, const Evidence& evidence) {
    static const Port nothing_read(kHost);
    const Lives lives = row_of(field.object).lives;
    if (evidence.bond != nullptr && lives == Lives::rdma_device) return evidence.bond;
    if (lives != Lives::host) return evidence.now;
    const Port* host = find_port(*evidence.state, kHost);
    return host == nullptr ? &nothing_read : host;
}

/// Why the value is not known; its level tells whether it could be. Nothing where it is known.
std::optional<Finding> unread(const Field& field, const Port& port) {
    const bool said = field.get(port).has_value();
    if (said && !port.unknown.contains(field.object) && !port.refused.contains(field.object))
        return std::nullopt;
    return unreachable(port, {.port = port.name, .field = &field});
}

/// A bond's members have the wire, and the bond has the rest: what is read of the port alone or of
/// its RDMA device is looked at there. Settings of both that contradict each other are a member's.
bool is_of_wire(const FindingRow& row) {
    const auto lives = [](std::string_view key) { return row_of(find_field(key)->object).lives; };
    const auto on = [&](Lives where) {
        return std::ranges::find(row.needs.keys, where, lives) != row.needs.keys.end();
    };
    return on(Lives::hardware) &&
           (row.examines == CheckTarget::settings || !on(Lives::rdma_device));
}

/// A port, with what the host has for each of its ports, and a member with what its bond has.
Port with_others(const Port& port, const State& state, const Port* bond) {
    Port out = port;
    const Port* host = find_port(state, kHost);
    for (const ObjectRow* row : objects()) {
        if (row->read.of_each_port && host != nullptr) copy_part(row->object, *host, out);
        if (row->lives == Lives::rdma_device && bond != nullptr) copy_part(row->object, *bond, out);
    }
    return out;
}

class Examiner {
public:
    explicit Examiner(const Inquiry& inquiry)
        : inquiry_(inquiry),
          ports_(core::fabric_ports(*inquiry.now, inquiry.desired_values)),
          index_(*inquiry.now, ports_, inquiry.desired_values) {
        const EffectiveIntent usual = inferred_intent(ports_);
        usual_.emplace(nullptr, usual);
        for (const HostFabric& fabric : index_.fabrics().all()) {
            // What a fabric's own settings do not tell, those of the host's others may.
            const EffectiveIntent own = inferred_intent(fabric.ports);
            usual_.emplace(&fabric, own.by == IntentSource::guess ? usual : own);
        }
        if (const Port* host = find_port(*inquiry.now, kHost)) host_ = *host;
        if (inquiry.desired_values != nullptr)
            for (const Desired& desired : inquiry.desired_values->desired_values)
                desired_values_[desired.port].push_back(desired);
    }

    Examination examine() {
        Examination out;
        for (const Port* port : ports_) {
            out.ports.push_back(port->name);
            if (const Port* bond = evidence(*port).bond) out.bonds.emplace(port->name, bond->name);
        }
        for (const Port& port : inquiry_.now->ports)
            if (inquiry_.desired_values == nullptr && may_be_of_fabric(port) &&
                !index_.is_of_fabric(port.name))
                out.left_out.push_back(port.name);
        for (const FindingRow* row : doctor_rows()) {
            if (row->run == nullptr || !is_asked(*row, inquiry_)) continue;
            if (row->examines == CheckTarget::host)
                out.checks.push_back(run(*row, host_));
            else
                for (const Port* port : ports_)
                    out.checks.push_back(run(*row, *port));
        }
        if (is_asked(findings::settings_of_siblings, inquiry_))
            std::ranges::move(
                unlike_siblings(index_.fabrics(), inquiry_.desired_values, out.checks),
                std::back_inserter(out.checks));
        for (const HostFabric& fabric : index_.fabrics().all()) {
            ExaminedFabric& said = out.fabrics.emplace_back(ExaminedFabric{.name = fabric.name});
            for (const Port* port : fabric.ports)
                said.ports.push_back(port->name);
            for (const Destination& each : fabric.destinations)
                said.to.push_back(each.to);
        }
        if (inquiry_.desired_values != nullptr && is_asked(findings::drift, inquiry_)) {
            std::ranges::move(drift(*inquiry_.now, *inquiry_.desired_values, out.checks),
                              std::back_inserter(out.checks));
            out.unsupported = unsupported(*inquiry_.now, *inquiry_.desired_values);
        }
        for (Check& check : out.checks)
            if (is_found(check) && check.row->examines == CheckTarget::settings)
                check.follows = mended_by(check, out.checks);
        for (const Port* port : ports_)
            out.intents.emplace(port->name, roce(*port));
        accept(out, inquiry_);
        return out;
    }

private:
    /// Null for the host.
    [[nodiscard]] const HostFabric* host_fabric_of(const Port& port) const {
        return index_.is_of_fabric(port.name) ? &index_.fabrics().of(port) : nullptr;
    }

    const EffectiveIntent& roce(const Port& port) {
        const auto [at, fresh] = intents_.try_emplace(port.name);
        if (fresh)
            at->second =
                effective_intent(usual_.at(host_fabric_of(port)), desired_values_[port.name]);
        return at->second;
    }

    const Evidence& evidence(const Port& port) {
        const auto known = evidence_.find(&port);
        if (known != evidence_.end()) return known->second;
        const std::vector<Desired>& desired_values = desired_values_[port.name];
        const Port* before = inquiry_.before(port.name);
        Evidence fresh = {.driver = &driver_of(port),
                          .now = &port,
                          .before = before,
                          .seconds = inquiry_.seconds,
                          .set_down = inquiry_.times_set_down(port),
                          .state = inquiry_.now,
                          .roce = &roce(port),
                          .bond = roce_bond_of(*inquiry_.now, port, inquiry_.desired_values),
                          .fabric_ports = ports_,
                          .host_fabric = host_fabric_of(port),
                          .index = &index_,
                          .desired_values = desired_values};
        fresh.has_profile = inquiry_.desired_values != nullptr;
        if (fresh.has_profile) fresh.missing = inquiry_.desired_values->missing;
        return evidence_.emplace(&port, fresh).first->second;
    }

    Check run(const FindingRow& row, const Port& port) {
        Check check{.row = &row, .port = port.name};
        try {
            decide(check, evidence(port));
        } catch (const std::exception& error) {
            check.verdict = Verdict::crash;
            check.reason = error.what();
        }
        if (check.verdict == Verdict::fail || check.verdict == Verdict::warn)
            found_[port.name].insert(row.id);
        return check;
    }

    /// What was found before that leaves nothing to look for here.
    std::string_view unsound(const FindingRow& row, const std::string& port) {
        for (const std::string_view id : row.needs.sound)
            for (const std::string& place : {port, std::string(kHost)})
                if (found_[place].contains(id)) return id;
        return {};
    }

    /// The lines that bring what the value cannot be read without.
    std::vector<std::string> opening(const Field& field, const Evidence& evidence) const {
        const Port& port = *holder(field, evidence);
        const std::string_view needs = row_of(field.object).read.needs;
        if (needs.empty() || opened(port, field.object) != false) return {};
        const std::vector<Desired> desired_values = {
            {.port = port.name, .field = find_field(needs), .value = Value(true)}};
        return fixing_commands(*evidence.state, desired_values);
    }

    /// Several rows need what one collection holds, and each port what the host does.
    const std::optional<Finding>& unread_of(const Field& field, const Evidence& evidence) {
        const Port* port = holder(field, evidence);
        const auto [at, fresh] = unread_.try_emplace({port, &field});
        if (fresh) at->second = unread(field, *port);
        return at->second;
    }

    void decide(Check& check, const Evidence& evidence) {
        const FindingRow& row = *check.row;
        if (evidence.bond != nullptr && !is_of_wire(row)) {
            check.verdict = Verdict::skip;
            check.reason =
                "it is looked for on " + evidence.bond->name + ", the bond that has RoCE";
            return;
        }
        if (const std::string_view id = unsound(row, check.port); !id.empty()) {
            check.verdict = Verdict::skip;
            check.reason = std::string(id) + " was found";
            return;
        }
        if (row.needs.before && evidence.before == nullptr) {
            check.verdict = Verdict::skip;
            check.reason = "it takes two readings: --window or --since";
            return;
        }
        for (const std::string_view key : row.needs.keys)
            if (const auto& why = unread_of(*find_field(key), evidence)) {
                // A snapshot without the host says nothing of it: there is nothing to look at.
                const bool of_host = row_of(find_field(key)->object).lives == Lives::host;
                const bool could_be = why->level == FindingLevel::unknown &&
                                      !(of_host && why->id == findings::unrecorded);
                check.verdict = could_be ? Verdict::unknown : Verdict::skip;
                check.reason = why->cause;
                if (!could_be) continue;
                check.opened_by = opening(*find_field(key), evidence);
                return;
            }
        if (check.verdict == Verdict::skip || !is_named(check, evidence) ||
            !is_measured(check, evidence) || !is_known_of_senders(check, evidence))
            return;
        judge(check, evidence);
    }

    /// What is refused of a bond or a VLAN that sends by the port's device: unknown.
    bool is_known_of_senders(Check& check, const Evidence& evidence) {
        if (!check.row->needs.of_senders) return true;
        Evidence of_it = evidence;
        for (const Port* sender : senders_of(evidence)) {
            of_it.now = sender;
            for (const std::string_view key : check.row->needs.keys) {
                const auto& refused = unread_of(*find_field(key), of_it);
                if (!refused || refused->level != FindingLevel::unknown) continue;
                check.verdict = Verdict::unknown;
                check.reason = sender->name + ": " + refused->cause;
                return false;
            }
        }
        return true;
    }

    /// What is looked at by name is not there, or was not asked for: skipped.
    static bool is_named(Check& check, const Evidence& evidence) {
        const Needs& needs = check.row->needs;
        if (needs.named.empty()) return true;
        const Field& field = *find_field(needs.keys.front());
        const Elements had = field.get(*holder(field, evidence)).value_or(Elements{});
        if (std::ranges::any_of(needs.named,
                                [&](std::string_view name) { return had.find(name) != had.end(); }))
            return true;
        check.verdict = Verdict::skip;
        check.reason = "no " + element_name(field, std::string(needs.named.front())) + " is known";
        return false;
    }

    /// What its counters are read of is refused, or what its driver counts is not known: unknown.
    /// There is none of them: skipped.
    bool is_measured(Check& check, const Evidence& evidence) {
        const Needs& needs = check.row->needs;
        const auto why = needs.meters.empty() ? std::nullopt : unmeasured(evidence, needs.meters);
        if (!why) return true;
        check.verdict = why->unknown ? Verdict::unknown : Verdict::skip;
        check.reason = why->why;
        for (const std::string_view key : needs.beside)
            if (const auto& refused = unread_of(*find_field(key), evidence);
                refused && refused->level == FindingLevel::unknown) {
                check.verdict = Verdict::unknown;
                check.reason = refused->cause;
            }
        return false;
    }

    void judge(Check& check, Evidence evidence) {
        const FindingRow& row = *check.row;
        Port whole;
        if (row.examines == CheckTarget::settings) {
            whole = with_others(*evidence.now, *evidence.state, evidence.bond);
            evidence.now = &whole;
        }
        auto faults = row.examines == CheckTarget::settings ? core::examine(row, evidence)
                                                            : std::optional(row.run(evidence));
        if (!faults) {
            check.verdict = Verdict::skip;
            check.reason = "the device places it as it likes";
            return;
        }
        for (Fault& fault : *faults) {
            fault.row = &row;
            if (fault.remedy.empty()) fault.remedy = row.remedy;
        }
        check.faults = std::move(*faults);
        if (check.faults.empty()) return;
        const bool slight = std::ranges::all_of(check.faults, &Fault::slight);
        check.verdict =
            row.level == FindingLevel::failure && !slight ? Verdict::fail : Verdict::warn;
    }

    static bool is_found(const Check& check) {
        return check.verdict == Verdict::fail || check.verdict == Verdict::warn;
    }

    /// Whether the check of settings finds nothing once the port has what fixes these.
    bool passes_with(const Check& check, const std::vector<const Check*>& mended) {
        const Port* port = find_port(*inquiry_.now, check.port);
        if (port == nullptr) return false;
        Evidence then = evidence(*port);
        Port whole = with_others(*port, *then.state, then.bond);
        for (const Check* each : mended)
            for (const Fault& fault : each->faults)
                for (const Desired& fix : fault.fix)
                    if (fix.port == check.port)
                        set_element(whole, *fix.field, with_element(fix).element, fix.value);
        then.now = &whole;
        const auto faults = core::examine(*check.row, then);
        return faults && faults->empty();
    }

    /// The rows of what was found on the port that mend what the check found: each that does by
    /// itself, else those without which all of them together do not.
    std::set<std::string_view> mended_by(const Check& check, const std::vector<Check>& all) {
        std::vector<const Check*> others;
        for (const Check& other : all)
            if (is_found(other) && other.port == check.port &&
                other.row->examines == CheckTarget::port &&
                std::ranges::any_of(other.faults, [&](const Fault& fault) {
                    return std::ranges::any_of(
                        fault.fix, [&](const Desired& fix) { return fix.port == check.port; });
                }))
                others.push_back(&other);
        std::set<std::string_view> out;
        for (const Check* other : others)
            if (passes_with(check, {other})) out.insert(other->row->id);
        if (!out.empty() || others.size() < 2 || !passes_with(check, others)) return out;
        for (const Check* other : others) {
            std::vector<const Check*> rest = others;
            std::erase(rest, other);
            if (!passes_with(check, rest)) out.insert(other->row->id);
        }
        return out;
    }

    const Inquiry& inquiry_;
    std::vector<const Port*> ports_;
    HostIndex index_;
    Port host_{kHost};
    std::map<std::string, std::vector<Desired>> desired_values_{};
    /// Of each fabric, and of the host at null.
    std::map<const HostFabric*, EffectiveIntent> usual_{};
    std::map<std::string, EffectiveIntent> intents_{};
    std::map<const Port*, Evidence> evidence_{};
    std::map<std::pair<const Port*, const Field*>, std::optional<Finding>> unread_{};
    std::map<std::string, std::set<std::string_view>> found_{};
};

}  // namespace

std::string_view word(Verdict verdict) {
    return kVerdicts.at(static_cast<std::size_t>(verdict));
}

bool follows_from(const Check& one, const FindingRow& cause) {
    const auto& explained = cause.cause.explains;
    return one.follows.contains(cause.id) ||
           std::ranges::find(explained, one.row->id) != explained.end();
}

Examination examine_host(const Inquiry& inquiry) {
    return Examiner(inquiry).examine();
}

}  // namespace core
