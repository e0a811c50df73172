// Search for problems whose items all have few options: live options as planes of items.
//
// Plane k says for each item whether its k-th option is live. So a few operations on each plane find all items with
// none, one or two live options together, and choosing an option clears a fixed pattern of the planes. For many items
// with few options each, as in Sudoku, that is much less than a vector of options for each item.
#pragma once

#include <algorithm>

#include "base/list.hpp"
#include "base/problem.hpp"
#include "base/simd.hpp"
#include "search/chance.hpp"
#include "search/explored.hpp"
#include "search/force.hpp"
#include "search/heuristic.hpp"
#include "search/results.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Planes {
public:
    // A small subproblem that is left, to be counted by other means.
    struct Residual {
        List<u32> options, open;
        u32 depth = 0;
        bool ready = false;
    };

    // Whether looking at the planes takes less than half of the time that looking at vectors of options takes, and no more
    // than removing the entries that a choice touches one by one.
    static bool pays(const Problem &problem, u64 touched) {
        if (problem.columns != problem.primary || problem.options == 0) return false;
        List<u32> degree(problem.primary, 0);
        u32 planes = 0;
        for (u32 item : problem.entry) planes = std::max(planes, ++degree[item]);
        const u64 units = (problem.primary + 511) / 512;  // whatever the width of a vector: all search alike
        return planes <= kMax && problem.primary <= kMaxPrimary && problem.options * planes * units * 64 <= kMaxBytes &&
               planes * units <= touched &&
               8 * planes * units < u64{problem.primary + 7} / 8 * ((problem.options + 63) / 64);
    }

    Planes(const Problem &problem, Counters &counters, BranchingRule &rule, u32 *chosen)
        : problem_(problem), counters_(counters), rule_(rule), chosen_(chosen),
          vectors_((problem.primary + kVectorBits - 1) / kVectorBits), place_(problem.entry.size()) {
        List<u32> degree(problem.primary, 0);
        for (std::size_t e = 0; e < problem.entry.size(); ++e) {
            place_[e] = degree[problem.entry[e]]++;
            planes_ = std::max(planes_, place_[e] + 1);
        }
        option_.resize(std::size_t{problem.primary} * planes_);
        size_ = (planes_ + 1) * vectors_;
        whole_.assign(size_, Vector{});
        for (u32 option = 0; option < problem.options; ++option)
            for (u32 e = problem.start[option]; e < problem.start[option + 1]; ++e) {
                option_[std::size_t{problem.entry[e]} * planes_ + place_[e]] = option;
                set(whole_.data(), place_[e], problem.entry[e]);
            }
        for (u32 item = 0; item < problem.primary; ++item) set(whole_.data(), planes_, item);
        removed_.assign(std::size_t{problem.options} * size_, Vector{});
        for (u32 option = 0; option < problem.options; ++option) fill_removed(option, degree);
        now_.resize(size_);
    }

    // Begin: choose some options and leave others out; returns false if the chosen ones exclude each other.
    bool begin(std::span<const u32> given, std::span<const u32> without) {
        frames_.clear();
        residual.ready = started_ = false;
        now_ = whole_;
        u32 depth = 0;
        for (u32 option : given) {
            if (!live(option)) return false;
            choose(option, depth);
        }
        for (u32 option : without)
            for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e)
                *word(now_.data(), place_[e], problem_.entry[e]) &= ~(u64{1} << problem_.entry[e] % 64);
        base_depth_ = depth;
        return started_ = true;
    }

    bool done() const { return !started_ && frames_.empty(); }

    // Go on until the work is used up, `found` holds `most` solutions, the tree is exhausted, or a residual is ready.
    void advance(i64 &work, std::size_t most, Found *found) {
        if (started_) {
            started_ = false;
            visit(base_depth_, found);
        }
        while (!frames_.empty() && work > 0 && !residual.ready && !(found != nullptr && found->end.size() >= most)) {
            Frame &frame = frames_.back();
            if (frame.tried == frame.degree) {
                frames_.pop_back();
                continue;
            }
            const Vector *level = levels_.data() + (frames_.size() - 1) * size_;
            std::copy_n(level, size_, now_.data());
            while (!has(level, frame.plane, frame.item)) ++frame.plane;
            ++frame.tried;
            u32 depth = frame.depth;
            choose(option_at(frame.item, frame.plane++), depth);
            work -= 1 + size_ * sizeof(Vector) / 512;
            visit(depth, found);
        }
    }

    // Keep a random child of the newest node only; returns how many there were.
    u32 narrow(Chance &chance) {
        if (frames_.empty()) return 0;
        Frame &frame = frames_.back();
        const u32 children = frame.degree - frame.tried;
        if (children == 0) return 0;
        const Vector *level = levels_.data() + (frames_.size() - 1) * size_;
        for (u32 skipped = chance.below(children); skipped > 0; --skipped) {
            while (!has(level, frame.plane, frame.item)) ++frame.plane;
            ++frame.plane;
            ++frame.tried;
        }
        frame.degree = frame.tried + 1;
        return children;
    }

    // As Search::root.
    void root(Root &root) {
        Found solution;
        started_ = false;
        visit(base_depth_, &solution);
        if (frames_.empty() && solution.end.empty()) return;
        root.set_chosen(chosen_, solution.end.empty() ? frames_.back().depth : static_cast<u32>(solution.end.front()));
        for (u32 k = 0; !frames_.empty() && k < planes_; ++k)
            if (has(levels_.data(), k, frames_.back().item)) root.add_next(option_at(frames_.back().item, k));
    }

    // Whether the search stands between two nodes.
    bool settled() const { return !started_ && !residual.ready; }

    // As Search::path.
    void path(Path &path) const {
        for (std::size_t k = 0; k < frames_.size(); ++k) {
            const Frame &frame = frames_[k];
            path.add_node(frame.depth, false);
            for (u32 plane = frame.plane; frame.tried < frame.degree && plane < planes_; ++plane)
                if (has(levels_.data() + k * size_, plane, frame.item)) path.add_next(option_at(frame.item, plane));
        }
    }

    void explored(Explored &explored) const {
        for (const Frame &frame : frames_) explored.descend(frame.degree, frame.degree - frame.tried);
    }

    std::size_t bytes() const {
        return (removed_.size() + levels_.capacity() + 2 * size_) * sizeof(Vector) +
               (option_.size() + place_.size()) * sizeof(u32);
    }

    Residual residual;

