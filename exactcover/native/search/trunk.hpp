// The top of the tree of a problem that is too large for bit vectors: sparse sets, as in dancing cells.
//
// Every item has an array of its entries, the live ones in front. Removing an entry swaps it behind the live ones;
// undoing moves the border back, so only sizes have to be remembered. A tree over the items, each node the better of two
// below, leads to the item to branch on; only items that have changed are looked at. So a node takes as long as what
// was chosen and undone touches, however large the problem is.
//
// Reference: D. E. Knuth, "Dancing cells", The Art of Computer Programming, pre-fascicle 7A, section 7.2.2.3.
#pragma once

#include <algorithm>
#include <span>

#include "base/list.hpp"
#include "base/meter.hpp"
#include "base/multiplicity.hpp"
#include "search/heuristic.hpp"
#include "search/ledger.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Trunk {
public:
    // A state to return to.
    struct Mark {
        std::size_t sizes;
        std::size_t closed;
        u32 live;
    };

    Trunk(const Problem &problem, const Ledger &ledger, const BranchingRule &rule, const Poll &poll)
        : problem_(problem), ledger_(ledger), rule_(rule), items_(problem.columns) {
        const std::size_t total = problem.entry.size();
        set_.resize(total);
        where_.resize(total);
        owner_.resize(total);
        Meter meter(poll);
        item_.resize(total);
        for (u32 column : problem.entry) ++items_[problem.whole[column]].size;
        u32 begin = 0;
        for (Item &item : items_) {
            item.begin = begin;
            begin += item.size;
            item.size = 0;
        }
        for (u32 option = 0; option < problem.options; ++option) {
            meter.spend(1 + problem.start[option + 1] - problem.start[option]);
            for (u32 e = problem.start[option]; e < problem.start[option + 1]; ++e) {
                Item &item = items_[item_[e] = problem.whole[problem.entry[e]]];
                owner_[e] = option;
                where_[e] = item.size++;
                set_[item.begin + where_[e]] = e;
            }
        }
        open_.resize(problem.primary);
        for (u32 item = 0; item < problem.primary; ++item) open_[item] = item;
        position_ = open_;
        open_count_ = problem.primary;
        live_ = problem.options;
        for (u32 item : problem.preferred) items_[item].preferred = true;
        while (leaves_ < problem.primary) leaves_ *= 2;
        best_.assign(2 * leaves_, kClosed);
    }

    // Take up a heuristic that has just been chosen.
    void use_rule() {
        for (Item &item : items_) item.changed = true;
        changed_.clear();
        for (u32 item = 0; item < problem_.primary; ++item) {
            items_[item].changed = false;
            best_[leaves_ + item] = key(item);
        }
        for (std::size_t k = leaves_; --k > 0;) best_[k] = std::min(best_[2 * k], best_[2 * k + 1]);
    }

    u32 live() const { return live_; }
    u32 open() const { return open_count_; }
    Mark mark() const { return {sizes_.size(), closings_.size(), live_}; }

    void undo(Mark mark) {
        for (; sizes_.size() > mark.sizes; sizes_.pop_back()) {
            ++items_[sizes_.back()].size;
            note(sizes_.back());
        }
        while (closings_.size() > mark.closed) {
            const u32 item = closings_.back();
            closings_.pop_back();
            items_[item].closed = 0;
            note(item);
            if (item < problem_.primary) ++open_count_;  // it stands just behind the open ones
        }
        live_ = mark.live;
    }

    // The open item to branch on.
    u32 branching() {
        for (u32 item : changed_) {
            items_[item].changed = false;
            improve(leaves_ + item, key(item));
        }
        changed_.clear();
        std::size_t k = 1;
        while (k < leaves_) k = 2 * k + (best_[2 * k] != best_[k]);
        return static_cast<u32>(k - leaves_);
    }

    // How many choices an item leaves.
    u32 degree(u32 item) const { return choices(items_[item].size, ledger_.need(item)); }

    // Add the live options of an item, in ascending order.
    void options(u32 item, List<u32> &to) const {
        const std::size_t before = to.size();
        for (u32 e : entries(item)) to.push_back(owner_[e]);
        sort(to, before);
    }

    // Whether an option can still be chosen: all its items are open, or closed with its color.
    bool possible(u32 option) const {
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const Item &item = items_[item_[e]];
            if (item.closed == 0 ? where_[e] >= item.size
                                 : problem_.colored[problem_.entry[e]] == 0 || item.closed != problem_.entry[e] + 1)
                return false;
        }
        return true;
    }

    // Close an item and remove all its options.
    void cover(u32 item) {
        close(item, item + 1);
        for (u32 e : entries(item)) remove(owner_[e]);
    }

    // Close an open item without covering it.
    void give_up(u32 item) { close(item, item + 1); }

    // Remove an option.
    void leave_out(u32 option) {
        if (possible(option)) remove(option);
    }

    void choose(u32 option) {
        if (ledger_.counts()) leave_out(option);  // some of its items may stay open
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 column = problem_.entry[e];
            const u32 item = item_[e];
            if (items_[item].closed != 0 || (item < problem_.primary && ledger_.again(item))) continue;
            if (!problem_.colored[column]) {
                cover(item);
                continue;
            }
            close(item, column + 1);
            for (u32 other : entries(item))
                if (problem_.entry[other] != column) remove(owner_[other]);
        }
    }

    // The subproblem that is left: live options and open primary items, ascending.
    void residual(List<u32> &options, List<u32> &open) {
        open.assign(open_.begin(), open_.begin() + open_count_);
        sort(open);
        options.clear();
        for (u32 item : open)
            for (u32 e : entries(item)) {
                // Take each option once: at the first of its primary items.
                if (problem_.start[owner_[e]] == e) options.push_back(owner_[e]);
            }
        sort(options);
    }

    std::size_t bytes() const {
        return (4 * set_.size() + 2 * open_.size() + sizes_.capacity() + closings_.capacity() + changed_.capacity()) *
                   sizeof(u32) +
               items_.size() * sizeof(Item) + best_.size() * sizeof(u64);
    }

