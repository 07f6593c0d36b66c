// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

/// Many short inputs in one text file, so that a diff shows them.
namespace packed {

/// The bytes of each section of a file, by its name: `[NAME]` begins one, and each line below it
/// says what follows: `|` a line of text, `>` text that no newline ends, else bytes in hexadecimal.
/// Empty lines and lines that begin with `#` say nothing.
inline std::map<std::string, std::string> sections(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::map<std::string, std::string> all;
    std::string* section = nullptr;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        if (line.front() == '[' && line.back() == ']') {
            const auto [at, is_new] = all.try_emplace(line.substr(1, line.size() - 2));
            if (!is_new) throw std::runtime_error(path + " has two sections " + line);
            section = &at->second;
            continue;
        }
        if (section == nullptr) throw std::runtime_error(path + " begins with no section");
        if (line.front() == '|' || line.front() == '>') {
            *section += line.substr(1);
            if (line.front() == '|') *section += '\n';
            continue;
        }
        if (line.size() % 2 != 0 || line.find_first_not_of("0123456789abcdef") != line.npos)
            throw std::runtime_error(path + " has a line that is no hexadecimal: " + line);
        for (std::size_t at = 0; at < line.size(); at += 2)
            *section += static_cast<char>(std::stoi(line.substr(at, 2), nullptr, 16));
    }
    return all;
}

}  // namespace packed
