// Depth-first search over dense blocks, with a stack of its own, so that it can pause anywhere.
//
// A node is a set of live options and a set of open items. The search branches on the open item with the fewest
// choices; if there is only one choice, it is made in place. When the live options would fit into half of the words of
// a large block, the subproblem is compacted into a block of its own; most of the work is done in leaves, blocks of one
// word.
#pragma once

#include <algorithm>

#include "base/arena.hpp"
#include "base/multiplicity.hpp"
#include "search/block.hpp"
#include "search/block_node.hpp"
#include "search/explored.hpp"
#include "search/force.hpp"
#include "search/leaf.hpp"
#include "search/results.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Dense {
public:
    Dense(const Problem &problem, Counters &counters, BranchingRule &rule, Ledger &ledger)
        : problem_(problem), counters_(counters), rule_(rule), ledger_(ledger), blocks_(problem, rule, ledger),
          node_(problem, blocks_, ledger), chosen_(problem.most_chosen() + 1), leaf_(problem, blocks_, rule, ledger) {}

    // Begin with a subproblem that is left after `depth` options, in chosen(), have been chosen.
    void begin(const List<u32> &options, const List<u32> &open, u32 depth) {
        drop();
        stack_.push_back(blocks_.from_options(options, open, arena_));
        begin_newest(depth);
    }

    // Begin with the whole problem; its block is made once and kept.
    void begin_whole() {
        drop();
        if (whole_.data == nullptr) {
            List<u32> options(problem_.options), open(problem_.primary);
            for (u32 option = 0; option < problem_.options; ++option) options[option] = option;
            for (u32 item = 0; item < problem_.primary; ++item) open[item] = item;
            whole_ = blocks_.from_options(options, open, kept_);
            whole_.before = arena_.mark();
        } else {
            blocks_.enter(whole_);
        }
        stack_.push_back(whole_);
        begin_newest(0);
    }

    // Choose an option of the whole problem, just begun; returns false if it is no longer live.
    bool choose_first(u32 option) {
        if (!has_bit(live_.data(), option)) return false;
        ledger_.choose(base_depth_, option);
        chosen_[base_depth_++] = option;
        node_.choose<0>(stack_.back(), option, live_.data(), open_.data());
        ++counters_.updates;
        return true;
    }

    // Leave out an option of the whole problem, just begun.
    void leave_out(u32 option) { clear_bit(live_.data(), option); }

    // Drop a search that was not finished.
    void drop() {
        leaf_.drop();
        frames_.clear();
        if (!stack_.empty()) arena_.release(stack_.front().before);
        stack_.clear();
        started_ = false;
    }

    bool done() const { return stack_.empty(); }
    u32 *chosen() { return chosen_.data(); }
    const u32 *chosen() const { return chosen_.data(); }
    u32 most_chosen() const { return static_cast<u32>(chosen_.size()); }

    // Go on until the work is used up, `found` holds `most` solutions, or the tree is exhausted.
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

    // Find the root of what was just begun.
    void root(Root &root) {
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
                for (u32 place : ones_of(frame.rest[w])) root.add_next(stack_[frame.block].option[w * 64 + place]);
        } else {
            return;
        }
        root.set_chosen(chosen_.data(), depth);
    }

    // Keep a random child of the newest node only; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!leaf_.empty()) return leaf_.narrow(chance);
        if (frames_.empty()) return 0;
        Frame &frame = frames_.back();
        const u32 children = untried(frame);
        if (children == 0) return 0;
        if (BlockNode::keep_one(frame.rest, frame.live, stack_[frame.block].words, chance.below(children)))
            frame.none = kNone;
        return children;
    }

    // Whether the search stands between two nodes of a block, not at its beginning or in a leaf.
    bool settled() const { return !started_ && leaf_.empty(); }

    // As Search::path.
    void path(Path &path) const {
        for (const Frame &frame : frames_) {
            path.add_node(frame.depth, frame.none != kNone);
            for (u32 w = 0; w < stack_[frame.block].words; ++w)
                for (u32 place : ones_of(frame.rest[w])) path.add_next(stack_[frame.block].option[w * 64 + place]);
        }
    }

    void explored(Explored &explored) const {
        for (const Frame &frame : frames_) explored.descend(frame.degree, untried(frame));
        leaf_.explored(explored);
    }

    std::size_t bytes() const {
        return kept_.bytes() + arena_.bytes() + blocks_.bytes() + leaf_.bytes() + chosen_.size() * sizeof(u32) +
               frames_.capacity() * sizeof(Frame);
    }

