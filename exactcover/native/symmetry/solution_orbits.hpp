// The solutions that symmetries make of those seen so far.
#pragma once

#include <vector>

#include "base/meter.hpp"
#include "counting/states.hpp"

namespace exactcover {

class SolutionOrbits {
public:
    // The images of the options under each generator. Throws std::bad_alloc later if the solutions need more memory.
    // The poll must outlive the object; what it ends leaves an orbit in part.
    SolutionOrbits(u32 options, std::vector<std::vector<u32>> generators, std::size_t most_bytes, const Poll &poll);

    // The number of solutions that symmetries make of this one, itself included; 0 if it was among them before.
    u64 add(std::vector<u32> solution);

private:
    std::vector<u64> key(const std::vector<u32> &solution) const;

    u32 options_;
    std::vector<std::vector<u32>> generators_;
    States known_;
    std::size_t most_bytes_;
    Meter meter_;
};

}  // namespace exactcover
