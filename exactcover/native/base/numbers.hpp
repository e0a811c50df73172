// Whole numbers of any size, least significant word first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace exactcover {

// Add a number of `words` words to another; returns the carry.
inline u64 add_words(u64 *to, const u64 *from, u32 words) {
    u64 carry = 0;
    for (u32 w = 0; w < words; ++w) {
        const u128 sum = u128{to[w]} + from[w] + carry;
        to[w] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
    }
    return carry;
}

// Append a number in groups of seven bits, the lowest first; the high bit says that another group follows.
inline void append_number(std::vector<u8> &to, u64 number) {
    for (; number >= 128; number >>= 7) to.push_back(static_cast<u8>(number | 128));
    to.push_back(static_cast<u8>(number));
}

// A store of immutable numbers. A handle below 2^63 is the number itself; any other handle says where it is stored.
class Numbers {
public:
    u64 add(u64 a, u64 b) {
        if (((a | b) & kStored) == 0) return made(u128{a} + b);
        load(a, left_);
        load(b, right_);
        left_.resize(std::max(left_.size(), right_.size()) + 1);
        right_.resize(left_.size());
        add_words(left_.data(), right_.data(), static_cast<u32>(left_.size()));
        return store(left_);
    }

    u64 multiply(u64 a, u64 b) {
        if (a == 0 || b == 0) return 0;
        if (((a | b) & kStored) == 0) return made(u128{a} * b);
        load(a, left_);
        load(b, right_);
        product_.assign(left_.size() + right_.size(), 0);
        for (std::size_t i = 0; i < left_.size(); ++i) {
            u64 carry = 0;
            for (std::size_t j = 0; j < right_.size(); ++j) {
                const u128 sum = u128{left_[i]} * right_[j] + product_[i + j] + carry;
                product_[i + j] = static_cast<u64>(sum);
                carry = static_cast<u64>(sum >> 64);
            }
            product_[i + right_.size()] = carry;
        }
        return store(product_);
    }

    std::vector<u64> words(u64 handle) const {
        std::vector<u64> result;
        load(handle, result);
        return result;
    }

    // Copy a number from another store.
    u64 copy(const Numbers &other, u64 handle) {
        if ((handle & kStored) == 0) return handle;
        other.load(handle, left_);
        return store(left_);
    }

    std::size_t bytes() const { return pool_.capacity() * sizeof(u64); }

private:
    static constexpr u64 kStored = u64{1} << 63;

    void load(u64 handle, std::vector<u64> &to) const {
        if ((handle & kStored) == 0) {
            to.assign(1, handle);
            return;
        }
        const u64 *place = pool_.data() + (handle & ~kStored);
        to.assign(place + 1, place + 1 + place[0]);
    }

    u64 made(u128 number) {
        if (number < kStored) return static_cast<u64>(number);
        left_ = {static_cast<u64>(number), static_cast<u64>(number >> 64)};
        return store(left_);
    }

    u64 store(std::vector<u64> &number) {
        while (!number.empty() && number.back() == 0) number.pop_back();
        const u64 place = pool_.size();
        pool_.push_back(number.size());
        pool_.insert(pool_.end(), number.begin(), number.end());
        return kStored | place;
    }

    std::vector<u64> pool_;  // each number as its length and its words
    std::vector<u64> left_, right_, product_;
};

}  // namespace exactcover
