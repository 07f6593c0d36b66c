// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/plan/journal.hpp"
#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Does work on the journal's disk and returns its result; a core::Error of the work is thrown on.
/// Throws Error (failed) where the disk does not answer in time.
using OnDisk = std::function<std::string(const std::function<std::string()>& work)>;

/// The files in /var/lib/rocectl/journal, one for each entry: `7.jsonl`, or `7.open.jsonl` while
/// the entry may leave something to be done.
class Journal {
public:
    /// `on_disk` does the work of begin, append, close, mark, texts and the member of its name;
    /// without it, and in all others, a disk that does not answer holds the caller for as long as
    /// that lasts.
    explicit Journal(const netlink::Root& root, OnDisk on_disk = {});

    /// Entries from `first` on, oldest first, with what later entries restored already taken into
    /// account (note_what_is_back). Unreadable ones are left out and reported on stderr.
    [[nodiscard]] std::vector<core::JournalEntry> entries(std::uint64_t first = 1) const;
    /// Entries from `first` on. Throws Error (failed) where one cannot be read, since the values
    /// before it are then unknown.
    [[nodiscard]] std::vector<core::JournalEntry> entries_from(std::uint64_t first) const;
    /// Entries from `first` on, oldest first, as their files say them. Throws Error (failed) where
    /// one cannot be read.
    [[nodiscard]] std::vector<std::string> texts(std::uint64_t first) const;
    /// Entries that leave something to be done; reads no file where there are none. Unreadable ones
    /// are left out and reported on stderr.
    [[nodiscard]] std::vector<core::JournalEntry> open_entries() const;
    /// Throws Error (failed) where an open entry cannot be read: what a run finds might be half of
    /// that entry's writes.
    void check_open() const;
    /// The entry with this id. Throws Error (failed) where there is none, or it cannot be read.
    [[nodiscard]] core::JournalEntry entry(std::uint64_t id) const;

    /// Stores a new entry on disk under the next id, which it returns: temporary file, fsync,
    /// rename, fsync of the directory. Throws Error (failed).
    std::uint64_t begin(const core::JournalEntry& entry) const;
    /// Appends a line; it is on disk on return. Throws Error (failed).
    void append(std::uint64_t id, const nlohmann::ordered_json& line) const;
    /// Marks the entry as leaving nothing to be done, and releases its reserved disk space.
    void close(std::uint64_t id) const;
    /// Adds a mark: completed_by, rolled_back_by or confirmed. `by` is the entry that did it; 0
    /// where nothing had to be written.
    void mark(std::uint64_t id, std::string_view mark, std::uint64_t by) const;
    /// Removes the oldest entries beyond `keep`, except open ones.
    void prune(std::size_t keep) const;
    /// The entry's file, opened to be read. Throws Error (failed).
    [[nodiscard]] netlink::Descriptor open(std::uint64_t id) const;
    /// Does other work on the journal's disk, as begin does its own, and returns its result.
    [[nodiscard]] std::string on_disk(const std::function<std::string()>& work) const;

private:
    struct Name;
    /// Sorted; those whose numbers are out of line go to `left_out`. Throws Error (failed) where
    /// another user could have written them.
    [[nodiscard]] std::vector<Name> names(std::vector<Name>* left_out = nullptr) const;
    [[nodiscard]] std::vector<Name> believable_names() const;
    [[nodiscard]] std::vector<core::JournalEntry> readable(const std::vector<Name>& names) const;
    [[nodiscard]] netlink::HostPath path_of(std::uint64_t id, std::string_view ending) const;
    [[nodiscard]] netlink::HostPath path_of(std::uint64_t id) const;
    [[nodiscard]] std::uint64_t begin_now(core::JournalEntry entry) const;
    void close_now(std::uint64_t id) const;

    netlink::HostPath folder_;
    OnDisk on_disk_;
};

/// An entry of the journal whose file is held open: it can be read whatever it is called by now,
/// and where no file can be opened any more.
class HeldEntry {
public:
    /// Throws Error (failed) where it cannot be read.
    HeldEntry(const Journal& journal, std::uint64_t id);

    /// Reads it where it has changed. False where it cannot be read, or others may have written it:
    /// entry() is then what it was before.
    bool refresh();
    [[nodiscard]] const core::JournalEntry& entry() const { return entry_; }

private:
    netlink::Descriptor file_;
    core::JournalEntry entry_{};
    std::string version_{};  ///< size and times of what was read
};

/// Parses the id of an entry from the command line. Throws Error (usage).
std::uint64_t entry_id(const std::string& text);

/// Records a run in the journal as it goes. A run that cannot begin there is not recorded.
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
