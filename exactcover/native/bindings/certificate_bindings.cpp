// Bindings of the fast part of the check of certificates.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "certificates/clause_trimmer.hpp"
#include "certificates/proof_checker.hpp"

namespace exactcover {

namespace {

using Pairs = std::vector<std::pair<u32, u32>>;

class CheckerHandle {
public:
    CheckerHandle(u32 items, u32 primary, Array<i64> starts, Array<i32> entries, Array<i32> colors, nb::object poll)
        : calls_(polling(poll)), check_(make_rows(items, primary, starts, entries, colors), calls_) {}

    std::optional<std::pair<u64, std::size_t>> walk(nb::bytes live, const Pairs &needs, const std::vector<u32> &items,
                                                    nb::bytes nodes, std::size_t place) {
        std::vector<i64> left;
        return walk_through(live, needs, items, nodes, place, nullptr, left);
    }

    std::optional<std::pair<std::vector<i64>, std::size_t>> walk_priced(
        nb::bytes live, const Pairs &needs, const std::vector<u32> &items, nb::bytes nodes, std::size_t place,
        std::vector<i64> rest, std::vector<i64> prices, i64 left, u32 most) {
        if (rest.size() != check_.rows().options() || !std::is_sorted(rest.begin(), rest.end()) ||
            prices.size() != check_.rows().primary)
            throw nb::value_error("the prices do not fit the problem");
        const Pricing pricing{std::move(rest), std::move(prices), left, most};
        std::vector<i64> found;
        const auto done = walk_through(live, needs, items, nodes, place, &pricing, found);
        if (!done) return std::nullopt;
        return std::pair{std::move(found), done->second};
    }

    nb::bytes sweep(nb::bytes live, const Pairs &needs, const std::vector<u32> &items) {
        const SingleUserGuard guard(use_);
        check_items(items);
        return count(make_state(live, needs), [&](const ProofState &root) { return check_.sweep(root, items, calls_); });
    }

    nb::bytes memo(nb::bytes live, const Pairs &needs) {
        const SingleUserGuard guard(use_);
        return count(make_state(live, needs), [&](const ProofState &root) { return check_.memo(root, calls_); });
    }

    u64 visited() {
        const SingleUserGuard guard(use_);
        return check_.visited();
    }

private:
    template <typename Rule>
    static nb::bytes count(const ProofState &root, Rule rule) {
        std::vector<u64> total;
        {
            const nb::gil_scoped_release release;
            total = rule(root);
        }
        return to_bytes(total);
    }

    std::optional<std::pair<u64, std::size_t>> walk_through(
        const nb::bytes &live, const Pairs &needs, const std::vector<u32> &items, const nb::bytes &nodes,
        std::size_t place, const Pricing *pricing, std::vector<i64> &left) {
        const SingleUserGuard guard(use_);
        ProofState root = make_state(live, needs);
        check_items(items);
        const std::span<const u8> data(static_cast<const u8 *>(nodes.data()), nodes.size());
        const nb::gil_scoped_release release;
        const auto solutions = check_.walk(std::move(root), items, data, place, calls_, pricing, left);
        if (!solutions) return std::nullopt;
        return std::pair{*solutions, place};
    }

    Rows make_rows(u32 items, u32 primary, const Array<i64> &starts, const Array<i32> &entries,
                   const Array<i32> &colors) const {
        const auto rows = as_rows(items, primary, starts, entries, colors);
        const nb::gil_scoped_release release;
        return Rows::from_arrays(rows, {}, {}, calls_);
    }

    ProofState make_state(const nb::bytes &live, const Pairs &needs) const {
        if (live.size() != check_.words() * sizeof(u64) || needs.size() != check_.rows().primary)
            throw nb::value_error("the state does not fit the problem");
        ProofState state;
        state.live.resize(check_.words());
        std::memcpy(state.live.data(), live.data(), live.size());
        const u32 options = check_.rows().options(), rest = options % 64;
        if ((rest != 0 || options == 0) && state.live.back() >> rest != 0)
            throw nb::value_error("there is no such option");
        for (const auto &[low, high] : needs) state.needs.push_back({low, high});
        return state;
    }

    void check_items(const std::vector<u32> &items) const {
        for (const u32 item : items)
            if (item >= check_.rows().items) throw nb::value_error("there is no such item");
    }

