// A subproblem of at most 64 options and 64 open items: every vector is one word.
//
// The live options of the block it is made from are moved together, and so are its open columns; what an
// option excludes by secondary items is worked out when it is first chosen.
#pragma once

#include "block.hpp"
#include "search.hpp"
#include "sweep.hpp"

namespace exactcover::EXACTCOVER_ISA {

class Leaf {
public:
    static constexpr u32 kMost = 64;

    Leaf(const Problem &problem, const Blocks &blocks, Choice &choice)
        : problem_(problem), blocks_(blocks), choice_(choice) {}

    bool empty() const { return height_ == 0 && sweep_.empty(); }
    u32 depth() const { return node_[0].depth; }
    void drop() {
        height_ = 0;
        sweep_.drop();
    }
    std::size_t bytes() const { return sizeof *this + sweep_.bytes(); }

    // Begin with the live options and open columns of a block; branch on its `column`, after `depth` choices.
    void begin(const Block &from, const u64 *live, const u64 *open, u32 column, u32 degree, u32 depth) {
        from_ = &from;
        parts_ = 0;
        u32 options = 0;
        for (u32 w = 0; w < from.words; ++w) {
            if (live[w] == 0) continue;
            part_[parts_++] = {live[w], w, options};
            compress(from.option + std::size_t{w} * 64, live[w], option_ + options);
            options += popcount(live[w]);
        }
        u32 items = 0;
        u64 rest = 0;
        for (u32 w = 0; w < from.open_words(); ++w)
            for (u64 bits = open[w]; bits != 0; bits &= bits - 1, ++items) {
                const u32 c = w * 64 + lowest(bits);
                data_[items] = squeezed(from.primary() + c);
                rank_[items] = blocks_.rank(from.column[c], items);
                column_[items] = from.column[c];
                if (c == column) rest = data_[items];
            }
        groups_ = (items + 7) / 8;
        learn_primary(options, items);
        node_[0] = {rest, ones(options), ones(items), depth, degree};
        height_ = 1;
    }

    // Search until all is visited, the work is used up, or `most` solutions are in `found`; count if Counting.
    template <bool Counting>
    void run(std::int64_t &work, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        if (Counting && Sweep::kPossible && !choice_.leftmost()) return sweep(work, counters);
        descend<Counting>(work, chosen, counters, found, most);
    }

    // The options to be tried next, of a leaf just begun.
    void next(std::vector<u32> &options) const {
        for (u64 rest = node_[0].rest; rest != 0; rest &= rest - 1) options.push_back(option_[lowest(rest)]);
    }

    template <typename Add>
    void shares(Add add) const {
        for (u32 k = 0; sweep_.empty() && k < height_; ++k) add(node_[k].degree, popcount(node_[k].rest));
    }

private:
    struct Node {
        u64 rest, live, open;
        u32 depth, degree;
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

    // Depth first, one node at a time.
    template <bool Counting>
    void descend(std::int64_t &work_left, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
        Node *top = node_ + height_ - 1;
        u64 nodes = 0, solutions = 0;
        std::int64_t work = work_left;
        for (;;) {
            if (top->rest == 0) {
                if (top-- == node_) break;
                continue;
            }
            if (work-- <= 0 || (!Counting && found->end.size() >= most)) break;
            const u32 bit = lowest(top->rest);
            top->rest &= top->rest - 1;
            u64 live = top->live, open = top->open;
            u32 depth = top->depth;
            choose<Counting>(bit, live, open, depth, chosen);
            for (;;) {
                ++nodes;
                if (Counting) {
                    const u64 but_one = open & (open - 1);
                    if ((but_one & (but_one - 1)) == 0) {
                        solutions += covers(live, open);
                        break;
                    }
                } else if (open == 0) {
                    ++solutions;
                    found->add(chosen, depth);
                    break;
                }
                const Scan scan = scan_word(data_, groups_, open, live);
                if (scan.none != 0) {
                    failed(lowest(scan.none));
                    break;
                }
                if (scan.one != 0 && !choice_.leftmost()) {
                    if (!force<Counting>(scan.one, live, open, depth, chosen, nodes)) break;
                    continue;
                }
                const u64 options = live & data_[branching(scan.two, live, open)];
                *++top = {options, live, open, depth, popcount(options)};
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
    template <bool Counting>
    bool force(u64 forced, u64 &live, u64 &open, u32 &depth, u32 *chosen, u64 &nodes) {
        for (;;) {
            const u64 options = live & data_[lowest(forced)];
            if (options == 0) {
                failed(lowest(forced));
                return false;
            }
            choose<Counting>(lowest(options), live, open, depth, chosen);
            forced &= open;
            if (forced == 0) return true;
            ++nodes;
        }
    }

    void failed(u32 column) { choice_.failed(column_[column]); }

    // The column to branch on, where those in `two` have two options and no open one has fewer.
    u32 branching(u64 two, u64 live, u64 open) const {
        if (choice_.leftmost()) return lowest(open);
        return two != 0 ? first_of(two) : fewest_of_word(data_, rank_, groups_, open, live).column;
    }

    // The column of least rank; without weights it is the lowest.
    u32 first_of(u64 columns) const {
        u32 best = lowest(columns);
        if (!choice_.weighted()) return best;
        for (columns &= columns - 1; columns != 0; columns &= columns - 1)
            if (rank_[lowest(columns)] < rank_[best]) best = lowest(columns);
        return best;
    }

    template <bool Counting>
    void choose(u32 bit, u64 &live, u64 &open, u32 &depth, u32 *chosen) {
        learn(bit);
        live &= ~excluded_[bit];
        open &= ~covered_[bit];
        if (!Counting) chosen[depth] = option_[bit];
        ++depth;
    }

    // What options exclude and cover by their primary items. Those that may exclude more by others do not
    // exclude themselves yet.
    void learn_primary(u32 options, u32 items) {
        options_with(data_, items, options, excluded_, covered_);
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
    const Block *from_ = nullptr;
    u32 parts_ = 0, groups_ = 0, height_ = 0;
    alignas(64) u64 data_[kMost];
    alignas(64) u64 excluded_[kMost], covered_[kMost];
    u32 option_[kMost + kOver], column_[kMost], rank_[kMost];
    Part part_[kMost];
    Node node_[kMost + 1];
    Sweep sweep_;
};

}  // namespace exactcover::EXACTCOVER_ISA
