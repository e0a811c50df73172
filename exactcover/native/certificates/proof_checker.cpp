#include "certificates/proof_checker.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

#include "base/bits.hpp"

namespace exactcover {

namespace {

constexpr u64 kSolution = 0, kPruned = 1, kUnrecorded = 2, kFirstItem = 3;  // nodes of a tree
constexpr u64 kEnd = ~u64{0};

// The next number of a tree, in groups of seven bits, the lowest first; kEnd if there is none.
u64 read_number(std::span<const u8> data, std::size_t &place) {
    u64 number = 0;
    for (u32 shift = 0; place < data.size(); shift += 7) {
        const u8 byte = data[place++];
        if (shift > 56) throw NotCertified("a number in a tree is too large");
        number |= u64{byte & 127u} << shift;
        if (byte < 128) return number;
    }
    return kEnd;
}

// The options before `end` in a word of live options.
u64 options_before(u32 end, u32 word) {
    return low_bits(std::max(end, word * 64) - word * 64);
}

}  // namespace

ProofChecker::ProofChecker(Rows rows, const Poll &poll)
    : rows_(std::move(rows)), words_(std::max(1u, words_for(rows_.options()))) {
    holders_.assign(std::size_t{rows_.items} * words_, 0);
    std::map<std::pair<u32, u32>, u32> number;
    excluded_by_.assign(rows_.item.size(), kNone);
    Meter meter(poll);
    for (u32 option = 0; option < rows_.options(); ++option) {
        meter.spend(1 + rows_.start[option + 1] - rows_.start[option]);
        for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e) {
            set_bit(holders_.data() + std::size_t{rows_.item[e]} * words_, option);
            if (rows_.item[e] < rows_.primary) continue;
            const auto [known, is_new] = number.try_emplace({rows_.item[e], rows_.color[e]}, number.size());
            excluded_by_[e] = known->second;
        }
    }
    excluded_.resize(number.size() * words_);
    for (const auto &[pair, k] : number) {
        meter.spend(words_);
        std::copy_n(holders(pair.first), words_, excluded_.data() + std::size_t{k} * words_);
    }
    for (u32 option = 0; option < rows_.options(); ++option)
        for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e)
            if (rows_.item[e] >= rows_.primary && rows_.color[e] != 0)
                clear_bit(excluded_.data() + std::size_t{excluded_by_[e]} * words_, option);
}

u32 ProofChecker::first_of(const u64 *live, u32 item) const {
    const u64 *held = holders(item);
    for (u32 w = 0; w < words_; ++w)
        if (const u64 both = live[w] & held[w]; both != 0) return w * 64 + lowest(both);
    return kNone;
}

// How many of an item's options are live, and before `end`.
u32 ProofChecker::count_of(const u64 *live, u32 item, u32 end) const {
    const u64 *held = holders(item);
    u32 count = 0;
    for (u32 w = 0; w < words_; ++w)
        count += static_cast<u32>(std::popcount(live[w] & held[w] & options_before(end, w)));
    return count;
}

void ProofChecker::choose(u64 *live, ProofState::Need *needs, u32 option) const {
    clear_bit(live, option);
    for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e)
        take(live, e, [&](u32 item) {
            needs[item].low -= needs[item].low != 0;
            return --needs[item].high == 0;
        });
}

// A state with few live options, which is searched: sets of options are one word.
class ProofChecker::Small {
public:
    static constexpr u32 kMax = 64;

    Small(const ProofChecker &check, const u64 *live, const std::vector<ProofState::Need> &needs) : check_(check) {
        const Rows &rows = check.rows_;
        for (u32 w = 0; w < check.words_; ++w)
            for (u32 place : ones_of(live[w])) option_.push_back(w * 64 + place);
        std::map<u32, u32> place;  // of each item
        for (u32 item = 0; item < rows.primary; ++item)
            if (needs[item].low != 0) add(place, item, needs[item]);
        start_.push_back(0);
        for (const u32 option : option_) {
            for (u32 e = rows.start[option]; e < rows.start[option + 1]; ++e) {
                const u32 item = rows.item[e];
                if (item < rows.primary) {
                    if (!place.contains(item)) add(place, item, needs[item]);
                    entry_.push_back({place[item], 0});
                } else {
                    entry_.push_back({kNone, gather(check.excluded_.data() + std::size_t{check.excluded_by_[e]} * check.words_)});
                }
            }
            start_.push_back(static_cast<u32>(entry_.size()));
        }
    }

