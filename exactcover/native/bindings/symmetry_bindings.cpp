// Bindings of remainders and their symmetries.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "symmetry/automorphisms.hpp"
#include "symmetry/solution_orbits.hpp"

namespace exactcover {

namespace {

using Images = std::vector<u32>;

std::shared_ptr<Rows> make_rows(u32 items, u32 primary, Array<i64> starts, Array<i32> entries, Array<i32> colors,
                                std::vector<i32> low, std::vector<i32> high, nb::object poll) {
    const auto rows = as_rows(items, primary, starts, entries, colors);
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    return std::make_shared<Rows>(Rows::from_arrays(rows, std::move(low), std::move(high), calls));
}

std::shared_ptr<Rows> with_origins(const Rows &rows, std::vector<u32> items, std::vector<u32> options, u32 primary) {
    if (items.size() != rows.items || options.size() != rows.options())
        throw nb::value_error("each item and each option needs an origin");
    auto changed = std::make_shared<Rows>(rows);
    changed->item_origin = std::move(items);
    changed->option_origin = std::move(options);
    changed->origin_primary = primary;
    return changed;
}

std::vector<u32> holders_of(const Rows &rows, u32 item) {
    if (item >= rows.items) throw nb::value_error("there is no such item");
    std::vector<u32> options;
    for (u32 option = 0; option < rows.options(); ++option)
        for (u32 k = rows.start[option]; k < rows.start[option + 1]; ++k)
            if (rows.item[k] == item) options.push_back(option);
    return options;
}

// Rows with their symmetries, as permutations of vertices.
class Symmetries {
public:
    Symmetries(std::shared_ptr<const Rows> rows, const std::vector<u32> &kinds, u64 most_work, nb::object poll)
        : rows_(std::move(rows)), calls_(polling(poll)) {
        nb::gil_scoped_release release;
        graph_ = std::make_unique<Graph>(*rows_, kinds);
        try {
            found_ = AutomorphismSearch(*graph_, calls_, most_work).find_generators();
        } catch (const OutOfWork &) {
            found_.complete = false;
        }
        Parts orbits(graph_->vertices);
        for (const auto &generator : found_.generators) join_orbits(orbits, generator);
        std::vector<u32> first_of_root(graph_->vertices, kNone);
        for (u32 option = 0; option < rows_->options(); ++option) {
            u32 &first = first_of_root[orbits.find(rows_->items + option)];
            firsts_.push_back(first = std::min(first, option));
        }
    }

    bool complete() const { return found_.complete; }
    const std::vector<u32> &factors() const { return found_.factors; }

    std::vector<std::pair<Images, Images>> generators() const {
        std::vector<std::pair<Images, Images>> pairs;
        for (const auto &generator : found_.generators) {
            Images of_items(rows_->items), of_options(rows_->options());
            std::iota(of_items.begin(), of_items.end(), 0);
            std::iota(of_options.begin(), of_options.end(), 0);
            for (const auto &[one, other] : generator) {
                if (one < rows_->items) of_items[one] = other;
                else if (one - rows_->items < rows_->options()) of_options[one - rows_->items] = other - rows_->items;
            }
            pairs.emplace_back(std::move(of_options), std::move(of_items));
        }
        return pairs;
    }

    std::vector<std::pair<u32, u32>> branches() {
        nb::gil_scoped_release release;
        std::vector<u32> first, held, last(rows_->options(), kNone);
        rows_->holders(first, held);
        std::vector<std::pair<u32, u32>> branches;
        for (u32 item = 0; item < rows_->primary; ++item) {
            u32 orbits = 0;
            for (u32 k = first[item]; k < first[item + 1]; ++k) {
                u32 &seen = last[firsts_[held[k]]];
                orbits += seen != item;
                seen = item;
            }
            branches.emplace_back(first[item + 1] - first[item], orbits);
        }
        return branches;
    }

    std::vector<std::pair<u32, u32>> orbits_of(u32 item) {
        if (item >= rows_->primary) throw nb::value_error("there is no such primary item");
        return group(holders_of(*rows_, item));
    }

