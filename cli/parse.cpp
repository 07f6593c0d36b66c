// SPDX-License-Identifier: Apache-2.0
#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/files/text_file.hpp"
#include "cli/help.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using Apps = std::map<const CLI::App*, const Command*>;

void add_option(CLI::App& app, const OptionRow& row, Options& options) {
    std::string names(row.name);
    if (!row.letter.empty()) names = std::string(row.letter) + "," + names;
    if (row.value.empty()) {
        app.add_flag_function(names, [&options, &row](std::int64_t times) {
            for (; times > 0; --times) {
                row.take(options, {});
                options.given.emplace_back(row.name, std::string());
            }
        });
        return;
    }
    app.add_option_function<std::vector<std::string>>(
           names,
           [&options, &row](const std::vector<std::string>& values) {
               if (values.size() > 1 && !row.repeats)
                   throw Error(Status::usage, std::string(row.name) + ": given more than once");
               for (const std::string& value : values) {
                   if (value.empty())
                       refuse_value(std::string(row.name), value, std::string(row.value));
                   row.take(options, value);
                   options.given.emplace_back(row.name, value);
               }
           })
        ->type_name(std::string(row.value))
        ->allow_extra_args(false);
}

/// The app of `profile`, under which `profile check` hangs; made at its first command.
CLI::App& group_of(CLI::App& root, const std::string& name) {
    for (CLI::App* app : root.get_subcommands([](CLI::App*) { return true; }))
        if (app->get_name() == name) return *app;
    return *root.add_subcommand(name);
}

void add_options(CLI::App& app, const Command& command, Options& options) {
    for (const OptionRow* row : command.options)
        add_option(app, *row, options);
    for (const OptionRow& row : common_options())
        add_option(app, row, options);
    if (command.operands_max > 0) app.add_option("operands", options.operands)->expected(-1);
}

/// Its options are made where the command is met: those of all are nearly the whole of parsing.
CLI::App& add_command(CLI::App& root, const Command& command, Options& options) {
    const std::size_t blank = command.name.find(' ');
    CLI::App& parent = blank == std::string_view::npos
                           ? root
                           : group_of(root, std::string(command.name.substr(0, blank)));
    const std::size_t start = blank == std::string_view::npos ? 0 : blank + 1;
    CLI::App& app = *parent.add_subcommand(std::string(command.name.substr(start)));
    app.preparse_callback([&](std::size_t /*arguments*/) { add_options(app, command, options); });
    return app;
}

/// A command can only be met where the first word of its name is an argument.
bool can_be_met(const Command& command, const std::vector<std::string>& arguments) {
    const std::string_view word = command.name.substr(0, command.name.find(' '));
    return std::ranges::find(arguments, word) != arguments.end();
}

/// The last subcommand that was named.
const CLI::App& named(const CLI::App& root) {
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty())
        app = app->get_subcommands().front();
    return *app;
}

/// `profile check` as far as it was named.
std::string path_of(const CLI::App& root) {
    std::string path;
    for (const CLI::App* app = &root; !app->get_subcommands().empty();) {
        app = app->get_subcommands().front();
        path += (path.empty() ? "" : " ") + app->get_name();
    }
    return path;
}

/// What is wrong with the command line, in this project's words.
std::string reason(const CLI::App& root, const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        const std::string what = error.what();
        return what.substr(0, what.find(':')) + ": a value is missing";
    }
    const std::vector<std::string> extras = root.remaining(true);
    if (extras.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr)
        return error.what();
    const std::string& first = extras.front();
    if (first.starts_with('-')) return "unknown option '" + first + "'";
    const bool whole =
        std::ranges::find(commands(), path_of(root), &Command::name) != commands().end();
    return (whole ? "unexpected argument '" : "unknown command '") + first + "'";
}

[[noreturn]] void refuse(const std::string& command, const std::string& why) {
    throw Error(Status::usage, (command.empty() ? "" : command + ": ") + why + "; see rocectl " +
                                   (command.empty() ? "" : command + " ") + "--help");
}

void check_apply(const std::string& name, const Options& options) {
    if (options.operands.empty() && !options.plan_file) refuse(name, "PROFILE is missing");
    if (!options.operands.empty() && options.plan_file)
        refuse(name, "--plan and PROFILE exclude each other");
    if (options.plan_file && (options.vars || !options.set.empty()))
        refuse(name, "--plan says all, --vars and --set can add nothing");
    if (options.plan_file && !options.only_port.empty())
        refuse(name, "--plan says all, --port can leave nothing out");
    if (options.out && !options.state) refuse(name, "--out needs --state");
    if (options.confirm && options.state) refuse(name, "--confirm is for a host, not for --state");
    if (!options.probes.empty() && !options.confirm) refuse(name, "--probe needs --confirm");
}

