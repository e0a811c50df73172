// A subproblem of at most 64 options and 64 open items: every vector is one word.
//
// It is made from a block: the live options are moved together, and so are the open columns. What an option excludes by
// its secondary items is worked out when the option is first chosen; in a brief leaf, so is all that it excludes.
#pragma once

#include <algorithm>
#include <utility>

#include "base/multiplicity.hpp"
#include "search/block.hpp"
#include "search/explored.hpp"
#include "search/force.hpp"
#include "search/leaf_batch.hpp"
#include "search/results.hpp"
#include "search/scan.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Leaf {
public:
    static constexpr u32 kMax = 64;

    Leaf(const Problem &problem, const Blocks &blocks, BranchingRule &rule, const Ledger &ledger)
        : problem_(problem), blocks_(blocks), rule_(rule), ledger_(ledger), place_(problem.primary) {}

    bool empty() const { return height_ == 0 && batch_.empty(); }
    u32 depth() const { return node_[0].depth; }
    void drop() {
        height_ = 0;
        batch_.drop();
    }
    std::size_t bytes() const { return sizeof *this + batch_.bytes() + place_.size(); }

    // Begin with the live options and open columns of a block, after `depth` choices; branch on its `column`. About
    // `expected` nodes will follow.
    void begin(const Block &from, const u64 *live, const u64 *open, u32 column, u32 depth, u64 expected) {
        from_ = &from;
        parts_ = 0;
        taken_ = 0;
        u32 options = 0;
        for (u32 w = 0; w < from.words; ++w) {
            if (live[w] == 0) continue;
            Part &part = part_[parts_++];  // written in place, as nodes are
            part.live.set(live[w]);
            part.word = w;
            part.offset = options;
            compress(from.option + std::size_t{w} * 64, live[w], option_ + options);
            options += popcount(live[w]);
        }
        u32 items = 0;
        u32 branch = 0;
        u32 source[kMax];
        for (u32 w = 0; w < from.open_words(); ++w)
            for (u32 place : ones_of(open[w])) {
                const u32 c = w * 64 + place;
                source[items] = c;
                rank_[items] = blocks_.rank(from.column[c], items);
                column_[items] = from.column[c];
                place_[from.column[c]] = static_cast<u8>(items);
                if (c == column) branch = items;
                ++items;
            }
        std::fill_n(data_, items, u64{0});
        for (u32 k = 0; k < parts_; ++k)
            part_[k].live.append(from.primary() + std::size_t{part_[k].word} * from.stride, source, items,
                                 part_[k].offset, data_, nullptr);
        groups_ = (items + 7) / 8;
        read_multiplicities(items);
        brief_ = expected < kFewNodes && several_ == 0;
        by_options_ = !kScansTogether && !brief_;
        fill_exclusions(options, items);
        lasting_ = expected >= kManyNodes && !multiple_;
        local_ = false;
        if (multiple_)
            set_node<true>(node_[0], branch, low_bits(options), low_bits(items), depth);
        else
            set_node<false>(node_[0], branch, low_bits(options), low_bits(items), depth);
        height_ = 1;
    }

    // Search until the leaf is exhausted, the work is used up, or `found` holds `most` solutions; count only, if
    // Counting.
    template <bool Counting>
    void run(i64 &work, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        if (multiple_) return descend<Counting, true>(work, chosen, counters, found, most);
        if (Counting && LeafBatch::kPossible && !rule_.leftmost() && !brief_) return run_batch(work, counters);
        if (lasting_) local_ = find_touched();
        lasting_ = false;
        if (local_) return descend<Counting, false, true>(work, chosen, counters, found, most);
        descend<Counting, false>(work, chosen, counters, found, most);
    }

    // Add what is to be tried at the root of a leaf just begun.
    void root(Root &root) const {
        for (u32 bit : ones_of(node_[0].rest)) root.add_next(option_[bit]);
        root.none = node_[0].none != 0;
    }

    // Keep a random child of the newest node only; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!batch_.empty()) return batch_.narrow(chance);
        if (height_ == 0) return 0;
        Node &node = node_[height_ - 1];
        const u32 children = popcount(node.rest) + (node.none != 0);
        if (children == 0) return 0;
        const u64 kept = nth_bit(node.rest, chance.below(children));
        if (multiple_) node.live &= ~(node.rest & (kept - 1));  // those before are left out
        node.rest = kept;
        if (kept != 0) node.none = 0;
        return children;
    }

    void explored(Explored &explored) const {
        for (u32 k = 0; batch_.empty() && k < height_; ++k)
            explored.descend(node_[k].degree, popcount(node_[k].rest) + (node_[k].none != 0));
    }

