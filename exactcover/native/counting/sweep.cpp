#include "counting/sweep.hpp"

#include <algorithm>

namespace exactcover {

Sweep::Sweep(std::shared_ptr<const Problem> problem, const std::vector<u32> &order, bool recorded, u64 hash_mask)
    : problem_(std::move(problem)), layout_(lay_out(*problem_, order, kMaxWords)), words_(layout_.words),
      hash_mask_(hash_mask), recorded_(recorded), buckets_(layout_.buckets), total_(1, 0), number_(1, 1) {
    for (u32 s = 0; s < layout_.stations.size(); ++s) {
        const auto &station = layout_.stations[s];
        station_of_.resize(station.bucket + (station.once ? 1 : station.last - station.first + 1), s);
    }
    for (const GraphRule &rule : problem_->rules) {
        rules_.emplace_back(rule, *problem_, layout_);
        words_ += (rules_.back().bytes() + 7) / 8;
    }
    if (words_ > layout_.words + kMaxRuleWords) throw TooLarge("a sweep supports fewer or smaller rules");
    u64 key[kMaxWords + kMaxRuleWords] = {};
    if (keeps_rules(key, [](const Frontier &rule, u8 *state) { return rule.begin(state); })) go_on(key, 0, kNone);
}

// Ask something of each rule with its state in a key; returns whether all agree.
template <typename Ask>
bool Sweep::keeps_rules(u64 *key, Ask ask) const {
    u64 *state = key + layout_.words;
    for (const Frontier &rule : rules_) {
        if (!ask(rule, reinterpret_cast<u8 *>(state))) return false;
        state += (rule.bytes() + 7) / 8;
    }
    return true;
}

bool Sweep::advance(u64 work) {
    work_ = 0;
    while (work_ < work) {
        while (bucket_ < buckets_.size() && buckets_[bucket_] == nullptr) ++bucket_;
        if (bucket_ == buckets_.size()) {
            station_ = static_cast<u32>(layout_.stations.size());
            return false;
        }
        station_ = station_of_[bucket_];
        Bucket &bucket = *buckets_[bucket_];
        for (; next_ < bucket.states.size() && work_ < work; ++next_) {
            if (recorded_) {
                expanded_.push_back(bucket.ids[next_]);
                first_step_.push_back(steps_.size());
            } else {
                number_.assign(bucket.numbers.begin() + std::size_t{next_} * limbs_,
                               bucket.numbers.begin() + (std::size_t{next_} + 1) * limbs_);
            }
            --waiting_;
            ++states_;
            expand(bucket.states.key(next_), bucket_);
        }
        if (next_ == bucket.states.size()) {
            buckets_[bucket_++].reset();
            next_ = 0;
        }
    }
    return true;
}

void Sweep::expand(const u64 *key, u32 number) {
    const auto &station = layout_.stations[station_];
    u64 next[kMaxWords + kMaxRuleWords];
    work_ += 1 + station.last - station.first;
    if (station.once) {
        for (u32 place = station.first; place < station.last; ++place)
            if (take(key, place, next)) go_on(next, station_ + 1, layout_.option[place]);
        return;
    }
    // Either the item is covered often enough and the next item follows, or one of the options that are left is chosen.
    // Without a field the item has not been covered so far, or need not be.
    if (station.field.width == 0 ? station.low == 0 : station.field.of(key) >= station.low) {
        std::copy(key, key + words_, next);
        go_on(next, station_ + 1, kNone);
    }
    for (u32 place = station.first + (number - station.bucket); place < station.last; ++place)
        if (take(key, place, next)) put(station.bucket + (place - station.first) + 1, next, layout_.option[place]);
}

// Choose an option if the items it needs are free; returns whether they are.
bool Sweep::take(const u64 *key, u32 place, u64 *next) const {
    const u32 words = layout_.words;
    const u64 *zero = layout_.zero.data() + std::size_t{place} * words;
    const u64 *set = layout_.set.data() + std::size_t{place} * words;
    for (u32 w = 0; w < words; ++w) {
        if (key[w] & zero[w]) return false;
        next[w] = key[w] | set[w];
    }
    for (u32 c = layout_.first_count[place]; c < layout_.first_count[place + 1]; ++c) {
        const Layout::Count &count = layout_.counts[c];
        if (count.field.of(key) < count.most) next[count.field.word] += u64{1} << count.field.shift;
        else if (!count.saturates) return false;
    }
    for (u32 p = layout_.first_paint[place]; p < layout_.first_paint[place + 1]; ++p) {
        const Layout::Paint &paint = layout_.paints[p];
        const u64 color = paint.field.of(key);
        if (color != 0 && color != paint.color) return false;
        next[paint.field.word] |= paint.color << paint.field.shift;
    }
    std::copy(key + words, key + words_, next + words);
    return keeps_rules(next, [&](const Frontier &rule, u8 *state) { return rule.choose(state, place); });
}

// Pass the items that are covered already, and clear the bits that no longer matter.
void Sweep::go_on(u64 *key, u32 station, u32 option) {
    const u32 words = layout_.words, stations = static_cast<u32>(layout_.stations.size());
    for (; station < stations; ++station) {
        if (station > 0 && !leave(key, station - 1)) return;
        const auto &here = layout_.stations[station];
        const u64 *keep = layout_.keep.data() + std::size_t{station} * words;
        for (u32 w = 0; w < words; ++w) key[w] &= keep[w];
        if (!here.once || here.field.width == 0 || here.field.of(key) == 0) return put(here.bucket, key, option);
    }
    if (!leave(key, std::max(1u, stations) - 1) ||
        !keeps_rules(key, [](const Frontier &rule, u8 *state) { return rule.end(state); }))
        return;
    if (recorded_) return steps_.push_back({option, kTotal});
    add(total_, 0);
}

// Tell the rules that a station is passed; returns whether they can still hold.
bool Sweep::leave(u64 *key, u32 station) const {
    return keeps_rules(key, [&](const Frontier &rule, u8 *state) { return rule.leave(state, station); });
}

void Sweep::put(u32 number, const u64 *key, u32 option) {
    if (buckets_[number] == nullptr) buckets_[number].reset(new Bucket{States(words_, hash_mask_), {}, {}});
    Bucket &bucket = *buckets_[number];
    const auto [place, fresh] = bucket.states.put(key);
    waiting_ += fresh;
    if (recorded_) {
        if (fresh) bucket.ids.push_back(ids_++);
        steps_.push_back({option, bucket.ids[place]});
        return;
    }
    if (fresh) bucket.numbers.insert(bucket.numbers.end(), number_.begin(), number_.end());
    else add(bucket.numbers, std::size_t{place} * limbs_);
}

// Add the number of the current state.
void Sweep::add(std::vector<u64> &numbers, std::size_t place) {
    const u64 carry = add_words(numbers.data() + place, number_.data(), limbs_);
    if (carry == 0) return;
    place /= limbs_;
    widen();
    numbers[place * limbs_ + limbs_ - 1] = carry;
}

// Give every number one more word.
void Sweep::widen() {
    const u32 before = limbs_++;
    const auto widened = [&](std::vector<u64> &numbers) {
        std::vector<u64> wider(numbers.size() / before * limbs_, 0);
        for (std::size_t k = 0; k * before < numbers.size(); ++k)
            std::copy_n(numbers.data() + k * before, before, wider.data() + k * limbs_);
        numbers = std::move(wider);
    };
    widened(total_);
    widened(number_);
    for (auto &bucket : buckets_)
        if (bucket != nullptr) widened(bucket->numbers);
}

u32 Sweep::zdd(Zdd &diagrams, const std::vector<u32> &level) const {
    if (ids_ == 0) return steps_.empty() ? Zdd::kEmpty : Zdd::kUnit;  // some rule does not hold, or all does
    std::vector<u32> found(ids_, Zdd::kEmpty);
    for (std::size_t k = expanded_.size(); k-- > 0;) {
        const std::size_t last = k + 1 < expanded_.size() ? first_step_[k + 1] : steps_.size();
        u32 sum = Zdd::kEmpty;
        for (std::size_t s = last; s-- > first_step_[k];) {
            diagrams.step();
            const u32 rest = steps_[s].to == kTotal ? Zdd::kUnit : found[steps_[s].to];
            sum = diagrams.add(sum, steps_[s].option == kNone ? rest : diagrams.with(level[steps_[s].option], rest));
        }
        found[expanded_[k]] = sum;
    }
    return found[0];
}

std::size_t Sweep::bytes() const {
    std::size_t sum = steps_.capacity() * sizeof(Step) + first_step_.capacity() * sizeof(std::size_t) +
                      expanded_.capacity() * sizeof(u32);
    for (const auto &bucket : buckets_)
        if (bucket != nullptr)
            sum += bucket->states.bytes() + bucket->numbers.capacity() * sizeof(u64) +
                   bucket->ids.capacity() * sizeof(u32);
    return sum;
}

}  // namespace exactcover
