// Counts by a sweep (frontier method): items are handled in a fixed order, and partial solutions with the same
// remaining work are merged into one state, with their count. Those that have handled the same items differ only in
// what they have taken from later items.
//
// References: J. Kawahara, T. Inoue, H. Iwashita, S. Minato, "Frontier-based search for enumerating all constrained
// subgraphs with compressed representation", IEICE Transactions E100-A (2017); it is known as dynamic programming over
// a broken profile, too.
#pragma once

#include <memory>
#include <vector>

#include "base/numbers.hpp"
#include "counting/frontier.hpp"
#include "counting/layout.hpp"
#include "counting/states.hpp"
#include "counting/zdd.hpp"

namespace exactcover {

class Sweep {
public:
    static constexpr u32 kMaxWords = 8;

    // Throws TooLarge if a key needs more than kMaxWords, or a rule too many. If `recorded`, every step is kept, for
    // `zdd`.
    Sweep(std::shared_ptr<const Problem> problem, const std::vector<u32> &order, bool recorded, u64 hash_mask);

    // Go on for about this many steps; returns false when all states are done.
    bool advance(u64 work);

    // The number of solutions, once all states are done.
    const std::vector<u64> &total() const { return total_; }

    // The solutions as a diagram, once all states are done; `level` gives the level of each option.
    u32 zdd(Zdd &diagrams, const std::vector<u32> &level) const;

    const Layout &layout() const { return layout_; }
    u32 station() const { return station_; }  // the current one
    bool done() const { return bucket_ == buckets_.size(); }
    bool recorded() const { return recorded_; }
    u64 states() const { return states_; }    // done
    u64 waiting() const { return waiting_; }  // known and not yet done
    std::size_t bytes() const;

private:
    static constexpr u32 kTotal = kNone;  // the end of all items, instead of a state
    static constexpr u32 kMaxRuleWords = 120;  // of a key, behind those of the layout

    struct Bucket {
        States states;
        std::vector<u64> numbers;  // `limbs_` words for each state
        std::vector<u32> ids;      // if recorded
    };
    // From the current state to the state with this id.
    struct Step {
        u32 option, to;
    };

    void expand(const u64 *key, u32 bucket);
    bool take(const u64 *key, u32 place, u64 *next) const;
    template <typename Ask>
    bool keeps_rules(u64 *key, Ask ask) const;
    bool leave(u64 *key, u32 station) const;
    void go_on(u64 *key, u32 station, u32 option);
    void put(u32 bucket, const u64 *key, u32 option);
    void add(std::vector<u64> &numbers, std::size_t place);
    void widen();

    std::shared_ptr<const Problem> problem_;
    Layout layout_;
    std::vector<Frontier> rules_;
    u32 words_;  // of a key: those of the layout, and for each rule its state
    u64 hash_mask_;
    bool recorded_;
    std::vector<std::unique_ptr<Bucket>> buckets_;
    std::vector<u32> station_of_;  // of each bucket
    u32 limbs_ = 1;
    std::vector<u64> total_;
    std::vector<u64> number_;  // of the current state
    u32 bucket_ = 0, next_ = 0, station_ = 0;
    u64 states_ = 0, waiting_ = 0, work_ = 0;
    // If recorded, in the order in which states are expanded:
    u32 ids_ = 0;
    std::vector<u32> expanded_;
    std::vector<std::size_t> first_step_;
    std::vector<Step> steps_;
};

}  // namespace exactcover
