#include "search/results.hpp"

#include <algorithm>

#include "base/numbers.hpp"

namespace exactcover {

void Profile::note(u32 depth, i32 choices) {
    if (levels.size() <= depth) levels.resize(depth + 1);
    ++levels[depth];
    most_choices = std::max(most_choices, static_cast<u32>(std::max(0, choices)));
}

static constexpr u32 kLogSolution = 0, kLogPruned = 1, kLogUnrecorded = 2, kLogFirstItem = 3;

void Profile::log_branch(u32 item, u32 children) {
    if (!logged) return;
    append_number(log, item + kLogFirstItem);
    append_number(log, children);
}

void Profile::log_solution() {
    if (logged) append_number(log, kLogSolution);
}

void Profile::log_pruned(u32 pruned) {
    for (; logged && pruned > 0; --pruned) append_number(log, kLogPruned);
}

void Profile::log_unrecorded(u64 nodes, u64 solutions) {
    for (const u64 number : {u64{kLogUnrecorded}, nodes, solutions}) append_number(log, number);
}

Found::Found() = default;
Found::~Found() = default;

void Found::clear() {
    option.clear();
    end.clear();
}

void Found::add(const u32 *first, std::size_t size) {
    option.insert(option.end(), first, first + size);
    end.push_back(option.size());
}

void Root::set_chosen(const u32 *options, u32 size) {
    dead = false;
    chosen.assign(options, options + size);
}

void Root::add_next(u32 option) { next.push_back(option); }

void Path::add_node(u32 depth, bool none) { nodes.push_back({depth, {}, none}); }

void Path::add_next(u32 option) { nodes.back().next.push_back(option); }

void Path::set_chosen(const u32 *options, u32 size) { chosen.assign(options, options + size); }

void Probe::add(const Step &step) { steps.push_back(step); }

}  // namespace exactcover
