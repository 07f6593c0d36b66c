// SPDX-License-Identifier: Apache-2.0
#include "cli/views/intent.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/profile/derivation.hpp"

namespace cli {
namespace {

using core::Derivation;
using core::Driver;
using core::IntentKey;
using core::Json;

constexpr std::string_view kDoc =
    "The intent: what RoCE traffic is on this fabric. Settings follow from it on every port that a "
    "profile matches; one that the profile states itself wins.";

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty()) out += ", ";
        out += word;
    }
    return out;
}

std::string titles(const std::vector<const Driver*>& drivers) {
    std::vector<std::string> out;
    for (const Driver* const driver : drivers)
        out.emplace_back(core::title_of(*driver));
    return joined(out);
}

std::string named(const core::Field& field, const std::string& element) {
    std::string out(field.key);
    if (!element.empty()) out += ' ' + element;
    return out;
}

Json preset(const IntentKey& key) {
    return core::to_json(key.shape, core::preset_of(key));
}

bool is_about(const IntentView& view, std::string_view key) {
    return view.key.empty() || view.key == key;
}

std::vector<const IntentKey*> keys_of(const IntentView& view) {
    std::vector<const IntentKey*> out;
    for (const IntentKey& key : core::intent_keys())
        if (is_about(view, "roce." + std::string(key.name))) out.push_back(&key);
    return out;
}

std::vector<Derivation> derivations_of(const IntentView& view, const Driver& driver) {
    std::vector<Derivation> out = core::derivations(driver);
    std::erase_if(out, [&](const Derivation& derivation) {
        return std::ranges::none_of(derivation.from,
                                    [&](const std::string& key) { return is_about(view, key); });
    });
    return out;
}

/// Why a derived setting is not written by itself on the driver; empty where it is.
std::string follows(const Derivation& derivation, const Driver& driver) {
    const bool by_map = derivation.desired.field->key == "dscp.trust" &&
                        driver.app.trust == Driver::App::Trust::by_map;
    return by_map ? "no interface of its own: the driver trusts DSCP while dscp.map has an entry"
                  : "";
}

std::string driver_text(const IntentView& view, const Driver& driver, const Style& style) {
    std::vector<Row> rows;
    for (const Derivation& derivation : derivations_of(view, driver)) {
        const core::Desired& desired = derivation.desired;
        std::string why = "from " + joined(derivation.from);
        if (const std::string note = follows(derivation, driver); !note.empty()) why += "; " + note;
        rows.push_back(
            {named(*desired.field, desired.element), core::text(*desired.value), style.faint(why)});
    }
    if (view.key.empty())
        for (const core::Elsewhere& other : core::derived_elsewhere(driver))
            rows.push_back({named(*other.field, other.element), "-",
                            style.faint("not on this driver; on " + titles(other.drivers))});
    return '\n' + style.bold(core::title_of(driver)) + "  " + style.faint(driver.doc) + '\n' +
           table(grouped(rows, 0), "  ", style.width);
}

Json driver_json(const IntentView& view, const Driver& driver) {
    Json derived = Json::array();
    for (const Derivation& derivation : derivations_of(view, driver)) {
        const core::Desired& desired = derivation.desired;
        Json row = {{"setting", desired.field->key}};
        if (!desired.element.empty()) row["element"] = desired.element;
        row["value"] = core::to_json(desired.field->shape, *desired.value);
        row["from"] = derivation.from;
        if (const std::string note = follows(derivation, driver); !note.empty()) row["note"] = note;
        derived.push_back(std::move(row));
    }
    Json elsewhere = Json::array();
    for (const core::Elsewhere& other : core::derived_elsewhere(driver)) {
        if (!view.key.empty()) break;
        Json row = {{"setting", other.field->key}};
        if (!other.element.empty()) row["element"] = other.element;
        for (const Driver* const there : other.drivers)
            row["drivers"].push_back(there->name);
        elsewhere.push_back(std::move(row));
    }
    return {{"driver", driver.name},
            {"doc", driver.doc},
            {"derived", std::move(derived)},
            {"elsewhere", std::move(elsewhere)}};
}

}  // namespace

bool is_intent_key(std::string_view key) {
    if (key == "roce") return true;
    return std::ranges::any_of(core::intent_keys(), [&](const IntentKey& known) {
        return key == "roce." + std::string(known.name);
    });
}

std::string intent_text(const IntentView& view, const Style& style) {
    std::string out;
    if (view.key.empty()) out = style.bold("roce") + '\n' + std::string(kDoc) + "\n\n";
    std::vector<Row> rows;
    for (const IntentKey* key : keys_of(view))
        rows.push_back({"roce." + std::string(key->name), core::admits(key->shape),
                        "preset " + preset(*key).dump(), std::string(key->doc)});
    out += table(rows, view.key.empty() ? "  " : "", style.width);
    for (const Driver* driver : view.drivers)
        out += driver_text(view, *driver, style);
    return out;
}

std::string intent_json(const Heading& heading, const IntentView& view) {
    Json keys = Json::array();
    for (const IntentKey* key : keys_of(view))
        keys.push_back({{"key", "roce." + std::string(key->name)},
                        {"doc", key->doc},
                        {"admits", core::admits(key->shape)},
                        {"preset", preset(*key)}});
    Json rows = Json::array();
    for (const Driver* driver : view.drivers)
        rows.push_back(driver_json(view, *driver));
    return document(heading, {{"key", view.key.empty() ? "roce" : view.key},
                              {"use", "intent"},
                              {"keys", std::move(keys)},
                              {"drivers", std::move(rows)}});
}

}  // namespace cli
