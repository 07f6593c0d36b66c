// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

#include <algorithm>
#include <set>

#include "core/model/driver.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c);
}

bool is_mark(char c) {
    return std::string_view(" \t:=(),\"'-").find(c) != std::string_view::npos;
}

/// Whether a word could begin here: no part of another one, a number no part of a longer one, of an
/// address or of a name (10.0.0.19, mlx5_8).
bool may_begin(std::string_view line, std::size_t at) {
    if (at == 0 || !is_word(line[at])) return true;
    const char before = line[at - 1];
    return !is_word(before) && !(is_digit(line[at]) && (before == '.' || before == '_'));
}

bool may_end(std::string_view line, std::size_t at) {
    if (at >= line.size() || !is_word(line[at - 1])) return true;
    const bool goes_on = line[at] == '.' && at + 1 < line.size() && is_digit(line[at + 1]);
    return !is_word(line[at]) && !(is_digit(line[at - 1]) && goes_on);
}

/// Where the fragment that begins here ends; npos where it does not.
std::size_t end_of(std::string_view line, std::size_t at, std::string_view fragment) {
    for (std::size_t i = 0; i < fragment.size(); ++i) {
        if (fragment[i] != ' ') {
            if (at >= line.size() || line[at] != fragment[i]) return std::string_view::npos;
            ++at;
            continue;
        }
        const char next = i + 1 < fragment.size() ? fragment[i + 1] : '\0';
        const std::size_t start = at;
        while (at < line.size() && is_mark(line[at]) && line[at] != next)
            ++at;
        if (at == start) return std::string_view::npos;
    }
    return may_end(line, at) ? at : std::string_view::npos;
}

/// Behind the first place from `at` on where the fragment is; npos where it is nowhere.
std::size_t behind(std::string_view line, std::size_t at, std::string_view fragment) {
    for (at = line.find(fragment.front(), at); at != std::string_view::npos;
         at = line.find(fragment.front(), at + 1)) {
        if (!may_begin(line, at)) continue;
        if (const std::size_t end = end_of(line, at, fragment); end != std::string_view::npos)
            return end;
    }
    return std::string_view::npos;
}

/// Takes the first line away from a text.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// The modules that make RDMA devices, of NICs and soft ones.
const std::set<std::string_view>& rdma_modules() {
    static const std::set<std::string_view> all = [] {
        std::set<std::string_view> out;
        for (const Driver* driver : drivers())
            out.insert(driver->rdma_software.module);
        for (const rdma_link::SoftDriver& driver : rdma_link::kSoftDrivers)
            out.insert(driver.module);
        out.erase("");
        return out;
    }();
    return all;
}

bool is_met(const ErrorText& text, std::string_view line) {
    constexpr std::string_view module = "{rdma}";
    for (std::string_view rest = text.patterns; !rest.empty();) {
        const std::string_view pattern = take_line(rest);
        const std::size_t at = pattern.find(module);
        if (at == std::string_view::npos) {
            if (has_pattern(line, pattern)) return true;
            continue;
        }
        for (const std::string_view name : rdma_modules())
            if (has_pattern(line, std::string(pattern).replace(at, module.size(), name)))
                return true;
    }
    return false;
}

}  // namespace

std::vector<std::span<const ErrorText>> error_text_groups() {
    return {error_text::advice,      error_text::memory,      error_text::queue_pairs,
            error_text::connections, error_text::completions, error_text::programs,
            error_text::kernel};
}

const std::vector<const ErrorText*>& error_texts() {
    static const std::vector<const ErrorText*> all = [] {
        std::vector<const ErrorText*> out;
        for (const std::span<const ErrorText> group : error_text_groups())
            for (const ErrorText& text : group)
                out.push_back(&text);
        return out;
    }();
    return all;
}

std::vector<std::string_view> patterns_of(const ErrorText& text) {
    std::vector<std::string_view> out;
    for (std::string_view rest = text.patterns; !rest.empty();)
        out.push_back(take_line(rest));
    return out;
}

std::vector<ErrorCandidate> candidates_of(const ErrorText& text) {
    std::vector<ErrorCandidate> out;
    for (std::string_view rest = text.candidates; !rest.empty();) {
        const std::string_view line = take_line(rest);
        const bool is_words = line.find(' ') != std::string_view::npos;
        out.push_back(is_words ? ErrorCandidate{.words = line} : ErrorCandidate{.finding = line});
    }
    return out;
}

bool has_pattern(std::string_view line, std::string_view pattern) {
    std::size_t at = 0;
    while (!pattern.empty()) {
        const std::size_t star = std::min(pattern.find('*'), pattern.size());
        at = behind(line, at, pattern.substr(0, star));
        if (at == std::string_view::npos) return false;
        pattern.remove_prefix(std::min(star + 1, pattern.size()));
    }
    return true;
}

const ErrorText* find_error_text(std::string_view line, bool in_log) {
    const std::string small = in_lower_case(line);
    for (const ErrorText* text : error_texts())
        if (!(in_log && text->common) && is_met(*text, small)) return text;
    return nullptr;
}

void meet(std::vector<MetText>& met, std::string_view line, bool in_log) {
    constexpr std::size_t longest = 300;
    const ErrorText* text = find_error_text(line, in_log);
    if (text == nullptr) return;
    auto known = std::ranges::find(met, text, &MetText::text);
    if (known == met.end())
        known = met.insert(known, {.text = text, .line = std::string(line.substr(0, longest))});
    ++known->times;
}

std::vector<std::string_view> candidate_findings(std::span<const MetText> met) {
    std::vector<std::string_view> out;
    for (const MetText& each : met)
        for (const ErrorCandidate& candidate : candidates_of(*each.text))
            if (!candidate.finding.empty() &&
                std::ranges::find(out, candidate.finding) == out.end())
                out.push_back(candidate.finding);
    return out;
}

}  // namespace core
