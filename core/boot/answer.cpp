// SPDX-License-Identifier: Apache-2.0
#include "core/boot/answer.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/boot/barred.hpp"
#include "core/boot/stated.hpp"
#include "core/model/object.hpp"

namespace core::boot {
namespace {

using Kind = Answer::Kind;

bool holds_value(const Desired& desired, const Port& port, const Value& value) {
    const Field& field = *desired.field;
    const Shape& shape = field.shape.of != nullptr ? *field.shape.of : field.shape;
    return canonical(shape, *desired.value) == canonical(shape, value) ||
           (field.same != nullptr && field.same(port, *desired.value, value));
}

std::string restored_by(const Said& said) {
    return "set again at boot by " + place(said);
}

Answer of_one(const Desired& desired, const Port& port, const Stated& stated) {
    const Said& said = *stated.said;
    if (!said.unsure.empty()) return {Kind::unknown, said.unsure};
    const std::string where = place(said);
    const std::string program(said.program == BootProgram::services
                                  ? std::string_view(said.key)
                                  : program_of(said.program).name);
    if (stated.at->key == kByDhcp)
        return {Kind::unknown,
                where + " has " + program + " take what a DHCP server says, which may be another"};
    if (!stated.at->compared)
        return {Kind::unknown, where + " has " + program + " set it, to what is not compared"};
    if (!stated.value)
        return {Kind::unknown, where + " says '" + said.value + "', which is not understood"};
    if (desired.value && holds_value(desired, port, *stated.value))
        return {Kind::restored, restored_by(said)};
    return {Kind::overwritten,
            where + " says " + text(*stated.value) + ", and " + program + " sets that at boot"};
}

/// Of an element of a list: any line may bring it.
std::optional<Answer> of_list(const Desired& desired, const Port& port,
                              const std::vector<Stated>& all) {
    std::optional<Answer> doubtful;
    for (const Stated& stated : all) {
        if (!stated.said->unsure.empty() || !stated.at->compared) {
            doubtful = of_one(desired, port, stated);
        } else if (stated.value &&
                   identity(desired.field->shape, *stated.value) == desired.element) {
            return of_one(desired, port, stated);
        }
    }
    return doubtful;
}

/// Of a value of which the larger of several counts. What is only the default of ports may come too
/// late for one.
std::optional<Answer> of_joint(const Desired& desired, const Port& port,
                               const std::vector<Stated>& all) {
    const Stated* largest = nullptr;
    const auto is_default = [](const Stated& one) {
        return one.at->key.find("/default/") != std::string_view::npos;
    };
    for (const Stated& stated : all) {
        if (!stated.value || !stated.said->unsure.empty()) return of_one(desired, port, stated);
        const bool larger = largest == nullptr || *largest->value < *stated.value;
        const bool surer = largest != nullptr && *largest->value == *stated.value;
        if (larger || surer) largest = &stated;
    }
    if (largest == nullptr || !is_default(*largest)) return of_one(desired, port, *largest);
    return Answer{Kind::unknown, place(*largest->said) + " is for ports that appear after it"};
}

std::optional<Answer> of_files(const Desired& desired, const Port& port,
                               const std::vector<Stated>& all) {
    if (all.empty()) return std::nullopt;
    if (desired.field->shape.kind == Shape::Kind::items) return of_list(desired, port, all);
    if (all.front().at->joint) return of_joint(desired, port, all);
    // Of programs that act one after the other the last one counts. Those of the network act at no
    // time that is known: they have to agree.
    const BootProgram last = all.back().said->program;
    std::optional<Answer> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Stated& stated = all[i];
        const BootProgram program = stated.said->program;
        if (program != last && !program_of(program).late) continue;
        const bool overruled = i + 1 < all.size() && all[i + 1].said->program == program &&
                               stated.said->unsure.empty();
        if (overruled) continue;
        const Answer answer = of_one(desired, port, stated);
        if (!out || answer.kind != Kind::restored) out = answer;
        if (answer.kind != Kind::restored) return out;
    }
    return out;
}

/// What of networkd.conf(5) leaves them to others.
constexpr std::string_view kKeepsRules =
    " unless networkd.conf says ManageForeignRoutingPolicyRules=no";

/// Programs that take away what they were not told of.
std::optional<Answer> taken_away(const Desired& desired, const Sayings& sayings) {
    if (desired.field->shape.kind != Shape::Kind::items || !desired.value) return std::nullopt;
    const bool of_host = desired.port == kHost;
    for (const Said& said : sayings.said)
        if (said.key.empty() && program_of(said.program).takes_over &&
            is_told_of(*desired.field, said.program)) {
            std::string text =
                place(said) + (of_host ? " gives a port to " : " gives the port to ");
            text += program_of(said.program).name;
            text += ", which may take away what it was not told of";
            if (of_host) text += kKeepsRules;
            return Answer{Kind::unknown, std::move(text)};
        }
    return std::nullopt;
}

/// What no program of a file restores by itself, in the words of who would.
Answer lost(const Desired& desired, const Sayings& sayings) {
    const ObjectRow& row = row_of(desired.field->object);
    if (const auto value = unstated(*desired.field); value && desired.value == value)
        return {Kind::restored, "nothing that is read at boot sets it otherwise"};
    if (!row.unforeseen.empty()) return {Kind::unknown, std::string(row.unforeseen)};
    if (!desired.value) return {Kind::restored, "nothing that is read at boot brings it"};
    Answer out{Kind::lost, "nothing that is read at boot sets it"};
    for (const Stated& idle : stated(desired, sayings.idle, false))
        out.text = place(*idle.said) + " says it, and " +
                   std::string(program_of(idle.said->program).service) + " is not enabled";
    return out;
}

Answer by_service(const Desired& desired, const Port& port, const Sayings& sayings,
                  const Service& service) {
    const std::vector<Stated> late = stated(desired, sayings.said, true);
    const auto others = of_files(desired, port, late);
    if (others && others->kind != Kind::restored) return *others;
    if (!others)
        if (auto taken = taken_away(desired, sayings)) return *taken;
    return {Kind::restored, "set again at boot by " + service.unit + " (" + service.place + ')'};
}

}  // namespace

