// SPDX-License-Identifier: Apache-2.0
#include "cli/run/record.hpp"

#include "cli/files/library.hpp"
#include "cli/log.hpp"
#include "cli/run/task.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

void add_named_by(const Options& options, const std::string& name, const core::Variables& variables,
                  Asked& asked) {
    Library library(options);
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

void add_found(const core::Port& found, core::Object object, core::Port& host) {
    for (const core::Field& field : core::fields()) {
        if (field.object != object) continue;
        for (const auto& [element, value] : field.get(found).value_or(core::Elements{}))
            core::set_element(host, field, element, value);
    }
    if (const auto absent = found.absent.find(object); absent != found.absent.end())
        host.absent[object].insert(absent->second.begin(), absent->second.end());
}

/// One that cannot be read keeps none of the others from being recorded.
void ask(core::Kernel& kernel, core::Object object, const std::set<std::string>& names,
         core::Port& host) {
    const core::State state = kernel.read({.ports = std::vector{std::string(core::kHost)},
                                           .objects = {object},
                                           .elements = {{object, names}}});
    const core::Port* found = core::find_port(state, core::kHost);
    if (found == nullptr) return;
    if (!found->refused.contains(object)) {
        add_found(*found, object, host);
    } else if (names.size() > 1) {
        for (const std::string& name : names)
            ask(kernel, object, {name}, host);
    }
}

}  // namespace

Asked asked_by_profiles(const Options& options) {
    Asked asked;
    core::Variables variables;
    where_valid([&] { variables = read_variables(options); });
    for (const std::string& name : options.operands)
        add_named_by(options, name, variables, asked);
    for (const std::string& name : Library(options).names())
        where_valid([&] { add_named_by(options, name, variables, asked); });
    return asked;
}

core::State record(core::Kernel& kernel, const Asked& asked) {
    core::State state = kernel.read({.ports = std::nullopt, .objects = every_object()});
    core::Port* host = core::find_port(state, core::kHost);
    if (host == nullptr) return state;
    for (const auto& [object, names] : asked)
        if (!host->refused.contains(object)) ask(kernel, object, names, *host);
    return state;
}

}  // namespace cli
