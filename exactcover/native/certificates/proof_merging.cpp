// Rules of certificates that merge equal states: sweeps and memos.
#include <algorithm>
#include <bit>
#include <utility>

#include "base/bits.hpp"
#include "base/numbers.hpp"
#include "certificates/proof_checker.hpp"
#include "counting/states.hpp"

namespace exactcover {

// States as keys: the live options, then the needs of each item, in as few bits as they take. An item can be covered at
// most as often as it has live options, so states that differ in higher upper bounds have one key.
class ProofChecker::Keys {
public:
    Keys(const ProofChecker &check, const ProofState &root) : check_(check) {
        u32 most = 1;
        for (u32 item = 0; item < check.rows_.primary; ++item) {
            const ProofState::Need need = root.needs[item];
            most = std::max({most, need.low, std::min(need.high, check.count_of(root.live.data(), item, kNone))});
            if (need.low < need.high) loose_.push_back(item);
        }
        each_ = static_cast<u32>(std::bit_width(most));
        fields_ = 64 / (2 * each_);
        size_ = check.words_ + (check.rows_.primary + fields_ - 1) / fields_;
    }

    u32 size() const { return size_; }

    // The steps that it takes to clamp a key.
    u64 work() const { return size_ + loose_.size() * u64{check_.words_}; }

    std::vector<u64> key(const ProofState &state) const {
        std::vector<u64> key(state.live);
        key.resize(size_);
        for (u32 item = 0; item < check_.rows_.primary; ++item) {
            const u32 live = check_.count_of(key.data(), item, kNone);
            set(key.data(), item, {state.needs[item].low, std::min(state.needs[item].high, live)});
        }
        return key;
    }

    // Lower the upper bounds that are above the number of live options.
    void clamp(u64 *key) const {
        for (const u32 item : loose_) {
            const ProofState::Need need = get(key, item);
            if (need.high != 0) set(key, item, {need.low, std::min(need.high, check_.count_of(key, item, kNone))});
        }
    }

    ProofState::Need get(const u64 *key, u32 item) const {
        const u64 field = key[word(item)] >> shift(item);
        return {static_cast<u32>(field >> each_ & mask()), static_cast<u32>(field & mask())};
    }

    void choose(u64 *key, u32 option) const {
        clear_bit(key, option);
        for (u32 e = check_.rows_.start[option]; e < check_.rows_.start[option + 1]; ++e)
            check_.take(key, e, [&](u32 item) {
                const ProofState::Need need = get(key, item);
                set(key, item, {need.low - (need.low != 0), need.high - 1});
                return need.high == 1;
            });
    }

    void set(u64 *key, u32 item, ProofState::Need need) const {
        u64 &to = key[word(item)];
        to &= ~((mask() << each_ | mask()) << shift(item));
        to |= (u64{need.low} << each_ | need.high) << shift(item);
    }

private:
    u64 mask() const { return (u64{1} << each_) - 1; }
    u32 word(u32 item) const { return check_.words_ + item / fields_; }
    u32 shift(u32 item) const { return item % fields_ * 2 * each_; }

