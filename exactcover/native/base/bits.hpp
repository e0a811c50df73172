// Bits of words, and of vectors of words.
#pragma once

#include "base/isa.hpp"
#include "base/types.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

inline u32 popcount(u64 word) {
#if defined(__x86_64__) && !defined(__POPCNT__)  // the compiler would call a function that reads a table
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return static_cast<u32>(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
#else
    return static_cast<u32>(__builtin_popcountll(word));
#endif
}

// The place of the lowest one, of the highest one; the word must not be 0.
inline u32 lowest(u64 word) { return static_cast<u32>(__builtin_ctzll(word)); }
inline u32 highest(u64 word) { return 63 - static_cast<u32>(__builtin_clzll(word)); }

inline u64 lowest_bit(u64 word) { return word & (~word + 1); }
inline u64 without_lowest(u64 word) { return word & (word - 1); }

// A word whose first n bits are ones; n is at most 64.
inline u64 low_bits(u32 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; }

inline u32 words_for(u32 bits) { return (bits + 63) / 64; }
inline bool has_bit(const u64 *words, u32 k) { return (words[k / 64] >> k % 64 & 1) != 0; }
inline void set_bit(u64 *words, u32 k) { words[k / 64] |= u64{1} << k % 64; }
inline void clear_bit(u64 *words, u32 k) { words[k / 64] &= ~(u64{1} << k % 64); }

// The places of the ones of a word, ascending: for (u32 place : ones_of(word)).
class OnesOf {
public:
    struct End {};
    class Iterator {
    public:
        explicit Iterator(u64 word) : word_(word) {}
        u32 operator*() const { return lowest(word_); }
        Iterator &operator++() {
            word_ = without_lowest(word_);
            return *this;
        }
        bool operator!=(End) const { return word_ != 0; }

    private:
        u64 word_;
    };

    explicit OnesOf(u64 word) : word_(word) {}
    Iterator begin() const { return Iterator(word_); }
    End end() const { return {}; }

private:
    u64 word_;
};

inline OnesOf ones_of(u64 word) { return OnesOf(word); }

// The bit of `word` with n ones before it; 0 if there are not that many.
inline u64 nth_bit(u64 word, u32 n) {
    for (; n > 0 && word != 0; --n) word = without_lowest(word);
    return lowest_bit(word);
}

}  // namespace exactcover::inline EXACTCOVER_ISA
