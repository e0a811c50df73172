// Bindings of problems and searches.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "bindings/bindings.hpp"
#include "search/search.hpp"
#include "symmetry/rows.hpp"

namespace exactcover {

namespace {

Heuristic heuristic_of(const std::string &name) {
    if (name == "mrv") return Heuristic::mrv;
    if (name == "leftmost") return Heuristic::leftmost;
    if (name == "weighted") return Heuristic::weighted;
    throw nb::value_error("there is no such heuristic");
}

std::shared_ptr<Problem> make_problem(u32 items, u32 primary, Array<i64> starts, Array<i32> entries, Array<i32> colors,
                                      std::vector<i32> low, std::vector<i32> high, std::vector<i64> costs,
                                      std::vector<u32> preferred, nb::object poll, std::vector<GraphRule> rules) {
    const auto rows = as_rows(items, primary, starts, entries, colors);
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    auto problem = std::make_shared<Problem>(Problem::from_rows(rows, calls));
    problem->set_bounds(std::move(low), std::move(high));
    problem->set_costs(std::move(costs));
    problem->set_preferred(std::move(preferred));
    problem->set_rules(std::move(rules));
    return problem;
}

// The same from rows, whose items are covered exactly once unless their bounds say otherwise.
std::shared_ptr<Problem> problem_of_rows(const Rows &rows, nb::object poll) {
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    const std::vector<i64> starts(rows.start.begin(), rows.start.end());
    auto problem = std::make_shared<Problem>(Problem::from_rows(rows.arrays(starts), calls));
    const auto is_one = [](u32 bound) { return bound == 1; };
    if (!std::all_of(rows.low.begin(), rows.low.end(), is_one) || !std::all_of(rows.high.begin(), rows.high.end(), is_one))
        problem->set_bounds({rows.low.begin(), rows.low.end()}, {rows.high.begin(), rows.high.end()});
    return problem;
}

// The counters of a search, without its profile.
struct SearchCounters {
    u64 nodes = 0, updates = 0, compactions = 0, solutions = 0;
};

// A search as Python sees it: used by one thread at a time; solutions found wait until they are taken.
class SearchHandle {
public:
    SearchHandle(std::shared_ptr<Problem> problem, u32 most_dense_options, const std::string &instructions,
                 nb::object poll)
        : problem_(std::move(problem)) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        search_ = make_search(problem_, most_dense_options, instructions, calls);
        publish();
    }

    bool begin(const std::vector<u32> &given, const std::string &heuristic, const std::vector<u32> &without,
               std::size_t cheapest, i64 ceiling) {
        SingleUserGuard guard(use_);
        search_->profile().on = watched_;
        search_->profile().logged = logged_;
        search_->profile().skips_leaves = skips_leaves_;
        const bool possible = begin_here(guard, given, heuristic, without, cheapest, ceiling);
        divisible_ = cheapest == 0;
        begun_ = true;
        return possible;
    }

    // A root that is a solution is its own child, whose search logs it.
    nb::list children(const std::vector<u32> &given, const std::string &heuristic, std::vector<u32> without) {
        SingleUserGuard guard(use_);
        nb::list result;
        search_->profile().on = logged_;
        search_->profile().logged = logged_;
        if (!begin_here(guard, given, heuristic, without, 0, 0)) return result;
        Root root;
        guard.work([&] { search_->root(root); });
        publish();
        if (root.dead) return result;
        const bool solved = root.next.empty() && !root.none;
        if (solved && logged_) search_->profile().log.pop_back();
        for (u32 option : root.next) {
            root.chosen.push_back(option);
            result.append(nb::make_tuple(root.chosen, without));
            root.chosen.pop_back();
            if (!problem_->low.empty()) without.push_back(option);
        }
        if (solved || root.none) result.append(nb::make_tuple(root.chosen, without));
        return result;
    }

    nb::object path() {
        const SingleUserGuard guard(use_);
        if (!begun_ || !divisible_) throw std::runtime_error("no search for all solutions has begun");
        Path path;
        if (possible_ && !search_->path(path)) return nb::none();
        nb::list nodes;
        for (const auto &node : path.nodes) nodes.append(nb::make_tuple(node.depth, node.next, node.none));
        path.chosen.resize(path.nodes.empty() ? 0 : path.nodes.back().depth);
        return nb::make_tuple(path.chosen, nodes);
    }

