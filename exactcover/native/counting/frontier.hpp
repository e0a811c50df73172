// Rules about graphs in a sweep: what a state must remember of the edges or vertices that are on so far.
//
// A vertex is on the frontier from the first station where an option can turn on something at it to the last one. There
// it has a slot of the state; other vertices use the slot before and after.
//
// - Of a loop or of paths, a slot says whether no edge is on at the vertex, or two, or one: then where the path through
//   that edge leads, to another slot, or to an end that has left the frontier.
// - Of regions, slots with the same label hang together. Labels are numbered in the order of the slots, so states that
//   mean the same are the same; each has a color, and a size if that matters.
//
// References: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4, exercise 225 (simpath); J. Kawahara et al.,
// "Frontier-based search" (2017).
#pragma once

#include <utility>
#include <vector>

#include "counting/layout.hpp"

namespace exactcover {

// One rule in the states of a sweep. A state is some bytes, all 0 at the beginning.
class Frontier {
public:
    // Throws TooLarge if the frontier is too wide.
    Frontier(const GraphRule &rule, const Problem &problem, const Layout &layout);

    u32 bytes() const { return bytes_; }

    // Each returns whether the rule can still hold.
    bool begin(u8 *state) const;                       // turn on what is on in any case
    bool choose(u8 *state, u32 place) const;           // turn on what the option at a place of the layout turns on
    bool leave(u8 *state, u32 station) const;          // take away the vertices for which this was the last station
    bool end(const u8 *state) const;

private:
    static constexpr u8 kUntouched = 0, kDone = 1, kFreeEnd = 2, kFirst = 3;  // kFirst + a slot, or + slots_ + an end

    struct Span {
        u32 first = kNone, last = 0;
        bool used() const { return first != kNone; }
        void add(u32 station) {
            first = station < first ? station : first;
            last = station > last ? station : last;
        }
    };

    std::vector<Span> span_elements(const std::vector<u32> &station) const;
    void place_vertices(const std::vector<Span> &spans, u32 stations);
    void place_marks(const std::vector<Span> &spans, u32 stations);

    bool turn_on(u8 *state, u32 element, u32 station) const;
    bool join(u8 *state, u32 a, u32 b) const;
    bool connect(u8 *state, u8 a, u8 b) const;
    bool agree(u8 *state, u8 a, u8 b) const;
    bool leave_path(u8 *state, u32 vertex) const;
    bool color(u8 *state, u32 vertex, u32 color, u32 station) const;
    bool leave_region(u8 *state, u32 vertex) const;
    void renumber(u8 *state) const;

    u8 *colors(u8 *state) const { return state + slots_; }
    u8 *sizes(u8 *state) const { return state + 2 * slots_; }  // two bytes each
    u32 size(const u8 *state, u32 label) const {
        return state[2 * slots_ + 2 * label] | u32{state[2 * slots_ + 2 * label + 1]} << 8;
    }
    void set_size(u8 *state, u32 label, u32 size) const {
        state[2 * slots_ + 2 * label] = static_cast<u8>(size);
        state[2 * slots_ + 2 * label + 1] = static_cast<u8>(size >> 8);
    }
    u8 &flag(u8 *state, u32 number) const { return state[flags_ + number]; }

    const GraphRule &rule_;                     // of the problem
    std::vector<u32> ends_;                     // the vertices that are named as ends
    std::vector<u8> end_of_;                    // of each vertex: its number among these
    std::vector<std::vector<u32>> near_;        // of each vertex, for regions
    std::vector<u32> slot_, first_;             // of each vertex, and the station from which on it has it
    std::vector<u32> mark_;                     // of each edge: the bit that says that it is on, or kNone
    std::vector<u32> station_;                  // by place of the layout
    std::vector<std::vector<u32>> turns_on_;
    std::vector<std::vector<u32>> leaving_;     // vertices by station
    std::vector<std::vector<u32>> fading_;      // marks by station
    u32 slots_ = 0, marks_ = 0, flags_ = 0, bytes_ = 0;
};

}  // namespace exactcover
