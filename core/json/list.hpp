// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

namespace core {

/// A sequence in a block of its own size, in less room than std::vector takes where it is empty: of
/// a large file there are a million.
template <typename T>
class List {
public:
    List() = default;
    List(const List& other) {
        grow(other.size_);
        for (const T& one : other)
            push_back(one);
    }
    List(List&& other) noexcept { swap(other); }
    List& operator=(List other) noexcept {
        swap(other);
        return *this;
    }
    ~List() {
        std::destroy(begin(), end());
        if (data_ != nullptr) std::allocator<T>().deallocate(data_, room_);
    }

    /// The last `count` that are in `from`, which gives up each as it is taken: the two are never
    /// whole at once.
    static List taken_from(std::deque<T>& from, std::size_t count) {
        List out;
        out.grow(count);
        for (std::size_t i = count; i > 0; --i) {
            std::construct_at(out.data_ + i - 1, std::move(from.back()));
            from.pop_back();
        }
        out.size_ = static_cast<std::uint32_t>(count);
        return out;
    }

    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] const T* end() const { return data_ + size_; }
    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] T* end() { return data_ + size_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return data_[index]; }
    [[nodiscard]] T& operator[](std::size_t index) { return data_[index]; }

    void push_back(T one) {
        if (size_ == room_) grow(size_ < 4 ? 4 : std::size_t{size_} * 2);
        std::construct_at(data_ + size_, std::move(one));
        ++size_;
    }
    /// How many were taken out.
    template <typename Is>
    std::size_t erase_if(const Is& is) {
        T* const last = std::remove_if(begin(), end(), is);
        const auto gone = static_cast<std::size_t>(end() - last);
        std::destroy(last, end());
        size_ -= static_cast<std::uint32_t>(gone);
        return gone;
    }

private:
    void swap(List& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
    }
    void grow(std::size_t room) {
        if (room <= room_) return;
        T* const fresh = std::allocator<T>().allocate(room);
        std::uninitialized_move(begin(), end(), fresh);
        std::destroy(begin(), end());
        if (data_ != nullptr) std::allocator<T>().deallocate(data_, room_);
        data_ = fresh;
        room_ = static_cast<std::uint32_t>(room);
    }

    T* data_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t room_ = 0;
};

}  // namespace core
