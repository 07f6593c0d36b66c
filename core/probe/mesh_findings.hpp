// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/probe/mesh.hpp"

namespace core::probe {

/// What the pairs of a mesh are compared by.
struct Measure {
    enum class Of : std::uint8_t { failure, p50, bandwidth, loss };
    Of of = Of::failure;
    Operation operation = Operation::send;  ///< of p50 and bandwidth
    bool operator==(const Measure&) const = default;

    /// Whether `value` is worse than `other`.
    [[nodiscard]] bool worse(double value, double other) const {
        return of == Of::bandwidth ? value < other : value > other;
    }
};

/// `write p50`, `write bandwidth`, `loss`, `failures`.
std::string name_of(const Measure& measure);
/// What was measured anywhere in the mesh, but for failures.
std::vector<Measure> measures_of(const Mesh& mesh);

/// How many rails there are at most.
std::uint32_t rails_in(const Mesh& mesh);

/// Hosts by hosts: what each found of each; of several rails the worst.
class Grid {
public:
    explicit Grid(std::size_t hosts) : hosts_(hosts), values_(hosts * hosts) {}
    [[nodiscard]] std::size_t hosts() const { return hosts_; }
    [[nodiscard]] const std::optional<double>& at(std::size_t from, std::size_t to) const {
        return values_[from * hosts_ + to];
    }
    void put(const Measure& measure, std::size_t from, std::size_t to, double value);

private:
    std::size_t hosts_;
    std::vector<std::optional<double>> values_;
};
/// The grid of a measure, for one rail if given.
Grid grid_of(const Mesh& mesh, const Measure& measure,
             std::optional<std::uint32_t> rail = std::nullopt);

/// The median of the values, of which there is at least one: of two in the middle the better. The
/// values are put in another order.
double middle_of(const Measure& measure, std::vector<double>& values);

/// What is usual among values: the one in the middle (of two the better), and the limit beyond
/// which one is an outlier: five times the median absolute deviation, scaled to a standard
/// deviation (1.4826), and a quarter of the middle, whichever is more.
struct Usual {
    double middle = 0;
    double limit = 0;
};
std::optional<Usual> usual_of(const Measure& measure, std::vector<double> values);

/// A row of a grid, or a column, without the host itself.
std::vector<double> line_of(const Grid& grid, std::size_t host, bool row);
/// The median of a row of the grid, or of a column, as line_of has it; nothing where that is empty.
std::optional<double> middle_of_line(const Measure& measure, const Grid& grid, std::size_t host,
                                     bool row);
/// What is usual among the middles of all rows and columns: hosts that are slow are so as a whole,
/// and near and far pairs are in each line.
std::optional<Usual> usual_of(const Measure& measure, const Grid& grid);

/// Something that stands out.
struct MeshFinding {
    enum class Where : std::uint8_t {
        host,  ///< its row or its column as a whole
        leaf,  ///< hosts that are as usual to each other, and slow to the others
        pair,  ///< one host to another, which neither explains
    };
    Where where = Where::pair;
    Measure measure{};
    std::uint32_t rail = 0;
    std::vector<std::uint32_t> hosts{};  ///< of a pair from and to
    bool sends = false;                  ///< a host: its row, what it measured
    bool receives = false;               ///< a host: its column, what others measured of it
    double value = 0;                    ///< of a host or a leaf the middle
    double usual = 0;
};

/// All that stands out, by each measure and rail: leaves and hosts first, then pairs, the worst
/// first. Which host is slow can be told among four or more.
std::vector<MeshFinding> findings_of(const Mesh& mesh);

}  // namespace core::probe
