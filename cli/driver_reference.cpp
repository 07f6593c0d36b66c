// SPDX-License-Identifier: Apache-2.0
#include "cli/driver_reference.hpp"

#include "cli/roff.hpp"

namespace cli {
namespace {

using core::Driver;
using core::DriverTopic;

std::string manual_topic(const DriverTopic& topic) {
    std::string out = ".TP\n.B " + roff(topic.name) + "\n" + roff(topic.text) + "\n";
    if (!topic.by.empty()) out += ".br\nBy " + roff(topic.by) + ".\n";
    if (!topic.source.empty()) out += ".br\nRead in " + roff(topic.source) + ".\n";
    return out;
}

template <typename Cells>
std::string table_line(const Cells& cells) {
    std::string out;
    for (const std::string_view cell : cells)
        out += (out.empty() ? "" : "\t") + roff(cell);
    return out + '\n';
}

}  // namespace

Entry entry_of(const Driver& driver) {
    Entry out{.name = std::string(core::title_of(driver)), .doc = std::string(driver.doc)};
    for (const DriverTopic& topic : topics_of(driver)) {
        std::string text = topic.text;
        if (!topic.by.empty()) text += " By " + topic.by + '.';
        if (!topic.source.empty()) text += " Read in " + topic.source + '.';
        out.rows.push_back({topic.name, std::move(text)});
    }
    return out;
}

std::string manual_drivers() {
    std::string out =
        ".SH OVERVIEW\n.TS\nl2 l2 l2 l2 l2 l2 l2 l2 r.\n" + table_line(core::kCompared) + "_\n";
    for (const Driver* const driver : core::drivers())
        out += table_line(core::compared(*driver));
    out += ".TE\n.SH FAMILIES\n";
    for (const Driver* const driver : core::drivers()) {
        out += ".SS " + roff(core::title_of(*driver)) + "\n" + roff(driver->doc) + "\n";
        for (const DriverTopic& topic : topics_of(*driver))
            out += manual_topic(topic);
    }
    return out;
}

}  // namespace cli
