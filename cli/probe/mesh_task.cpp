// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/mesh_task.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Message;

/// A message has no more than 64 values.
constexpr std::size_t kMostOptions = 48;

const OptionRow* travelling(std::string_view name) {
    for (const OptionRow* row : command::probe_mesh.options)
        if (row->travels && row->name == name) return row;
    return nullptr;
}

}  // namespace

Message mesh_task(const Options& options, const std::string& peer,
                  const std::optional<core::Ip>& from) {
    Message out{.kind = "measure", .words = {{"peer", peer}}};
    if (from) out.words["from"] = core::text(*from);
    std::size_t place = 0;
    for (const auto& [name, value] : options.given) {
        if (travelling(name) == nullptr) continue;
        if (place == kMostOptions)
            throw core::Error(core::Status::usage, "probe mesh: more than " +
                                                       std::to_string(kMostOptions) +
                                                       " options that say how is measured");
        std::string& word = out.words["option." + std::to_string(place++)];
        word = name;
        word += '=';
        word += value;
    }
    return out;
}

core::probe::Parameters parameters_in(const Message& asked) {
    Options options;
    for (std::size_t i = 0; asked.words.contains("option." + std::to_string(i)); ++i) {
        const std::string& text = core::probe::word_in(asked, "option." + std::to_string(i));
        const std::size_t equals = std::min(text.find('='), text.size());
        const OptionRow* row = travelling(text.substr(0, equals));
        if (row == nullptr)
            throw core::Error(core::Status::failed, "this rocectl does not know the option '" +
                                                        text.substr(0, equals) + "'");
        take_option(options, *row, text.substr(std::min(equals + 1, text.size())));
    }
    return options.parameters;
}

}  // namespace cli
