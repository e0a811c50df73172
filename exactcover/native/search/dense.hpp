// Depth-first search over dense blocks, with a stack of its own, so it can pause anywhere.
//
// A node is: live options, open items. The open item with fewest live options is branched on; where it
// has one only, the choice is made in place. When the live options fill no more than half of the words,
// the subproblem is written out anew; most of the work is done in blocks of one word, the leaves.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/arena.hpp"
#include "search/block.hpp"
#include "search/leaf.hpp"
#include "search/look.hpp"
#include "search/search.hpp"

namespace exactcover::EXACTCOVER_ISA {

class Dense {
public:
    Dense(const Problem &problem, Counters &counters, Choice &choice, Ledger &ledger)
        : problem_(problem), counters_(counters), choice_(choice), ledger_(ledger), blocks_(problem, choice, ledger),
          look_(problem, blocks_, ledger), chosen_(std::min(most_chosen(problem), u64{problem.options}) + 1),
          leaf_(problem, blocks_, choice, ledger) {}

    // A subproblem of its own, after `depth` options in chosen() have been chosen.
    void begin(const std::vector<u32> &options, const std::vector<u32> &open, u32 depth) {
        drop();
        push_block(blocks_.from_options(options, open, arena_));
        begin_newest(depth);
    }

    // The whole problem, whose block is made once and kept.
    void begin_whole() {
        drop();
        if (whole_.data == nullptr) {
            std::vector<u32> options(problem_.options), open(problem_.primary);
            std::iota(options.begin(), options.end(), 0u);
            std::iota(open.begin(), open.end(), 0u);
            whole_ = blocks_.from_options(options, open, kept_);
            whole_.before = arena_.mark();
        } else {
            blocks_.enter(whole_);
        }
        push_block(whole_);
        begin_newest(0);
    }

    // Choose an option of the whole problem, just begun; false if it is no longer live.
    bool choose_first(u32 option) {
        if ((live_[option / 64] >> option % 64 & 1) == 0) return false;
        ledger_.choose(base_depth_, option);
        chosen_[base_depth_++] = option;
        look_.exclude<0>(stack_.back(), option, live_.data(), open_.data());
        ++counters_.updates;
        return true;
    }

    // Leave an option of the whole problem, just begun, out.
    void leave_out(u32 option) { live_[option / 64] &= ~(u64{1} << option % 64); }

    // Forget a search that was not finished.
    void drop() {
        leaf_.drop();
        frames_.clear();
        if (!stack_.empty()) arena_.release(stack_.front().before);
        stack_.clear();
        started_ = false;
    }

    bool done() const { return stack_.empty(); }
    u32 *chosen() { return chosen_.data(); }

    // Go on until the work is used up, `most` solutions are in `found`, or all is done.
    void advance(std::int64_t &work, std::size_t most, Found *found) {
        found_ = found;
        most_ = most;
        work_ = work;
        if (started_) {
            started_ = false;
            first_visit();
        }
        while (!stack_.empty() && work_ > 0 && !full()) step();
        work = work_;
    }

    // The root of what was just begun.
    Root root() {
        Root root;
        Found solution;
        found_ = &solution;
        most_ = 1;
        first_visit();
        u32 depth = 0;
        if (!solution.end.empty()) {
            depth = static_cast<u32>(solution.end.front());
        } else if (!leaf_.empty()) {
            depth = leaf_.depth();
            leaf_.root(root);
        } else if (!frames_.empty()) {
            const Frame &frame = frames_.back();
            depth = frame.depth;
            root.none = frame.none != kNone;
            for (u32 w = 0; w < stack_[frame.block].words; ++w)
                for (u64 rest = frame.rest[w]; rest != 0; rest &= rest - 1)
                    root.next.push_back(stack_[frame.block].option[w * 64 + lowest(rest)]);
        } else {
            return root;
        }
        root.dead = false;
        root.chosen.assign(chosen_.begin(), chosen_.begin() + depth);
        return root;
    }

    // Leave the newest node a random one of its children; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!leaf_.empty()) return leaf_.narrow(chance);
        if (frames_.empty()) return 0;
        Frame &frame = frames_.back();
        u32 children = frame.none != kNone;
        for (u32 w = 0; w < stack_[frame.block].words; ++w) children += popcount(frame.rest[w]);
        if (children == 0) return 0;
        if (Look::keep_one(frame.rest, frame.live, stack_[frame.block].words, chance.below(children))) frame.none = kNone;
        return children;
    }

    void explored(double &behind, double &share) const {
        for (const Frame &frame : frames_) {
            u32 rest = 0;
            for (u32 w = 0; w < stack_[frame.block].words; ++w) rest += popcount(frame.rest[w]);
            rest += frame.none != kNone;
            add_share(frame.degree, rest, behind, share);
        }
        leaf_.shares([&](u32 degree, u32 rest) { add_share(degree, rest, behind, share); });
    }

    static void add_share(u32 degree, u32 rest, double &behind, double &share) {
        share /= degree;
        const u32 tried = degree - rest;
        if (tried > 0) behind += share * (tried - 1);
    }

