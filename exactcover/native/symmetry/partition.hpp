// Graphs with colored vertices, and ordered partitions of their vertices that are refined and restored.
#pragma once

#include <span>
#include <vector>

#include "base/meter.hpp"
#include "symmetry/rows.hpp"

namespace exactcover {

// The vertices are the items, then the options, then the pairs of an item and a color. An option is joined to its items,
// or, where it gives an item a color, to the pair, which is joined to the item.
struct Graph {
    // `kinds` tells options apart that no symmetry may exchange; empty: all are alike.
    Graph(const Rows &rows, const std::vector<u32> &kinds);

    u32 vertices = 0;
    u32 items = 0;
    u32 options = 0;
    std::vector<u32> first, near;  // the neighbors of v are near[first[v]] .. near[first[v + 1]]
    std::vector<u32> kind;   // of each vertex
    std::vector<u32> kinds;  // what the kinds are, and how many vertices are of each

    bool is_option(u32 vertex) const { return vertex - items < options; }
    std::span<const u32> neighbors(u32 vertex) const { return {near.data() + first[vertex], near.data() + first[vertex + 1]}; }
};

// Thrown when the work that was allowed is used up.
struct OutOfWork {};

// What all refinements together may do, in visits of edges.
struct Work {
    Meter meter;
    u64 left;
    void spend(u64 amount);
};

// The hashes of the steps of a refinement. They do not depend on the numbers of the vertices.
using Trace = std::vector<u64>;

class Partition {
public:
    explicit Partition(const Graph &graph, Work &work);

    bool discrete() const { return cells_ == graph_.vertices; }
    u32 cells() const { return cells_; }
    const std::vector<u32> &order() const { return order_; }  // the vertices, cell by cell
    u32 place(u32 vertex) const { return place_[vertex]; }

    // The first of the smallest cells with several vertices, and its vertices in ascending order. A cell is named by its
    // first place.
    u32 smallest_cell() const;
    std::vector<u32> members(u32 cell) const;

    // Give one vertex a cell of its own, after the others of its cell, and refine. Each step is appended to `trace`; if
    // `expected` is given, the refinement ends at the first difference and returns false.
    bool individualize(u32 vertex, Trace &trace, const Trace *expected);

    // Restore the partition as it was when it had this many cells.
    void restore(u32 cells);

private:
    bool refine(Trace &trace, const Trace *expected);
    bool split_by_splitter(Trace &trace, const Trace *expected);
    u64 split(u32 cell, u32 hits);
    void cut(u32 cell, u32 place);
    void enqueue(u32 cell);

    const Graph &graph_;
    Work &work_;
    std::vector<u32> order_, place_, start_;
    std::vector<u32> size_;  // of each cell, by its first place
    u32 cells_ = 0;
    u32 open_;  // how many cells are missing until all vertices but options have one of their own
    std::vector<u32> cuts_, parents_;  // the cells made so far, and those they were cut from
    std::vector<u32> queue_;
    std::size_t head_ = 0;
    std::vector<u8> queued_;
    std::vector<u32> count_;  // of each vertex: its neighbors in the splitter
    std::vector<u32> hits_;   // of each cell: its vertices with such neighbors
    std::vector<u32> splitter_, touched_, touched_cells_, fresh_;
};

}  // namespace exactcover
