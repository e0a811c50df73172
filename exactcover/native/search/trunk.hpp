// The top of the tree of a problem too large for bit vectors: sparse sets, known as dancing cells.
//
// Every item has an array of its entries, the live ones in front. Removing swaps an entry behind the
// live ones; undoing moves the border back, so only sizes have to be remembered.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "search/heuristic.hpp"
#include "search/ledger.hpp"

namespace exactcover::EXACTCOVER_ISA {

class Trunk {
public:
    // A point to return to.
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
        for (u32 option = 0; option < problem.options; ++option) {
            if (option % kPollEvery == 0) poll();
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
    u32 branching(const Choice &choice) const {
        u32 best = open_[0];
        for (u32 k = 1; k < open_count_; ++k)
            if (key(open_[k], choice) < key(best, choice)) best = open_[k];
        return best;
    }

    // How many choices an item leaves.
    u32 degree(u32 item) const { return static_cast<u32>(std::max(0, static_cast<i32>(size_[item]) - ledger_.need(item) + 1)); }

    // Add the live options of an item, in an order that does not depend on what was done before.
    void options(u32 item, std::vector<u32> &to) const {
        const std::size_t before = to.size();
        for (u32 k = 0; k < size_[item]; ++k) to.push_back(owner_[set_[begin_[item] + k]]);
        std::sort(to.begin() + static_cast<std::ptrdiff_t>(before), to.end());
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

    // Give up an open item without options.
    void give_up(u32 item) { close(item, item + 1); }

    // Remove an option.
    void leave_out(u32 option) {
        if (possible(option)) remove(option);
    }

    void choose(u32 option) {
        if (ledger_.counts()) leave_out(option);  // not all of its items are closed
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

    // What is left: live options and open primary items, ascending.
    void rest(std::vector<u32> &options, std::vector<u32> &open) {
        open.assign(open_.begin(), open_.begin() + open_count_);
        std::sort(open.begin(), open.end());
        options.clear();
        for (u32 item : open)
            for (u32 k = 0; k < size_[item]; ++k) {
                const u32 e = set_[begin_[item] + k];
                // Once for each option: at the first of its primary items.
                if (problem_.start[owner_[e]] == e) options.push_back(owner_[e]);
            }
        std::sort(options.begin(), options.end());
    }

    std::size_t bytes() const {
        return (begin_.size() + size_.size() + set_.size() + where_.size() + owner_.size() + open_.size() * 2 +
                closed_.size() + sizes_.capacity() + closings_.capacity()) *
               sizeof(u32);
    }

private:
    std::tuple<bool, u32, u32, u32> key(u32 item, const Choice &choice) const {
        if (choice.leftmost()) return {false, 0, 0, item};
        const u32 choices = degree(item);
        return {choices > 1 && preferred_[item] == 0, choices, choice.penalty(item), item};
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
    std::vector<u8> preferred_;  // for each primary item
    std::vector<u32> begin_, size_, set_, where_, owner_;
    std::vector<u32> open_, position_;
    u32 open_count_ = 0;
    std::vector<u32> closed_;  // for each item: 0 while open, else 1 + the column it was closed by
    std::vector<u32> sizes_, closings_;
    u32 live_ = 0;
};

}  // namespace exactcover::EXACTCOVER_ISA
