#include "symmetry/automorphisms.hpp"

#include <algorithm>
#include <numeric>

namespace exactcover {

void join_orbits(Parts &orbits, const Permutation &permutation) {
    for (const auto &[one, image] : permutation) orbits.join(one, image);
}

AutomorphismSearch::AutomorphismSearch(const Graph &graph, const Poll &poll, u64 most_work)
    : graph_(graph), work_{Meter(poll), most_work}, partition_(graph, work_), image_(graph.vertices),
      marks_(graph.vertices) {
    std::iota(image_.begin(), image_.end(), 0);
}

// Go down to the first leaf.
void AutomorphismSearch::descend() {
    while (!partition_.discrete()) {
        const u32 cell = partition_.smallest_cell();
        const auto members = partition_.members(cell);
        path_.push_back({partition_.cells(), cell, members.front(), {}});
        partition_.individualize(members.front(), path_.back().trace, nullptr);
    }
    leaf_ = partition_.order();
}

Automorphisms AutomorphismSearch::find_generators() {
    Automorphisms found;
    Parts orbits(graph_.vertices);
    std::vector<u8> refused(graph_.vertices);  // of the vertex that stands for an orbit: no automorphism leads there
    try {
        descend();
        for (std::size_t level = path_.size(); level-- > 0;) {
            partition_.restore(path_[level].cells);
            const u32 base = path_[level].vertex;
            const auto members = partition_.members(path_[level].cell);
            work_.meter.spend(refused.size() / sizeof(u64));
            std::fill(refused.begin(), refused.end(), 0);
            for (const u32 other : members) {
                if (orbits.find(other) == orbits.find(base) || refused[orbits.find(other)] != 0) continue;
                Permutation permutation;
                if (!find_automorphism(level, other, permutation)) {
                    refused[orbits.find(other)] = 1;
                    continue;
                }
                join_orbits(orbits, permutation);
                work_.meter.spend(members.size());
                for (const u32 one : members) refused[orbits.find(one)] |= refused[one];
                found.generators.push_back(std::move(permutation));
            }
            found.factors.push_back(static_cast<u32>(std::count_if(
                members.begin(), members.end(), [&](u32 one) { return orbits.find(one) == orbits.find(base); })));
        }
    } catch (const OutOfWork &) {
        found.complete = false;
    }
    return found;
}

// An automorphism that fixes the base above a level and maps the base vertex of that level to `choice`.
bool AutomorphismSearch::find_automorphism(std::size_t level, u32 choice, Permutation &found) {
    std::vector<std::vector<u32>> waiting{{choice}};  // of each level; the last one is next
    Trace trace;
    while (!waiting.empty()) {
        const std::size_t here = level + waiting.size() - 1;
        if (waiting.back().empty()) {
            waiting.pop_back();
            continue;
        }
        const u32 candidate = waiting.back().back();
        waiting.back().pop_back();
        partition_.restore(path_[here].cells);
        trace.clear();
        if (!partition_.individualize(candidate, trace, &path_[here].trace)) continue;
        if (here + 1 < path_.size()) {
            waiting.push_back(candidates_at(here + 1));
            continue;
        }
        found = map_from(leaf_);
        if (is_automorphism(found)) return true;
    }
    return false;
}

// The vertices to try at a level, the last one first: the base vertex itself, if possible, then in ascending order.
std::vector<u32> AutomorphismSearch::candidates_at(std::size_t level) {
    auto members = partition_.members(path_[level].cell);
    work_.spend(members.size());
    std::reverse(members.begin(), members.end());
    const auto base = std::find(members.begin(), members.end(), path_[level].vertex);
    if (base != members.end()) std::rotate(base, base + 1, members.end());
    return members;
}

// The map from the vertices of a leaf to those of the leaf that was reached.
Permutation AutomorphismSearch::map_from(const std::vector<u32> &order) {
    work_.meter.spend(order.size());
    Permutation permutation;
    std::vector<u32> images(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) images[order[k]] = partition_.order()[k];
    for (u32 vertex = 0; vertex < images.size(); ++vertex)
        if (images[vertex] != vertex) permutation.emplace_back(vertex, images[vertex]);
    return permutation;
}

// Whether a permutation keeps all edges; those between vertices that it does not move need no look.
bool AutomorphismSearch::is_automorphism(const Permutation &permutation) {
    for (const auto &[vertex, image] : permutation) image_[vertex] = image;
    const bool keeps = std::all_of(permutation.begin(), permutation.end(), [&](const auto &moved) {
        const auto &[vertex, image] = moved;
        ++mark_;
        for (const u32 near : graph_.neighbors(image)) marks_[near] = mark_;
        return std::ranges::all_of(graph_.neighbors(vertex), [&](u32 near) { return marks_[image_[near]] == mark_; });
    });
    for (const auto &[vertex, image] : permutation) image_[vertex] = vertex;
    for (const auto &[vertex, image] : permutation) work_.spend(graph_.neighbors(vertex).size());
    return keeps;
}

// The kinds, then the edges of each vertex to those before it, with vertices named by their places in the leaf.
std::vector<u32> AutomorphismSearch::form_of_leaf() const {
    std::vector<u32> form = graph_.kinds;
    form.push_back(graph_.items);
    form.push_back(graph_.options);
    for (u32 place = 0; place < graph_.vertices; ++place) {
        const u32 vertex = partition_.order()[place];
        const std::size_t head = form.size();
        form.push_back(0);
        for (const u32 near : graph_.neighbors(vertex))
            if (partition_.place(near) < place) form.push_back(partition_.place(near));
        form[head] = static_cast<u32>(form.size() - head - 1);
        std::sort(form.begin() + static_cast<std::ptrdiff_t>(head) + 1, form.end());
    }
    return form;
}

Form AutomorphismSearch::find_form(const Automorphisms &known) {
    Leaf best;
    auto generators = known.generators;
    try {
        descend();
        for (const Level &level : path_) {
            best.traces.push_back(level.trace);
            best.choices.push_back(level.vertex);
        }
        best.order = leaf_;
        best.form = form_of_leaf();
        if (!path_.empty()) find_best(best, generators);
    } catch (const OutOfWork &) {
        return {};
    }
    return {std::move(best.form), std::move(best.order)};
}

AutomorphismSearch::Node AutomorphismSearch::make_node() const {
    return {partition_.cells(), partition_.members(partition_.smallest_cell())};
}

// Find the leaf whose traces, and then whose form, come first in lexicographic order; `best` is a leaf to begin with.
void AutomorphismSearch::find_best(Leaf &best, std::vector<Permutation> &generators) {
    partition_.restore(path_.front().cells);
    std::vector<Node> nodes{make_node()};
    std::vector<u32> chosen;
    while (!nodes.empty()) {
        Node &node = nodes.back();
        const std::size_t level = nodes.size() - 1;
        chosen.resize(level);
        if (node.next == node.candidates.size()) {
            nodes.pop_back();
            continue;
        }
        const bool tries = is_new(node, chosen, generators);
        const u32 candidate = node.candidates[node.next++];
        if (!tries) continue;
        chosen.push_back(candidate);
        partition_.restore(node.cells);
        Trace trace;
        partition_.individualize(candidate, trace, nullptr);
        if (level < best.traces.size()) {
            if (trace > best.traces[level]) continue;
            if (trace < best.traces[level]) {
                best.traces.resize(level);
                best.form.clear();
            }
        }
        if (level == best.traces.size()) best.traces.push_back(std::move(trace));
        if (!partition_.discrete()) {
            nodes.push_back(make_node());
            continue;
        }
        work_.spend(graph_.near.size());
        auto form = form_of_leaf();
        if (best.form.empty() || form < best.form) {
            best.form = std::move(form);
            best.order = partition_.order();
            best.choices = chosen;
        } else if (form == best.form && chosen != best.choices) {
            generators.push_back(map_from(best.order));
            const auto differ = std::mismatch(chosen.begin(), chosen.end(), best.choices.begin());
            nodes.erase(nodes.begin() + (differ.first - chosen.begin()) + 1, nodes.end());
        }
    }
}

// Whether no known automorphism that fixes what was chosen above maps a candidate that was tried to the next one.
bool AutomorphismSearch::is_new(Node &node, const std::vector<u32> &chosen,
                                const std::vector<Permutation> &generators) {
    if (node.orbit.empty() || node.united < generators.size()) {
        node.united = generators.size();
        work_.meter.spend(graph_.vertices);
        Parts orbits(graph_.vertices);
        for (const Permutation &generator : generators) {
            work_.spend(1 + chosen.size());
            const auto is_moved = [&](u32 vertex) {
                const auto place = std::lower_bound(generator.begin(), generator.end(), std::pair{vertex, u32{0}});
                return place != generator.end() && place->first == vertex;
            };
            if (std::any_of(chosen.begin(), chosen.end(), is_moved)) continue;
            work_.spend(generator.size());
            join_orbits(orbits, generator);
        }
        node.orbit.clear();
        for (const u32 candidate : node.candidates) node.orbit.push_back(orbits.find(candidate));
    }
    const auto next = node.orbit.begin() + static_cast<std::ptrdiff_t>(node.next);
    return std::find(node.orbit.begin(), next, *next) == next;
}

}  // namespace exactcover
