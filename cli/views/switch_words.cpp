// SPDX-License-Identifier: Apache-2.0
#include "cli/views/switch_words.hpp"

#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "cli/views/text.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::Json;

Json names(const std::vector<std::string>& of) {
    Json out = Json::array();
    for (const std::string& name : of)
        out.push_back(name);
    return out;
}

}  // namespace

std::string switch_text(const std::string& profile, const std::vector<SwitchPart>& parts,
                        const Style& style) {
    std::string out;
    for (const SwitchPart& part : parts) {
        std::vector<Row> rows;
        for (const core::SwitchNeed& need : needs_of(part.needs))
            rows.push_back({need.what, need.value});
        std::string of;
        for (const std::string& name : part.of)
            of += (of.empty() ? "" : ", ") + on_one_line(name);
        out += style.bold("what the switches do for " + on_one_line(profile)) +
               (of.empty() ? "" : "  (" + of + ')') + '\n' + table(rows, "  ", style.width);
        for (const core::SwitchWords& words : switch_words(part.needs)) {
            out += '\n' + style.bold(words.system) + '\n';
            for (const std::string& line : words.lines)
                out += "    " + line + '\n';
            out += fitted("  " + std::string(words.remark) + '\n', style.width);
            out += fitted(style.faint("  from " + std::string(words.source)) + '\n', style.width);
        }
    }
    return out;
}

std::string switch_json(const Heading& heading, const std::string& profile,
                        const std::vector<SwitchPart>& parts) {
    Json switches = Json::array();
    for (const SwitchPart& part : parts) {
        Json needs = Json::object();
        const core::SwitchNeeds& of = part.needs;
        needs["trust"] = of.dscp ? "dscp" : "pcp";
        needs["priority"] = of.priority;
        if (of.dscp) needs["dscp"] = *of.dscp;
        if (of.cnp_priority) needs["cnp"]["priority"] = *of.cnp_priority;
        if (of.cnp_dscp) needs["cnp"]["dscp"] = *of.cnp_dscp;
        needs["bandwidth"] = of.share;
        needs["ecn"] = of.marks;
        if (of.mtu) needs["mtu"] = *of.mtu;
        Json systems = Json::array();
        for (const core::SwitchWords& words : switch_words(part.needs))
            systems.push_back({{"system", words.system},
                               {"lines", names(words.lines)},
                               {"remark", words.remark},
                               {"source", words.source}});
        switches.push_back({{"entries", names(part.of)},
                            {"needs", std::move(needs)},
                            {"systems", std::move(systems)}});
    }
    return document(heading, {{"profile", profile}, {"switches", std::move(switches)}});
}

}  // namespace cli
