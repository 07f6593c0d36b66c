// SPDX-License-Identifier: Apache-2.0
#include "core/model/back_end.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/model/reading.hpp"

namespace core {
namespace {

/// Neither the kernel's network devices nor RDMA's nor PCI's have a slash in their names
/// (net/core/dev.c dev_valid_name); a state file may.
bool is_one_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

std::string name_of(std::string_view what, const Port& port) {
    if (what == "port") return port.name;
    if (what == "pci") return port.link ? port.link->pci : std::string();
    if (!port.rdma_link) return {};
    return what == "rdma_port" ? std::to_string(port.rdma_link->port) : port.rdma_link->device;
}

std::string spelled(const FileBackEnd& back_end, const Value& value) {
    if (const auto* on = std::get_if<bool>(&value)) return *on ? "1" : "0";
    const auto* number = std::get_if<std::uint64_t>(&value);
    if (number == nullptr) return text(value);
    if (!back_end.hexadecimal) return std::to_string(*number);
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

/// The elements of a setting that `then` has otherwise than `now`.
Elements changed(const Field& field, const Port& now, const Port& then) {
    const Elements before = field.get(now).value_or(Elements{});
    Elements after = field.get(then).value_or(Elements{});
    std::erase_if(after, [&](const auto& element) {
        const auto found = before.find(element.first);
        return found != before.end() && found->second == element.second;
    });
    return after;
}

/// Sets every element whose value is in the file.
void follow(const ValueFile& file, std::string_view name, const Value& value, Port& port) {
    const Field& field = *find_field(file.key);
    for (const auto& [element, old] : field.get(port).value_or(Elements{}))
        if (file_name(file, element) == name) set_element(port, field, element, value);
}

/// The code point and the priority of RoCE on a port that tells it by its UDP port.
std::optional<AppEntry> roce_entry(const Port& port) {
    if (!port.app) return std::nullopt;
    for (const AppEntry& udp : port.app->entries)
        for (const AppEntry& entry : port.app->entries)
            if (is_roce(udp) && entry.selector == AppEntry::dscp && entry.priority == udp.priority)
                return entry;
    return std::nullopt;
}

bool goes_off(const Field& field, const Port& now, const Port& then) {
    const auto before = field.get(now);
    const auto after = field.get(then);
    return before && !before->empty() && after && after->empty();
}

}  // namespace

std::optional<std::string> path_of(std::string_view pattern, const Port& port) {
    std::string out;
    while (true) {
        const std::size_t open = pattern.find('{');
        out += pattern.substr(0, open);
        if (open == std::string_view::npos) return out;
        const std::size_t close = pattern.find('}', open);
        const std::string name = name_of(pattern.substr(open + 1, close - open - 1), port);
        if (!is_one_name(name)) return std::nullopt;
        out += name;
        pattern.remove_prefix(close + 1);
    }
}

std::optional<std::string> directory_of(const FileBackEnd& back_end, const Port& port) {
    return path_of(std::string(back_end.root) + "/{rdma}", port);
}

std::string file_name(const ValueFile& file, std::string_view element) {
    std::string name(file.name);
    const std::size_t star = name.find('*');
    if (star != std::string::npos) name.replace(star, 1, element);
    return name;
}

std::vector<FileWrite> file_writes(const FileBackEnd& back_end, const Port& now, const Port& then) {
    const std::optional<std::string> folder = path_of(back_end.folder, then);
    std::vector<FileWrite> writes;
    if (!folder) return writes;
    const auto add = [&](std::string_view name, std::string value) {
        FileWrite write{*folder + "/" + std::string(name), std::move(value)};
        if (std::ranges::find(writes, write) == writes.end()) writes.push_back(std::move(write));
    };
    for (const ValueFile& file : back_end.files) {
        if (file.name.empty()) continue;
        const Field& field = *find_field(file.key);
        for (const auto& [element, value] : changed(field, now, then))
            add(file_name(file, element), spelled(back_end, value));
        if (!goes_off(field, now, then)) continue;
        if (!file.off.empty()) add(file.off, "1");
        if (!file.none.empty()) add(file.name, std::string(file.none));
    }
    if (writes.empty() || back_end.commit.empty()) return writes;
    for (const ValueFile& file : back_end.files)
        if (const auto value = element_of(then, *find_field(file.key), ""); file.again && value)
            add(file.name, spelled(back_end, *value));
    if (const auto roce = roce_entry(then); roce && !back_end.roce_dscp.empty()) {
        add(back_end.roce_dscp, spelled(back_end, std::uint64_t{roce->protocol}));
        add(back_end.roce_priority, spelled(back_end, std::uint64_t{roce->priority}));
    }
    add(back_end.commit, "1");
    return writes;
}

void play_files(const FileBackEnd& back_end, Port& now, const Port& then) {
    const Port before = now;
    for (const ValueFile& file : back_end.files) {
        const Field& field = *find_field(file.key);
        if (const auto after = field.get(then)) field.set(now, *after);
    }
    for (const ValueFile& file : back_end.files)
        for (const auto& [element, value] : changed(*find_field(file.key), before, then))
            for (const ValueFile& other : back_end.files)
                follow(other, file_name(file, element), value, now);
}

std::optional<Value> value_in(std::string_view key, std::string_view text) {
    const Shape& whole = find_field(key)->shape;
    const Shape& shape = whole.of == nullptr ? whole : *whole.of;
    const bool on_or_off = shape.kind == Shape::Kind::flag;
    if (on_or_off && (text == "Enabled" || text == "Disabled")) return text == "Enabled";
    if (on_or_off && (text == "Not-ECT" || text.starts_with("ECT("))) return text != "Not-ECT";
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    if (on_or_off) return number != 0;
    if (illegal(shape, number)) return std::nullopt;
    return number;
}

std::string after_prefix(std::string_view text, std::string_view prefix) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.starts_with(prefix)) return std::string(line.substr(prefix.size()));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return {};
}

