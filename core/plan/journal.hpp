// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/apply.hpp"

namespace core {

/// What identifies the device of a port, whatever it is called. Entries of before the permanent MAC
/// address and the kind were recorded have neither; what is empty is not compared.
struct Subject {
    std::string name{};
    /// Empty where it is no PCI device's, or could not be read.
    std::string pci{};
    /// Empty where it is not the device's own: of a bond, its members, and what runs on another
    /// device.
    std::string mac{};
    std::string permanent_mac{};  ///< IFLA_PERM_ADDRESS; empty where the device was made with none
    std::string kind{};           ///< of a virtual device (rtnetlink(7), IFLA_INFO_KIND)
    bool operator==(const Subject&) const = default;
};

/// One step that was written, or was about to be when the run ended.
struct Attempt {
    Step step{};
    bool undoing = false;                     ///< wrote an old value
    std::optional<Outcome::Result> result{};  ///< nothing: the run ended before it was known
    std::string text{};                       ///< why it failed
};

/// The record of a run that wrote to the host: who, when and why, the values before, and each
/// write. Times are UTC in RFC 3339.
struct JournalEntry {
    std::uint64_t id = 0;  ///< counts up from 1
    std::string command{};
    std::string subject{};  ///< the profile; of a rollback, the first entry that it undoes
    std::string digest{};   ///< SHA-256 of all that the desired values came from
    std::string time{};
    std::string user{};
    Host host{};
    std::string boot{};  ///< kernel.random.boot_id
    /// SO_NETNS_COOKIE (include/uapi/asm-generic/socket.h, since Linux 5.14) of the network
    /// namespace that it wrote to; unique while a boot lasts. 0: not known.
    std::uint64_t network_namespace = 0;
    std::vector<Subject> subjects{};
    DesiredState undo_profile{};  ///< what brings back what was before
    std::vector<Step> steps{};
    std::vector<Attempt> attempts{};
    std::optional<Status> end{};  ///< nothing: the run was killed, or still goes on
    std::string end_time{};
    /// The later entry that wrote all of this one's desired values; 0: a run that found them
    /// written.
    std::optional<std::uint64_t> completed_by{};
    /// The later entry that undid this one; 0: a run that found nothing to write.
    std::optional<std::uint64_t> rolled_back_by{};
    std::vector<std::uint64_t> rollbacks{};  ///< all entries that undid it, oldest first
    bool to_confirm = false;                 ///< stays only when it is confirmed
    bool confirmed = false;
};

/// Whether it ended in a way that leaves something to be done: killed, not undone as a whole, or
/// not confirmed; and neither completed nor undone since.
[[nodiscard]] bool is_open(const JournalEntry& entry);
/// Whether it was to be confirmed, and neither was nor was undone. One that noted no write has
/// written nothing, since each is noted before.
[[nodiscard]] bool is_unconfirmed(const JournalEntry& entry);
/// Makes rolled_back_by of each entry the last rollback that was not undone itself; nothing where
/// all were, since the entry is in force again then. `entries` is a journal, the oldest first.
void note_what_is_back(std::vector<JournalEntry>& entries);
/// The entry that a rollback without an id undoes first: the last apply or, where that is rolled
/// back, the oldest entry undone with it. Nothing where there is no apply.
[[nodiscard]] std::optional<std::uint64_t> last_to_undo(const std::vector<JournalEntry>& entries);
/// `done`, `brought back`, `left changed`, `unfinished`, `rolled back by 7`, …
std::string state_text(const JournalEntry& entry);

/// `{"name": …, "pci": …, "mac": …, "permanent_mac": …, "kind": …}`; the last two where known.
nlohmann::ordered_json to_json(const Subject& subject);

/// The lines of an entry's file, each a JSON document: the first says what will be done, each
/// other one adds what happened.
nlohmann::ordered_json first_line(const JournalEntry& entry);
nlohmann::ordered_json learned_line(const std::vector<Desired>& values);
nlohmann::ordered_json writing_line(const Step& step, bool undoing);
nlohmann::ordered_json outcome_line(const Outcome& outcome);
nlohmann::ordered_json end_line(Status status, const std::string& time);
/// `mark` is completed_by, rolled_back_by or confirmed; `by` is the entry that did it, or 0.
nlohmann::ordered_json mark_line(std::string_view mark, std::uint64_t by);

/// Reads an entry's file. A last line that is not whole was being written when the run was killed,
/// and does not count. Throws Error (invalid_input) where anything else is wrong.
JournalEntry parse_entry(std::string_view text, const std::string& file);

}  // namespace core
