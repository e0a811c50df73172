// The one place where C++ meets Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontier.hpp"
#include "memo.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Counters;
using exactcover::Found;
using exactcover::Heuristic;
using exactcover::Poll;
using exactcover::Problem;
using exactcover::u32;
using exactcover::u64;

namespace {

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Heuristic heuristic_of(const std::string &name) {
    if (name == "mrv") return Heuristic::mrv;
    if (name == "leftmost") return Heuristic::leftmost;
    if (name == "weighted") return Heuristic::weighted;
    throw nb::value_error("there is no such heuristic");
}

// Calls back to Python from code that runs without the interpreter's lock.
Poll polling(nb::object poll) {
    if (poll.is_none()) return [] {};
    return [poll] {
        nb::gil_scoped_acquire acquire;
        poll();
    };
}

std::shared_ptr<Problem> make_problem(u32 items, u32 primary, Array<std::int64_t> starts, Array<std::int32_t> entries,
                                      Array<std::int32_t> colors, std::vector<std::int32_t> low,
                                      std::vector<std::int32_t> high, std::vector<std::int64_t> costs,
                                      std::vector<u32> preferred, nb::object poll) {
    const std::size_t options = starts.size() - 1;
    if (starts.size() == 0 || starts.data()[0] != 0 || entries.size() != colors.size() || primary > items)
        throw nb::value_error("the arrays do not fit together");
    if (static_cast<std::size_t>(starts.data()[options]) != entries.size())
        throw nb::value_error("starts must end where the entries do");
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    auto problem = std::make_shared<Problem>(
        Problem::from_rows(items, primary, starts.data(), options, entries.data(), colors.data(), calls));
    problem->set_bounds(std::move(low), std::move(high));
    problem->set_costs(std::move(costs));
    problem->set_preferred(std::move(preferred));
    return problem;
}

// A search that one thread at a time may drive; what it has found waits to be taken.
class Driver {
public:
    Driver(std::shared_ptr<Problem> problem, u32 most_dense_options, const std::string &instructions, nb::object poll)
        : options_(problem->options), counts_(!problem->low.empty()) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        search_ = exactcover::make_search(std::move(problem), most_dense_options, instructions, calls);
    }

    bool begin(const std::vector<u32> &given, const std::string &heuristic, const std::vector<u32> &without,
               std::size_t cheapest) {
        const Turn turn(busy_);
        return begin_here(given, heuristic, without, cheapest);
    }

    // The children of the root with some options chosen and others left out, each as all its options and all that
    // are left out; if it is a solution, that.
    nb::list children(const std::vector<u32> &given, const std::string &heuristic, std::vector<u32> without) {
        const Turn turn(busy_);
        nb::list result;
        if (!begin_here(given, heuristic, without, 0)) return result;
        exactcover::Root root = search_->root();
        if (root.dead) return result;
        for (u32 option : root.next) {
            root.chosen.push_back(option);
            result.append(nb::make_tuple(root.chosen, without));
            root.chosen.pop_back();
            if (counts_) without.push_back(option);
        }
        if (root.next.empty() || root.none) result.append(nb::make_tuple(root.chosen, without));
        return result;
    }

    // The cheapest solutions seen, the cheapest first.
    nb::list cheapest() {
        {
            const Turn turn(busy_);
            found_.clear();
            search_->cheapest(found_);
        }
        return take();
    }

    bool advance(u64 work, std::size_t most, bool listing) {
        const Turn turn(busy_);
        if (listing && counted_) throw nb::value_error("a search that has begun to count cannot list");
        counted_ = !listing;
        nb::gil_scoped_release release;
        return search_->advance(work, most, listing ? &found_ : nullptr);
    }

