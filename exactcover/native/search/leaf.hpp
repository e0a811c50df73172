// A subproblem of at most 64 options and 64 open items: every vector is one word.
//
// The live options of the block it is made from are moved together, and so are its open columns; what an
// option excludes by secondary items is worked out when it is first chosen.
#pragma once

#include "search/block.hpp"
#include "search/leaf_batch.hpp"
#include "search/search.hpp"

namespace exactcover::EXACTCOVER_ISA {

class Leaf {
public:
    static constexpr u32 kMost = 64;

    Leaf(const Problem &problem, const Blocks &blocks, Choice &choice, const Ledger &ledger)
        : problem_(problem), blocks_(blocks), choice_(choice), ledger_(ledger) {}

    bool empty() const { return height_ == 0 && sweep_.empty(); }
    u32 depth() const { return node_[0].depth; }
    void drop() {
        height_ = 0;
        sweep_.drop();
    }
    std::size_t bytes() const { return sizeof *this + sweep_.bytes(); }

    // Begin with the live options and open columns of a block; branch on its `column`, after `depth` choices.
    void begin(const Block &from, const u64 *live, const u64 *open, u32 column, u32 depth) {
        from_ = &from;
        parts_ = 0;
        taken_ = 0;
        u32 options = 0;
        for (u32 w = 0; w < from.words; ++w) {
            if (live[w] == 0) continue;
            part_[parts_++] = {live[w], w, options};
            compress(from.option + std::size_t{w} * 64, live[w], option_ + options);
            options += popcount(live[w]);
        }
        u32 items = 0;
        u32 branch = 0;
        for (u32 w = 0; w < from.open_words(); ++w)
            for (u64 bits = open[w]; bits != 0; bits &= bits - 1, ++items) {
                const u32 c = w * 64 + lowest(bits);
                data_[items] = squeezed(from.primary() + c);
                rank_[items] = blocks_.rank(from.column[c], items);
                column_[items] = from.column[c];
                if (c == column) branch = items;
            }
        groups_ = (items + 7) / 8;
        count(items);
        learn_primary(options, items);
        if (counted_)
            node_[0] = node<true>(branch, ones(options), ones(items), depth);
        else
            node_[0] = node<false>(branch, ones(options), ones(items), depth);
        height_ = 1;
    }

    // Search until all is visited, the work is used up, or `most` solutions are in `found`; count if Counting.
    template <bool Counting>
    void run(std::int64_t &work, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        if (counted_) return descend<Counting, true>(work, chosen, counters, found, most);
        if (Counting && Sweep::kPossible && !choice_.leftmost()) return sweep(work, counters);
        descend<Counting, false>(work, chosen, counters, found, most);
    }

    // What is to be tried next, of a leaf just begun.
    void root(Root &root) const {
        for (u64 rest = node_[0].rest; rest != 0; rest &= rest - 1) root.next.push_back(option_[lowest(rest)]);
        root.none = node_[0].none != 0;
    }

    // Leave the newest node a random one of its children; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!sweep_.empty()) return sweep_.narrow(chance);
        if (height_ == 0) return 0;
        Node &node = node_[height_ - 1];
        const u32 children = popcount(node.rest) + (node.none != 0);
        if (children == 0) return 0;
        const u64 kept = nth_bit(node.rest, chance.below(children));
        if (counted_) node.live &= ~(node.rest & (kept - 1));  // those before are out of the game
        node.rest = kept;
        if (kept != 0) node.none = 0;
        return children;
    }

    template <typename Add>
    void shares(Add add) const {
        for (u32 k = 0; sweep_.empty() && k < height_; ++k)
            add(node_[k].degree, popcount(node_[k].rest) + (node_[k].none != 0));
    }

private:
    struct Node {
        u64 rest, live, open;
        u32 depth, degree;
        u64 none;   // the column that has no more option in the last child; 0 if there is no such child
        u32 taken;  // options chosen in this leaf, as far as they are kept
    };
    struct Part {  // a word of the block with live options, and where they begin in the leaf
        u64 live;
        u32 word, offset;
    };

    static u64 ones(u32 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; }

    // Count, the children of all nodes together.
    void sweep(std::int64_t &work, Counters &counters) {
        const u64 nodes = counters.nodes;
        for (; sweep_.empty() && height_ > 0; --height_) {
            const Node &node = node_[height_ - 1];
            for (u64 rest = node.rest; rest != 0; rest &= rest - 1) {
                const u32 bit = lowest(rest);
                learn(bit);
                sweep_.add(node.live & ~excluded_[bit], node.open & ~covered_[bit], counters.solutions);
            }
        }
        sweep_.run({data_, excluded_, covered_}, [this](u32 bit) { learn(bit); }, work, counters);
        counters.updates += counters.nodes - nodes;
    }

