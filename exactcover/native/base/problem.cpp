#include "base/problem.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <unordered_map>

namespace exactcover {

Problem Problem::from_rows(u32 items, u32 primary, const i64 *starts, std::size_t options,
                           const i32 *entries, const i32 *colors, std::size_t total,
                           const Poll &poll) {
    if (items > kMostItems) throw std::invalid_argument("there are too many items");
    if (total >= std::numeric_limits<u32>::max() / 2 || options >= std::numeric_limits<u32>::max() / 2)
        throw std::bad_alloc();
    Problem problem;
    problem.primary = primary;
    problem.options = static_cast<u32>(options);
    problem.columns = items;
    problem.start.resize(options + 1);
    problem.entry.resize(total);
    problem.whole.assign(items, 0);
    for (u32 item = 0; item < items; ++item) problem.whole[item] = item;
    problem.colored.assign(items, 0);
    std::unordered_map<u64, u32> by_color;
    std::vector<u32> last(items, kNone);  // the option that held each item last
    std::size_t next = 0;
    for (std::size_t option = 0; option < options; ++option) {
        if (option % kPollEvery == 0) poll();
        problem.start[option] = static_cast<u32>(next);
        const std::size_t first = next;
        const i64 end = starts[option + 1];
        if (end < static_cast<i64>(first) || end > static_cast<i64>(total))
            throw std::invalid_argument("starts must ascend");
        while (next < static_cast<std::size_t>(end)) {
            const u32 item = static_cast<u32>(entries[next]), color = static_cast<u32>(colors[next]);
            if (item >= items) throw std::invalid_argument("there is no such item");
            if (last[item] == option) throw std::invalid_argument("an option holds an item twice");
            if (item < primary && color != 0) throw std::invalid_argument("a primary item must not have a color");
            last[item] = static_cast<u32>(option);
            u32 column = item;
            if (color != 0) {
                const u64 key = static_cast<u64>(item) << 32 | color;
                const auto [place, fresh] = by_color.try_emplace(key, problem.columns);
                if (fresh) {
                    ++problem.columns;
                    problem.whole.push_back(item);
                    problem.colored.push_back(1);
                }
                column = place->second;
            }
            problem.entry[next++] = column;
        }
        const auto border = std::stable_partition(problem.entry.begin() + static_cast<std::ptrdiff_t>(first),
                              problem.entry.begin() + static_cast<std::ptrdiff_t>(next),
                              [primary](u32 column) { return column < primary; });
        problem.most_items = std::max(
            problem.most_items, static_cast<u32>(border - problem.entry.begin() - static_cast<std::ptrdiff_t>(first)));
    }
    problem.start[options] = static_cast<u32>(next);
    if (next != total) throw std::invalid_argument("starts must end where the entries do");
    return problem;
}

void Problem::set_bounds(std::vector<i32> lows, std::vector<i32> highs) {
    if (lows.size() != highs.size() || (lows.size() != primary && !lows.empty()))
        throw std::invalid_argument("there must be bounds for each primary item, or none");
    for (std::size_t item = 0; item < lows.size(); ++item)
        if (lows[item] < 0 || highs[item] < 1 || lows[item] > highs[item])
            throw std::invalid_argument("bounds must be 0 <= low <= high and 1 <= high");
    const i32 most = static_cast<i32>(options) + 1;
    for (auto *bounds : {&lows, &highs})
        for (i32 &bound : *bounds) bound = std::min(bound, most);
    low = std::move(lows);
    high = std::move(highs);
}

void Problem::set_costs(std::vector<i64> costs) {
    if (costs.size() != options && !costs.empty())
        throw std::invalid_argument("there must be a cost for each option, or none");
    i64 total = 0;
    for (std::size_t option = 0; option < costs.size(); ++option) {
        if (costs[option] < (option == 0 ? 0 : costs[option - 1]))
            throw std::invalid_argument("costs must ascend from 0");
        if (__builtin_add_overflow(total, costs[option], &total)) throw std::invalid_argument("costs are too large");
    }
    cost = std::move(costs);
}

void Problem::set_preferred(std::vector<u32> items) {
    for (u32 item : items)
        if (item >= primary) throw std::invalid_argument("there is no such primary item");
    preferred = std::move(items);
}

u64 Problem::most_chosen() const {
    u64 sum = low.empty() ? primary : 0;
    for (i32 bound : high) sum += static_cast<u64>(bound);
    return std::min(sum, u64{options});
}

bool Problem::plain() const { return low.empty() && cost.empty() && preferred.empty(); }

std::size_t Problem::bytes() const {
    return (start.size() + entry.size() + whole.size() + low.size() + high.size() + 2 * cost.size()) * sizeof(u32) +
           colored.size();
}

}  // namespace exactcover
