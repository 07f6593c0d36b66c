// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// The most writes of one object of one port in a plan: the first write, a second after another
/// step undid it, and a third after side effects of the second.
constexpr unsigned kWritesPerObject = 3;

}  // namespace

Planner::Planner(const DesiredState& desired_values, State state, Force force)
    : desired_values_(desired_values.desired_values), force_(std::move(force)) {
    plan_.ports = desired_values.ports;
    plan_.findings = desired_values.findings;
    plan_.before = std::move(state);
    predicted_ = plan_.before;
    for (const std::string& port : plan_.ports) {
        ranks_.try_emplace(port, ranks_.size());
        stale_.insert(port);
    }
    for (std::size_t i = 0; i < desired_values_.size(); ++i)
        index_.add(desired_values_[i]);
    abandoned_.resize(desired_values_.size(), false);
    for (const Exact& exact : desired_values.exact)
        expand_exact(exact);
    add_moves();
    for (const ObjectRow* row : objects())
        if (row->chosen_by.intent != nullptr)
            for (const std::string& name : plan_.ports)
                add_of_intent(*row, name);
}

/// Adds what the intent needs of an object that the profile says nothing of, as the port tells.
void Planner::add_of_intent(const ObjectRow& row, const std::string& name) {
    const Port* now = find_port(predicted_, name);
    if (now == nullptr) return;
    Port then = *now;
    std::optional<Origin> origin;
    for (const std::size_t i : index_.of(name)) {
        const Desired& desired = desired_values_[i];
        if (desired.field->object == row.object) return;
        if (std::ranges::find(row.order.consults, desired.field->object) ==
            row.order.consults.end())
            continue;
        if (!desired.origin.derived_from.empty()) origin = desired.origin;
        if (desired.value) set_element(then, *desired.field, desired.element, *desired.value);
    }
    if (!origin) return;
    for (auto& [key, value] : row.chosen_by.intent(driver_of(*now), *now, then))
        add_desired({.port = name,
                     .field = find_field(key),
                     .element = {},
                     .value = std::move(value),
                     .origin = *origin});
}

void Planner::add_desired(Desired desired) {
    desired_values_.add(std::move(desired));
    index_.add(desired_values_[desired_values_.size() - 1]);
    abandoned_.push_back(false);
}

/// Adds the desired absence of every element that is there and not desired, but those of a daemon.
void Planner::expand_exact(const Exact& exact) {
    const Port* port = find_port(predicted_, exact.port);
    if (port == nullptr) return;
    const Reading now = *port;
    for (const auto& [element, value] : now.elements(*exact.field).value_or(Elements{})) {
        if (exact.only && !(value == *exact.only)) continue;
        if (is_desired(exact.port, *exact.field, element)) continue;
        if (made_by_daemon(now, *exact.field, element)) continue;
        add_desired({.port = exact.port,
                     .field = exact.field,
                     .element = element,
                     .value = std::nullopt,
                     .origin = exact.origin});
    }
}

/// Adds the desired absence of what is stated for one port of the plan, which does not have it yet,
/// and is on another of its ports, which is not to have it: it moves. Where the port has it, what
/// another has beside is nobody's loss: the kernel takes an address, and by `ip route append` a
/// route, on two ports.
void Planner::add_moves() {
    std::map<std::pair<const Field*, std::string>, std::size_t> stated;
    Readings readings(predicted_);
    for (std::size_t i = 0; i < desired_values_.size(); ++i) {
        const Desired& desired = desired_values_[i];
        if (!row_of(desired.field->object).at_one_port || !desired.value ||
            !is_collection(desired.field->shape) || is_undo_profile(desired.origin))
            continue;
        const Reading* now = readings.find(desired.port);
        if (now == nullptr || now->element(*desired.field, desired.element) == nullptr)
            stated.try_emplace({desired.field, desired.element}, i);
    }
    std::set<const Field*> of;
    for (const auto& [key, index] : stated)
        of.insert(key.first);
    for (const std::string& name : plan_.ports) {
        const Port* port = find_port(predicted_, name);
        if (port == nullptr || of.empty()) continue;
        const Reading now = *port;
        for (const Field& field : fields()) {
            if (!of.contains(&field)) continue;
            for (const auto& [element, value] : now.elements(field).value_or(Elements{})) {
                const auto found = stated.find({&field, element});
                if (found == stated.end() || is_desired(name, field, element) ||
                    made_by_kernel(now, field, element))
                    continue;
                Desired desired = desired_values_[found->second];
                moves_.push_back(
                    {.from = name, .to = desired.port, .field = &field, .element = element});
                desired.port = name;
                desired.value.reset();
                desired.accepted.clear();
                add_desired(std::move(desired));
            }
        }
    }
    report_moves();
}