    // How often columns must and may be covered; counted_ if that is not exactly once for all of them.
    void count(u32 items) {
        counted_ = false;
        several_ = preferred_ = 0;
        if (ledger_.counts())
            for (u32 c = 0; c < items; ++c) {
                counted_ = counted_ || !ledger_.once(column_[c]);
                extra_[c] = ledger_.need(column_[c]) - 1;
                room_[c] = ledger_.room(column_[c]);
                if (room_[c] > 1) several_ |= u64{1} << c;
            }
        for (u32 item : problem_.preferred) {
            const auto place = std::find(column_, column_ + items, item) - column_;
            if (place < static_cast<std::ptrdiff_t>(items)) preferred_ |= u64{1} << place;
        }
    }

    // A node that branches on a column.
    template <bool Counted>
    Node node(u32 column, u64 live, u64 open, u32 depth) const {
        Node node{live & data_[column], live, open, depth, 0, 0, taken_};
        node.degree = popcount(node.rest);
        if (!Counted) return node;
        node.degree -= static_cast<u32>(extra_[column]);
        if (extra_[column] < 0) node.none = u64{1} << column;
        for (i32 last = 0; last < extra_[column]; ++last)  // the first of several cannot be one of the last
            node.rest &= ~(u64{1} << (63 - __builtin_clzll(node.rest)));
        return node;
    }

    // Take back all but the first options chosen in this leaf.
    void back(u32 taken) {
        for (; taken_ > taken; --taken_)
            for (u64 rest = held_[path_[taken_ - 1]]; rest != 0; rest &= rest - 1) {
                const u32 c = lowest(rest);
                ++need_[c];
                ++room_[c];
                extra_[c] = std::max(0, need_[c]) - 1;
            }
    }

    // Depth first, one node at a time.
    template <bool Counting, bool Counted>
    void descend(std::int64_t &work_left, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        Node *top = node_ + height_ - 1;
        u64 nodes = 0, solutions = 0;
        std::int64_t work = work_left;
        for (;;) {
            if (top->rest == 0 && (!Counted || top->none == 0)) {
                if (top-- == node_) break;
                continue;
            }
            if (work-- <= 0 || (!Counting && found->end.size() >= most)) break;
            u64 live = top->live, open = top->open;
            u32 depth = top->depth;
            if (Counted) back(top->taken);
            if (Counted && top->rest == 0) {
                open &= ~top->none;
                top->none = 0;
            } else {
                const u32 bit = lowest(top->rest);
                top->rest &= top->rest - 1;
                if (Counted) top->live &= ~(u64{1} << bit);  // it is out of the game for the next children
                choose<Counting, Counted>(bit, live, open, depth, chosen);
            }
            for (;;) {
                ++nodes;
                if (Counting && !Counted) {
                    const u64 but_one = open & (open - 1);
                    if ((but_one & (but_one - 1)) == 0) {
                        solutions += covers(live, open);
                        break;
                    }
                } else if (open == 0) {
                    ++solutions;
                    if (!Counting) found->add(chosen, depth);
                    break;
                }
                const Scan scan = Counted ? scan_word(data_, extra_, groups_, open, live)
                                          : scan_word(data_, groups_, open, live);
                if (scan.none != 0) {
                    failed(lowest(scan.none));
                    break;
                }
                if (scan.one != 0 && !choice_.leftmost()) {
                    if (!force<Counting, Counted>(scan.one, live, open, depth, chosen, nodes)) break;
                    continue;
                }
                *++top = node<Counted>(branching(scan.two, live, open), live, open, depth);
                break;
            }
        }
        work_left = work;
        counters.nodes += nodes;
        counters.updates += nodes;
        counters.solutions += solutions;
        height_ = static_cast<u32>(top + 1 - node_);
    }

    u64 squeezed(const u64 *column) const {
        u64 word = 0;
        for (u32 k = 0; k < parts_; ++k)
            word |= extract(column[std::size_t{part_[k].word} * from_->stride], part_[k].live) << part_[k].offset;
        return word;
    }

    // How many solutions there are with at most two items open.
    u64 covers(u64 live, u64 open) {
        if (open == 0) return 1;
        const u64 one = live & data_[lowest(open)];
        open &= open - 1;
        if (open == 0) return popcount(one);
        const u64 other = live & data_[lowest(open)];
        u64 number = popcount(one & other);
        const u64 partners = other & ~one;
        if (partners == 0) return number;
        for (u64 rest = one & ~other; rest != 0; rest &= rest - 1) {
            const u32 bit = lowest(rest);
            learn(bit);
            number += popcount(partners & ~excluded_[bit]);
        }
        return number;
    }

