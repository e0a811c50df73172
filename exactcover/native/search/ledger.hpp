// What the options chosen so far have used up: multiplicities and costs.
#pragma once

#include <algorithm>
#include <limits>

#include "base/list.hpp"
#include "base/problem.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Ledger {
public:
    explicit Ledger(const Problem &problem)
        : problem_(problem), need_(problem.low.begin(), problem.low.end()),
          room_(problem.high.begin(), problem.high.end()) {}

    // Whether some item has a multiplicity other than exactly once.
    bool counts() const { return !problem_.low.empty(); }

    // How often an item must still be covered, and how often it may be.
    i32 need(u32 item) const { return counts() ? std::max(0, need_[item]) : 1; }
    i32 room(u32 item) const { return counts() ? room_[item] : 1; }
    // Whether an item of the option just chosen may be covered again.
    bool again(u32 item) const { return counts() && room_[item] > 0; }
    bool once(u32 item) const { return !counts() || (need_[item] == 1 && room_[item] == 1); }

    // Choose an option after the first `depth` ones; later ones are taken back before.
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

    // Look for the `number` cheapest solutions that cost less than `ceiling`; 0 for all solutions, without regard to
    // costs.
    void look_for(std::size_t number, i64 ceiling) {
        back(0);
        best_.clear();
        number_ = number;
        ceiling_ = ceiling;
    }

    bool costs() const { return number_ != 0; }

    // What is chosen from here on must cost less than this.
    i64 left() const {
        return (best_.size() < number_ ? ceiling_ : best_.back().cost) - spent_;
    }

    // Options from this one on are too expensive.
    [[gnu::always_inline]] u32 affordable() const {
        return count_below(problem_.cost.data(), problem_.cost.size(), left());
    }

    // Keep a solution if it is cheaper than the most expensive one kept.
    void offer(const u32 *chosen, u32 depth) {
        if (left() <= 0) return;
        if (best_.size() == number_) best_.pop_back();
        const auto place = std::upper_bound(best_.begin(), best_.end(), spent_,
                                            [](i64 cost, const Solution &one) { return cost < one.cost; });
        best_.insert(place, {spent_, List<u32>(chosen, chosen + depth)});
    }

    template <typename Use>
    void cheapest(Use use) const {
        for (const Solution &one : best_) use(one.options);
    }

private:
    struct Solution {
        i64 cost;
        List<u32> options;
    };

    void book(u32 option, i32 sign) {
        if (costs()) spent_ -= sign * problem_.cost[option];
        if (!counts()) return;
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1] && problem_.entry[e] < problem_.primary;
             ++e) {
            need_[problem_.entry[e]] += sign;
            room_[problem_.entry[e]] += sign;
        }
    }

    const Problem &problem_;
    List<i32> need_, room_;
    List<u32> chosen_;
    List<Solution> best_;  // in ascending order of cost
    std::size_t number_ = 0;
    i64 ceiling_ = std::numeric_limits<i64>::max();
    i64 spent_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
