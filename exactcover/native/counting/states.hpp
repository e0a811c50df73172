// A set of states, numbered from 0 in the order in which they were added. Keys are compared in full.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace exactcover {

// The bits of a hash that are used; tests use fewer, so that all keys collide.
constexpr u64 kWholeHash = ~u64{0};

class States {
public:
    explicit States(u32 words, u64 hash_mask = kWholeHash) : words_(words), mask_(hash_mask) {}

    u32 size() const { return size_; }
    const u64 *key(u32 number) const { return keys_.data() + std::size_t{number} * words_; }
    std::size_t bytes() const { return keys_.capacity() * sizeof(u64) + slots_.capacity() * sizeof(u32); }

    // The number of a key, and whether it is new.
    std::pair<u32, bool> put(const u64 *key) {
        if (2 * (std::size_t{size_} + 1) > slots_.size()) grow();
        const std::size_t place = find(key);
        if (slots_[place] != kNone) return {slots_[place], false};
        if (size_ == kNone - 1) throw std::bad_alloc();
        keys_.insert(keys_.end(), key, key + words_);
        slots_[place] = size_;
        return {size_++, true};
    }

    // The number of a key, or kNone.
    u32 get(const u64 *key) const { return slots_.empty() ? kNone : slots_[find(key)]; }

    // Keep only these states, in their order; they are renumbered.
    void keep(const std::vector<u32> &numbers) {
        u64 *to = keys_.data();
        for (u32 number : numbers) {
            std::memmove(to, key(number), words_ * sizeof(u64));
            to += words_;
        }
        size_ = static_cast<u32>(numbers.size());
        keys_.resize(std::size_t{size_} * words_);
        keys_.shrink_to_fit();
        slots_.clear();
        slots_.shrink_to_fit();
        if (size_ != 0) grow();
    }

private:
    std::size_t find(const u64 *key) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t place = hash(key) & mask_ & last;
        while (slots_[place] != kNone && !std::equal(key, key + words_, this->key(slots_[place])))
            place = (place + 1) & last;
        return place;
    }

    u64 hash(const u64 *key) const {
        u64 h = 0;
        for (u32 w = 0; w < words_; ++w) {
            h = (h ^ key[w]) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
        return h;
    }

    void grow() {
        std::size_t room = std::max<std::size_t>(16, slots_.size());
        while (room < 4 * (std::size_t{size_} + 1)) room *= 2;
        slots_.assign(room, kNone);
        for (u32 number = 0; number < size_; ++number) slots_[find(key(number))] = number;
    }

    u32 words_;
    u64 mask_;
    u32 size_ = 0;
    std::vector<u64> keys_;
    std::vector<u32> slots_;  // numbers by hash; there is always a free one
};

}  // namespace exactcover
