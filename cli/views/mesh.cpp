// SPDX-License-Identifier: Apache-2.0
#include "cli/views/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/views/formatted.hpp"
#include "cli/views/junit.hpp"
#include "cli/views/printable.hpp"
#include "core/probe/schedule.hpp"

namespace cli {
namespace {

using core::probe::Grid;
using core::probe::Measure;
using core::probe::Mesh;
using core::probe::MeshFinding;
using core::probe::MeshHost;
using core::probe::MeshResult;
using core::probe::Parameters;
using Where = MeshFinding::Where;

/// What one measurement takes beside what is sent: greeting, every operation once at each size, and
/// opening the queue pairs, as it was seen over soft RoCE.
constexpr double kSetUpSeconds = 0.5;

bool streams(const Parameters& parameters) {
    return parameters.bandwidth ||
           std::ranges::any_of(parameters.expectations, &core::probe::Expectation::bandwidth);
}

double seconds_of(const Parameters& parameters) {
    const std::size_t named = parameters.operations.size() + parameters.expectations.size();
    const auto operations =
        static_cast<double>(named == 0 ? std::size(core::probe::kOperations) : named);
    const double bandwidth =
        streams(parameters) ? std::chrono::duration<double>(parameters.duration).count() : 0;
    // Ten microseconds a message is more than any fabric takes that is well.
    return kSetUpSeconds +
           operations * (static_cast<double>(parameters.iterations) * 1e-5 + bandwidth);
}

std::string time_text(double seconds) {
    constexpr double kMinute = 60;
    constexpr double kHour = 3600;
    if (seconds < 2 * kMinute) return formatted("%.0f s", seconds);
    if (seconds < 2 * kHour) return formatted("%.0f min", seconds / kMinute);
    return formatted("%.1f h", seconds / kHour);
}

std::string with_rail(const Mesh& mesh, std::uint32_t rail) {
    return core::probe::rails_in(mesh) > 1 ? " by rail " + std::to_string(rail) : std::string();
}

std::string unmet_in(const MeshResult& result) {
    std::string out;
    for (const std::string& one : result.unmet)
        out += (out.empty() ? "" : "; ") + one;
    return out;
}

std::vector<double> values_in(const Grid& grid) {
    std::vector<double> out;
    for (std::size_t from = 0; from < grid.hosts(); ++from)
        for (std::size_t to = 0; to < grid.hosts(); ++to)
            if (const auto& value = grid.at(from, to)) out.push_back(*value);
    return out;
}

Grid in_blocks(const Grid& grid, const Measure& measure, std::size_t block, std::size_t side) {
    if (block == 1) return grid;
    Grid out(side);
    for (std::size_t from = 0; from < grid.hosts(); ++from)
        for (std::size_t to = 0; to < grid.hosts(); ++to)
            if (const auto& value = grid.at(from, to))
                out.put(measure, from / block, to / block, *value);
    return out;
}

Cell level_of(const Picture& picture, double best, double value) {
    constexpr double kLevels = 5;
    if (picture.measure.worse(value, picture.usual.limit)) return Cell::outlier;
    const double way = picture.usual.limit - best;
    const double share = way == 0 ? 0 : (value - best) / way;
    const auto level =
        static_cast<std::uint8_t>(std::clamp(std::floor(share * kLevels), 0.0, kLevels - 1));
    return static_cast<Cell>(static_cast<std::uint8_t>(Cell::level0) + level);
}

}  // namespace

Picture picture_of(const Mesh& mesh, const Measure& measure, std::size_t most) {
    const std::size_t hosts = mesh.hosts.size();
    Picture out{.measure = measure};
    out.block = std::max<std::size_t>(1, (hosts + most - 1) / most);
    out.side = (hosts + out.block - 1) / out.block;
    const Grid grid = core::probe::grid_of(mesh, measure);
    const std::vector<double> values = values_in(grid);
    out.usual = core::probe::usual_of(measure, grid).value_or(core::probe::Usual{});
    double best = out.usual.middle;
    for (const double value : values)
        if (measure.worse(best, value)) best = value;
    out.values = in_blocks(grid, measure, out.block, out.side);
    out.cells.assign(out.side * out.side, Cell::none);
    const auto cell = [&](std::size_t row, std::size_t column) -> Cell& {
        return out.cells[row * out.side + column];
    };
    for (std::size_t row = 0; row < out.side; ++row)
        for (std::size_t column = 0; column < out.side; ++column)
            if (const auto& value = out.values.at(row, column))
                cell(row, column) = level_of(out, best, *value);
    for (const MeshResult& result : mesh.results) {
        Cell& place = cell(result.from / out.block, result.to / out.block);
        if (!result.failure.empty())
            place = Cell::fails;
        else if (!result.skipped.empty() && place == Cell::none)
            place = Cell::skipped;
    }
    for (std::size_t row = 0; row < out.side && out.block == 1; ++row)
        cell(row, row) = Cell::self;
    return out;
}

std::string value_text(const Measure& measure, double value) {
    constexpr double kGiga = 1e9;
    if (measure.of == Measure::Of::p50) return formatted("%.2f us", value / 1e3);
    if (measure.of != Measure::Of::bandwidth) return formatted("%.0f", value);
    return value >= kGiga ? formatted("%.2f Gb/s", value / kGiga)
                          : formatted("%.1f Mb/s", value / 1e6);
}

std::string pair_text(const Mesh& mesh, const MeshResult& result) {
    return mesh.hosts[result.from].name + " to " + mesh.hosts[result.to].name +
           with_rail(mesh, result.rail);
}

std::string finding_text(const Mesh& mesh, const MeshFinding& finding) {
    constexpr std::size_t kNamed = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(finding.hosts.size(), kNamed); ++i) {
        if (!out.empty()) out += finding.where == Where::pair ? " to " : ", ";
        out += mesh.hosts[finding.hosts[i]].name;
    }
    if (finding.hosts.size() > kNamed)
        out += " and " + std::to_string(finding.hosts.size() - kNamed) + " more";
    out += with_rail(mesh, finding.rail) + ": ";
    if (finding.measure.of == Measure::Of::failure)
        out += "fails";
    else
        out += core::probe::name_of(finding.measure) + ' ' +
               value_text(finding.measure, finding.value) + " where " +
               value_text(finding.measure, finding.usual) + " is usual";
    if (finding.where == Where::pair) return out;
    out += !finding.receives ? ", to" : finding.sends ? ", to and from" : ", from";
    if (finding.where == Where::leaf)
        return out +
               " most others, and not among each other: look at the leaf that they have in common "
               "and its links upwards";
    return out + " most others: look at the host, its adapter, its cable and its port of the leaf";
}

