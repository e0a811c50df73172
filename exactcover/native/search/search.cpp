// The whole search: planes if items have few options, a trunk of sparse sets if looking at vectors would take longer than
// changing the sets; dense blocks below.
//
// This file is compiled once for each instruction set: see base/isa.hpp.
#include "search/search.hpp"

#include "search/chance.hpp"
#include "search/dense.hpp"
#include "search/explored.hpp"
#include "search/planes.hpp"
#include "search/trunk.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

namespace {

constexpr u64 kMaxDenseWords = u64{1} << 22;  // 32 MiB of vectors
// A node of a block looks at as many words as its open columns have; a node of sparse sets removes entries one by one, in
// the time of about 20 words each. A block made below the trunk has to be written first, and choices remove less there.
constexpr u64 kWordsPerEntry = 20, kWordsPerEntryBelow = 2;
constexpr u64 kFewWords = 4096, kFewWordsBelow = 1024;  // looking at so few is always worth it

// How many entries an average choice removes: those of all options of its items.
u64 count_touched(const Problem &problem) {
    if (problem.options == 0) return 0;
    List<u64> options(problem.columns, 0);
    for (u32 column : problem.entry) ++options[problem.whole[column]];
    u128 removed = 0;  // options, by all choices
    for (u32 item = 0; item < problem.columns; ++item) {
        const bool again = item < problem.primary && !problem.high.empty() && problem.high[item] > 1;
        removed += again ? options[item] : options[item] * options[item];
    }
    return static_cast<u64>(removed * problem.entry.size() / problem.options / problem.options);
}

class WholeSearch final : public Search {
public:
    WholeSearch(const std::shared_ptr<const Problem> &held, u32 most_dense_options, const Poll &poll)
        : Search(held), problem_(problem()), most_dense_options_(most_dense_options), rule_(problem_.primary),
          ledger_(problem_), dense_(problem_, counters_, rule_, ledger_), touched_(count_touched(problem_)) {
        if (!fits(problem_.options, problem_.primary, kWordsPerEntry, kFewWords)) {
            trunk_ = std::make_unique<Trunk>(problem_, ledger_, rule_, poll);
            start_ = trunk_->mark();
        }
        if (problem_.options <= most_dense_options_ && problem_.plain() && Planes::pays(problem_, touched_))
            planes_ = std::make_unique<Planes>(problem_, counters_, rule_, dense_.chosen());
    }

    bool begin(std::span<const u32> given, std::span<const u32> without, Heuristic heuristic, std::size_t cheapest,
               i64 ceiling) override {
        dense_.drop();
        ledger_.look_for(problem_.cost.size() == problem_.options ? cheapest : 0, ceiling);
        rule_.use(heuristic);
        frames_.clear();
        options_to_try_.clear();
        covered_depth_ = kNone;
        if (planes() != nullptr) return planes_->begin(given, without);
        return trunk_ == nullptr ? begin_dense(given, without) : begin_trunk(given, without);
    }

    void root(Root &root) override {
        if (planes() != nullptr) return planes_->root(root);
        if (covered_depth_ == kNone && frames_.empty()) {
            if (!dense_.done()) dense_.root(root);
            return;
        }
        root.set_chosen(dense_.chosen(), covered_depth_ != kNone ? covered_depth_ : frames_.back().depth);
        if (covered_depth_ != kNone) return;
        for (u32 option : options_to_try_) root.add_next(option);
        root.none = frames_.back().none;
    }

    bool path(Path &path) const override {
        if (covered_depth_ != kNone || !dense_.settled() || (planes() != nullptr && !planes_->settled())) return false;
        path.set_chosen(dense_.chosen(), dense_.most_chosen());
        for (const Frame &frame : frames_) {
            path.add_node(frame.depth, frame.none && frame.tried <= frame.degree);
            for (u32 k = frame.tried; k < frame.degree; ++k) path.add_next(options_to_try_[frame.first + k]);
        }
        if (planes() != nullptr) planes_->path(path);
        dense_.path(path);
        return true;
    }

    void probe(u64 seed, std::span<const u32> given, std::span<const u32> without, bool listing, const Poll &poll,
               Probe &probe) override {
        constexpr u32 kStepsToPoll = 16;
        Chance chance(seed);
        u32 children = 1;
        u64 nodes = counters_.nodes, solutions = counters_.solutions;
        if (!begin(given, without, Heuristic::mrv, 0, 0)) return;
        Found listed, *found = listing ? &listed : nullptr;
        settle(found);
        for (u32 steps = 1;; ++steps) {
            probe.add({children, counters_.nodes - nodes, counters_.solutions - solutions});
            children = narrow(chance);
            if (children == 0) return;
            if (steps % kStepsToPoll == 0) poll();
            nodes = counters_.nodes;
            solutions = counters_.solutions;
            visit_one(found);
            settle(found);
        }
    }

