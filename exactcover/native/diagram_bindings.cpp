// Where C++ meets Python: sweeps, searches with a memo, and diagrams.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "frontier.hpp"
#include "memo.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Poll;
using exactcover::polling;
using exactcover::Problem;
using exactcover::Turn;
using exactcover::u32;
using exactcover::u64;

namespace {

// What one thread works on, and others may look at: each waits until the other is through, without Python's lock.
template <typename T>
class Shared {
public:
    void set(std::unique_ptr<T> value) { value_ = std::move(value); }

    template <typename Use>
    auto use(const Use &what) const {
        nb::gil_scoped_release release;
        const std::lock_guard<std::mutex> guard(mutex_);
        return what(*value_);
    }

private:
    std::unique_ptr<T> value_;
    mutable std::mutex mutex_;
};

// A whole number as bytes, the least significant first.
nb::bytes number(const std::vector<u64> &words) {
    std::string bytes;
    for (u64 word : words)
        for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xff));
    return nb::bytes(bytes.data(), bytes.size());
}

// A sweep that counts, or writes down its steps.
class Frontier {
public:
    Frontier(std::shared_ptr<Problem> problem, bool recorded, std::vector<u32> order, u64 hash_mask, nb::object poll) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        if (order.empty()) order = exactcover::narrow_order(*problem, calls);
        sweep_.set(std::make_unique<exactcover::Frontier>(std::move(problem), order, recorded, hash_mask));
    }
    bool advance(u64 work) {
        return sweep_.use([&](auto &sweep) { return sweep.advance(work); });
    }
    nb::bytes total() const {
        return number(sweep_.use([](const auto &sweep) {
            if (!sweep.done()) throw std::invalid_argument("the sweep is not done");
            return sweep.total();
        }));
    }
    nb::tuple progress() const {
        const auto [station, states, waiting] = sweep_.use(
            [](const auto &sweep) { return std::make_tuple(sweep.station(), sweep.states(), sweep.waiting()); });
        return nb::make_tuple(station, states, waiting);
    }
    std::vector<u32> bits() const {
        return sweep_.use([](const auto &sweep) { return sweep.layout().bits; });
    }
    std::size_t memory() const {
        return sweep_.use([](const auto &sweep) { return sweep.bytes(); });
    }
    const Shared<exactcover::Frontier> &sweep() const { return sweep_; }

private:
    Shared<exactcover::Frontier> sweep_;
};

std::vector<u32> compact_order(std::shared_ptr<Problem> problem, nb::object poll) {
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    return exactcover::lay_out(*problem, exactcover::narrow_order(*problem, calls)).option;
}

// A search with a memo that counts.
class Memo {
public:
    Memo(std::shared_ptr<Problem> problem, u64 hash_mask, nb::object poll) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        search_.set(std::make_unique<Search>(std::move(problem), exactcover::Counting{}, calls, hash_mask));
    }
    bool advance(u64 nodes) {
        return search_.use([&](auto &search) { return search.advance(nodes); });
    }
    nb::bytes total() {
        return number(search_.use([](auto &search) {
            if (!search.done()) throw std::invalid_argument("the search is not done");
            return search.algebra().numbers.words(search.result());
        }));
    }
    nb::tuple counters() const {
        const exactcover::MemoCounters c = search_.use([](const auto &search) { return search.counters(); });
        return nb::make_tuple(c.nodes, c.hits, c.splits, c.thinned);
    }
    double explored() const {
        return search_.use([](const auto &search) { return search.explored(); });
    }
    void thin() {
        search_.use([](auto &search) { search.thin(); });
    }
    void give_up() {
        search_.use([](auto &search) { search.give_up(); });
    }
    u32 entries() const {
        return search_.use([](const auto &search) { return search.entries(); });
    }
    std::size_t memory() const {
        return search_.use([](const auto &search) { return search.bytes(); });
    }

private:
    using Search = exactcover::Memo<exactcover::Counting>;
    Shared<Search> search_;
};

// Diagrams over options at given levels. Families are numbers; 0 is that without a set, 1 that of the empty set.
class Diagrams {
public:
    Diagrams(std::vector<u32> levels, std::size_t most_bytes, u64 hash_mask)
        : levels_(std::move(levels)), diagrams_(most_bytes, hash_mask) {}

    u32 of_frontier(const Frontier &frontier, nb::object poll) {
        const Turn turn(busy_);
        const Poll calls = polling(poll);
        return frontier.sweep().use([&](const auto &sweep) {
            if (!sweep.done() || !sweep.recorded()) throw std::invalid_argument("the sweep was not recorded to its end");
            check(sweep.layout().option);
            return sweep.zdd(diagrams_, levels_, calls);
        });
    }

    u32 of_memo(std::shared_ptr<Problem> problem, nb::object poll) {
        const Turn turn(busy_);
        if (problem->options > levels_.size()) throw nb::value_error("an option has no level");
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        exactcover::Memo<exactcover::Drawing> search(std::move(problem), {diagrams_, levels_}, calls, exactcover::kWholeHash);
        while (search.advance(256)) calls();
        return search.result();
    }

