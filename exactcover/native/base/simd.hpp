// The few operations on vectors of 512 bits and on arrays that depend on the instruction set.
#pragma once

#include "base/bits.hpp"

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define EXACTCOVER_AVX512 1
#include <immintrin.h>
#endif

namespace exactcover::inline EXACTCOVER_ISA {

// The entries of `from` where `mask` has ones, moved together; up to kOver entries behind them may be overwritten.
constexpr u32 kOver = 16;

inline void compress(const u32 *from, u64 mask, u32 *to) {
#if defined(EXACTCOVER_AVX512)
    for (; mask != 0; mask >>= 16, from += 16) {
        const __mmask16 here = static_cast<__mmask16>(mask);
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(here, _mm512_loadu_si512(from)));
        to += popcount(here);
    }
#else
    for (u32 place : ones_of(mask)) *to++ = from[place];
#endif
}

// 512 bits.
using Vector = u64 __attribute__((vector_size(64)));

// Which of the eight words are not zero.
inline u32 nonzero(const Vector &vector) {
#if defined(EXACTCOVER_AVX512)
    const __m512i words = reinterpret_cast<const __m512i &>(vector);
    return _mm512_test_epi64_mask(words, words);
#else
    u32 mask = 0;
    for (u32 k = 0; k < 8; ++k) mask |= static_cast<u32>(vector[k] != 0) << k;
    return mask;
#endif
}

inline u32 ones(const Vector &vector) {
    u32 number = 0;
    for (u32 k = 0; k < 8; ++k) number += popcount(vector[k]);
    return number;
}

}  // namespace exactcover::inline EXACTCOVER_ISA
