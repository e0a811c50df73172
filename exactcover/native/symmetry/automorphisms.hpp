// Automorphisms of a graph, and canonical forms: equal for two graphs exactly if these are isomorphic.
//
// A partition is refined; while several vertices are left in one cell, one of them gets a cell of its own, and the
// partition is refined again. The vertices that are chosen first are the base. A leaf is a partition into single
// vertices. Two leaves with equal traces define a map of the vertices, which is checked edge by edge.
//
// References: B. D. McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981); B. D. McKay, A. Piperno,
// "Practical graph isomorphism, II", Journal of Symbolic Computation 60 (2014); P. T. Darga, K. A. Sakallah, I. L.
// Markov, "Faster symmetry discovery using sparsity of symmetries", DAC 2008.
#pragma once

#include <utility>
#include <vector>

#include "base/parts.hpp"
#include "symmetry/partition.hpp"

namespace exactcover {

// A permutation of vertices that moves few of them: those that it moves, ascending, with their images.
using Permutation = std::vector<std::pair<u32, u32>>;
void join_orbits(Parts &orbits, const Permutation &permutation);

struct Automorphisms {
    std::vector<Permutation> generators;  // of vertices
    std::vector<u32> factors;                  // their product is the order of the group
    bool complete = true;                      // whether they generate all automorphisms
};

// A canonical form, and the vertices in the order in which it names them.
struct Form {
    std::vector<u32> form, order;
};

class AutomorphismSearch {
public:
    // Neither search does more than this much work.
    AutomorphismSearch(const Graph &graph, const Poll &poll, u64 most_work);

    // Generators of the automorphisms; if the work is used up, of some of them.
    Automorphisms find_generators();

    // The canonical form; nothing if the work is used up.
    Form find_form(const Automorphisms &known);

private:
    struct Level {
        u32 cells;    // of the partition before a vertex gets a cell of its own
        u32 cell;     // the cell from which the vertex is chosen
        u32 vertex;   // on the first path
        Trace trace;  // of the refinement after that
    };
    // A node on the way to a canonical form: what may get a cell of its own there; those before `next` were tried.
    struct Node {
        u32 cells;
        std::vector<u32> candidates;
        std::size_t next = 0;
        std::vector<u32> orbit{};  // of each candidate, under automorphisms that fix the vertices chosen above
        std::size_t united = 0;    // the number of automorphisms that were looked at
    };
    struct Leaf {
        std::vector<Trace> traces;
        std::vector<u32> choices, order, form;
    };

    void descend();
    bool find_automorphism(std::size_t level, u32 choice, Permutation &found);
    std::vector<u32> candidates_at(std::size_t level);
    bool is_automorphism(const Permutation &permutation);
    std::vector<u32> form_of_leaf() const;
    void find_best(Leaf &best, std::vector<Permutation> &generators);
    bool is_new(Node &node, const std::vector<u32> &chosen, const std::vector<Permutation> &generators);
    Permutation map_from(const std::vector<u32> &order);
    Node make_node() const;

    const Graph &graph_;
    Work work_;
    Partition partition_;
    std::vector<Level> path_;
    std::vector<u32> leaf_;  // the vertices of the first leaf, in order
    std::vector<u32> image_;  // of each vertex, while a permutation is checked
    std::vector<u32> marks_;
    u32 mark_ = 0;
};

}  // namespace exactcover
