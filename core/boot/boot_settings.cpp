// SPDX-License-Identifier: Apache-2.0
#include "core/boot/boot_settings.hpp"

#include <algorithm>
#include <charconv>

#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"

namespace core::boot {
namespace {

using ShapeKind = Shape::Kind;

bool is_of(const AtBoot& at, const Field& field) {
    return is_glob(at.setting) ? glob_matches(at.setting, field.key) : at.setting == field.key;
}

std::string filled_in(std::string_view key, const Desired& desired) {
    std::string out(key);
    for (const auto& [variable, value] :
         {std::pair<std::string_view, std::string_view>{"$port", desired.port},
          {"$element", desired.element}})
        if (const std::size_t at = out.find(variable); at != std::string::npos)
            out.replace(at, variable.size(), value);
    return out;
}

std::optional<Value> value_in(const Shape& shape, const std::string& text) {
    switch (shape.kind) {
        case ShapeKind::flag: return flag_in(text);
        case ShapeKind::number: {
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number);
            if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
            return number;
        }
        case ShapeKind::word:
        case ShapeKind::text: return canonical(shape, text);
        case ShapeKind::named: return value_in(*shape.of, text);
        // An address has its gateway behind a comma in keyfiles.
        case ShapeKind::items: {
            if (!shape.parts.empty()) return std::nullopt;
            const Value item = text.substr(0, text.find(','));
            return illegal(shape, item) ? std::nullopt : std::optional(canonical(shape, item));
        }
        default: return std::nullopt;
    }
}

std::vector<const BootSetting*> lines_for(const AtBoot& at, const Desired& desired,
                                          const std::vector<BootSetting>& settings) {
    std::vector<const BootSetting*> out;
    const std::string key = filled_in(at.key, desired);
    const bool open = is_glob(at.key);
    if (at.program == BootProgram::sysctl) {
        if (const BootSetting* last = last_sysctl(settings, sysctl_name(key))) out.push_back(last);
        return out;
    }
    const bool any = at.key == "$element" && desired.element.empty();
    for (const BootSetting& one : settings)
        if (one.program == at.program && !one.key.empty() &&
            (any || (open ? glob_matches(key, one.key) : one.key == key)))
            out.push_back(&one);
    return out;
}

}  // namespace

std::vector<UnderstoodSetting> understood(const Desired& desired,
                                          const std::vector<BootSetting>& settings, bool late) {
    std::vector<UnderstoodSetting> out;
    for (const AtBoot& at : row_of(desired.field->object).at_boot) {
        if (!at.element.empty() && !desired.element.empty() && at.element != desired.element)
            continue;
        if (!is_of(at, *desired.field) || (late && !program_of(at.program).late)) continue;
        for (const BootSetting* one : lines_for(at, desired, settings)) {
            UnderstoodSetting& understood =
                out.emplace_back(UnderstoodSetting{.settings = one, .at = &at});
            const std::string spelled =
                at.spelled == nullptr ? one->value : std::string(at.spelled(one->value));
            if (at.compared) understood.value = value_in(desired.field->shape, spelled);
        }
    }
    std::ranges::stable_sort(out, {},
                             [](const UnderstoodSetting& one) { return one.settings->program; });
    return out;
}

std::optional<Value> unstated(const Field& field) {
    for (const AtBoot& at : row_of(field.object).at_boot)
        if (is_of(at, field) && !at.unstated.empty())
            return value_in(field.shape, std::string(at.unstated));
    return std::nullopt;
}

bool is_reported_of(const Field& field, BootProgram program) {
    return std::ranges::any_of(row_of(field.object).at_boot, [&](const AtBoot& at) {
        return is_of(at, field) && at.program == program;
    });
}

}  // namespace core::boot
