// Counts the solutions below nodes of a leaf, many nodes at a time, if the instruction set allows it.
//
// Nodes wait on a stack. The newest are taken off together; the open item with the fewest live options is found for all
// of them at once, item by item, and their children are pushed. Most nodes of a leaf are dead or forced, in no order
// that a processor could predict; here no branch depends on which of them are.
#pragma once

#include <algorithm>

#include "base/list.hpp"
#include "base/simd.hpp"
#include "search/chance.hpp"
#include "search/results.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// The columns of a leaf's items, and what each of its options does.
struct Effects {
    const u64 *columns;
    u64 *excluded;  // options; includes the option itself once this is complete
    const u64 *covered;  // items
};

#if defined(EXACTCOVER_AVX512)

class LeafBatch {
public:
    static constexpr bool kPossible = true;

    bool empty() const { return size_ == 0; }
    void drop() { size_ = 0; }
    std::size_t bytes() const { return (live_.capacity() + open_.capacity()) * sizeof(u64); }

    // Let a node wait, unless it is a solution.
    void add(u64 live, u64 open, u64 &solutions) {
        if (open == 0) {
            ++solutions;
            return;
        }
        if (live_.size() < size_ + kRoom) resize(2 * size_ + kRoom);
        live_[size_] = live;
        open_[size_++] = open;
    }

    // Keep a random one of the nodes that wait; returns how many there were.
    u32 narrow(Chance &chance) {
        const u32 children = static_cast<u32>(size_);
        const u32 kept = chance.below(children);
        live_[0] = live_[kept];
        open_[0] = open_[kept];
        size_ = 1;
        return children;
    }

    // Visit the nodes that wait, until none is left or the work is used up; complete(bit) completes what an option
    // excludes.
    template <typename Complete>
    void run(const Effects &effects, Complete complete, i64 &work, Counters &counters) {
        u64 solutions = 0;
        while (size_ > 0 && work > 0) {
            const u32 taken = size_ < kMany ? static_cast<u32>(size_) : kMany;
            work -= taken;
            counters.nodes += taken;
            size_ -= taken;
            if (live_.size() < size_ + kRoom) resize(2 * size_ + kRoom);
            switch ((taken + 7) / 8) {
                case 1: solutions += visit<1>(effects, complete, taken); break;
                case 2: solutions += visit<2>(effects, complete, taken); break;
                default: solutions += visit<kMany / 8>(effects, complete, taken);
            }
        }
        counters.solutions += solutions;
    }

private:
    static constexpr u32 kMany = 24;
    static constexpr std::size_t kRoom = kMany * 65;

    void resize(std::size_t size) {
        live_.resize(size);
        open_.resize(size);
    }

    // The top of the stack, and the solutions found so far; in registers, which writing to the stack cannot change.
    struct Top {
        u64 *live, *open;
        u64 solutions;
    };

