// The solutions that symmetries make of those seen so far.
#pragma once

#include <vector>

#include "base/types.hpp"
#include "counting/states.hpp"

namespace exactcover {

class SolutionOrbits {
public:
    // The images of the options under each generator.
    SolutionOrbits(u32 options, std::vector<std::vector<u32>> generators);

    // The number of solutions that symmetries make of this one, itself included; 0 if it was among them before.
    u64 add(std::vector<u32> solution, const Poll &poll);

    u64 size() const { return known_.size(); }
    std::size_t bytes() const { return known_.bytes(); }

private:
    std::vector<u64> key(const std::vector<u32> &solution) const;

    u32 options_;
    std::vector<std::vector<u32>> generators_;
    States known_;
};

}  // namespace exactcover