/// One sentence for each two ports between which something moves.
void Planner::report_moves() {
    std::map<std::pair<std::string, std::string>, std::vector<const Move*>> between;
    for (const Move& move : moves_)
        between[std::minmax(move.from, move.to)].push_back(&move);
    for (const auto& [ports, all] : between) {
        const Move& first = *all.front();
        const auto back = std::ranges::find_if(all, [&](const Move* move) {
            return move->field == first.field && move->from == first.to;
        });
        const std::string key(first.field->key);
        Finding finding{.id = findings::moved, .port = first.to, .key = key};
        if (back == all.end()) {
            finding.element = first.element;
            finding.text = first.element + " is on " + first.from + ", and moves here";
        } else {
            finding.text = "the " + key + " of this port and of " + first.from +
                           " are exchanged, or their cables are: " + first.element +
                           " moves here, and " + (*back)->element + " there";
            finding.remedy =
                "where the cables are exchanged, these, or the two values in the variables";
        }
        plan_.findings.push_back(std::move(finding));
    }
}

bool Planner::is_desired(const std::string& port, const Field& field,
                         const std::string& element) const {
    return index_.contains(port, field, element);
}

/// Whether the value was restored and then became unreadable, because the plan also turned off the
/// flag that its object needs. The host is then as before, and reading it would take a write.
bool Planner::written_then_hidden(const Port& port, const Desired& desired) const {
    const std::string_view needs = row_of(desired.field->object).read.needs;
    const Object object = desired.field->object;
    // Without its kernel module the configfs directory is missing too.
    const bool hidden = port.unknown.contains(object) ||
                        (port.refused.contains(object) && opened(port, object) == false);
    if (needs.empty() || !hidden) return false;
    return std::ranges::any_of(index_.of(desired.port), [&](std::size_t i) {
        return desired_values_[i].field->key == needs && desired_values_[i].value == Value(false);
    });
}

bool Planner::forced(const Desired& desired) const {
    return !force_.empty() && force_.contains({desired.port, desired.field->object});
}

bool Planner::met(const Reading& now, std::size_t index) const {
    const Desired& desired = desired_values_[index];
    return !forced(desired) && (holds(now, desired) || written_then_hidden(now.port(), desired));
}

/// Which of the port's desired values are met, by position; null if the port has changed since it
/// was examined.
const std::vector<bool>* Planner::known_of(const std::string& port) const {
    const auto looked = examined_.find(port);
    return looked == examined_.end() || stale_.contains(port) ? nullptr : &looked->second.met;
}

/// Whether the step makes a met desired value unmet, or a reachable one unreachable.
bool Planner::harms(const Reading& now, const Reading& then, const Parts& changed,
                    Object object) const {
    const std::vector<std::size_t>& own = index_.of(now.port().name);
    const std::vector<bool>* known = known_of(now.port().name);
    for (std::size_t nth = 0; nth < own.size(); ++nth) {
        const Desired& desired = desired_values_[own[nth]];
        if (abandoned_[own[nth]] || forced(desired)) continue;
        const Object where = desired.field->object;
        if (!is_in(changed, *desired.field) && depends_on_part_only(desired)) continue;
        const bool held =
            known != nullptr && nth < known->size() ? (*known)[nth] : met(now, own[nth]);
        if (held && !met(then, own[nth])) return true;
        const bool hidden =
            then.port().unknown.contains(where) && !now.port().unknown.contains(where);
        if (!held && hidden && reachable(now, desired) && where != object) return true;
    }
    return false;
}

bool Planner::breaks_rule(const Port& port, const Step& step, const Port& then) const {
    const auto refuses = row_of(step.object).refuses;
    return refuses != nullptr && refuses(driver_of(port), port, then);
}

