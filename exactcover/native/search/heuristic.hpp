// Which open item to branch on.
#pragma once

#include <vector>

#include "base/problem.hpp"

namespace exactcover {

enum class Heuristic {
    mrv,       // the item with fewest live options, of several the first
    leftmost,  // the first item
    weighted,  // the item with fewest live options, of several the one that failed most often
};

// A rank is a column with a preference above it: the lesser the better.
constexpr u32 kMostRanked = 1u << 16;

// The heuristic, with what it has learned.
class Choice {
public:
    explicit Choice(u32 primary) : primary_(primary) {}

    // Forgets what was learned.
    void use(Heuristic heuristic) {
        heuristic_ = heuristic;
        failures_.assign(weighted() ? primary_ : 0, 0);
    }

    bool leftmost() const { return heuristic_ == Heuristic::leftmost; }
    bool weighted() const { return heuristic_ == Heuristic::weighted; }

    // No option was left for an item.
    void failed(u32 item) {
        if (weighted() && failures_[item] < kMostRanked - 1) ++failures_[item];
    }

    // The lesser, the better a choice among items with as many options.
    u32 penalty(u32 item) const { return weighted() ? kMostRanked - 1 - failures_[item] : 0; }

private:
    Heuristic heuristic_ = Heuristic::mrv;
    u32 primary_;
    std::vector<u32> failures_;
};

}  // namespace exactcover