    // The chance is the least one by the bounds of the items.
    std::vector<std::tuple<u32, u32, double>> orbits() {
        nb::gil_scoped_release release;
        std::vector<u32> left(rows_->items, 0), all(rows_->options());
        for (const u32 item : rows_->item) ++left[item];
        std::iota(all.begin(), all.end(), 0);
        std::vector<std::tuple<u32, u32, double>> orbits;
        for (const auto &[first, size] : group(all)) {
            double chance = 1;
            for (u32 k = rows_->start[first]; k < rows_->start[first + 1]; ++k) {
                const u32 item = rows_->item[k];
                if (item < rows_->primary) chance = std::min(chance, double(rows_->high[item]) / left[item]);
            }
            orbits.emplace_back(first, size, chance);
        }
        return orbits;
    }

    const std::vector<u32> &firsts() const { return firsts_; }

    // The options in the orbit of an option, in ascending order.
    std::vector<u32> orbit_of(u32 option) {
        if (option >= rows_->options()) throw nb::value_error("there is no such option");
        std::vector<u32> orbit;
        for (u32 other = 0; other < rows_->options(); ++other)
            if (firsts_[other] == firsts_[option]) orbit.push_back(other);
        return orbit;
    }

    // Equal for two problems exactly if one is the other with its items and options renamed; empty if that would take
    // more work.
    nb::bytes form(u64 most_work) {
        Form found;
        {
            nb::gil_scoped_release release;
            try {
                found = AutomorphismSearch(*graph_, calls_, most_work).find_form(found_);
            } catch (const OutOfWork &) {
            }
        }
        order_ = std::move(found.order);
        return to_bytes(found.form);
    }

    // The options in the order of the last form: between two problems with equal forms, those in the same places
    // correspond to each other.
    std::vector<u32> option_order() const {
        std::vector<u32> order;
        for (const u32 vertex : order_)
            if (vertex >= rows_->items && vertex - rows_->items < rows_->options()) order.push_back(vertex - rows_->items);
        return order;
    }

private:
    // The first of these options of each orbit, and how many of them belong to it.
    std::vector<std::pair<u32, u32>> group(const std::vector<u32> &options) const {
        std::vector<std::pair<u32, u32>> groups;
        std::vector<u32> place(rows_->options(), kNone);
        for (const u32 option : options) {
            u32 &where = place[firsts_[option]];
            if (where == kNone) {
                where = static_cast<u32>(groups.size());
                groups.emplace_back(option, 0);
            }
            ++groups[where].second;
        }
        return groups;
    }

