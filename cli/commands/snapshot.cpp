// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "cli/command.hpp"
#include "cli/run/record.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"
#include "core/doctor/examination.hpp"
#include "core/model/glob.hpp"
#include "core/redact/redaction.hpp"

namespace cli {
namespace {

core::State read(const Session& session, std::optional<std::vector<std::string>> ports,
                 core::Objects objects) {
    return open_host(session)->read({.ports = std::move(ports), .objects = std::move(objects)});
}

/// Nobody's to guess.
std::uint64_t seed() {
    std::random_device random;
    return std::uint64_t{random()} << 32U | random();
}

/// What belongs to the host is no port's.
core::Objects of_ports() {
    core::Objects objects = every_object();
    std::erase_if(objects, [](core::Object object) {
        return core::row_of(object).lives == core::Lives::host;
    });
    return objects;
}

}  // namespace

core::Status snapshot(Session& session) {
    core::AskedNames asked = asked_by_profiles(session.options);
    for (const auto& [object, names] : core::doctor_elements({}))
        asked[object].insert(names.begin(), names.end());
    core::State state = record(*open_host(session), asked);
    const Options& options = session.options;
    if (!options.state)
        state.refused_optional = refused_optional_here(Journal(options.root), options.root);
    if (options.redact) state = core::Redaction(state, seed()).state();
    const Heading heading{session.command, core::Status::done};
    if (session.options.out)
        session.save(state_json(heading, state));
    else
        print_state(session.out, heading, state);
    return core::Status::done;
}

core::Status show(Session& session) {
    const std::vector<std::string>& operands = session.options.operands;
    const bool one = !operands.empty();
    const core::State state =
        one ? read(session, std::vector{core::literal(operands.front())}, of_ports())
            : read(session, std::nullopt,
                   session.options.output == Output::json ? of_ports() : shown());
    if (one && (state.ports.empty() || is_not_there(state.ports.front())))
        throw core::Error(core::Status::failed, "no port '" + operands.front() + "'");
    if (session.options.output == Output::json)
        print_state(session.out, {session.command, core::Status::done}, state);
    else
        session.out << (one ? port_text(state.ports.front(), session.style)
                            : show_text(state, session.style));
    return core::Status::done;
}

}  // namespace cli
