// Looking at one node of a block: what to branch on, what it may cost, what choosing an option leaves.
#pragma once

#include <algorithm>
#include <vector>

#include "search/block.hpp"

namespace exactcover::EXACTCOVER_ISA {

// W is the number of words of the block's vectors, or 0 where it is not known when this is compiled.
class Look {
public:
    Look(const Problem &problem, const Blocks &blocks, const Ledger &ledger)
        : problem_(problem), blocks_(blocks), ledger_(ledger), single_((problem.primary + 7) / 8 + 1) {}

    // The columns of a group of eight with one choice, as bits, where fewest_choices was asked last.
    u32 single(u32 group) const { return single_[group]; }

    // Choose an option: nothing that shares a column with it stays live, its items are closed; those excepted that
    // may be covered again.
    template <u32 W>
    void exclude(const Block &block, u32 bit, u64 *live, u64 *open) const {
        const u32 words = W != 0 ? W : block.words;
        const u32 option = block.option[bit];
        live[bit / 64] &= ~(u64{1} << bit % 64);
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            if (problem_.entry[e] < problem_.primary && ledger_.again(problem_.entry[e])) continue;
            const u32 place = blocks_.place(problem_.entry[e]);
            const u64 *column = block.data + place;
            for (u32 w = 0; w < words; ++w) live[w] &= ~column[std::size_t{w} * block.stride];
            if (problem_.entry[e] < problem_.primary) {
                const u32 c = place - Block::kFirst;
                open[c / 64] &= ~(u64{1} << c % 64);
            }
        }
    }

    // The open column with fewest choices.
    template <u32 W>
    Fewest fewest_choices(const Block &block, const u64 *live, const u64 *open) {
        return fewest<W>(block.primary(), block.stride, block.rank, reinterpret_cast<const u8 *>(open), block.groups,
                         live, W != 0 ? W : block.words, block.extra, single_.data());
    }

    // Of the preferred columns, where some are open, that with fewest choices.
    template <u32 W>
    Fewest preferred(Fewest best, const Block &block, const u64 *live, const u64 *open) {
        if (problem_.preferred.empty()) return best;
        preferred_.assign(block.open_words(), 0);
        bool some = false;
        for (u32 item : problem_.preferred) {
            const u32 c = blocks_.place(item) - Block::kFirst;
            if (c >= block.open || block.column[c] != item || (open[c / 64] >> c % 64 & 1) == 0) continue;
            preferred_[c / 64] |= u64{1} << c % 64;
            some = true;
        }
        return some ? fewest_choices<W>(block, live, preferred_.data()) : best;
    }

    // Whether what is open can be paid for; options that cost too much do not stay live.
    template <u32 W>
    bool affordable(const Block &block, u64 *live, const u64 *open) const {
        const u32 words = W != 0 ? W : block.words;
        const i64 left = ledger_.left();
        if (left <= 0) return false;
        const u32 end = static_cast<u32>(
            std::lower_bound(block.option, block.option + block.options, ledger_.affordable()) - block.option);
        if (end < block.options) {
            live[end / 64] &= (u64{1} << end % 64) - 1;
            std::fill(live + end / 64 + 1, live + words, 0);
        }
        // Each item costs at least its share of its cheapest option.
        __int128 least = 0;
        for (u32 k = 0; k < block.open_words(); ++k)
            for (u64 rest = open[k]; rest != 0; rest &= rest - 1) {
                const u32 c = k * 64 + lowest(rest);
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
            if (const u64 both = live[w] & column[std::size_t{w} * block.stride]; both != 0) return w * 64 + lowest(both);
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

    // Of these options keep that before which there are n, if there are so many; those before are out of the game.
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
    std::vector<u8> single_;
    std::vector<u64> preferred_;
};

}  // namespace exactcover::EXACTCOVER_ISA
