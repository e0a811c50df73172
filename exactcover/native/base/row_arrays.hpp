// A problem as arrays from outside: those of a compressed sparse row matrix. Nothing in them is trusted.
#pragma once

#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "base/meter.hpp"
#include "base/types.hpp"

namespace exactcover {

constexpr u32 kMaxItems = 1u << 28;

// Items 0 .. primary-1 are primary; colors[e] == 0 means no color.
struct RowArrays {
    u32 items, primary;
    const i64 *starts;  // option k holds the entries starts[k] .. starts[k+1]
    std::size_t options;
    const i32 *entries, *colors;
    std::size_t total;     // entries
    bool repeats = false;  // whether an option may hold an item several times

    // Call entry(option, item, color) for each entry, and end(option) after the entries of each option. Throws
    // std::invalid_argument if there are too many items, `starts` does not ascend, or an option holds an unknown item,
    // an item twice that must not, or a primary item with a color. Each number is read once, so other threads may change the arrays
    // meanwhile.
    template <typename Entry, typename End>
    void read(const Poll &poll, Entry entry, End end) const {
        if (items > kMaxItems || primary > items) throw std::invalid_argument("there are too many items");
        constexpr u32 most = std::numeric_limits<u32>::max() / 2;
        if (total >= most || options >= most) throw std::bad_alloc();
        std::vector<u32> last(items, kNone);  // the option that held each item last
        i64 next = 0;
        Meter meter(poll);
        for (u32 option = 0; option < options; ++option) {
            const i64 stop = starts[option + 1];
            if (stop < next || stop > static_cast<i64>(total)) throw std::invalid_argument("starts must ascend");
            meter.spend(1 + static_cast<u64>(stop - next));
            for (; next < stop; ++next) {
                const u32 item = static_cast<u32>(entries[next]), color = static_cast<u32>(colors[next]);
                if (item >= items) throw std::invalid_argument("there is no such item");
                if (!repeats && last[item] == option) throw std::invalid_argument("an option holds an item twice");
                if (item < primary && color != 0)
                    throw std::invalid_argument("a primary item must not have a color");
                last[item] = option;
                entry(option, item, color);
            }
            end(option);
        }
        if (next != static_cast<i64>(total)) throw std::invalid_argument("starts must end where the entries do");
    }
};

// Throws std::invalid_argument unless there are valid bounds for each primary item, or none. Bounds above the number of
// options are lowered to that number plus one.
inline void check_bounds(std::vector<i32> &lows, std::vector<i32> &highs, u32 primary, u32 options) {
    if (lows.size() != highs.size() || (lows.size() != primary && !lows.empty()))
        throw std::invalid_argument("there must be bounds for each primary item, or none");
    const i32 most = static_cast<i32>(options) + 1;
    for (std::size_t item = 0; item < lows.size(); ++item) {
        if (lows[item] < 0 || highs[item] < 1 || lows[item] > highs[item])
            throw std::invalid_argument("bounds must be 0 <= low <= high and 1 <= high");
        for (i32 *bound : {&lows[item], &highs[item]})
            if (*bound > most) *bound = most;
    }
}

}  // namespace exactcover
