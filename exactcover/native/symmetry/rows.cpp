#include "symmetry/rows.hpp"

#include <algorithm>
#include <numeric>

namespace exactcover {

Rows Rows::from_arrays(const RowArrays &arrays, std::vector<i32> lows, std::vector<i32> highs, const Poll &poll) {
    Rows rows;
    rows.items = arrays.items;
    rows.primary = arrays.primary;
    rows.start.reserve(arrays.options + 1);
    rows.item.reserve(arrays.total);
    rows.color.reserve(arrays.total);
    arrays.read(
        poll,
        [&](u32, u32 item, u32 color) {
            rows.item.push_back(item);
            rows.color.push_back(color);
        },
        [&](u32) { rows.start.push_back(static_cast<u32>(rows.item.size())); });
    check_bounds(lows, highs, rows.primary, rows.options());
    rows.low.assign(lows.begin(), lows.end());
    rows.high.assign(highs.begin(), highs.end());
    rows.low.resize(rows.primary, 1);
    rows.high.resize(rows.primary, 1);
    rows.item_origin.resize(rows.items);
    std::iota(rows.item_origin.begin(), rows.item_origin.end(), 0);
    rows.option_origin.resize(rows.options());
    std::iota(rows.option_origin.begin(), rows.option_origin.end(), 0);
    rows.origin_primary = rows.primary;
    return rows;
}

void Rows::holders(std::vector<u32> &first, std::vector<u32> &held) const {
    first.assign(items + 1, 0);
    for (const u32 one : item) ++first[one + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    held.resize(item.size());
    std::vector<u32> place(first.begin(), first.end() - 1);
    for (u32 option = 0; option < options(); ++option)
        for (u32 k = start[option]; k < start[option + 1]; ++k) held[place[item[k]]++] = option;
}

namespace {

// Chooses options, and removes those that clash with them.
class Chooser {
public:
    explicit Chooser(const Rows &rows)
        : rows_(rows), live_(rows.options(), 1), left_(rows.items), need_(rows.low), room_(rows.high),
          color_(rows.items, kNone) {
        rows.holders(first_, held_);
        for (u32 item = 0; item < rows.items; ++item) left_[item] = first_[item + 1] - first_[item];
    }

    bool choose_all(const std::vector<u32> &chosen, const std::vector<u32> &excluded) {
        for (const u32 option : excluded)
            if (live_[option] != 0) remove(option);
        for (u32 item = 0; item < rows_.primary; ++item) suspects_.push_back(item);
        for (const u32 option : chosen)
            if (!choose(option)) return false;
        return force();
    }

    Rows rest() const {
        std::vector<u32> number(rows_.items, kNone);
        Rows rest;
        rest.origin_primary = rows_.origin_primary;
        for (u32 item = 0; item < rows_.items; ++item) {
            if (!matters(item)) continue;
            number[item] = rest.items++;
            rest.item_origin.push_back(rows_.item_origin[item]);
            if (item >= rows_.primary) continue;
            ++rest.primary;
            rest.low.push_back(need_[item]);
            rest.high.push_back(std::min(room_[item], left_[item]));
        }
        for (u32 option = 0; option < rows_.options(); ++option) {
            if (live_[option] == 0) continue;
            for (u32 k = rows_.start[option]; k < rows_.start[option + 1]; ++k) {
                if (number[rows_.item[k]] == kNone) continue;
                rest.item.push_back(number[rows_.item[k]]);
                rest.color.push_back(rows_.color[k]);
            }
            rest.start.push_back(static_cast<u32>(rest.item.size()));
            rest.option_origin.push_back(rows_.option_origin[option]);
        }
        return rest;
    }

private:
    // A secondary item that has a color, or one option at most, excludes nothing.
    bool matters(u32 item) const {
        if (item < rows_.primary) return left_[item] > 0 && room_[item] > 0;
        return color_[item] == kNone && left_[item] > 1;
    }

    void remove(u32 option) {
        live_[option] = 0;
        for (u32 k = rows_.start[option]; k < rows_.start[option + 1]; ++k) {
            const u32 item = rows_.item[k];
            --left_[item];
            if (item < rows_.primary) suspects_.push_back(item);
        }
    }

    bool choose(u32 option) {
        if (live_[option] == 0) return false;
        remove(option);
        for (u32 k = rows_.start[option]; k < rows_.start[option + 1]; ++k) {
            const u32 item = rows_.item[k];
            if (item < rows_.primary) {
                if (room_[item] == 0) return false;
                need_[item] -= need_[item] > 0;
                if (--room_[item] == 0) remove_others(item, 0);
            } else if (color_[item] == kNone) {
                color_[item] = rows_.color[k];
                remove_others(item, rows_.color[k]);
            }
        }
        return true;
    }

    // Remove the options of an item, except those that give it this color.
    void remove_others(u32 item, u32 color) {
        for (u32 k = first_[item]; k < first_[item + 1]; ++k) {
            const u32 option = held_[k];
            if (live_[option] != 0 && (color == 0 || color_of(option, item) != color)) remove(option);
        }
    }

    u32 color_of(u32 option, u32 item) const {
        u32 k = rows_.start[option];
        while (rows_.item[k] != item) ++k;
        return rows_.color[k];
    }

    // Choose the options of items that need all they have left.
    bool force() {
        while (!suspects_.empty()) {
            const u32 item = suspects_.back();
            suspects_.pop_back();
            if (left_[item] < need_[item]) return false;
            if (need_[item] == 0 || left_[item] > need_[item]) continue;
            for (u32 k = first_[item]; k < first_[item + 1]; ++k)
                if (live_[held_[k]] != 0 && !choose(held_[k])) return false;
            if (need_[item] > 0) return false;
        }
        return true;
    }

    const Rows &rows_;
    std::vector<u8> live_;
    std::vector<u32> left_, need_, room_;
    std::vector<u32> color_;  // that chosen options give to secondary items
    std::vector<u32> first_, held_;
    std::vector<u32> suspects_;  // items that may have too few options
};

}  // namespace

void Rows::check_options(const std::vector<u32> &some) const {
    for (const u32 option : some)
        if (option >= options()) throw std::invalid_argument("there is no such option");
}

std::optional<Rows> Rows::remainder(const std::vector<u32> &chosen, const std::vector<u32> &excluded) const {
    check_options(chosen);
    check_options(excluded);
    Chooser chooser(*this);
    if (!chooser.choose_all(chosen, excluded)) return std::nullopt;
    return chooser.rest();
}

Rows Rows::with_item(const std::vector<u32> &holders, u32 number) const {
    check_options(holders);
    std::vector<u8> holds(options(), 0);
    for (const u32 option : holders) holds[option] = 1;
    if (number == 0 || number > std::accumulate(holds.begin(), holds.end(), u32{0}))
        throw std::invalid_argument("the item cannot be covered that often");
    Rows more;
    more.items = items + 1;
    more.primary = primary + 1;
    for (u32 option = 0; option < options(); ++option) {
        for (u32 k = start[option]; k < start[option + 1]; ++k) {
            more.item.push_back(item[k] + (item[k] >= primary));  // secondary items follow the new one
            more.color.push_back(color[k]);
        }
        if (holds[option] != 0) {
            more.item.push_back(primary);
            more.color.push_back(0);
        }
        more.start.push_back(static_cast<u32>(more.item.size()));
    }
    more.option_origin = option_origin;
    more.origin_primary = origin_primary + 1;
    more.item_origin = item_origin;
    for (u32 &origin : more.item_origin) origin += origin >= origin_primary;
    more.item_origin.insert(more.item_origin.begin() + primary, origin_primary);
    more.low = low;
    more.high = high;
    more.low.push_back(number);
    more.high.push_back(number);
    return more;
}

}  // namespace exactcover
