// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/views/formatted.hpp"
#include "cli/views/mesh.hpp"
#include "cli/views/mesh_page_style.hpp"
#include "cli/views/mesh_picture.hpp"
#include "cli/views/page.hpp"
#include "cli/views/quoted.hpp"

namespace cli {
namespace {

using core::probe::Grid;
using core::probe::Measure;
using core::probe::Mesh;
using core::probe::MeshFinding;
using core::probe::MeshHost;
using core::probe::MeshResult;
using Items = std::vector<std::string>;

/// Up to so many hosts each cell has its value in it.
constexpr std::size_t kMostValues = 16;
/// A screen has not many more points.
constexpr std::size_t kMostRows = 256;
constexpr std::size_t kMostItems = 100;

/// In the order of Cell.
constexpr std::array<std::string_view, 10> kStyles = {"lnone", "lself", "lskip", "lfail", "l0",
                                                      "l1",    "l2",    "l3",    "l4",    "lout"};

std::string_view class_of(Cell cell) {
    return kStyles[static_cast<std::size_t>(cell)];
}

std::string cell_markup(const Picture& picture, std::size_t row, std::size_t column) {
    const Cell cell = picture.at(row, column);
    const auto& value = picture.values.at(row, column);
    std::string text = value ? value_text(picture.measure, *value) : std::string();
    if (cell == Cell::self) text = "\u2013";
    if (cell == Cell::skipped) text = "skip";
    if (cell == Cell::fails) text = "\u2717";
    return "<td class=\"" + std::string(class_of(cell)) + "\">" + text.substr(0, text.find(' ')) +
           "</td>";
}

std::string value_table(const Mesh& mesh, const Picture& picture) {
    std::string out = "<div class=\"wide\"><table class=\"mesh\"><thead><tr><th>from \\ to</th>";
    for (std::size_t i = 0; i < mesh.hosts.size(); ++i)
        out += "<th scope=\"col\" title=\"" + html(mesh.hosts[i].name) + "\">" +
               std::to_string(i + 1) + "</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < picture.side; ++row) {
        out += "<tr><th scope=\"row\">" + std::to_string(row + 1) + ". " +
               html(mesh.hosts[row].name) + "</th>";
        for (std::size_t column = 0; column < picture.side; ++column)
            out += cell_markup(picture, row, column);
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

/// The cells of one kind, side by side ones as one.
std::string outline(const Picture& picture, Cell cell) {
    std::string out;
    for (std::size_t row = 0; row < picture.side; ++row)
        for (std::size_t column = 0; column < picture.side;) {
            std::size_t end = column;
            while (end < picture.side && picture.at(row, end) == cell)
                ++end;
            if (end > column) {
                const std::string wide = std::to_string(end - column);
                out += formatted("M%zu %zuh%sv1h-%sz", column, row, wide.c_str(), wide.c_str());
            }
            column = end + 1;
        }
    return out;
}

/// The numbers of hosts beside a picture: the first, and about so many more.
std::string ticks(const Picture& picture, std::string_view where) {
    constexpr std::size_t kMarks = 8;
    std::string out = "<div class=\"" + std::string(where) + "\" aria-hidden=\"true\">";
    for (std::size_t mark = 0; mark <= kMarks; ++mark) {
        const std::size_t row = std::min(picture.side - 1, mark * picture.side / kMarks);
        out += "<span>" + std::to_string(row * picture.block + 1) + "</span>";
    }
    return out + "</div>\n";
}

std::string heat_map(const Picture& picture, std::size_t number) {
    const std::string side = std::to_string(picture.side);
    std::string out = "<div class=\"heat\">" + ticks(picture, "top") + ticks(picture, "left") +
                      "<svg role=\"img\" data-picture=\"" + std::to_string(number) +
                      "\" viewBox=\"0 0 " + side + ' ' + side + "\"><title>" +
                      core::probe::name_of(picture.measure) +
                      ", from hosts (rows) to hosts (columns)</title>";
    for (std::size_t kind = 1; kind < kStyles.size(); ++kind) {
        const std::string path = outline(picture, static_cast<Cell>(kind));
        if (!path.empty())
            out += "<path class=\"" + std::string(kStyles[kind]) + "\" d=\"" + path + "\"/>\n";
    }
    out +=
        "</svg></div>\n<p class=\"soft\">Rows: the host that measured. Columns: the host it "
        "measured. Both in the order of the list below";
    if (picture.block > 1)
        out += ", " + std::to_string(picture.block) +
               " hosts each; a cell is as the worst of its block";
    return out + ".</p>\n<p class=\"said\"></p>\n";
}

std::string legend(const Picture& picture) {
    const auto entry = [](Cell cell, const std::string& text) {
        return "<span><i class=\"" + std::string(class_of(cell)) + "\"></i>" + text + "</span>\n";
    };
    std::string out = "<div class=\"legend\">\n" + entry(Cell::level0, "best") +
                      entry(Cell::level2, "between") + entry(Cell::level4, "at the limit of usual");
    out +=
        entry(Cell::outlier, "outlier, beyond " + value_text(picture.measure, picture.usual.limit));
    out += entry(Cell::fails, "fails");
    out += entry(Cell::skipped, "skipped");
    return out + entry(Cell::none, "not measured") + "</div>\n";
}

std::string picture_card(const Mesh& mesh, const Picture& picture, std::size_t number) {
    std::string out = "<section class=\"card\">\n<h3>" + core::probe::name_of(picture.measure) +
                      " <span class=\"soft\">usually " +
                      value_text(picture.measure, picture.usual.middle) + "</span></h3>\n";
    out +=
        mesh.hosts.size() <= kMostValues ? value_table(mesh, picture) : heat_map(picture, number);
    return out + legend(picture) + "</section>\n";
}

std::string list_card(std::string_view title, std::string_view kind, const Items& items) {
    if (items.empty()) return {};
    std::string out = "<h2>" + std::string(title) + "</h2>\n<section class=\"card " +
                      std::string(kind) + "\"><ul class=\"plain\">\n";
    for (std::size_t i = 0; i < std::min(items.size(), kMostItems); ++i)
        out += "<li>" + html(items[i]) + "</li>\n";
    if (items.size() > kMostItems)
        out +=
            "<li class=\"soft\">and " + std::to_string(items.size() - kMostItems) + " more</li>\n";
    return out + "</ul></section>\n";
}

Items failures_in(const Mesh& mesh) {
    Items out;
    for (const MeshResult& result : mesh.results) {
        if (!result.failure.empty()) out.push_back(pair_text(mesh, result) + ": " + result.failure);
        for (const std::string& one : result.unmet)
            out.push_back(pair_text(mesh, result) + ": expected " + one);
    }
    return out;
}

std::string middle_text(const Measure& measure, const Grid& grid, std::size_t host, bool row) {
    const auto middle = core::probe::middle_of_line(measure, grid, host, row);
    return middle ? value_text(measure, *middle) : "\u2013";
}

std::string host_table(const Mesh& mesh) {
    const std::vector<Measure> measures = core::probe::measures_of(mesh);
    Items names{"host"};
    std::vector<Grid> grids;
    for (const Measure& measure : measures) {
        grids.push_back(core::probe::grid_of(mesh, measure));
        names.push_back(core::probe::name_of(measure) + " to others");
        names.push_back(core::probe::name_of(measure) + " from others");
    }
    std::string out =
        "<h2>Hosts</h2>\n<p class=\"soft\">The middle of what each measured, and of "
        "what was measured of it.</p>\n<table class=\"hosts\"><thead><tr>";
    for (const std::string& name : names)
        out += "<th>" + name + "</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t host = 0; host < mesh.hosts.size(); ++host) {
        const MeshHost& one = mesh.hosts[host];
        out += "<tr><td>" + std::to_string(host + 1) + ". " + html(one.name);
        if (!one.unreachable.empty()) out += " <span class=\"chip fail\">not reached</span>";
        out += "</td>";
        for (std::size_t i = 0; i < measures.size(); ++i)
            for (const bool row : {true, false})
                out += "<td data-of=\"" + names[1 + 2 * i + (row ? 0U : 1U)] + "\">" +
                       middle_text(measures[i], grids[i], host, row) + "</td>";
        out += "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

/// What the script says.
std::string data_of(const Mesh& mesh, const std::vector<Picture>& pictures) {
    nlohmann::ordered_json out;
    auto& hosts = out["hosts"] = nlohmann::ordered_json::array();
    for (const MeshHost& host : mesh.hosts)
        hosts.push_back(host.name);
    auto& all = out["pictures"] = nlohmann::ordered_json::array();
    for (const Picture& picture : pictures) {
        nlohmann::ordered_json values = nlohmann::ordered_json::array();
        for (std::size_t row = 0; row < picture.side && mesh.hosts.size() > kMostValues; ++row)
            for (std::size_t column = 0; column < picture.side; ++column) {
                const auto& value = picture.values.at(row, column);
                values.push_back(value ? nlohmann::ordered_json(value_text(picture.measure, *value))
                                       : nullptr);
            }
        all.push_back(
            {{"side", picture.side}, {"block", picture.block}, {"values", std::move(values)}});
    }
    return script_data(out.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
}

std::string verdict_of(const Mesh& mesh) {
    const bool well = core::probe::is_well(mesh);
    std::string out = "<p><span class=\"chip " + std::string(well ? "pass" : "fail") + "\">" +
                      (well ? "well" : "not well") + "</span> " + mesh_sum(mesh);
    if (mesh.interrupted) out += "; interrupted, what is here was found before";
    return out + "</p>\n<p class=\"soft\">in " + formatted("%.0f s", mesh.seconds) + "</p>\n";
}

}  // namespace

std::string mesh_page(const Mesh& mesh) {
    std::string out =
        "<h1>RoCE between " + count(mesh.hosts.size(), "host") + "</h1>\n" + verdict_of(mesh);
    Items findings;
    for (const MeshFinding& finding : core::probe::findings_of(mesh))
        findings.push_back(finding_text(mesh, finding));
    Items absent;
    for (const MeshHost& host : mesh.hosts)
        if (!host.unreachable.empty()) absent.push_back(host.name + ": " + host.unreachable);
    out += findings.empty() ? "<h2>Stands out</h2>\n<p>No host and no pair.</p>\n"
                            : list_card("Stands out", "warn", findings);
    out += list_card("Not reached", "fail", absent);
    std::vector<Picture> pictures;
    for (const Measure& measure : core::probe::measures_of(mesh))
        pictures.push_back(picture_of(mesh, measure, kMostRows));
    out += pictures.empty() ? "" : "<h2>Hosts by hosts</h2>\n";
    for (std::size_t i = 0; i < pictures.size(); ++i)
        out += picture_card(mesh, pictures[i], i);
    out += list_card("Failed", "fail", failures_in(mesh)) +
           list_card("Skipped", "", reasons_in(mesh)) + host_table(mesh);
    return text_of(HtmlPage{.title = "rocectl probe mesh: " + count(mesh.hosts.size(), "host"),
                            .style = kMeshStyle,
                            .main = std::move(out),
                            .data = "<script type=\"application/json\" id=\"data\">" +
                                    data_of(mesh, pictures) + "</script>\n",
                            .script = kMeshScript});
}

}  // namespace cli
