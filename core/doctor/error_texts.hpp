// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A possible cause of an error text: a finding that doctor looks for, or an explanation in words.
struct ErrorCandidate {
    std::string_view finding{};
    std::string_view words{};
};

/// A text that a program or the kernel prints where RoCE does not work, or advice that goes round.
struct ErrorText {
    std::string_view name{};  ///< for scripts: `rtr-timed-out`
    /// Who prints it, with commas or a colon between. What has no blank is the name of a program or
    /// library, which is recognised in unknown lines too.
    std::string_view by{};
    /// A line each, in lower case. `*` is anything on the line, a blank is blanks and marks such as
    /// `=` and `:`; a word or number is whole; `{rdma}` is each driver's RDMA module. One text,
    /// since each pointer of a table is to be relocated at every start.
    std::string_view patterns{};
    std::string_view sample{};   ///< as it stands in a log
    std::string_view meaning{};  ///< one sentence
    /// A line each, the one to look at first in front: a finding's id, or words, which have blanks.
    std::string_view candidates{};
    std::string_view mistaken{};  ///< what is wrong with the advice that is usually given
    bool common = false;          ///< in a log it is nothing of RoCE: only where it is asked alone
};

/// The texts of each file beside this one.
namespace error_text {

extern const std::span<const ErrorText> advice;
extern const std::span<const ErrorText> memory;
extern const std::span<const ErrorText> queue_pairs;
extern const std::span<const ErrorText> connections;
extern const std::span<const ErrorText> completions;
extern const std::span<const ErrorText> programs;
extern const std::span<const ErrorText> kernel;

}  // namespace error_text

std::vector<std::span<const ErrorText>> error_text_groups();
/// All texts that are known, in the order in which they are looked for.
const std::vector<const ErrorText*>& error_texts();

/// The lines of a text of the table.
std::vector<std::string_view> patterns_of(const ErrorText& text);
std::vector<ErrorCandidate> candidates_of(const ErrorText& text);

/// Whether the pattern is in the line, which is in lower case.
bool has_pattern(std::string_view line, std::string_view pattern);

/// The first known text that is in the line, whatever stands around it; null where none is.
const ErrorText* find_error_text(std::string_view line, bool in_log);

/// What a line that no text is in has in it all the same: "mlx5_0 (RDMA device)", "errno 113
/// EHOSTUNREACH (no route to host)", each once, in the order of the kinds: programs, RDMA devices,
/// errors, statuses of completions. Findings that an error suggests are added to `findings`.
std::vector<std::string> recognised_in(std::string_view line,
                                       std::vector<std::string_view>& findings);

/// A text that was met.
struct MetText {
    const ErrorText* text = nullptr;
    std::string line{};  ///< the first matching line, shortened if long
    std::size_t times = 0;
};

/// Adds the text that is in the line, once; there are never more than texts that are known.
void meet(std::vector<MetText>& met, std::string_view line, bool in_log);

/// Findings that the texts name, each once.
std::vector<std::string_view> candidate_findings(std::span<const MetText> met);

}  // namespace core
