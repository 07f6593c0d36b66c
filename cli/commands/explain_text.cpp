// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/explain_text.hpp"

#include <array>

#include "cli/run/task.hpp"
#include "cli/views/error_text.hpp"
#include "core/doctor/reading.hpp"

namespace cli {
namespace {

/// The host's checks for what the texts name; nothing where no host was asked for.
std::optional<core::Examination> examined(const Session& session,
                                          const std::vector<core::MetText>& met) {
    if (!session.options.here && !session.options.state) return std::nullopt;
    const std::vector<std::string_view> findings = core::candidate_findings(met);
    core::Inquiry inquiry;
    inquiry.only.insert(findings.begin(), findings.end());
    const auto kernel = open_host(session);
    if (inquiry.only.empty()) return core::Examination{};
    const core::State state = core::read_host(*kernel, inquiry);
    inquiry.now = &state;
    return core::examine_host(inquiry);
}

core::Status tell(Session& session, const std::vector<core::MetText>& met,
                  std::optional<std::size_t> lines) {
    const auto examination = examined(session, met);
    const MetView view{
        .met = met, .lines = lines, .examined = examination ? &*examination : nullptr};
    if (session.options.output == Output::json)
        session.out << met_json({session.command, core::Status::done}, view);
    else
        session.out << met_text(view, session.style);
    return core::Status::done;
}

/// Hands on each line, as far as it is kept, until there is no more.
template <typename Take>
void each_line(std::istream& in, const Take& take) {
    constexpr std::size_t longest = 16384;
    std::array<char, 65536> block{};
    std::string line;
    bool open = false;
    while (in.read(block.data(), block.size()), in.gcount() > 0) {
        std::string_view rest(block.data(), static_cast<std::size_t>(in.gcount()));
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            line.append(rest.substr(0, std::min(end, longest - line.size())));
            open = end == rest.size();
            rest.remove_prefix(open ? end : end + 1);
            if (open) continue;
            take(line);
            line.clear();
        }
    }
    if (open) take(line);
}

}  // namespace

std::vector<core::MetText> known_texts(const std::string& text) {
    std::vector<core::MetText> met;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        core::meet(met, rest.substr(0, end), false);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return met;
}

core::Status explain_texts(Session& session, const std::vector<core::MetText>& met) {
    return tell(session, met, std::nullopt);
}

core::Status explain_input(Session& session) {
    std::vector<core::MetText> met;
    std::size_t lines = 0;
    each_line(*session.in, [&](const std::string& line) {
        ++lines;
        core::meet(met, line, true);
    });
    if (session.in->bad()) throw core::Error(core::Status::failed, "standard input cannot be read");
    if (session.beat) session.beat();
    return tell(session, met, lines);
}

}  // namespace cli
