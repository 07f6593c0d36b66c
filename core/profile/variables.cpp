// SPDX-License-Identifier: Apache-2.0
#include "core/profile/keys.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/reference.hpp"

namespace core {
namespace {

std::map<std::string, std::string> read_values(const Node& node, const std::string& pointer,
                                               Problems& problems) {
    std::map<std::string, std::string> out;
    if (node.kind != Node::Kind::object) {
        problems.push_back({node.place, pointer, found(node) + ", expected an object"});
        return out;
    }
    for (const Node::Member& member : node.members) {
        const Node& value = member.value;
        const std::string at = pointer_to(pointer, member.name);
        const bool taken = is_built_in(member.name);
        if (!references::is_name(member.name) || taken) {
            problems.push_back({member.place, at,
                                "found " + in_quotes(member.name) +
                                    (taken ? ", which is built in" : ", expected a name")});
        } else if (value.kind == Node::Kind::text || value.kind == Node::Kind::number) {
            out[member.name] = value.text;
        } else if (value.kind == Node::Kind::boolean) {
            out[member.name] = value.flag ? "true" : "false";
        } else {
            problems.push_back({value.place, at, found(value) + ", expected a text or a number"});
        }
    }
    return out;
}

}  // namespace

Variables load_variables(const Source& source) {
    Problems problems;
    Variables out;
    const Node root = parse_tree(source.text, source.name, problems);
    if (ends_early(root, Pointer(), problems)) throw invalid_input(std::move(problems));
    if (root.kind != Node::Kind::object && problems.empty())
        problems.push_back({root.place, "", found(root) + ", expected an object"});
    for (const Node::Member& member : root.members) {
        const std::string at = pointer_to("", member.name);
        if (member.name == "host") {
            out.host = read_values(member.value, at, problems);
        } else if (member.name != "ports") {
            problems.push_back({member.place, at, unknown_key(member.name, {"host", "ports"})});
        } else if (member.value.kind != Node::Kind::object) {
            problems.push_back(
                {member.value.place, at, found(member.value) + ", expected an object of ports"});
        } else {
            for (const Node::Member& port : member.value.members)
                out.ports[port.name] = read_values(port.value, pointer_to(at, port.name), problems);
        }
    }
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

}  // namespace core