namespace {

std::string_view first_word(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return {};
    return text.substr(start, text.find_first_of(" \t", start) - start);
}

/// `ecn status (ecn_enable) : Enabled`
std::string_view after_label(std::string_view line, std::string_view name) {
    const std::size_t at = line.find("(" + std::string(name) + ")");
    const std::size_t colon = at == std::string_view::npos ? at : line.find(':', at);
    if (colon == std::string_view::npos) return {};
    return first_word(line.substr(colon + 1));
}

/// `ecn_enable=0x1 # ECN status : Enabled`
std::string_view after_name(std::string_view line, std::string_view name) {
    const std::string_view word = first_word(line);
    if (!word.starts_with(name) || word.substr(name.size()).substr(0, 1) != "=") return {};
    return word.substr(name.size() + 1);
}

/// Calls `found(line)` for each line until it says true; whether it did.
template <typename Found>
bool any_line(std::string_view text, const Found& found) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (found(line)) return true;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return false;
}

}  // namespace

std::optional<std::string> reported_by(std::string_view report, std::string_view name) {
    std::string_view reported;
    const bool found = any_line(report, [&](std::string_view line) {
        reported = after_label(line, name);
        if (reported.empty()) reported = after_name(line, name);
        return !reported.empty();
    });
    return found ? std::optional<std::string>(reported) : std::nullopt;
}

bool is_later_form(std::string_view report) {
    return any_line(report, [](std::string_view line) {
        return first_word(line).find("=0x") != std::string_view::npos;
    });
}

bool has_line(std::string_view text, std::string_view line) {
    return any_line(text, [&](std::string_view one) {
        const std::size_t start = one.find_first_not_of(" \t");
        if (start == std::string_view::npos) return false;
        return one.substr(start, one.find_last_not_of(" \t") + 1 - start) == line;
    });
}

}  // namespace core
