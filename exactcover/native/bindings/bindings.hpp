// What both halves of the bindings share.
//
// Every function that Python may call holds a Presence. An object that works does so for one thread at a time, by a Turn;
// what others may look at meanwhile is a Snapshot, made when a turn ends.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/presence.hpp"
#include "base/problem.hpp"

namespace exactcover {

// For all that Python may call.
using Guarded = nanobind::call_guard<Presence>;

// Calls back to Python from code that runs without the interpreter's lock.
inline Poll polling(nanobind::object poll) {
    if (poll.is_none()) return Presence::check;
    return [poll] {
        Presence::check();
        nanobind::gil_scoped_acquire acquire;
        poll();
    };
}

// Whether an object is in use, and whether it can be used at all.
struct Desk {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    bool broken = false;  // memory ran out in the middle of something
};

// Keeps others away from what one is using: other threads, and what a poll of one's own calls.
class Turn {
public:
    explicit Turn(Desk &desk) : desk_(desk) {
        if (desk_.busy.test_and_set(std::memory_order_acquire))
            throw std::runtime_error("it is in use: by another thread, or by the call that polls");
        if (!desk_.broken) return;
        desk_.busy.clear(std::memory_order_release);
        throw std::runtime_error("it cannot be used any more: memory ran out before");
    }
    ~Turn() { desk_.busy.clear(std::memory_order_release); }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    // Work without the interpreter's lock.
    template <typename Use>
    auto work(Use use) {
        const nanobind::gil_scoped_release release;
        try {
            return use();
        } catch (const std::bad_alloc &) {
            desk_.broken = true;
            throw;
        }
    }

private:
    Desk &desk_;
};

// A value that one thread writes and others read.
template <typename T>
class Snapshot {
public:
    void set(T value) {
        const std::lock_guard<std::mutex> guard(mutex_);
        value_ = std::move(value);
    }
    T get() const {
        const std::lock_guard<std::mutex> guard(mutex_);
        return value_;
    }

private:
    mutable std::mutex mutex_;
    T value_{};
};

// Do `work` in portions of at most `most`, so that a thread that has to end does so soon; go_on(portion) returns whether there is more.
template <typename GoOn>
bool in_portions(u64 work, u64 most, GoOn go_on) {
    for (;;) {
        const u64 portion = std::min(work, most);
        if (!go_on(portion)) return false;
        work -= portion;
        if (work == 0) return true;
        Presence::check();
    }
}

void bind_diagrams(nanobind::module_ &module);

}  // namespace exactcover
