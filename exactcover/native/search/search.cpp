// The whole search: a trunk of sparse sets where the problem is large, or planes where items have few options;
// dense blocks below.
//
// This file is compiled once for each instruction set, under the name EXACTCOVER_ISA.
#include "search/search.hpp"

#include "search/dense.hpp"
#include "search/planes.hpp"
#include "search/trunk.hpp"

namespace exactcover::EXACTCOVER_ISA {

namespace {

constexpr u64 kMostDenseWords = u64{1} << 22;  // 32 MiB of vectors

class WholeSearch final : public Search {
public:
    WholeSearch(std::shared_ptr<const Problem> problem, u32 most_dense_options, const Poll &poll)
        : problem_(std::move(problem)), most_dense_options_(most_dense_options), choice_(problem_->primary),
          ledger_(*problem_), dense_(*problem_, counters_, choice_, ledger_) {
        if (!fits(problem_->options)) {
            trunk_ = std::make_unique<Trunk>(*problem_, ledger_, poll);
            start_ = trunk_->mark();
        } else if (problem_->plain() && Planes::pays(*problem_)) {
            planes_ = std::make_unique<Planes>(*problem_, counters_, choice_, dense_.chosen());
        }
    }

    bool begin(std::span<const u32> given, std::span<const u32> without, Heuristic heuristic,
               std::size_t cheapest) override {
        dense_.drop();
        ledger_.look_for(problem_->cost.size() == problem_->options ? cheapest : 0);
        choice_.use(heuristic);
        frames_.clear();
        options_to_try_.clear();
        covered_depth_ = kNone;
        if (planes() != nullptr) return planes_->begin(given, without);
        return trunk_ == nullptr ? begin_dense(given, without) : begin_trunk(given, without);
    }

    Root root() override {
        if (planes() != nullptr) return planes_->root();
        Root root;
        if (covered_depth_ == kNone && frames_.empty()) return dense_.done() ? root : dense_.root();
        root.dead = false;
        const u32 depth = covered_depth_ != kNone ? covered_depth_ : frames_.back().depth;
        root.chosen.assign(dense_.chosen(), dense_.chosen() + depth);
        if (covered_depth_ != kNone) return root;
        root.next = options_to_try_;
        root.none = frames_.back().none;
        return root;
    }

    std::vector<Step> probe(u64 seed, const Poll &poll) override {
        constexpr std::size_t kStepsToPoll = 16;
        Chance chance(seed);
        std::vector<Step> steps;
        u32 children = 1;
        u64 nodes = counters_.nodes, solutions = counters_.solutions;
        begin({}, {}, Heuristic::mrv, 0);
        settle();
        for (;;) {
            steps.push_back({children, counters_.nodes - nodes, counters_.solutions - solutions});
            children = narrow(chance);
            if (children == 0) return steps;
            if (steps.size() % kStepsToPoll == 0) poll();
            nodes = counters_.nodes;
            solutions = counters_.solutions;
            visit_one();
            settle();
        }
    }

    void cheapest(Found &found) const override {
        ledger_.cheapest([&](const std::vector<u32> &options) { found.add(options.data(), options.size()); });
    }

    bool advance(u64 work, std::size_t most, Found *found) override {
        std::int64_t left = static_cast<std::int64_t>(work);
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
                if (planes_->rest.ready) dense_.begin(planes_->rest.options, planes_->rest.open, planes_->rest.depth);
                planes_->rest.ready = false;
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
        double behind = 0, share = 1;
        for (const Frame &frame : frames_)
            Dense::add_share(frame.degree + frame.none, frame.degree + frame.none - frame.tried, behind, share);
        if (planes() != nullptr)
            planes_->shares([&](u32 degree, u32 left) { Dense::add_share(degree, left, behind, share); });
        dense_.explored(behind, share);
        return behind + share / 2;
    }

    std::size_t bytes() const override {
        return problem_->bytes() + dense_.bytes() + (trunk_ == nullptr ? 0 : trunk_->bytes()) +
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
        bool none;           // in a last child the item has no more option
        Trunk::Mark before;  // nothing tried yet
        Trunk::Mark here;    // what was tried is out of the game; an item covered exactly once is covered
    };