private:
    static constexpr u64 kFewNodes = 24, kManyNodes = 512;  // with more, what helps at each node may take some time
    static constexpr u32 kPlaces = 8;  // columns that are moved together

    struct Node {
        u64 rest, live, open;
        u32 depth, degree;
        u64 none;   // the column whose options are all left out in a last child; 0 if there is no such child
        u32 taken;  // the size of path_ here
    };
    struct Part {  // a word of the block with live options, and where they begin in the leaf
        Compaction live;
        u32 word, offset;
    };

    // Count the solutions below the children of all nodes, many at a time.
    void run_batch(i64 &work, Counters &counters) {
        const u64 nodes = counters.nodes;
        const Effects effects{data_, excluded_, covered_, problem_.fewest_items};
        for (; batch_.empty() && height_ > 0; --height_) {
            const Node &node = node_[height_ - 1];
            for (u32 bit : ones_of(node.rest)) {
                complete_exclusions(bit);
                batch_.add(node.live & ~excluded_[bit], node.open & ~covered_[bit], effects, counters);
            }
        }
        batch_.run(effects, [this](u32 bit) { complete_exclusions(bit); }, work, counters);
        counters.updates += counters.nodes - nodes;
    }

    // Note how often columns must and may be covered; multiple_ if that is not exactly once for all of them.
    void read_multiplicities(u32 items) {
        multiple_ = false;
        several_ = preferred_ = 0;
        if (ledger_.counts())
            for (u32 c = 0; c < items; ++c) {
                multiple_ = multiple_ || !ledger_.once(column_[c]);
                extra_[c] = ledger_.need(column_[c]) - 1;
                room_[c] = ledger_.room(column_[c]);
                if (room_[c] > 1) several_ |= u64{1} << c;
            }
        for (u32 item : problem_.preferred)
            for (u32 c = 0; c < items; ++c) preferred_ |= u64{column_[c] == item} << c;
    }

    // Let a node branch on a column. It is written in place: a copy would be read by vectors just after its words are
    // written, and wait for them.
    template <bool Multiple>
    void set_node(Node &node, u32 column, u64 live, u64 open, u32 depth) const {
        node.rest = live & data_[column];
        node.live = live;
        node.open = open;
        node.depth = depth;
        node.degree = popcount(node.rest);
        node.none = 0;
        node.taken = taken_;
        if (!Multiple) return;
        node.degree -= static_cast<u32>(extra_[column]);
        if (extra_[column] < 0) node.none = u64{1} << column;
        drop_last(&node.rest, 1, extra_[column]);
    }

    // Take back all but the first `taken` options of path_.
    void back(u32 taken) {
        for (; taken_ > taken; --taken_)
            for (u32 c : ones_of(held_[path_[taken_ - 1]])) {
                ++need_[c];
                ++room_[c];
                extra_[c] = std::max(0, need_[c]) - 1;
            }
    }

    // Depth first, one node at a time. If Local, only columns that a choice touches are looked at; no other has changed.
    template <bool Counting, bool Multiple, bool Local = false>
    void descend(i64 &work_left, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        Node *top = node_ + height_ - 1;
        u64 nodes = 0, solutions = 0;
        i64 work = work_left;
        for (;;) {
            if (top->rest == 0 && (!Multiple || top->none == 0)) {
                if (top-- == node_) break;
                continue;
            }
            if (work-- <= 0 || (!Counting && found->end.size() >= most)) break;
            u64 live = top->live, open = top->open, two = Local ? two_[top - node_] : 0;
            u64 touched = top == node_ ? ~u64{0} : 0;
            u32 depth = top->depth;
            if (Multiple) back(top->taken);
            if (Multiple && top->rest == 0) {
                open &= ~top->none;
                top->none = 0;
            } else {
                const u32 bit = lowest(top->rest);
                top->rest = without_lowest(top->rest);
                if (Multiple) top->live &= ~(u64{1} << bit);  // the next children leave it out
                choose<Counting, Multiple, Local>(bit, live, open, touched, depth, chosen);
            }
            for (;;) {
                ++nodes;
                if (Counting && !Multiple) {
                    if (without_lowest(without_lowest(open)) == 0) {
                        solutions += covers<Local>(live, open);
                        break;
                    }
                } else if (open == 0) {
                    ++solutions;
                    if (!Counting) found->add(chosen, depth);
                    break;
                }
                const Scan scan = Multiple                 ? scan_word(data_, extra_, groups_, open, live)
                                  : Local || !by_options_ ? scan_word(data_, groups_, Local ? open & touched : open, live)
                                                          : scan_options(covered_, open, live);
                if (scan.none != 0) {
                    failed(lowest(scan.none));
                    break;
                }
                two = Local ? (two & ~touched) | scan.two : scan.two;
                if (scan.one != 0 && !rule_.leftmost()) {
                    touched = 0;
                    if (!force<Counting, Multiple, Local>(scan.one, live, open, touched, depth, chosen, nodes)) break;
                    continue;
                }
                if (Local) two &= open;
                set_node<Multiple>(*++top, branching(two, live, open), live, open, depth);
                if (Local) two_[top - node_] = two;
                break;
            }
        }
        work_left = work;
        counters.nodes += nodes;
        counters.updates += nodes;
        counters.solutions += solutions;
        height_ = static_cast<u32>(top + 1 - node_);
    }

    // The union of these columns of the block, as a word.
    u64 squeezed(const u32 *places, u32 number) const {
        u64 word = 0;
        for (u32 k = 0; k < parts_; ++k) {
            const u64 *column = from_->data + std::size_t{part_[k].word} * from_->stride;
            u64 together = column[places[0]];
            for (u32 n = 1; n < number; ++n) together |= column[places[n]];
            word |= part_[k].live(together) << part_[k].offset;
        }
        return word;
    }

    // The number of solutions, if at most two items are open.
    template <bool Local>
    [[gnu::always_inline]] u64 covers(u64 live, u64 open) {
        if (open == 0) return 1;
        const u64 one = live & data_[lowest(open)];
        if (problem_.fewest_items > 1) return popcount(one);  // one option covers all
        open = without_lowest(open);
        if (open == 0) return popcount(one);
        const u64 other = live & data_[lowest(open)];
        u64 number = popcount(one & other);
        const u64 partners = other & ~one;
        if (partners == 0) return number;
        for (u32 bit : ones_of(one & ~other)) {
            if (!Local) complete_exclusions(bit);
            number += popcount(partners & ~excluded_[bit]);
        }
        return number;
    }

    // Make the forced moves that a scan has found; returns false if they exclude each other.
    template <bool Counting, bool Multiple, bool Local>
    bool force(u64 forced, u64 &live, u64 &open, u64 &touched, u32 &depth, u32 *chosen, u64 &nodes) {
        const auto next = [&] {  // the same column again if it needs more than one option
            forced &= open;
            if (forced == 0) return kNone;
            ++nodes;
            return lowest(forced);
        };
        const auto live_option = [&](u32 c) {
            const u64 options = live & data_[c];
            return options == 0 ? kNone : lowest(options);
        };
        const auto choose_bit = [&](u32, u32 bit) {
            choose<Counting, Multiple, Local>(bit, live, open, touched, depth, chosen);
        };
        const auto give_up = [&](u32 c) {
            if (!Multiple || extra_[c] >= 0) {
                failed(c);
                return false;
            }
            open &= ~(u64{1} << c);
            return true;
        };
        return make_forced_moves(lowest(forced), next, live_option, choose_bit, give_up);
    }

    void failed(u32 column) { rule_.failed(column_[column]); }

    // The column to branch on; those in `two` have two choices, and no open column has fewer.
    u32 branching(u64 two, u64 live, u64 open) const {
        if (rule_.leftmost()) return lowest(open);
        if ((open & preferred_) != 0) {
            open &= preferred_;
            two &= preferred_;
        }
        if (two != 0) return first_of(two);
        return fewest_of_word(data_, multiple_ ? extra_ : nullptr, rank_, !rule_.weighted(), groups_, open, live).column;
    }

    // The column of the lowest rank; without weights that is the first.
    u32 first_of(u64 columns) const {
        u32 best = lowest(columns);
        if (!rule_.weighted()) return best;
        for (u32 c : ones_of(without_lowest(columns)))
            if (rank_[c] < rank_[best]) best = c;
        return best;
    }

    template <bool Counting, bool Multiple, bool Local>
    void choose(u32 bit, u64 &live, u64 &open, u64 &touched, u32 &depth, u32 *chosen) {
        if (!Local) complete_exclusions(bit);
        live &= ~excluded_[bit];
        open &= ~covered_[bit];
        if (Multiple && several_ != 0) {
            path_[taken_++] = static_cast<u8>(bit);
            for (u32 c : ones_of(held_[bit])) {
                extra_[c] = std::max(0, --need_[c]) - 1;
                if (--room_[c] > 0) continue;
                live &= ~data_[c];
                open &= ~(u64{1} << c);
            }
        }
        if (Local) touched |= touched_[bit];
        if (!Counting) chosen[depth] = option_[bit];
        ++depth;
    }

    // Find the columns that lose options when an option is chosen; return whether these are few.
    bool find_touched() {
        const u32 options = popcount(node_[0].live), items = popcount(node_[0].open);
        u32 total = 0;
        for (u32 bit = 0; bit < options; ++bit) {
            complete_exclusions(bit);
            touched_[bit] = 0;
            for (u32 other : ones_of(excluded_[bit])) touched_[bit] |= covered_[other];
            total += popcount(touched_[bit]);
            if (2 * total > (bit + 8) * items) return false;  // more than half of them, by the first ones
        }
        return true;
    }

    // Note what options exclude and cover by their primary items, unless the leaf is brief. An option that may exclude more
    // does not exclude itself until complete_exclusions.
    void fill_exclusions(u32 options, u32 items) {
        if (brief_) {
            std::fill_n(excluded_, options, u64{0});
            std::fill_n(covered_, options, u64{0});
            return;
        }
        if (several_ == 0) {
            options_with(data_, items, options, excluded_, covered_);
        } else {
            alignas(64) u64 exclusive[kMax];
            for (u32 c = 0; c < items; ++c) exclusive[c] = (several_ >> c & 1) != 0 ? 0 : data_[c];
            options_with(exclusive, items, options, excluded_, covered_);
            for (u32 bit = 0; bit < options; ++bit) {
                held_[bit] = 0;
                excluded_[bit] |= u64{1} << bit;
            }
            for (u32 c : ones_of(several_)) {
                need_[c] = extra_[c] + 1;
                for (u32 bit : ones_of(data_[c])) held_[bit] |= u64{1} << c;
            }
        }
        for (u32 bit = 0; from_->excluding != 0 && bit < options; ++bit) excluded_[bit] &= ~(u64{1} << bit);
    }

    // Note what else an option covers and excludes, unless that is done.
    [[gnu::always_inline]] void complete_exclusions(u32 bit) {
        if ((excluded_[bit] >> bit & 1) == 0) find_exclusions(bit);
    }

    // Apart, because it is rare: then what is done at every node stays short.
    [[gnu::noinline]] void find_exclusions(u32 bit) {
        const u32 option = option_[bit];
        u64 excluded = excluded_[bit] | u64{1} << bit, covered = covered_[bit];
        u32 places[kPlaces], number = 0;  // of columns that only exclude
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 column = problem_.entry[e];
            if (column >= problem_.primary) {
                const u32 at = blocks_.place(column);
                if (at == Block::kZero) continue;
                if (Compaction::kQuick) {
                    excluded |= squeezed(&at, 1);
                } else {
                    places[number++] = at;
                    if (number == kPlaces) excluded |= squeezed(places, std::exchange(number, 0));
                }
            } else if (brief_) {  // the column is open, because the option is live
                excluded |= data_[place_[column]];
                covered |= u64{1} << place_[column];
            }
        }
        if (number != 0) excluded |= squeezed(places, number);
        excluded_[bit] = excluded;
        covered_[bit] = covered;
    }

    const Problem &problem_;
    const Blocks &blocks_;
    BranchingRule &rule_;
    const Ledger &ledger_;
    List<u8> place_;  // of each primary column that is open here
    const Block *from_ = nullptr;
    bool multiple_ = false;  // some column has a multiplicity other than exactly once
    bool brief_ = false;
    bool by_options_ = false;  // whether nodes are scanned option by option; one flag, because each node tests it
    // Whether it is to be found out if choices touch few columns; they do, and all exclusions are complete.
    bool lasting_ = false, local_ = false;
    u32 parts_ = 0, groups_ = 0, height_ = 0, taken_ = 0;
    u64 several_ = 0;    // columns that may be covered more than once
    u64 preferred_ = 0;  // columns to branch on first
    alignas(64) u64 data_[kMax];
    alignas(64) u64 excluded_[kMax], covered_[kMax];
    u64 touched_[kMax];  // by the choice of each option
    u32 option_[kMax + kOver], column_[kMax], rank_[kMax];
    i32 extra_[kMax], need_[kMax], room_[kMax];  // of each column: as in Block and Ledger
    u64 held_[kMax];                               // of each option: its columns in several_
    u8 path_[kMax];                                // the options chosen in this leaf, if several_ is not 0
    Part part_[kMax];
    Node node_[2 * kMax + 1];  // each leaves an option out, or gives up an item
    u64 two_[2 * kMax + 1]{};  // of each node but the first, the columns with two choices, if local_
    LeafBatch batch_;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
