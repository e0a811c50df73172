// Whether rules about graphs can still hold at a node of a search: one look over each graph.
#pragma once

#include <vector>

#include "base/graph_rule.hpp"
#include "base/parts.hpp"

namespace exactcover {

class RuleCheck {
public:
    // The rules must outlive it.
    RuleCheck(const std::vector<GraphRule> &rules, u32 options);

    // The options that turn something on, each once.
    const std::vector<u32> &options() const { return options_; }

    // Whether all rules can hold if the first `depth` options of `chosen` are chosen. `possible` says of each of
    // `options()` whether it can be chosen, too; null if no more can. Then the answer is whether they hold.
    bool hold(const u32 *chosen, u32 depth, const u8 *possible);

private:
    enum State : u8 { kOff, kPossible, kOn };

    void light(const GraphRule &rule, const u8 *possible);
    bool edges_hold(const GraphRule &rule, bool over);
    bool loop_holds(const GraphRule &rule);
    bool paths_hold(const GraphRule &rule, bool over);
    bool regions_hold(const GraphRule &rule);

    const std::vector<GraphRule> &rules_;
    std::vector<u32> options_;
    std::vector<u32> place_;  // of each option: its place in options_
    std::vector<u8> chosen_;  // of each option
    std::vector<u8> state_;   // of each element of the current rule
    std::vector<u32> on_, open_;  // at each vertex: the edges that are on, and those that may be
    Parts lit_, left_;
    std::vector<u32> first_, weight_, ends_;
};

}  // namespace exactcover