    u64 count(u64 &visited, Meter &meter) {
        return count(low_bits(static_cast<u32>(option_.size())), visited, meter);
    }

private:
    struct Entry {
        u32 item;      // its place in items_, or kNone
        u64 excluded;  // by a secondary item
    };
    struct Item {
        u64 held;
        ProofState::Need need;
    };

    void add(std::map<u32, u32> &place, u32 item, ProofState::Need need) {
        place[item] = static_cast<u32>(items_.size());
        items_.push_back({gather(check_.holders(item)), need});
    }

    u64 gather(const u64 *options) const {
        u64 word = 0;
        for (u32 k = 0; k < option_.size(); ++k) word |= u64{has_bit(options, option_[k])} << k;
        return word;
    }

    // Branches on an item with the fewest options, of those that need any if there are such items.
    u64 count(u64 live, u64 &visited, Meter &meter) {
        ++visited;
        meter.spend(1 + items_.size());
        u32 best = kNone, fewest = kNone;
        bool needs = false;
        for (u32 k = 0; k < items_.size(); ++k) {
            const u32 options = static_cast<u32>(std::popcount(live & items_[k].held)), low = items_[k].need.low;
            if (options < low) return 0;
            if (low == 0 ? needs || options == 0 || options >= fewest : needs && options >= fewest) continue;
            needs = low != 0;
            best = k;
            fewest = options;
        }
        if (best == kNone) return 1;
        u64 found = 0;
        const u32 missing = items_[best].need.low;
        for (u64 options; (options = live & items_[best].held) != 0 && static_cast<u32>(std::popcount(options)) >= missing;) {
            const u32 option = static_cast<u32>(std::countr_zero(options));
            live &= ~(u64{1} << option);
            found += choose(option, live, visited, meter);
        }
        return missing == 0 ? found + count(live, visited, meter) : found;
    }

    // Counts what is left when an option is chosen, without those tried before.
    u64 choose(u32 option, u64 live, u64 &visited, Meter &meter) {
        const u32 first = start_[option], last = start_[option + 1];
        const std::size_t before = kept_.size();
        for (u32 e = first; e < last; ++e) {
            if (entry_[e].item == kNone) {
                live &= ~entry_[e].excluded;
                continue;
            }
            Item &item = items_[entry_[e].item];
            kept_.push_back(item.need);
            item.need = {item.need.low - (item.need.low != 0), item.need.high - 1};
            if (item.need.high == 0) live &= ~item.held;
        }
        const u64 found = count(live, visited, meter);
        std::size_t place = before;
        for (u32 e = first; e < last; ++e)
            if (entry_[e].item != kNone) items_[entry_[e].item].need = kept_[place++];
        kept_.resize(before);
        return found;
    }

    const ProofChecker &check_;
    std::vector<u32> option_, start_;  // of each option: where its entries begin
    std::vector<Entry> entry_;
    std::vector<Item> items_;
    std::vector<ProofState::Need> kept_;
};

// The way from the root of a tree to the current node. The live options of all nodes on it stand one after another.
class ProofChecker::Descent {
public:
    Descent(const ProofChecker &check, ProofState root, const Pricing *pricing)
        : check_(check), pricing_(pricing), left_(pricing == nullptr ? 0 : pricing->left),
          live_(std::move(root.live)), needs_(std::move(root.needs)) {}

    i64 left() const { return left_; }

    bool is_solution() const {
        for (const Need &need : needs_)
            if (need.low != 0) return false;
        const u64 *live = live_of(branches_.size());
        const u32 end = affordable();
        for (u32 w = 0; w < check_.words_; ++w)
            if ((live[w] & options_before(end, w)) != 0) return false;
        return true;
    }

    // Whether solutions cost too much, since each item costs at least a share of its cheapest option.
    bool is_too_expensive() const {
        if (pricing_ == nullptr) return false;
        const u64 *live = live_of(branches_.size());
        __int128 least = 0;
        for (u32 item = 0; item < needs_.size(); ++item) {
            const u32 first = needs_[item].low == 0 ? kNone : check_.first_of(live, item);
            if (first != kNone) least += __int128{needs_[item].low} * pricing_->rest[first];
        }
        return least > __int128{left_} * pricing_->most;
    }

    u32 live_count() const {
        const u64 *live = live_of(branches_.size());
        u32 count = 0;
        for (u32 w = 0; w < check_.words_; ++w) count += static_cast<u32>(std::popcount(live[w]));
        return count;
    }

    u64 count_small(u64 &visited, Meter &meter) const {
        meter.spend(needs_.size());
        return Small(check_, live_of(branches_.size()), needs_).count(visited, meter);
    }

