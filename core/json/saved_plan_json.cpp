// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/list_json.hpp"
#include "core/json/plan_reader.hpp"
#include "core/plan/saved_plan.hpp"

namespace core {
namespace {

SavedPlan read(const Node& root, Problems& problems) {
    SavedPlan saved;
    PlanReader reader(problems, Values::described);
    const Node* format = root.find("format");
    const Node* body = root.find("saved");
    if (format == nullptr || number_of(*format) != std::uint64_t{1} || body == nullptr) {
        reader.problem(root, "", "found no saved plan, expected what rocectl plan --out writes");
        return saved;
    }
    const std::string at = "/saved";
    for (const char* written : {"profile", "ports", "wishes", "exact"})
        if (const Node* node = body->find(written))
            ends_early(*node, pointer_to(at, written), problems);
    if (!problems.empty()) return saved;
    saved.profile = reader.text(*body, "profile", at);
    saved.digest = reader.text(*body, "digest", at);
    for (const Node& port : reader.list(*body, "ports", at))
        saved.desired_values.ports.push_back(port.text);
    if (const Node* desired_values = body->find("wishes"))
        saved.desired_values.desired_values =
            reader.desired_values(*desired_values, at + "/wishes");
    if (const Node* exact = body->find("exact"))
        saved.desired_values.exact = reader.exact(*exact, at + "/exact");
    if (const Node* before = body->find("before"))
        saved.before = read_state(*before, problems, Values::observed);
    for (const Node& step : reader.list(*body, "steps", at))
        if (auto one = reader.step(step, at + "/steps")) saved.steps.push_back(std::move(*one));
    return saved;
}

}  // namespace

Json to_json(const SavedPlan& saved) {
    return {{"saved",
             {{"profile", saved.profile},
              {"digest", saved.digest},
              {"ports", saved.desired_values.ports},
              {"wishes", list_json(saved.desired_values.desired_values)},
              {"exact", list_json(saved.desired_values.exact)},
              {"steps", list_json(saved.steps)},
              {"before", to_json(saved.before)}}}};
}

SavedPlan parse_saved_plan(std::string_view text, const std::string& file) {
    Problems problems;
    const Node root = parse_tree(text, file, problems);
    SavedPlan saved;
    if (problems.empty()) saved = read(root, problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return saved;
}

}  // namespace core
