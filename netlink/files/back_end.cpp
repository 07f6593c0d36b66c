// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/back_end.hpp"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr std::string_view kDebugfs = "/sys/kernel/debug";
constexpr std::string_view kLockdown = "/sys/kernel/security/lockdown";
constexpr long kDebugfsMagic = 0x64626720;  // include/uapi/linux/magic.h

/// Throws where it cannot be told: only what the kernel says is not there is not.
bool is_there(const Machine& machine, const std::string& path) {
    const HostPath file = machine.file(path);
    if (exists(file)) return true;
    if (errno == ENOENT) return false;
    throw file_error(errno, file);
}

/// A captured tree is what it is; on a live host an empty directory tells nothing. `ip netns exec`
/// gives each program a sysfs of its own with nothing mounted in it.
void expect_mounted(const Machine& machine, std::string_view root) {
    struct statfs status {};
    if (machine.rooted()) return;
    if (root == kDebugfs && statfs(kDebugfs.data(), &status) == 0 && status.f_type != kDebugfsMagic)
        throw KernelError(ENOENT,
                          "debugfs is not mounted; run mount -t debugfs debugfs /sys/kernel/debug");
    if (root.starts_with("/sys/kernel/config") && !sees_configfs(machine))
        throw KernelError(
            ENOENT, "configfs is not mounted; run mount -t configfs configfs /sys/kernel/config");
}

/// Under lockdown debugfs refuses every file that is not for reading alone, and all writes
/// (fs/debugfs/file.c debugfs_locked_down); Secure Boot turns it on in several distributions.
void expect_not_locked(const Machine& machine, std::string_view root) {
    if (root != kDebugfs) return;
    const auto text = read_if_there(machine.file(kLockdown));
    for (const char* const level : {"integrity", "confidentiality"})
        if (text && text->find('[' + std::string(level) + ']') != std::string::npos)
            throw KernelError(EPERM, std::string("the kernel is locked down (") + level + " in " +
                                         std::string(kLockdown) +
                                         "; Secure Boot does that), which closes debugfs");
}

std::optional<FoundBackEnd> look_for(const Machine& machine, const core::FileBackEnd& back_end,
                                     const core::Port& port) {
    const auto folder = core::path_of(back_end.folder, port);
    if (!folder) return std::nullopt;
    expect_mounted(machine, back_end.root);
    expect_not_locked(machine, back_end.root);
    if (is_there(machine, *folder)) return FoundBackEnd{&back_end};
    if (back_end.made && is_there(machine, std::string(back_end.root)))
        return FoundBackEnd{.back_end = &back_end, .made = false};
    return std::nullopt;
}

core::Value parsed(std::string_view key, const HostPath& path, const std::string& text) {
    if (const auto value = core::value_in(key, text)) return *value;
    throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
}

class Reader {
public:
    Reader(const Machine& machine, const core::FileBackEnd& back_end, core::Port& port)
        : machine_(machine), port_(port) {
        folder_ = machine.file(core::path_of(back_end.folder, port).value_or(""));
        if (!back_end.commit.empty()) report_ = read_text_file(folder_ / back_end.commit);
    }

    void read(const core::ValueFile& file) {
        if (file.name.empty() || is_refused(file)) return;
        const core::Field& field = *core::find_field(file.key);
        core::Elements elements;
        bool none = false;
        for (const std::string& element : core::sample_keys(field.shape)) {
            const auto path = folder_ / core::file_name(file, element);
            auto text = report_ ? reported(file.name, path) : read_if_there(path);
            if (text && !file.prefix.empty()) text = core::after_prefix(*text, file.prefix);
            none = text && text->empty() && !file.prefix.empty();
            if (text && !none) elements.emplace(element, parsed(file.key, path, *text));
        }
        if (elements.empty() && !none && !(report_ && file.may_hide)) return;
        if (!file.off.empty() && read_if_there(folder_ / file.off) == "1") elements.clear();
        field.set(port_, elements);
    }

private:
    [[nodiscard]] std::optional<std::string> reported(std::string_view name,
                                                      const HostPath& path) const {
        auto text = core::reported_by(*report_, name);
        if (text || !core::is_later_form(*report_)) return text;
        text = read_if_there(path);
        return text ? core::reported_by(*text, name).value_or(*text) : text;
    }

    /// What cannot be read says nothing against it: the device then has the word.
    [[nodiscard]] bool is_refused(const core::ValueFile& file) const {
        const auto path = core::path_of(file.unless_file, port_);
        if (file.unless_file.empty() || !path) return false;
        std::istringstream lines(text_of(machine_.file(*path)));  // more than a page
        for (std::string line; std::getline(lines, line);)
            if (core::has_line(line, file.unless_line)) return true;
        return false;
    }

    const Machine& machine_;
    core::Port& port_;
    HostPath folder_;
    std::optional<std::string> report_;
};

}  // namespace

FoundBackEnd find_back_end(const Machine& machine, std::span<const core::FileBackEnd> back_ends,
                           const core::Port& port) {
    std::optional<KernelError> unseen;
    for (const core::FileBackEnd& back_end : back_ends) {
        try {
            if (const auto found = look_for(machine, back_end, port)) return *found;
        } catch (const KernelError& error) {
            unseen = error;
        }
    }
    if (unseen) throw *unseen;
    return {};
}

void read_back_end(const Machine& machine, const core::FileBackEnd& back_end, core::Port& port) {
    Reader reader(machine, back_end, port);
    for (const core::ValueFile& file : back_end.files)
        reader.read(file);
}

void write_back_end(const Machine& machine, const core::FileBackEnd& back_end,
                    const core::Port& now, const core::Port& then) {
    for (const core::FileWrite& write : core::file_writes(back_end, now, then))
        write_text_file(machine.file(write.path), write.text);
}

void make_back_end(const Machine& machine, const core::FileBackEnd& back_end,
                   const core::Port& port, bool there) {
    const auto directory = core::directory_of(back_end, port);
    if (!directory) throw KernelError(ENODEV, "the port has no RDMA device");
    const HostPath path = machine.file(*directory);
    if (there && !make_directory(path) && errno != EEXIST) throw file_error(errno, path);
    if (!there && !remove_directory(path) && errno != ENOENT) throw file_error(errno, path);
}

}  // namespace netlink