    void branch(u32 item, u64 children) {
        const bool has_last = item >= needs_.size() || needs_[item].low == 0;
        branches_.push_back({item, children - (has_last && children != 0), kNone, false, left_});
    }

    // Go on to the next node in preorder; returns false if there is none.
    bool next() {
        for (; !branches_.empty(); branches_.pop_back())
            if (next_child(branches_.back())) return true;
        return false;
    }

private:
    using Need = ProofState::Need;

    // Options from this one on cost too much.
    u32 affordable() const { return pricing_ == nullptr ? kNone : pricing_->affordable(left_); }

    u64 *live_of(std::size_t level) { return live_.data() + level * check_.words_; }
    const u64 *live_of(std::size_t level) const { return live_.data() + level * check_.words_; }

    bool next_child(Branch &branch) {
        const std::size_t level = branches_.size() - 1;
        if (branch.chosen != kNone) take_back(std::exchange(branch.chosen, kNone));
        left_ = branch.left;
        live_.resize((level + 2) * check_.words_);
        u64 *live = live_of(level), *child = live_of(level + 1);
        const u32 missing = branch.item < needs_.size() ? needs_[branch.item].low : 0;
        const u32 option = branch.children == 0 || branch.last ? kNone : check_.first_of(live, branch.item);
        if (option != kNone) {
            --branch.children;
            branch.chosen = option;
            std::copy_n(live, check_.words_, child);
            clear_bit(live, option);
            keep(option);
            check_.choose(child, needs_.data(), option);
            return true;
        }
        if (branch.last) return false;
        if (check_.count_of(live, branch.item, affordable()) >= std::max(1u, missing))
            throw NotCertified("a branch needs more children");
        branch.last = true;
        if (missing != 0) return false;
        std::copy_n(live, check_.words_, child);
        return true;
    }

    // Remember the needs of the items of an option, which is about to be chosen, and what it leaves.
    void keep(u32 option) {
        if (pricing_ != nullptr) left_ -= pricing_->rest[option];
        for (u32 e = check_.rows_.start[option]; e < check_.rows_.start[option + 1]; ++e) {
            const u32 item = check_.rows_.item[e];
            if (item >= needs_.size()) continue;
            kept_.push_back(needs_[item]);
            if (pricing_ != nullptr && needs_[item].low == 0) left_ -= pricing_->price[item];
        }
    }

    void take_back(u32 option) {
        for (u32 e = check_.rows_.start[option + 1]; e-- > check_.rows_.start[option];) {
            if (check_.rows_.item[e] >= needs_.size()) continue;
            needs_[check_.rows_.item[e]] = kept_.back();
            kept_.pop_back();
        }
    }

    const ProofChecker &check_;
    const Pricing *pricing_;
    i64 left_;
    std::vector<u64> live_;
    std::vector<Need> needs_, kept_;
    std::vector<Branch> branches_;
};

std::optional<u64> ProofChecker::walk(ProofState root, const std::vector<u32> &items, std::span<const u8> nodes,
                                std::size_t &place, const Poll &poll, const Pricing *pricing,
                                std::vector<i64> &left) {
    Descent descent(*this, std::move(root), pricing);
    u64 solutions = 0;
    Meter meter(poll);
    do {
        ++visited_;
        meter.spend(1 + words_);
        const u64 node = read_number(nodes, place);
        if (node == kSolution) {
            meter.spend(rows_.primary);
            if (!descent.is_solution()) throw NotCertified("a node is not a solution");
            ++solutions;
            if (pricing != nullptr) left.push_back(descent.left());
            continue;
        }
        if (node == kPruned) {
            meter.spend(u64{rows_.primary} * words_);
            if (!descent.is_too_expensive()) throw NotCertified("a node may have solutions");
            continue;
        }
        if (node == kUnrecorded) {
            read_number(nodes, place);
            const u64 stated = read_number(nodes, place);
            if (pricing != nullptr || descent.live_count() > Small::kMax) throw NotCertified("a subtree is not recorded");
            if (descent.count_small(visited_, meter) != stated)
                throw NotCertified("a subtree does not have " + std::to_string(stated) + " solutions");
            solutions += stated;
            continue;
        }
        const u64 children = node == kEnd ? kEnd : read_number(nodes, place);
        if (children == kEnd) throw NotCertified("a part of a tree is missing");
        if (node - kFirstItem >= items.size()) throw NotCertified("a tree has an unknown item");
        descent.branch(items[node - kFirstItem], children);
    } while (descent.next());
    return solutions;
}

}  // namespace exactcover
