// A rule about the edges or vertices of a graph that are on, because an option that is chosen turns them on.
#pragma once

#include <utility>
#include <vector>

#include "base/types.hpp"

namespace exactcover {

struct GraphRule {
    enum Kind : u32 { kLoop, kPaths, kRegions };
    static constexpr u32 kAny = kNone - 1;  // the other end of a path: any vertex that is not named as an end
    static constexpr u32 kMostSize = 1u << 30;   // of a region, and the sum of all weights

    Kind kind = kLoop;
    u32 vertices = 0;
    std::vector<std::pair<u32, u32>> elements;   // edges as pairs of vertices, or pairs of a vertex and its color
    std::vector<std::vector<u32>> switches;      // of each element: the options that turn it on
    std::vector<u32> lit;                        // elements that are on in any case
    bool or_none = false;                        // whether a loop may be missing
    std::vector<u32> partners;                   // of each vertex: the other end of its path; kNone if it is not an end
    u32 free_paths = 0;                          // between two vertices that are not named
    std::vector<std::pair<u32, u32>> neighbors;  // pairs of vertices, for regions
    std::vector<std::pair<u32, u32>> sizes;      // of each color: the least and the greatest; kNone for no limit
    std::vector<u32> weights;                    // of each vertex

    // Throws std::invalid_argument if numbers do not fit together.
    void check(u32 options) const;
};

}  // namespace exactcover
