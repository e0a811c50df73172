#include "steps/trials.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "base/meter.hpp"

namespace exactcover {

Trials::Trials(std::vector<std::vector<Entry>> rows, std::vector<u32> low, std::vector<u32> high,
               std::vector<GraphRule> rules)
    : rows_(std::move(rows)), holders_(low.size()), low_(std::move(low)), high_(std::move(high)), most_(low_.size(), 0),
      rules_(std::move(rules)), check_((check_rules(), rules_), static_cast<u32>(rows_.size())), alive_(rows_.size(), 0),
      left_(low_.size(), 0), used_(low_.size(), 0), rank_(low_.size(), kNone), possible_(check_.options().size()),
      waits_(low_.size(), 0) {
    if (low_.size() != high_.size()) throw std::invalid_argument("there must be two bounds for each item");
    for (u32 option = 0; option < rows_.size(); ++option)
        for (const auto &[item, times, color] : rows_[option]) {
            if (item >= low_.size() || times == 0) throw std::invalid_argument("there is no such item");
            holders_[item].push_back({option, times, color});
            most_[item] = std::max(most_[item], times);
        }
}

void Trials::check_rules() const {
    for (const GraphRule &rule : rules_) rule.check(static_cast<u32>(rows_.size()));
}

void Trials::enter(std::vector<u32> alive, std::vector<u32> chosen) {
    for (const auto *some : {&alive, &chosen})
        for (u32 option : *some)
            if (option >= rows_.size()) throw std::invalid_argument("there is no such option");
    std::fill(alive_.begin(), alive_.end(), u8{0});
    std::fill(left_.begin(), left_.end(), 0u);
    std::fill(used_.begin(), used_.end(), 0u);
    for (u32 option : alive) {
        alive_[option] = 1;
        for (const Entry &entry : rows_[option]) left_[entry.item] += entry.times;
    }
    for (u32 option : chosen)
        for (const Entry &entry : rows_[option]) {
            left_[entry.item] += entry.times;
            used_[entry.item] += entry.times;
        }
    options_ = std::move(alive);
    chosen_ = std::move(chosen);
    base_ = chosen_.size();
    live_ = options_.size();
    next_ = survived_ = tried_ = 0;
    for (stride_ = 1 + live_ * 5 / 8; std::gcd(stride_, live_) > 1;) ++stride_;
    is_dead_ = false;
}

// Let these items matter, in this order, and no others.
void Trials::rank(const std::vector<u32> &items) {
    for (u32 item : items)
        if (item >= rank_.size()) throw std::invalid_argument("there is no such item");
    std::fill(rank_.begin(), rank_.end(), kNone);
    u32 next = 0;
    for (u32 item : items) rank_[item] = next++;
}

bool Trials::rules_hold() {
    if (rules_.empty()) return true;
    for (std::size_t k = 0; k < possible_.size(); ++k) possible_[k] = alive_[check_.options()[k]];
    return check_.hold(chosen_.data(), static_cast<u32>(chosen_.size()), possible_.data());
}

std::vector<Trials::Refutation> Trials::refute(const std::vector<u32> &items, const std::vector<u32> &options,
                                               const Poll &poll) {
    for (u32 option : options)
        if (option >= rows_.size() || !alive_[option]) throw std::invalid_argument("an option cannot be chosen");
    rank(items);
    std::vector<Refutation> found;
    Meter meter(poll);
    for (u32 option : options) {
        if (auto refutation = try_option(option)) found.push_back(std::move(*refutation));
        meter.spend(work_);
    }
    return found;
}

void Trials::decide(const std::vector<u32> &items, u64 work, const Poll &poll) {
    rank(items);
    Meter meter(poll);
    for (u64 before = total_, end = before + work; before < end && !is_stable(); before = total_) {
        try_next();
        meter.spend(total_ - before);
    }
}

// Try the next option that is left; the first ones tried are spread over all.
void Trials::try_next() {
    do {
        next_ = (next_ + stride_) % options_.size();
        ++total_;
    } while (!alive_[options_[next_]]);
    const u32 option = options_[next_];
    ++tried_;
    if (try_option(option))
        kill(option);
    else if (try_option(option, false))
        choose(option);
    else
        ++survived_;
    keep();
}

std::vector<u32> Trials::options() const {
    std::vector<u32> found;
    if (!is_dead_)
        std::copy_if(options_.begin(), options_.end(), std::back_inserter(found), [&](u32 one) { return alive_[one] != 0; });
    return found;
}

// Let what was removed and chosen since the last trial be part of the position.
void Trials::keep() {
    const std::size_t decided = killed_.size() + chosen_.size() - base_;
    if (decided != 0) survived_ = 0;
    live_ -= decided;
    base_ = chosen_.size();
    for (u32 item : touched_) is_dead_ = is_dead_ || left_[item] < low_[item];
    forget();
}

// Try an option or its absence, and go back to the position.
std::optional<Trials::Refutation> Trials::try_option(u32 option, bool is_present) {
    work_ = 1 + possible_.size();
    try {
        auto found = refute(option, is_present);
        undo();
        total_ += work_;
        return found;
    } catch (...) {
        undo();
        throw;
    }
}

std::vector<u32> Trials::shrink(u32 option, std::vector<u32> items, const std::vector<u32> &order, const Poll &poll) {
    for (u32 item : order) {
        std::vector<u32> fewer;
        std::copy_if(items.begin(), items.end(), std::back_inserter(fewer), [&](u32 one) { return one != item; });
        if (!refute(fewer, {option}, poll).empty()) items.swap(fewer);
    }
    return items;
}

std::optional<Trials::Refutation> Trials::refute(u32 first, bool is_present) {
    Refutation trial{first, 0, {}, kNone};
    std::vector<std::pair<u32, u32>> pending, next;
    if (is_present)
        pending.emplace_back(first, kNone);
    else
        kill(first);
    do {
        ++trial.waves;
        next.clear();
        for (const auto &[option, item] : pending)
            if (alive_[option]) {
                choose(option);
                trial.taken.emplace_back(option, item);
            }
        std::sort(touched_.begin(), touched_.end(), [&](u32 a, u32 b) { return rank_[a] < rank_[b]; });
        for (u32 item : touched_) {
            waits_[item] = 0;
            if (left_[item] < low_[item] && trial.item == kNone) trial.item = item;
        }
        if (trial.item != kNone) return trial;
        for (u32 item : touched_) {
            const u32 slack = left_[item] - low_[item];
            if (slack >= most_[item]) continue;
            work_ += holders_[item].size();
            for (const Holder &holder : holders_[item])
                if (alive_[holder.option] && holder.times > slack) next.emplace_back(holder.option, item);
        }
        touched_.clear();
        pending.swap(next);
    } while (!pending.empty());
    if (rules_hold()) return std::nullopt;
    return trial;
}

// Choose an option, and kill those that exclude it or for which there is no room any more.
void Trials::choose(u32 option) {
    alive_[option] = 0;
    chosen_.push_back(option);
    work_ += rows_[option].size();
    for (const Entry &entry : rows_[option]) used_[entry.item] += entry.times;
    for (const auto &[item, times, color] : rows_[option]) {
        const u32 room = high_[item] > used_[item] ? high_[item] - used_[item] : 0;
        if (room >= most_[item]) continue;
        work_ += holders_[item].size();
        for (const Holder &holder : holders_[item]) {
            const bool shares = high_[item] == 1 && color != 0 && holder.color == color;
            if (alive_[holder.option] && holder.times > room && !shares) kill(holder.option);
        }
    }
}

void Trials::kill(u32 option) {
    alive_[option] = 0;
    killed_.push_back(option);
    work_ += rows_[option].size();
    for (const Entry &entry : rows_[option]) {
        left_[entry.item] -= entry.times;
        if (rank_[entry.item] != kNone && !waits_[entry.item]) {
            waits_[entry.item] = 1;
            touched_.push_back(entry.item);
        }
    }
}

// Go back to the position.
void Trials::undo() {
    for (u32 option : killed_) {
        alive_[option] = 1;
        for (const Entry &entry : rows_[option]) left_[entry.item] += entry.times;
    }
    for (std::size_t k = base_; k < chosen_.size(); ++k) {
        alive_[chosen_[k]] = 1;
        for (const Entry &entry : rows_[chosen_[k]]) used_[entry.item] -= entry.times;
    }
    chosen_.resize(base_);
    forget();
}

void Trials::forget() {
    for (u32 item : touched_) waits_[item] = 0;
    killed_.clear();
    touched_.clear();
}

}  // namespace exactcover
