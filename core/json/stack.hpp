// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace core {

/// A stack in blocks of 64 elements, whose addresses stay valid until they are popped. std::deque
/// has blocks of 512 bytes, a fifth of which five values of a document leave unused.
template <typename T>
class Stack {
public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const T& operator[](std::size_t index) const {
        return blocks_[index / kBlock][index % kBlock];
    }
    [[nodiscard]] T& back() { return blocks_[(size_ - 1) / kBlock].back(); }

    T& emplace_back() { return next().emplace_back(); }
    void push_back(T one) { next().push_back(std::move(one)); }
    void pop_back() {
        --size_;
        const std::size_t block = size_ / kBlock;
        blocks_[block].pop_back();
        // The block behind stays, for what comes next.
        if (blocks_.size() > block + 2) blocks_.pop_back();
    }

private:
    static constexpr std::size_t kBlock = 64;

    /// The block for one more element, which is counted already.
    std::vector<T>& next() {
        const std::size_t block = size_ / kBlock;
        if (block == blocks_.size()) blocks_.emplace_back().reserve(kBlock);
        ++size_;
        return blocks_[block];
    }

    std::vector<std::vector<T>> blocks_;
    std::size_t size_ = 0;
};

}  // namespace core
