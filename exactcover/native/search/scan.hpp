// Looking at many columns together: which of them is dead, forced, or has the fewest choices.
//
// Columns stand side by side, in groups of eight. If `extra` is given, each column counts for that much less than
// its live options (see multiplicity.hpp).
#pragma once

#include <algorithm>

#include "base/simd.hpp"
#include "search/heuristic.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

struct Fewest {
    u32 count;  // choices that the column leaves
    u32 column;
};

#if defined(EXACTCOVER_AVX512)
inline __m512i ranks(const u32 *rank) {
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(rank)));
}

inline __m512i without_extra(__m512i count, const i32 *extra) {
    return _mm512_sub_epi64(count, _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(extra))));
}
#endif

#if defined(EXACTCOVER_BYTE_COUNTS)
// How many live options each of eight columns has, counted for a vector of them at once, unless none of them is open.
class LiveCounts {
public:
    LiveCounts(const u64 *column, std::size_t stride, const u64 *live, u32 words, u32 open) {
        for (u32 k = 0; k < 8; k += kLanes)
            if ((open >> k & low_bits(kLanes)) != 0) store(count_ + k, count(column + k, stride, live, words));
    }
    u32 operator[](u32 k) const { return static_cast<u32>(count_[k]); }

private:
    static Vector count(const u64 *column, std::size_t stride, const u64 *live, u32 words) {
        constexpr u32 kMost = 30;  // words until a byte overflows
        Vector sums{};
        for (u32 w = 0; w < words;) {
            Vector bytes{};
            const u32 end = std::min(words, w + kMost);
            for (; w + 3 <= end; w += 3)
                bytes += count_bytes(load(column + w * stride) & live[w], load(column + (w + 1) * stride) & live[w + 1],
                                     load(column + (w + 2) * stride) & live[w + 2]);
            for (; w < end; ++w) bytes += count_bytes(load(column + w * stride) & live[w]);
            sums += sum_bytes(bytes);
        }
        return sums;
    }

    alignas(64) u64 count_[8];
};
#elif !defined(EXACTCOVER_AVX512)
// The same, counted for each column when it is asked for.
class LiveCounts {
public:
    LiveCounts(const u64 *column, std::size_t stride, const u64 *live, u32 words, u32)
        : column_(column), stride_(stride), live_(live), words_(words) {}
    u32 operator[](u32 k) const {
        u32 count = 0;
        for (u32 w = 0; w < words_; ++w) count += popcount(column_[w * stride_ + k] & live_[w]);
        return count;
    }

private:
    const u64 *column_;
    std::size_t stride_;
    const u64 *live_;
    u32 words_;
};
#endif

// The open column with the fewest choices; ties go to the lowest `rank`.
//
// Word w of column c is data[w * stride + c]; `open` has a bit for each column, in groups of eight; W words, or `words`
// if W is 0. `single` gets a bit for each column with one choice.
template <u32 W>
inline Fewest fewest(const u64 *data, std::size_t stride, const u32 *rank, const u8 *open, u32 groups,
                     const u64 *live, u32 words, const i32 *extra, u8 *single) {
    const u32 n = W != 0 ? W : words;
#if defined(EXACTCOVER_AVX512)
    __m512i best = _mm512_set1_epi64(-1);
    for (u32 g = 0; g < groups; ++g) {
        const __mmask8 here = open[g];
        single[g] = 0;
        if (here == 0) continue;
        const u64 *column = data + std::size_t{g} * 8;
        __m512i count = _mm512_popcnt_epi64(
            _mm512_and_si512(_mm512_load_si512(column), _mm512_set1_epi64(static_cast<long long>(live[0]))));
        for (u32 w = 1; w < n; ++w)
            count = _mm512_add_epi64(
                count, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_load_si512(column + w * stride),
                                                            _mm512_set1_epi64(static_cast<long long>(live[w])))));
        if (extra != nullptr) count = without_extra(count, extra + g * 8);
        const u32 none = _mm512_mask_cmple_epi64_mask(here, count, _mm512_setzero_si512());
        if (none != 0) return {0, g * 8 + lowest(none)};
        single[g] = _mm512_mask_cmpeq_epi64_mask(here, count, _mm512_set1_epi64(1));
        const __m512i key = _mm512_or_si512(_mm512_slli_epi64(count, 32), ranks(rank + g * 8));
        best = _mm512_mask_min_epu64(best, here, best, key);
    }
    const u64 key = _mm512_reduce_min_epu64(best);
    return {static_cast<u32>(key >> 32), static_cast<u32>(key) % kMaxRanked};
