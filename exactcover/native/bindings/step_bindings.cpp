// Bindings of steps that happen before a search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "steps/weights.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Array;
using exactcover::Guarded;
using exactcover::i32;
using exactcover::i64;
using exactcover::Poll;
using exactcover::polling;
using exactcover::SparseRow;
using exactcover::u32;
using exactcover::u64;

namespace {

constexpr u32 kMixer = 0x9E3779B1;  // an odd number far from simple fractions of 2^32: it mixes options of all kinds

// Looks for weights of the items that must be covered a fixed number of times.
class WeightFinder {
public:
    WeightFinder(u32 items, u32 primary, Array<i64> starts, Array<i32> entries, Array<i32> colors,
                 const std::vector<std::pair<u32, u64>> &needed, nb::object poll)
        : items_(items), calls_(polling(poll)) {
        std::vector<bool> counts(items, false);
        for (const auto &[item, number] : needed) {
            if (item >= items || number >> 32 != 0) throw nb::value_error("the items do not fit the problem");
            counts[item] = true;
            if (number != 0) target_.emplace_back(item, number);
        }
        const auto rows = exactcover::as_rows(items, primary, starts, entries, colors);
        const nb::gil_scoped_release release;
        std::vector<SparseRow> in_order(1);
        rows.read(
            calls_, [&](u32, u32 item, u32) { if (counts[item]) in_order.back().emplace_back(item, 1); },
            [&](u32) { in_order.emplace_back(); });
        in_order.pop_back();
        std::vector<u32> mixed(in_order.size());
        std::iota(mixed.begin(), mixed.end(), 0);
        std::sort(mixed.begin(), mixed.end(), [](u32 one, u32 other) { return one * kMixer < other * kMixer; });
        for (u32 option : mixed) rows_.push_back(std::move(in_order[option]));
    }

    // The weights and the modulus; nothing if none were found.
    std::optional<std::pair<SparseRow, u64>> find(u64 prime, u32 most, i64 work) const {
        const nb::gil_scoped_release release;
        auto found = exactcover::find_weights(items_, rows_, target_, prime, most, work, calls_);
        if (!found) return std::nullopt;
        return std::pair{std::move(found->weights), found->modulus};
    }

private:
    u32 items_;
    Poll calls_;
    std::vector<SparseRow> rows_;
    SparseRow target_;
};

}  // namespace

void exactcover::bind_steps(nb::module_ &module) {
    nb::class_<WeightFinder>(module, "WeightFinder",
                             "Looks for weights that add up to 0 in each option, but not in all items.")
        .def(nb::init<u32, u32, Array<i64>, Array<i32>, Array<i32>, const std::vector<std::pair<u32, u64>> &,
                      nb::object>(),
             "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a, "needed"_a, "poll"_a = nb::none(), Guarded(),
             "Take the arrays of a matrix, and how often each item must be covered for which this is fixed.")
        .def("find", &WeightFinder::find, "prime"_a, "most"_a, "work"_a, Guarded(),
             "Return weights modulo a power of a prime, up to this exponent, and the modulus; None if there are none, "
             "or if this takes more than about this many additions.");
}
