// SPDX-License-Identifier: Apache-2.0
#include "core/boot/lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

namespace core::boot {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Reads one line after the other, and knows in which section it is.
class Reader {
public:
    explicit Reader(Form form) : form_(form) {}

    TextLine line(std::uint32_t number, std::string_view text) {
        TextLine out{.number = number, .text = std::string(text)};
        if (form_ == Form::sections)
            take_section_line(text, out);
        else
            take_words(text, out);
        return out;
    }

private:
    void take_section_line(std::string_view text, TextLine& out) {
        if (text.starts_with('[')) {
            section_ = std::string(text.substr(1, text.find(']') - 1));
            return;
        }
        const std::size_t equals = std::min(text.find('='), text.size());
        out.key = section_ + '.' + std::string(trimmed(text.substr(0, equals)));
        if (equals < text.size()) out.value = std::string(trimmed(text.substr(equals + 1)));
    }

    static void take_words(std::string_view text, TextLine& out) {
        const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
        out.key = std::string(text.substr(0, end));
        out.value = std::string(trimmed(text.substr(end)));
    }

    Form form_;
    std::string section_;
};

bool is_comment(std::string_view line) {
    return line.empty() || line.front() == '#' || line.front() == ';';
}

/// Which of the source's folders the file is in, from the front; nothing where in none of them.
std::optional<std::size_t> place_of(std::span<const std::string_view> folders,
                                    std::string_view beside, std::string_view path) {
    for (std::size_t i = 0; i < folders.size(); ++i) {
        std::string folder(folders[i]);
        if (!beside.empty()) folder.append("/").append(beside);
        if (path.size() > folder.size() + 1 && path.starts_with(folder) &&
            path[folder.size()] == '/' && path.find('/', folder.size() + 1) == path.npos)
            return i;
    }
    return std::nullopt;
}

/// The first of each name, by folder, in the order of the names.
std::vector<File> files_in(const Source& source, std::string_view beside, std::string_view ending,
                           const BootFiles& all) {
    struct Held {
        std::size_t place = 0;
        std::vector<const BootLine*> lines{};
    };
    std::map<std::string, Held, std::less<>> by_name;
    for (const BootLine& line : all) {
        const auto place = place_of(source.folders, beside, line.file);
        if (!place || !line.file.ends_with(ending)) continue;
        Held& held = by_name[source.hides ? std::string(base_name(line.file)) : line.file];
        if (!held.lines.empty() && held.place < *place) continue;
        if (held.place > *place) held.lines.clear();
        held.place = *place;
        held.lines.push_back(&line);
    }
    std::vector<File> out;
    for (auto& [name, held] : by_name) {
        std::ranges::sort(held.lines, {}, &BootLine::line);
        File& file = out.emplace_back(File{.path = held.lines.front()->file});
        Reader reader(source.form);
        for (const BootLine* line : held.lines) {
            if (line->line == 0) {
                file.refused = line->refused;
                file.time = line->time;
            } else {
                file.lines.push_back(reader.line(line->line, line->text));
            }
        }
    }
    return out;
}

}  // namespace

std::optional<bool> flag_in(std::string_view text) {
    for (const char* yes : {"1", "yes", "true", "on", "y", "Y"})
        if (text == yes) return true;
    for (const char* no : {"0", "no", "false", "off", "n", "N"})
        if (text == no) return false;
    return std::nullopt;
}

std::string bytes_in(const std::string& text) {
    constexpr std::array<std::string_view, 5> units = {"B", "K", "M", "G", "T"};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return text;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit.empty()) return std::to_string(number);
    for (const std::string_view known : units) {
        if (unit == known) return std::to_string(number);
        if (number > UINT64_MAX >> 10U) return text;
        number <<= 10U;
    }
    return text;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string_view unit_of(std::string_view path) {
    constexpr std::string_view drop_ins = ".service.d";
    const std::string_view folder = path.substr(0, std::min(path.rfind('/'), path.size()));
    if (!folder.ends_with(drop_ins)) return base_name(path);
    return base_name(folder.substr(0, folder.size() - 2));
}

std::vector<TextLine> logical_lines(Form form, std::string_view text) {
    std::vector<TextLine> out;
    Reader reader(form);
    std::string joined;
    std::uint32_t start = 0, number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (is_comment(line)) continue;
        if (joined.empty()) start = number;
        const bool goes_on = line.ends_with('\\') && !text.empty();
        if (goes_on) line.remove_suffix(1);
        joined += line;
        if (goes_on) {
            joined += ' ';
            continue;
        }
        if (const std::string_view whole = trimmed(joined); !whole.empty())
            out.push_back(reader.line(start, whole));
        joined.clear();
    }
    return out;
}

std::vector<File> in_force(const Source& source, const BootFiles& lines) {
    return files_in(source, {}, source.ending, lines);
}

std::vector<File> drop_ins(const Source& source, std::string_view name, const BootFiles& lines) {
    if (source.drop_in.empty()) return {};
    return files_in(source, std::string(name).append(source.drop_in), ".conf", lines);
}

}  // namespace core::boot
