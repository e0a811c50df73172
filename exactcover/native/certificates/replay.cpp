#include "certificates/replay.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "base/numbers.hpp"
#include "counting/states.hpp"

namespace exactcover {

namespace {

constexpr u64 kSolution = 0, kFirstItem = 3;  // nodes of a tree
constexpr u64 kEnd = ~u64{0};
constexpr u32 kPollNodes = 1u << 14;

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

}  // namespace

Replay::Replay(Rows rows) : rows_(std::move(rows)), words_((rows_.options() + 63) / 64) {
    holders_.assign(std::size_t{rows_.items} * words_, 0);
    std::map<std::pair<u32, u32>, u32> number;
    excluded_by_.assign(rows_.item.size(), kNone);
    for (u32 option = 0; option < rows_.options(); ++option)
        for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e) {
            holders_[std::size_t{rows_.item[e]} * words_ + option / 64] |= u64{1} << option % 64;
            if (rows_.item[e] < rows_.primary) continue;
            const auto [known, is_new] = number.try_emplace({rows_.item[e], rows_.color[e]}, number.size());
            excluded_by_[e] = known->second;
        }
    excluded_.resize(number.size() * words_);
    for (const auto &[pair, k] : number) std::copy_n(holders(pair.first), words_, excluded_.data() + std::size_t{k} * words_);
    for (u32 option = 0; option < rows_.options(); ++option)
        for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e)
            if (rows_.item[e] >= rows_.primary && rows_.color[e] != 0)
                excluded_[std::size_t{excluded_by_[e]} * words_ + option / 64] &= ~(u64{1} << option % 64);
}

u32 Replay::first_of(const u64 *live, u32 item) const {
    const u64 *held = holders(item);
    for (u32 w = 0; w < words_; ++w)
        if (const u64 both = live[w] & held[w]; both != 0) return w * 64 + static_cast<u32>(std::countr_zero(both));
    return kNone;
}

u32 Replay::count_of(const u64 *live, u32 item) const {
    const u64 *held = holders(item);
    u32 count = 0;
    for (u32 w = 0; w < words_; ++w) count += static_cast<u32>(std::popcount(live[w] & held[w]));
    return count;
}

void Replay::choose(u64 *live, ProofState::Need *needs, u32 option) const {
    live[option / 64] &= ~(u64{1} << option % 64);
    for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e) {
        const u64 *excluded = nullptr;
        if (const u32 item = rows_.item[e]; item >= rows_.primary) {
            excluded = excluded_.data() + std::size_t{excluded_by_[e]} * words_;
        } else {
            ProofState::Need &need = needs[item];
            need.low -= need.low != 0;
            if (--need.high != 0) continue;
            excluded = holders(item);
        }
        for (u32 w = 0; w < words_; ++w) live[w] &= ~excluded[w];
    }
}

bool Replay::lacks(const u64 *live, const ProofState::Need *needs) const {
    for (u32 item = 0; item < rows_.primary; ++item)
        if (needs[item].low != 0 && count_of(live, item) < needs[item].low) return true;
    return false;
}

// The way from the root of a tree to the current node. The live options of all nodes on it stand one after another.
class Replay::Descent {
public:
    Descent(const Replay &replay, ProofState root)
        : replay_(replay), live_(std::move(root.live)), needs_(std::move(root.needs)) {}

    bool is_solution() const {
        const u64 *live = live_of(branches_.size());
        for (u32 w = 0; w < replay_.words_; ++w)
            if (live[w] != 0) return false;
        return std::all_of(needs_.begin(), needs_.end(), [](const auto &need) { return need.low == 0; });
    }

    void branch(u32 item, u64 children) { branches_.push_back({item, children, kNone, false}); }

    // Go on to the next node in preorder; returns false if there is none.
    bool next() {
        for (; !branches_.empty(); branches_.pop_back())
            if (next_child(branches_.back())) return true;
        return false;
    }

private:
    u64 *live_of(std::size_t level) { return live_.data() + level * replay_.words_; }
    const u64 *live_of(std::size_t level) const { return live_.data() + level * replay_.words_; }

    bool next_child(Branch &branch) {
        const std::size_t level = branches_.size() - 1;
        if (branch.chosen != kNone) take_back(std::exchange(branch.chosen, kNone));
        live_.resize((level + 2) * replay_.words_);
        u64 *live = live_of(level), *child = live_of(level + 1);
        const u32 missing = branch.item < needs_.size() ? needs_[branch.item].low : 0;
        const u32 option = branch.children == 0 || branch.last ? kNone : replay_.first_of(live, branch.item);
        if (option != kNone) {
            --branch.children;
            branch.chosen = option;
            std::copy_n(live, replay_.words_, child);
            live[option / 64] &= ~(u64{1} << option % 64);
            keep(option);
            replay_.choose(child, needs_.data(), option);
            return true;
        }
        if (branch.last) return false;
        if (replay_.count_of(live, branch.item) >= std::max(1u, missing))
            throw NotCertified("a branch needs more children");
        branch.last = true;
        if (missing != 0) return false;
        std::copy_n(live, replay_.words_, child);
        return true;
    }

