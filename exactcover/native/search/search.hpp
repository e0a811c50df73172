// The face of a search; how it is done is compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "search/heuristic.hpp"
#include "search/ledger.hpp"

namespace exactcover {

// The shape of the tree, kept on demand: then there are no leaves and no planes, so that each node is seen.
struct Profile {
    static constexpr i32 kSolution = -1;

    bool on = false;
    bool traced = false;
    std::vector<u64> levels;  // nodes by the number of options chosen
    u32 most_choices = 0;
    std::vector<i32> trace;  // depth and choices of each node in preorder, until it is taken

    void note(u32 depth, i32 choices) {
        if (levels.size() <= depth) levels.resize(depth + 1);
        ++levels[depth];
        most_choices = std::max(most_choices, static_cast<u32>(std::max(0, choices)));
        if (traced) trace.insert(trace.end(), {static_cast<i32>(depth), choices});
    }
};

struct Counters {
    u64 nodes = 0;        // subproblems visited
    u64 updates = 0;      // options chosen
    u64 compactions = 0;  // subproblems written out smaller
    u64 solutions = 0;    // found, listed or counted
    Profile profile;

    // A node with so many choices.
    void node(u32 depth, i32 choices) {
        ++nodes;
        if (profile.on) profile.note(depth, choices);
    }
};

// Solutions one after another: the options of solution k are option[end[k-1] .. end[k]).
struct Found {
    std::vector<u32> option;
    std::vector<std::size_t> end;

    void clear() {
        option.clear();
        end.clear();
    }
    void add(const u32 *first, std::size_t size) {
        option.insert(option.end(), first, first + size);
        end.push_back(option.size());
    }
};

// The root of a tree.
struct Root {
    bool dead = true;
    std::vector<u32> chosen;  // forced ones too
    std::vector<u32> next;    // the options to be tried, in their order; empty if it is a solution
    bool none = false;        // as a last child all of these are left out
};

// One child on a random way down, and what was counted from the choice of it to the next choice.
struct Step {
    u32 children;  // among which it was picked
    u64 nodes;
    u64 solutions;
};

// Random numbers that depend on a seed alone (splitmix64).
class Chance {
public:
    explicit Chance(u64 seed) : state_(seed) {}

    // A number below n, for n > 0.
    u32 below(u32 n) {
        u64 x = state_ += 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        return static_cast<u32>(static_cast<unsigned __int128>(x ^ x >> 31) * n >> 64);
    }

private:
    u64 state_;
};

class Search {
public:
    virtual ~Search() = default;

    // Begin anew with some options chosen, all of them choosable, then others left out; false if those chosen exclude each
    // other. With
    // `cheapest` not 0 look for so many solutions of least cost. Clears nothing that was counted.
    virtual bool begin(std::span<const u32> given, std::span<const u32> without, Heuristic heuristic,
                       std::size_t cheapest) = 0;

    // The root of what was just begun. Only begin may follow.
    virtual Root root() = 0;

    // Go on for about `work` units (a node of a small subproblem is one), or until `most` solutions were
    // added to `found`; with no `found`, count, after which it cannot list any more. Returns false when there is
    // nothing left.
    virtual bool advance(u64 work, std::size_t most, Found *found) = 0;

    // Count down one random way: begin at the root and visit one child of each node, as a search that counts would. The
    // sum over the steps of what each counts, times the product of `children` up to it, is on the average what the whole
    // search counts. Only begin may follow.
    virtual std::vector<Step> probe(u64 seed, const Poll &poll) = 0;

    // The cheapest solutions seen, the cheapest first.
    virtual void cheapest(Found &found) const = 0;

    virtual double explored() const = 0;
    virtual std::size_t bytes() const = 0;
    const Counters &counters() const { return counters_; }
    Profile &profile() { return counters_.profile; }

protected:
    Counters counters_;
};

// Problems with more options begin with sparse sets.
constexpr u32 kMostDenseOptions = 1u << 16;

// The instruction sets that this processor has and this build knows, the best first.
std::vector<const char *> instruction_sets();

// Throws std::invalid_argument for instructions that are not among them.
std::unique_ptr<Search> make_search(std::shared_ptr<const Problem> problem, u32 most_dense_options,
                                    const std::string &instructions, const Poll &poll);

}  // namespace exactcover
