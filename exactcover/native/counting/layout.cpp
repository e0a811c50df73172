#include "counting/layout.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace exactcover {

namespace {

// What is known of an item before an order is chosen.
struct Item {
    u32 degree = 0;
    u32 colors = 0;
    u32 width = 0;  // of its field
    bool once = true;
};

std::vector<Item> items_of(const Problem &problem) {
    std::vector<Item> items(problem.columns);
    for (u32 column : problem.entry) ++items[problem.whole[column]].degree;
    for (u32 column = 0; column < problem.columns; ++column)
        if (problem.colored[column]) ++items[problem.whole[column]].colors;
    for (u32 i = 0; i < problem.columns; ++i) {
        Item &item = items[i];
        item.width = static_cast<u32>(item.colors == 0 ? 1 : std::bit_width(item.colors + 1u));
        if (i >= problem.primary || problem.low.empty()) continue;
        const u32 low = static_cast<u32>(problem.low[i]), high = static_cast<u32>(problem.high[i]);
        item.once = low == 1 && high == 1;
        if (!item.once) item.width = static_cast<u32>(std::bit_width(high >= item.degree ? low : high));
    }
    return items;
}

// The stations where the bits of an item are in use: from the one after `first` to `last`.
struct Span {
    u32 item, first, last;
};

// Finds bits for fields; fields whose spans do not overlap may share them.
class Ruler {
public:
    explicit Ruler(u32 most_words) : most_words_(most_words) {}

    Field take(u32 width, u32 first, u32 last) {
        for (std::size_t k = 0; k < taken_.size();) {
            if (taken_[k].second >= first) {
                ++k;
                continue;
            }
            used_[taken_[k].first.word] &= ~taken_[k].first.mask();
            taken_[k] = taken_.back();
            taken_.pop_back();
        }
        Field field{0, 0, width};
        while (field.word < used_.size() && !fits(field)) ++field.word;
        if (field.word == used_.size()) {
            if (used_.size() == most_words_)
                throw TooLarge("a sweep supports states of at most " + std::to_string(most_words_ * 64) +
                               " bits; the problem needs more");
            used_.push_back(0);
            field.shift = 0;
        }
        used_[field.word] |= field.mask();
        taken_.push_back({field, last});
        return field;
    }
    u32 words() const { return static_cast<u32>(used_.size()); }

private:
    bool fits(Field &field) const {
        for (field.shift = 0; field.shift + field.width <= 64; ++field.shift)
            if ((used_[field.word] & field.mask()) == 0) return true;
        return false;
    }
    const u32 most_words_;
    std::vector<u64> used_;
    std::vector<std::pair<Field, u32>> taken_;  // with the last station where each matters
};

// Assigns each option to the station of its first item, and finds the span of each item of an order.
class Planner {
public:
    Planner(const Problem &problem, const std::vector<u32> &order)
        : items_(items_of(problem)), position_(problem.primary), station_(problem.options), spans_(problem.columns) {
        for (u32 s = 0; s < order.size(); ++s) position_[order[s]] = s;
        for (u32 i = 0; i < problem.columns; ++i) spans_[i] = {i, kNone, 0};
        for (u32 o = 0; o < problem.options; ++o) {
            u32 first = kNone;
            for (u32 e = problem.start[o]; e < problem.start[o + 1] && problem.entry[e] < problem.primary; ++e)
                first = std::min(first, position_[problem.entry[e]]);
            station_[o] = first;
            if (first == kNone) continue;
            for (u32 e = problem.start[o]; e < problem.start[o + 1]; ++e) {
                Span &span = spans_[problem.whole[problem.entry[e]]];
                span.first = std::min(span.first, first);
                span.last = std::max(span.last, first);
            }
        }
        for (u32 i = 0; i < problem.primary; ++i) spans_[i].last = position_[i];
        std::erase_if(spans_, [&](const Span &span) {
            const bool here = span.first == span.last &&
                              (span.item < problem.primary ? items_[span.item].once : items_[order[span.first]].once);
            return span.first == kNone || span.last == kNone || here || items_[span.item].width == 0;
        });
        std::sort(spans_.begin(), spans_.end(), [](const Span &a, const Span &b) {
            return a.first != b.first ? a.first < b.first : a.item < b.item;
        });
    }

