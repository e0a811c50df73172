// A partition of numbers into parts that are joined.
#pragma once

#include <numeric>
#include <vector>

#include "base/types.hpp"

namespace exactcover {

class Parts {
public:
    explicit Parts(u32 size = 0) { reset(size); }

    // Give each number below `size` a part of its own.
    void reset(u32 size) {
        parent_.resize(size);
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    // The number that stands for the part of this one.
    u32 find(u32 one) {
        while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
        return one;
    }

    // Join two parts; returns false if they are one already.
    bool join(u32 one, u32 other) {
        one = find(one);
        other = find(other);
        parent_[one] = other;
        return one != other;
    }

private:
    std::vector<u32> parent_;
};

}  // namespace exactcover