    std::shared_ptr<const Rows> rows_;
    Poll calls_;
    std::unique_ptr<Graph> graph_;
    Automorphisms found_;
    std::vector<u32> firsts_;  // of each option: the first of its orbit; threads may look here at the same time
    std::vector<u32> order_;  // of the vertices in the last form
};

class OrbitsHandle {
public:
    OrbitsHandle(u32 options, std::vector<Images> generators, std::size_t most_bytes, nb::object poll)
        : calls_(polling(poll)), orbits_(options, std::move(generators), most_bytes, calls_) {}
    u64 add(const std::vector<u32> &solution) {
        SingleUserGuard guard(use_);
        return guard.work_to_end([&] { return orbits_.add(solution); });
    }

private:
    Poll calls_;
    SolutionOrbits orbits_;
    UseState use_;
};

std::shared_ptr<Rows> find_remainder(const Rows &rows, const std::vector<u32> &chosen, const std::vector<u32> &excluded) {
    nb::gil_scoped_release release;
    auto rest = rows.remainder(chosen, excluded);
    return rest ? std::make_shared<Rows>(std::move(*rest)) : nullptr;
}

std::shared_ptr<Rows> bounded(const Rows &rows, u32 item, u32 number) {
    if (item >= rows.primary || number == 0 || number < rows.low[item] || number > rows.high[item])
        throw nb::value_error("the number is not within the bounds of a primary item");
    auto changed = std::make_shared<Rows>(rows);
    changed->low[item] = changed->high[item] = number;
    return changed;
}

std::shared_ptr<Rows> with_item(const Rows &rows, const std::vector<u32> &holders, u32 number) {
    nb::gil_scoped_release release;
    return std::make_shared<Rows>(rows.with_item(holders, number));
}

nb::tuple to_arrays(const Rows &rows) {
    const std::vector<i64> starts(rows.start.begin(), rows.start.end());
    return nb::make_tuple(to_bytes(starts), to_bytes(rows.item), to_bytes(rows.color));
}

}  // namespace

void bind_symmetry(nb::module_ &module) {
    nb::class_<Rows>(module, "Rows", "A problem as rows of items and colors.")
        .def("remainder", &find_remainder, "chosen"_a, "excluded"_a = std::vector<u32>(), Guarded(),
             "Return the remainder when options are chosen and others excluded; None if there is no solution.")
        .def("bounded", &bounded, "item"_a, "number"_a, Guarded(),
             "Return the problem in which a primary item is covered exactly this often.")
        .def("with_item", &with_item, "holders"_a, "number"_a, Guarded(),
             "Return the problem with one more primary item, which exactly this many of these options must cover.")
        .def("with_origins", &with_origins, "items"_a, "options"_a, "primary"_a, Guarded(),
             "Return the problem as a remainder of another one, in which its items and options have other numbers.")
        .def("holders_of", &holders_of, "item"_a, Guarded(), "Return the options of an item.")
        .def("to_arrays", &to_arrays, Guarded(),
             "Return starts (64 bits each), entries and colors (32 bits each) as bytes.")
        .def_prop_ro("items", [](const Rows &rows) { return rows.items; }, Guarded(), "The number of items.")
        .def_prop_ro("options", [](const Rows &rows) { return rows.options(); }, Guarded(), "The number of options.")
        .def_prop_ro("entries", [](const Rows &rows) { return rows.item.size(); }, Guarded(), "The number of entries.")
        .def_prop_ro("primary", [](const Rows &rows) { return rows.primary; }, Guarded(), "The number of primary items.")
        .def_prop_ro("item_origins", [](const Rows &rows) { return rows.item_origin; }, Guarded(),
                     "What each item is in the problem of which this is a remainder.")
        .def_prop_ro("option_origins", [](const Rows &rows) { return rows.option_origin; }, Guarded(),
                     "The same for each option.")
        .def_prop_ro("bounds", [](const Rows &rows) {
            std::vector<std::pair<u32, u32>> bounds;
            for (u32 item = 0; item < rows.primary; ++item) bounds.emplace_back(rows.low[item], rows.high[item]);
            return bounds;
        }, Guarded(), "How often each primary item must be covered at least, and may be covered at most.");
    module.def("make_rows", &make_rows, "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a,
               "low"_a = std::vector<i32>(), "high"_a = std::vector<i32>(), "poll"_a = nb::none(),
               Guarded(), "Return a problem as rows.");
    nb::class_<Symmetries>(module, "Symmetries", "The symmetries of a problem: generators of its automorphisms.")
        .def(nb::init<std::shared_ptr<const Rows>, const std::vector<u32> &, u64, nb::object>(), "rows"_a,
             "kinds"_a = std::vector<u32>(), "most_work"_a = ~u64{0}, "poll"_a = nb::none(), Guarded())
        .def_prop_ro("complete", &Symmetries::complete, Guarded(), "Whether all symmetries were found.")
        .def_prop_ro("factors", &Symmetries::factors, Guarded(), "Numbers whose product is the order of the group.")
        .def("generators", &Symmetries::generators, Guarded(),
             "Return the image of each option, and that of each item, for each generator.")
        .def("branches", &Symmetries::branches, Guarded(),
             "Return for each primary item the number of its options, and that of their orbits.")
        .def("orbits_of", &Symmetries::orbits_of, "item"_a, Guarded(),
             "Return the first option of each orbit that covers an item, and how many options of the orbit do.")
        .def("orbits", &Symmetries::orbits, Guarded(),
             "Return the first option of each orbit, the number of its options, and the chance that one is chosen.")
        .def("firsts", &Symmetries::firsts, Guarded(), "Return for each option the first option of its orbit.")
        .def("orbit_of", &Symmetries::orbit_of, "option"_a, Guarded(), "Return the orbit of an option.")
        .def("form", &Symmetries::form, "most_work"_a = ~u64{0}, Guarded(),
             "Return the canonical form, or nothing if that would take more work.")
        .def("option_order", &Symmetries::option_order, Guarded(), "Return the options in the order of the last form.");
    nb::class_<OrbitsHandle>(module, "SolutionOrbits", "The solutions that symmetries make of those seen so far.")
        .def(nb::init<u32, std::vector<Images>, std::size_t, nb::object>(), "options"_a, "generators"_a,
             "most_bytes"_a = ~std::size_t{0}, "poll"_a = nb::none(), Guarded())
        .def("add", &OrbitsHandle::add, "solution"_a, Guarded(),
             "Return how many solutions symmetries make of this one, or 0 if it was among those of an earlier one.");
}

}  // namespace exactcover
