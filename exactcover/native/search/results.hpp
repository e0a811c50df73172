// What a search reports. Defined once for all instruction sets: see base/isa.hpp.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace exactcover {

// The shape of the tree, recorded on request: then every node is visited one by one, without leaves and planes.
struct Profile {
    static constexpr i32 kSolution = -1;

    bool on = false;
    bool logged = false;
    bool skips_leaves = false;  // whether leaves are searched as usual, and logged as subtrees that are not recorded
    std::vector<u64> levels;  // nodes by the number of options chosen
    u32 most_choices = 0;
    std::vector<u8> log;  // every node in preorder, until it is taken

    void note(u32 depth, i32 choices);

    // Add a node to the log: the item branched on and the number of its children, a solution, children that were pruned
    // because of costs, or the sums of a subtree that is not recorded. Numbers are written as append_number does: items
    // with 3 added; 0 is a solution, 1 a pruned node and 2 a subtree.
    void log_branch(u32 item, u32 children);
    void log_solution();
    void log_pruned(u32 nodes);
    void log_unrecorded(u64 nodes, u64 solutions);
};

struct Counters {
    u64 nodes = 0;        // subproblems visited
    u64 updates = 0;      // options chosen
    u64 compactions = 0;  // subproblems rewritten in a smaller form
    u64 solutions = 0;    // listed or counted
    Profile profile;

    // Count a node with this many choices.
    [[gnu::always_inline]] void node(u32 depth, i32 choices) {
        ++nodes;
        if (profile.on) profile.note(depth, choices);
    }

    [[gnu::always_inline]] void log_branch(u32 item, u32 children) {
        if (profile.on) profile.log_branch(item, children);
    }
    [[gnu::always_inline]] void log_pruned(u32 pruned) {
        if (profile.on) profile.log_pruned(pruned);
    }

    // Count a solution as a node.
    [[gnu::always_inline]] void solution_node(u32 depth) {
        node(depth, Profile::kSolution);
        if (profile.on) profile.log_solution();
    }
};

// Solutions one after another: the options of solution k are option[end[k-1] .. end[k]).
struct Found {
    std::vector<u32> option;
    std::vector<std::size_t> end;

    Found();
    ~Found();
    void clear();
    void add(const u32 *first, std::size_t size);
};

// The root of a tree.
struct Root {
    bool dead = true;
    std::vector<u32> chosen;  // including forced options
    std::vector<u32> next;    // the options to try, in order; empty if the root is a solution
    bool none = false;        // in a last child all of these are left out

    // The root is alive, after these options were chosen.
    void set_chosen(const u32 *options, u32 size);
    void add_next(u32 option);
};

// The nodes from the root to where a search stands that have a child under way, or children left.
struct Path {
    struct Node {
        u32 depth;              // how many options had been chosen there
        std::vector<u32> next;  // the options not tried yet, in order
        bool none;              // in a last child, not tried yet, all options of the item are left out
    };
    std::vector<u32> chosen;  // from the root on; those of the last node may be left over from an earlier child
    std::vector<Node> nodes;

    void add_node(u32 depth, bool none);
    void add_next(u32 option);
    void set_chosen(const u32 *options, u32 size);
};

// One child on a random path, and what was counted between the choice of it and the next choice.
struct Step {
    u32 children;  // the number of children it was picked from
    u64 nodes;
    u64 solutions;
};

// A random path from the root.
struct Probe {
    std::vector<Step> steps;

    void add(const Step &step);
};

}  // namespace exactcover
