// The top of the tree of a problem that is too large for bit vectors: sparse sets, as in dancing cells.
//
// Every item has an array of its entries, the live ones in front. Removing an entry swaps it behind the live ones;
// undoing moves the border back, so only sizes have to be remembered.
//
// Reference: D. E. Knuth, "Dancing cells", The Art of Computer Programming, pre-fascicle 7A, section 7.2.2.3.
#pragma once

#include <algorithm>
#include <compare>

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

    Trunk(const Problem &problem, const Ledger &ledger, const Poll &poll) : problem_(problem), ledger_(ledger) {
        const u32 items = problem.columns;
        const std::size_t total = problem.entry.size();
        begin_.assign(items + 1, 0);
        for (u32 column : problem.entry) ++begin_[problem.whole[column] + 1];
        for (u32 item = 0; item < items; ++item) begin_[item + 1] += begin_[item];
        size_.assign(items, 0);
        set_.resize(total);
        where_.resize(total);
        owner_.resize(total);
        Meter meter(poll);
        for (u32 option = 0; option < problem.options; ++option) {
            meter.spend(1 + problem.start[option + 1] - problem.start[option]);
            for (u32 e = problem.start[option]; e < problem.start[option + 1]; ++e) {
                const u32 item = problem.whole[problem.entry[e]];
                owner_[e] = option;
                where_[e] = size_[item]++;
                set_[begin_[item] + where_[e]] = e;
            }
        }
        closed_.assign(items, 0);
        open_.resize(problem.primary);
        for (u32 item = 0; item < problem.primary; ++item) open_[item] = item;
        position_ = open_;
        open_count_ = problem.primary;
        live_ = problem.options;
        preferred_.assign(problem.primary, 0);
        for (u32 item : problem.preferred) preferred_[item] = 1;
    }

    u32 live() const { return live_; }
    bool covered() const { return open_count_ == 0; }
    Mark mark() const { return {sizes_.size(), closings_.size(), live_}; }

    void undo(Mark mark) {
        while (sizes_.size() > mark.sizes) {
            ++size_[sizes_.back()];
            sizes_.pop_back();
        }
        while (closings_.size() > mark.closed) {
            const u32 item = closings_.back();
            closings_.pop_back();
            closed_[item] = 0;
            if (item < problem_.primary) ++open_count_;  // it stands just behind the open ones
        }
        live_ = mark.live;
    }

    // The open item to branch on.
    u32 branching(const BranchingRule &rule) const {
        u32 best = open_[0];
        for (u32 k = 1; k < open_count_; ++k)
            if (key(open_[k], rule) < key(best, rule)) best = open_[k];
        return best;
    }

    // How many choices an item leaves.
    u32 degree(u32 item) const { return choices(size_[item], ledger_.need(item)); }

    // Add the live options of an item, in ascending order.
    void options(u32 item, List<u32> &to) const {
        const std::size_t before = to.size();
        for (u32 k = 0; k < size_[item]; ++k) to.push_back(owner_[set_[begin_[item] + k]]);
        sort(to, before);
    }

    // Whether an option can still be chosen: all its items are open, or closed with its color.
    bool possible(u32 option) const {
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 item = problem_.whole[problem_.entry[e]];
            if (closed_[item] == 0 ? where_[e] >= size_[item]
                                   : problem_.colored[problem_.entry[e]] == 0 || closed_[item] != problem_.entry[e] + 1)
                return false;
        }
        return true;
    }

    // Close an item and remove all its options.
    void cover(u32 item) {
        close(item, item + 1);
        for (u32 k = 0; k < size_[item]; ++k) remove(owner_[set_[begin_[item] + k]]);
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
            const u32 item = problem_.whole[column];
            if (closed_[item] != 0 || (item < problem_.primary && ledger_.again(item))) continue;
            if (!problem_.colored[column]) {
                cover(item);
                continue;
            }
            close(item, column + 1);
            for (u32 k = 0; k < size_[item]; ++k) {
                const u32 other = set_[begin_[item] + k];
                if (problem_.entry[other] != column) remove(owner_[other]);
            }
        }
    }

    // The subproblem that is left: live options and open primary items, ascending.
    void residual(List<u32> &options, List<u32> &open) {
        open.assign(open_.begin(), open_.begin() + open_count_);
        sort(open);
        options.clear();
        for (u32 item : open)
            for (u32 k = 0; k < size_[item]; ++k) {
                const u32 e = set_[begin_[item] + k];
                // Take each option once: at the first of its primary items.
                if (problem_.start[owner_[e]] == e) options.push_back(owner_[e]);
            }
        sort(options);
    }

    std::size_t bytes() const {
        return (begin_.size() + size_.size() + set_.size() + where_.size() + owner_.size() + open_.size() * 2 +
                closed_.size() + sizes_.capacity() + closings_.capacity()) *
               sizeof(u32);
    }

private:
    // What makes an item better to branch on: the lower, the better.
    struct Key {
        bool deferred;
        u32 choices, penalty, item;
        auto operator<=>(const Key &) const = default;
    };

    Key key(u32 item, const BranchingRule &rule) const {
        if (rule.leftmost()) return {false, 0, 0, item};
        const u32 choices = degree(item);
        return {choices > 1 && preferred_[item] == 0, choices, rule.penalty(item), item};
    }

    void close(u32 item, u32 how) {
        closed_[item] = how;
        closings_.push_back(item);
        if (item >= problem_.primary) return;
        const u32 last = open_[--open_count_];
        std::swap(open_[position_[item]], open_[open_count_]);
        std::swap(position_[item], position_[last]);
    }

    // Remove an option from the sets of its open items.
    void remove(u32 option) {
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 item = problem_.whole[problem_.entry[e]];
            if (closed_[item] != 0) continue;
            u32 *set = set_.data() + begin_[item];
            const u32 border = --size_[item];
            const u32 last = set[border];
            set[where_[e]] = last;
            set[border] = e;
            where_[last] = where_[e];
            where_[e] = border;
            sizes_.push_back(item);
        }
        --live_;
    }

    const Problem &problem_;
    const Ledger &ledger_;
    List<u8> preferred_;  // for each primary item
    List<u32> begin_, size_, set_, where_, owner_;
    List<u32> open_, position_;
    u32 open_count_ = 0;
    List<u32> closed_;  // for each item: 0 while open, else 1 + the column it was closed by
    List<u32> sizes_, closings_;
    u32 live_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