    // Remember the needs of the items of an option, which is about to be chosen.
    void keep(u32 option) {
        for (u32 e = replay_.rows_.start[option]; e < replay_.rows_.start[option + 1]; ++e)
            if (replay_.rows_.item[e] < needs_.size()) kept_.push_back(needs_[replay_.rows_.item[e]]);
    }

    void take_back(u32 option) {
        for (u32 e = replay_.rows_.start[option + 1]; e-- > replay_.rows_.start[option];) {
            if (replay_.rows_.item[e] >= needs_.size()) continue;
            needs_[replay_.rows_.item[e]] = kept_.back();
            kept_.pop_back();
        }
    }

    const Replay &replay_;
    std::vector<u64> live_;
    std::vector<ProofState::Need> needs_, kept_;
    std::vector<Branch> branches_;
};

std::optional<u64> Replay::walk(ProofState root, const std::vector<u32> &items, std::span<const u8> nodes,
                                std::size_t &place, const Poll &poll) {
    Descent descent(*this, std::move(root));
    u64 solutions = 0;
    do {
        if (++visited_ % kPollNodes == 0) poll();
        const u64 node = read_number(nodes, place);
        if (node == kSolution) {
            if (!descent.is_solution()) throw NotCertified("a node that should be a solution is none");
            ++solutions;
            continue;
        }
        if (node < kFirstItem) return std::nullopt;
        const u64 children = node == kEnd ? kEnd : read_number(nodes, place);
        if (children == kEnd) throw NotCertified("a part of a tree is missing");
        if (node - kFirstItem >= items.size()) throw NotCertified("a tree has an unknown item");
        descent.branch(items[node - kFirstItem], children);
    } while (descent.next());
    return solutions;
}

std::vector<u64> Replay::sweep(const ProofState &root, const std::vector<u32> &items, const Poll &poll) {
    const bool narrow = std::all_of(root.needs.begin(), root.needs.end(), [](const auto &need) { return need.high < 2; });
    const u32 each = narrow ? 1 : 32, fields = 64 / (2 * each);  // bits of a bound; items in a word
    const u32 size = words_ + (rows_.primary + fields - 1) / fields;  // of a key: the live options, and the needs
    struct Layer {
        States states;
        Numbers numbers;
        std::vector<u64> ways;  // of each state: a handle
        void add(const u64 *key, const Numbers &from, u64 handle) {
            const auto [state, is_new] = states.put(key);
            const u64 own = numbers.copy(from, handle);
            if (is_new) ways.push_back(own);
            else ways[state] = numbers.add(ways[state], own);
        }
    };
    std::vector<u64> key(size);
    std::vector<ProofState::Need> needs = root.needs;
    const auto pack = [&](const u64 *live) {
        std::copy_n(live, words_, key.begin());
        std::fill(key.begin() + words_, key.end(), 0);
        for (u32 item = 0; item < rows_.primary; ++item)
            key[words_ + item / fields] |= (u64{needs[item].low} << each | needs[item].high) << item % fields * 2 * each;
    };
    const u64 mask = (u64{1} << each) - 1;
    const auto unpack = [&](const u64 *from) {
        for (u32 item = 0; item < rows_.primary; ++item) {
            const u64 field = from[words_ + item / fields] >> item % fields * 2 * each;
            needs[item] = {static_cast<u32>(field >> each & mask), static_cast<u32>(field & mask)};
        }
    };
    Layer done{States(size), {}, {}};
    Numbers one;
    pack(root.live.data());
    done.add(key.data(), one, 1);
    std::vector<u64> live(words_), child(words_);
    for (const u32 item : items) {
        Layer ways = std::exchange(done, Layer{States(size), {}, {}});
        while (ways.states.size() != 0) {
            Layer following{States(size), {}, {}};
            for (u32 state = 0; state < ways.states.size(); ++state) {
                if (++visited_ % kPollNodes == 0) poll();
                std::copy_n(ways.states.key(state), words_, live.begin());
                unpack(ways.states.key(state));
                const u32 missing = item < rows_.primary ? needs[item].low : 0;
                u32 option = first_of(live.data(), item);
                if (option == kNone) {
                    if (missing == 0) done.add(ways.states.key(state), ways.numbers, ways.ways[state]);
                    continue;
                }
                for (; option != kNone; option = first_of(live.data(), item)) {
                    std::copy(live.begin(), live.end(), child.begin());
                    choose(child.data(), needs.data(), option);
                    pack(child.data());
                    following.add(key.data(), ways.numbers, ways.ways[state]);
                    unpack(ways.states.key(state));
                    live[option / 64] &= ~(u64{1} << option % 64);
                }
                if (missing != 0) continue;
                pack(live.data());
                following.add(key.data(), ways.numbers, ways.ways[state]);
            }
            ways = std::move(following);
        }
    }
    Numbers numbers;
    u64 total = 0;
    for (u32 state = 0; state < done.states.size(); ++state) {
        const u64 *left = done.states.key(state);
        if (std::any_of(left, left + words_, [](u64 word) { return word != 0; }))
            throw NotCertified("a sweep ends too early");
        unpack(left);
        if (!lacks(left, needs.data())) total = numbers.add(total, numbers.copy(done.numbers, done.ways[state]));
    }
    return numbers.words(total);
}

}  // namespace exactcover
