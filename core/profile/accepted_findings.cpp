// SPDX-License-Identifier: Apache-2.0
#include "core/profile/accepted_findings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "core/model/quote.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

/// Whether the text is a day of the calendar as ISO 8601 has it, so that of two the later one is
/// the greater text.
bool is_day(std::string_view text) {
    constexpr std::string_view form = "0000-00-00";
    if (text.size() != form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    const auto number = [&](std::size_t from, std::size_t length) {
        unsigned out = 0;
        std::from_chars(text.data() + from, text.data() + from + length, out);
        return out;
    };
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(0, 4))),
                                       std::chrono::month(number(5, 2)),
                                       std::chrono::day(number(8, 2)))
        .ok();
}

std::string unknown_finding(const std::string& id) {
    std::vector<std::string> known;
    for (const FindingRow* row : catalogue())
        known.emplace_back(row->id);
    const std::string near = nearest(id, known);
    return "found unknown finding " + in_quotes(id) +
           (near.empty() ? ", expected an id; rocectl doctor --list and rocectl-checks(7) have all"
                         : ", did you mean '" + near + "'?");
}

void take(AcceptedFinding& out, std::string_view key, const Stated& stated, Problems& problems) {
    const auto& text = std::get<std::string>(*stated.value);
    const auto problem = [&](std::string wrong) {
        problems.push_back({stated.place, stated.pointer, std::move(wrong)});
    };
    if (key == "finding") {
        out.row = find_finding(text);
        if (out.row == nullptr) problem(unknown_finding(text));
    } else if (key == "ports") {
        out.ports.push_back(text);
    } else if (key == "fabric") {
        out.fabric = text;
        if (text.empty()) problem("found an empty text, expected the name of a fabric");
    } else if (key == "reason") {
        out.reason = text;
        if (text.empty()) problem("found an empty text, expected why it is meant so");
    } else if (is_day(text)) {
        out.until = text;
    } else {
        problem("found " + in_quotes(text) + ", expected a day such as 2027-03-31");
    }
}

/// Nothing where something is wrong, or is not known before `${…}` has a value.
std::optional<AcceptedFinding> read_one(const Node& node, const std::string& pointer,
                                        Problems& problems) {
    const std::size_t before = problems.size();
    const auto problem = [&](std::string wrong) {
        problems.push_back({node.place, pointer, std::move(wrong)});
    };
    if (node.kind != Node::Kind::object) {
        problem(found(node) + ", expected an object of finding, ports or fabric, reason and until");
        return std::nullopt;
    }
    AcceptedFinding out{.origin = origin_at(node.place, pointer)};
    read_section(node, pointer, accepted_keys(), problems,
                 [&](const SectionKey& key, const Stated& stated) {
                     take(out, key.name, stated, problems);
                 });
    if (node.find("finding") == nullptr) problem("found no 'finding', expected the id of one");
    if (node.find("reason") == nullptr) problem("found no 'reason', expected why it is meant so");
    if (const Node* ports = node.find("ports");
        ports != nullptr && ports->kind == Node::Kind::array && ports->items.empty())
        problem("found no port in 'ports', expected names or patterns; without it, all are meant");
    if (node.find("ports") != nullptr && node.find("fabric") != nullptr)
        problem("found both 'ports' and 'fabric', expected one of them");
    if (problems.size() > before || is_pending(node)) return std::nullopt;
    return out;
}

}  // namespace

std::span<const SectionKey> accepted_keys() {
    static constexpr std::array kKeys = {
        SectionKey{"finding",
                   {.kind = Kind::text},
                   "Id of the finding, as rocectl doctor and rocectl verify tell it."},
        SectionKey{"ports",
                   {.kind = Kind::items},
                   "Names or patterns of the ports on which it is meant, host for the host; "
                   "everywhere where neither they nor a fabric are stated."},
        SectionKey{"fabric",
                   {.kind = Kind::text},
                   "The fabric on whose ports it is meant, by its name in fabrics."},
        SectionKey{"reason", {.kind = Kind::text}, "Why it is meant so."},
        SectionKey{"until",
                   {.kind = Kind::text},
                   "The last day on which it is accepted, such as 2027-03-31, by the local time; "
                   "without an end where not stated."},
    };
    return kKeys;
}

std::vector<AcceptedFinding> read_accepted(const Node& node, const std::string& pointer,
                                           Problems& problems) {
    std::vector<AcceptedFinding> out;
    if (node.kind == Node::Kind::null) return out;
    if (node.kind != Node::Kind::array) {
        problems.push_back({node.place, pointer, found(node) + ", expected a list of objects"});
        return out;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (auto one = read_one(node.items[i], pointer_to(pointer, i), problems))
            out.push_back(*std::move(one));
    return out;
}

std::vector<AcceptedFinding> accepted_by(const Profile& profile, const Variables& variables) {
    const Node* node = profile.tree.find("accepted");
    if (node == nullptr) return {};
    Problems problems;
    const Bindings bindings{.variables = variables, .hostname = {}, .port = {}, .index = {}};
    std::vector<AcceptedFinding> out =
        read_accepted(substitute(*node, bindings, "/accepted", problems), "/accepted", problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

std::vector<AcceptedFinding> load_accepted(const Source& source) {
    Problems problems;
    const Node root = parse_tree(source.text, source.name, problems);
    std::vector<AcceptedFinding> out;
    if (problems.empty() && !ends_early(root, Pointer(), problems)) {
        check_references(root, Standing::before_match, "", problems);
        const Variables none;
        const Bindings bindings{.variables = none, .hostname = {}, .port = {}, .index = {}};
        out = read_accepted(substitute(root, bindings, "", problems), "", problems);
    }
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

}  // namespace core
