// SPDX-License-Identifier: Apache-2.0
#include "cli/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/files/text_file.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using Apps = std::map<const CLI::App*, const Command*>;

CLI::Option* add_option(CLI::App& app, const OptionRow& row, Options& options) {
    std::string names(row.name);
    if (!row.letter.empty()) names = std::string(row.letter) + "," + names;
    if (row.value.empty())
        return app.add_flag_function(names, [&options, &row](std::int64_t times) {
            for (; times > 0; --times)
                take_option(options, row, {});
        });
    return app
        .add_option_function<std::vector<std::string>>(
            names,
            [&options, &row](const std::vector<std::string>& values) {
                if (values.size() > 1 && !row.repeats)
                    throw Error(Status::usage, std::string(row.name) + ": given more than once");
                for (const std::string& value : values)
                    take_option(options, row, value);
            })
        ->allow_extra_args(false);
}

/// The app of `profile`, under which `profile check` hangs; made at its first command.
CLI::App& group_of(CLI::App& root, const std::string& name) {
    for (CLI::App* app : root.get_subcommands([](CLI::App*) { return true; }))
        if (app->get_name() == name) return *app;
    return *root.add_subcommand(name);
}

/// `PROFILE` of `[PROFILE]...`.
std::string operand_of(const Command& command) {
    const std::size_t start = command.operands.find_first_not_of('[');
    return std::string(
        command.operands.substr(start, command.operands.find_first_of(" .[]:", start) - start));
}

void add_options(CLI::App& app, const Command& command, Options& options) {
    for (const OptionRow& row : common_options())
        add_option(app, row, options);
    // More than the command takes are named by check(): CLI11 would speak of a value that is
    // missing.
    if (command.operands_max > 0)
        app.add_option(operand_of(command), options.operands)
            ->expected(-1)
            ->required(command.operand_required);
    std::vector<CLI::Option*> added;
    for (const OptionRow* row : command.options)
        added.push_back(add_option(app, *row, options));
    for (std::size_t i = 0; i < added.size(); ++i) {
        const OptionRow& row = *command.options[i];
        if (!row.needs.empty()) added[i]->needs(app.get_option(std::string(row.needs)));
        for (const std::string& other : CLI::detail::split(std::string(row.excludes), ' '))
            if (!other.empty()) added[i]->excludes(app.get_option(other));
    }
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
    std::string what = error.what();
    const auto between = [&what](std::string_view words, std::string_view ours) {
        const std::size_t at = what.find(words);
        return what.substr(0, at).append(ours).append(what.substr(at + words.size()));
    };
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return what.substr(0, what.find(':')) + ": a value is missing";
    const std::vector<std::string> extras = root.remaining(true);
    if (!extras.empty() && extras.front().starts_with('-'))
        return "unknown option '" + extras.front() + "'";
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        return between(" is required", " is missing");
    if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr)
        return between(" requires ", " needs ");
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
        return between(" excludes ", " and ") + " exclude each other";
    if (extras.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return what;
    return (find_command(path_of(root)) != nullptr ? "unexpected argument '"
                                                   : "unknown command '") +
           extras.front() + "'";
}

[[noreturn]] void refuse(const std::string& command, const std::string& why) {
    throw Error(Status::usage, (command.empty() ? "" : command + ": ") + why + "; see rocectl " +
                                   (command.empty() ? "" : command + " ") + "--help");
}

/// It can be read to its end by one only.
void check_standard_input(const Command& command, const Options& options) {
    std::vector<std::string> takers;
    for (const std::string& operand : options.operands)
        if (!command.input_operand.empty() && operand == kStandardInput)
            takers.emplace_back(command.input_operand);
    for (const OptionRow* row : command.options)
        if (row->reads_input && given_value(options, *row) == kStandardInput)
            takers.emplace_back(row->name);
    if (takers.size() > 1)
        refuse(std::string(command.name), "standard input can be read once, and is asked for by " +
                                              takers[0] + " and " + takers[1]);
}

void check(const Command& command, const Options& options) {
    const std::string name(command.name);
    check_standard_input(command, options);
    if (options.operands.size() > command.operands_max)
        refuse(name, "unexpected argument '" + options.operands[command.operands_max] + "'");
    for (const std::string& operand : options.operands)
        if (operand.empty()) refuse(name, "found '', expected " + std::string(command.operands));
    if (command.misuse != nullptr)
        if (const std::string why = command.misuse(options); !why.empty()) refuse(name, why);
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
    for (const Command* const command : commands())
        if (helps ? command == &command::print_help : can_be_met(*command, arguments))
            apps[&add_command(root, *command, invocation.options)] = command;
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
    for (const Command* const command : commands())
        if (command->name == first || command->name == both) return std::string(command->name);
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