    nb::list probe(u64 seed, nb::object poll, const std::vector<u32> &given, const std::vector<u32> &without,
                   bool listing) {
        SingleUserGuard guard(use_);
        const std::vector<u32> left_out = check_and_exclude(given, without);
        forget();
        search_->profile().on = false;
        const Poll calls = polling(poll);
        Probe probe;
        guard.work([&] { search_->probe(seed, given, left_out, listing, calls, probe); });
        publish();
        nb::list result;
        for (const auto &step : probe.steps) result.append(nb::make_tuple(step.children, step.nodes, step.solutions));
        return result;
    }

    nb::list cheapest() {
        const SingleUserGuard guard(use_);
        found_.clear();
        search_->cheapest(found_);
        return taken();
    }

    bool advance(u64 work, std::size_t most, bool listing, nb::object poll) {
        SingleUserGuard guard(use_);
        if (!begun_) throw std::runtime_error("no search has begun; call begin first");
        if (listing && counted_) throw nb::value_error("a search that has begun to count cannot list solutions");
        if (listing && most == 0) throw nb::value_error("most must be at least 1");
        counted_ = counted_ || !listing;
        if (!possible_) return false;
        const Poll calls = polling(poll);
        const auto go_on = [&] {
            if (listing && found_.end.size() >= most) return true;
            for (const u64 size = find_portion();;) {
                const u64 portion = std::min(work, size);
                const bool more = search_->advance(portion, most, listing ? &found_ : nullptr);
                work -= portion;
                if (!more || work == 0 || (listing && !found_.end.empty())) return more;
                calls();  // never between a solution and the caller
            }
        };
        try {
            const bool more = guard.work(go_on);
            publish();
            return more;
        } catch (const std::bad_alloc &) {
            throw;
        } catch (...) {
            publish();
            throw;
        }
    }

    nb::list take() {
        const SingleUserGuard guard(use_);
        return taken();
    }

    nb::tuple take_arrays() {
        SingleUserGuard guard(use_);
        std::vector<i64> starts{0};
        guard.work([&] {
            for (const std::size_t end : found_.end) {
                sort(found_.option.data() + starts.back(), found_.option.data() + end);
                starts.push_back(static_cast<i64>(end));
            }
        });
        const nb::tuple arrays = nb::make_tuple(to_bytes(starts), to_bytes(found_.option));
        found_.clear();
        return arrays;
    }

    void watch(bool logged, bool skips_leaves) {
        const SingleUserGuard guard(use_);
        watched_ = true;
        logged_ = logged;
        skips_leaves_ = logged && skips_leaves;
    }

    nb::tuple profile() const {
        const Seen seen = seen_.get();
        return nb::make_tuple(seen.levels, seen.most_choices);
    }

    nb::bytes log() {
        const SingleUserGuard guard(use_);
        return to_bytes(std::exchange(search_->profile().log, {}));
    }

    SearchCounters counters() const { return seen_.get().counters; }
    double explored() const { return seen_.get().explored; }
    std::size_t memory() const { return seen_.get().memory; }

private:
    // What other threads may read.
    struct Seen {
        SearchCounters counters;
        double explored = 0;
        std::size_t memory = 0;
        std::vector<u64> levels;
        u32 most_choices = 0;
    };

    void publish() {
        const Counters &c = search_->counters();
        seen_.set({{c.nodes, c.updates, c.compactions, c.solutions},
                   search_->explored(),
                   search_->bytes() + found_.option.capacity() * sizeof(u32),
                   c.profile.levels,
                   c.profile.most_choices});
    }

    // How many nodes to visit between two polls: fewer in large problems, whose nodes take longer.
    u64 find_portion() const {
        constexpr u64 kMostNodes = u64{1} << 18, kMostWork = u64{1} << 28, kMostForNode = u64{1} << 22;
        const u64 words = u64{problem_->columns} * words_for(problem_->options);
        return std::min(kMostNodes, kMostWork / std::clamp<u64>(words, 1, kMostForNode));
    }

    // Drop the search that was begun.
    void forget() {
        found_.clear();
        begun_ = counted_ = false;
    }

    bool begin_here(SingleUserGuard &guard, const std::vector<u32> &given, const std::string &heuristic,
                    const std::vector<u32> &without, std::size_t cheapest, i64 ceiling) {
        const Heuristic which = heuristic_of(heuristic);
        if (cheapest != 0 && problem_->cost.size() != problem_->options) throw nb::value_error("there are no costs");
        std::vector<u32> left_out = check_and_exclude(given, without);
        forget();
        const auto is_left_out = [&](u32 option) { return std::binary_search(left_out.begin(), left_out.end(), option); };
        const bool contradicts = std::any_of(given.begin(), given.end(), is_left_out);
        const bool begins = guard.work([&] { return search_->begin(given, left_out, which, cheapest, ceiling); });
        possible_ = begins && !contradicts;
        publish();
        return possible_;
    }

