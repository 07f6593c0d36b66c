// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_page.hpp"

#include <algorithm>
#include <array>

#include "cli/views/doctor_fix.hpp"
#include "cli/views/doctor_lines.hpp"
#include "cli/views/doctor_page_style.hpp"
#include "cli/views/page.hpp"
#include "cli/views/port_groups.hpp"
#include "cli/views/quoted.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"
#include "core/model/nearest.hpp"

namespace cli {
namespace {

using core::Verdict;

constexpr std::array kShown = {Verdict::fail,    Verdict::warn, Verdict::crash,
                               Verdict::unknown, Verdict::pass, Verdict::skip};

std::string chip(Verdict verdict) {
    const std::string name(word(verdict));
    return "<span class=\"chip " + name + "\">" + name + "</span>";
}

std::string item(std::string_view term, const std::string& markup) {
    return "<dt>" + std::string(term) + "</dt><dd>" + markup + "</dd>\n";
}

class Page {
public:
    explicit Page(const DoctorView& view)
        : view_(view),
          of_{.ports = view.diagnosis.examination.ports,
              .state = &view.state,
              .group_ports = true} {}

    [[nodiscard]] std::string text() const {
        return text_of(HtmlPage{.title = "rocectl doctor: " + html(host()),
                                .main = heading() + causes() + chains() + counters() + checks(),
                                .script = kPageScript});
    }

private:
    [[nodiscard]] std::string host() const {
        return view_.state.host.name.empty() ? "a host" : view_.state.host.name;
    }

    [[nodiscard]] std::string where(const std::vector<std::string>& ports) const {
        return html(ports.front() == core::kHost ? std::string(core::kHost)
                                                 : ports_text(ports, of_));
    }

    [[nodiscard]] std::string heading() const {
        const core::Examination& examination = view_.diagnosis.examination;
        std::string out = "<h1>RoCE on " + html(host()) + "</h1>\n<p class=\"soft\">kernel " +
                          html(view_.state.host.kernel) + ", " +
                          count(examination.ports.size(), "port") + ", " +
                          count(examination.checks.size(), "check");
        if (!view_.profile.empty()) out += ", profile " + html(view_.profile);
        out += "</p>\n<p>";
        const auto counted = core::tally(examination);
        for (const Verdict verdict : kShown)
            if (const auto number = counted.find(verdict); number != counted.end())
                out += chip(verdict) + ' ' + std::to_string(number->second) + " &nbsp; ";
        return out + "</p>\n";
    }

    [[nodiscard]] std::string causes() const {
        std::string out = "<h2>Causes</h2>\n";
        std::size_t number = 0;
        for (const core::Suspect& cause : view_.diagnosis.causes)
            out += cause_card(cause, ++number);
        if (number > 0) return out;
        return out + "<p>" +
               (view_.diagnosis.examination.ports.empty()
                    ? "No port of this host is one of a RoCE fabric."
                    : "Nothing was found that is wrong.") +
               "</p>\n";
    }

    [[nodiscard]] std::string because(const core::Suspect& cause) const {
        std::string out;
        for (const auto& [text, ports] : reasons_of(cause, of_)) {
            const bool of_all = ports.size() >= cause.checks.size();
            out += "<p>" + (of_all ? "" : where(ports) + ": ") + html(text) + "</p>";
        }
        return out;
    }

    static std::string typed(const std::vector<std::string>& lines) {
        std::string out;
        for (const std::string& line : lines)
            out += (out.empty() ? "" : "\n") + html(line);
        return "<pre>" + out + "</pre>";
    }

    [[nodiscard]] std::string fix(const core::Suspect& cause) const {
        const Remedy remedy = remedy_of(view_, cause);
        std::vector<std::string> lines;
        for (const std::vector<std::string>& commands : remedy.commands)
            lines.insert(lines.end(), commands.begin(), commands.end());
        std::string out = item("fix", lines.empty() ? html(remedy.words) : typed(lines));
        if (!remedy.other.empty()) {
            out += item("where", html(remedy.when)) + item("or", typed(remedy.other)) +
                   item("where", html(remedy.other_when));
        }
        if (!remedy.disturbs.empty()) out += item("impact", html(remedy.disturbs));
        if (remedy.profile.empty()) return out;
        return out + item("profile", "<code>" + html(remedy.profile) + "</code>");
    }

    [[nodiscard]] std::string cause_card(const core::Suspect& cause, std::size_t number) const {
        std::vector<std::string> ports;
        for (const core::Check* check : cause.checks)
            ports.push_back(check->port);
        std::string follows;
        for (const core::FindingRow* row : cause.follows)
            follows += (follows.empty() ? "" : ", ") + html(row->id);
        std::string out = "<section class=\"card " + std::string(word(cause.verdict)) +
                          "\">\n<h3>" + std::to_string(number) + ". " + html(cause.row->id) + ' ' +
                          chip(cause.verdict) + "</h3>\n<p class=\"soft\">on " + where(ports) +
                          "</p>\n<p>" + html(cause.row->why) + "</p>\n<dl>\n" +
                          item("because", because(cause));
        if (!follows.empty()) out += item("explains", follows);
        if (!cause.row->cause.ruled_out_by.empty())
            out += item("unless", html(core::ruled_out_by(cause)));
        if (!cause.row->cause.test.empty()) out += item("test", html(core::test_of(cause)));
        return out + fix(cause) + "</dl>\n</section>\n";
    }