    const Planes *planes() const { return counters_.profile.on ? nullptr : planes_.get(); }

    bool fits(u32 options) const {
        return options <= most_dense_options_ && u64{problem_->columns} * ((options + 63) / 64) <= kMostDenseWords &&
               problem_->columns < kMostRanked;
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

    // -- one way down --------------------------------------------------------------------------------

    // Visit what was begun and not yet looked at.
    void settle() {
        std::int64_t none = 0;
        if (covered_depth_ != kNone) ++counters_.solutions;
        covered_depth_ = kNone;
        if (!dense_.done()) dense_.advance(none, 1, nullptr);
        if (planes() == nullptr) return;
        planes_->advance(none, 1, nullptr);
        if (!planes_->rest.ready) return;
        planes_->rest.ready = false;
        dense_.begin(planes_->rest.options, planes_->rest.open, planes_->rest.depth);
        dense_.advance(none, 1, nullptr);
    }

    // Visit one child.
    void visit_one() {
        std::int64_t one = 1;
        if (!dense_.done()) dense_.advance(one, 1, nullptr);
        else if (planes() != nullptr) planes_->advance(one, 1, nullptr);
        else next_child();
    }

    // Leave the newest node a random one of its children; returns how many there were.
    u32 narrow(Chance &chance) {
        if (!dense_.done()) return dense_.narrow(chance);
        if (planes() != nullptr) return planes_->narrow(chance);
        if (frames_.empty()) return 0;
        Frame &frame = frames_.back();
        const u32 children = frame.degree + frame.none - std::min(frame.tried, frame.degree + frame.none);
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

    // Look at the node where the trunk stands.
    void visit(u32 depth) {
        if (trunk_->covered()) {
            counters_.node(depth, Profile::kSolution);
            covered_depth_ = depth;
            return;
        }
        if (fits(trunk_->live())) {
            trunk_->rest(options_, open_);
            dense_.begin(options_, open_, depth);
            return;
        }
        const u32 item = trunk_->branching(choice_);
        counters_.node(depth, static_cast<i32>(trunk_->degree(item)));
        if (trunk_->degree(item) == 0) return choice_.failed(item);
        const bool none = ledger_.need(item) == 0;
        Frame frame{options_to_try_.size(), item, 0, trunk_->degree(item) - none, depth, none, trunk_->mark(), {}};
        trunk_->options(item, options_to_try_);
        options_to_try_.resize(frame.first + frame.degree);  // the first of several cannot be one of the last
        if (!ledger_.counts()) trunk_->cover(item);
        frame.here = trunk_->mark();
        frames_.push_back(frame);
    }

    // Choose the next option of the newest frame, or drop the frame; returns the work done.
    std::int64_t next_child() {
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
        if (frame.tried >= frame.degree || (ledger_.costs() && too_dear(frame))) {
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

    // Whether none of the options that are left to try can be paid for; they ascend by cost.
    bool too_dear(const Frame &frame) const {
        return !frame.none && options_to_try_[frame.first + frame.tried] >= ledger_.affordable();
    }

    std::shared_ptr<const Problem> problem_;
    const u32 most_dense_options_;
    Choice choice_;
    Ledger ledger_;
    Dense dense_;
    std::unique_ptr<Planes> planes_;  // where items have few options
    std::unique_ptr<Trunk> trunk_;    // where there are too many
    Trunk::Mark start_{};
    std::vector<Frame> frames_;
    std::vector<u32> options_to_try_;
    std::vector<u32> options_, open_;
    u32 covered_depth_ = kNone;
};

}  // namespace

std::unique_ptr<Search> make_search(std::shared_ptr<const Problem> problem, u32 most_dense_options, const Poll &poll) {
    return std::make_unique<WholeSearch>(std::move(problem), most_dense_options, poll);
}

}  // namespace exactcover::EXACTCOVER_ISA