private:
    struct Item {
        u32 begin = 0, size = 0;  // of its live entries
        u32 closed = 0;           // 0 while open, else 1 + the column it was closed by
        bool preferred = false;
        bool changed = true;  // since it was last looked at; always true of a secondary item, which is never looked at
    };

    // The live entries of an item.
    std::span<const u32> entries(u32 item) const { return {set_.data() + items_[item].begin, items_[item].size}; }

    static constexpr u64 kClosed = ~u64{0};

    // What makes an item better to branch on: the lower, the better; ties go to the first item. Dead items come before
    // all others, and the preferred ones before those with several choices.
    u64 key(u32 item) const {
        if (items_[item].closed != 0) return kClosed;
        const u64 choices = degree(item);
        if (rule_.leftmost()) return choices != 0;
        const u64 deferred = choices > 1 && !items_[item].preferred;
        return deferred << 63 | choices * kMaxRanked | rule_.penalty(item);
    }

    // Change a place of the tree and those above it.
    void improve(std::size_t k, u64 key) {
        while (best_[k] != key) {
            best_[k] = key;
            if (k == 1) return;
            key = std::min(key, best_[k ^ 1]);
            k /= 2;
        }
    }

    void note(u32 item) {
        if (items_[item].changed) return;
        items_[item].changed = true;
        changed_.push_back(item);
    }

    void close(u32 item, u32 how) {
        items_[item].closed = how;
        note(item);
        closings_.push_back(item);
        if (item >= problem_.primary) return;
        const u32 last = open_[--open_count_];
        std::swap(open_[position_[item]], open_[open_count_]);
        std::swap(position_[item], position_[last]);
    }

    // Remove an option from the sets of its open items.
    void remove(u32 option) {
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            Item &item = items_[item_[e]];
            if (item.closed != 0) continue;
            u32 *set = set_.data() + item.begin;
            const u32 border = --item.size;
            const u32 last = set[border];
            set[where_[e]] = last;
            set[border] = e;
            where_[last] = where_[e];
            where_[e] = border;
            sizes_.push_back(item_[e]);
            note(item_[e]);
        }
        --live_;
    }

    const Problem &problem_;
    const Ledger &ledger_;
    const BranchingRule &rule_;
    List<Item> items_;                          // primary and secondary ones
    List<u32> set_, where_, owner_, item_;      // of each entry: the arrays of items, its place there, its option and item
    List<u32> open_, position_;
    u32 open_count_ = 0;
    List<u32> sizes_, closings_;
    u32 live_ = 0;
    std::size_t leaves_ = 1;  // of the tree, at least one for each primary item
    List<u64> best_;          // the tree: the keys of items from place `leaves_` on, the better of places 2k and 2k + 1 at k
    List<u32> changed_;       // items the keys of which are out of date
};

}  // namespace exactcover::inline EXACTCOVER_ISA
