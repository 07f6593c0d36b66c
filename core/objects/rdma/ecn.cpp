// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <charconv>

#include "core/model/back_end.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

std::string number_text(const Value& value) {
    const auto* number = std::get_if<std::uint64_t>(&value);
    return number == nullptr ? std::string() : std::to_string(*number);
}

/// What the kernel makes of decimal digits where it reads hexadecimal.
std::uint64_t misread(const std::string& decimal) {
    std::uint64_t number = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), number, 16);
    return number;
}

std::string mistaken(std::string_view key, const Value& found, const std::string& decimal) {
    std::string out(key);
    out += " reads " + number_text(found);
    out += ", which is 0x" + decimal;
    out += ": somebody wrote " + decimal;
    out += " to a file that the kernel reads as hexadecimal";
    return out;
}

std::string where_looked(const Driver& driver, const Port& port) {
    std::string out;
    for (const FileBackEnd& back_end : driver.congestion)
        out += (out.empty() ? "" : " nor ") +
               path_of(back_end.folder, port).value_or(std::string(back_end.folder));
    return out;
}

Commands lines_of(const std::vector<FileWrite>& writes) {
    Commands lines;
    for (const FileWrite& write : writes)
        lines.push_back("echo " + write.text + " > " + write.path);
    return lines;
}

bool all_off(const Port& port) {
    const auto& notify = port.congestion->notify;
    return notify && std::ranges::none_of(*notify, [](const auto& one) { return one.second; });
}

Played play_directory(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.rdma || now.rdma->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.congestion_directory = then.congestion_directory;
    if (!*now.congestion_directory)
        now.unknown.insert(Object::ecn);
    else if (now.congestion)
        now.unknown.erase(Object::ecn);
    return std::nullopt;
}

Commands spell_directory(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = congestion_back_end(driver, then);
    const auto directory = back_end == nullptr ? std::nullopt : directory_of(*back_end, now);
    return {(*then.congestion_directory ? "mkdir " : "rmdir ") + directory.value_or("")};
}

std::optional<Lack> lacks(const Driver& driver, const Port& port, std::string_view key) {
    if (driver.congestion.empty())
        return Lack{.text = std::string(driver.name) +
                            " has no interface to the congestion control of the device"};
    const FileBackEnd* back_end = congestion_back_end(driver, port);
    if (back_end == nullptr)
        return Lack{
            .text = "the kernel does not offer it: there is no " + where_looked(driver, port),
            .remedy = "load the NIC's RDMA driver; virtual functions have none"};
    for (const ValueFile& file : back_end->files)
        if (file.key == key && !file.firmware.empty())
            return Lack{.id = "firmware", .text = std::string(file.firmware)};
    return std::nullopt;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = congestion_back_end(driver, now);
    if (back_end == nullptr) return "the port has no interface to its congestion control";
    if (!path_of(back_end->folder, now))
        return "the port has no name to put into " + std::string(back_end->folder);
    const std::vector<FileWrite> writes = file_writes(*back_end, now, then);
    for (const FileWrite& write : writes)
        if (std::ranges::count(writes, write.path, &FileWrite::path) > 1)
            return "the device has one switch, " + write.path +
                   ", for all of ecn.notify and "
                   "ecn.react";
    if (back_end->commit.empty() || !then.congestion || !all_off(then)) return std::nullopt;
    for (const ValueFile& file : back_end->files) {
        const Field& field = *find_field(file.key);
        const auto wished = field.get(then);
        if (file.may_hide && wished && !wished->empty() && field.get(now) != wished)
            return "the device has no " + std::string(file.key) + " while ecn.notify is off";
    }
    return std::nullopt;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    const FileBackEnd& back_end = *congestion_back_end(driver, now);
    if (back_end.made && !now.congestion_directory.value_or(false))
        return Refusal{.code = ENOENT, .text = "No such file or directory"};
    play_files(back_end, now, then);
    now.unknown.erase(Object::ecn);
    if (back_end.commit.empty() || !now.congestion || !all_off(now)) return std::nullopt;
    for (const ValueFile& file : back_end.files)
        if (file.may_hide) find_field(file.key)->set(now, {});
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = congestion_back_end(driver, now);
    if (back_end == nullptr) return {};
    return lines_of(file_writes(*back_end, now, then));
}

Reason remarks(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = congestion_back_end(driver, now);
    if (back_end == nullptr || !back_end->hexadecimal) return std::nullopt;
    for (const ValueFile& file : back_end->files) {
        const Field& field = *find_field(file.key);
        const auto found = element_of(now, field, "");
        const auto wished = element_of(then, field, "");
        if (!found || !wished || *found == *wished) continue;
        const std::string decimal = number_text(*wished);
        if (*found == Value(misread(decimal))) return mistaken(file.key, *found, decimal);
    }
    return std::nullopt;
}

constexpr std::array kDirectoryTouches = {Object::ecn};
constexpr std::array kConsults = {Object::link, Object::rdma_link};

}  // namespace

constinit const ObjectRow ecn_directory_row = {
    .object = Object::ecn_directory,
    .name = "ecn_directory",
    .doc = "The bnxt_re directory of the device in configfs.",
    .copy = copy<&Port::congestion_directory>,
    .touches = kDirectoryTouches,
    .consults = kConsults,
    .lacks = lacks,
    .play = play_directory,
    .spell = spell_directory};

constinit const ObjectRow ecn_row = {.object = Object::ecn,
                                     .name = "ecn",
                                     .doc = "Congestion control of the device: ECN and DCQCN.",
                                     .copy = copy<&Port::congestion>,
                                     .consults = kConsults,
                                     .needs = "ecn.directory",
                                     .lacks = lacks,
                                     .refuses = refuses,
                                     .remarks = remarks,
                                     .play = play,
                                     .spell = spell};

}  // namespace core
