// What the options chosen so far have used up: multiplicities and costs.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/problem.hpp"

namespace exactcover {

class Ledger {
public:
    explicit Ledger(const Problem &problem) : problem_(problem), need_(problem.low), room_(problem.high) {}

    // Whether some item is not to be covered exactly once.
    bool counts() const { return !problem_.low.empty(); }

    // How often an item still has to be covered, and still may be.
    i32 need(u32 item) const { return counts() ? std::max(0, need_[item]) : 1; }
    i32 room(u32 item) const { return counts() ? room_[item] : 1; }
    // Whether an item of the option just chosen may be covered again.
    bool again(u32 item) const { return counts() && room_[item] > 0; }
    bool once(u32 item) const { return !counts() || (need_[item] == 1 && room_[item] == 1); }

    // Choose an option after `depth` others; those chosen later than these are taken back.
    void choose(u32 depth, u32 option) {
        if (!counts() && !costs()) return;
        back(depth);
        book(option, -1);
        chosen_.push_back(option);
    }

    // Take back all but the first `depth` options.
    void back(u32 depth) {
        for (; chosen_.size() > depth; chosen_.pop_back()) book(chosen_.back(), 1);
    }

    // -- costs -----------------------------------------------------------------------------------

    // Look for the `number` cheapest solutions; 0 for all, whatever they cost.
    void look_for(std::size_t number) {
        back(0);
        best_.clear();
        number_ = number;
    }

    bool costs() const { return number_ != 0; }

    // Solutions must cost less than so much more.
    i64 left() const {
        return (best_.size() < number_ ? std::numeric_limits<i64>::max() : best_.back().cost) - spent_;
    }

    // Options from this one on cost too much.
    u32 affordable() const {
        const auto &cost = problem_.cost;
        return static_cast<u32>(std::lower_bound(cost.begin(), cost.end(), left()) - cost.begin());
    }

    // Keep a solution if it is cheaper than the dearest kept.
    void offer(const u32 *chosen, u32 depth) {
        if (left() <= 0) return;
        if (best_.size() == number_) best_.pop_back();
        const auto place = std::upper_bound(best_.begin(), best_.end(), spent_,
                                            [](i64 cost, const Solution &one) { return cost < one.cost; });
        best_.insert(place, {spent_, std::vector<u32>(chosen, chosen + depth)});
    }

    template <typename Use>
    void cheapest(Use use) const {
        for (const Solution &one : best_) use(one.options);
    }

private:
    struct Solution {
        i64 cost;
        std::vector<u32> options;
    };

    void book(u32 option, i32 sign) {
        if (costs()) spent_ -= sign * problem_.cost[option];
        if (!counts()) return;
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1] && problem_.entry[e] < problem_.primary; ++e) {
            need_[problem_.entry[e]] += sign;
            room_[problem_.entry[e]] += sign;
        }
    }

    const Problem &problem_;
    std::vector<i32> need_, room_;
    std::vector<u32> chosen_;
    std::vector<Solution> best_;  // the cheapest first
    std::size_t number_ = 0;
    i64 spent_ = 0;
};

}  // namespace exactcover
