#include "search/results.hpp"

#include <algorithm>

namespace exactcover {

void Profile::note(u32 depth, i32 choices) {
    if (levels.size() <= depth) levels.resize(depth + 1);
    ++levels[depth];
    most_choices = std::max(most_choices, static_cast<u32>(std::max(0, choices)));
}

namespace {

constexpr u32 kLogSolution = 0, kLogPruned = 1, kLogUnrecorded = 2, kLogFirstItem = 3;

void add_number(std::vector<u8> &log, u64 number) {
    for (; number >= 128; number >>= 7) log.push_back(static_cast<u8>(number | 128));
    log.push_back(static_cast<u8>(number));
}

}  // namespace

void Profile::log_branch(u32 item, u32 children) {
    if (!logged) return;
    add_number(log, item + kLogFirstItem);
    add_number(log, children);
}

void Profile::log_solution() {
    if (logged) add_number(log, kLogSolution);
}

void Profile::log_pruned(u32 pruned) {
    for (; logged && pruned > 0; --pruned) add_number(log, kLogPruned);
}

void Profile::log_unrecorded(u64 nodes, u64 solutions) {
    for (const u64 number : {u64{kLogUnrecorded}, nodes, solutions}) add_number(log, number);
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
