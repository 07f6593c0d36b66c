// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/tree.hpp"

namespace core {

struct Source;

/// Values by name, such as those of --set.
using Given = std::map<std::string, std::string>;

/// Values for `${…}`: --set wins over the port's, the port's over the host's.
struct Variables {
    Given set{};
    Given host{};
    std::map<std::string, Given> ports{};
    std::vector<std::string> order{};  ///< of the ports, as the file names them
};
Variables load_variables(const Source& source);

/// The context of a `${…}`, which decides the names it may use.
enum class Standing : std::uint8_t {
    before_match,  ///< in match and expect: no port is known yet
    any_order,     ///< in an entry without expect: ports have no fixed position
    in_order,      ///< in an entry that says how many ports it matches
};

/// Checks the form of every `${…}` in the value, and that the built-in names stand where they mean
/// something.
void check_references(const Node& node, Standing standing, const std::string& pointer,
                      Problems& problems);

/// Whether the text holds a `${`.
bool has_reference(std::string_view text);

/// Whether the name is port, hostname or index, which no file and no option may set.
bool is_built_in(std::string_view name);

/// The names that `${…}` of the value use, without the built-in ones.
std::set<std::string> names_in(const Node& node);
/// Whether a `${…}` of the value, or of a name in it, uses the position of the port.
bool uses_index(const Node& node);

/// Names that stand for nothing, each told once for all ports on which it does.
class Unbound {
public:
    /// `instead`: what is expected, or may have been meant.
    void add(const std::string& name, const std::string& port, const std::string& instead,
             Problem at);
    /// A problem for each name, where it was found first.
    void tell(Problems& problems) const;
    [[nodiscard]] std::size_t size() const { return added_; }

private:
    struct Name {
        Problem first{};
        std::vector<std::string> ports{};  ///< as they were found, each once
    };
    std::map<std::pair<std::string, std::string>, Name> names_{};  ///< by name and `instead`
    std::size_t added_ = 0;
};

/// The values of all names on one port, or on the host before a port is matched.
struct Bindings {
    const Variables& variables;
    std::string hostname;
    std::string port;                    ///< empty before a port is matched
    std::optional<std::uint64_t> index;  ///< position among the entry's ports
    Unbound* unbound = nullptr;          ///< takes what stands for nothing; null: a problem each

    [[nodiscard]] std::optional<std::string> find(const std::string& name) const;
};

/// The value with every `${…}` replaced. A name that stands for nothing, or a sum of what is not
/// integers, is a problem.
Node substitute(const Node& node, const Bindings& bindings, const std::string& pointer,
                Problems& problems);

/// The value with those `${…}` replaced of which all names are given; the others stay.
Node substitute_given(const Node& node, const Given& given, const std::string& pointer,
                      Problems& problems);

}  // namespace core
