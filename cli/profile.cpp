// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.hpp"

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/library.hpp"
#include "cli/view_json.hpp"
#include "core/profile/schema.hpp"

namespace cli {

core::Status profile_check(Session& session) {
    std::vector<std::string> valid;
    std::vector<std::string> problems;
    for (const std::string& name : session.options.operands) {
        Library library(session.options.root);
        try {
            const core::Source source = library.open(name);
            const auto load = [&library](const std::string& other, const std::string& from) {
                return library.open(other, from);
            };
            core::load_profile(source, load, session.options.set);
            valid.push_back(source.name);
        } catch (const core::Error& error) {
            // Every profile is checked, whatever is wrong with the ones before it.
            problems.insert(problems.end(), error.lines().begin(), error.lines().end());
        }
    }
    if (!problems.empty()) throw core::Error(core::Status::invalid_input, problems);
    if (session.options.output == Output::json)
        session.out << names_json({session.command, core::Status::done}, valid);
    else
        for (const std::string& name : valid)
            session.out << name << ": valid\n";
    return core::Status::done;
}

core::Status profile_schema(Session& session) {
    session.out << core::profile_schema().dump(2) << '\n';
    return core::Status::done;
}

}  // namespace cli
