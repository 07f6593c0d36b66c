// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/json/bytes.hpp"
#include "core/model/listing.hpp"
#include "core/model/shape.hpp"

namespace core {

/// A JSON document as text, made without a tree: byte for byte what `written` makes of the tree. On
/// one line where `indent` is negative.
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
    void put(bool flag);
    void put_null();
    void put(const nlohmann::ordered_json& tree);
    /// As to_json does.
    void put(const Shape& shape, const Value& value);
    void put(const Shape& shape, const Elements& elements);

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
    void quote(std::string_view utf8);

    int indent_;
    TextSink full_;
    std::size_t depth_ = 0;
    bool first_ = true;  ///< nothing stands in what was begun last
    bool behind_key_ = false;
    std::string out_{};
};

}  // namespace core
