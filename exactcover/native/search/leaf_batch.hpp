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
    u32 fewest;  // the smallest number of items that an option covers
};

#if defined(EXACTCOVER_AVX512)

class LeafBatch {
public:
    static constexpr bool kPossible = true;

    bool empty() const { return size_ == 0; }
    void drop() { size_ = 0; }
    std::size_t bytes() const { return (live_.capacity() + open_.capacity()) * sizeof(u64); }

    // Let a node wait, unless one option at most is missing.
    void add(u64 live, u64 open, const Effects &effects, Counters &counters) {
        if (popcount(open) <= effects.fewest) {
            counters.nodes += open != 0;
            counters.solutions += open == 0 ? 1 : popcount(live & effects.columns[lowest(open)]);
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
        while (size_ > 0 && work > 0) {
            const u32 taken = size_ < kMany ? static_cast<u32>(size_) : kMany;
            work -= taken;
            counters.nodes += taken;
            size_ -= taken;
            if (live_.size() < size_ + kRoom) resize(2 * size_ + kRoom);
            switch ((taken + 7) / 8) {
                case 1: visit<1>(effects, complete, taken, counters); break;
                case 2: visit<2>(effects, complete, taken, counters); break;
                default: visit<kMany / 8>(effects, complete, taken, counters);
            }
        }
    }

private:
    static constexpr u32 kMany = 24;
    static constexpr std::size_t kRoom = kMany * 65;

    void resize(std::size_t size) {
        live_.resize(size);
        open_.resize(size);
    }

    // The top of the stack, and what was found so far; in registers, which writing to the stack cannot change.
    struct Top {
        u64 *live, *open;
        u64 solutions, nodes;  // solutions, and nodes at which one option is missing
        __m512i options;       // the options that complete a solution at these nodes
    };

    // Visit the nodes just taken off, as V vectors of eight, and their children at which one option at most is missing.
    template <u32 V, typename Complete>
    void visit(const Effects &effects, Complete complete, u32 taken, Counters &counters) {
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
        Top top{live_.data() + size_, open_.data() + size_, 0, 0, _mm512_setzero_si512()};
        for (u32 v = 0; v < V; ++v) {
            const __m512i item = _mm512_and_si512(best[v], _mm512_set1_epi64(63));
            const __m512i options = _mm512_and_si512(live[v], _mm512_i64gather_epi64(item, effects.columns, 8));
            const __mmask8 lanes = _mm512_test_epi64_mask(open[v], open[v]);
            top = push_children(effects, complete, live[v], open[v], options, lanes, top);
        }
        size_ = static_cast<std::size_t>(top.live - live_.data());
        counters.solutions += top.solutions + static_cast<u64>(_mm512_reduce_add_epi64(top.options));
        counters.nodes += top.nodes;
    }

    // Push one child for each option, in each of the lanes, unless one option at most is missing.
    template <typename Complete>
    static Top push_children(const Effects &effects, Complete complete, __m512i live, __m512i open, __m512i options,
                             __mmask8 lanes, Top top) {
        const __m512i minus_one = _mm512_set1_epi64(-1), zero = _mm512_setzero_si512();
        const __m512i fewest = _mm512_set1_epi64(effects.fewest);
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
            const __m512i still_live = _mm512_andnot_si512(excluded, live);
            const __mmask8 unsolved = _mm512_test_epi64_mask(still_open, still_open);
            top.solutions += popcount(static_cast<u32>(more & ~unsolved));
            const __mmask8 last = _mm512_mask_cmple_epu64_mask(unsolved, _mm512_popcnt_epi64(still_open), fewest);
            if (last != 0) {
                const __m512i before = _mm512_andnot_si512(still_open, _mm512_add_epi64(still_open, minus_one));
                const __m512i column =
                    _mm512_mask_i64gather_epi64(zero, last, _mm512_popcnt_epi64(before), effects.columns, 8);
                top.options = _mm512_add_epi64(top.options, _mm512_popcnt_epi64(_mm512_and_si512(still_live, column)));
                top.nodes += popcount(static_cast<u32>(last));
            }
            const __mmask8 waiting = unsolved & static_cast<__mmask8>(~last);
            _mm512_storeu_si512(top.live, _mm512_maskz_compress_epi64(waiting, still_live));
            _mm512_storeu_si512(top.open, _mm512_maskz_compress_epi64(waiting, still_open));
            top.live += popcount(static_cast<u32>(waiting));
            top.open += popcount(static_cast<u32>(waiting));
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
    void add(u64, u64, const Effects &, Counters &) {}
    u32 narrow(Chance &) { return 0; }
    template <typename Complete>
    void run(const Effects &, Complete, i64 &, Counters &) {}
};

#endif

}  // namespace exactcover::inline EXACTCOVER_ISA