    // The options left out that could be chosen, in ascending order, after a check of both lists.
    std::vector<u32> check_and_exclude(const std::vector<u32> &given, const std::vector<u32> &without) const {
        const std::vector<u32> chosen = sorted(given);
        std::vector<u32> left_out = sorted(without);
        if (std::adjacent_find(chosen.begin(), chosen.end()) != chosen.end())
            throw nb::value_error("an option is given twice");
        for (u32 option : chosen)
            if (!problem_->choosable(option)) throw nb::value_error("an option without a primary item cannot be given");
        std::erase_if(left_out, [&](u32 option) { return !problem_->choosable(option); });
        return left_out;
    }

    // These options in ascending order, after a check that all of them exist.
    std::vector<u32> sorted(std::vector<u32> options) const {
        std::sort(options.begin(), options.end());
        if (!options.empty() && options.back() >= problem_->options) throw nb::value_error("there is no such option");
        return options;
    }

    nb::list taken() {
        nb::list result;
        std::size_t first = 0;
        for (std::size_t end : found_.end) {
            u32 *options = found_.option.data();
            sort(options + first, options + end);
            nb::object solution = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(end - first)));
            if (!solution.is_valid()) throw nb::python_error();
            for (std::size_t k = first; k < end; ++k) {
                PyTuple_SetItem(solution.ptr(), static_cast<Py_ssize_t>(k - first), number(options[k]).release().ptr());
            }
            PyObject_GC_UnTrack(solution.ptr());  // it holds only numbers
            result.append(solution);
            first = end;
        }
        found_.clear();
        return result;
    }

    // Sort the options of a solution; through a row of bits if that is short.
    void sort(u32 *first, u32 *last) {
        const std::size_t words = words_for(problem_->options);
        if (words > static_cast<std::size_t>(last - first)) return std::sort(first, last);
        bits_.assign(words, 0);
        for (const u32 *option = first; option != last; ++option) set_bit(bits_.data(), *option);
        for (std::size_t word = 0; word < words; ++word)
            for (u32 place : ones_of(bits_[word])) *first++ = static_cast<u32>(64 * word) + place;
    }

    // An option as a Python number; the same object each time, unless there are too many options.
    nb::object number(u32 option) {
        constexpr u32 kMaxNumbers = 1u << 16;
        if (problem_->options > kMaxNumbers) return nb::int_(option);
        if (numbers_.empty()) numbers_.resize(problem_->options);
        if (!numbers_[option].is_valid()) numbers_[option] = nb::int_(option);
        return numbers_[option];
    }

    std::shared_ptr<Problem> problem_;
    std::vector<nb::object> numbers_;
    std::unique_ptr<Search> search_;
    Found found_;
    std::vector<u64> bits_;
    bool begun_ = false, possible_ = false, counted_ = false, divisible_ = false;
    bool watched_ = false, logged_ = false, skips_leaves_ = false;
    UseState use_;
    Snapshot<Seen> seen_;
};

}  // namespace

