// Checks the parts of a certificate that are large: trees, sweeps and memos. It follows the rules of docs/certificates.md,
// as certificates/check.py does, which remains the reference.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/meter.hpp"
#include "base/types.hpp"
#include "symmetry/rows.hpp"

namespace exactcover {

// Thrown if a certificate does not prove what it says.
struct NotCertified : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// What is left when some options are chosen.
struct ProofState {
    struct Need {
        u32 low, high;
    };
    std::vector<u64> live;    // a bit for each option
    std::vector<Need> needs;  // how many more options must cover each primary item, and may cover it
};

// What options cost, less the prices of their items, if only solutions below a ceiling matter. Options ascend by that.
struct Pricing {
    std::vector<i64> rest;   // of each option
    std::vector<i64> price;  // of each primary item; not negative, unless the number of times to cover it is fixed
    i64 left;                // what the options of a solution that matters may have in sum
    u32 most;                // the largest number of primary items of an option

    // How many options are not too expensive.
    u32 affordable(i64 left) const {
        return static_cast<u32>(std::upper_bound(rest.begin(), rest.end(), left) - rest.begin());
    }
};

class ProofChecker {
public:
    ProofChecker(Rows rows, const Poll &poll);

    // The number of solutions of the tree that begins at `place` among the nodes; `place` moves behind it. `items` are
    // the items by their numbers in the tree. Nothing if some node is of a kind that only check.py knows. With a
    // pricing, what each solution leaves is added to `left`.
    std::optional<u64> walk(ProofState root, const std::vector<u32> &items, std::span<const u8> nodes,
                            std::size_t &place, const Poll &poll, const Pricing *pricing, std::vector<i64> &left);

    // The number of solutions when items are covered in this order, least significant word first.
    std::vector<u64> sweep(const ProofState &root, const std::vector<u32> &items, const Poll &poll);

    // The number of solutions by a search that counts parts apart, and equal states once; in the same form.
    std::vector<u64> memo(const ProofState &root, const Poll &poll);

    const Rows &rows() const { return rows_; }
    u32 words() const { return words_; }
    u64 visited() const { return visited_; }  // nodes of trees, and states

private:
    // A branch on the way to the current node.
    struct Branch {
        u32 item;
        u64 children;   // not visited yet, as the tree states, without the last one
        u32 chosen;     // the option of the current child, or kNone
        bool last;      // whether the child that leaves out all options was visited
        i64 left;       // by the pricing
    };
    class Descent;
    class Small;
    class Keys;
    class Recall;

    const u64 *holders(u32 item) const { return holders_.data() + std::size_t{item} * words_; }
    u32 first_of(const u64 *live, u32 item) const;
    u32 count_of(const u64 *live, u32 item, u32 end) const;
    template <typename Cover>
    void take(u64 *live, u32 entry, Cover cover) const;
    void choose(u64 *live, ProofState::Need *needs, u32 option) const;

    Rows rows_;
    u64 visited_ = 0;
    u32 words_;
    std::vector<u64> holders_;      // the options of each item
    std::vector<u64> excluded_;     // by an item and a color: the options of the item with another color, or with none
    std::vector<u32> excluded_by_;  // of each entry of a secondary item: the place there
};

// Remove from `live` what an entry of a chosen option excludes; cover(item) covers a primary item once more, and returns
// whether it must not be covered again.
template <typename Cover>
void ProofChecker::take(u64 *live, u32 entry, Cover cover) const {
    const u32 item = rows_.item[entry];
    const u64 *excluded = holders(item);
    if (item >= rows_.primary) excluded = excluded_.data() + std::size_t{excluded_by_[entry]} * words_;
    else if (!cover(item)) return;
    for (u32 w = 0; w < words_; ++w) live[w] &= ~excluded[w];
}

}  // namespace exactcover