/// Plays the step if `care` allows it. Takes it back and returns false where it harms other desired
/// values or changes nothing.
bool Planner::try_take(Candidate& candidate, Care care) {
    const bool sees_others = row_of(candidate.step.object).sees_others;
    if (!sees_others) candidate.in_vain = care;
    const auto key = std::tuple(candidate.step.port, candidate.step.object, candidate.removal);
    if (taken_[key] >= kWritesPerObject) return false;
    const Port& port = *find_port(predicted_, candidate.step.port);
    const Port before = port;
    const Port then = target(before, candidate.step);
    if (care != Care::may_break_rule && breaks_rule(before, candidate.step, then)) return false;
    Played played = play(predicted_, candidate.step, then);
    if (played.refusal) {
        if (played.by_port) candidate.in_vain = care;
        return false;
    }
    Reading after = port;
    const Parts changed = changed_parts(before, port);
    const Object object = candidate.step.object;
    const auto lasts = [&](const Change& change) { return takes_effect(after, change); };
    const auto harmed = [&](const Port& other) {
        const Port& is = *find_port(predicted_, other.name);
        return harms(other, is, changed_parts(other, is), object);
    };
    bool worth = care != Care::careful || (!harms(before, after, changed, object) &&
                                           std::ranges::none_of(played.touched, harmed));
    if (worth) {
        const bool asked_for = force_.erase({port.name, object}) > 0;
        if (asked_for) stale_.insert(port.name);
        worth = std::ranges::any_of(candidate.step.changes, lasts) && (asked_for || changed.any());
    }
    if (!worth) {
        take_back(predicted_, before, std::move(played.touched));
        return false;
    }
    // From here on the candidate is used up: the port will be examined again.
    Step step = std::move(candidate.step);
    std::erase_if(step.changes, std::not_fn(lasts));
    if (care == Care::may_break_rule) report_rule(before, step, then);
    report_remark(before, step, then);
    step.irreversible = report_irreplaceable(before, after, changed, step);
    for (const Port& other : played.touched)
        if (const Port* now = find_port(predicted_, other.name))
            step.irreversible =
                report_irreplaceable(other, *now, changed_parts(other, *now), step) ||
                step.irreversible;
    ++taken_[key];
    run_later(step.port, care == Care::careful);
    for (const Port& other : played.touched)
        run_later(other.name, care == Care::careful);
    if (row_of(step.object).names_ports) forget_kept(played.touched);
    if (ends_stage(before, step)) staged_.insert(step.port);
    const auto awaits = row_of(step.object).lifecycle.awaits_device;
    if (awaits != nullptr && !awaits(predicted_, port).empty()) awaiting_.insert(step.port);
    keep_what_was_lost(before, after, changed, step);
    plan_.steps.push_back(std::move(step));
    reading_ = std::move(after);
    return true;
}

/// Notes that a step changed the port. A harmless step left met desired values met.
void Planner::run_later(const std::string& port, bool harmless) {
    if (port == kHost) loaded_ = modules::loaded(plan_.before, predicted_);
    const bool fresh = stale_.insert(port).second;
    if (const auto looked = examined_.find(port); looked != examined_.end())
        looked->second.kept = harmless && fresh;
}

/// Reports the rule that the step breaks, when no order of steps keeps it.
void Planner::report_rule(const Port& port, const Step& step, const Port& then) {
    const ObjectRow& row = row_of(step.object);
    if (row.refuses == nullptr) return;
    if (const auto reason = row.refuses(driver_of(port), port, then))
        plan_.findings.push_back({.id = findings::rule,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = *reason + "; the device takes the write all the same"});
}

void Planner::report_remark(const Port& port, const Step& step, const Port& then) {
    const ObjectRow& row = row_of(step.object);
    if (row.words.remarks == nullptr) return;
    if (auto remark = row.words.remarks(driver_of(port), predicted_.host, port, then))
        plan_.findings.push_back({.id = findings::remark,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = std::move(*remark)});
}

bool Planner::take_with_care() {
    for (auto order = open_.begin(); order != open_.end();) {
        Candidate& candidate = waiting_.at(*order);
        complete(candidate);
        if (try_take(candidate, Care::careful)) return true;
        order = candidate.in_vain ? open_.erase(order) : std::next(order);
    }
    return false;
}

bool Planner::take_one() {
    if (take_with_care()) return true;
    for (const Care care : {Care::may_undo, Care::may_break_rule})
        for (auto& [order, candidate] : waiting_) {
            if (candidate.in_vain >= care) continue;
            complete(candidate);
            if (try_take(candidate, care)) return true;
        }
    return false;
}

