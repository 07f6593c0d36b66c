// SPDX-License-Identifier: Apache-2.0
#include "cli/run/record.hpp"

#include "cli/files/library.hpp"
#include "cli/log.hpp"
#include "cli/run/task.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

void add_named_by(const Options& options, const std::string& name, const core::Variables& variables,
                  core::AskedNames& asked) {
    Library library(options.root, options.only_trusted);
    const auto load = [&library](const std::string& other, const std::string& from) {
        return library.open(other, from);
    };
    const core::Profile profile = core::load_profile(library.open(name), load);
    for (const auto& [object, names] : core::named_elements(profile, variables))
        asked[object].insert(names.begin(), names.end());
}

/// Runs the work; what is wrong with a file that nobody named is told to who wants to know.
template <typename Work>
void where_valid(const Work& work) {
    try {
        work();
    } catch (const core::Error& error) {
        for (const std::string& line : error.lines())
            log_info("passed over: " + line);
    }
}

}  // namespace

core::AskedNames asked_by_profiles(const Options& options) {
    core::AskedNames asked;
    core::Variables variables;
    where_valid([&] { variables = read_variables(options); });
    for (const std::string& name : options.operands)
        add_named_by(options, name, variables, asked);
    for (const std::string& name : Library(options.root, options.only_trusted).names())
        where_valid([&] { add_named_by(options, name, variables, asked); });
    return asked;
}

core::State record(core::Kernel& kernel, const core::AskedNames& asked) {
    core::State state = kernel.read({.ports = std::nullopt, .objects = every_object()});
    core::add_asked(kernel, asked, state);
    return state;
}

}  // namespace cli