std::string mesh_sum(const Mesh& mesh) {
    const core::probe::MeshCount count = core::probe::count_of(mesh);
    return cli::count(mesh.hosts.size(), "host") + ", " +
           cli::count(mesh.results.size(), "measurement") + ": " + std::to_string(count.measured) +
           " well, " + std::to_string(count.failed) + " failed, " + std::to_string(count.skipped) +
           " skipped";
}

std::vector<std::string> reasons_in(const Mesh& mesh) {
    std::map<std::string, std::size_t> reasons;
    for (const MeshResult& result : mesh.results) {
        if (!result.skipped.empty()) ++reasons[result.skipped];
        if (!result.fallback.empty()) ++reasons["RDMA was left out: " + result.fallback];
    }
    std::vector<std::string> out;
    for (const auto& [reason, number] : reasons)
        out.push_back(cli::count(number, "measurement") + ": " + reason);
    return out;
}

std::string mesh_junit(const Mesh& mesh) {
    std::vector<JunitCase> cases;
    for (const MeshHost& host : mesh.hosts)
        if (!host.unreachable.empty())
            cases.push_back({.port = host.name,
                             .name = "takes part",
                             .failure = host.unreachable,
                             .type = "probe"});
    for (const MeshResult& result : mesh.results) {
        const bool ended = !result.failure.empty();
        cases.push_back({.port = mesh.hosts[result.from].name,
                         .name = pair_text(mesh, result),
                         .failure = ended ? result.failure : unmet_in(result),
                         .type = ended            ? "probe"
                                 : result.fails() ? "expectation"
                                                  : "",
                         .skipped = result.skipped});
        if (!result.fallback.empty())
            cases.push_back({.port = mesh.hosts[result.from].name,
                             .name = pair_text(mesh, result) + " by RDMA",
                             .skipped = result.fallback});
    }
    return junit_suite("rocectl probe mesh", "", cases);
}

std::string mesh_view(const Heading& heading, const Options& options, const Style& style,
                      const Mesh& mesh) {
    if (options.output == Output::json) return mesh_json(heading, mesh);
    if (options.output == Output::junit) return mesh_junit(mesh);
    const bool quiet = options.is_quiet() && heading.status == core::Status::done;
    return quiet ? std::string() : mesh_text(mesh, style);
}

std::string mesh_plan_view(const Heading& heading, const Options& options, const Style& style,
                           std::size_t hosts) {
    const Parameters& parameters = options.parameters;
    const double each = seconds_of(parameters);
    const core::probe::MeshCost cost = core::probe::cost_of(hosts, options.concurrency, 1, each);
    if (options.output == Output::json)
        return document(heading, {{"plan",
                                   {{"hosts", hosts},
                                    {"pairs", cost.pairs},
                                    {"rounds", cost.rounds},
                                    {"steps", cost.steps},
                                    {"measurements", cost.measurements},
                                    {"at_once", cost.at_once},
                                    {"seconds", cost.seconds},
                                    {"rate", parameters.bits_a_second * cost.at_once}}}});
    std::string out = cli::count(hosts, "host") + ", " + cli::count(cost.pairs, "pair") +
                      " in both directions: " + cli::count(cost.measurements, "measurement") +
                      " by each rail\n";
    out += cli::count(cost.rounds, "round") + ", in which no host is in two pairs; " +
           cli::count(cost.at_once, "pair") + " at one time: " + cli::count(cost.steps, "step") +
           '\n';
    out += "about " + time_text(cost.seconds) + " by each rail, if a measurement takes " +
           formatted("%.1f s", each) + '\n';
    out += "load: " + cli::count(2 * cost.at_once, "host") +
           " at one time, each with one measurement that sends one message after the other\n";
    if (streams(parameters))
        out +=
            "      and streams: " +
            (parameters.bits_a_second == 0
                 ? "as much as the path takes, of " + std::to_string(cost.at_once) + " at once\n"
                 : formatted("%.1f Gb/s in all\n",
                             static_cast<double>(parameters.bits_a_second * cost.at_once) / 1e9));
    return fitted(out, style.width);
}

namespace {

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
    return '\n' + figures(rows, 2, style.width);
}

/// Of too many hosts for a matrix a line each: the middle of its row and of its column.
std::string lines(const Mesh& mesh, const Measure& measure, const Style& style) {
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
    std::string out = '\n' + table(rows, "", style.width);
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
                   : lines(mesh, measure, style);
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
    out += list(style.bold("stands out"), findings) + list(style.bad("not reached"), absent) +
           list(style.bad("failed"), failed) + list(style.bad("not as expected"), unmet) +
           list(style.faint("skipped"), reasons_in(mesh));
    return fitted(out, style.width);
}

}  // namespace cli
