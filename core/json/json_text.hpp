// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/json/bytes.hpp"
#include "core/model/listing.hpp"

namespace core {

/// Writes a JSON document piece by piece, so that a large one takes no tree. On one line where
/// `indent` is negative. Its texts are bytes, which it spells as UTF-8.
class JsonText : public Listing {
public:
    /// `full` takes what is written whenever it has come to some kibibytes; without one `take` has
    /// all of it.
    explicit JsonText(int indent, TextSink full = {}) : indent_(indent), full_(std::move(full)) {}

    void begin(char bracket);
    void end(char bracket);
    void key(std::string_view name);
    void put(std::string_view value);
    void put(std::uint64_t number);
    void put(const nlohmann::ordered_json& tree);

    // As a Listing: of a list that was begun.
    void text(std::string_view value) override { put(value); }
    void open() override { begin('{'); }
    void part(std::string_view name, std::string_view value) override;
    void part(std::string_view name, std::uint64_t value) override;
    void close() override { end('}'); }

    /// What `full` has not been given.
    std::string take() { return std::move(out_); }

private:
    /// What stands before a value or a name.
    void separate();
    void new_line();
    void quote(std::string_view bytes);

    int indent_;
    TextSink full_;
    std::size_t depth_ = 0;
    bool first_ = true;  ///< nothing stands in what was begun last
    bool behind_key_ = false;
    std::string out_{};
};

/// A document for people: a plain list, and what is short, stands on one line.
std::string pretty(const nlohmann::ordered_json& value);

/// The place of a dotted key: `pfc.priorities` is the member `priorities` of `pfc`.
nlohmann::ordered_json& nested(nlohmann::ordered_json& object, std::string_view key);

}  // namespace core
