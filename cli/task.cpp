// SPDX-License-Identifier: Apache-2.0
#include "cli/task.hpp"

#include <filesystem>

#include "cli/files.hpp"
#include "cli/library.hpp"
#include "cli/log.hpp"
#include "cli/trust.hpp"
#include "core/json/json.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/state_file.hpp"

namespace cli {

core::Profile read_profile(const Options& options) {
    Library library(options);
    const core::Source source = library.open(options.operands.front());
    log_info("profile " + source.name);
    const auto load = [&library](const std::string& name, const std::string& from) {
        core::Source extended = library.open(name, from);
        log_info("profile " + extended.name + ", extended by " + from);
        return extended;
    };
    return core::load_profile(source, load, options.set);
}

core::Variables read_variables(const Options& options) {
    core::Variables variables;
    const std::filesystem::path own = options.root / "etc/rocectl/vars.json";
    std::error_code error;
    std::optional<std::string> file = options.vars;
    if (!file && !options.state && std::filesystem::exists(own, error)) file = own.string();
    if (file) {
        log_info("variables " + *file);
        if (options.only_trusted) check_trusted(*file);
        variables = core::load_variables({.name = *file, .text = read_file(*file)});
    }
    variables.set = options.set;
    return variables;
}

core::State read_inventory(core::Kernel& kernel, const core::Profile& profile) {
    const core::Wanted wanted = core::wanted(profile);
    core::State inventory = kernel.read({.ports = wanted.names, .objects = wanted.objects});
    log_info("inventory: " + std::to_string(inventory.ports.size()) + " ports");
    return inventory;
}

std::unique_ptr<core::Kernel> open_host(const Session& session) {
    const auto& state = session.options.state;
    std::optional<std::string> text;
    if (state) text = read_file(*state);
    if (session.files_read) session.files_read();
    if (!text) return session.live(session.options.root);
    return std::make_unique<core::StateFile>(core::parse_state(*text, *state));
}

core::Objects every_object() {
    core::Objects all;
    for (const core::ObjectRow* row : core::objects())
        all.insert(row->object);
    return all;
}

Task::Task(const Session& session)
    : profile_(read_profile(session.options)),
      variables_(read_variables(session.options)),
      kernel_(open_host(session)) {}

void Task::look() {
    const core::State inventory = read_inventory(*kernel_, profile_);
    wishes_ = core::resolve(profile_, variables_, inventory);
    scope_ = core::scope_of(wishes_, inventory);
    plan_ = core::make_plan(wishes_, kernel_->read(scope_));
    log_info("plan: " + std::to_string(wishes_.wishes.size()) + " wishes, " +
             std::to_string(plan_.steps.size()) + " steps");
}

}  // namespace cli
