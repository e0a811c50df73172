#include "search/results.hpp"

#include <algorithm>

namespace exactcover {

void Profile::note(u32 depth, i32 choices) {
    if (levels.size() <= depth) levels.resize(depth + 1);
    ++levels[depth];
    most_choices = std::max(most_choices, static_cast<u32>(std::max(0, choices)));
    if (traced) trace.insert(trace.end(), {static_cast<i32>(depth), choices});
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
