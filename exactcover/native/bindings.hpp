// What both halves of the bindings share.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <stdexcept>

#include "problem.hpp"

namespace exactcover {

// Calls back to Python from code that runs without the interpreter's lock.
inline Poll polling(nanobind::object poll) {
    if (poll.is_none()) return [] {};
    return [poll] {
        nanobind::gil_scoped_acquire acquire;
        poll();
    };
}

// Keeps a second thread away from what one is using.
class Turn {
public:
    explicit Turn(std::atomic_flag &busy) : busy_(busy) {
        if (busy_.test_and_set()) throw std::runtime_error("another thread is using this");
    }
    ~Turn() { busy_.clear(); }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

private:
    std::atomic_flag &busy_;
};

void bind_diagrams(nanobind::module_ &module);

}  // namespace exactcover