    // The solutions found since the last call, each as a tuple of ascending options.
    nb::list take() {
        const Turn turn(busy_);
        nb::list result;
        u32 first = 0;
        for (u32 end : found_.end) {
            u32 *options = found_.option.data();
            std::sort(options + first, options + end);
            nb::object solution = nb::steal(PyTuple_New(end - first));
            if (!solution.is_valid()) throw nb::python_error();
            for (u32 k = first; k < end; ++k) {
                PyTuple_SetItem(solution.ptr(), static_cast<Py_ssize_t>(k - first), number(options[k]).release().ptr());
            }
            PyObject_GC_UnTrack(solution.ptr());  // it holds numbers only
            result.append(solution);
            first = end;
        }
        found_.clear();
        return result;
    }

    // Keep a profile from the next begin on.
    void watch(bool traced) {
        const Turn turn(busy_);
        search_->profile().on = true;
        search_->profile().traced = traced;
    }

    // Nodes by level, and the most choices at one of them.
    nb::tuple profile() {
        const exactcover::Profile &profile = search_->profile();
        return nb::make_tuple(profile.levels, profile.most_choices);
    }

    // Depth and choices of each node visited since the last call; -1 choices for a solution.
    std::vector<exactcover::i32> trace() {
        const Turn turn(busy_);
        return std::exchange(search_->profile().trace, {});
    }

    nb::tuple counters() const {
        const Counters &c = search_->counters();
        return nb::make_tuple(c.nodes, c.updates, c.compactions, c.solutions);
    }
    double explored() const { return search_->explored(); }
    std::size_t memory() const { return search_->bytes() + found_.option.capacity() * sizeof(u32); }

private:
    bool begin_here(const std::vector<u32> &given, const std::string &heuristic, const std::vector<u32> &without,
                    std::size_t cheapest) {
        for (const auto *options : {&given, &without})
            for (u32 option : *options)
                if (option >= options_) throw nb::value_error("there is no such option");
        const Heuristic which = heuristic_of(heuristic);
        found_.clear();
        counted_ = false;
        nb::gil_scoped_release release;
        return search_->begin(given, without, which, cheapest);
    }

    class Turn {
    public:
        explicit Turn(std::atomic_flag &busy) : busy_(busy) {
            if (busy_.test_and_set()) throw std::runtime_error("another thread is using this search");
        }
        ~Turn() { busy_.clear(); }

    private:
        std::atomic_flag &busy_;
    };

    // An option as a Python number; the same object each time where there are not too many.
    nb::object number(u32 option) {
        constexpr u32 kMostNumbers = 1u << 16;
        if (options_ > kMostNumbers) return nb::int_(option);
        if (numbers_.empty()) numbers_.resize(options_);
        if (!numbers_[option].is_valid()) numbers_[option] = nb::int_(option);
        return numbers_[option];
    }

    u32 options_;
    bool counts_;
    std::vector<nb::object> numbers_;
    std::unique_ptr<exactcover::Search> search_;
    Found found_;
    bool counted_ = false;
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
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
        sweep_ = std::make_unique<exactcover::Frontier>(std::move(problem), order, recorded, hash_mask);
    }
    bool advance(u64 work) {
        nb::gil_scoped_release release;
        return sweep_->advance(work);
    }
    nb::bytes total() const { return number(sweep_->total()); }
    nb::tuple progress() const { return nb::make_tuple(sweep_->station(), sweep_->states(), sweep_->waiting()); }
    std::vector<u32> bits() const { return sweep_->layout().bits; }
    std::size_t memory() const { return sweep_->bytes(); }
    const exactcover::Frontier &sweep() const { return *sweep_; }

private:
    std::unique_ptr<exactcover::Frontier> sweep_;
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
        search_ = std::make_unique<exactcover::Memo<exactcover::Counting>>(std::move(problem), exactcover::Counting{}, calls,
                                                                          hash_mask);
    }
    bool advance(u64 nodes) {
        nb::gil_scoped_release release;
        return search_->advance(nodes);
    }
    nb::bytes total() { return number(search_->algebra().numbers.words(search_->result())); }
    nb::tuple counters() const {
        const exactcover::MemoCounters &c = search_->counters();
        return nb::make_tuple(c.nodes, c.hits, c.splits, c.thinned);
    }
    double explored() const { return search_->explored(); }
    void thin() { search_->thin(); }
    void give_up() { search_->give_up(); }
    u32 entries() const { return search_->entries(); }
    std::size_t memory() const { return search_->bytes(); }