    const std::vector<Span> &spans() const { return spans_; }
    const Item &item(u32 i) const { return items_[i]; }
    u32 station(u32 option) const { return station_[option]; }

    std::vector<u32> bits() const {
        std::vector<i64> change(position_.size() + 1, 0);
        for (const Span &span : spans_) {
            change[span.first] += items_[span.item].width;
            change[span.last] -= items_[span.item].width;
        }
        std::vector<u32> bits(position_.size());
        i64 now = 0;
        for (u32 s = 0; s < bits.size(); ++s) {
            bits[s] = static_cast<u32>(now);
            now += change[s];
        }
        return bits;
    }

private:
    std::vector<Item> items_;
    std::vector<u32> position_, station_;
    std::vector<Span> spans_;
};

// Orders items one after another so that few other items are touched.
class Greedy {
public:
    Greedy(const Problem &problem, const Poll &poll)
        : problem_(problem), poll_(poll), items_(items_of(problem)), holders_(problem.columns) {
        for (u32 o = 0; o < problem.options; ++o)
            for (u32 e = problem.start[o]; e < problem.start[o + 1] && problem.choosable(o); ++e)
                holders_[problem.whole[problem.entry[e]]].push_back(o);
    }

    // An order that begins with the first item.
    std::vector<u32> order() {
        gone_.assign(problem_.options, 0);
        begun_.assign(problem_.columns, kNone);
        seen_.assign(problem_.columns, 0);
        std::vector<u32> found, rest(problem_.primary);
        std::iota(rest.begin(), rest.end(), 0u);
        for (u32 next = rest.front();;) {
            poll_();
            ++now_;
            found.push_back(next);
            begin(next);
            std::erase(rest, next);
            if (rest.empty()) return found;
            next = rest.front();
            i64 least = kMax;  // ties go to the item that was touched first
            for (u32 item : rest) {
                const i64 now = price(item);
                if (now > least || (now == least && begun_[item] >= begun_[next])) continue;
                next = item;
                least = now;
            }
        }
    }

private:
    // How many more bits would be in use if this item came next; 0 after too many looks.
    i64 price(u32 item) {
        if (looked_ > kMaxLooks) return 0;
        ++stamp_;
        i64 added = begun_[item] != kNone ? -i64{items_[item].width} : 0;
        looked_ += holders_[item].size();
        for (u32 o : holders_[item]) {
            if (gone_[o]) continue;
            for (u32 e = problem_.start[o]; e < problem_.start[o + 1]; ++e) {
                const u32 other = problem_.whole[problem_.entry[e]];
                if (other == item || begun_[other] != kNone || seen_[other] == stamp_) continue;
                seen_[other] = stamp_;
                added += items_[other].width;
            }
            looked_ += problem_.start[o + 1] - problem_.start[o];
        }
        return added;
    }

    void begin(u32 item) {
        begun_[item] = std::min(begun_[item], now_);
        for (u32 o : holders_[item]) {
            if (gone_[o]) continue;
            gone_[o] = 1;
            for (u32 e = problem_.start[o]; e < problem_.start[o + 1]; ++e) {
                u32 &begun = begun_[problem_.whole[problem_.entry[e]]];
                begun = std::min(begun, now_);
            }
        }
    }

    static constexpr u64 kMaxLooks = u64{1} << 24;
    static constexpr i64 kMax = std::numeric_limits<i64>::max();

    const Problem &problem_;
    const Poll &poll_;
    std::vector<Item> items_;
    std::vector<std::vector<u32>> holders_;
    std::vector<u8> gone_;
    std::vector<u32> begun_;  // when an item was first touched
    std::vector<u32> seen_;
    u32 stamp_ = 0, now_ = 0;
    u64 looked_ = 0;
};

// The binary logarithm of an upper bound for the number of states of an order.
double price(const Problem &problem, const std::vector<u32> &order) {
    const std::vector<u32> bits = Planner(problem, order).bits();
    const u32 most = bits.empty() ? 0 : *std::max_element(bits.begin(), bits.end());
    double sum = 0;
    for (u32 b : bits) sum += std::exp2(static_cast<double>(b) - most);
    return most + std::log2(sum);
}

}  // namespace

