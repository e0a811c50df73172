// A subproblem in dense form: live options as bits, open columns as vectors of bits.
#pragma once

#include <algorithm>

#include "base/arena.hpp"
#include "base/compaction.hpp"
#include "search/heuristic.hpp"
#include "search/ledger.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// Columns stand side by side: word w of column c is data[w * stride + c]. Column 0 is all zeros. From kFirst on stand
// the open primary columns, padded to a multiple of eight, then the columns that only exclude.
struct Block {
    static constexpr u32 kZero = 0;
    static constexpr u32 kFirst = 8;  // keeps groups of eight on cache lines

    u32 options = 0;
    u32 words = 0;      // of a vector of options
    u32 open = 0;       // primary columns
    u32 groups = 0;     // of eight primary columns
    u32 excluding = 0;  // other columns
    u32 stride = 0;
    u64 *data = nullptr;
    u32 *option = nullptr;  // the option of each bit
    u32 *rank = nullptr;    // of each primary column, for ties
    u32 *column = nullptr;  // the problem's column of each primary column, then of each excluding one
    i32 *extra = nullptr;   // of each primary column: see multiplicity.hpp; null if all are covered exactly once
    u32 *counted = nullptr;  // the primary columns with other multiplicities
    u32 counted_size = 0;
    Arena::Mark before;  // released when the block is dropped

    u32 first_excluding() const { return kFirst + groups * 8; }
    u32 open_words() const { return (groups + 7) / 8; }
    const u64 *primary() const { return data + kFirst; }
};

// Makes blocks, and knows the place of every column of the problem in the newest one.
class Blocks {
public:
    Blocks(const Problem &problem, const BranchingRule &rule, const Ledger &ledger)
        : problem_(problem), rule_(rule), ledger_(ledger), place_(problem.columns, Block::kZero), seen_(problem.columns, 0) {}

    // A block of all these options and open primary columns.
    Block from_options(const List<u32> &options, const List<u32> &open, Arena &arena) {
        Block block = sized(static_cast<u32>(options.size()), static_cast<u32>(open.size()), excluding(options), arena);
        u32 n = 0;
        for (u32 column : open) {
            block.rank[n] = rank(column, n);
            block.column[n++] = column;
        }
        for (u32 column : touched_) block.column[n++] = column;
        count(block);
        enter(block);
        std::fill_n(block.data, std::size_t{block.words} * block.stride, u64{0});
        for (u32 bit = 0; bit < options.size(); ++bit) {
            block.option[bit] = options[bit];
            u64 *word = block.data + std::size_t{bit / 64} * block.stride;
            for (u32 e = problem_.start[options[bit]]; e < problem_.start[options[bit] + 1]; ++e) {
                const u32 column = problem_.entry[e];
                word[place_[column]] |= u64{1} << bit % 64;
                if (problem_.colored[column]) word[place_[problem_.whole[column]]] |= u64{1} << bit % 64;
            }
        }
        for (u32 column : touched_)
            if (problem_.colored[column]) {
                const u64 *whole = block.data + place_[problem_.whole[column]];
                u64 *same = block.data + place_[column];
                for (std::size_t w = 0; w < std::size_t{block.words} * block.stride; w += block.stride)
                    same[w] = whole[w] & ~same[w];
            }
        block.excluding = held_;
        return block;
    }

    // The same subproblem, reduced to its live options and open columns.
    Block compacted(const Block &from, const u64 *live, const u64 *open, u32 options, u32 items, Arena &arena) {
        u32 excluding = 0;
        source_.clear();
        for (u32 k = 0; k < from.excluding; ++k) {
            const u32 column = from.column[from.open + k];
            if (useful(from, from.first_excluding() + k, live, problem_.colored[column])) {
                source_.push_back(k);
                ++excluding;
            } else {
                place_[column] = Block::kZero;
            }
        }
        Block block = sized(options, items, excluding, arena);
        std::fill_n(block.data, std::size_t{block.words} * block.stride, u64{0});
        u32 n = 0;
        for (u32 k : source_) {
            const u32 column = from.column[from.open + k];
            block.column[items + n] = column;
            place_[column] = block.first_excluding() + n;
            source_[n++] = from.first_excluding() + k;
        }
        n = 0;
        for (u32 w = 0; w < from.open_words(); ++w)
            for (u32 place : ones_of(open[w])) {
                const u32 c = w * 64 + place;
                block.column[n] = from.column[c];
                block.rank[n] = rank(from.column[c], n);
                place_[from.column[c]] = Block::kFirst + n;
                source_.push_back(Block::kFirst + c);
                ++n;
            }
        count(block);
        u32 filled = 0;
        for (u32 w = 0; w < from.words; ++w) {
            if (live[w] == 0) continue;
            compress(from.option + std::size_t{w} * 64, live[w], block.option + filled);
            const u64 *in = from.data + std::size_t{w} * from.stride;
            u64 *out = block.data + std::size_t{filled / 64} * block.stride;
            const u32 shift = filled % 64, size = popcount(live[w]);
            filled += size;
            const Compaction compaction(live[w]);
            u64 *over = shift + size > 64 ? out + block.stride : nullptr;
            const auto append = [&](const u32 *source, u32 columns, u32 first) {
                compaction.append(in, source, columns, shift, out + first, over == nullptr ? over : over + first);
            };
            append(source_.data() + excluding, items, Block::kFirst);
            append(source_.data(), excluding, block.first_excluding());
        }
        return block;
    }

