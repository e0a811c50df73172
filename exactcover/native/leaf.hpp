// A subproblem of at most 64 options and 64 open items: every vector is one word.
//
// A leaf is a view of the dense block it was made from: only the open columns are squeezed together, and
// what an option excludes is worked out when it is first chosen.
#pragma once

#include "block.hpp"
#include "search.hpp"

namespace exactcover::EXACTCOVER_ISA {

class Leaf {
public:
    static constexpr u32 kMost = 64;

    Leaf(const Problem &problem, Blocks &blocks) : problem_(problem), blocks_(blocks) {}

    bool empty() const { return height_ == 0; }
    void drop() { height_ = 0; }

    // Begin with the live options and open columns of a block; branch on its `column`, after `depth` choices.
    void begin(const Block &from, const u64 *live, const u64 *open, u32 column, u32 degree, u32 depth) {
        from_ = &from;
        parts_ = 0;
        u32 options = 0;
        for (u32 w = 0; w < from.words; ++w) {
            if (live[w] == 0) continue;
            part_[parts_++] = {live[w], w, options};
            options += popcount(live[w]);
        }
        u32 items = 0;
        u64 rest = 0;
        open_.resize(from.open_words());
        for (u32 w = 0; w < from.open_words(); ++w) {
            open_[w] = {open[w], items};
            for (u64 bits = open[w]; bits != 0; bits &= bits - 1, ++items) {
                const u32 c = w * 64 + lowest(bits);
                data_[items] = squeezed(from.primary() + c);
                column_[items] = from.column[c];
                rank_[items] = blocks_.rank(from.column[c], items);
                if (c == column) rest = data_[items];
            }
        }
        groups_ = (items + 7) / 8;
        std::fill_n(excluded_, options, u64{0});
        node_[0] = {rest, ones(options), ones(items), depth, degree};
        height_ = 1;
    }

    // Search until all is visited, the work is used up, or `most` solutions are in `found`.
    template <bool Counting>
    void run(std::int64_t &work_left, u32 *chosen, Counters &counters, Found *found, std::size_t most) {
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
                if (open == 0) {
                    ++solutions;
                    if (!Counting) found->add(chosen, depth);
                    break;
                }
                const Scan scan = scan_word(data_, groups_, open, live);
                if (scan.none != 0) {
                    blocks_.failed(column_[lowest(scan.none)]);
                    break;
                }
                if (scan.one != 0) {
                    if (!force<Counting>(scan.one, live, open, depth, chosen, nodes)) break;
                    continue;
                }
                const u32 column = scan.two != 0 ? first_of(scan.two) : fewest_of_word(data_, rank_, groups_, open, live).column;
                const u64 options = live & data_[column];
                if (Counting && (open & (open - 1)) == 0) {
                    solutions += popcount(options);
                    break;
                }
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

    template <typename Add>
    void shares(Add add) const {
        for (u32 k = 0; k < height_; ++k) add(node_[k].degree, popcount(node_[k].rest));
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
    struct OpenPart {
        u64 open;
        u32 offset;
    };

    static u64 ones(u32 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; }

    u64 squeezed(const u64 *column) const {
        u64 word = 0;
        for (u32 k = 0; k < parts_; ++k)
            word |= extract(column[std::size_t{part_[k].word} * from_->stride], part_[k].live) << part_[k].offset;
        return word;
    }

    // Make all forced moves that one scan has shown; false if two of them exclude each other.
    template <bool Counting>
    bool force(u64 forced, u64 &live, u64 &open, u32 &depth, u32 *chosen, u64 &nodes) {
        for (;;) {
            const u64 options = live & data_[lowest(forced)];
            if (options == 0) {
                blocks_.failed(column_[lowest(forced)]);
                return false;
            }
            choose<Counting>(lowest(options), live, open, depth, chosen);
            forced &= open;
            if (forced == 0) return true;
            ++nodes;
        }
    }

    // The column of least rank; without weights it is the lowest.
    u32 first_of(u64 columns) const {
        u32 best = lowest(columns);
        if (!blocks_.weighted()) return best;
        for (columns &= columns - 1; columns != 0; columns &= columns - 1)
            if (rank_[lowest(columns)] < rank_[best]) best = lowest(columns);
        return best;
    }

    template <bool Counting>
    void choose(u32 bit, u64 &live, u64 &open, u32 &depth, u32 *chosen) {
        if (excluded_[bit] == 0) learn(bit);
        live &= ~excluded_[bit];
        open &= ~covered_[bit];
        if (!Counting) chosen[depth] = option_[bit];
        ++depth;
    }

    // What an option excludes and covers.
    void learn(u32 bit) {
        u32 k = parts_ - 1;
        while (part_[k].offset > bit) --k;
        const u32 place = nth(part_[k].live, bit - part_[k].offset);
        const u32 option = option_[bit] = from_->option[part_[k].word * 64 + place];
        u64 excluded = u64{1} << bit, covered = 0;
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 column = problem_.entry[e], at = blocks_.place(column);
            if (column >= problem_.primary) {
                if (at != Block::kZero) excluded |= squeezed(from_->data + at);
                continue;
            }
            const u32 c = at - Block::kFirst;
            const OpenPart &part = open_[c / 64];
            const u32 n = part.offset + popcount(part.open & ((u64{1} << c % 64) - 1));
            excluded |= data_[n];
            covered |= u64{1} << n;
        }
        excluded_[bit] = excluded;
        covered_[bit] = covered;
    }

    const Problem &problem_;
    Blocks &blocks_;
    const Block *from_ = nullptr;
    u32 parts_ = 0, groups_ = 0, height_ = 0;
    alignas(64) u64 data_[kMost];
    u64 excluded_[kMost], covered_[kMost];
    u32 option_[kMost], column_[kMost], rank_[kMost];
    Part part_[kMost];
    std::vector<OpenPart> open_;
    Node node_[kMost + 1];
};

}  // namespace exactcover::EXACTCOVER_ISA
