// Lists for code that is compiled once for each instruction set: see isa.hpp.
#pragma once

#include <algorithm>
#include <new>
#include <vector>

#include "base/isa.hpp"
#include "base/types.hpp"

namespace exactcover::inline EXACTCOVER_ISA {

// As std::allocator, under a name of its own; so are the names of all templates over it.
template <typename T>
struct Allocator {
    using value_type = T;

    Allocator() = default;
    template <typename U>
    explicit(false) Allocator(const Allocator<U> &) {}

    T *allocate(std::size_t n) {
        if constexpr (kOverAligned)
            return static_cast<T *>(::operator new (n * sizeof(T), std::align_val_t{alignof(T)}));
        else return static_cast<T *>(::operator new(n * sizeof(T)));
    }
    void deallocate(T *place, std::size_t) {
        if constexpr (kOverAligned) ::operator delete(place, std::align_val_t{alignof(T)});
        else ::operator delete(place);
    }

    template <typename U>
    bool operator==(const Allocator<U> &) const {
        return true;
    }

private:
    static constexpr bool kOverAligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
};

template <typename T>
using List = std::vector<T, Allocator<T>>;

struct Ascending {
    template <typename T>
    bool operator()(const T &a, const T &b) const {
        return a < b;
    }
};

// Sort a list from one place on.
inline void sort(List<u32> &list, std::size_t first = 0) {
    std::sort(list.begin() + static_cast<std::ptrdiff_t>(first), list.end(), Ascending{});
}

// How many of n ascending numbers are less than `bound`.
template <typename T>
u32 count_below(const T *numbers, std::size_t n, T bound) {
    return static_cast<u32>(std::lower_bound(numbers, numbers + n, bound, Ascending{}) - numbers);
}

}  // namespace exactcover::inline EXACTCOVER_ISA
