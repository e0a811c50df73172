// What is done with one node of a block: choose an option, prune by cost, find the item to branch on.
//
// A node is two vectors of bits: the live options and the open columns of the block.
#pragma once

#include <algorithm>

#include "search/block.hpp"
#include "search/scan.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// W is the number of words of the block's vectors, or 0 if it is not known at compile time.
class BlockNode {
public:
    BlockNode(const Problem &problem, const Blocks &blocks, const Ledger &ledger)
        : problem_(problem), blocks_(blocks), ledger_(ledger), single_((problem.primary + 7) / 8 + 1) {}

    // The columns of a group of eight that had one choice at the last call of fewest_choices, as bits.
    u32 single(u32 group) const { return single_[group]; }

    // Choose an option: remove all options that share a column with it, and close its items. Items that may be covered
    // again stay open and remove nothing.
    template <u32 W>
    void choose(const Block &block, u32 bit, u64 *live, u64 *open) const {
        const u32 words = W != 0 ? W : block.words;
        const u32 option = block.option[bit];
        clear_bit(live, bit);
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            if (problem_.entry[e] < problem_.primary && ledger_.again(problem_.entry[e])) continue;
            const u32 place = blocks_.place(problem_.entry[e]);
            const u64 *column = block.data + place;
            for (u32 w = 0; w < words; ++w) live[w] &= ~column[std::size_t{w} * block.stride];
            if (problem_.entry[e] < problem_.primary) clear_bit(open, place - Block::kFirst);
        }
    }

    // The open column with the fewest choices.
    template <u32 W>
    Fewest fewest_choices(const Block &block, const u64 *live, const u64 *open) {
        return fewest<W>(block.primary(), block.stride, block.rank, reinterpret_cast<const u8 *>(open), block.groups,
                         live, W != 0 ? W : block.words, block.extra, single_.data());
    }

    // If preferred columns are open, the one of them with the fewest choices; otherwise `best`.
    template <u32 W>
    Fewest preferred(Fewest best, const Block &block, const u64 *live, const u64 *open) {
        if (problem_.preferred.empty()) return best;
        preferred_.assign(block.open_words(), 0);
        bool some = false;
        for (u32 item : problem_.preferred) {
            const u32 c = blocks_.place(item) - Block::kFirst;
            if (c >= block.open || block.column[c] != item || !has_bit(open, c)) continue;
            set_bit(preferred_.data(), c);
            some = true;
        }
        return some ? fewest_choices<W>(block, live, preferred_.data()) : best;
    }

    // Whether the open items can be afforded; removes options that are too expensive.
    template <u32 W>
    bool affordable(const Block &block, u64 *live, const u64 *open) const {
        const u32 words = W != 0 ? W : block.words;
        const i64 left = ledger_.left();
        if (left <= 0) return false;
        const u32 end = count_below(block.option, block.options, ledger_.affordable());
        if (end < block.options) {
            live[end / 64] &= low_bits(end % 64);
            std::fill(live + end / 64 + 1, live + words, 0);
        }
        // Each item costs at least its share of its cheapest option.
        __int128 least = 0;
        for (u32 k = 0; k < block.open_words(); ++k)
            for (u32 place : ones_of(open[k])) {
                const u32 c = k * 64 + place;
                const u32 bit = first_live<W>(block, c, live);
                if (bit != kNone) least += __int128{ledger_.need(block.column[c])} * problem_.cost[block.option[bit]];
            }
        return least < __int128{left} * problem_.most_items;
    }

    // The first live option of a column, or kNone.
    template <u32 W>
    static u32 first_live(const Block &block, u32 c, const u64 *live) {
        const u64 *column = block.primary() + c;
        for (u32 w = 0; w < (W != 0 ? W : block.words); ++w)
            if (const u64 both = live[w] & column[std::size_t{w} * block.stride]; both != 0)
                return w * 64 + lowest(both);
        return kNone;
    }

    // The first open column.
    template <u32 W>
    static Fewest leftmost(const Block &block, const u64 *live, const u64 *open) {
        const u32 words = W != 0 ? W : block.words;
        u32 first = 0, count = 0;
        while (open[first] == 0) ++first;
        const u32 column = first * 64 + lowest(open[first]);
        const u64 *its = block.primary() + column;
        for (u32 w = 0; w < words; ++w) count += popcount(live[w] & its[std::size_t{w} * block.stride]);
        if (block.extra != nullptr) count -= static_cast<u32>(block.extra[column]);
        return {count, column};
    }

    // Keep one of these options, the one with n others before it, and leave those out; false if there are not that
    // many.
    static bool keep_one(u64 *options, u64 *live, u32 words, u32 n) {
        bool found = false;
        for (u32 w = 0; w < words; ++w) {
            const u64 kept = found ? 0 : nth_bit(options[w], n);
            if (!found) live[w] &= ~(options[w] & (kept - 1));
            if (!found && kept == 0) n -= popcount(options[w]);
            found = found || kept != 0;
            options[w] = kept;
        }
        return found;
    }

private:
    const Problem &problem_;
    const Blocks &blocks_;
    const Ledger &ledger_;
    List<u8> single_;
    List<u64> preferred_;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