private:
    static constexpr u32 kWordsCopied = 16;  // while a block is compacted, in a unit of work
    static constexpr u32 kFewWords = 6;      // blocks of at most this many words are only compacted to leaves

    // A node with children left, in a block of several words.
    struct Frame {
        u64 *rest;  // options to try
        u64 *live;
        u64 *open;
        u32 block;
        u32 depth;
        u32 degree;
        u32 none;    // the column whose options are all left out in a last child; kNone if there is no such child
        bool first;  // its block is dropped with it
        Arena::Mark before;
    };

    u32 untried(const Frame &frame) const {
        u32 children = frame.none != kNone;
        for (u32 w = 0; w < stack_[frame.block].words; ++w) children += popcount(frame.rest[w]);
        return children;
    }

    bool full() const { return found_ != nullptr && found_->end.size() >= most_; }

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

    static void fill_ones(List<u64> &vector, u32 ones, u32 words) {
        vector.assign(words, 0);
        for (u32 w = 0; w < ones / 64; ++w) vector[w] = ~u64{0};
        if (ones % 64 != 0) vector[ones / 64] = low_bits(ones % 64);
    }

    void solution(u32 depth) {
        counters_.solution_node(depth);
        if (ledger_.costs()) return ledger_.offer(chosen_.data(), depth);
        ++counters_.solutions;
        if (found_ != nullptr) found_->add(chosen_.data(), depth);
    }

    // Visit the root of a block that was begun from outside.
    void first_visit() {
        const u32 before = static_cast<u32>(frames_.size());
        const List<u64> live = live_, open = open_;
        const std::size_t height = stack_.size();
        visit<0>(live.data(), open.data(), base_depth_);
        if (frames_.size() == before && leaf_.empty()) {
            pop_block();
        } else if (frames_.size() > before && stack_.size() == height) {
            frames_.back().first = true;
        }
    }

    void step() {
        if (!leaf_.empty()) return run_leaf();
        if (frames_.empty()) return pop_block();  // the block that was begun; nothing of it is left
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

    void run_leaf() {
        if (found_ == nullptr) leaf_.run<true>(work_, chosen_.data(), counters_, nullptr, 0);
        else leaf_.run<false>(work_, chosen_.data(), counters_, found_, most_);
        if (leaf_.empty() && counters_.profile.skips_leaves)
            counters_.profile.log_unrecorded(counters_.nodes - before_leaf_.nodes + 1,
                                             counters_.solutions - before_leaf_.solutions);
    }

    // Visit children of the newest frame, until the block changes.
    template <u32 W>
    void run() {
        const std::size_t height = stack_.size();
        const u32 words = W != 0 ? W : stack_.back().words;
        const u32 open_words = stack_.back().open_words();
        const std::int64_t cost = 1 + words * stack_.back().groups / 8;
        List<u64> large;
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
                clear_bit(open, frame.none);
                frame.none = kNone;
                ledger_.back(depth);
                visit_in_place<W>(live, open, depth);
                continue;
            }
            const u32 bit = w * 64 + lowest(frame.rest[w]);
            frame.rest[w] = without_lowest(frame.rest[w]);
            clear_bit(frame.live, bit);  // the next children leave it out
            chosen_[depth] = stack_.back().option[bit];
            ledger_.choose(depth, chosen_[depth]);
            node_.choose<W>(stack_.back(), bit, live, open);
            ++counters_.updates;
            visit_in_place<W>(live, open, depth + 1);
        }
    }

    template <u32 W>
    void visit(const u64 *live, const u64 *open, u32 depth) {
        List<u64> own(live, live + stack_.back().words);
        List<u64> own_open(open, open + stack_.back().open_words());
        visit_in_place<W>(own.data(), own_open.data(), depth);
    }

    // Visit a node: end it, make forced moves, or push a frame for its children.
    template <u32 W>
    void visit_in_place(u64 *live, u64 *open, u32 depth) {
        Block &block = stack_.back();
        const u32 open_words = block.open_words();
        for (;;) {
            u64 any = 0;
            for (u32 w = 0; w < open_words; ++w) any |= open[w];
            if (ledger_.costs() && !node_.affordable<W>(block, live, open)) {
                counters_.log_pruned(1);
                return counters_.node(depth, 0);
            }
            if (any == 0) return solution(depth);
            blocks_.recount(block);
            const Fewest best = node_.fewest_choices<W>(block, live, open);
            counters_.node(depth, static_cast<i32>(best.count));
            if (best.count == 0) return fail(block.column[best.column]);
            if (rule_.leftmost()) {
                const Fewest first = node_.leftmost<W>(block, live, open);
                if (!is_settled<W>(block, first, live)) return branch<W>(first, live, open, depth);
                clear_bit(open, first.column);
                continue;
            }
            if (best.count > 1) return branch<W>(node_.preferred<W>(best, block, live, open), live, open, depth);
            if (!force<W>(block, live, open, depth)) return;
        }
    }

    // Make the forced moves that fewest_choices has found; returns false if they exclude each other.
    template <u32 W>
    bool force(const Block &block, u64 *live, u64 *open, u32 &depth) {
        u32 group = 0, single = node_.single(0), moves = 0;
        const auto next = [&] {
            for (;;) {
                for (; single != 0; single &= single - 1)
                    if (const u32 c = group * 8 + lowest(single); has_bit(open, c)) {
                        single &= single - 1;
                        return c;
                    }
                if (++group >= block.groups) return kNone;
                single = node_.single(group);
            }
        };
        const auto choose = [&](u32 c, u32 bit) {
            counters_.log_branch(block.column[c], 1);
            ledger_.choose(depth, block.option[bit]);
            chosen_[depth++] = block.option[bit];
            node_.choose<W>(block, bit, live, open);
            ++counters_.updates;
            if (moves++ > 0) counters_.node(depth - 1, 1);
        };
        const auto give_up = [&](u32 c) {
            if (ledger_.need(block.column[c]) > 0) {
                fail(block.column[c]);
                return false;
            }
            clear_bit(open, c);
            return true;
        };
        const auto live_option = [&](u32 c) { return BlockNode::first_live<W>(block, c, live); };
        return make_forced_moves(next(), next, live_option, choose, give_up);
    }

    // Whether an item needs no more options and has none left.
    template <u32 W>
    bool is_settled(const Block &block, Fewest item, const u64 *live) const {
        return item.count == 1 && ledger_.need(block.column[item.column]) <= 0 &&
               BlockNode::first_live<W>(block, item.column, live) == kNone;
    }

    // An item has too few options left.
    void fail(u32 item) {
        counters_.log_branch(item, 0);
        rule_.failed(item);
    }

    template <u32 W>
    void branch(Fewest best, const u64 *live, const u64 *open, u32 depth) {
        const u32 words = W != 0 ? W : stack_.back().words;
        const u32 open_words = stack_.back().open_words();
        u32 options = 0, items = 0;
        for (u32 w = 0; w < words; ++w) options += popcount(live[w]);
        for (u32 w = 0; w < open_words; ++w) items += popcount(open[w]);
        const Block &from = stack_.back();
        const bool may_be_leaf = !ledger_.costs() && (!counters_.profile.on || counters_.profile.skips_leaves);
        if (options <= Leaf::kMax && items <= Leaf::kMax && may_be_leaf) {
            leaf_.begin(from, live, open, best.column, depth, counters_.nodes - before_leaf_.nodes);  // as many as before
            ++counters_.compactions;
            before_leaf_ = {counters_.nodes, counters_.solutions};
            return;
        }
        counters_.log_branch(from.column[best.column], best.count);
        if (words <= kFewWords || words_for(options) * 2 > words) {
            push_frame(from, best.column, live, open, depth, best.count, false);
            return;
        }
        const u32 column = from.column[best.column];
        work_ -= std::int64_t{words} * (items + from.excluding) / kWordsCopied;
        stack_.push_back(blocks_.compacted(from, live, open, options, items, arena_));
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
        drop_last(frame.rest, block.words, need - 1);
        std::copy_n(open, block.open_words(), frame.open);
        frames_.push_back(frame);
    }

    const Problem &problem_;
    Counters &counters_;
    BranchingRule &rule_;
    Ledger &ledger_;
    Arena kept_, arena_;
    Block whole_;
    Blocks blocks_;
    List<Block> stack_;
    List<Frame> frames_;
    BlockNode node_;
    List<u32> chosen_;
    List<u64> live_, open_;
    u32 base_depth_ = 0;
    bool started_ = false;
    Leaf leaf_;
    struct {
        u64 nodes, solutions;
    } before_leaf_{};  // what was counted before the newest leaf
    Found *found_ = nullptr;
    std::size_t most_ = 0;
    std::int64_t work_ = 0;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
