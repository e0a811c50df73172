// What follows from choosing an option, or from leaving it out: an item with no more options than it needs forces these,
// and so on, until an item has too few, a rule about a graph is broken, or nothing more follows.
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

    // Try the options in turn, from where the last call has ended, for about so much work: remove those that are
    // refuted, and choose those whose absence is. Only these items matter.
    void decide(const std::vector<u32> &items, u64 work, const Poll &poll);

    // Whether all options were tried since the last one was removed or chosen.
    bool is_stable() const { return is_dead_ || survived_ >= live_; }

    // The options that may still be chosen; none if an item has too few.
    std::vector<u32> options() const;

    // The options that are chosen; none if an item has too few.
    std::vector<u32> chosen() const { return is_dead_ ? std::vector<u32>{} : chosen_; }

    // The number of options tried in this position, repeats included; and of those that were removed or chosen.
    u64 tried() const { return tried_; }
    u64 decided() const { return options_.size() - live_; }

    // The work of all trials, in holders and items that were looked at.
    u64 work() const { return total_; }

    // Items by which an option is still refuted; each of `order` is left out if the others suffice.
    std::vector<u32> shrink(u32 option, std::vector<u32> items, const std::vector<u32> &order, const Poll &poll);

private:
    struct Holder {
        u32 option, times, color;
    };

    std::optional<Refutation> try_option(u32 option, bool is_present = true);
    std::optional<Refutation> refute(u32 option, bool is_present);
    void rank(const std::vector<u32> &items);
    void try_next();
    void keep();
    void choose(u32 option);
    void check_rules() const;
    void kill(u32 option);
    void undo();
    void forget();  // what the present trial has killed and touched

    std::vector<std::vector<Entry>> rows_;
    std::vector<std::vector<Holder>> holders_;  // of each item, ascending
    std::vector<u32> low_, high_, most_;        // of each item; the most times that an option covers it
    std::vector<GraphRule> rules_;
    RuleCheck check_;
    std::vector<u32> options_;          // that could be chosen when the position was entered
    std::vector<u8> alive_;             // of each option
    std::vector<u32> left_, used_;      // how often options left or chosen, and chosen ones, cover each item
    std::vector<u32> chosen_;           // first those of the position
    std::vector<u32> killed_;           // by the present trial
    std::size_t base_ = 0;              // the number of options that the position chooses
    std::vector<u32> rank_;             // of each item that matters; else kNone
    std::vector<u32> touched_;          // items that matter and have lost an option
    std::vector<u8> possible_, waits_;  // of each option of the rules; of each item: whether it is among the touched ones
    u64 work_ = 0, total_ = 0, tried_ = 0;
    bool is_dead_ = false;                 // whether an item has too few options left
    std::size_t live_ = 0;                 // the number of options left
    std::size_t next_ = 0, stride_ = 1;    // the place of the option tried last, and the way to the next one
    std::size_t survived_ = 0;             // how many were tried since something changed
};

}  // namespace exactcover