private:
    std::unique_ptr<exactcover::Memo<exactcover::Counting>> search_;
};

// Diagrams over options at given levels. Families are numbers; 0 is that without a set, 1 that of the empty set.
class Diagrams {
public:
    Diagrams(std::vector<u32> levels, std::size_t most_bytes, u64 hash_mask)
        : levels_(std::move(levels)), diagrams_(most_bytes, hash_mask) {}

    u32 of_frontier(const Frontier &frontier, nb::object poll) {
        check(frontier.sweep().layout().option);
        if (!frontier.sweep().done() || !frontier.sweep().recorded()) throw nb::value_error("the sweep was not recorded to its end");
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        return frontier.sweep().zdd(diagrams_, levels_, calls);
    }

    u32 of_memo(std::shared_ptr<Problem> problem, nb::object poll) {
        if (problem->options > levels_.size()) throw nb::value_error("an option has no level");
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        exactcover::Memo<exactcover::Drawing> search(std::move(problem), {diagrams_, levels_}, calls, exactcover::kWholeHash);
        while (search.advance(256)) calls();
        return search.result();
    }

    // The sets of a family, each with an option at one more level.
    u32 with(u32 level, u32 family) {
        check_family(family);
        nb::gil_scoped_release release;
        return diagrams_.with(level, family);
    }

    // Of sets of options.
    u32 of_sets(std::vector<std::vector<u32>> sets) {
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
        check_family(f);
        check_family(g);
        nb::gil_scoped_release release;
        return diagrams_.add(f, g);
    }

    // The nodes of a family, children first, as level, lo, hi of each.
    nb::tuple nodes(u32 family) const {
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
            if (option >= levels_.size()) throw nb::value_error("an option has no level");
    }

    std::vector<u32> levels_;
    exactcover::Zdd diagrams_;
};

}  // namespace