    void cheapest(Found &found) const override {
        ledger_.cheapest([&](const List<u32> &options) { found.add(options.data(), options.size()); });
    }

    bool advance(u64 work, std::size_t most, Found *found) override {
        i64 left = static_cast<i64>(work);
        while (left > 0 && !(found != nullptr && found->end.size() >= most)) {
            if (covered_depth_ != kNone) {
                if (ledger_.costs()) {
                    ledger_.offer(dense_.chosen(), covered_depth_);
                } else {
                    ++counters_.solutions;
                    if (found != nullptr) found->add(dense_.chosen(), covered_depth_);
                }
                covered_depth_ = kNone;
            } else if (!dense_.done()) {
                dense_.advance(left, most, found);
            } else if (planes() != nullptr && !planes_->done()) {
                planes_->advance(left, most, found);
                if (planes_->residual.ready)
                    dense_.begin(planes_->residual.options, planes_->residual.open, planes_->residual.depth);
                planes_->residual.ready = false;
            } else if (!frames_.empty()) {
                left -= next_child();
            } else {
                return false;
            }
        }
        return covered_depth_ != kNone || !dense_.done() || !frames_.empty() ||
               (planes() != nullptr && !planes_->done());
    }

    double explored() const override {
        Explored explored;
        for (const Frame &frame : frames_) explored.descend(frame.children(), frame.children() - frame.tried);
        if (planes() != nullptr) planes_->explored(explored);
        dense_.explored(explored);
        return explored.value();
    }

    std::size_t bytes() const override {
        return problem_.bytes() + dense_.bytes() + (trunk_ == nullptr ? 0 : trunk_->bytes()) +
               (planes_ == nullptr ? 0 : planes_->bytes());
    }

private:
    // A node of the trunk with children left.
    struct Frame {
        std::size_t first;  // of its options to try
        u32 item;
        u32 tried;
        u32 degree;  // how many options to try
        u32 depth;
        bool none;           // a last child leaves all options of the item out
        Trunk::Mark before;  // the node itself
        Trunk::Mark here;    // options tried are left out; the item is covered, if it is covered exactly once
        u32 children() const { return degree + none; }
    };

    const Planes *planes() const { return counters_.profile.on ? nullptr : planes_.get(); }

    // Whether a subproblem becomes a block. Each node looks at the open columns; the excluding ones are only written. With
    // costs, a block knows more about what can be afforded, so it is worth any time.
    bool fits(u32 options, u32 open, u64 words_per_entry, u64 few_words) const {
        constexpr u32 kWritten = 8;
        const u64 words = words_for(options);
        const u64 excluding = std::min(u64{problem_.columns - problem_.primary}, u64{options} * 2 * problem_.most_secondary);
        return problem_.rules.empty() && options <= most_dense_options_ && open < kMaxRanked && (open + excluding) * words <= kMaxDenseWords &&
               (!problem_.cost.empty() ||
                (open + excluding / kWritten) * words <= std::max(few_words, touched_ * words_per_entry));
    }

    bool begin_dense(std::span<const u32> given, std::span<const u32> without) {
        dense_.begin_whole();
        for (u32 option : given)
            if (!dense_.choose_first(option)) {
                dense_.drop();
                return false;
            }
        for (u32 option : without) dense_.leave_out(option);
        return true;
    }

    bool begin_trunk(std::span<const u32> given, std::span<const u32> without) {
        trunk_->undo(start_);
        trunk_->use_rule();
        u32 depth = 0;
        for (u32 option : given) {
            if (!trunk_->possible(option)) return false;
            ledger_.choose(depth, option);
            dense_.chosen()[depth++] = option;
            trunk_->choose(option);
        }
        for (u32 option : without) trunk_->leave_out(option);
        visit(depth);
        return true;
    }

    // -- one random path -----------------------------------------------------------------------------

    static constexpr std::size_t kAny = ~std::size_t{0};  // number of solutions that may be found

    // Visit what was begun and not yet looked at.
    void settle(Found *found) {
        i64 none = 0;
        if (covered_depth_ != kNone) ++counters_.solutions;
        covered_depth_ = kNone;
        if (!dense_.done()) dense_.advance(none, kAny, found);
        if (planes() == nullptr) return;
        planes_->advance(none, kAny, found);
        if (!planes_->residual.ready) return;
        planes_->residual.ready = false;
        dense_.begin(planes_->residual.options, planes_->residual.open, planes_->residual.depth);
        dense_.advance(none, kAny, found);
    }

    // Visit one child.
    void visit_one(Found *found) {
        i64 one = 1;
        if (!dense_.done()) dense_.advance(one, kAny, found);
        else if (planes() != nullptr) planes_->advance(one, kAny, found);
        else next_child();
    }

