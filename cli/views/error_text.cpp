// SPDX-License-Identifier: Apache-2.0
#include "cli/views/error_text.hpp"

#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::ErrorCandidate;
using core::Verdict;

/// What came of a candidate's checks on all ports: the worst of them.
struct Examined {
    Verdict verdict = Verdict::skip;
    std::vector<std::string> ports{};  ///< on which it ended so
    std::string text{};                ///< what was found, or why nothing is known
};

bool is_found(Verdict verdict) {
    return verdict == Verdict::fail || verdict == Verdict::warn;
}

std::optional<Examined> looked(const MetView& view, const ErrorCandidate& candidate) {
    if (view.examined == nullptr || candidate.finding.empty()) return std::nullopt;
    Examined out;
    for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::crash, Verdict::unknown,
                                  Verdict::pass, Verdict::skip}) {
        for (const core::Check& check : view.examined->checks) {
            if (check.row->id != candidate.finding || check.verdict != verdict) continue;
            out.verdict = verdict;
            out.ports.push_back(check.port);
            if (out.text.empty())
                out.text = check.faults.empty() ? check.reason : check.faults.front().text;
        }
        if (!out.ports.empty()) return out;
    }
    out.text = "no port of this host is one of a RoCE fabric";
    return out;
}

/// `ens1f0: what was found; and 3 more ports`.
std::string looked_text(const Examined& looked, const Style& style) {
    std::string text = looked.text;
    if (is_found(looked.verdict)) {
        if (looked.ports.front() != core::kHost) text = looked.ports.front() + ": " + text;
        if (looked.ports.size() > 1) text += "; and " + count(looked.ports.size() - 1, "more port");
        return style.bad("found") + ": " + on_one_line(text);
    }
    if (looked.verdict == Verdict::pass) return style.good("not so here");
    const bool unread = looked.verdict != Verdict::skip;
    return (unread ? "not known: " : "not looked at: ") + on_one_line(text);
}

class MetText {
public:
    MetText(const MetView& view, const Style& style) : view_(view), style_(style) {}

    [[nodiscard]] std::string text(const core::MetText& met) const {
        const core::ErrorText& text = *met.text;
        std::string out = style_.bold(text.name) + "  " + style_.faint(text.by) + '\n';
        if (view_.lines) out += "   " + times(met) + ": " + on_one_line(met.line) + '\n';
        out += "   " + std::string(text.meaning) + '\n';
        std::size_t number = 0;
        for (const ErrorCandidate& candidate : candidates_of(text))
            out += candidate_text(candidate, ++number);
        if (!text.mistaken.empty()) out += "   mistaken: " + std::string(text.mistaken) + '\n';
        return out;
    }

private:
    static std::string times(const core::MetText& met) {
        return met.times == 1 ? "once" : std::to_string(met.times) + " times";
    }

    [[nodiscard]] std::string candidate_text(const ErrorCandidate& candidate,
                                             std::size_t number) const {
        const std::string start = "   " + std::to_string(number) + ". ";
        if (candidate.finding.empty()) return start + std::string(candidate.words) + '\n';
        std::string out = start + std::string(candidate.finding) + ": " +
                          std::string(core::find_finding(candidate.finding)->why) + '\n';
        if (const auto known = looked(view_, candidate))
            out += "      " + looked_text(*known, style_) + '\n';
        return out;
    }

    const MetView& view_;
    const Style& style_;
};

core::Json candidate_json(const MetView& view, const ErrorCandidate& candidate) {
    core::Json out;
    out["finding"] = candidate.finding.empty() ? core::Json() : core::Json(candidate.finding);
    out["text"] =
        candidate.finding.empty() ? candidate.words : core::find_finding(candidate.finding)->why;
    const auto known = looked(view, candidate);
    if (!known) return out;
    out["verdict"] = word(known->verdict);
    if (is_found(known->verdict)) {
        out["ports"] = core::Json::array();
        for (const std::string& port : known->ports)
            out["ports"].push_back(port == core::kHost ? core::Json() : core::Json(port));
        out["found"] = known->text;
    } else if (known->verdict != Verdict::pass) {
        out["reason"] = known->text;
    }
    return out;
}

}  // namespace

std::string met_text(const MetView& view, const Style& style) {
    std::string out;
    for (const core::MetText& met : view.met)
        out += (out.empty() ? "" : "\n") + MetText(view, style).text(met);
    if (view.lines)
        out += (out.empty() ? "" : "\n") + count(*view.lines, "line") + " read, " +
               count(view.met.size(), "known text") + "\n";
    return fitted(out, style.width);
}

std::string met_json(const Heading& heading, const MetView& view) {
    core::Json texts = core::Json::array();
    for (const core::MetText& met : view.met) {
        core::Json one = {{"id", met.text->name},
                          {"by", met.text->by},
                          {"line", met.line},
                          {"times", met.times},
                          {"meaning", met.text->meaning},
                          {"candidates", core::Json::array()},
                          {"mistaken", met.text->mistaken}};
        for (const ErrorCandidate& candidate : candidates_of(*met.text))
            one["candidates"].push_back(candidate_json(view, candidate));
        texts.push_back(one);
    }
    core::Json body = {{"texts", texts}};
    if (view.lines) body["lines"] = *view.lines;
    return document(heading, body);
}

}  // namespace cli
