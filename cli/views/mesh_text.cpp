// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/views/formatted.hpp"
#include "cli/views/mesh.hpp"
#include "cli/views/mesh_picture.hpp"
#include "cli/views/printable.hpp"

namespace cli {
namespace {

using core::probe::Grid;
using core::probe::Measure;
using core::probe::Mesh;
using core::probe::MeshFinding;
using core::probe::MeshHost;
using core::probe::MeshResult;

/// As many columns as fit into a hundred characters with a name in front.
constexpr std::size_t kMostColumns = 10;
constexpr std::size_t kMostLines = 20;

std::string cell_text(const Picture& picture, std::size_t row, std::size_t column,
                      const Style& style) {
    const auto& value = picture.values.at(row, column);
    std::string text = value ? value_text(picture.measure, *value) : std::string();
    text = text.substr(0, text.find(' '));
    switch (picture.at(row, column)) {
        case Cell::none: return style.faint(".");
        case Cell::self: return style.faint("-");
        case Cell::skipped: return style.faint("skip");
        case Cell::fails: return style.bad("fails");
        case Cell::outlier: return style.bad(text);
        default: return text;
    }
}

/// Gb/s or Mb/s is one for a whole matrix of a measure: the values stand without.
std::string unit_of(const Picture& picture) {
    if (picture.measure.of == Measure::Of::loss) return "signs";
    const std::string text = value_text(picture.measure, picture.usual.middle);
    return text.substr(text.find(' ') + 1);
}

std::string matrix(const Mesh& mesh, const Picture& picture, const Style& style) {
    std::vector<Row> rows{{core::probe::name_of(picture.measure) + ", " + unit_of(picture), "to"}};
    for (std::size_t column = 0; column < picture.side; ++column)
        rows.front().push_back(std::to_string(column + 1));
    for (std::size_t row = 0; row < picture.side; ++row) {
        rows.push_back({"from " + mesh.hosts[row].name, std::to_string(row + 1)});
        for (std::size_t column = 0; column < picture.side; ++column)
            rows.back().push_back(cell_text(picture, row, column, style));
    }
    return '\n' + table(rows);
}

/// Of too many hosts for a matrix a line each: the middle of its row and of its column.
std::string lines(const Mesh& mesh, const Measure& measure) {
    struct Line {
        std::size_t host = 0;
        double to = 0;
        double from = 0;
        double worst = 0;
    };
    const Grid grid = core::probe::grid_of(mesh, measure);
    std::vector<Line> found;
    for (std::size_t host = 0; host < mesh.hosts.size(); ++host) {
        const auto to = core::probe::middle_of_line(measure, grid, host, true);
        const auto from = core::probe::middle_of_line(measure, grid, host, false);
        if (!to && !from) continue;
        Line line{.host = host, .to = to.value_or(*from), .from = from.value_or(*to)};
        line.worst = measure.worse(line.to, line.from) ? line.to : line.from;
        found.push_back(line);
    }
    std::ranges::stable_sort(
        found, [&](const Line& a, const Line& b) { return measure.worse(a.worst, b.worst); });
    std::vector<Row> rows{{core::probe::name_of(measure), "TO OTHERS", "FROM OTHERS"}};
    for (std::size_t i = 0; i < std::min(found.size(), kMostLines); ++i)
        rows.push_back({mesh.hosts[found[i].host].name, value_text(measure, found[i].to),
                        value_text(measure, found[i].from)});
    std::string out = '\n' + table(rows);
    if (found.size() > kMostLines)
        out += "the middle of each; " + std::to_string(found.size() - kMostLines) +
               " more hosts are not worse\n";
    return out;
}

std::string list(const std::string& title, const std::vector<std::string>& items) {
    if (items.empty()) return {};
    std::string out = '\n' + title + '\n';
    for (std::size_t i = 0; i < std::min(items.size(), kMostLines); ++i)
        out += "  " + on_one_line(items[i]) + '\n';
    if (items.size() > kMostLines)
        out += "  and " + std::to_string(items.size() - kMostLines) + " more\n";
    return out;
}

}  // namespace

std::string mesh_text(const Mesh& mesh, const Style& style) {
    std::string out =
        mesh_sum(mesh) + formatted(", in %.0f s", mesh.seconds) +
        (mesh.interrupted ? "; " + style.bad("interrupted, what is here was found before") : "") +
        '\n';
    for (const Measure& measure : core::probe::measures_of(mesh))
        out += mesh.hosts.size() <= kMostColumns
                   ? matrix(mesh, picture_of(mesh, measure, kMostColumns), style)
                   : lines(mesh, measure);
    std::vector<std::string> findings;
    for (const MeshFinding& finding : core::probe::findings_of(mesh))
        findings.push_back(finding_text(mesh, finding));
    std::vector<std::string> absent;
    for (const MeshHost& host : mesh.hosts)
        if (!host.unreachable.empty()) absent.push_back(host.name + ": " + host.unreachable);
    std::vector<std::string> failed;
    std::vector<std::string> unmet;
    for (const MeshResult& result : mesh.results) {
        if (!result.failure.empty())
            failed.push_back(pair_text(mesh, result) + ": " + result.failure);
        for (const std::string& one : result.unmet)
            unmet.push_back(pair_text(mesh, result) + ": " + one);
    }
    return out + list(style.bold("stands out"), findings) + list(style.bad("not reached"), absent) +
           list(style.bad("failed"), failed) + list(style.bad("not as expected"), unmet) +
           list(style.faint("skipped"), reasons_in(mesh));
}

}  // namespace cli
