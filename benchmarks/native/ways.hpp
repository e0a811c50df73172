// Small problems, and all the ways in which the native code counts their solutions, against the definition.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "certificates/proof_checker.hpp"
#include "counting/sweep.hpp"
#include "counting/memo.hpp"
#include "search/search.hpp"
#include "symmetry/automorphisms.hpp"

namespace ways {

using namespace exactcover;

inline const Poll kNoPoll = [] {};

// A problem as it comes from outside; it need not be valid.
struct Input {
    u32 items = 0, primary = 0;
    std::vector<i64> starts{0};
    std::vector<i32> entries, colors, low, high;
    std::vector<i64> costs;

    u32 options() const { return static_cast<u32>(starts.size()) - 1; }
    RowArrays rows() const {
        return {items, primary, starts.data(), starts.size() - 1, entries.data(), colors.data(), entries.size()};
    }
    void end_option() { starts.push_back(static_cast<i64>(entries.size())); }
    void add(u32 item, u32 color = 0) {
        entries.push_back(static_cast<i32>(item));
        colors.push_back(static_cast<i32>(color));
    }
};

inline std::shared_ptr<Problem> make_problem(const Input &input, bool priced = false) {
    auto problem = std::make_shared<Problem>(Problem::from_rows(input.rows(), kNoPoll));
    problem->set_bounds(input.low, input.high);
    if (priced) problem->set_costs(input.costs);
    return problem;
}

// The number of solutions by the definition: every set of options is tried, option by option.
class Definition {
public:
    explicit Definition(const Input &input) : input_(input), covered_(input.items), color_(input.items, -1) {}

    u64 count(u32 option = 0) {
        if (option == input_.options()) return is_complete();
        u64 found = count(option + 1);
        std::vector<i32> covered(covered_), color(color_);
        if (take(option)) found += count(option + 1);
        covered_ = covered;
        color_ = color;
        return found;
    }

private:
    bool take(u32 option) {
        bool is_choosable = false;
        for (i64 e = input_.starts[option]; e < input_.starts[option + 1]; ++e) {
            const u32 item = static_cast<u32>(input_.entries[static_cast<std::size_t>(e)]);
            const i32 color = input_.colors[static_cast<std::size_t>(e)];
            ++covered_[item];
            if (item < input_.primary) {
                is_choosable = true;
                if (covered_[item] > (input_.high.empty() ? 1 : input_.high[item])) return false;
            } else {
                if (covered_[item] > 1 && (color == 0 || color != color_[item])) return false;
                color_[item] = color;
            }
        }
        return is_choosable;
    }
    bool is_complete() const {
        for (u32 item = 0; item < input_.primary; ++item)
            if (covered_[item] < (input_.low.empty() ? 1 : input_.low[item])) return false;
        return true;
    }

