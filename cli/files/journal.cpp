// SPDX-License-Identifier: Apache-2.0
#include "cli/files/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/files/durable.hpp"
#include "cli/files/own.hpp"
#include "cli/files/owner.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"
#include "cli/log.hpp"
#include "core/error.hpp"
#include "core/json/bytes.hpp"
#include "core/model/quote.hpp"
#include "core/plan/undo.hpp"

namespace cli {
namespace {

using core::Error;
using core::JournalEntry;
using core::Status;
using Json = nlohmann::ordered_json;

constexpr std::string_view kDone = ".jsonl";
constexpr std::string_view kOpen = ".open.jsonl";
/// No host has so many runs between two of which entries are kept: a file whose number is further
/// from the one before is none of an entry's, and does not count.
constexpr std::uint64_t kFurthest = 1'000'000'000;

}  // namespace

std::uint64_t entry_id(const std::string& text) {
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error == std::errc{} && end == text.data() + text.size() && id != 0) return id;
    throw Error(Status::usage,
                "found " + core::in_quotes(text) + ", expected the id of an entry of history");
}

struct Journal::Name {
    std::uint64_t id = 0;
    bool open = false;
};

Journal::Journal(const netlink::Root& root, OnDisk on_disk)
    : folder_(root / "var/lib/rocectl/journal"), on_disk_(std::move(on_disk)) {}

std::string Journal::on_disk(const std::function<std::string()>& work) const {
    return on_disk_ ? on_disk_(work) : work();
}

std::vector<Journal::Name> Journal::names(std::vector<Name>* left_out) const {
    std::vector<Name> out;
    if (!check_own_folder(folder_)) return out;
    for (const std::string& name : names_in(folder_)) {
        Name found;
        const auto [end, failed] =
            std::from_chars(name.data(), name.data() + name.size(), found.id);
        const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
        found.open = rest == kOpen;
        if (failed == std::errc{} && (found.open || rest == kDone)) out.push_back(found);
    }
    std::ranges::sort(out, {}, &Name::id);
    std::uint64_t last = 0;
    const auto out_of_line = std::ranges::find_if(out, [&last](const Name& name) {
        return name.id - std::exchange(last, name.id) > kFurthest;
    });
    if (left_out != nullptr) left_out->assign(out_of_line, out.end());
    out.erase(out_of_line, out.end());
    return out;
}

netlink::HostPath Journal::path_of(std::uint64_t id, std::string_view ending) const {
    return folder_ / std::to_string(id).append(ending);
}

netlink::HostPath Journal::path_of(std::uint64_t id) const {
    netlink::HostPath done = path_of(id, kDone);
    return exists(done) ? done : path_of(id, kOpen);
}

JournalEntry Journal::entry(std::uint64_t id) const {
    const netlink::HostPath path = path_of(id);
    if (!exists(path) && errno != ENOENT) throw failure(path);
    if (!exists(path))
        throw Error(Status::failed, "no entry " + std::to_string(id) + " in " + folder_.string() +
                                        "; rocectl history lists them");
    try {
        return core::parse_entry(read_own(path), path.string());
    } catch (const Error& error) {
        throw Error(Status::failed, error.lines());
    }
}

std::vector<Journal::Name> Journal::believable_names() const {
    try {
        std::vector<Name> left_out;
        std::vector<Name> out = names(&left_out);
        for (const Name& name : left_out)
            log_warning(path_of(name.id, name.open ? kOpen : kDone).string() +
                        ": its number is out of line with those of the other entries, and it is "
                        "left out; see what it is, and remove it");
        return out;
    } catch (const Error& error) {
        for (const std::string& line : error.lines())
            log_warning(line);
        return {};
    }
}

std::vector<JournalEntry> Journal::readable(const std::vector<Name>& names) const {
    std::vector<JournalEntry> out;
    for (const Name& name : names) {
        try {
            out.push_back(entry(name.id));
        } catch (const Error& error) {
            for (const std::string& line : error.lines())
                log_warning(line);
        }
    }
    return out;
}

std::vector<JournalEntry> Journal::entries(std::uint64_t first) const {
    std::vector<Name> names = believable_names();
    std::erase_if(names, [first](const Name& name) { return name.id < first; });
    std::vector<JournalEntry> out = readable(names);
    core::note_what_is_back(out);
    return out;
}

std::vector<std::string> Journal::texts(std::uint64_t first) const {
    const std::string all = on_disk([this, first] {
        Json out = Json::array();
        for (const Name& name : names())
            if (name.id >= first) out.push_back(read_own(path_of(name.id)));
        return out.dump();
    });
    return Json::parse(all).get<std::vector<std::string>>();
}

std::vector<JournalEntry> Journal::entries_from(std::uint64_t first) const {
    std::vector<JournalEntry> out;
    for (const Name& name : names())
        if (name.id >= first) out.push_back(entry(name.id));
    return out;
}