NB_MODULE(_native, module) {
    module.doc() = "The native search; exactcover.engines.native is its face.";
    nb::list sets;
    for (const char *name : exactcover::instruction_sets()) sets.append(nb::str(name));
    module.attr("instruction_sets") = nb::tuple(sets);
#if defined(NDEBUG)
    module.attr("build_type") = "release";
#else
    module.attr("build_type") = "debug";
#endif
    module.attr("version") = EXACTCOVER_VERSION;
    nb::class_<Problem>(module, "Problem", "A problem as lists of columns.");
    module.def("make_problem", &make_problem, "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a,
               "low"_a = std::vector<std::int32_t>(), "high"_a = std::vector<std::int32_t>(),
               "costs"_a = std::vector<std::int64_t>(), "preferred"_a = std::vector<u32>(), "poll"_a = nb::none(),
               "Make a problem of compressed rows; ValueError where the arrays do not fit together.");
    nb::class_<Driver>(module, "Search", "One search over a problem, driven in slices.")
        .def(nb::init<std::shared_ptr<Problem>, u32, const std::string &, nb::object>(), "problem"_a,
             "most_dense_options"_a = exactcover::kMostDenseOptions,
             "instructions"_a = std::string(exactcover::instruction_sets().front()), "poll"_a = nb::none())
        .def("begin", &Driver::begin, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(), "cheapest"_a = 0,
             "Begin anew with options chosen and left out, for all solutions or the cheapest; False if those clash.")
        .def("children", &Driver::children, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(),
             "The parts into which the tree with options chosen and left out falls, in order, each as two such lists; "
             "what was begun before is over.")
        .def("cheapest", &Driver::cheapest, "The cheapest solutions seen, the cheapest first.")
        .def("advance", &Driver::advance, "work"_a, "most"_a, "listing"_a,
             "Go on for about `work` nodes or until `most` solutions wait; False when all is visited.")
        .def("watch", &Driver::watch, "traced"_a, "Keep a profile from the next begin on, and a trace if wanted.")
        .def("profile", &Driver::profile, "Nodes by level, and the most choices at one of them.")
        .def("trace", &Driver::trace, "Depth and choices of each node since the last call; -1 for a solution.")
        .def("take", &Driver::take, "The solutions that wait, as ascending tuples.")
        .def("counters", &Driver::counters, "Nodes, updates, compactions, solutions.")
        .def("explored", &Driver::explored, "The share of the tree that lies behind.")
        .def("memory", &Driver::memory, "Bytes held.");
    nb::class_<Frontier>(module, "Frontier", "A sweep over the items that counts states with what they have in common.")
        .def(nb::init<std::shared_ptr<Problem>, bool, std::vector<u32>, u64, nb::object>(), "problem"_a,
             "recorded"_a = false, "order"_a = std::vector<u32>(), "hash_mask"_a = exactcover::kWholeHash, "poll"_a = nb::none())
        .def("advance", &Frontier::advance, "work"_a, "Go on for about so many steps; False when all is done.")
        .def("total", &Frontier::total, "How many solutions there are, as bytes, the least significant first.")
        .def("progress", &Frontier::progress, "The item under way, states dealt with, states that wait.")
        .def("bits", &Frontier::bits, "For each item in turn, how many bits tell states apart.")
        .def("memory", &Frontier::memory, "Bytes held.");
    module.def("compact_order", &compact_order, "problem"_a, "poll"_a = nb::none(),
               "The options in an order that keeps diagrams small.");
    nb::class_<Memo>(module, "Memo", "A search that remembers what remaining problems came to.")
        .def(nb::init<std::shared_ptr<Problem>, u64, nb::object>(), "problem"_a, "hash_mask"_a = exactcover::kWholeHash,
             "poll"_a = nb::none())
        .def("advance", &Memo::advance, "nodes"_a, "Go on for about so many nodes; False when all is done.")
        .def("total", &Memo::total, "How many solutions there are, as bytes, the least significant first.")
        .def("counters", &Memo::counters, "Nodes; how many of them were known, how many fell apart; times it was thinned.")
        .def("explored", &Memo::explored, "The share of the tree that lies behind.")
        .def("thin", &Memo::thin, "Forget half of what is known, what was least work.")
        .def("give_up", &Memo::give_up, "Remember nothing from now on.")
        .def("entries", &Memo::entries, "How much is known.")
        .def("memory", &Memo::memory, "Bytes held.");
    nb::class_<Diagrams>(module, "Diagrams", "Zero-suppressed decision diagrams that share their nodes.")
        .def(nb::init<std::vector<u32>, std::size_t, u64>(), "levels"_a, "most_bytes"_a,
             "hash_mask"_a = exactcover::kWholeHash)
        .def("of_frontier", &Diagrams::of_frontier, "frontier"_a, "poll"_a = nb::none(),
             "The solutions that a recorded sweep has found.")
        .def("of_memo", &Diagrams::of_memo, "problem"_a, "poll"_a = nb::none(), "The solutions of a problem.")
        .def("of_sets", &Diagrams::of_sets, "sets"_a, "A family of different sets of options.")
        .def("with_level", &Diagrams::with, "level"_a, "family"_a, "Each set of a family with one level besides.")
        .def("add", &Diagrams::add, "f"_a, "g"_a, "The sets of both.")
        .def("nodes", &Diagrams::nodes, "family"_a, "Level, lo and hi of each node, children first, numbered from 2 on.")
        .def("memory", &Diagrams::memory, "Bytes held.");
}
