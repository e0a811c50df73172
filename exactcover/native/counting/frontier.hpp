// Counts solutions by a sweep over the items in a fixed order: what differs between partial solutions that have dealt
// with the same items is only what they have taken of later ones, so those that agree there are one state with a number.
//
// References: M. Nishino et al., "Dancing with decision diagrams", AAAI 2017; D. E. Knuth, Algorithm 7.2.2.1Z; for the
// sweep S. Minato, "Frontier-based search", and dynamic programming over a broken profile.
#pragma once

#include <memory>
#include <vector>

#include "base/numbers.hpp"
#include "counting/layout.hpp"
#include "counting/states.hpp"
#include "counting/zdd.hpp"

namespace exactcover {

class Frontier {
public:
    static constexpr u32 kMostWords = 8;

    // Throws TooLarge if a key would have more words. With `recorded` every step is kept, for `zdd`.
    Frontier(std::shared_ptr<const Problem> problem, const std::vector<u32> &order, bool recorded, u64 hash_mask);

    // Go on for about so many steps; false when all is done.
    bool advance(u64 work);

    // How many solutions there are, once all is done.
    const std::vector<u64> &total() const { return total_; }

    // The solutions as a diagram, once all is done; options come in the order that `level` gives them.
    u32 zdd(Zdd &diagrams, const std::vector<u32> &level, const Poll &poll) const;

    const Layout &layout() const { return layout_; }
    u32 station() const { return station_; }  // the one under way
    bool done() const { return bucket_ == buckets_.size(); }
    bool recorded() const { return recorded_; }
    u64 states() const { return states_; }    // dealt with
    u64 waiting() const { return waiting_; }  // known and not yet dealt with
    std::size_t bytes() const;

private:
    static constexpr u32 kTotal = kNone;  // the end of all items, instead of a state

    struct Bucket {
        States states;
        std::vector<u64> numbers;  // `limbs_` words for each state
        std::vector<u32> ids;      // if recorded
    };
    // From the state that is dealt with as number `from`, to another state by its id.
    struct Step {
        u32 option, to;
    };

    void deal_with(const u64 *key, u32 bucket);
    bool take(const u64 *key, u32 place, u64 *next) const;
    void go_on(u64 *key, u32 station, u32 option);
    void put(u32 bucket, const u64 *key, u32 option);
    void add(std::vector<u64> &numbers, std::size_t place);
    void widen();

    std::shared_ptr<const Problem> problem_;
    Layout layout_;
    u64 hash_mask_;
    bool recorded_;
    std::vector<std::unique_ptr<Bucket>> buckets_;
    std::vector<u32> station_of_;  // of each bucket
    u32 limbs_ = 1;
    std::vector<u64> total_;
    std::vector<u64> number_;  // of the state that is being dealt with
    u32 bucket_ = 0, next_ = 0, station_ = 0;
    u64 states_ = 0, waiting_ = 0, work_ = 0;
    // If recorded, in the order in which states are dealt with:
    u32 ids_ = 0;
    std::vector<u32> dealt_;
    std::vector<std::size_t> first_step_;
    std::vector<Step> steps_;
};

}  // namespace exactcover