    Poll calls_;
    ProofChecker check_;
    UseState use_;
};

class TrimmerHandle {
public:
    TrimmerHandle(u32 items, u32 primary, Array<i64> starts, Array<i32> entries, Array<i32> colors,
                  std::vector<i32> lows, std::vector<i32> highs, const Pairs &color_variables, nb::object poll)
        : calls_(polling(poll)) {
        const auto rows = as_rows(items, primary, starts, entries, colors);
        const nb::gil_scoped_release release;
        trim_.emplace(Rows::from_arrays(rows, std::move(lows), std::move(highs), calls_), color_variables, calls_);
    }

    bool add(Array<i32> clauses) {
        SingleUserGuard guard(use_);
        const std::span<const i32> numbers(clauses.data(), clauses.size());
        return guard.work_to_end([&] {
            std::vector<u32> clause;
            bool forgets = false;
            for (const i32 number : numbers) {
                if (number != 0) {
                    clause.push_back(2 * (static_cast<u32>(number < 0 ? -i64{number} : number) - 1) + (number < 0));
                    continue;
                }
                if (clause.empty()) {
                    forgets = true;
                    continue;
                }
                if (forgets)
                    trim_->forget(clause);
                else if (trim_->add(clause))
                    break;
                clause.clear();
                forgets = false;
            }
            return trim_->is_contradiction();
        });
    }

    nb::bytes write(const std::vector<u32> &items, const std::vector<u32> &variables) {
        SingleUserGuard guard(use_);
        return to_bytes(guard.work([&] { return trim_->write(items, variables); }));
    }

private:
    Poll calls_;
    std::optional<ClauseTrimmer> trim_;
    UseState use_;
};

}  // namespace

void bind_certificates(nb::module_ &module) {
    nb::exception<NotCertified>(module, "NotCertifiedError", PyExc_ValueError);
    nb::class_<CheckerHandle>(module, "ProofChecker", "Checks the trees, sweeps and memos of a certificate.")
        .def(nb::init<u32, u32, Array<i64>, Array<i32>, Array<i32>, nb::object>(), "items"_a, "primary"_a, "starts"_a,
             "entries"_a, "colors"_a, "poll"_a = nb::none(), Guarded())
        .def("walk", &CheckerHandle::walk, "live"_a, "needs"_a, "items"_a, "nodes"_a, "place"_a, Guarded(),
             "Return the number of solutions of the tree at a place, and the place behind it; None if some node refers "
             "to another step.")
        .def("walk_priced", &CheckerHandle::walk_priced, "live"_a, "needs"_a, "items"_a, "nodes"_a, "place"_a, "rest"_a,
             "prices"_a, "left"_a, "most"_a, Guarded(),
             "Return what each solution of a tree leaves of the highest cost that matters, less the prices of items, "
             "and the place behind the tree. Options must ascend by what they cost, less the prices of their items.")
        .def("sweep", &CheckerHandle::sweep, "live"_a, "needs"_a, "items"_a, Guarded(),
             "Return the number of solutions as bytes, the lowest first.")
        .def("memo", &CheckerHandle::memo, "live"_a, "needs"_a, Guarded(),
             "Return the number of solutions as bytes, the lowest first; equal states are counted once.")
        .def("visited", &CheckerHandle::visited, Guarded(), "Return how many nodes and states were visited.");
    nb::class_<TrimmerHandle>(module, "ClauseTrimmer", "Makes a proof with hints of the clauses that a solver learns.")
        .def(nb::init<u32, u32, Array<i64>, Array<i32>, Array<i32>, std::vector<i32>, std::vector<i32>, const Pairs &,
                      nb::object>(),
             "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a, "lows"_a, "highs"_a, "color_variables"_a,
             "poll"_a = nb::none(), Guarded())
        .def("add", &TrimmerHandle::add, "clauses"_a, Guarded(),
             "Add clauses, each of which ends with 0; one that also begins with 0 is forgotten. Return whether they "
             "contradict each other.")
        .def("write", &TrimmerHandle::write, "items"_a, "variables"_a, Guarded(),
             "Return the clauses that are needed, with hints, as nodes of a certificate.");
}

}  // namespace exactcover