private:
    static constexpr u32 kMax = 16;
    static constexpr u32 kMaxPrimary = 1u << 13;
    static constexpr u64 kMaxBytes = u64{1} << 24;

    // A node with children left, the planes of which are a level.
    struct Frame {
        u32 item, plane, tried, degree, depth;
    };

    // The open items with none, one, two or three live options.
    struct Items {
        Vector none, one, two, three;
    };

    u64 *word(Vector *planes, u32 plane, u32 item) const {
        return reinterpret_cast<u64 *>(planes + std::size_t{plane} * vectors_) + item / 64;
    }
    void set(Vector *planes, u32 plane, u32 item) const { *word(planes, plane, item) |= u64{1} << item % 64; }
    bool has(const Vector *planes, u32 plane, u32 item) const {
        return *word(const_cast<Vector *>(planes), plane, item) >> item % 64 & 1;
    }
    u32 option_at(u32 item, u32 plane) const { return option_[std::size_t{item} * planes_ + plane]; }
    bool live(u32 option) const {
        const u32 e = problem_.start[option];
        return e == problem_.start[option + 1] || has(now_.data(), place_[e], problem_.entry[e]);
    }

    // Note what choosing an option removes: all options of its items, and the items from the last plane, that of open
    // items.
    void fill_removed(u32 option, const List<u32> &degree) {
        Vector *removed = removed_.data() + std::size_t{option} * size_;
        for (u32 e = problem_.start[option]; e < problem_.start[option + 1]; ++e) {
            const u32 item = problem_.entry[e];
            set(removed, planes_, item);
            for (u32 k = 0; k < degree[item]; ++k) {
                const u32 other = option_at(item, k);
                for (u32 f = problem_.start[other]; f < problem_.start[other + 1]; ++f)
                    set(removed, place_[f], problem_.entry[f]);
            }
        }
    }

    void choose(u32 option, u32 &depth) {
        const Vector *removed = removed_.data() + std::size_t{option} * size_;
        for (std::size_t k = 0; k < size_; ++k) now_[k] &= ~removed[k];
        chosen_[depth++] = option;
        ++counters_.updates;
    }

    // Find the items with few options in vector v.
    Items few(u32 v) const {
        const Vector open = now_[planes_ * vectors_ + v];
        Vector one{}, two{}, three{}, four{};
        for (u32 k = 0; k < planes_; ++k) {
            const Vector live = now_[k * vectors_ + v];
            four |= three & live;
            three |= two & live;
            two |= one & live;
            one |= live;
        }
        return {open & ~one, open & one & ~two, open & two & ~three, open & three & ~four};
    }

    // Visit a node: end it, make forced moves, or push a frame for its children.
    void visit(u32 depth, Found *found) {
        for (;;) {
            ++counters_.nodes;
            u32 open = 0, forced = 0, dead = kNone;
            for (u32 v = 0; v < vectors_; ++v) {
                const Items items = few(v);
                if (nonzero(items.none) != 0) {
                    dead = first(items.none, v);
                    break;
                }
                open |= nonzero(now_[planes_ * vectors_ + v]);
                forced |= nonzero(items.one);
                items_[v] = items;
            }
            if (dead != kNone) return rule_.failed(dead);
            if (open == 0) return solution(depth, found);
            if (rule_.leftmost()) return branch(leftmost(), depth, found);
            if (forced == 0) return branch(fewest(), depth, found);
            if (!force(depth)) return;
        }
    }

    void solution(u32 depth, Found *found) {
        ++counters_.solutions;
        if (found != nullptr) found->add(chosen_, depth);
    }

    // Make the forced moves that have been found; returns false if they exclude each other.
    bool force(u32 &depth) {
        u32 v = 0, lane = 0, lanes = nonzero(items_[0].one), moves = 0;
        u64 bits = 0;
        const auto next = [&] {
            for (;;) {
                while (bits != 0) {
                    const u32 item = v * kVectorBits + lane * 64 + lowest(bits);
                    bits = without_lowest(bits);
                    if (has(now_.data(), planes_, item)) return item;
                }
                while (lanes == 0) {
                    if (++v == vectors_) return kNone;
                    lanes = nonzero(items_[v].one);
                }
                lane = lowest(lanes);
                lanes &= lanes - 1;
                bits = items_[v].one[lane];
            }
        };
        const auto live_option = [&](u32 item) {
            u32 live = 0;  // planes; without branches, which could not be predicted
            for (u32 k = 0; k < planes_; ++k) live |= static_cast<u32>(has(now_.data(), k, item)) << k;
            return live == 0 ? kNone : option_at(item, lowest(live));
        };
        const auto choose_option = [&](u32, u32 option) {
            choose(option, depth);
            if (moves++ > 0) ++counters_.nodes;
        };
        const auto give_up = [&](u32 item) {
            rule_.failed(item);
            return false;
        };
        return make_forced_moves(next(), next, live_option, choose_option, give_up);
    }

    static u32 first(const Vector &items, u32 v) {
        const u32 lane = lowest(nonzero(items));
        return v * kVectorBits + lane * 64 + lowest(items[lane]);
    }

    // Let `best` be the item with the least penalty; ties go to the first.
    void better(const Vector &items, u32 v, u32 &best) const {
        if (!rule_.weighted()) {
            if (best == kNone && nonzero(items) != 0) best = first(items, v);
            return;
        }
        for (u32 lane : ones_of(nonzero(items)))
            for (u32 bit : ones_of(items[lane])) {
                const u32 item = v * kVectorBits + lane * 64 + bit;
                if (best == kNone || rule_.penalty(item) < rule_.penalty(best)) best = item;
            }
    }

    u32 degree(u32 item) const {
        u32 degree = 0;
        for (u32 k = 0; k < planes_; ++k) degree += has(now_.data(), k, item);
        return degree;
    }

    u32 leftmost() const {
        u32 item = 0;
        while (!has(now_.data(), planes_, item)) ++item;
        return item;
    }

    // The item to branch on, if no item is dead or forced.
    u32 fewest() const {
        u32 best = kNone, least = 0;
        for (u32 v = 0; v < vectors_; ++v) better(items_[v].two, v, best);
        if (best != kNone) return best;
        for (u32 v = 0; v < vectors_; ++v) better(items_[v].three, v, best);
        if (best != kNone) return best;
        for (u32 item = 0; item < problem_.primary; ++item) {
            if (!has(now_.data(), planes_, item)) continue;
            const u32 here = degree(item);
            if (best == kNone || here < least || (here == least && rule_.penalty(item) < rule_.penalty(best))) {
                best = item;
                least = here;
            }
        }
        return best;
    }

    void branch(u32 item, u32 depth, Found *found) {
        if (found == nullptr && small(depth)) return;
        const std::size_t before = frames_.size() * size_;
        if (levels_.size() < before + size_) levels_.resize(2 * before + size_);
        std::copy_n(now_.data(), size_, levels_.data() + before);
        frames_.push_back({item, 0, 0, degree(item), depth});
    }

    // If what is left fits into words, make it the residual.
    bool small(u32 depth) {
        u32 entries = 0, open = 0;
        for (u32 k = 0; k < planes_ * vectors_; ++k) entries += ones(now_[k]);
        for (u32 v = 0; v < vectors_; ++v) open += ones(now_[planes_ * vectors_ + v]);
        if (open > 64 || entries > 64 * 8) return false;
        residual.options.clear();
        residual.open.clear();
        for (u32 item = 0; item < problem_.primary; ++item) {
            if (!has(now_.data(), planes_, item)) continue;
            residual.open.push_back(item);
            for (u32 k = 0; k < planes_; ++k) {
                const u32 one = option_at(item, k);
                if (has(now_.data(), k, item) && problem_.entry[problem_.start[one]] == item)
                    residual.options.push_back(one);
            }
        }
        if (residual.options.size() > 64) return false;
        std::sort(residual.options.begin(), residual.options.end());
        residual.depth = depth;
        return residual.ready = true;
    }

    const Problem &problem_;
    Counters &counters_;
    BranchingRule &rule_;
    u32 *chosen_;
    u32 planes_ = 0, vectors_;
    std::size_t size_ = 0;               // vectors of a node: the planes, then the open items
    List<u32> place_;             // the plane of each entry
    List<u32> option_;            // for each item, the option of each plane
    List<Vector> whole_, removed_, now_, levels_;
    Items items_[kMaxPrimary / kVectorBits];  // found by the last look at the node
    List<Frame> frames_;
    u32 base_depth_ = 0;
    bool started_ = false;
};

}  // namespace exactcover::inline EXACTCOVER_ISA
