// Short names for whole numbers, and the one value that stands for "none".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace exactcover {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;
using i32 = std::int32_t;
using i64 = std::int64_t;

// No item, option, column, place or state.
constexpr u32 kNone = ~u32{0};

// Called from time to time by work that can take long; throws to end that work.
using Poll = std::function<void()>;

// Thrown if a problem is too large for a way to count or to build a diagram.
struct TooLarge : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace exactcover