void bind_searches(nb::module_ &module) {
    nb::class_<Problem>(module, "Problem", "A problem as lists of columns.");
    using Pairs = std::vector<std::pair<u32, u32>>;
    nb::class_<GraphRule>(module, "GraphRule", "A rule about a graph; 2^32 - 1 stands for none, 2^32 - 2 for any.")
        .def("__init__",
             [](GraphRule *rule, const std::string &kind, u32 vertices, Pairs elements,
                std::vector<std::vector<u32>> switches, std::vector<u32> lit, bool or_none, std::vector<u32> partners,
                u32 free_paths, Pairs neighbors, Pairs sizes, std::vector<u32> weights) {
                 if (kind != "loop" && kind != "paths" && kind != "regions")
                     throw nb::value_error("there is no such kind of rule");
                 const auto number = kind == "loop" ? GraphRule::kLoop : kind == "paths" ? GraphRule::kPaths
                                                                                         : GraphRule::kRegions;
                 new (rule) GraphRule{number, vertices, std::move(elements), std::move(switches), std::move(lit), or_none,
                                      std::move(partners), free_paths, std::move(neighbors), std::move(sizes),
                                      std::move(weights)};
             }, "kind"_a, "vertices"_a, "elements"_a, "switches"_a, "lit"_a, "or_none"_a = false,
             "partners"_a = std::vector<u32>(), "free_paths"_a = 0, "neighbors"_a = Pairs(), "sizes"_a = Pairs(),
             "weights"_a = std::vector<u32>(), Guarded());
    module.def("make_problem", &make_problem, "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a,
               "low"_a = std::vector<i32>(), "high"_a = std::vector<i32>(), "costs"_a = std::vector<i64>(),
               "preferred"_a = std::vector<u32>(), "poll"_a = nb::none(), "rules"_a = std::vector<GraphRule>(), Guarded(),
               "Make a problem from compressed rows; raises ValueError if the arrays do not fit together.");
    module.def("problem_of_rows", &problem_of_rows, "rows"_a, "poll"_a = nb::none(), Guarded(),
               "Return rows as a problem.");
    nb::class_<SearchCounters>(module, "SearchCounters", "What a search has counted so far.")
        .def_ro("nodes", &SearchCounters::nodes, "Subproblems visited.")
        .def_ro("updates", &SearchCounters::updates, "Options chosen.")
        .def_ro("compactions", &SearchCounters::compactions, "Subproblems rewritten in a smaller form.")
        .def_ro("solutions", &SearchCounters::solutions, "Solutions listed or counted.");
    nb::class_<SearchHandle>(module, "Search", "A search over a problem, run in slices.")
        .def(nb::init<std::shared_ptr<Problem>, u32, const std::string &, nb::object>(), "problem"_a,
             "most_dense_options"_a = kMaxDenseOptions, "instructions"_a = std::string(instruction_sets().front()),
             "poll"_a = nb::none(), Guarded())
        .def("begin", &SearchHandle::begin, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(),
             "cheapest"_a = 0, "ceiling"_a = std::numeric_limits<i64>::max(), Guarded(),
             "Begin again with options chosen and left out, for all solutions, or for the cheapest ones that cost less "
             "than `ceiling`; return False if the chosen options exclude each other.")
        .def("children", &SearchHandle::children, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(),
             Guarded(),
             "Split the tree below options chosen and left out; return its parts in order, each as two such lists. The "
             "search begun before is dropped.")
        .def("path", &SearchHandle::path, Guarded(),
             "Return the path to where the search stands: the chosen options, and for each node how many were chosen "
             "there, the options left to try, and whether a last child leaves all of them out. Return None at a moment "
             "when this cannot be told; after another unit of work it may.")
        .def("probe", &SearchHandle::probe, "seed"_a, "poll"_a = nb::none(), "given"_a = std::vector<u32>(),
             "without"_a = std::vector<u32>(), "listing"_a = false, Guarded(),
             "Count along one random path below options chosen and left out, as a count does or as a listing. Each step is "
             "the number of children it was picked from, and the nodes and solutions counted from there to the next "
             "choice. The search begun before is dropped.")
        .def("cheapest", &SearchHandle::cheapest, Guarded(),
             "Return the cheapest solutions seen so far, in ascending order of cost.")
        .def("advance", &SearchHandle::advance, "work"_a, "most"_a, "listing"_a, "poll"_a = nb::none(), Guarded(),
             "Go on for about `work` nodes or until `most` solutions wait; return False when the tree is exhausted. It "
             "polls if nodes take long, and goes on afterwards.")
        .def("watch", &SearchHandle::watch, "logged"_a, "skips_leaves"_a = false, Guarded(),
             "Record a profile from the next begin on, and a log if `logged`; with `skips_leaves`, a log without the "
             "nodes of small subtrees.")
        .def("profile", &SearchHandle::profile, Guarded(),
             "Return the nodes by level, and the largest number of choices at a node.")
        .def("log", &SearchHandle::log, Guarded(), "Return the nodes visited since the last call, as bytes.")
        .def("take", &SearchHandle::take, Guarded(), "Return the solutions that wait, as ascending tuples.")
        .def("take_arrays", &SearchHandle::take_arrays, Guarded(),
             "Return the solutions that wait as bytes: where they begin (64 bits), and their options (32 bits).")
        .def("counters", &SearchHandle::counters, Guarded(), "Return what was counted up to the last slice.")
        .def("explored", &SearchHandle::explored, Guarded(),
             "Return the share of the tree that has been searched, as of the last slice.")
        .def("memory", &SearchHandle::memory, Guarded(), "Return the number of bytes held, as of the last slice.");
}

}  // namespace exactcover
