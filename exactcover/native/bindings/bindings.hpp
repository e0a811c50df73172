// What all bindings share.
//
// Every function that Python may call holds a Presence. A SingleUserGuard lets one thread at a time work with an
// object; other threads may read its Snapshot, which is made when that work ends.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/presence.hpp"
#include "base/problem.hpp"

namespace exactcover {

namespace nb = nanobind;
using namespace nb::literals;

// For every function that Python may call.
using Guarded = nb::call_guard<Presence>;

// A poll that calls back into Python from code that runs without the interpreter's lock.
inline Poll polling(nb::object poll) {
    if (poll.is_none()) return Presence::check;
    return [poll] {
        Presence::check();
        nb::gil_scoped_acquire acquire;
        poll();
    };
}

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Numbers as the bytes of an array.
template <typename T>
nb::bytes to_bytes(const std::vector<T> &numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(T));
}

// The arrays of a problem. They must be kept alive while they are read.
inline RowArrays as_rows(u32 items, u32 primary, const Array<i64> &starts, const Array<i32> &entries,
                         const Array<i32> &colors) {
    if (starts.size() == 0 || starts.data()[0] != 0 || entries.size() != colors.size() || primary > items)
        throw nb::value_error("the arrays do not fit together");
    if (static_cast<std::size_t>(starts.data()[starts.size() - 1]) != entries.size())
        throw nb::value_error("starts must end where the entries do");
    return {items, primary, starts.data(), starts.size() - 1, entries.data(), colors.data(), entries.size()};
}

// Whether an object is in use, and whether it can be used at all.
struct UseState {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    bool broken = false;  // an operation ended in the middle
};

// Reserves an object for one call: other threads, and calls from within this call's poll, are refused.
class SingleUserGuard {
public:
    explicit SingleUserGuard(UseState &state) : state_(state) {
        if (state_.busy.test_and_set(std::memory_order_acquire))
            throw std::runtime_error("this object is in use by another thread, or by the call that polls");
        if (!state_.broken) return;
        state_.busy.clear(std::memory_order_release);
        throw std::runtime_error("this object cannot be used again: it was stopped, or memory ran out, in mid-work");
    }
    ~SingleUserGuard() { state_.busy.clear(std::memory_order_release); }
    SingleUserGuard(const SingleUserGuard &) = delete;
    SingleUserGuard &operator=(const SingleUserGuard &) = delete;

    // Work without the interpreter's lock; after a lack of memory, the object is not used again.
    template <typename Use>
    auto work(Use use) {
        const nb::gil_scoped_release release;
        try {
            return use();
        } catch (const std::bad_alloc &) {
            state_.broken = true;
            throw;
        }
    }

    // The same for work that cannot be stopped halfway without harm: if it throws, the object is not used again.
    template <typename Use>
    auto work_to_end(Use use) {
        state_.broken = true;
        auto result = work(use);
        state_.broken = false;
        return result;
    }

private:
    UseState &state_;
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

// Do `work` in portions of at most `most`, with a check between them; go_on(portion) returns whether there is more.
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

void bind_searches(nb::module_ &module);
void bind_instances(nb::module_ &module);
void bind_counting(nb::module_ &module);
void bind_symmetry(nb::module_ &module);
void bind_certificates(nb::module_ &module);
void bind_steps(nb::module_ &module);
void bind_reading(nb::module_ &module);

}  // namespace exactcover