    // The sets of a family, each with an option at one more level.
    u32 with(u32 level, u32 family) {
        const Turn turn(busy_);
        check_family(family);
        nb::gil_scoped_release release;
        return diagrams_.with(level, family);
    }

    // Of sets of options.
    u32 of_sets(std::vector<std::vector<u32>> sets) {
        const Turn turn(busy_);
        for (auto &set : sets) {
            check(set);
            for (u32 &option : set) option = levels_[option];
            std::sort(set.begin(), set.end());
        }
        nb::gil_scoped_release release;
        std::sort(sets.begin(), sets.end());
        return diagrams_.family(sets);
    }

    u32 add(u32 f, u32 g) {
        const Turn turn(busy_);
        check_family(f);
        check_family(g);
        nb::gil_scoped_release release;
        return diagrams_.add(f, g);
    }

    // The nodes of a family, children first, as level, lo, hi of each.
    nb::tuple nodes(u32 family) {
        const Turn turn(busy_);
        check_family(family);
        std::vector<u32> columns[3];
        for (const auto &node : diagrams_.below(family)) {
            columns[0].push_back(node.level);
            columns[1].push_back(node.lo);
            columns[2].push_back(node.hi);
        }
        return nb::make_tuple(raw(columns[0]), raw(columns[1]), raw(columns[2]));
    }

    std::size_t memory() const { return diagrams_.bytes(); }

private:
    void check_family(u32 family) const {
        if (!diagrams_.has(family)) throw nb::value_error("there is no such family");
    }
    static nb::bytes raw(const std::vector<u32> &numbers) {
        return nb::bytes(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(u32));
    }
    void check(const std::vector<u32> &options) const {
        for (u32 option : options)
            if (option >= levels_.size()) throw std::invalid_argument("an option has no level");
    }

    std::vector<u32> levels_;
    exactcover::Zdd diagrams_;
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace

namespace exactcover {

void bind_diagrams(nb::module_ &module) {
    nb::class_<::Frontier>(module, "Frontier", "A sweep over the items that counts states with what they have in common.")
        .def(nb::init<std::shared_ptr<Problem>, bool, std::vector<u32>, u64, nb::object>(), "problem"_a,
             "recorded"_a = false, "order"_a = std::vector<u32>(), "hash_mask"_a = exactcover::kWholeHash, "poll"_a = nb::none())
        .def("advance", &::Frontier::advance, "work"_a, "Go on for about so many steps; False when all is done.")
        .def("total", &::Frontier::total, "How many solutions there are, as bytes, the least significant first.")
        .def("progress", &::Frontier::progress, "The item under way, states dealt with, states that wait.")
        .def("bits", &::Frontier::bits, "For each item in turn, how many bits tell states apart.")
        .def("memory", &::Frontier::memory, "Bytes held.");
    module.def("compact_order", &compact_order, "problem"_a, "poll"_a = nb::none(),
               "The options in an order that keeps diagrams small.");
    nb::class_<::Memo>(module, "Memo", "A search that remembers what remaining problems came to.")
        .def(nb::init<std::shared_ptr<Problem>, u64, nb::object>(), "problem"_a, "hash_mask"_a = exactcover::kWholeHash,
             "poll"_a = nb::none())
        .def("advance", &::Memo::advance, "nodes"_a, "Go on for about so many nodes; False when all is done.")
        .def("total", &::Memo::total, "How many solutions there are, as bytes, the least significant first.")
        .def("counters", &::Memo::counters, "Nodes; how many of them were known, how many fell apart; times it was thinned.")
        .def("explored", &::Memo::explored, "The share of the tree that lies behind.")
        .def("thin", &::Memo::thin, "Forget half of what is known, what was least work.")
        .def("give_up", &::Memo::give_up, "Remember nothing from now on.")
        .def("entries", &::Memo::entries, "How much is known.")
        .def("memory", &::Memo::memory, "Bytes held.");
    nb::class_<::Diagrams>(module, "Diagrams", "Zero-suppressed decision diagrams that share their nodes.")
        .def(nb::init<std::vector<u32>, std::size_t, u64>(), "levels"_a, "most_bytes"_a,
             "hash_mask"_a = exactcover::kWholeHash)
        .def("of_frontier", &::Diagrams::of_frontier, "frontier"_a, "poll"_a = nb::none(),
             "The solutions that a recorded sweep has found.")
        .def("of_memo", &::Diagrams::of_memo, "problem"_a, "poll"_a = nb::none(), "The solutions of a problem.")
        .def("of_sets", &::Diagrams::of_sets, "sets"_a, "A family of different sets of options.")
        .def("with_level", &::Diagrams::with, "level"_a, "family"_a, "Each set of a family with one level besides.")
        .def("add", &::Diagrams::add, "f"_a, "g"_a, "The sets of both.")
        .def("nodes", &::Diagrams::nodes, "family"_a, "Level, lo and hi of each node, children first, numbered from 2 on.")
        .def("memory", &::Diagrams::memory, "Bytes held.");
}

}  // namespace exactcover
