// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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

/// A sequence in a block of its own size, which is one pointer where std::vector is three: of a
/// large file there are a million, most of them empty.
template <typename T>
class List {
public:
    List() = default;
    List(const List& other) {
        grow(other.size());
        for (const T& one : other)
            push_back(one);
    }
    List(List&& other) noexcept : head_(std::exchange(other.head_, nullptr)) {}
    List& operator=(List other) noexcept {
        std::swap(head_, other.head_);
        return *this;
    }
    ~List() {
        std::destroy(begin(), end());
        ::operator delete(head_);
    }

    /// The last `count` that are in `from`, which gives up each as it is taken: the two are never
    /// whole at once.
    static List taken_from(Stack<T>& from, std::size_t count) {
        List out;
        out.grow(count);
        for (std::size_t i = count; i > 0; --i) {
            std::construct_at(out.begin() + i - 1, std::move(from.back()));
            from.pop_back();
        }
        if (count > 0) out.head_->size = static_cast<std::uint32_t>(count);
        return out;
    }

    [[nodiscard]] const T* begin() const { return first(head_); }
    [[nodiscard]] const T* end() const { return begin() + size(); }
    [[nodiscard]] T* begin() { return first(head_); }
    [[nodiscard]] T* end() { return begin() + size(); }
    [[nodiscard]] std::size_t size() const { return head_ == nullptr ? 0 : head_->size; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return begin()[index]; }
    [[nodiscard]] T& operator[](std::size_t index) { return begin()[index]; }

    void push_back(T one) {
        if (size() == room()) grow(size() < 4 ? 4 : size() * 2);
        std::construct_at(end(), std::move(one));
        ++head_->size;
    }
    /// How many were taken out.
    template <typename Is>
    std::size_t erase_if(const Is& is) {
        T* const last = std::remove_if(begin(), end(), is);
        const auto gone = static_cast<std::size_t>(end() - last);
        std::destroy(last, end());
        if (gone > 0) head_->size -= static_cast<std::uint32_t>(gone);
        return gone;
    }

private:
    /// In front of the values, in one block with them.
    struct Head {
        std::uint32_t size = 0;
        std::uint32_t room = 0;
    };

    static T* first(Head* head) {
        static_assert(alignof(T) <= sizeof(Head));
        return head == nullptr ? nullptr : std::launder(reinterpret_cast<T*>(head + 1));
    }
    [[nodiscard]] std::size_t room() const { return head_ == nullptr ? 0 : head_->room; }
    void grow(std::size_t room) {
        if (room <= this->room()) return;
        void* const block = ::operator new(sizeof(Head) + room * sizeof(T));
        Head* const fresh = ::new (block)
            Head{static_cast<std::uint32_t>(size()), static_cast<std::uint32_t>(room)};
        std::uninitialized_move(begin(), end(), first(fresh));
        std::destroy(begin(), end());
        ::operator delete(head_);
        head_ = fresh;
    }

    Head* head_ = nullptr;
};

}  // namespace core
