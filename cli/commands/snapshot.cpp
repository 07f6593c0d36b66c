// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/run/record.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"

namespace cli {
namespace {

core::State read(const Session& session, std::optional<std::vector<std::string>> ports,
                 core::Objects objects) {
    return open_host(session)->read({.ports = std::move(ports), .objects = std::move(objects)});
}

/// What belongs to the host is no port's.
core::Objects of_ports() {
    core::Objects objects = every_object();
    std::erase_if(objects, [](core::Object object) {
        return core::row_of(object).lives == core::Lives::host;
    });
    return objects;
}

/// fnmatch(3) would take these for a pattern.
std::string literal(const std::string& name) {
    std::string out;
    for (const char c : name) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

core::Status snapshot(Session& session) {
    const Asked asked = asked_by_profiles(session.options);
    const core::State state = record(*open_host(session), asked);
    const std::string text = state_json({session.command, core::Status::done}, state);
    if (session.options.out)
        session.save(text);
    else
        session.out << text;
    return core::Status::done;
}

core::Status show(Session& session) {
    const std::vector<std::string>& operands = session.options.operands;
    const bool one = !operands.empty();
    const core::State state =
        one ? read(session, std::vector{literal(operands.front())}, of_ports())
            : read(session, std::nullopt, of_ports());
    if (one && (state.ports.empty() || is_not_there(state.ports.front())))
        throw core::Error(core::Status::failed, "no port '" + operands.front() + "'");
    if (session.options.output == Output::json)
        session.out << state_json({session.command, core::Status::done}, state);
    else
        session.out << (one ? port_text(state.ports.front(), session.style)
                            : show_text(state, session.style));
    return core::Status::done;
}

}  // namespace cli