    // Visit the nodes just taken off, as V vectors of eight; returns the number of solutions among their children.
    template <u32 V, typename Complete>
    u64 visit(const Effects &effects, Complete complete, u32 taken) {
        const __m512i minus_one = _mm512_set1_epi64(-1);
        __m512i live[V], open[V], best[V], any = _mm512_setzero_si512();
        for (u32 v = 0; v < V; ++v) {
            const __mmask8 lanes = static_cast<__mmask8>((1u << std::min(taken - v * 8, 8u)) - 1);
            live[v] = _mm512_maskz_loadu_epi64(lanes, live_.data() + size_ + v * 8);
            open[v] = _mm512_maskz_loadu_epi64(lanes, open_.data() + size_ + v * 8);
            any = _mm512_or_si512(any, open[v]);
            best[v] = minus_one;
        }
        for (u64 items = static_cast<u64>(_mm512_reduce_or_epi64(any)); items != 0; items &= items - 1) {
            const u32 item = lowest(items);
            const __m512i column = _mm512_set1_epi64(static_cast<long long>(effects.columns[item]));
            const __m512i bit = _mm512_set1_epi64(static_cast<long long>(items & (~items + 1)));
            for (u32 v = 0; v < V; ++v) {
                const __m512i count = _mm512_popcnt_epi64(_mm512_and_si512(live[v], column));
                const __m512i key = _mm512_or_si512(_mm512_slli_epi64(count, 8), _mm512_set1_epi64(item));
                best[v] = _mm512_mask_min_epu64(best[v], _mm512_test_epi64_mask(open[v], bit), best[v], key);
            }
        }
        Top top{live_.data() + size_, open_.data() + size_, 0};
        for (u32 v = 0; v < V; ++v) {
            const __m512i item = _mm512_and_si512(best[v], _mm512_set1_epi64(63));
            const __m512i options = _mm512_and_si512(live[v], _mm512_i64gather_epi64(item, effects.columns, 8));
            // If one item is open, each of its options completes a solution.
            const __mmask8 several = _mm512_test_epi64_mask(open[v], _mm512_add_epi64(open[v], minus_one));
            const __mmask8 last = ~several & _mm512_test_epi64_mask(open[v], open[v]);
            top.solutions += static_cast<u64>(_mm512_mask_reduce_add_epi64(last, _mm512_srli_epi64(best[v], 8)));
            top = push_children(effects, complete, live[v], open[v], options, several, top);
        }
        size_ = static_cast<std::size_t>(top.live - live_.data());
        return top.solutions;
    }

    // Push one child for each option, in each of the lanes.
    template <typename Complete>
    static Top push_children(const Effects &effects, Complete complete, __m512i live, __m512i open, __m512i options,
                             __mmask8 lanes, Top top) {
        const __m512i minus_one = _mm512_set1_epi64(-1);
        for (__mmask8 more = _mm512_mask_test_epi64_mask(lanes, options, options); more != 0;
             more = _mm512_mask_test_epi64_mask(more, options, options)) {
            const __m512i rest = _mm512_and_si512(options, _mm512_add_epi64(options, minus_one));
            const __m512i itself = _mm512_andnot_si512(rest, options);
            const __m512i place = _mm512_popcnt_epi64(_mm512_add_epi64(itself, minus_one));
            __m512i excluded = _mm512_mask_i64gather_epi64(minus_one, more, place, effects.excluded, 8);
            if (const u32 unknown = _mm512_mask_testn_epi64_mask(more, excluded, itself); unknown != 0) {
                alignas(64) u64 bits[8];
                _mm512_store_si512(bits, place);
                for (u32 lane : ones_of(unknown)) complete(static_cast<u32>(bits[lane]));
                excluded = _mm512_mask_i64gather_epi64(minus_one, more, place, effects.excluded, 8);
            }
            const __m512i covered = _mm512_mask_i64gather_epi64(minus_one, more, place, effects.covered, 8);
            const __m512i still_open = _mm512_andnot_si512(covered, open);
            const __mmask8 unsolved = _mm512_test_epi64_mask(still_open, still_open);
            top.solutions += popcount(static_cast<u32>(more & ~unsolved));
            const __m512i still_live = _mm512_andnot_si512(excluded, live);
            _mm512_storeu_si512(top.live, _mm512_maskz_compress_epi64(unsolved, still_live));
            _mm512_storeu_si512(top.open, _mm512_maskz_compress_epi64(unsolved, still_open));
            top.live += popcount(unsolved);
            top.open += popcount(unsolved);
            options = rest;
        }
        return top;
    }

    List<u64> live_, open_;
    std::size_t size_ = 0;
};

#else

class LeafBatch {
public:
    static constexpr bool kPossible = false;

    bool empty() const { return true; }
    void drop() {}
    std::size_t bytes() const { return 0; }
    void add(u64, u64, u64 &) {}
    u32 narrow(Chance &) { return 0; }
    template <typename Complete>
    void run(const Effects &, Complete, i64 &, Counters &) {}
};

#endif

}  // namespace exactcover::inline EXACTCOVER_ISA
