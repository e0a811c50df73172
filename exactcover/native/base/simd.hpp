// The few operations on vectors and arrays that depend on the instruction set.
#pragma once

#include <cstring>

#include "base/bits.hpp"

// What the instruction set offers. `pext` is slow on some processors that have it, so it may be forbidden.
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
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

// Count the ones of each byte of a vector, and add up the bytes of each word. Where neither is defined, words are counted
// quicker one by one: an instruction does that with SSE4.2, and in WebAssembly.
#if defined(EXACTCOVER_AVX512)
#elif defined(__AVX2__)
#define EXACTCOVER_BYTE_COUNTS 1
inline Vector count_bytes(Vector vector) {
    const __m256i of_four = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                             0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i words = reinterpret_cast<const __m256i &>(vector), low = _mm256_set1_epi8(0x0F);
    const __m256i lower = _mm256_shuffle_epi8(of_four, _mm256_and_si256(words, low));
    const __m256i upper = _mm256_shuffle_epi8(of_four, _mm256_and_si256(_mm256_srli_epi32(words, 4), low));
    const __m256i bytes = _mm256_add_epi8(lower, upper);
    return reinterpret_cast<const Vector &>(bytes);
}
inline Vector count_bytes(Vector one, Vector other, Vector third) {
    return count_bytes(one) + count_bytes(other) + count_bytes(third);
}
inline Vector sum_bytes(Vector bytes) {
    const __m256i sums = _mm256_sad_epu8(reinterpret_cast<const __m256i &>(bytes), _mm256_setzero_si256());
    return reinterpret_cast<const Vector &>(sums);
}
#elif defined(__SSE2__) && !defined(__POPCNT__)
#define EXACTCOVER_BYTE_COUNTS 1
inline Vector count_bytes(Vector vector) {
    vector -= vector >> 1 & 0x5555555555555555;
    vector = (vector & 0x3333333333333333) + (vector >> 2 & 0x3333333333333333);
    return (vector + (vector >> 4)) & 0x0F0F0F0F0F0F0F0F;
}
// The same for three vectors together: the bits of the third are added to the counts of pairs of bits of the others.
inline Vector count_bytes(Vector one, Vector other, Vector third) {
    one -= one >> 1 & 0x5555555555555555;
    other -= other >> 1 & 0x5555555555555555;
    one += third & 0x5555555555555555;
    other += third >> 1 & 0x5555555555555555;
    Vector nibbles = (one & 0x3333333333333333) + (one >> 2 & 0x3333333333333333);
    nibbles += (other & 0x3333333333333333) + (other >> 2 & 0x3333333333333333);
    return (nibbles & 0x0F0F0F0F0F0F0F0F) + (nibbles >> 4 & 0x0F0F0F0F0F0F0F0F);
}
inline Vector sum_bytes(Vector bytes) {
    const __m128i sums = _mm_sad_epu8(reinterpret_cast<const __m128i &>(bytes), _mm_setzero_si128());
    return reinterpret_cast<const Vector &>(sums);
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define EXACTCOVER_BYTE_COUNTS 1
inline Vector count_bytes(Vector vector) {
    const uint8x16_t bytes = vcntq_u8(reinterpret_cast<const uint8x16_t &>(vector));
    return reinterpret_cast<const Vector &>(bytes);
}
inline Vector count_bytes(Vector one, Vector other, Vector third) {
    return count_bytes(one) + count_bytes(other) + count_bytes(third);
}
inline Vector sum_bytes(Vector bytes) {
    const uint64x2_t sums = vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(reinterpret_cast<const uint8x16_t &>(bytes))));
    return reinterpret_cast<const Vector &>(sums);
}
#endif

inline u32 ones(Vector vector) {
    u32 number = 0;
    for (u32 k = 0; k < kLanes; ++k) number += popcount(vector[k]);
    return number;
}

}  // namespace exactcover::inline EXACTCOVER_ISA
