// The few operations on vectors and arrays that depend on the instruction set.
#pragma once

#include <cstring>

#include "base/bits.hpp"

// What the instruction set offers. `pext` is slow on some processors that have it, so it may be forbidden.
#if defined(__AVX2__) || defined(__BMI2__)
#include <immintrin.h>
#endif
#if defined(__BMI2__) && !defined(EXACTCOVER_SLOW_PEXT)
#define EXACTCOVER_PEXT 1
#endif
#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
#define EXACTCOVER_AVX512 1
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

// A vector as wide as a register: compilers split wider ones badly.
#if defined(EXACTCOVER_AVX512)
constexpr u32 kLanes = 8;  // words
#elif defined(__AVX2__)
constexpr u32 kLanes = 4;
#else
constexpr u32 kLanes = 2;
#endif
constexpr u32 kVectorBits = 64 * kLanes;
using Vector = u64 __attribute__((vector_size(8 * kLanes)));

inline Vector load(const u64 *words) {
    Vector vector;
    std::memcpy(&vector, words, sizeof vector);
    return vector;
}
inline void store(u64 *words, const Vector &vector) { std::memcpy(words, &vector, sizeof vector); }

// Which of the words are not zero.
inline u32 nonzero(Vector vector) {
#if defined(EXACTCOVER_AVX512)
    const __m512i words = reinterpret_cast<const __m512i &>(vector);
    return _mm512_test_epi64_mask(words, words);
#elif defined(__AVX2__)
    const __m256i equal = _mm256_cmpeq_epi64(reinterpret_cast<const __m256i &>(vector), __m256i{});
    return static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) ^ 0xF;
#else
    return static_cast<u32>(vector[0] != 0) | static_cast<u32>(vector[1] != 0) << 1;
#endif
}

inline u32 ones(Vector vector) {
    u32 number = 0;
    for (u32 k = 0; k < kLanes; ++k) number += popcount(vector[k]);
    return number;
}

}  // namespace exactcover::inline EXACTCOVER_ISA
