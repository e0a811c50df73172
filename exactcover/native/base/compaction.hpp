// Moving chosen bits of many words together.
#pragma once

#include "base/simd.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// Moves the bits at the places where a mask has ones together, in their order.
//
// A processor with a quick `pext` does that by one instruction. For others, what depends on the mask alone is worked out
// once. Ones in few runs are moved run by run. Otherwise each bit moves by 1, 2, 4 .. 32 places, those steps of which
// the sum is the number of zeros below it: section 7-4 of Warren, Hacker's Delight, where this is `compress`.
class Compaction {
public:
#if defined(EXACTCOVER_PEXT)
    static constexpr bool kQuick = true;  // whether an instruction moves a word
#else
    static constexpr bool kQuick = false;
#endif

    Compaction() = default;

    explicit Compaction(u64 mask) { set(mask); }

    // Forget the mask, and take this one.
    void set(u64 mask) {
        mask_ = mask;
#if !defined(EXACTCOVER_PEXT)
        runs_ = popcount(mask & ~(mask << 1));
        if (runs_ <= kMostRuns)
            find_runs();
        else
            find_moves();
#endif
    }

    u64 operator()(u64 word) const {
#if defined(EXACTCOVER_PEXT)
        return _pext_u64(word, mask_);
#else
        return runs_ <= kMostRuns ? move_runs(word) : move_bits(word);
#endif
    }

    // Append these bits of some columns to `out`, from bit `shift` on; those that do not fit begin the words `over`,
    // unless that is null. Column n is in[source[n]].
    void append(const u64 *in, const u32 *source, u32 columns, u32 shift, u64 *out, u64 *over) const {
#if defined(EXACTCOVER_PEXT)
        append_with([this](auto word) { return (*this)(word); }, in, source, 0, columns, shift, out, over);
#else
        if (runs_ <= kMostRuns)
            append_vectors([this](auto words) { return move_runs(words); }, in, source, columns, shift, out, over);
        else
            append_vectors([this](auto words) { return move_bits(words); }, in, source, columns, shift, out, over);
#endif
    }

private:
    template <typename Move>
    static void append_with(Move move, const u64 *in, const u32 *source, u32 from, u32 columns, u32 shift, u64 *out,
                            u64 *over) {
        for (u32 n = from; n < columns; ++n) {
            const u64 moved = move(in[source[n]]);
            out[n] |= moved << shift;
            if (over != nullptr) over[n] |= moved >> (64 - shift);
        }
    }

#if !defined(EXACTCOVER_PEXT)
    static constexpr u32 kMostRuns = 6;

    struct Run {
        u64 mask;
        u32 shift;
    };

    template <typename Move>
    static void append_vectors(Move move, const u64 *in, const u32 *source, u32 columns, u32 shift, u64 *out,
                               u64 *over) {
        const u32 whole = columns / kLanes * kLanes;
        for (u32 n = 0; n < whole; n += kLanes) {
            Vector words;
            for (u32 k = 0; k < kLanes; ++k) words[k] = in[source[n + k]];
            const Vector moved = move(words);
            store(out + n, load(out + n) | moved << shift);
            if (over != nullptr) store(over + n, load(over + n) | moved >> (64 - shift));
        }
        append_with(move, in, source, whole, columns, shift, out, over);
    }

    void find_runs() {
        u64 left = mask_;
        u32 moved = 0;
        for (u32 k = 0; k < runs_; ++k) {
            const u32 first = lowest(left);
            const u64 run = left & ~(left + (u64{1} << first));
            run_[k] = {run, first - moved};
            moved += popcount(run);
            left &= ~run;
        }
    }

    void find_moves() {
        u64 mask = mask_, zeros = ~mask << 1;  // where the number of zeros below is counted
        for (u32 step = 0; step < 6; ++step) {
            u64 odd = zeros;  // whether the number of zeros up to a place is odd
            for (u32 shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
            move_[step] = odd & mask;
            mask = (mask ^ move_[step]) | move_[step] >> (1u << step);
            zeros &= ~odd;
        }
    }

    // Words, or vectors of words.
    template <typename Words>
    Words move_runs(Words words) const {
        Words moved{};
        for (u32 k = 0; k < runs_; ++k) moved |= (words & run_[k].mask) >> run_[k].shift;
        return moved;
    }

    template <typename Words>
    Words move_bits(Words words) const {
        words &= mask_;
        for (u32 step = 0; step < 6; ++step) {
            const Words moving = words & move_[step];
            words = (words ^ moving) | moving >> (1u << step);
        }
        return words;
    }

    u32 runs_ = 0;
    union {
        Run run_[kMostRuns];
        u64 move_[6];
    };
#endif

    u64 mask_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
