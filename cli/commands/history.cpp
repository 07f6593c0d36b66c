// SPDX-License-Identifier: Apache-2.0
#include "cli/views/history.hpp"

#include <array>

#include "cli/command.hpp"
#include "cli/files/journal.hpp"

namespace cli {
namespace {

constexpr std::array kHistoryOptions = {&option::output};

}  // namespace

constinit const Command command::history{
    .name = "history",
    .operands = "[ID]",
    .operands_max = 1,
    .help = "List what was written to this host, or show one entry",
    .host = HostUse::reads,
    .options = kHistoryOptions,
    .run = cli::history};

core::Status history(Session& session) {
    if (session.files_read) session.files_read();
    const Journal journal(session.options.root);
    const auto& operands = session.options.operands;
    const bool json = session.options.output == Output::json;
    const Heading heading{session.command, core::Status::done};
    if (operands.empty()) {
        const std::vector<core::JournalEntry> entries = journal.entries();
        session.out << (json ? history_json(heading, entries)
                             : history_text(entries, session.style));
        return core::Status::done;
    }
    const core::JournalEntry entry = journal.entry(entry_id(operands.front()));
    session.out << (json ? entry_json(heading, entry) : entry_text(entry, session.style));
    return core::Status::done;
}

}  // namespace cli
