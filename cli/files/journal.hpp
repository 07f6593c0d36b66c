// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/undo/entry.hpp"

namespace cli {

/// The files under /var/lib/rocectl/journal: an entry each, `7.jsonl`, which is called
/// `7.open.jsonl` as long as it may leave something to be done.
class Journal {
public:
    explicit Journal(const std::filesystem::path& root);

    /// Those from `first` on, the oldest first, each as it counts now among them
    /// (note_what_is_back). What cannot be read is left out, and said on stderr.
    [[nodiscard]] std::vector<core::JournalEntry> entries(std::uint64_t first = 1) const;
    /// Those from `first` on. Throws Error (failed) where one of them cannot be read: nobody
    /// knows then what was there before them.
    [[nodiscard]] std::vector<core::JournalEntry> entries_from(std::uint64_t first) const;
    /// Those that leave something to be done; where there is none, no file is read. What cannot
    /// be read is left out, and said on stderr.
    [[nodiscard]] std::vector<core::JournalEntry> open_entries() const;
    /// Throws Error (failed) where an entry that leaves something to be done cannot be read: what
    /// a run finds might be half of what that one wrote.
    void check_open() const;
    /// Throws Error (failed) where there is no such entry, or it cannot be read.
    [[nodiscard]] core::JournalEntry entry(std::uint64_t id) const;

    /// Makes the entry last and gives it the next id, before anything else is done: temporary
    /// file, fsync, rename, fsync of the directory. Throws Error (failed).
    std::uint64_t begin(core::JournalEntry entry) const;
    /// Adds a line, on disk when this returns. Throws Error (failed).
    void append(std::uint64_t id, const nlohmann::ordered_json& line) const;
    /// The entry leaves nothing to be done any more: the disk that it kept for that is given back.
    void close(std::uint64_t id) const;
    /// `mark` is completed_by, rolled_back_by or confirmed; `by` is the entry that did it, 0 where
    /// nothing was left to be written.
    void mark(std::uint64_t id, std::string_view mark, std::uint64_t by) const;
    /// Removes the oldest entries beyond `keep`, but none that is open.
    void prune(std::size_t keep) const;

private:
    struct Name;
    /// Throws Error (failed) where somebody else could have written them.
    [[nodiscard]] std::vector<Name> names() const;
    [[nodiscard]] std::vector<Name> believable_names() const;
    [[nodiscard]] std::vector<core::JournalEntry> readable(const std::vector<Name>& names) const;
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t id, std::string_view ending) const;
    [[nodiscard]] std::filesystem::path path_of(std::uint64_t id) const;

    std::filesystem::path folder_;
};

/// The id of an entry as the command line names it. Throws Error (usage).
std::uint64_t entry_id(const std::string& text);

/// Keeps a run in the journal while it goes; one that could not begin there is not kept.
class EntryFile final : public core::Recorder {
public:
    EntryFile(const Journal& journal, core::JournalEntry entry)
        : journal_(journal), entry_(std::move(entry)) {}

    void begin(const core::Plan& plan, const core::DesiredState& undo_profile) override;
    void learned(const std::vector<core::Desired>& values) override;
    void writing(const core::Step& step, bool undoing) override;
    void wrote(const core::Outcome& outcome, bool undoing) override;
    void end(core::Status status);

    /// 0 before the run has begun.
    [[nodiscard]] std::uint64_t id() const { return entry_.id; }

private:
    const Journal& journal_;
    core::JournalEntry entry_;
};

}  // namespace cli