/// The host counts as gone only if something of it is desired: otherwise it is not read.
void Planner::report_gone() {
    for (const std::string& name : plan_.ports) {
        if (find_port(predicted_, name) != nullptr) continue;
        if (name == kHost && index_.of(name).empty()) continue;
        plan_.findings.push_back({.id = findings::gone, .port = name, .text = "the port is gone"});
    }
}

Plan Planner::plan(bool to_first_step) {
    report_gone();
    leave_external();
    look_at_facts();
    while (true) {
        look_again();
        if (waiting_.empty()) break;
        if (!take_one()) give_up();
        if (to_first_step && !plan_.steps.empty()) return std::move(plan_);
    }
    for (const std::string& name : staged_)
        report_stage(name);
    for (const std::string& name : awaiting_)
        if (!staged_.contains(name)) report_awaited(name);
    report_modules();
    report_unmet();
    plan_.predicted = std::move(predicted_);
    return std::move(plan_);
}

Plan make_plan(const DesiredState& desired_values, const State& state, const Force& force) {
    return Planner(desired_values, state, force).plan();
}

Plan begun_plan(const DesiredState& desired_values, const State& state) {
    return Planner(desired_values, state, {}).plan(true);
}

// Which steps could be taken next.

namespace {

/// `other`: the object that the step must come before on this driver, against the order of the
/// list.
int rank_of(const Step& step, std::optional<Object> other, bool removal) {
    const int rank = other ? static_cast<int>(*other) * 2 - 1 : static_cast<int>(step.object) * 2;
    return removal ? -rank : rank;
}

/// The first object that belongs to ports. The host's objects before it are written before any
/// port.
Object first_of_ports() {
    const auto found = std::ranges::find_if(
        objects(), [](const ObjectRow* row) { return row->lives != Lives::host; });
    return (*found)->object;
}

/// The order among ports: first the host's objects that come before ports, then port by port, last
/// the host's other objects (rules lead packets to routes of all ports). Removals go the other way,
/// and modules are unloaded last, after what came with them was restored.
std::size_t rank_among(std::size_t ports, std::size_t place, const Step& step, bool removal) {
    if (step.port == kHost && step.object < first_of_ports()) return removal ? ports + 2 : 0;
    if (step.port == kHost) return removal ? 0 : ports + 1;
    return place + 1;
}

/// Removing an element of a list is a step of its own, so that it can be taken before or after the
/// additions. For other objects the edits put removals and additions in order.
bool is_removal(const Desired& desired) {
    return !desired.value &&
           (desired.field->shape.kind == Shape::Kind::items ||
            desired.field->shape.kind == Shape::Kind::record ||
            (desired.element.empty() && row_of(desired.field->object).lifecycle.unmade != nullptr));
}

}  // namespace

/// Adds a desired value for the flag that makes the object readable, once per port.
void Planner::need(const Desired& desired) {
    const std::string_view needs = row_of(desired.field->object).read.needs;
    if (needs.empty()) return;
    const Field* field = find_field(needs);
    if (is_desired(desired.port, *field, "")) return;
    Origin origin = desired.origin;
    origin.other = "needed for " + std::string(desired.field->key);
    add_desired({.port = desired.port,
                 .field = field,
                 .element = "",
                 .value = Value(true),
                 .origin = origin,
                 .optional = desired.optional});
}

/// Groups unmet desired values whose objects can be written into candidate steps, for the ports in
/// `stale_` only.
void Planner::look_again() {
    std::vector<std::string> ports;
    for (const std::string& port : stale_)
        if (ranks_.contains(port)) ports.push_back(port);
    stale_.clear();
    // In the plan's order, because examining a port may add a desired value.
    std::ranges::sort(ports, {}, [&](const std::string& port) { return ranks_.at(port); });
    for (const std::string& port : ports) {
        const Examined before = std::exchange(examined_[port], {});
        for (const CandidateOrder& order : before.orders) {
            waiting_.erase(order);
            open_.erase(order);
        }
        std::vector<CandidateOrder> orders;
        for (Candidate& candidate :
             candidates_of(port, before.kept ? before.met : std::vector<bool>{})) {
            const CandidateOrder order{candidate.port_rank, candidate.removal ? 0 : 1,
                                       candidate.order, ranks_.at(port), orders.size()};
            waiting_.emplace(order, std::move(candidate));
            open_.insert(open_.end(), order);
            orders.push_back(order);
        }
        examined_[port].orders = std::move(orders);
    }
}