std::vector<u32> narrow_order(const Problem &problem, const Poll &poll) {
    constexpr double kClearly = 1;  // another order must be better by this many bits
    std::vector<u32> given(problem.primary);
    std::iota(given.begin(), given.end(), 0u);
    if (problem.primary == 0) return given;
    std::vector<u32> found = Greedy(problem, poll).order();
    return price(problem, found) > price(problem, given) - kClearly ? given : found;
}

std::vector<u32> options_in_order(const Problem &problem, const std::vector<u32> &order) {
    const Planner plan(problem, order);
    std::vector<u32> options(problem.options);
    std::iota(options.begin(), options.end(), 0u);
    std::stable_sort(options.begin(), options.end(), [&](u32 a, u32 b) { return plan.station(a) < plan.station(b); });
    return options;
}

Layout lay_out(const Problem &problem, const std::vector<u32> &order, u32 most_words) {
    const Planner plan(problem, order);
    Layout layout;
    layout.order = order;
    std::vector<Field> fields(problem.columns);
    Ruler ruler(most_words);
    for (const Span &span : plan.spans())
        fields[span.item] = ruler.take(plan.item(span.item).width, span.first, span.last);
    const u32 words = layout.words = std::max(1u, ruler.words());
    layout.bits = plan.bits();
    layout.keep.assign(order.size() * words, 0);
    for (const Span &span : plan.spans())
        for (u32 s = span.first + 1; s <= span.last; ++s)
            layout.keep[std::size_t{s} * words + fields[span.item].word] |= fields[span.item].mask();

    std::vector<std::vector<u32>> at(order.size());
    for (u32 o = 0; o < problem.options; ++o)
        if (plan.station(o) != kNone) at[plan.station(o)].push_back(o);
    std::vector<u32> color(problem.columns, 0), colors(problem.columns, 0);
    for (u32 column = 0; column < problem.columns; ++column)
        if (problem.colored[column]) color[column] = ++colors[problem.whole[column]];
    for (u32 s = 0; s < order.size(); ++s) {
        Layout::Station station;
        station.once = plan.item(order[s]).once;
        station.field = fields[order[s]];
        station.low = problem.low.empty() ? 1 : static_cast<u64>(problem.low[order[s]]);
        station.bucket = layout.buckets;
        station.first = static_cast<u32>(layout.option.size());
        for (u32 o : at[s]) {
            layout.option.push_back(o);
            layout.first_count.push_back(static_cast<u32>(layout.counts.size()));
            layout.first_paint.push_back(static_cast<u32>(layout.paints.size()));
            layout.zero.resize(layout.zero.size() + words);
            layout.set.resize(layout.set.size() + words);
            u64 *zero = layout.zero.data() + layout.zero.size() - words;
            u64 *set = layout.set.data() + layout.set.size() - words;
            for (u32 e = problem.start[o]; e < problem.start[o + 1]; ++e) {
                const u32 column = problem.entry[e], item = problem.whole[column];
                const Field &field = fields[item];
                if (field.width == 0) continue;
                if (item < problem.primary && !plan.item(item).once) {
                    const u64 low = static_cast<u64>(problem.low[item]), high = static_cast<u64>(problem.high[item]);
                    const bool saturates = high >= plan.item(item).degree;
                    layout.counts.push_back({field, saturates ? low : high, saturates});
                } else if (color[column] != 0) {
                    layout.paints.push_back({field, color[column]});
                } else {
                    zero[field.word] |= field.mask();
                    set[field.word] |= (plan.item(item).colors == 0 ? u64{1} : u64{plan.item(item).colors + 1})
                                       << field.shift;
                }
            }
        }
        station.last = static_cast<u32>(layout.option.size());
        layout.buckets += station.once ? 1 : station.last - station.first + 1;
        layout.stations.push_back(station);
    }
    layout.first_count.push_back(static_cast<u32>(layout.counts.size()));
    layout.first_paint.push_back(static_cast<u32>(layout.paints.size()));
    return layout;
}

}  // namespace exactcover
