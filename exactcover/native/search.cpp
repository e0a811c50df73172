// The whole search: a trunk of sparse sets where the problem is large, or planes where items have few options;
// dense blocks below.
//
// This file is compiled once for each instruction set, under the name EXACTCOVER_ISA.
#include "search.hpp"

#include "dense.hpp"
#include "planes.hpp"
#include "trunk.hpp"

namespace exactcover::EXACTCOVER_ISA {

namespace {

constexpr u64 kMostDenseWords = u64{1} << 22;  // 32 MiB of vectors

class WholeSearch final : public Search {
public:
    WholeSearch(std::shared_ptr<const Problem> problem, u32 most_dense_options, const Poll &poll)
        : problem_(std::move(problem)), most_dense_options_(most_dense_options), choice_(problem_->primary),
          dense_(*problem_, counters_, choice_) {
        if (!fits(problem_->options)) {
            trunk_ = std::make_unique<Trunk>(*problem_, poll);
            start_ = trunk_->mark();
        } else if (Planes::pays(*problem_)) {
            planes_ = std::make_unique<Planes>(*problem_, counters_, choice_, dense_.chosen());
        }
    }

    bool begin(std::span<const u32> given, Heuristic heuristic) override {
        dense_.drop();
        choice_.use(heuristic);
        frames_.clear();
        options_to_try_.clear();
        covered_depth_ = kNone;
        if (planes_ != nullptr) return planes_->begin(given);
        return trunk_ == nullptr ? begin_dense(given) : begin_trunk(given);
    }

    bool root(std::vector<u32> &chosen, std::vector<u32> &next) override {
        chosen.clear();
        next.clear();
        if (covered_depth_ != kNone) {
            chosen.assign(dense_.chosen(), dense_.chosen() + covered_depth_);
            return true;
        }
        if (planes_ != nullptr) return planes_->root(chosen, next);
        if (frames_.empty()) return !dense_.done() && dense_.root(chosen, next);
        chosen.assign(dense_.chosen(), dense_.chosen() + frames_.back().depth);
        next = options_to_try_;
        return true;
    }

    bool advance(u64 work, std::size_t most, Found *found) override {
        std::int64_t left = static_cast<std::int64_t>(work);
        while (left > 0 && !(found != nullptr && found->end.size() >= most)) {
            if (covered_depth_ != kNone) {
                ++counters_.solutions;
                if (found != nullptr) found->add(dense_.chosen(), covered_depth_);
                covered_depth_ = kNone;
            } else if (!dense_.done()) {
                dense_.advance(left, most, found);
            } else if (planes_ != nullptr && !planes_->done()) {
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
               (planes_ != nullptr && !planes_->done());
    }

    double explored() const override {
        double behind = 0, share = 1;
        for (const Frame &frame : frames_) Dense::add_share(frame.degree, frame.degree - frame.tried, behind, share);
        if (planes_ != nullptr)
            planes_->shares([&](u32 degree, u32 left) { Dense::add_share(degree, left, behind, share); });
        dense_.explored(behind, share);
        return behind + share / 2;
    }

    std::size_t bytes() const override {
        return problem_->bytes() + dense_.bytes() + (trunk_ == nullptr ? 0 : trunk_->bytes()) +
               (planes_ == nullptr ? 0 : planes_->bytes());
    }

private:
    static constexpr u32 kNone = ~u32{0};

    // A node of the trunk with children left: its item is covered.
    struct Frame {
        std::size_t first;  // of its options to try
        u32 tried;
        u32 degree;
        u32 depth;
        Trunk::Mark before;  // the item still open
        Trunk::Mark covered;
    };

    bool fits(u32 options) const {
        return options <= most_dense_options_ && u64{problem_->columns} * ((options + 63) / 64) <= kMostDenseWords &&
               problem_->columns < kMostRanked;
    }

    bool begin_dense(std::span<const u32> given) {
        dense_.begin_whole();
        for (u32 option : given)
            if (!dense_.choose_first(option)) {
                dense_.drop();
                return false;
            }
        return true;
    }

    bool begin_trunk(std::span<const u32> given) {
        trunk_->undo(start_);
        u32 depth = 0;
        for (u32 option : given) {
            if (!trunk_->possible(option)) return false;
            dense_.chosen()[depth++] = option;
            trunk_->choose(option);
        }
        visit(depth);
        return true;
    }

    // Look at the node where the trunk stands.
    void visit(u32 depth) {
        if (trunk_->covered()) {
            ++counters_.nodes;
            covered_depth_ = depth;
            return;
        }
        if (fits(trunk_->live())) {
            trunk_->rest(options_, open_);
            dense_.begin(options_, open_, depth);
            return;
        }
        ++counters_.nodes;
        const u32 item = trunk_->branching(choice_);
        if (trunk_->size(item) == 0) return choice_.failed(item);
        Frame frame{options_to_try_.size(), 0, trunk_->size(item), depth, trunk_->mark(), {}};
        trunk_->options(item, options_to_try_);
        trunk_->cover(item);
        frame.covered = trunk_->mark();
        frames_.push_back(frame);
    }

    // Choose the next option of the newest frame, or drop the frame; returns the work done.
    std::int64_t next_child() {
        Frame &frame = frames_.back();
        trunk_->undo(frame.covered);
        if (frame.tried == frame.degree) {
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
        trunk_->choose(option);
        visit(depth + 1);
        return 1 + (live - trunk_->live()) / 8;
    }

    std::shared_ptr<const Problem> problem_;
    const u32 most_dense_options_;
    Choice choice_;
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
