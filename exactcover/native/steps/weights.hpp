// Weights of items that add up to 0 in each option, but not in all items, modulo a power of a prime.
//
// Rows with a number that the prime does not divide become pivots. What is left of the other rows, and of the target, can
// be divided by the prime, and the same question is asked again, modulo the next lower power. If the target cannot be
// divided, there are weights modulo the prime, and so, for what was asked first, modulo a power of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace exactcover {

// Numbers of items, in the order in which the items first appeared.
using SparseRow = std::vector<std::pair<u32, u64>>;

struct WeightsByPrime {
    SparseRow weights;
    u64 modulus;
};

// The only modulus above 2^32.
constexpr u64 kMersenne = (u64{1} << 61) - 1;

// Weights for rows and a target whose numbers are small, modulo prime^e for some e from 1 to `most`; nothing if there are
// none, or if more than `work` numbers would have to be added. Throws std::invalid_argument unless prime^most is at most
// 2^32, or the prime is 2^61 - 1 and `most` is 1. An item is less than `items`.
std::optional<WeightsByPrime> find_weights(u32 items, const std::vector<SparseRow> &rows, SparseRow target, u64 prime,
                                           u32 most, i64 work, const Poll &poll);

}  // namespace exactcover