    const Input &input_;
    std::vector<i32> covered_, color_;
};

inline u64 search(const Input &input, const char *instructions, u32 most_dense, Heuristic heuristic, bool listing) {
    const auto search = make_search(make_problem(input), most_dense, instructions, kNoPoll);
    search->begin({}, {}, heuristic, 0, 0);
    Found found;
    u64 listed = 0;
    while (search->advance(64, listing ? 3 : ~std::size_t{0}, listing ? &found : nullptr))
        if (listing) {
            listed += found.end.size();
            found.clear();
        }
    return listing ? listed + found.end.size() : search->counters().solutions;
}

// The number of solutions that a search for the cheapest ones keeps, if it may keep them all.
inline u64 cheapest(const Input &input, const char *instructions, bool logged) {
    const auto search = make_search(make_problem(input, true), 1u << 16, instructions, kNoPoll);
    search->profile().on = search->profile().logged = logged;
    search->begin({}, {}, Heuristic::mrv, 1u << 20, i64{1} << 40);
    while (search->advance(64, 1, nullptr)) {
    }
    Found found;
    search->cheapest(found);
    return found.end.size();
}

inline u64 low_word(const std::vector<u64> &number) { return number.empty() ? 0 : number[0]; }

inline u64 sweep(const Input &input, u64 hash_mask) {
    auto problem = make_problem(input);
    const auto order = narrow_order(*problem, kNoPoll);
    Sweep sweep(problem, order, false, hash_mask);
    while (sweep.advance(64)) {
    }
    return low_word(sweep.total());
}

inline u64 memo(const Input &input, u64 hash_mask, bool thins) {
    Memo<CountAlgebra> search(make_problem(input), CountAlgebra{}, kNoPoll, hash_mask);
    for (u32 turn = 0; search.advance(8); ++turn)
        if (thins && turn % 2 == 0) search.thin();
    return low_word(search.algebra().numbers.words(search.result()));
}

inline u64 count_sets(Zdd &diagrams, u32 root) {
    const auto nodes = diagrams.below(root);
    std::vector<u64> sets{0, 1};
    for (const auto &node : nodes) sets.push_back(sets[node.lo] + sets[node.hi]);
    return root < 2 ? root : sets.back();
}

inline u64 diagram(const Input &input, bool by_sweep, std::size_t most_bytes) {
    auto problem = make_problem(input);
    const auto order = narrow_order(*problem, kNoPoll);
    const auto options = options_in_order(*problem, order);
    std::vector<u32> level(options.size());
    for (u32 k = 0; k < options.size(); ++k) level[options[k]] = k;
    Zdd diagrams(most_bytes, kWholeHash, kNoPoll);
    if (by_sweep) {
        Sweep sweep(problem, order, true, kWholeHash);
        while (sweep.advance(64)) {
        }
        return count_sets(diagrams, sweep.zdd(diagrams, level));
    }
    Memo<DiagramAlgebra> search(problem, {diagrams, level}, kNoPoll, kWholeHash);
    while (search.advance(64)) {
    }
    return count_sets(diagrams, search.result());
}

// The number of solutions of what forced choices leave; finds the symmetries and the canonical form, too.
inline u64 remainder(const Input &input) {
    const Rows rows = Rows::from_arrays(input.rows(), input.low, input.high, kNoPoll);
    const Graph graph(rows, {});
    AutomorphismSearch search(graph, kNoPoll, u64{1} << 40);
    const Automorphisms found = search.find_generators();
    if (search.find_form(found).form.empty() && rows.options() != 0) std::abort();
    const auto whole = rows.remainder({}, {});
    if (!whole) return 0;
    Input left;
    left.items = whole->items;
    left.primary = whole->primary;
    for (u32 option = 0; option < whole->options(); ++option) {
        for (u32 e = whole->start[option]; e < whole->start[option + 1]; ++e) left.add(whole->item[e], whole->color[e]);
        left.end_option();
    }
    left.low.assign(whole->low.begin(), whole->low.end());
    left.high.assign(whole->high.begin(), whole->high.end());
    return Definition(left).count();
}

// The number of solutions of a tree that a search has recorded, by the quick checker.
inline u64 certificate(const Input &input, const char *instructions) {
    const auto problem = make_problem(input);
    const auto search = make_search(problem, 1u << 16, instructions, kNoPoll);
    search->profile().on = search->profile().logged = true;
    search->begin({}, {}, Heuristic::mrv, 0, 0);
    while (search->advance(64, ~std::size_t{0}, nullptr)) {
    }
    Rows rows = Rows::from_arrays(input.rows(), input.low, input.high, kNoPoll);
    ProofState root;
    for (u32 item = 0; item < rows.primary; ++item)
        root.needs.push_back(rows.low.empty() ? ProofState::Need{1, 1}
                                              : ProofState::Need{rows.low[item], rows.high[item]});
    ProofChecker checker(std::move(rows), kNoPoll);
    root.live.assign(checker.words(), 0);
    for (u32 option = 0; option < input.options(); ++option)
        if (problem->choosable(option)) root.live[option / 64] |= u64{1} << option % 64;
    std::vector<u32> items(input.items);
    for (u32 item = 0; item < input.items; ++item) items[item] = item;
    std::size_t place = 0;
    std::vector<i64> left;
    const auto &log = search->profile().log;
    return checker.walk(root, items, {log.data(), log.size()}, place, kNoPoll, nullptr, left).value();
}

struct Way {
    std::string name;
    std::function<u64(const Input &)> count;
};

inline std::vector<Way> all_ways() {
    std::vector<Way> found;
    const auto add = [&](std::string name, std::function<u64(const Input &)> count) {
        found.push_back({std::move(name), std::move(count)});
    };
    for (const char *isa : instruction_sets()) {
        const std::string with = std::string(" with ") + isa;
        for (const Heuristic heuristic : {Heuristic::mrv, Heuristic::leftmost, Heuristic::weighted})
            for (const bool listing : {false, true})
                add((listing ? "listing" : "search") + with,
                    [=](const Input &input) { return search(input, isa, 1u << 16, heuristic, listing); });
        add("trunk" + with, [=](const Input &input) { return search(input, isa, 4, Heuristic::mrv, false); });
        for (const bool logged : {false, true})
            add("cheapest" + with, [=](const Input &input) { return cheapest(input, isa, logged); });
        add("certificate" + with, [=](const Input &input) { return certificate(input, isa); });
    }
    for (const u64 mask : {kWholeHash, u64{0}}) {
        add("sweep", [=](const Input &input) { return sweep(input, mask); });
        add("memo", [=](const Input &input) { return memo(input, mask, false); });
    }
    add("memo that is thinned", [](const Input &input) { return memo(input, kWholeHash, true); });
    add("diagram of a sweep", [](const Input &input) { return diagram(input, true, 1u << 24); });
    add("diagram of a memo", [](const Input &input) { return diagram(input, false, 1u << 24); });
    add("remainder", remainder);
    return found;
}

[[noreturn]] inline void fail(const std::string &name, u64 count, u64 truth) {
    std::fprintf(stderr, "%s: %llu instead of %llu\n", name.c_str(), static_cast<unsigned long long>(count),
                 static_cast<unsigned long long>(truth));
    std::abort();
}

}  // namespace ways
