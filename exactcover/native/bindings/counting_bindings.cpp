// Bindings of sweeps, searches with a memo, and diagrams.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "counting/sweep.hpp"
#include "counting/memo.hpp"

namespace exactcover {

namespace {

// A whole number as bytes, least significant first.
nb::bytes number(const std::vector<u64> &words) {
    std::vector<u8> bytes;
    for (u64 word : words)
        for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<u8>(word >> shift));
    return to_bytes(bytes);
}

// Whether these are the numbers below n, each once.
bool permutation(std::vector<u32> numbers, u32 n) {
    std::sort(numbers.begin(), numbers.end());
    for (u32 k = 0; k < numbers.size(); ++k)
        if (numbers[k] != k) return false;
    return numbers.size() == n;
}

class SweepHandle {
public:
    SweepHandle(std::shared_ptr<Problem> problem, bool recorded, std::vector<u32> order, u64 hash_mask,
                nb::object poll) {
        if (!order.empty() && !permutation(order, problem->primary))
            throw nb::value_error("the order must hold each primary item once, or nothing");
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        if (order.empty()) order = narrow_order(*problem, calls);
        sweep_ = std::make_unique<Sweep>(std::move(problem), order, recorded, hash_mask);
        publish();
    }
    bool advance(u64 work) {
        SingleUserGuard guard(use_);
        const bool more = guard.work([&] {
            return in_portions(work, 1u << 16, [&](u64 portion) { return sweep_->advance(portion); });
        });
        publish();
        return more;
    }
    nb::bytes total() {
        const SingleUserGuard guard(use_);
        if (!sweep_->done()) throw nb::value_error("the sweep is not done");
        return number(sweep_->total());
    }
    nb::tuple progress() const {
        const Seen seen = seen_.get();
        return nb::make_tuple(seen.station, seen.states, seen.waiting);
    }
    const std::vector<u32> &bits() const { return sweep_->layout().bits; }  // neither ever changes
    const std::vector<u32> &order() const { return sweep_->layout().order; }
    std::size_t memory() const { return seen_.get().memory; }

    // Use the recorded steps of a finished count, without the interpreter's lock.
    template <typename Use>
    u32 recorded(Use use) {
        SingleUserGuard guard(use_);
        if (!sweep_->done() || !sweep_->recorded()) throw nb::value_error("the sweep was not recorded to its end");
        return guard.work([&] { return use(*sweep_); });
    }

private:
    struct Seen {
        u32 station = 0;
        u64 states = 0, waiting = 0;
        std::size_t memory = 0;
    };
    void publish() { seen_.set({sweep_->station(), sweep_->states(), sweep_->waiting(), sweep_->bytes()}); }

    std::unique_ptr<Sweep> sweep_;
    UseState use_;
    Snapshot<Seen> seen_;
};

std::vector<u32> compact_order(std::shared_ptr<Problem> problem, nb::object poll) {
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    return options_in_order(*problem, narrow_order(*problem, calls));
}

class MemoHandle {
public:
    MemoHandle(std::shared_ptr<Problem> problem, u64 hash_mask, nb::object poll) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        search_ = std::make_unique<Memo<CountAlgebra>>(std::move(problem), CountAlgebra{}, calls, hash_mask);
        publish();
    }
    bool advance(u64 nodes) {
        SingleUserGuard guard(use_);
        const bool more = guard.work([&] {
            return in_portions(nodes, 1u << 4, [&](u64 portion) { return search_->advance(portion); });
        });
        publish();
        return more;
    }
    nb::bytes total() {
        const SingleUserGuard guard(use_);
        if (!search_->done()) throw nb::value_error("the search is not done");
        return number(search_->algebra().numbers.words(search_->result()));
    }
    MemoCounters counters() const { return seen_.get().counters; }
    double explored() const { return seen_.get().explored; }
    void thin() {
        SingleUserGuard guard(use_);
        guard.work([&] { search_->thin(); });
        publish();
    }
    u32 entries() const { return seen_.get().entries; }
    std::size_t memory() const { return seen_.get().memory; }

private:
    struct Seen {
        MemoCounters counters;
        double explored = 0;
        u32 entries = 0;
        std::size_t memory = 0;
    };
    void publish() { seen_.set({search_->counters(), search_->explored(), search_->entries(), search_->bytes()}); }

    std::unique_ptr<Memo<CountAlgebra>> search_;
    UseState use_;
    Snapshot<Seen> seen_;
};

// Diagrams over options at given levels. Families are numbers: 0 is the empty family, 1 the family of the empty set.
class Diagrams {
public:
    Diagrams(std::vector<u32> levels, std::size_t most_bytes, u64 hash_mask, nb::object poll)
        : levels_(std::move(levels)), calls_(polling(poll)), diagrams_(most_bytes, hash_mask, calls_) {
        std::vector<u32> sorted = levels_;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw nb::value_error("two options have the same level");
        if (!sorted.empty() && sorted.back() == Zdd::kBottom) throw nb::value_error("a level is too large");
    }

    u32 of_sweep(SweepHandle &handle) {
        const SingleUserGuard guard(use_);
        return handle.recorded([&](const auto &sweep) {
            check(sweep.layout().option);
            try {
                return sweep.zdd(diagrams_, levels_);
            } catch (const std::bad_alloc &) {
                use_.broken = true;
                throw;
            }
        });
    }

    u32 of_memo(std::shared_ptr<Problem> problem) {
        SingleUserGuard guard(use_);
        if (problem->options > levels_.size()) throw nb::value_error("an option has no level");
        return guard.work([&] {
            Memo<DiagramAlgebra> search(std::move(problem), {diagrams_, levels_}, calls_, kWholeHash);
            Meter meter(calls_);
            while (search.advance(1)) meter.spend(search.node_work());
            return search.result();
        });
    }