void Journal::check_open() const {
    for (const Name& name : names()) {
        if (!name.open) continue;
        try {
            static_cast<void>(entry(name.id));
        } catch (const Error& error) {
            std::vector<std::string> lines = error.lines();
            lines.push_back("nobody knows what " + path_of(name.id, kOpen).string() +
                            " left behind; see that the host is as it should be, and remove it");
            throw Error(Status::failed, std::move(lines));
        }
    }
}

std::vector<JournalEntry> Journal::open_entries() const {
    std::vector<Name> open = believable_names();
    std::erase_if(open, [](const Name& name) { return !name.open; });
    std::vector<JournalEntry> out = readable(open);
    std::erase_if(out, [](const JournalEntry& entry) { return !is_open(entry); });
    return out;
}

std::uint64_t Journal::begin(const JournalEntry& entry) const {
    return entry_id(on_disk([this, &entry] { return std::to_string(begin_now(entry)); }));
}

std::uint64_t Journal::begin_now(JournalEntry entry) const {
    // A step is reported twice when it is written, and twice each time that it is undone; beside it
    // stands what the kernel said. A mark at the end takes a line.
    constexpr std::size_t times = 6;
    constexpr std::size_t words = 1024;
    make_own_folder(folder_);
    const std::vector<Name> present = names();
    entry.id = present.empty() ? 1 : present.back().id + 1;
    const std::string text = core::written(core::first_line(entry)) + '\n';
    create_durably(path_of(entry.id, kOpen), text,
                   times * text.size() + (entry.steps.size() + 4) * words);
    return entry.id;
}

void Journal::append(std::uint64_t id, const Json& line) const {
    static_cast<void>(on_disk([this, id, &line] {
        append_durably(path_of(id), core::written(line));
        return std::string();
    }));
}

void Journal::close(std::uint64_t id) const {
    static_cast<void>(on_disk([this, id] {
        close_now(id);
        return std::string();
    }));
}

void Journal::close_now(std::uint64_t id) const {
    const netlink::HostPath open = path_of(id, kOpen);
    if (!exists(open)) return;
    release_reserve(open);
    rename_durably(open, path_of(id, kDone));
}

void Journal::mark(std::uint64_t id, std::string_view mark, std::uint64_t by) const {
    static_cast<void>(on_disk([this, id, mark, by] {
        append_durably(path_of(id), core::written(core::mark_line(mark, by)));
        if (!is_open(entry(id))) close_now(id);
        return std::string();
    }));
}

void Journal::prune(std::size_t keep) const {
    std::vector<Name> present = names();
    std::erase_if(present, [](const Name& name) { return name.open; });
    if (present.size() <= keep) return;
    present.resize(present.size() - keep);
    for (const Name& name : present)
        remove_file(path_of(name.id));
}

netlink::Descriptor Journal::open(std::uint64_t id) const {
    return open_own(path_of(id), O_RDONLY);
}

HeldEntry::HeldEntry(const Journal& journal, std::uint64_t id)
    : file_(journal.open(id)), entry_{.id = id} {
    if (!refresh())
        throw Error(Status::failed, "entry " + std::to_string(id) + " cannot be read back");
}

bool HeldEntry::refresh() {
    struct stat status {};
    if (::fstat(file_.number(), &status) != 0) return false;
    const auto text_of = [](const timespec& time) {
        return ' ' + std::to_string(time.tv_sec) + '.' + std::to_string(time.tv_nsec);
    };
    const std::string version =
        std::to_string(status.st_size) + text_of(status.st_mtim) + text_of(status.st_ctim);
    if (version == version_) return true;
    if (!is_own(status.st_uid) || others_may_write(file_.number(), status)) return false;
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    if (::pread(file_.number(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        return false;
    try {
        const std::uint64_t id = entry_.id;
        entry_ = core::parse_entry(text, "entry " + std::to_string(id));
    } catch (const std::exception&) {
        return false;
    }
    version_ = version;
    return true;
}

void EntryFile::begin(const core::Plan& plan, const core::DesiredState& undo_profile) {
    entry_.undo_profile = undo_profile;
    entry_.steps = plan.steps;
    entry_.host = plan.before.host;
    entry_.subjects = core::subjects_of(plan, undo_profile);
    entry_.id = journal_.begin(entry_);
}

void EntryFile::learned(const std::vector<core::Desired>& values) {
    if (id() != 0) journal_.append(entry_.id, core::learned_line(values));
}

void EntryFile::writing(const core::Step& step, bool undoing) {
    if (id() != 0) journal_.append(entry_.id, core::writing_line(step, undoing));
}

void EntryFile::wrote(const core::Outcome& outcome, bool /*undoing*/) {
    if (id() != 0) journal_.append(entry_.id, core::outcome_line(outcome));
}

void EntryFile::end(Status status) {
    if (entry_.id == 0) return;
    journal_.append(entry_.id, core::end_line(status, utc_now()));
    entry_.end = status;
    if (!is_open(entry_)) journal_.close(entry_.id);
}

}  // namespace cli