    std::size_t bytes() const {
        return kept_.bytes() + arena_.bytes() + blocks_.bytes() + leaf_.bytes() + chosen_.size() * sizeof(u32) +
               frames_.capacity() * sizeof(Frame);
    }

private:
    // How many options can be chosen at most.
    static u64 most_chosen(const Problem &problem) {
        return problem.low.empty() ? problem.primary : std::accumulate(problem.high.begin(), problem.high.end(), u64{0});
    }

    // A node with children left, in a block of several words.
    struct Frame {
        u64 *rest;  // options to try
        u64 *live;
        u64 *open;
        u32 block;
        u32 depth;
        u32 degree;
        u32 none;    // the column that has no more option in the last child; kNone if there is no such child
        bool first;  // its block goes with it
        Arena::Mark before;
    };

    bool full() const { return found_ != nullptr && found_->end.size() >= most_; }

    void push_block(const Block &block) { stack_.push_back(block); }

    void begin_newest(u32 depth) {
        const Block &block = stack_.back();
        fill_ones(live_, block.options, block.words);
        fill_ones(open_, block.open, block.open_words());
        base_depth_ = depth;
        started_ = true;
    }

    void pop_block() {
        arena_.release(stack_.back().before);
        stack_.pop_back();
        if (!stack_.empty()) blocks_.enter(stack_.back());
    }

    static void fill_ones(std::vector<u64> &vector, u32 ones, u32 words) {
        vector.assign(words, 0);
        for (u32 w = 0; w < ones / 64; ++w) vector[w] = ~u64{0};
        if (ones % 64 != 0) vector[ones / 64] = (u64{1} << ones % 64) - 1;
    }

    void solution(u32 depth) {
        counters_.node(depth, Profile::kSolution);
        if (ledger_.costs()) return ledger_.offer(chosen_.data(), depth);
        ++counters_.solutions;
        if (found_ != nullptr) found_->add(chosen_.data(), depth);
    }

    // The root of a block that was begun from outside.
    void first_visit() {
        const u32 before = static_cast<u32>(frames_.size());
        const std::vector<u64> live = live_, open = open_;
        const std::size_t height = stack_.size();
        visit<0>(live.data(), open.data(), base_depth_);
        if (frames_.size() == before && leaf_.empty()) {
            pop_block();
        } else if (frames_.size() > before && stack_.size() == height) {
            frames_.back().first = true;
        }
    }

    void step() {
        if (!leaf_.empty()) {
            if (found_ == nullptr) return leaf_.run<true>(work_, chosen_.data(), counters_, nullptr, 0);
            return leaf_.run<false>(work_, chosen_.data(), counters_, found_, most_);
        }
        if (frames_.empty()) {  // only the block that was begun is left
            return pop_block();
        }
        switch (stack_.back().words) {
            case 1: return run<1>();
            case 2: return run<2>();
            case 3: return run<3>();
            case 4: return run<4>();
            case 5: return run<5>();
            case 6: return run<6>();
            case 7: return run<7>();
            case 8: return run<8>();
            default: return run<0>();
        }
    }

    // Visit children of the newest frame, and so on, as long as the block stays the same.
    template <u32 W>
    void run() {
        const std::size_t height = stack_.size();
        const u32 words = W != 0 ? W : stack_.back().words;
        const u32 open_words = stack_.back().open_words();
        const std::int64_t cost = 1 + words * stack_.back().groups / 8;
        std::vector<u64> large;
        u64 small[W != 0 ? W : 1], few[4];
        u64 *live = small, *open = few;
        if (W == 0 || open_words > 4) {
            large.resize(words + open_words);
            live = large.data();
            open = live + words;
        }
        while (work_ > 0 && stack_.size() == height && leaf_.empty() && !full()) {
            Frame &frame = frames_.back();
            u32 w = 0;
            while (w < words && frame.rest[w] == 0) ++w;
            if (w == words && frame.none == kNone) {
                const bool first = frame.first;
                arena_.release(frame.before);
                frames_.pop_back();
                if (first) return pop_block();
                continue;
            }
            std::copy_n(frame.live, words, live);
            std::copy_n(frame.open, open_words, open);
            const u32 depth = frame.depth;
            work_ -= cost;
            if (w == words) {
                open[frame.none / 64] &= ~(u64{1} << frame.none % 64);
                frame.none = kNone;
                ledger_.back(depth);
                visit_in_place<W>(live, open, depth);
                continue;
            }
            const u32 bit = w * 64 + lowest(frame.rest[w]);
            frame.rest[w] &= frame.rest[w] - 1;
            frame.live[w] &= ~(u64{1} << bit % 64);  // it is out of the game for the next children
            chosen_[depth] = stack_.back().option[bit];
            ledger_.choose(depth, chosen_[depth]);
            look_.exclude<W>(stack_.back(), bit, live, open);
            ++counters_.updates;
            visit_in_place<W>(live, open, depth + 1);
        }
    }

    template <u32 W>
    void visit(const u64 *live, const u64 *open, u32 depth) {
        std::vector<u64> own(live, live + stack_.back().words);
        std::vector<u64> own_open(open, open + stack_.back().open_words());
        visit_in_place<W>(own.data(), own_open.data(), depth);
    }