/// Valid until the next call.
Reading& Planner::reading_of(const Port& port) {
    if (!reading_ || &reading_->port() != &port) reading_.emplace(port);
    return *reading_;
}

/// `kept`: which desired values are known to be still met.
std::vector<Candidate> Planner::candidates_of(const std::string& name,
                                              const std::vector<bool>& kept) {
    std::map<std::pair<Object, bool>, Candidate> steps;
    const Port* port = find_port(predicted_, name);
    if (port == nullptr || staged_.contains(name)) return {};
    const Reading& now = reading_of(*port);
    std::vector<bool> known;
    // Grows in the loop when a desired value needs another one.
    const std::vector<std::size_t>& own = index_.of(name);
    for (std::size_t nth = 0; nth < own.size(); ++nth) {
        const std::size_t i = own[nth];
        known.push_back((nth < kept.size() && kept[nth]) || met(now, i));
        if (abandoned_[i] || known.back()) continue;
        const Object object = desired_values_[i].field->object;
        if (!reachable(now, desired_values_[i]) || row_of(object).play == nullptr) continue;
        if (comes_with_module(now, desired_values_[i])) continue;
        if (!row_of(object).read.needs.empty() && port->unknown.contains(object)) {
            need(Desired(desired_values_[i]));
            if (!opened(*port, object).value_or(false)) continue;
        }
        const bool removal = is_removal(desired_values_[i]);
        Candidate& candidate = steps[{object, removal}];
        candidate.removal = removal;
        candidate.desired_values.push_back(i);
    }
    examined_[name].met = std::move(known);
    std::vector<Candidate> out;
    for (auto& [key, candidate] : steps) {
        candidate.step.port = name;
        candidate.step.object = key.first;
        candidate.port_rank =
            rank_among(plan_.ports.size(), ranks_.at(name), candidate.step, candidate.removal);
        order(now, candidate);
        out.push_back(std::move(candidate));
    }
    return out;
}

/// Computes the candidate's place among those of its port. Its changes are computed here only if
/// the place depends on them, or on who the bond's members are now.
void Planner::order(const Reading& now, Candidate& candidate) const {
    const ObjectRow& row = row_of(candidate.step.object);
    const auto filled = [&] {
        if (!candidate.filled) fill(now, candidate);
    };
    if (!row.of_members.empty() &&
        !written_along(predicted_, now.port().name, row.object, {row.of_members}).empty())
        filled();
    std::optional<Object> other;
    if (row.order.goes_before != nullptr)
        other = row.order.goes_before(driver_of(now.port()), [&] {
            filled();
            return target(now.port(), candidate.step);
        });
    candidate.order = rank_of(candidate.step, other, candidate.removal);
}

/// Computes the candidate's changes. What they depend on has not changed since the port was
/// examined.
void Planner::complete(Candidate& candidate) {
    if (!candidate.filled) fill(reading_of(*find_port(predicted_, candidate.step.port)), candidate);
}

namespace {

/// Whether nothing but the names of RDMA devices changes in what is there.
bool only_renames(const std::vector<Change>& changes) {
    return std::ranges::all_of(changes, [](const Change& change) {
        const auto* before = change.before ? std::get_if<Record>(&*change.before) : nullptr;
        const auto* after = change.after ? std::get_if<Record>(&*change.after) : nullptr;
        if (before == nullptr || after == nullptr) return false;
        Record renamed = *before;
        for (const RecordPart& part : change.field->shape.parts)
            if (const auto name = after->find(part.name);
                part.shape.names == Shape::Names::rdma_device && name != after->end())
                renamed[part.name] = name->second;
        return renamed == *after;
    });
}

/// Who has queue pairs on a device that is taken away loses them as with the link.
bool takes_device_away(const Port& now, const Step& step) {
    const auto takes_away = row_of(step.object).lifecycle.takes_device_away;
    return takes_away != nullptr && takes_away(now) && !only_renames(step.changes);
}

}  // namespace

