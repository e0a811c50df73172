// Work that is counted, so that polls come after about equal amounts of it, however it is cut into steps.
#pragma once

#include "base/types.hpp"

namespace exactcover {

class Meter {
public:
    static constexpr u64 kWork = u64{1} << 15;  // steps of a few nanoseconds each

    // The poll must outlive the meter. The first work polls at once.
    explicit Meter(const Poll &poll) : poll_(poll) {}

    // Note work that was done, or is about to be; returns whether this polled.
    bool spend(u64 amount = 1) {
        if (amount < left_) {
            left_ -= amount;
            return false;
        }
        left_ = kWork;
        poll_();
        return true;
    }

private:
    const Poll &poll_;
    u64 left_ = 1;
};

}  // namespace exactcover