    // Make all forced moves that one scan has shown; false if two of them exclude each other.
    template <bool Counting, bool Counted>
    bool force(u64 forced, u64 &live, u64 &open, u32 &depth, u32 *chosen, u64 &nodes) {
        for (;;) {
            const u64 options = live & data_[lowest(forced)];
            if (options == 0 && Counted && extra_[lowest(forced)] < 0) {  // it is covered often enough
                open &= ~(forced & (~forced + 1));
            } else if (options == 0) {
                failed(lowest(forced));
                return false;
            } else {
                choose<Counting, Counted>(lowest(options), live, open, depth, chosen);
            }
            forced &= open;
            if (forced == 0) return true;
            ++nodes;
        }
    }

    void failed(u32 column) { choice_.failed(column_[column]); }

    // The column to branch on, where those in `two` have two options and no open one has fewer.
    u32 branching(u64 two, u64 live, u64 open) const {
        if (choice_.leftmost()) return lowest(open);
        if ((open & preferred_) != 0) {
            open &= preferred_;
            two &= preferred_;
        }
        return two != 0 ? first_of(two)
                        : fewest_of_word(data_, counted_ ? extra_ : nullptr, rank_, groups_, open, live).column;
    }

    // The column of least rank; without weights it is the lowest.
    u32 first_of(u64 columns) const {
        u32 best = lowest(columns);
        if (!choice_.weighted()) return best;
        for (columns &= columns - 1; columns != 0; columns &= columns - 1)
            if (rank_[lowest(columns)] < rank_[best]) best = lowest(columns);
        return best;
    }

    template <bool Counting, bool Counted>
    void choose(u32 bit, u64 &live, u64 &open, u32 &depth, u32 *chosen) {
        learn(bit);
        live &= ~excluded_[bit];
        open &= ~covered_[bit];
        if (Counted && several_ != 0) {
            path_[taken_++] = static_cast<u8>(bit);
            for (u64 rest = held_[bit]; rest != 0; rest &= rest - 1) {
                const u32 c = lowest(rest);
                extra_[c] = std::max(0, --need_[c]) - 1;
                if (--room_[c] > 0) continue;
                live &= ~data_[c];
                open &= ~(u64{1} << c);
            }
        }
        if (!Counting) chosen[depth] = option_[bit];
        ++depth;
    }

    // What options exclude and cover by their primary items. Those that may exclude more by others do not
    // exclude themselves yet.
    void learn_primary(u32 options, u32 items) {
        if (several_ == 0) {
            options_with(data_, items, options, excluded_, covered_);
        } else {
            alignas(64) u64 exclusive[kMost];
            for (u32 c = 0; c < items; ++c) exclusive[c] = (several_ >> c & 1) != 0 ? 0 : data_[c];
            options_with(exclusive, items, options, excluded_, covered_);
            for (u32 bit = 0; bit < options; ++bit) {
                held_[bit] = 0;
                excluded_[bit] |= u64{1} << bit;
            }
            for (u64 columns = several_; columns != 0; columns &= columns - 1) {
                const u32 c = lowest(columns);
                need_[c] = extra_[c] + 1;
                for (u64 rest = data_[c]; rest != 0; rest &= rest - 1) held_[lowest(rest)] |= u64{1} << c;
            }
        }
        for (u32 bit = 0; from_->excluding != 0 && bit < options; ++bit) excluded_[bit] &= ~(u64{1} << bit);
    }

    // What else an option excludes, if that is not known yet.
    void learn(u32 bit) {
        if ((excluded_[bit] >> bit & 1) != 0) return;
        const u32 option = option_[bit];
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 column = problem_.entry[e], at = blocks_.place(column);
            if (column >= problem_.primary && at != Block::kZero) excluded_[bit] |= squeezed(from_->data + at);
        }
        excluded_[bit] |= u64{1} << bit;
    }

    const Problem &problem_;
    const Blocks &blocks_;
    Choice &choice_;
    const Ledger &ledger_;
    const Block *from_ = nullptr;
    bool counted_ = false;  // some column is not to be covered exactly once
    u32 parts_ = 0, groups_ = 0, height_ = 0, taken_ = 0;
    u64 several_ = 0, preferred_ = 0;  // columns that may be covered more than once; those to branch on first
    alignas(64) u64 data_[kMost];
    alignas(64) u64 excluded_[kMost], covered_[kMost];
    u32 option_[kMost + kOver], column_[kMost], rank_[kMost];
    i32 extra_[kMost], need_[kMost], room_[kMost];  // as in Block and Ledger, for each column
    u64 held_[kMost];                               // of those in several_, the columns of each option
    u8 path_[kMost];                                // the options chosen here
    Part part_[kMost];
    Node node_[2 * kMost + 1];  // each takes an option out of the game, or gives an item up
    Sweep sweep_;
};

}  // namespace exactcover::EXACTCOVER_ISA
