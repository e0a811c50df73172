// The keys of states in a sweep, which handles the items in a fixed order.
//
// Each primary item has its station. An option belongs to the station of its first item: all items before that one have
// been handled there. What an option takes from later items is remembered in fields of a key, from the station where an
// option can first take it to the last station where it matters; then fields of other items reuse the bits.
#pragma once

#include <vector>

#include "base/problem.hpp"

namespace exactcover {

struct Field {
    u32 word = 0, shift = 0, width = 0;  // width 0: nothing to remember

    u64 mask() const { return ((u64{1} << width) - 1) << shift; }
    u64 of(const u64 *key) const { return key[word] >> shift & ((u64{1} << width) - 1); }
};

struct Layout {
    struct Station {
        bool once = true;          // covered exactly once
        u32 first = 0, last = 0;   // its options are option[first .. last)
        u32 bucket = 0;  // of states that arrive here; with other multiplicities, one more bucket for each option
        Field field;
        u64 low = 0;
    };
    // A field that an option increments, or gives a color.
    struct Count {
        Field field;
        u64 most = 0;
        bool saturates = false;  // more than `most` counts as `most`
    };
    struct Paint {
        Field field;
        u64 color = 0;
    };

    std::vector<u32> order;  // all primary items
    u32 words = 0;
    u32 buckets = 0;
    std::vector<Station> stations;
    std::vector<u32> bits;      // of each station: how many bits of a key are in use there
    std::vector<u64> keep;      // of each station, `words` words: the bits that still matter there
    std::vector<u32> option;    // the options, station by station
    std::vector<u64> zero, set; // of each of them, `words` words: the bits that must be 0, the bits it sets
    std::vector<u32> first_count, first_paint;
    std::vector<Count> counts;
    std::vector<Paint> paints;
};

// The layout for the primary items in this order; throws TooLarge if a key needs more than `most_words`.
Layout lay_out(const Problem &problem, const std::vector<u32> &order, u32 most_words);

// All options, in the order of their stations; options that can never be chosen come last.
std::vector<u32> options_in_order(const Problem &problem, const std::vector<u32> &order);

// An order that seems to have few states, or that of the problem where another is not clearly better.
std::vector<u32> narrow_order(const Problem &problem, const Poll &poll);

}  // namespace exactcover