    // Keep a random child of the newest node only; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!dense_.done()) return dense_.narrow(chance);
        if (planes() != nullptr) return planes_->narrow(chance);
        if (frames_.empty()) return 0;
        Frame &frame = frames_.back();
        const u32 children = frame.children() - std::min(frame.tried, frame.children());
        if (children == 0) return 0;
        const u32 kept = frame.tried + chance.below(children);
        trunk_->undo(frame.here);
        ledger_.back(frame.depth);
        for (u32 k = 0; ledger_.counts() && k + 1 < kept; ++k) trunk_->leave_out(options_to_try_[frame.first + k]);
        frame.here = trunk_->mark();
        frame.tried = kept;
        frame.none = kept == frame.degree;
        frame.degree = std::min(frame.degree, kept + 1);
        return children;
    }

    // Visit the node where the trunk stands.
    void visit(u32 depth) {
        u32 item;
        if (breaks_rules(depth)) {
            counters_.node(depth, 0);
            return counters_.log_pruned(1);
        }
        for (;;) {
            if (trunk_->open() == 0) {
                counters_.solution_node(depth);
                covered_depth_ = depth;
                return;
            }
            item = trunk_->branching();
            const bool dead = trunk_->degree(item) == 0;
            if (!dead && fits(trunk_->live(), trunk_->open(), kWordsPerEntryBelow, kFewWordsBelow)) {
                trunk_->residual(options_, open_);
                dense_.begin(options_, open_, depth);
                return;
            }
            counters_.node(depth, static_cast<i32>(trunk_->degree(item)));
            if (dead) {
                counters_.log_branch(item, 0);
                return rule_.failed(item);
            }
            if (ledger_.need(item) > 0 || trunk_->degree(item) > 1) break;
            trunk_->give_up(item);  // no option of the item is left, and none is needed
            if (trunk_->open() == 0 && breaks_rules(depth)) return counters_.log_pruned(1);
        }
        const bool none = ledger_.need(item) == 0;
        counters_.log_branch(item, trunk_->degree(item));
        Frame frame{options_to_try_.size(), item, 0, trunk_->degree(item) - none, depth, none, trunk_->mark(), {}};
        trunk_->options(item, options_to_try_);
        options_to_try_.resize(frame.first + frame.degree);  // see multiplicity.hpp
        if (!ledger_.counts()) trunk_->cover(item);
        frame.here = trunk_->mark();
        frames_.push_back(frame);
    }

    // Whether rules are broken at the node where the trunk stands, whatever follows.
    bool breaks_rules(u32 depth) {
        if (problem_.rules.empty()) return false;
        possible_.resize(ruled().size());
        const bool over = trunk_->open() == 0;
        for (std::size_t k = 0; k < possible_.size() && !over; ++k) possible_[k] = trunk_->possible(ruled()[k]);
        return !rules_hold(dense_.chosen(), depth, over ? nullptr : possible_.data());
    }

    // Choose the next option of the newest frame, or drop the frame; returns the work done.
    i64 next_child() {
        Frame &frame = frames_.back();
        trunk_->undo(frame.here);
        ledger_.back(frame.depth);
        if (ledger_.counts() && frame.tried > 0 && frame.tried <= frame.degree) {
            trunk_->leave_out(options_to_try_[frame.first + frame.tried - 1]);
            frame.here = trunk_->mark();
        }
        if (frame.tried == frame.degree && frame.none) {
            ++frame.tried;
            trunk_->give_up(frame.item);
            visit(frame.depth);
            return 1;
        }
        if (frame.tried >= frame.degree || (ledger_.costs() && too_expensive(frame))) {
            counters_.log_pruned(frame.degree - std::min(frame.tried, frame.degree));
            trunk_->undo(frame.before);
            options_to_try_.resize(frame.first);
            frames_.pop_back();
            return 1;
        }
        const u32 live = trunk_->live();
        const u32 option = options_to_try_[frame.first + frame.tried++];
        const u32 depth = frame.depth;
        dense_.chosen()[depth] = option;
        ++counters_.updates;
        ledger_.choose(depth, option);
        trunk_->choose(option);
        visit(depth + 1);
        return 1 + (live - trunk_->live()) / 8;
    }

    // Whether none of the options left to try can be afforded; they ascend by cost.
    bool too_expensive(const Frame &frame) const {
        return !frame.none && options_to_try_[frame.first + frame.tried] >= ledger_.affordable();
    }

    const Problem &problem_;
    const u32 most_dense_options_;
    BranchingRule rule_;
    Ledger ledger_;
    Dense dense_;
    const u64 touched_;  // by an average choice
    std::unique_ptr<Planes> planes_;  // if items have few options
    std::unique_ptr<Trunk> trunk_;    // if the problem is large
    Trunk::Mark start_{};
    List<Frame> frames_;
    List<u32> options_to_try_;
    List<u32> options_, open_;
    List<u8> possible_;  // of each option that a rule asks for
    u32 covered_depth_ = kNone;
};

}  // namespace

Search *new_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options, const Poll &poll) {
    return new WholeSearch(problem, most_dense_options, poll);
}

}  // namespace exactcover::inline EXACTCOVER_ISA