/// Before anything is sent.
void check_active(const std::string& name, const Options& options) {
    if (options.active.empty()) {
        if (options.serving.secret) refuse(name, "--secret needs --active");
        return;
    }
    if (options.state) refuse(name, "--active sends by this host, not by that of --state");
    if (options.watch) refuse(name, "--active and --watch exclude each other");
    if (options.html) refuse(name, "--active and --html exclude each other");
    if (options.output != Output::text && options.output != Output::json &&
        options.output != Output::junit)
        refuse(name, "--active needs -o text, json or junit");
}

/// It can be read to its end by one only.
void check_standard_input(const Command& command, const Options& options) {
    std::vector<std::string> takers;
    const bool of_files = command.operands.starts_with("PROFILE");
    for (const std::string& operand : options.operands)
        if (of_files && operand == kStandardInput) takers.emplace_back("PROFILE");
    if (command.run == explain && !options.operands.empty() &&
        options.operands.front() == kStandardInput)
        takers.emplace_back("TEXT");
    if (options.state == kStandardInput) takers.emplace_back("--state");
    if (options.vars == kStandardInput) takers.emplace_back("--vars");
    if (options.plan_file == kStandardInput) takers.emplace_back("--plan");
    if (takers.size() > 1)
        refuse(std::string(command.name), "standard input can be read once, and is asked for by " +
                                              takers[0] + " and " + takers[1]);
}

void check(const Command& command, const Options& options) {
    if (command.run == doctor) check_active(std::string(command.name), options);
    const std::string name(command.name);
    check_standard_input(command, options);
    if (options.operands.size() < command.operands_min)
        refuse(name,
               std::string(command.operands.substr(0, command.operands.find(' '))) + " is missing");
    if (options.operands.size() > command.operands_max)
        refuse(name, "unexpected argument '" + options.operands[command.operands_max] + "'");
    for (const std::string& operand : options.operands)
        if (operand.empty()) refuse(name, "found '', expected " + std::string(command.operands));
    if (command.run == apply) check_apply(name, options);
    if (options.here && options.state) refuse(name, "--here and --state exclude each other");
    if (options.status && options.extend) refuse(name, "--status and --extend exclude each other");
}

}  // namespace

Invocation parse(const std::vector<std::string>& arguments) {
    Invocation invocation;
    const std::string said = "rocectl " ROCECTL_VERSION "\n";
    // What takes no options at all is not worth making the parser.
    if (arguments == std::vector<std::string>{"--version"}) {
        invocation.text = said;
        return invocation;
    }
    CLI::App root;
    bool version = false;
    root.add_flag("--version", version);
    Apps apps;
    // The words behind help are the name of another command.
    const bool helps = !arguments.empty() && arguments.front() == "help";
    for (const Command& command : commands())
        if (helps ? command.name == "help" : can_be_met(command, arguments))
            apps[&add_command(root, command, invocation.options)] = &command;
    try {
        root.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        invocation.text = help(path_of(root));
        return invocation;
    } catch (const CLI::ParseError& error) {
        refuse(path_of(root), reason(root, error));
    }
    if (const auto found = apps.find(&named(root)); found != apps.end()) {
        invocation.command = found->second;
        check(*invocation.command, invocation.options);
    } else if (version) {
        invocation.text = said;
    } else {
        refuse(path_of(root), "no command");
    }
    return invocation;
}

std::string command_in(const std::vector<std::string>& arguments) {
    const std::string first = arguments.empty() ? "" : arguments[0];
    const std::string both = first + " " + (arguments.size() < 2 ? "" : arguments[1]);
    for (const Command& command : commands())
        if (command.name == first || command.name == both) return std::string(command.name);
    return {};
}

Output form_in(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        for (const std::string_view start : {"-o", "--output="})
            if (argument.starts_with(start) && argument.size() > start.size())
                return output_named(argument.substr(start.size()));
        const bool next = argument == "-o" || argument == "--output";
        if (next && i + 1 < arguments.size()) return output_named(arguments[i + 1]);
    }
    return Output::text;
}

}  // namespace cli