    const ProofChecker &check_;
    std::vector<u32> loose_;    // the items that may be covered more often than they must be
    u32 each_, fields_, size_;  // bits of a bound; items in a word; words of a key
};

std::vector<u64> ProofChecker::sweep(const ProofState &root, const std::vector<u32> &items, const Poll &poll) {
    const Keys keys(*this, root);
    struct Layer {
        States states;
        Numbers numbers{};
        std::vector<u64> ways{};  // of each state: a handle
        void add(const u64 *key, const Numbers &from, u64 handle) {
            const auto [state, is_new] = states.put(key);
            const u64 own = numbers.copy(from, handle);
            if (is_new) ways.push_back(own);
            else ways[state] = numbers.add(ways[state], own);
        }
    };
    Meter meter(poll);
    Layer done{States(keys.size())};
    done.add(keys.key(root).data(), Numbers(), 1);
    std::vector<u64> left(keys.size()), child(keys.size());
    for (const u32 item : items) {
        Layer ways = std::exchange(done, Layer{States(keys.size())});
        while (ways.states.size() != 0) {
            Layer following{States(keys.size())};
            for (u32 state = 0; state < ways.states.size(); ++state) {
                ++visited_;
                meter.spend(keys.size());
                std::copy_n(ways.states.key(state), keys.size(), left.begin());
                const u32 missing = item < rows_.primary ? keys.get(left.data(), item).low : 0;
                u32 option = first_of(left.data(), item);
                if (option == kNone) {
                    if (missing == 0) done.add(left.data(), ways.numbers, ways.ways[state]);
                    continue;
                }
                for (; option != kNone; option = first_of(left.data(), item)) {
                    meter.spend(keys.work());
                    child = left;
                    keys.choose(child.data(), option);
                    keys.clamp(child.data());
                    following.add(child.data(), ways.numbers, ways.ways[state]);
                    clear_bit(left.data(), option);
                }
                if (missing != 0) continue;
                keys.clamp(left.data());
                following.add(left.data(), ways.numbers, ways.ways[state]);
            }
            ways = std::move(following);
        }
    }
    Numbers numbers;
    u64 total = 0;
    for (u32 state = 0; state < done.states.size(); ++state) {
        const u64 *key = done.states.key(state);
        if (std::any_of(key, key + words_, [](u64 word) { return word != 0; }))
            throw NotCertified("a sweep ends too early");
        bool lacks = false;
        for (u32 item = 0; item < rows_.primary; ++item) lacks = lacks || keys.get(key, item).low != 0;
        if (!lacks) total = numbers.add(total, numbers.copy(done.numbers, done.ways[state]));
    }
    return numbers.words(total);
}

// A search with a memo. The solutions of a state are those of its parts, multiplied; those of a part are known, or the sum
// over the options of one of its items.
class ProofChecker::Recall {
public:
    Recall(ProofChecker &check, const ProofState &root, const Poll &poll)
        : check_(check), meter_(poll), keys_(check, root), known_(keys_.size()), child_(keys_.key(root)) {}

    std::vector<u64> count() {
        u64 value = enter() ? kOpen : 0;
        while (!frames_.empty()) {
            Frame &frame = frames_.back();
            if (value != kOpen) frame.sum = numbers_.add(frame.sum, std::exchange(value, kOpen));
            if (frame.item == kNone) {
                if (frame.parts.empty() || frame.product == 0) {
                    value = frame.product;
                    frames_.pop_back();
                } else if (const u32 place = known_.get(frame.parts.back().data()); place != kNone) {
                    multiply(frame, values_[place]);
                } else {
                    begin_part(frame);
                }
            } else if (!next_child(frame)) {
                if (known_.put(frame.parts.back().data()).second) values_.push_back(frame.sum);
                frame.item = kNone;
                multiply(frame, frame.sum);
                frame.sum = 0;
            } else {
                ++check_.visited_;
                value = enter() ? kOpen : 0;
            }
        }
        return numbers_.words(value);
    }

private:
    using Key = std::vector<u64>;
    static constexpr u64 kOpen = ~u64{0};  // no handle of a number

    struct Frame {
        std::vector<Key> parts;  // of the state, that are not in `product`; the last one is in work
        u64 product = 1;
        u32 item = kNone;        // on which the part in work branches
        Key left;                // that part without the options that were tried
        bool none = false;       // whether a child without any of them is to come
        u64 sum = 0;
    };

    void multiply(Frame &frame, u64 number) {
        frame.product = numbers_.multiply(frame.product, number);
        frame.parts.pop_back();
    }

