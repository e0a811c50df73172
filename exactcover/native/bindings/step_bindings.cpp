// Bindings of steps that happen before a search.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "steps/trials.hpp"
#include "steps/weights.hpp"

namespace exactcover {

namespace {

constexpr u32 kMixer = 0x9E3779B1;  // an odd number far from simple fractions of 2^32: it mixes options of all kinds

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
        const auto rows = as_rows(items, primary, starts, entries, colors);
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

    std::optional<std::pair<SparseRow, u64>> find(u64 prime, u32 most, i64 work) const {
        const nb::gil_scoped_release release;
        auto found = find_weights(items_, rows_, target_, prime, most, work, calls_);
        if (!found) return std::nullopt;
        return std::pair{std::move(found->weights), found->modulus};
    }

private:
    u32 items_;
    Poll calls_;
    std::vector<SparseRow> rows_;
    SparseRow target_;
};

// Trials in one position after another; used by one thread at a time.
class TrialsHandle {
public:
    using Refutation = std::tuple<u32, u32, std::vector<std::pair<u32, i64>>, i64>;

    TrialsHandle(Array<i64> starts, Array<i32> entries, Array<i32> colors, const std::vector<u32> &low,
                 const std::vector<u32> &high, const std::vector<GraphRule> &rules)
        : trials_(to_rows(static_cast<u32>(low.size()), starts, entries, colors), low, high, rules) {}

    void enter(const nb::bytes &alive, const nb::bytes &chosen) {
        SingleUserGuard guard(use_);
        trials_.enter(list_bits(alive), list_bits(chosen));
    }

    bool rules_hold() {
        return SingleUserGuard(use_).work([&] { return trials_.rules_hold(); });
    }

    std::vector<Refutation> refute(const std::vector<u32> &items, const std::optional<std::vector<u32>> &options,
                                   nb::object poll) {
        const Poll calls = polling(poll);
        std::vector<Refutation> found;
        const auto number = [](u32 item) { return item == kNone ? i64{-1} : i64{item}; };
        for (const auto &one : SingleUserGuard(use_).work([&] {
                 return trials_.refute(items, options ? *options : trials_.options(), calls);
             })) {
            std::vector<std::pair<u32, i64>> taken;
            for (const auto &[option, item] : one.taken) taken.emplace_back(option, number(item));
            found.emplace_back(one.option, one.waves, std::move(taken), number(one.item));
        }
        return found;
    }

    bool decide(const std::vector<u32> &items, u64 work, nb::object poll) {
        const Poll calls = polling(poll);
        return SingleUserGuard(use_).work([&] {
            trials_.decide(items, work, calls);
            return trials_.is_stable();
        });
    }

    std::pair<std::vector<u32>, std::vector<u32>> position() {
        SingleUserGuard guard(use_);
        return {trials_.options(), trials_.chosen()};
    }

    std::tuple<u64, u64, u64> counters() {
        SingleUserGuard guard(use_);
        return {trials_.work(), trials_.tried(), trials_.decided()};
    }

    std::vector<u32> shrink(u32 option, const std::vector<u32> &items, const std::vector<u32> &order, nb::object poll) {
        const Poll calls = polling(poll);
        return SingleUserGuard(use_).work([&] { return trials_.shrink(option, items, order, calls); });
    }

private:
    static std::vector<std::vector<Trials::Entry>> to_rows(u32 items, const Array<i64> &starts,
                                                           const Array<i32> &entries, const Array<i32> &colors) {
        auto arrays = as_rows(items, 0, starts, entries, colors);
        arrays.repeats = true;
        std::vector<std::vector<Trials::Entry>> found(arrays.options);
        std::vector<u32> last(items, kNone);  // the option that held each item last
        arrays.read(
            polling(nb::none()),
            [&](u32 option, u32 item, u32 color) {
                auto &row = found[option];
                const auto same = [&](const Trials::Entry &one) { return one.item == item && one.color == color; };
                const auto place = last[item] == option ? std::find_if(row.begin(), row.end(), same) : row.end();
                if (place == row.end())
                    row.push_back({item, 1, color});
                else
                    ++place->times;
                last[item] = option;
            },
            [](u32) {});
        return found;
    }

    // The numbers of the bits that are set, the lowest first.
    static std::vector<u32> list_bits(const nb::bytes &bits) {
        std::vector<u32> found;
        for (std::size_t k = 0; k < bits.size(); ++k)
            for (u32 bit = 0; bit < 8; ++bit)
                if (static_cast<unsigned char>(bits.c_str()[k]) >> bit & 1) found.push_back(static_cast<u32>(8 * k + bit));
        return found;
    }

    Trials trials_;
    UseState use_;
};

}  // namespace

void bind_steps(nb::module_ &module) {
    nb::class_<WeightFinder>(module, "WeightFinder",
                             "Looks for weights that add up to 0 in each option, but not in all items.")
        .def(nb::init<u32, u32, Array<i64>, Array<i32>, Array<i32>, const std::vector<std::pair<u32, u64>> &,
                      nb::object>(),
             "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a, "needed"_a, "poll"_a = nb::none(), Guarded(),
             "Take the arrays of a matrix, and how often each item must be covered for which this is fixed.")
        .def("find", &WeightFinder::find, "prime"_a, "most"_a, "work"_a, Guarded(),
             "Return weights modulo a power of a prime, up to this exponent, and the modulus; None if there are none, "
             "or if this takes more than about this many additions.");
    nb::class_<TrialsHandle>(module, "Trials", "Tries options in a position, and finds those that lead to a contradiction.")
        .def(nb::init<Array<i64>, Array<i32>, Array<i32>, const std::vector<u32> &, const std::vector<u32> &,
                      const std::vector<GraphRule> &>(),
             "starts"_a, "entries"_a, "colors"_a, "low"_a, "high"_a, "rules"_a, Guarded(),
             "Take the arrays of a matrix, in which an option may hold an item several times, and bounds of each item.")
        .def("enter", &TrialsHandle::enter, "alive"_a, "chosen"_a, Guarded(),
             "Go to a position: the options that may still be chosen, and those that are, as bits.")
        .def("rules_hold", &TrialsHandle::rules_hold, Guarded(), "Return whether no rule is broken in the position.")
        .def("refute", &TrialsHandle::refute, "items"_a, "options"_a = nb::none(), "poll"_a = nb::none(), Guarded(),
             "Return the refutations of all options that may be chosen, or of some, by these items alone: the option, the "
             "number of waves of what it forces, what is taken, each with the item that forces it, and the item that has "
             "too few options, or -1 if a rule is broken.")
        .def("decide", &TrialsHandle::decide, "items"_a, "work"_a, "poll"_a = nb::none(), Guarded(),
             "Try options in turn by these items alone, for about so much work: remove those that are refuted, and choose "
             "those whose absence is. Return whether there is nothing left to do.")
        .def("position", &TrialsHandle::position, Guarded(),
             "Return the options that may still be chosen, and those that are; none if an item has too few.")
        .def("counters", &TrialsHandle::counters, Guarded(),
             "Return the work of all trials, and the numbers of options tried, repeats included, and decided in this position.")
        .def("shrink", &TrialsHandle::shrink, "option"_a, "items"_a, "order"_a, "poll"_a = nb::none(), Guarded(),
             "Return items by which an option is still refuted; each of `order` is left out if the others suffice.");
}

}  // namespace exactcover