#else
    u64 best = ~u64{0};
    for (u32 g = 0; g < groups; ++g) {
        single[g] = 0;
        if (open[g] == 0) continue;
        const LiveCounts counts(data + std::size_t{g} * 8, stride, live, n, open[g]);
        for (u32 place : ones_of(open[g])) {
            const u32 c = g * 8 + place;
            u32 count = counts[place];
            if (extra != nullptr) count = std::max(0, static_cast<i32>(count) - extra[c]);
            if (count == 0) return {0, c};
            if (count == 1) single[g] = static_cast<u8>(single[g] | 1u << c % 8);
            best = std::min(best, u64{count} << 32 | rank[c]);
        }
    }
    return {static_cast<u32>(best >> 32), static_cast<u32>(best) % kMaxRanked};
#endif
}

// Which open columns of one word have no choice, exactly one, exactly two; one bit for each column.
struct Scan {
    u64 none, one, two;
};

// Whether columns are scanned together, not one by one.
#if defined(EXACTCOVER_AVX512)
constexpr bool kScansTogether = true;
#else
constexpr bool kScansTogether = false;
#endif

// Columns of at most 64 options, in `groups` of eight. `two` is valid only if `none` and `one` are 0.
inline Scan scan_word(const u64 *data, u32 groups, u64 open, u64 live) {
    Scan scan{0, 0, 0};
#if defined(EXACTCOVER_AVX512)
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(live));
    const __m512i minus_one = _mm512_set1_epi64(-1);
    for (u32 g = 0; g < groups; ++g) {
        const __mmask8 here = static_cast<__mmask8>(open >> (8 * g));
        const __m512i options = _mm512_and_si512(_mm512_load_si512(data + std::size_t{g} * 8), all);
        const __m512i without_one = _mm512_and_si512(options, _mm512_add_epi64(options, minus_one));
        const u64 none = _mm512_mask_testn_epi64_mask(here, options, options);
        const u64 one = _mm512_mask_testn_epi64_mask(here, without_one, without_one);
        const u64 two = _mm512_mask_testn_epi64_mask(here, without_one, _mm512_add_epi64(without_one, minus_one));
        scan.none |= none << (8 * g);
        scan.one |= one << (8 * g);
        scan.two |= two << (8 * g);
    }
#else
    (void)groups;
    while (open != 0) {
        const u64 options = data[lowest(open)] & live, without_one = without_lowest(options);
        const u64 rest = without_lowest(open), bit = open ^ rest;
        if (options == 0) return {bit, 0, 0};
        scan.one |= without_one == 0 ? bit : 0;
        scan.two |= without_lowest(without_one) == 0 ? bit : 0;
        open = rest;
    }
#endif
    return scan;
}

// The same from the columns that each option covers: a step for an option is cheaper than one for a column.
inline Scan scan_options(const u64 *covered, u64 open, u64 live) {
    u64 one = 0, two = 0, three = 0;  // the columns with at least that many live options
    for (u32 option : ones_of(live)) {
        three |= two & covered[option];
        two |= one & covered[option];
        one |= covered[option];
    }
    return {open & ~one, open & one & ~two, open & two & ~three};
}

