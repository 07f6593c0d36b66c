// SPDX-License-Identifier: Apache-2.0
#include "core/json/list.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace list_test {

namespace {

/// Longer than what a text keeps in itself: what is lost or freed twice is seen by a sanitizer.
std::string text_of(unsigned number) {
    return "a text that stands elsewhere, " + std::to_string(number);
}

}  // namespace

TEST_CASE("stack: holds what a vector would, where it was put, over many blocks") {
    std::minstd_rand random(1);
    core::Stack<std::string> stack;
    std::vector<std::string> expected;
    const std::string* const first = (stack.push_back(text_of(0)), &stack[0]);
    expected.push_back(text_of(0));
    for (unsigned turn = 1; turn < 5000; ++turn) {
        // It grows to hundreds, and shrinks again.
        if (expected.size() > 1 && random() % 1000 < (turn / 1000 % 2 == 0 ? 300U : 700U)) {
            REQUIRE(stack.back() == expected.back());
            stack.pop_back();
            expected.pop_back();
        } else {
            stack.emplace_back() = text_of(turn);
            expected.push_back(text_of(turn));
        }
        REQUIRE(stack.size() == expected.size());
        const std::size_t any = random() % expected.size();
        REQUIRE(stack[any] == expected[any]);
    }
    CHECK(&stack[0] == first);
    const std::size_t taken = expected.size() / 2;
    const auto list = core::List<std::string>::taken_from(stack, taken);
    CHECK(stack.size() == expected.size() - taken);
    CHECK(std::vector(list.begin(), list.end()) ==
          std::vector(expected.end() - static_cast<std::ptrdiff_t>(taken), expected.end()));
}

TEST_CASE("list: copies, grows, and gives up what is taken out") {
    core::List<std::string> list;
    CHECK(list.empty());
    CHECK(list.begin() == list.end());
    CHECK(list.erase_if([](const std::string&) { return true; }) == 0);
    for (unsigned i = 0; i < 100; ++i)
        list.push_back(text_of(i));
    const core::List<std::string> copy = list;
    CHECK(list.erase_if([](const std::string& text) { return text.ends_with('7'); }) == 10);
    CHECK(list.size() == 90);
    CHECK(copy.size() == 100);
    CHECK(copy[7] == text_of(7));
    CHECK(list[7] == text_of(8));
    const core::List<std::string> moved = std::move(list);
    CHECK(moved.size() == 90);
}

}  // namespace list_test