    // Restore the places of columns in `block` after a block made from it has been dropped.
    void enter(const Block &block) {
        for (u32 n = 0; n < block.open; ++n) place_[block.column[n]] = Block::kFirst + n;
        for (u32 n = 0; n < block.excluding; ++n)
            place_[block.column[block.open + n]] = block.first_excluding() + n;
    }

    u32 place(u32 column) const { return place_[column]; }

    // Bring `extra` up to date with what has been chosen.
    void recount(Block &block) const {
        for (u32 k = 0; k < block.counted_size; ++k) {
            const u32 c = block.counted[k];
            block.extra[c] = ledger_.need(block.column[c]) - 1;
        }
    }

    // The rank of a problem's column that is column n of a block.
    u32 rank(u32 column, u32 n) const { return n | rule_.penalty(column) * kMaxRanked; }

    std::size_t bytes() const { return place_.size() * sizeof(u32); }

private:
    Block sized(u32 options, u32 open, u32 excluding, Arena &arena) const {
        Block block;
        block.before = arena.mark();
        block.options = options;
        block.words = std::max(1u, words_for(options));
        block.open = open;
        block.groups = (open + 7) / 8;
        block.excluding = excluding;
        block.stride = (block.first_excluding() + excluding + 7) / 8 * 8;
        block.data = arena.take<u64>(std::size_t{block.words} * block.stride);
        block.option = arena.take<u32>(std::size_t{block.words} * 64 + kOver);
        block.rank = arena.take<u32>(block.groups * 8);
        block.column = arena.take<u32>(open + excluding);
        if (ledger_.counts()) {
            block.extra = arena.take<i32>(block.groups * 8);
            block.counted = arena.take<u32>(open);
        }
        return block;
    }

    // Find the primary columns with multiplicities other than exactly once.
    void count(Block &block) const {
        if (!ledger_.counts()) return;
        std::fill_n(block.extra, block.groups * 8, 0);
        for (u32 c = 0; c < block.open; ++c)
            if (!ledger_.once(block.column[c])) block.counted[block.counted_size++] = c;
    }

    // Whether a column that only excludes still does so: no column is needed for an option to exclude itself.
    static bool useful(const Block &from, u32 c, const u64 *live, bool colored) {
        u64 before = 0;  // options in earlier words
        for (u32 w = 0; w < from.words; ++w) {
            const u64 options = from.data[std::size_t{w} * from.stride + c] & live[w];
            if (options == 0) continue;
            if (colored || before != 0 || without_lowest(options) != 0) return true;
            before = options;
        }
        return false;
    }

    // Put the columns of these options that only exclude into touched_, the held_ ones that options hold first, then those
    // of colored items without a color; returns how many there are.
    u32 excluding(const List<u32> &options) {
        touched_.clear();
        const auto touch = [this](u32 column) {
            if (seen_[column]) return;
            seen_[column] = 1;
            touched_.push_back(column);
        };
        for (u32 option : options)
            for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e)
                if (problem_.entry[e] >= problem_.primary) touch(problem_.entry[e]);
        held_ = static_cast<u32>(touched_.size());
        for (u32 n = 0; n < held_; ++n) touch(problem_.whole[touched_[n]]);
        for (u32 column : touched_) seen_[column] = 0;
        return static_cast<u32>(touched_.size());
    }

    const Problem &problem_;
    const BranchingRule &rule_;
    const Ledger &ledger_;
    List<u32> place_;
    List<u8> seen_;
    List<u32> touched_, source_;
    u32 held_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