    u32 of_sets(std::vector<std::vector<u32>> sets) {
        SingleUserGuard guard(use_);
        for (auto &set : sets) {
            check(set);
            for (u32 &option : set) option = levels_[option];
            std::sort(set.begin(), set.end());
            if (std::adjacent_find(set.begin(), set.end()) != set.end())
                throw nb::value_error("a set holds an option twice");
        }
        return guard.work([&] {
            std::sort(sets.begin(), sets.end());
            return diagrams_.family(sets);
        });
    }

    u32 add(u32 f, u32 g) {
        SingleUserGuard guard(use_);
        check_family(f);
        check_family(g);
        return guard.work([&] { return diagrams_.add(f, g); });
    }

    nb::tuple nodes(u32 family) {
        SingleUserGuard guard(use_);
        check_family(family);
        std::vector<u32> columns[3];
        guard.work([&] {
            for (const auto &node : diagrams_.below(family)) {
                columns[0].push_back(node.level);
                columns[1].push_back(node.lo);
                columns[2].push_back(node.hi);
            }
        });
        return nb::make_tuple(to_bytes(columns[0]), to_bytes(columns[1]), to_bytes(columns[2]));
    }

private:
    void check_family(u32 family) const {
        if (!diagrams_.has(family)) throw nb::value_error("there is no such family");
    }
    void check(const std::vector<u32> &options) const {
        for (u32 option : options)
            if (option >= levels_.size()) throw std::invalid_argument("an option has no level");
    }

    std::vector<u32> levels_;
    Poll calls_;
    Zdd diagrams_;
    UseState use_;
};

}  // namespace

void bind_counting(nb::module_ &module) {
    nb::class_<SweepHandle>(
        module, "Sweep",
        "A sweep (frontier method): handles items in order, and merges partial solutions with the same remaining work.")
        .def(nb::init<std::shared_ptr<Problem>, bool, std::vector<u32>, u64, nb::object>(), "problem"_a,
             "recorded"_a = false, "order"_a = std::vector<u32>(), "hash_mask"_a = kWholeHash, "poll"_a = nb::none(),
             Guarded())
        .def("advance", &SweepHandle::advance, "work"_a, Guarded(),
             "Go on for about this many steps; return False when it is done.")
        .def("total", &SweepHandle::total, Guarded(),
             "Return the number of solutions as bytes, least significant first.")
        .def("progress", &SweepHandle::progress, Guarded(),
             "Return the current item, the number of states done, and the number of states that wait.")
        .def("order", &SweepHandle::order, Guarded(), "Return the primary items in the order in which they are handled.")
        .def("bits", &SweepHandle::bits, Guarded(),
             "Return for each item, in order, the number of bits that tell states apart.")
        .def("memory", &SweepHandle::memory, Guarded(), "Return the number of bytes held.");
    module.def("compact_order", &compact_order, "problem"_a, "poll"_a = nb::none(), Guarded(),
               "Return the options in an order that keeps diagrams small.");
    nb::class_<MemoCounters>(module, "MemoCounters", "What a search with a memo has counted so far.")
        .def_ro("nodes", &MemoCounters::nodes, "Residual problems visited.")
        .def_ro("hits", &MemoCounters::hits, "Residual problems found in the memo.")
        .def_ro("splits", &MemoCounters::splits, "Residual problems that fell into several parts.")
        .def_ro("thinned", &MemoCounters::thinned, "How often the memo was thinned.");
    nb::class_<MemoHandle>(module, "Memo", "A search that remembers the count of each residual problem.")
        .def(nb::init<std::shared_ptr<Problem>, u64, nb::object>(), "problem"_a, "hash_mask"_a = kWholeHash,
             "poll"_a = nb::none(), Guarded())
        .def("advance", &MemoHandle::advance, "nodes"_a, Guarded(),
             "Go on for about this many nodes; return False when it is done.")
        .def("total", &MemoHandle::total, Guarded(), "Return the number of solutions as bytes, least significant first.")
        .def("counters", &MemoHandle::counters, Guarded(), "Return what was counted up to the last slice.")
        .def("explored", &MemoHandle::explored, Guarded(), "Return the share of the tree that has been searched.")
        .def("thin", &MemoHandle::thin, Guarded(), "Forget about half of the memo, the values that took the least work.")
        .def("entries", &MemoHandle::entries, Guarded(), "Return the number of values in the memo.")
        .def("memory", &MemoHandle::memory, Guarded(), "Return the number of bytes held.");
    nb::class_<Diagrams>(module, "Diagrams", "Zero-suppressed decision diagrams that share their nodes.")
        .def(nb::init<std::vector<u32>, std::size_t, u64, nb::object>(), "levels"_a, "most_bytes"_a,
             "hash_mask"_a = kWholeHash, "poll"_a = nb::none(), Guarded())
        .def("of_sweep", &Diagrams::of_sweep, "sweep"_a, Guarded(),
             "Return the family of the solutions of a recorded sweep.")
        .def("of_memo", &Diagrams::of_memo, "problem"_a, Guarded(), "Return the family of the solutions of a problem.")
        .def("of_sets", &Diagrams::of_sets, "sets"_a, Guarded(), "Return the family of these sets of options.")
        .def("add", &Diagrams::add, "f"_a, "g"_a, Guarded(), "Return the union of two families.")
        .def("nodes", &Diagrams::nodes, "family"_a, Guarded(),
             "Return level, lo and hi of each node, children first, numbered from 2 on.");
}

}  // namespace exactcover