/// Computes a step's changes: its unmet desired values, and others of the object that are written
/// along with them.
void Planner::fill(const Reading& now, Candidate& candidate) const {
    const Port& port = now.port();
    const bool unknown = port.unknown.contains(candidate.step.object) ||
                         uncertainty_of(port, candidate.step.object) != Uncertainty::none;
    for (const std::size_t i : index_.of(port.name)) {
        const Desired& desired = desired_values_[i];
        if (desired.field->object != candidate.step.object) continue;
        if (is_removal(desired) != candidate.removal || abandoned_[i]) continue;
        const bool asked = std::ranges::binary_search(candidate.desired_values, i);
        if (!asked && comes_with_module(now, desired)) continue;
        std::optional<Value> before = element_of(now, *desired.field, desired.element);
        std::optional<Value> after = desired.value;
        if (after) after = canonical(desired.field->shape, *after);
        if (!asked && (before == after || holds(now, desired)) && desired.field->same == nullptr)
            continue;
        if (!asked && (before == after || !is_recorded(now, *desired.field, desired.element)))
            continue;
        candidate.step.changes.push_back({.field = desired.field,
                                          .element = desired.element,
                                          .before = unknown ? std::nullopt : before,
                                          .after = after,
                                          .before_unknown = unknown,
                                          .origin = desired.origin});
    }
    std::set<std::string_view> keys;
    for (const Change& change : candidate.step.changes)
        keys.insert(change.field->key);
    candidate.step.disruption = disruption_in(predicted_, port, candidate.step.object, keys);
    if (takes_device_away(port, candidate.step))
        candidate.step.disruption = std::max(candidate.step.disruption, Disruption::link);
    candidate.filled = true;
}

// What a step removes from other objects than its own.

namespace {

/// Start of Origin::other for desired values that put back what a step removes.
constexpr std::string_view kKept = "kept: ";

}  // namespace

/// A port that joins a bond no longer needs what would have been put back on it.
void Planner::forget_kept(const std::vector<Port>& ports) {
    for (std::size_t i = 0; i < desired_values_.size(); ++i)
        for (const Port& port : ports)
            if (desired_values_[i].port == port.name &&
                desired_values_[i].origin.other.starts_with(kKept))
                abandoned_[i] = true;
}

/// Adds desired values for list elements that the step removed as a side effect, unless somebody
/// desires them or their absence: addresses and routes of a port that its driver closes and opens.
void Planner::keep_what_was_lost(const Reading& was, const Reading& now, const Parts& changed,
                                 const Step& step) {
    for (const Field& field : fields()) {
        const bool list = field.shape.kind == Shape::Kind::items;
        if (field.use != Field::Use::setting || !list || field.object == step.object ||
            !is_in(changed, field))
            continue;
        const std::optional<Elements>& left = now.elements(field);
        if (!left) continue;  // a deleted port keeps nothing
        const std::optional<Elements>& old = was.elements(field);
        if (!old) continue;
        for (const auto& [element, value] : *old) {
            if (left->contains(element) || made_by_kernel(was, field, element) ||
                is_desired(step.port, field, element))
                continue;
            const auto goes_with = row_of(field.object).lifecycle.goes_with;
            const auto why = goes_with == nullptr
                                 ? std::nullopt
                                 : goes_with(step.object, was.port(), now.port(), value);
            if (why) {
                plan_.findings.push_back({.id = findings::goes_with_address,
                                          .port = step.port,
                                          .key = std::string(field.key),
                                          .element = element,
                                          .text = text(value) + ' ' + *why});
                continue;
            }
            add_desired(
                {.port = step.port,
                 .field = &field,
                 .element = element,
                 .value = value,
                 .origin = {.other = std::string(kKept) + "the change of " +
                                     std::string(row_of(step.object).name) + " takes it away"},
                 .optional = true});
        }
    }
}

