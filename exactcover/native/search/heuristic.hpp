// Which open item to branch on: the heuristic with what it has learned.
#pragma once

#include "base/list.hpp"
#include "search/search.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// Ties among items with equally many choices are broken by rank, the lowest first: a column's number, with the penalty
// of its item in the digits above.
constexpr u32 kMaxRanked = 1u << 16;

class BranchingRule {
public:
    explicit BranchingRule(u32 primary) : primary_(primary) {}

    // Use this heuristic, and forget what was learned.
    void use(Heuristic heuristic) {
        heuristic_ = heuristic;
        failures_.assign(weighted() ? primary_ : 0, 0);
    }

    bool leftmost() const { return heuristic_ == Heuristic::leftmost; }
    bool weighted() const { return heuristic_ == Heuristic::weighted; }

    // Note that no option was left for an item.
    void failed(u32 item) {
        if (weighted() && failures_[item] < kMaxRanked - 1) ++failures_[item];
    }

    // The fewer failures, the higher.
    u32 penalty(u32 item) const { return weighted() ? kMaxRanked - 1 - failures_[item] : 0; }

private:
    Heuristic heuristic_ = Heuristic::mrv;
    u32 primary_;
    List<u32> failures_;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
