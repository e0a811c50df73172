// Zero-suppressed decision diagrams: families of sets of options, each family once.
//
// A node stands for the sets of `lo`, and the sets of `hi` with the option at the node's level added. Levels ascend
// downwards, no `hi` is empty and no two nodes are alike, so equal families are the same node.
//
// Reference: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4.
#pragma once

#include <vector>

#include "base/meter.hpp"
#include "counting/states.hpp"

namespace exactcover {

class Zdd {
public:
    static constexpr u32 kEmpty = 0;  // no set
    static constexpr u32 kUnit = 1;   // the empty set

    struct Node {
        u32 level, lo, hi;
    };

    static constexpr u32 kBottom = kNone;  // the level of both terminals

    // Any call throws std::bad_alloc if more than about this many bytes would be held. The poll must outlive the
    // object, and may end a call; then the object can be used as before.
    Zdd(std::size_t most_bytes, u64 hash_mask, const Poll &poll);

    u32 node(u32 level, u32 lo, u32 hi);
    u32 add(u32 f, u32 g) { return apply(kAdd, f, g); }            // the sets in either
    u32 multiply(u32 f, u32 g) {
        return apply(kMultiply, f, g);
    }  // all unions of a set of f and a set of g; they share no option
    u32 with(u32 level, u32 f);                                    // each set with one option added

    // Note a step of work for the diagrams, here or outside: poll, and see to the memory, if it is time.
    void step() {
        if (meter_.spend()) check_memory();
    }

    bool has(u32 f) const { return f < nodes_.size(); }

    // The family of these sets of levels. Each set ascends; the sets differ, and ascend lexicographically.
    u32 family(const std::vector<std::vector<u32>> &sets);

    // The nodes of a family, children first, renumbered from 2 on.
    std::vector<Node> below(u32 root);

private:
    enum Operation : u32 { kAdd, kMultiply };
    struct Task {
        u32 f, g;
        u32 stage = 0, lo = kEmpty;
    };
    struct Results {
        States pairs;
        std::vector<u32> of;
    };

    u32 apply(Operation operation, u32 f, u32 g);
    void check_memory();
    std::size_t bytes() const;

    std::size_t most_bytes_;
    u64 hash_mask_;
    Meter meter_;
    std::vector<Node> nodes_;
    States unique_;  // all nodes but the terminals
    Results results_[2];
    std::vector<Task> tasks_;
};

}  // namespace exactcover
