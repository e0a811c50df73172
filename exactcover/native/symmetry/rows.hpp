// A problem as rows of items and colors, and what is left of it when options are chosen.
//
// Unlike Problem, it keeps items as they are, so that symmetries can be read off and remainders can be compared.
#pragma once

#include <optional>
#include <vector>

#include "base/problem.hpp"

namespace exactcover {

struct Rows {
    u32 items = 0;
    u32 primary = 0;
    std::vector<u32> start{0};     // option k holds the entries start[k] .. start[k+1]
    std::vector<u32> item, color;  // of each entry; color 0 means none
    std::vector<u32> low, high;    // of each primary item

    // Throws std::invalid_argument as Problem::from_rows does, and if bounds are not valid.
    static Rows from_arrays(u32 items, u32 primary, const i64 *starts, std::size_t options, const i32 *entries,
                            const i32 *colors, std::size_t total, const std::vector<i32> &lows,
                            const std::vector<i32> &highs, const Poll &poll);

    u32 options() const { return static_cast<u32>(start.size()) - 1; }
    std::size_t bytes() const;

    // The options of each item, one item after another; `first` tells where those of each item begin.
    void holders(std::vector<u32> &first, std::vector<u32> &options) const;

    // What is left when some options are chosen and others are excluded: without options that clash, without items that
    // no longer matter, and with all options chosen that some item cannot do without. Nothing if there is no solution.
    std::optional<Rows> remainder(const std::vector<u32> &chosen, const std::vector<u32> &excluded) const;
};

}  // namespace exactcover