    // Make a frame for the state in `child_`; returns false if some item has too few options left.
    bool enter() {
        const u64 *live = child_.data();
        meter_.spend(u64{check_.rows_.items} * check_.words_ + keys_.work());
        for (u32 item = 0; item < check_.rows_.primary; ++item)
            if (const u32 low = keys_.get(live, item).low; low != 0 && check_.count_of(live, item, kNone) < low)
                return false;
        frames_.emplace_back();
        take_apart(frames_.back().parts);
        return true;
    }

    // Branch on an item that leaves the fewest choices; none needs more options than it has.
    void begin_part(Frame &frame) {
        frame.left = frame.parts.back();
        meter_.spend(u64{check_.rows_.primary} * check_.words_);
        u32 fewest = kNone;
        for (u32 item = 0; item < check_.rows_.primary; ++item) {
            const u32 options = check_.count_of(frame.left.data(), item, kNone);
            const u32 low = keys_.get(frame.left.data(), item).low;
            if (options == 0 || options - low >= fewest) continue;
            frame.item = item;
            fewest = options - low;
            frame.none = low == 0;
        }
    }

    // Put the next child of the part in work into `child_`; returns false if there is none.
    bool next_child(Frame &frame) {
        const u32 option = check_.first_of(frame.left.data(), frame.item);
        if (option == kNone && !std::exchange(frame.none, false)) return false;
        child_ = frame.left;
        if (option != kNone) {
            keys_.choose(child_.data(), option);
            clear_bit(frame.left.data(), option);
        }
        return true;
    }

    // Divide the state in `child_` into parts that have no item in common that excludes anything.
    void take_apart(std::vector<Key> &parts) {
        const u64 *live = child_.data();
        open_.clear();
        for (u32 item = 0; item < check_.rows_.items; ++item)
            if (const u32 first = check_.first_of(live, item); first != kNone && !is_harmless(item, first))
                open_.push_back(item);
        for (u32 w = 0; w < check_.words_; ++w)
            while (child_[w] != 0) {
                Key part(keys_.size(), 0);
                part[w] = child_[w] & -child_[w];
                while (grow(part)) {}
                meter_.spend(u64{check_.rows_.primary} * check_.words_);
                for (u32 k = 0; k < check_.words_; ++k) child_[k] &= ~part[k];
                for (u32 item = 0; item < check_.rows_.primary; ++item)
                    if (check_.first_of(part.data(), item) != kNone)
                        keys_.set(part.data(), item, keys_.get(child_.data(), item));
                keys_.clamp(part.data());
                parts.push_back(std::move(part));
            }
    }

    // Add the options of the items that a part has; returns whether there were such items. They are open no longer.
    bool grow(Key &part) {
        meter_.spend(open_.size() * check_.words_ + keys_.work());
        return std::erase_if(open_, [&](u32 item) {
                   if (check_.first_of(part.data(), item) == kNone) return false;
                   const u64 *held = check_.holders(item);
                   for (u32 w = 0; w < check_.words_; ++w) part[w] |= child_[w] & held[w];
                   return true;
               }) != 0;
    }

    // Whether all live options of a secondary item give it the same color; `option` is the first of them.
    bool is_harmless(u32 item, u32 option) const {
        if (item < check_.rows_.primary) return false;
        u32 e = check_.rows_.start[option];
        while (check_.rows_.item[e] != item) ++e;
        const u64 *excluded = check_.excluded_.data() + std::size_t{check_.excluded_by_[e]} * check_.words_;
        for (u32 w = 0; w < check_.words_; ++w)
            if ((child_[w] & excluded[w]) != 0) return false;
        return true;
    }

    ProofChecker &check_;
    Meter meter_;
    const Keys keys_;
    States known_;
    std::vector<u64> values_;  // of each known part: a handle
    Numbers numbers_;
    std::vector<Frame> frames_;
    Key child_;
    std::vector<u32> open_;  // items that belong to no part yet
};

std::vector<u64> ProofChecker::memo(const ProofState &root, const Poll &poll) { return Recall(*this, root, poll).count(); }

}  // namespace exactcover
