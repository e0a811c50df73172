// The rule of multiplicities, which every way to branch follows.
//
// A node that branches on an item tries the item's live options in order; once an option has been tried, it is left
// out in all later children. An item that must still be covered `need` times needs need - 1 other options behind the
// one that is chosen first, so that one cannot be among the last need - 1: the item leaves n - need + 1 choices of n
// live options. If `need` is 0, all n options can be chosen first, and in a last child all of them are left out.
//
// `extra` is need - 1: how much less than its live options an item counts when the fewest choices are looked for.
#pragma once

#include <algorithm>

#include "base/bits.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// How many choices an item leaves.
inline u32 choices(u32 live, i32 need) { return static_cast<u32>(std::max(0, static_cast<i32>(live) - need + 1)); }

// Of the options of an item, given as bits, drop those that cannot be chosen first: the last `extra`.
inline void drop_last(u64 *options, u32 words, i32 extra) {
    for (; extra > 0; --extra) {
        u32 w = words - 1;
        while (options[w] == 0) --w;
        clear_bit(options + w, highest(options[w]));
    }
}

}  // namespace exactcover::inline EXACTCOVER_ISA
