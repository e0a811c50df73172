// Random numbers that depend on a seed alone.
//
// Reference: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
// (SplitMix).
#pragma once

#include "base/isa.hpp"
#include "base/types.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Chance {
public:
    explicit Chance(u64 seed) : state_(seed) {}

    // A number below n, for n > 0.
    u32 below(u32 n) {
        u64 x = state_ += 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return static_cast<u32>(u128{x ^ x >> 31} * n >> 64);
    }

private:
    u64 state_;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
