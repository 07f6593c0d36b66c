// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/model/desired.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// A list of what `to_json` writes.
template <typename Item>
Json list_json(const std::vector<Item>& items) {
    Json out = Json::array();
    for (const Item& item : items)
        out.push_back(to_json(item));
    return out;
}

Json to_json(const Desired& desired);
Json to_json(const Exact& exact);
Json to_json(const RefusedOptional& one);

/// Reads back what to_json writes of desired values, whose values are what the caller says, and of
/// steps, whose values were observed or planned from what was. What is wrong, a setting that this
/// version does not know among it, is added to the problems, and left out.
class PlanReader {
public:
    PlanReader(Problems& problems, Values all_desired)
        : problems_(problems), desired_(all_desired) {}

    std::vector<Desired> desired_values(const Node& list, const std::string& pointer);
    std::vector<Exact> exact(const Node& list, const std::string& pointer);
    std::vector<RefusedOptional> refused_optional(const Node& list, const std::string& pointer);
    std::optional<Step> step(const Node& node, const std::string& pointer);

    /// The text of a member; empty, and a problem, where there is none.
    std::string text(const Node& node, std::string_view name, const std::string& pointer);
    /// The text of a member that may be missing.
    static std::string text_if(const Node& node, std::string_view name);
    static bool flag(const Node& node, std::string_view name);
    /// The items of a list member; empty, and a problem, where it is no list.
    const List<Node>& list(const Node& node, std::string_view name, const std::string& pointer);
    void problem(const Node& node, const std::string& pointer, std::string text);

private:
    const Field* field(const Node& node, const std::string& pointer);
    std::optional<Value> value(const Field& field, const std::string& element, const Node* node,
                               const std::string& pointer, Values values);
    static Origin origin(const Node& node);

    Problems& problems_;
    Values desired_;
};

}  // namespace core
