// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::tuned {

namespace {

template <auto Part>
void set_plain(Port& port, const Elements& elements) {
    using Held = typename std::remove_reference_t<decltype(port.*Part)>::value_type;
    port.*Part = plain<Held>(elements);
}

/// None where tuned does not run.
Got get_tuned(const Port& port) {
    if (!port.tuned) return std::nullopt;
    return port.tuned->empty() ? Elements{} : one(*port.tuned);
}

std::string by_hand(const Port& now, std::string_view /*element*/, const Value& value) {
    const bool runs = now.tuned && !now.tuned->empty();
    return (runs ? "" : "systemctl enable --now tuned && ") +
           ("tuned-adm profile " + shell(core::text(value)));
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr Shape kWord = {.kind = text, .text = Text::name};

constexpr std::array kFields = {
    setting("host.tuned", kWord, "The active profile of tuned. Verified, not set.", get_tuned,
            set_plain<&Port::tuned>),
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::tuned,
    .name = "tuned",
    .doc = "The daemon that sets kernel parameters by profile.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .words = {.remedy = [](const Driver&, const Port&) -> std::string_view {
                  return "tuned-adm profile NAME";
              },
              .by_hand = by_hand},
    .boot = {.unforeseen = "which profile tuned begins with is not read"}};

}  // namespace core::tuned
