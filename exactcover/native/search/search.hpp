// The interface of a search. Each instruction set has an implementation of its own: see search.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/problem.hpp"
#include "search/results.hpp"

namespace exactcover {

// Which open item to branch on.
enum class Heuristic {
    mrv,       // the item with the fewest choices; ties go to the first
    leftmost,  // the first item
    weighted,  // the item with the fewest choices; ties go to the one that failed most often
};

class RuleCheck;

class Search {
public:
    explicit Search(const std::shared_ptr<const Problem> &problem);
    virtual ~Search();
    Search(const Search &) = delete;
    Search &operator=(const Search &) = delete;

    // Begin again: choose some options, all of them choosable, and leave others out. Returns false if the chosen ones
    // exclude each other. With `cheapest` not 0, look for that many solutions of least cost, which must cost less than
    // `ceiling`. Counters go on.
    virtual bool begin(std::span<const u32> given, std::span<const u32> without, Heuristic heuristic,
                       std::size_t cheapest, i64 ceiling) = 0;

    // Find the root of the tree just begun. Only begin may follow.
    virtual void root(Root &root) = 0;

    // Go on for about `work` units (a node of a small subproblem is one unit), or until `found` holds `most` solutions.
    // Without `found`, solutions are only counted, and cannot be listed from there on. Returns false when the tree is
    // exhausted.
    virtual bool advance(u64 work, std::size_t most, Found *found) = 0;

    // Find the path to where the search stands: all that is left to search lies below its untried options. Returns
    // false at a moment when this cannot be told; after another unit of work it may. Not for the cheapest solutions.
    virtual bool path(Path &path) const = 0;

    // Count along one random path: begin, and from the root on visit one child of each node, as a search that lists or
    // only counts would. For each step take what it counts times the product of `children` up to it; the expected value of the sum of these is
    // what the whole search counts. Only begin may follow.
    virtual void probe(u64 seed, std::span<const u32> given, std::span<const u32> without, bool listing,
                       const Poll &poll, Probe &probe) = 0;

    // Add the cheapest solutions seen so far, in ascending order of cost.
    virtual void cheapest(Found &found) const = 0;

    // The share of the tree that has been searched, if all children of a node are equally large.
    virtual double explored() const = 0;
    virtual std::size_t bytes() const = 0;

    const Counters &counters() const { return counters_; }
    Profile &profile() { return counters_.profile; }

protected:
    [[gnu::always_inline]] const Problem &problem() const { return *held_; }

    // The options that a rule asks for; empty if there are no rules.
    const std::vector<u32> &ruled() const { return ruled_; }
    // See RuleCheck::hold.
    bool rules_hold(const u32 *chosen, u32 depth, const u8 *possible);

    Counters counters_;

private:
    std::vector<u32> ruled_;
    std::unique_ptr<RuleCheck> check_;  // if there are rules
    std::shared_ptr<const Problem> held_;
};

// Problems with more options begin with sparse sets.
constexpr u32 kMaxDenseOptions = 1u << 16;

// The instruction sets that both this processor and this build support, the best first.
std::vector<const char *> instruction_sets();

// Throws std::invalid_argument if `instructions` is not one of instruction_sets().
std::unique_ptr<Search> make_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options,
                                    const std::string &instructions, const Poll &poll);

}  // namespace exactcover