    // Look at a node: end it, follow forced moves, or push a frame for its children.
    template <u32 W>
    void visit_in_place(u64 *live, u64 *open, u32 depth) {
        Block &block = stack_.back();
        const u32 open_words = block.open_words();
        for (;;) {
            u64 any = 0;
            for (u32 w = 0; w < open_words; ++w) any |= open[w];
            if (ledger_.costs() && !look_.affordable<W>(block, live, open)) return counters_.node(depth, 0);
            if (any == 0) return solution(depth);
            blocks_.recount(block);
            const Fewest best = look_.fewest_choices<W>(block, live, open);
            counters_.node(depth, static_cast<i32>(best.count));
            if (best.count == 0) return choice_.failed(block.column[best.column]);
            if (choice_.leftmost()) return branch<W>(look_.leftmost<W>(block, live, open), live, open, depth);
            if (best.count > 1) return branch<W>(look_.preferred<W>(best, block, live, open), live, open, depth);
            if (!force<W>(block, live, open, depth)) return;
        }
    }

    // Make all forced moves that one look has shown; false if two of them exclude each other.
    template <u32 W>
    bool force(const Block &block, u64 *live, u64 *open, u32 &depth) {
        u32 moves = 0;
        for (u32 g = 0; g < block.groups; ++g)
            for (u32 single = look_.single(g); single != 0; single &= single - 1) {
                const u32 c = g * 8 + lowest(single);
                if ((open[c / 64] >> c % 64 & 1) == 0) continue;
                const u32 bit = look_.first_live<W>(block, c, live);
                if (bit == kNone) {
                    if (ledger_.need(block.column[c]) == 0) {  // it is covered often enough
                        open[c / 64] &= ~(u64{1} << c % 64);
                        continue;
                    }
                    choice_.failed(block.column[c]);
                    return false;
                }
                ledger_.choose(depth, block.option[bit]);
                chosen_[depth++] = block.option[bit];
                look_.exclude<W>(block, bit, live, open);
                ++counters_.updates;
                if (moves++ > 0) counters_.node(depth - 1, 1);
            }
        return true;
    }

    template <u32 W>
    void branch(Fewest best, const u64 *live, const u64 *open, u32 depth) {
        const u32 words = W != 0 ? W : stack_.back().words;
        const u32 open_words = stack_.back().open_words();
        u32 options = 0, items = 0;
        for (u32 w = 0; w < words; ++w) options += popcount(live[w]);
        for (u32 w = 0; w < open_words; ++w) items += popcount(open[w]);
        const Block &from = stack_.back();
        if (options <= Leaf::kMost && items <= Leaf::kMost && !ledger_.costs() && !counters_.profile.on) {
            leaf_.begin(from, live, open, best.column, depth);
            ++counters_.compactions;
            return;
        }
        if ((options + 63) / 64 * 2 > words) {
            push_frame(from, best.column, live, open, depth, best.count, false);
            return;
        }
        const u32 column = from.column[best.column];
        push_block(blocks_.compacted(from, live, open, options, items, arena_));
        ++counters_.compactions;
        const Block &block = stack_.back();
        fill_ones(live_, options, block.words);
        fill_ones(open_, items, block.open_words());
        push_frame(block, blocks_.place(column) - Block::kFirst, live_.data(), open_.data(), depth, best.count, true);
    }

    void push_frame(const Block &block, u32 c, const u64 *live, const u64 *open, u32 depth, u32 degree, bool first) {
        const u64 *column = block.primary() + c;
        const Arena::Mark before = arena_.mark();
        u64 *memory = arena_.take<u64>(2 * std::size_t{block.words} + block.open_words());
        const i32 need = ledger_.need(block.column[c]);
        Frame frame{memory, memory + block.words, memory + 2 * std::size_t{block.words},
                    static_cast<u32>(stack_.size() - 1), depth, degree, need > 0 ? kNone : c, first, before};
        for (u32 w = 0; w < block.words; ++w) {
            frame.live[w] = live[w];
            frame.rest[w] = live[w] & column[std::size_t{w} * block.stride];
        }
        for (i32 last = 1; last < need; ++last) {  // the first of several cannot be one of the last
            u32 w = block.words - 1;
            while (frame.rest[w] == 0) --w;
            frame.rest[w] &= ~(u64{1} << (63 - __builtin_clzll(frame.rest[w])));
        }
        std::copy_n(open, block.open_words(), frame.open);
        frames_.push_back(frame);
    }

    const Problem &problem_;
    Counters &counters_;
    Choice &choice_;
    Ledger &ledger_;
    Arena kept_, arena_;
    Block whole_;
    Blocks blocks_;
    std::vector<Block> stack_;
    std::vector<Frame> frames_;
    Look look_;
    std::vector<u32> chosen_;
    std::vector<u64> live_, open_;
    u32 base_depth_ = 0;
    bool started_ = false;
    Leaf leaf_;
    Found *found_ = nullptr;
    std::size_t most_ = 0;
    std::int64_t work_ = 0;
};

}  // namespace exactcover::EXACTCOVER_ISA