/// Whether the step changes something of the port that rocectl cannot put back. Adds a finding for
/// each. What goes back loses nothing for good that was there before.
bool Planner::report_irreplaceable(const Reading& before, const Reading& after,
                                   const Parts& changed, const Step& step) {
    bool any = false;
    const bool goes_back = std::ranges::all_of(
        step.changes, [](const Change& change) { return is_undo_profile(change.origin); });
    const auto report = [&](std::string_view key, const std::string& element, std::string text) {
        any = true;
        plan_.findings.push_back({.id = findings::irreplaceable,
                                  .port = before.port().name,
                                  .key = std::string(key),
                                  .element = element,
                                  .text = std::move(text)});
    };
    const Port* first = find_port(plan_.before, before.port().name);
    const Port& original = first == nullptr ? before.port() : *first;
    for (const ObjectRow* row : objects()) {
        const auto lost_for_good = row->lifecycle.lost_for_good;
        if (lost_for_good == nullptr || goes_back) continue;
        if (!changed[static_cast<std::size_t>(row->object)]) continue;
        for (std::string& text : lost_for_good(original, before.port(), after.port()))
            report(row->name, "", std::move(text));
    }
    for (const Field& field : fields()) {
        if (!field.irreplaceable || !is_in(changed, field)) continue;
        const std::optional<Elements>& was = before.elements(field);
        if (!was) continue;
        for (const auto& [element, value] : *was) {
            if (after.element(field, element) != nullptr || made_by_kernel(before, field, element))
                continue;
            report(field.key, element, element + " goes, and rocectl cannot put it back");
        }
    }
    return any;
}

// Desired values that are planned after a stage: after a reload, a new bond, or the loading of a
// module.

/// Whether the desired value's element is missing and may come with a module that the plan loads.
/// Which module brings a kernel parameter is not known; the NIC's RDMA module brings its RDMA
/// device.
bool Planner::comes_with_module(const Reading& now, const Desired& desired) const {
    const ObjectRow& row = row_of(desired.field->object);
    const Port& port = now.port();
    if (loaded_.empty()) return false;
    if (row.lifecycle.with_module != nullptr)
        return now.element(*desired.field, desired.element) == nullptr &&
               is_recorded(now, *desired.field, desired.element) &&
               row.lifecycle.with_module(desired.element);
    return !rdma_link::has_device(port) && rdma_link::hangs_on_device(row) &&
           loaded_.contains(driver_of(port).rdma_software.module);
}

/// Whether the desired value is left for the plan after this stage. What needs the RDMA device may
/// come with it.
bool Planner::waits(const Reading& now, std::size_t index) const {
    const Desired& desired = desired_values_[index];
    if (comes_with_module(now, desired)) return true;
    const bool staged = staged_.contains(now.port().name);
    if (!staged && !awaiting_.contains(now.port().name)) return false;
    return rdma_link::hangs_on_device(row_of(desired.field->object)) ||
           (staged && reachable(now, desired));
}

std::size_t Planner::waiting_at(const Reading& now) const {
    std::size_t count = 0;
    for (const std::size_t i : index_.of(now.port().name))
        if (!abandoned_[i] && !met(now, i) && waits(now, i)) ++count;
    return count;
}

/// Reports what may come with the modules that the plan loads.
void Planner::report_modules() {
    if (loaded_.empty()) return;
    std::size_t count = 0;
    for (const std::string& name : plan_.ports) {
        const Port* port = find_port(predicted_, name);
        if (port == nullptr) continue;
        const Reading now = *port;
        for (const std::size_t i : index_.of(name))
            if (!abandoned_[i] && !met(now, i) && comes_with_module(now, desired_values_[i]))
                ++count;
    }
    if (count == 0) return;
    plan_.findings.push_back({.id = findings::stage,
                              .port = std::string(kHost),
                              .text = "what the modules bring cannot be foretold: apply loads them "
                                      "and then plans the rest, " +
                                      std::to_string(count) + " desired values"});
}

/// Reports what needs the RDMA device that the port gets by itself.
void Planner::report_awaited(const std::string& name) {
    const std::size_t count = waiting_at(*find_port(predicted_, name));
    if (count == 0) return;
    plan_.findings.push_back({.id = findings::stage,
                              .port = name,
                              .text = "the RDMA device comes by itself once the members are there, "
                                      "and cannot be foretold: apply waits for it and then plans "
                                      "the rest, " +
                                      std::to_string(count) + " desired values"});
}

/// Reports what is left for a port that cannot be predicted after a step.
void Planner::report_stage(const std::string& name) {
    const std::size_t count = waiting_at(*find_port(predicted_, name));
    plan_.findings.push_back({.id = findings::stage,
                              .port = name,
                              .text = "what the port is after the reload cannot be foretold: apply "
                                      "then plans the rest, " +
                                      std::to_string(count) +
                                      " desired values and what the reload took away"});
}

}  // namespace core
