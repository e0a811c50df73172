// How much of a tree has been searched, if all children of a node are equally large.
//
// Reference: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
#pragma once

#include "base/isa.hpp"
#include "base/types.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

class Explored {
public:
    // Go from a node on the current path to the child under way; `rest` of `degree` children have not been tried yet.
    void descend(u32 degree, u32 rest) {
        share_ /= degree;
        const u32 tried = degree - rest;
        if (tried > 0) behind_ += share_ * (tried - 1);
    }

    // Half of what lies below the last node of the path is taken for done.
    double value() const { return behind_ + share_ / 2; }

private:
    double behind_ = 0;
    double share_ = 1;  // of what lies below the child under way
};

}  // namespace exactcover::inline EXACTCOVER_ISA
