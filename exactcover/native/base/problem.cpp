#include "base/problem.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace exactcover {

Problem Problem::from_rows(const RowArrays &rows, const Poll &poll) {
    if (rows.items > kMaxItems) throw std::invalid_argument("there are too many items");
    Problem problem;
    problem.primary = rows.primary;
    problem.options = static_cast<u32>(rows.options);
    problem.columns = rows.items;
    problem.start.reserve(rows.options + 1);
    problem.start.push_back(0);
    problem.entry.reserve(rows.total);
    problem.whole.resize(rows.items);
    std::iota(problem.whole.begin(), problem.whole.end(), 0);
    problem.colored.assign(rows.items, 0);
    std::unordered_map<u64, u32> by_color;
    const auto add = [&](u32, u32 item, u32 color) {
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
        problem.entry.push_back(column);
    };
    const auto end = [&](u32) {
        const auto first = problem.entry.begin() + problem.start.back();
        const auto border = std::stable_partition(first, problem.entry.end(),
                                                  [&](u32 column) { return column < problem.primary; });
        const u32 items = static_cast<u32>(border - first);
        problem.most_items = std::max(problem.most_items, items);
        problem.most_secondary = std::max(problem.most_secondary, static_cast<u32>(problem.entry.end() - border));
        if (items > 0) problem.fewest_items = std::min(problem.fewest_items, items);
        problem.start.push_back(static_cast<u32>(problem.entry.size()));
    };
    rows.read(poll, add, end);
    return problem;
}

void Problem::set_bounds(std::vector<i32> lows, std::vector<i32> highs) {
    check_bounds(lows, highs, primary, options);
    if (!lows.empty()) fewest_items = 1;
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

void GraphRule::check(u32 options) const {
    const auto require = [](bool holds, const char *what) {
        if (!holds) throw std::invalid_argument(what);
    };
    require(switches.size() == elements.size(), "a rule must have a switch for each element");
    for (const auto &[a, b] : elements)
        require(a < vertices && b < (kind == kRegions ? sizes.size() : vertices), "an element does not exist");
    for (const auto &some : switches)
        for (u32 option : some) require(option < options, "a rule names an option that does not exist");
    for (u32 element : lit) require(element < elements.size(), "an element that is on does not exist");
    require(kind != kPaths || partners.size() == vertices, "paths must have a partner for each vertex");
    for (u32 other : partners) require(other >= kAny || other < vertices, "a partner does not exist");
    require(kind != kRegions || weights.size() == vertices, "regions must have a weight for each vertex");
    for (const auto &[low, high] : sizes)
        require(low <= high && low <= kMostSize && (high == kNone || high <= kMostSize), "a size is too large");
    u64 total = 0;
    for (u32 weight : weights) total += weight;
    require(total <= kMostSize, "the weights are too large");
    for (const auto &[a, b] : neighbors) require(a < vertices && b < vertices, "a neighbor does not exist");
}

void Problem::set_rules(std::vector<GraphRule> stated) {
    for (const GraphRule &rule : stated) rule.check(options);
    rules = std::move(stated);
}

bool Problem::plain() const { return low.empty() && cost.empty() && preferred.empty() && rules.empty(); }

std::size_t Problem::bytes() const {
    return (start.size() + entry.size() + whole.size() + low.size() + high.size() + 2 * cost.size()) * sizeof(u32) +
           colored.size();
}

}  // namespace exactcover