bool stays(const Desired& desired) {
    const ObjectRow& row = row_of(desired.field->object);
    return !row.stays.empty() && (row.stays_of == nullptr || row.stays_of(desired.element));
}

Answer answer_for(const Desired& desired, const Port& port, const Sayings& sayings,
                  const Service* service) {
    const ObjectRow& row = row_of(desired.field->object);
    if (stays(desired)) return {Kind::restored, std::string(row.stays)};
    if (const auto missing = barred(desired, port, sayings)) return *missing;
    if (desired.value && row.moot != nullptr && row.moot(port))
        return {Kind::restored, "the device has it by itself"};
    const bool writes = row.play != nullptr && !desired.external;
    const bool covered = writes && service != nullptr && service->unsure.empty();
    for (const Doubt& doubt : sayings.doubts)
        if ((doubt.of_all || is_told_of(*desired.field, doubt.program)) &&
            (!covered || doubt.of_all || program_of(doubt.program).late))
            return {Kind::unknown, doubt.text};
    if (writes && service != nullptr && !covered)
        return {Kind::unknown, service->unit + " (" + service->place + "): " + service->unsure};
    if (covered) return by_service(desired, port, sayings, *service);
    const auto answer = of_files(desired, port, stated(desired, sayings.said, false));
    return answer ? *answer : lost(desired, sayings);
}

std::map<std::string, std::string> brought(const Field& field, const std::string& port,
                                           const Sayings& sayings) {
    std::map<std::string, std::string> out;
    const Desired any{.port = port, .field = &field};
    for (const Stated& one : stated(any, sayings.said, false))
        if (one.value && one.at->compared)
            out[identity(field.shape, *one.value)] = place(*one.said) + " brings it at boot";
    return out;
}

}  // namespace core::boot
