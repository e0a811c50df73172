// How a sweep over the items in a fixed order writes down what it must remember.
//
// Each primary item has its station. An option belongs to the station of its first item, for when the sweep gets there
// the items before have all had their turn. What an option takes of later items is remembered in fields of a key, from
// the station where that can first happen until it can matter no more; fields of other items use the same bits again.
#pragma once

#include <vector>

#include "base/problem.hpp"

namespace exactcover {

struct Field {
    u32 word = 0, shift = 0, width = 0;  // width 0: nothing has to be remembered

    u64 mask() const { return ((u64{1} << width) - 1) << shift; }
    u64 of(const u64 *key) const { return key[word] >> shift & ((u64{1} << width) - 1); }
};

struct Layout {
    struct Station {
        u32 item = 0;
        bool once = true;          // covered exactly once
        u32 first = 0, last = 0;   // its options are option[first .. last)
        u32 bucket = 0;            // states that begin here; an item covered more often has one bucket more for each option
        Field field;
        u64 low = 0;
    };
    // A field that an option counts up, or gives a color.
    struct Count {
        Field field;
        u64 most = 0;
        bool saturates = false;  // more than `most` is as good
    };
    struct Paint {
        Field field;
        u64 color = 0;
    };

    u32 words = 0;
    u32 buckets = 0;
    std::vector<Station> stations;
    std::vector<u32> bits;      // for each station: how many are in use there
    std::vector<u64> keep;      // for each station, `words` words: what still matters there
    std::vector<u32> option;    // the options, station by station
    std::vector<u64> zero, set; // for each of them, `words` words: what must be free, what will be taken
    std::vector<u32> first_count, first_paint;
    std::vector<Count> counts;
    std::vector<Paint> paints;
};

// The layout for the primary items in this order; throws TooLarge if a key would have more words.
Layout lay_out(const Problem &problem, const std::vector<u32> &order, u32 most_words);

// All options, in the order in which a sweep comes to them; those that can never be chosen come last.
std::vector<u32> options_in_order(const Problem &problem, const std::vector<u32> &order);

// Of some orders, the given one among them, the one that seems to have the fewest states.
std::vector<u32> narrow_order(const Problem &problem, const Poll &poll);

}  // namespace exactcover
