// Zero-suppressed decision diagrams: families of sets of options, each family once.
//
// A node stands for the sets of `lo`, and those of `hi` with the option at its level besides. Levels ascend downwards,
// no `hi` is empty and no two nodes are alike, so equal families are the same node.
//
// Reference: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4.
#pragma once

#include <vector>

#include "counting/states.hpp"

namespace exactcover {

class Zdd {
public:
    static constexpr u32 kEmpty = 0;  // no set
    static constexpr u32 kUnit = 1;   // the empty set

    struct Node {
        u32 level, lo, hi;
    };

    static constexpr u32 kBottom = kNone;  // the level of both ends

    // Throws std::bad_alloc from any call after which more than about so many bytes would be held. `poll` is called as
    // nodes are made.
    explicit Zdd(std::size_t most_bytes, u64 hash_mask = kWholeHash, Poll poll = [] {});

    u32 node(u32 level, u32 lo, u32 hi);
    u32 add(u32 f, u32 g) { return apply(kAdd, f, g); }            // the sets of both
    u32 multiply(u32 f, u32 g) { return apply(kMultiply, f, g); }  // each of one with each of the other, without any option in common
    u32 with(u32 level, u32 f);                                    // each with one option besides

    bool has(u32 f) const { return f < nodes_.size(); }
    bool mentions(u32 f, u32 level) const;  // whether some set of f holds it

    // Some sets of levels, each ascending; the sets ascend lexicographically and are all different.
    u32 family(const std::vector<std::vector<u32>> &sets);

    // The nodes that a family is made of, children first; they are numbered anew, from 2 on.
    std::vector<Node> below(u32 root) const;

    std::size_t bytes() const;

private:
    enum Operation : u32 { kAdd, kMultiply };
    struct Task {
        u32 f, g;
        u32 stage = 0, level = 0, lo = kEmpty;
    };
    struct Results {
        States pairs;
        std::vector<u32> of;
    };

    u32 apply(Operation operation, u32 f, u32 g);
    void check_memory();

    std::size_t most_bytes_;
    u64 hash_mask_;
    Poll poll_;
    std::vector<Node> nodes_;
    States unique_;  // the nodes but for both ends
    Results results_[2];
    std::vector<Task> tasks_;
};

}  // namespace exactcover
