// A problem as rows of items and colors; the remainder after options are chosen.
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
    // What items and options are in the problem of which this is a remainder; and how many primary items that problem
    // has, with those that were added on the way.
    std::vector<u32> item_origin, option_origin;
    u32 origin_primary = 0;

    // Throws what RowArrays::read and check_bounds throw.
    static Rows from_arrays(const RowArrays &rows, std::vector<i32> lows, std::vector<i32> highs, const Poll &poll);

    // The same as arrays, which refer to the rows and to `starts`, a copy of `start`.
    RowArrays arrays(const std::vector<i64> &starts) const {
        const auto as_signed = [](const std::vector<u32> &numbers) { return reinterpret_cast<const i32 *>(numbers.data()); };
        return {items, primary, starts.data(), options(), as_signed(item), as_signed(color), item.size()};
    }

    u32 options() const { return static_cast<u32>(start.size()) - 1; }

    // The options of each item, one item after another; `first` tells where those of each item begin.
    void holders(std::vector<u32> &first, std::vector<u32> &options) const;

    // The remainder when some options are chosen and others are excluded: without options that clash, without items that
    // no longer matter, and with all options chosen that some item cannot do without. Nothing if there is no solution.
    std::optional<Rows> remainder(const std::vector<u32> &chosen, const std::vector<u32> &excluded) const;

    // The problem with one more primary item, the last of them, which `number` of these options must cover. It is the
    // last primary item of the problem of which this is a remainder, too.
    Rows with_item(const std::vector<u32> &holders, u32 number) const;

private:
    void check_options(const std::vector<u32> &some) const;
};

}  // namespace exactcover