    [[nodiscard]] std::string chains() const {
        std::string out = view_.diagnosis.chains.empty() ? "" : "<h2>Chains</h2>\n";
        for (const core::Chain& chain : view_.diagnosis.chains)
            out += chain_card(chain);
        return out;
    }

    [[nodiscard]] std::string chain_card(const core::Chain& chain) const {
        const core::ChainLink* broken = first_broken(chain);
        std::string out = "<section class=\"card\">\n<h3>" + html(chain.name) +
                          " <span class=\"soft\">on " + where(chain.ports) +
                          "</span></h3>\n<ol class=\"chain\">\n";
        bool behind = false;
        for (const core::ChainLink& link : chain.links) {
            const bool here = &link == broken;
            out += here ? "<li class=\"broken\">" : behind ? "<li class=\"behind\">" : "<li>";
            out += "<span class=\"name\">" + html(link.name) + "</span>" +
                   (link.found.empty() ? "not known" : html(link.found));
            if (here) out += " <strong>\u2717 " + html(link.broken->id) + "</strong>";
            out += "</li>\n";
            behind = behind || here;
        }
        return out + "</ol>\n</section>\n";
    }

    /// A port's counters that grew, each as a small curve.
    [[nodiscard]] std::string counters() const {
        std::string out;
        const std::string* port = nullptr;
        for (const core::CounterSeries& series : view_.counter_series) {
            if (port == nullptr || *port != series.port) {
                out += port == nullptr ? "<h2>Counters that grew</h2>\n" : "</section>\n";
                out += "<section class=\"card curves\">\n<h3>" + html(series.port) + "</h3>\n";
            }
            port = &series.port;
            out += curve_markup(series);
        }
        return port == nullptr ? out : out + "</section>\n";
    }

    static std::string curve_markup(const core::CounterSeries& series) {
        const std::string by = (series.anew ? "began anew, by at least " : "by ") +
                               std::to_string(series.grown) + " in " +
                               core::duration_text(series.points.back().seconds);
        return "<figure><svg viewBox=\"0 0 120 32\" preserveAspectRatio=\"none\" role=\"img\">"
               "<title>" +
               html(series.name + " grew " + by) + "</title><polyline points=\"" +
               polyline(series) + "\"/></svg>\n<figcaption>" + html(series.name) +
               "<span class=\"soft\">" + html(by) + "</span></figcaption></figure>\n";
    }

    /// From the first reading at the left below to the last at the right above.
    static std::string polyline(const core::CounterSeries& series) {
        constexpr double wide = 120;
        constexpr double high = 28;
        constexpr double below = 30;
        const double whole = series.points.back().seconds;
        std::string out;
        for (const core::SeriesPoint& point : series.points) {
            const double x = whole > 0 ? wide * point.seconds / whole : 0;
            const double part =
                static_cast<double>(point.grown) / static_cast<double>(series.grown);
            if (!out.empty()) out += ' ';
            out += std::to_string(core::nearest(x));
            out += ',';
            out += std::to_string(core::nearest(below - high * part));
        }
        return out;
    }

    [[nodiscard]] std::string filter() const {
        std::string out =
            "<div class=\"filter\" hidden>\n<input type=\"search\" id=\"words\" "
            "placeholder=\"words, "
            "port or check\" aria-label=\"filter the checks\">\n";
        const auto counted = core::tally(view_.diagnosis.examination);
        for (const Verdict verdict : kShown) {
            if (!counted.contains(verdict)) continue;
            const std::string name(word(verdict));
            const bool quiet = verdict == Verdict::pass || verdict == Verdict::skip;
            out += "<label><input type=\"checkbox\" value=\"" + name + "\"" +
                   (quiet ? "" : " checked") + ">" + chip(verdict) + "</label>\n";
        }
        return out + "<span class=\"soft\" id=\"count\"></span>\n</div>\n";
    }

    [[nodiscard]] std::string checks() const {
        std::string out = "<h2>Checks</h2>\n" + filter() +
                          "<table id=\"checks\">\n<thead><tr><th>verdict</th><th>check</th>"
                          "<th>port</th><th>what was found</th></tr></thead>\n<tbody>\n";
        for (const core::Check& check : view_.diagnosis.examination.checks)
            out += check_row(check);
        return out + "</tbody>\n</table>\n";
    }

    static std::string check_row(const core::Check& check) {
        std::string said = check.reason;
        for (const core::Fault& fault : check.faults)
            said += (said.empty() ? "" : "; ") + fault.text;
        return "<tr data-verdict=\"" + std::string(word(check.verdict)) + "\"><td>" +
               chip(check.verdict) + "</td><td title=\"" + html(check.row->why) + "\">" +
               html(check.row->id) + "</td><td>" + html(check.port) + "</td><td>" + html(said) +
               "</td></tr>\n";
    }

    const DoctorView& view_;
    Grouping of_;
};

}  // namespace

std::string doctor_page(const DoctorView& view) {
    return Page(view).text();
}

}  // namespace cli
