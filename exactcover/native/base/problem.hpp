// A problem in the form that searches use: options as lists of columns.
//
// A column is the set of options that are removed when an option that names it is chosen:
//   - a primary item: all options with that item; columns 0 .. primary-1;
//   - a secondary item without a color: all options with that item;
//   - a secondary item with a color: the options that give the item another color or no color.
#pragma once

#include <vector>

#include "base/graph_rule.hpp"
#include "base/row_arrays.hpp"

namespace exactcover {

struct Problem {
    u32 primary = 0;
    u32 options = 0;
    u32 columns = 0;
    std::vector<u32> start;       // option k names the columns entry[start[k] .. start[k+1])
    std::vector<u32> entry;       // columns, primary ones first
    std::vector<u32> whole;       // of each column: the column of its item without a color
    std::vector<u8> colored;      // of each column: 1 if it belongs to a color
    std::vector<i32> low, high;   // how often each primary item must and may be covered; empty: exactly once
    std::vector<i64> cost;        // of each option, ascending; empty: no costs
    u32 most_items = 1;           // the largest number of primary items of an option
    u32 most_secondary = 0;       // the largest number of secondary items of an option
    u32 fewest_items = ~u32{0};   // no choosable option has fewer; 1 if items have bounds, since some may be done with
    std::vector<u32> preferred;   // primary items to branch on before others
    std::vector<GraphRule> rules;

    // Throws what RowArrays::read throws.
    static Problem from_rows(const RowArrays &rows, const Poll &poll);

    // Complete what from_rows made; throw std::invalid_argument if bounds, costs, items or rules are not valid.
    void set_bounds(std::vector<i32> lows, std::vector<i32> highs);
    void set_costs(std::vector<i64> costs);
    void set_preferred(std::vector<u32> items);
    void set_rules(std::vector<GraphRule> stated);

    // Whether an option has a primary item; other options can never be chosen.
    bool choosable(u32 option) const { return start[option] < start[option + 1] && entry[start[option]] < primary; }

    // How many options a solution has at most.
    u64 most_chosen() const;

    // Whether each primary item is covered exactly once, options cost nothing, no item is preferred and there are no rules.
    bool plain() const;

    std::size_t bytes() const;
};

}  // namespace exactcover