// Columns of at most 64 options with multiplicities.
inline Scan scan_word(const u64 *data, const i32 *extra, u32 groups, u64 open, u64 live) {
    Scan scan{0, 0, 0};
#if defined(EXACTCOVER_AVX512)
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(live)), one = _mm512_set1_epi64(1);
    for (u32 g = 0; g < groups; ++g) {
        const __mmask8 here = static_cast<__mmask8>(open >> (8 * g));
        const __m512i options = _mm512_and_si512(_mm512_load_si512(data + std::size_t{g} * 8), all);
        const __m512i count = without_extra(_mm512_popcnt_epi64(options), extra + g * 8);
        scan.none |= u64{_mm512_mask_cmplt_epi64_mask(here, count, one)} << (8 * g);
        scan.one |= u64{_mm512_mask_cmpeq_epi64_mask(here, count, one)} << (8 * g);
        scan.two |= u64{_mm512_mask_cmpeq_epi64_mask(here, count, _mm512_set1_epi64(2))} << (8 * g);
    }
#else
    (void)groups;
    for (u32 c : ones_of(open)) {
        const i32 count = static_cast<i32>(popcount(data[c] & live)) - extra[c];
        scan.none |= u64{count < 1} << c;
        scan.one |= u64{count == 1} << c;
        scan.two |= u64{count == 2} << c;
    }
#endif
    return scan;
}

// For each of at most 64 options: the union of the columns that hold it, and which columns these are. Writes whole
// groups of eight options.
inline void options_with(const u64 *data, u32 columns, u32 options, u64 *with, u64 *which) {
#if defined(EXACTCOVER_AVX512)
    for (u32 o = 0; o < options; o += 8) {
        __m512i together = _mm512_setzero_si512(), those = together;
        for (u32 c = 0; c < columns; ++c) {
            const __mmask8 here = static_cast<__mmask8>(data[c] >> o);
            const __m512i column = _mm512_set1_epi64(static_cast<long long>(data[c]));
            together = _mm512_mask_or_epi64(together, here, together, column);
            those = _mm512_mask_or_epi64(those, here, those, _mm512_set1_epi64(static_cast<long long>(u64{1} << c)));
        }
        _mm512_store_si512(with + o, together);
        _mm512_store_si512(which + o, those);
    }
#else
    std::fill_n(with, options, u64{0});
    std::fill_n(which, options, u64{0});
    for (u32 c = 0; c < columns; ++c)
        for (u32 option : ones_of(data[c])) {
            with[option] |= data[c];
            which[option] |= u64{1} << c;
        }
#endif
}

// The open column with the fewest choices among at most 64 columns of one word, none of which has fewer than three; ties
// go to the lowest `rank`. If ranks are ascending, a column with three may end the loop.
inline Fewest fewest_of_word(const u64 *data, const i32 *extra, const u32 *rank, bool ascending, u32 groups, u64 open,
                             u64 live) {
#if defined(EXACTCOVER_AVX512)
    (void)ascending;
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(live));
    __m512i best = _mm512_set1_epi64(-1);
    for (u32 g = 0; g < groups; ++g, open >>= 8) {
        const __mmask8 here = static_cast<__mmask8>(open);
        const __m512i options = _mm512_and_si512(_mm512_load_si512(data + std::size_t{g} * 8), all);
        __m512i count = _mm512_popcnt_epi64(options);
        if (extra != nullptr) count = without_extra(count, extra + g * 8);
        const __m512i key = _mm512_or_si512(_mm512_slli_epi64(count, 32), ranks(rank + g * 8));
        best = _mm512_mask_min_epu64(best, here, best, key);
    }
    const u64 key = _mm512_reduce_min_epu64(best);
    return {static_cast<u32>(key >> 32), static_cast<u32>(key) % kMaxRanked};
#else
    (void)groups;
    u64 best = ~u64{0};
    for (u32 c : ones_of(open)) {
        const u32 count = popcount(data[c] & live) - static_cast<u32>(extra != nullptr ? extra[c] : 0);
        best = std::min(best, u64{count} << 32 | rank[c]);
        if (ascending && best >> 32 == 3) break;
    }
    return {static_cast<u32>(best >> 32), static_cast<u32>(best) % kMaxRanked};
#endif
}

}  // namespace exactcover::inline EXACTCOVER_ISA
