#include "base/rule_check.hpp"

#include <algorithm>

namespace exactcover {

RuleCheck::RuleCheck(const std::vector<GraphRule> &rules, u32 options)
    : rules_(rules), place_(options, kNone), chosen_(options, 0) {
    for (const GraphRule &rule : rules)
        for (const auto &some : rule.switches)
            for (u32 option : some)
                if (place_[option] == kNone) {
                    place_[option] = static_cast<u32>(options_.size());
                    options_.push_back(option);
                }
}

bool RuleCheck::hold(const u32 *chosen, u32 depth, const u8 *possible) {
    for (u32 d = 0; d < depth; ++d) chosen_[chosen[d]] = 1;
    bool holds = true;
    for (const GraphRule &rule : rules_) {
        light(rule, possible);
        const bool over = std::find(state_.begin(), state_.end(), kPossible) == state_.end();
        holds = rule.kind == GraphRule::kRegions ? regions_hold(rule) : edges_hold(rule, over);
        if (!holds) break;
    }
    for (u32 d = 0; d < depth; ++d) chosen_[chosen[d]] = 0;
    return holds;
}

// Find which elements are on, and which may be.
void RuleCheck::light(const GraphRule &rule, const u8 *possible) {
    state_.assign(rule.elements.size(), kOff);
    for (u32 e = 0; e < state_.size(); ++e)
        for (u32 option : rule.switches[e]) {
            if (chosen_[option]) state_[e] = kOn;
            else if (state_[e] == kOff && possible != nullptr && possible[place_[option]]) state_[e] = kPossible;
        }
    for (u32 e : rule.lit) state_[e] = kOn;
}

bool RuleCheck::edges_hold(const GraphRule &rule, bool over) {
    const bool loop = rule.kind == GraphRule::kLoop;
    on_.assign(rule.vertices, 0);
    open_.assign(rule.vertices, 0);
    lit_.reset(rule.vertices);
    left_.reset(rule.vertices);
    u32 edges = 0, closed = 0;  // that are on; those that close a loop
    for (u32 e = 0; e < state_.size(); ++e) {
        if (state_[e] == kOff) continue;
        const auto [a, b] = rule.elements[e];
        left_.join(a, b);
        for (u32 v : {a, b}) {
            ++open_[v];
            on_[v] += state_[e] == kOn;
        }
        if (state_[e] != kOn) continue;
        ++edges;
        closed += !lit_.join(a, b);
    }
    if (closed > (loop ? 1 : 0)) return false;
    const bool free = std::find(rule.partners.begin(), rule.partners.end(), GraphRule::kAny) != rule.partners.end() ||
                      rule.free_paths > 0;
    u32 degrees = 0;
    for (u32 v = 0; v < rule.vertices; ++v) {
        const bool named = !loop && rule.partners[v] != kNone;
        const u32 low = named ? 1 : on_[v] == 0 ? 0 : free ? 1 : 2;
        if (on_[v] > (named ? 1u : 2u) || open_[v] < low) return false;
        degrees += on_[v] > 0;
    }
    if (loop && closed > 0 && degrees != edges) return false;  // an edge is on that the loop leaves out
    return loop ? loop_holds(rule) : paths_hold(rule, over);
}

bool RuleCheck::loop_holds(const GraphRule &rule) {
    u32 part = kNone;
    bool some = rule.or_none;
    for (u32 e = 0; e < state_.size(); ++e) {
        some |= state_[e] != kOff;
        if (state_[e] != kOn) continue;
        const u32 mine = left_.find(rule.elements[e].first);
        if (part != kNone && part != mine) return false;
        part = mine;
    }
    return some;
}

bool RuleCheck::paths_hold(const GraphRule &rule, bool over) {
    for (u32 v = 0; v < rule.vertices; ++v)
        if (rule.partners[v] < GraphRule::kAny && left_.find(v) != left_.find(rule.partners[v])) return false;
    // The ends in each part: of what may be on, and of what is on.
    first_.assign(rule.vertices, kNone);
    weight_.assign(rule.vertices, 0);
    ends_.assign(rule.vertices, 0);
    for (u32 v = 0; v < rule.vertices; ++v) {
        if (rule.partners[v] == kNone) continue;
        ++ends_[left_.find(v)];
        const u32 part = lit_.find(v);
        ++weight_[part];
        if (first_[part] == kNone) first_[part] = v;
        else if (rule.partners[first_[part]] != v) return false;
    }
    u32 free = 0;
    for (u32 v = 0; v < rule.vertices; ++v) {
        if (on_[v] == 0) continue;
        if (ends_[left_.find(v)] == 0 && rule.free_paths == 0) return false;
        const u32 part = lit_.find(v);
        if (over && part == v) {
            if (weight_[part] == 0) ++free;
            if (weight_[part] == 1 && rule.partners[first_[part]] != GraphRule::kAny) return false;
        }
    }
    return !over || free == rule.free_paths;
}

bool RuleCheck::regions_hold(const GraphRule &rule) {
    // Vertices of each color in turn; `open_` says which may have it.
    const u32 colors = static_cast<u32>(rule.sizes.size());
    for (u32 color = 0; color < colors; ++color) {
        open_.assign(rule.vertices, kOff);
        for (u32 e = 0; e < state_.size(); ++e)
            if (rule.elements[e].second == color) open_[rule.elements[e].first] = state_[e];
        left_.reset(rule.vertices);
        for (const auto &[a, b] : rule.neighbors)
            if (open_[a] != kOff && open_[b] != kOff) left_.join(a, b);
        weight_.assign(rule.vertices, 0);
        u32 part = kNone;
        u64 size = 0;
        for (u32 v = 0; v < rule.vertices; ++v) {
            if (open_[v] == kOff) continue;
            const u32 mine = left_.find(v);
            weight_[mine] += rule.weights[v];
            if (open_[v] != kOn) continue;
            if (part != kNone && part != mine) return false;
            part = mine;
            size += rule.weights[v];
        }
        const auto [low, high] = rule.sizes[color];
        if (high != kNone && size > high) return false;
        u32 most = 0;  // that the region can have
        for (u32 v = 0; v < rule.vertices; ++v)
            if (part == kNone || part == v) most = std::max(most, weight_[v]);
        if (most < low) return false;
    }
    return true;
}

}  // namespace exactcover
