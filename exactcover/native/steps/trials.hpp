// What follows from choosing an option: an item with no more options than it needs forces these, and so on, until an item
// has too few, a rule about a graph is broken, or nothing more follows.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/rule_check.hpp"
#include "base/types.hpp"

namespace exactcover {

class Trials {
public:
    // An option covers an item so many times, in a color or, with 0, in none.
    struct Entry {
        u32 item, times, color;
    };

    // How an option leads to a contradiction.
    struct Refutation {
        u32 option, waves;
        std::vector<std::pair<u32, u32>> taken;  // options, each with the item that forces it; kNone for the first one
        u32 item;                                // that has too few options; kNone if a rule is broken
    };

    // Throws std::invalid_argument if numbers do not fit together.
    Trials(std::vector<std::vector<Entry>> rows, std::vector<u32> low, std::vector<u32> high,
           std::vector<GraphRule> rules);

    // Go to a position: the options that may still be chosen, and those that are, each ascending.
    void enter(std::vector<u32> alive, std::vector<u32> chosen);

    // Whether no rule is broken in the position.
    bool rules_hold();

    // The refutations of some options that may be chosen, in order. Only these items matter; of those that are short at
    // the same time, the first one counts.
    std::vector<Refutation> refute(const std::vector<u32> &items, const std::vector<u32> &options, const Poll &poll);

    // Try the options in turn, from where the last call has ended, and remove those that are refuted, for about so much
    // work. Only these items matter. If one of them has too few options left, all options are removed.
    void eliminate(const std::vector<u32> &items, u64 work, const Poll &poll);

    // Whether all options were tried since the last one was removed.
    bool is_stable() const { return survived_ >= live_; }

    // The options that may still be chosen.
    std::vector<u32> options() const;

    // The work of all trials, in holders and items that were looked at.
    u64 work() const { return total_; }

    // Items by which an option is still refuted; each of `order` is left out if the others suffice.
    std::vector<u32> shrink(u32 option, std::vector<u32> items, const std::vector<u32> &order, const Poll &poll);

private:
    struct Holder {
        u32 option, times, color;
    };

    std::optional<Refutation> try_option(u32 option);
    std::optional<Refutation> refute(u32 option);
    void rank(const std::vector<u32> &items);
    void drop_removed();
    void remove(u32 option);
    void choose(u32 option);
    void check_rules() const;
    void kill(u32 option);
    void undo();

    std::vector<std::vector<Entry>> rows_;
    std::vector<std::vector<Holder>> holders_;  // of each item, ascending
    std::vector<u32> low_, high_, most_;        // of each item; the most times that an option covers it
    std::vector<GraphRule> rules_;
    RuleCheck check_;
    std::vector<u32> options_;          // that may be chosen in the position
    std::vector<u8> alive_;             // of each option
    std::vector<u32> left_, used_;      // how often options left or chosen, and chosen ones, cover each item
    std::vector<u32> chosen_;           // first those of the position
    std::vector<u32> killed_;           // by the present trial
    std::size_t base_ = 0;              // the number of options that the position chooses
    std::vector<u32> rank_;             // of each item that matters; else kNone
    std::vector<u32> touched_;          // items that matter and have lost an option
    std::vector<u8> possible_, waits_;  // of each option of the rules; of each item: whether it is among the touched ones
    u64 work_ = 0, total_ = 0;
    std::size_t live_ = 0;                 // the number of options left; 0 if an item has too few
    std::size_t next_ = 0, survived_ = 0;  // the option to try next, and how many were tried since one was removed
};

}  // namespace exactcover
