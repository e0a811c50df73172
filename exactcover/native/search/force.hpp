// Forced moves: what to do about items that leave one choice each.
//
// One look at a node may find several such items. They are handled in order, without another look in between.
#pragma once

#include "base/isa.hpp"
#include "base/types.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// Make all forced moves that one look has found; returns false if they exclude each other.
//
// - `item` is the first of these items;
// - next() returns the next one that is still open, or kNone;
// - live_option(item) returns its first live option, or kNone if a move before this one removed the last;
// - choose(item, option) chooses it;
// - give_up(item) closes an item without live options if it is covered often enough, and returns whether it is.
template <typename Next, typename LiveOption, typename Choose, typename GiveUp>
inline bool make_forced_moves(u32 item, Next next, LiveOption live_option, Choose choose, GiveUp give_up) {
    do {
        const u32 option = live_option(item);
        if (option != kNone) choose(item, option);
        else if (!give_up(item)) return false;
        item = next();
    } while (item != kNone);
    return true;
}

}  // namespace exactcover::inline EXACTCOVER_ISA
