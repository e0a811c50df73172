// Where C++ meets Python: problems and searches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Counters;
using exactcover::Found;
using exactcover::Guarded;
using exactcover::Heuristic;
using exactcover::Poll;
using exactcover::polling;
using exactcover::Problem;
using exactcover::Turn;
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

std::shared_ptr<Problem> make_problem(u32 items, u32 primary, Array<std::int64_t> starts, Array<std::int32_t> entries,
                                      Array<std::int32_t> colors, std::vector<std::int32_t> low,
                                      std::vector<std::int32_t> high, std::vector<std::int64_t> costs,
                                      std::vector<u32> preferred, nb::object poll) {
    if (starts.size() == 0 || starts.data()[0] != 0 || entries.size() != colors.size() || primary > items)
        throw nb::value_error("the arrays do not fit together");
    const std::size_t options = starts.size() - 1;
    if (static_cast<std::size_t>(starts.data()[options]) != entries.size())
        throw nb::value_error("starts must end where the entries do");
    const Poll calls = polling(poll);
    nb::gil_scoped_release release;
    auto problem = std::make_shared<Problem>(Problem::from_rows(items, primary, starts.data(), options, entries.data(),
                                                                colors.data(), entries.size(), calls));
    problem->set_bounds(std::move(low), std::move(high));
    problem->set_costs(std::move(costs));
    problem->set_preferred(std::move(preferred));
    return problem;
}

// A search that one thread at a time may drive; what it has found waits to be taken.
class Driver {
public:
    Driver(std::shared_ptr<Problem> problem, u32 most_dense_options, const std::string &instructions, nb::object poll)
        : problem_(std::move(problem)) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        search_ = exactcover::make_search(problem_, most_dense_options, instructions, calls);
        publish();
    }

    bool begin(const std::vector<u32> &given, const std::string &heuristic, const std::vector<u32> &without,
               std::size_t cheapest) {
        Turn turn(desk_);
        search_->profile().on = watched_;
        search_->profile().traced = traced_;
        const bool possible = begin_here(turn, given, heuristic, without, cheapest);
        begun_ = true;
        return possible;
    }

    // The children of the root with some options chosen and others left out, each as all its options and all that
    // are left out; if it is a solution, that.
    nb::list children(const std::vector<u32> &given, const std::string &heuristic, std::vector<u32> without) {
        Turn turn(desk_);
        nb::list result;
        search_->profile().on = false;
        if (!begin_here(turn, given, heuristic, without, 0)) return result;
        exactcover::Root root;
        turn.work([&] { search_->root(root); });
        publish();
        if (root.dead) return result;
        for (u32 option : root.next) {
            root.chosen.push_back(option);
            result.append(nb::make_tuple(root.chosen, without));
            root.chosen.pop_back();
            if (!problem_->low.empty()) without.push_back(option);
        }
        if (root.next.empty() || root.none) result.append(nb::make_tuple(root.chosen, without));
        return result;
    }

    // One random way down, as pairs and triples of numbers; see Search::probe.
    nb::list probe(u64 seed, nb::object poll) {
        Turn turn(desk_);
        forget();
        search_->profile().on = false;
        const Poll calls = polling(poll);
        exactcover::Probe probe;
        turn.work([&] { search_->probe(seed, calls, probe); });
        publish();
        nb::list result;
        for (const auto &step : probe.steps) result.append(nb::make_tuple(step.children, step.nodes, step.solutions));
        return result;
    }

    // The cheapest solutions seen, the cheapest first.
    nb::list cheapest() {
        const Turn turn(desk_);
        found_.clear();
        search_->cheapest(found_);
        return taken();
    }

    bool advance(u64 work, std::size_t most, bool listing) {
        Turn turn(desk_);
        if (!begun_) throw std::runtime_error("nothing has begun that could go on");
        if (listing && counted_) throw nb::value_error("a search that has begun to count cannot list");
        if (listing && most == 0) throw nb::value_error("most must be at least 1");
        counted_ = counted_ || !listing;
        if (!possible_) return false;
        const bool more = turn.work([&] {
            return exactcover::in_portions(work, 1u << 18, [&](u64 portion) {
                if (listing && found_.end.size() >= most) return true;
                return search_->advance(portion, most, listing ? &found_ : nullptr);
            });
        });
        publish();
        return more;
    }

    // The solutions found since the last call, each as a tuple of ascending options.
    nb::list take() {
        const Turn turn(desk_);
        return taken();
    }

    // Keep a profile from the next begin on.
    void watch(bool traced) {
        const Turn turn(desk_);
        watched_ = true;
        traced_ = traced;
    }

    // Nodes by level, and the most choices at one of them.
    nb::tuple profile() const {
        const Seen seen = seen_.get();
        return nb::make_tuple(seen.levels, seen.most_choices);
    }

    // Depth and choices of each node visited since the last call; -1 choices for a solution.
    nb::object trace() {
        const Turn turn(desk_);
        return nb::cast(std::exchange(search_->profile().trace, {}));
    }

    nb::tuple counters() const {
        const Seen seen = seen_.get();
        return nb::make_tuple(seen.nodes, seen.updates, seen.compactions, seen.solutions);
    }
    double explored() const { return seen_.get().explored; }
    std::size_t memory() const { return seen_.get().memory; }

private:
    // What other threads may look at.
    struct Seen {
        u64 nodes = 0, updates = 0, compactions = 0, solutions = 0;
        double explored = 0;
        std::size_t memory = 0;
        std::vector<u64> levels;
        u32 most_choices = 0;
    };

    void publish() {
        const Counters &c = search_->counters();
        seen_.set({c.nodes, c.updates, c.compactions, c.solutions, search_->explored(),
                   search_->bytes() + found_.option.capacity() * sizeof(u32), c.profile.levels, c.profile.most_choices});
    }

    // What was begun is over.
    void forget() {
        found_.clear();
        begun_ = counted_ = false;
    }

    bool begin_here(Turn &turn, const std::vector<u32> &given, const std::string &heuristic,
                    const std::vector<u32> &without, std::size_t cheapest) {
        const Heuristic which = heuristic_of(heuristic);
        if (cheapest != 0 && problem_->cost.size() != problem_->options) throw nb::value_error("there are no costs");
        const std::vector<u32> chosen = sorted(given);
        std::vector<u32> left_out = sorted(without);
        if (std::adjacent_find(chosen.begin(), chosen.end()) != chosen.end())
            throw nb::value_error("an option is given twice");
        for (u32 option : chosen)
            if (!problem_->choosable(option)) throw nb::value_error("an option without a primary item cannot be given");
        forget();
        std::vector<u32> both;
        std::set_intersection(chosen.begin(), chosen.end(), left_out.begin(), left_out.end(), std::back_inserter(both));
        std::erase_if(left_out, [&](u32 option) { return !problem_->choosable(option); });
        possible_ = turn.work([&] { return search_->begin(given, left_out, which, cheapest); }) && both.empty();
        publish();
        return possible_;
    }

    // Options in ascending order, where there are all of them.
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
            std::sort(options + first, options + end);
            nb::object solution = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(end - first)));
            if (!solution.is_valid()) throw nb::python_error();
            for (std::size_t k = first; k < end; ++k) {
                PyTuple_SetItem(solution.ptr(), static_cast<Py_ssize_t>(k - first), number(options[k]).release().ptr());
            }
            PyObject_GC_UnTrack(solution.ptr());  // it holds numbers only
            result.append(solution);
            first = end;
        }
        found_.clear();
        return result;
    }

    // An option as a Python number; the same object each time where there are not too many.
    nb::object number(u32 option) {
        constexpr u32 kMostNumbers = 1u << 16;
        if (problem_->options > kMostNumbers) return nb::int_(option);
        if (numbers_.empty()) numbers_.resize(problem_->options);
        if (!numbers_[option].is_valid()) numbers_[option] = nb::int_(option);
        return numbers_[option];
    }

    std::shared_ptr<Problem> problem_;
    std::vector<nb::object> numbers_;
    std::unique_ptr<exactcover::Search> search_;
    Found found_;
    bool begun_ = false, possible_ = false, counted_ = false;
    bool watched_ = false, traced_ = false;
    exactcover::Desk desk_;
    exactcover::Snapshot<Seen> seen_;
};

}  // namespace

NB_MODULE(_native, module) {
    nb::set_leak_warnings(false);  // a thread that is still at work when the process ends holds what it works on
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
    module.def(
        "leave",
        [](double seconds) {
            nb::gil_scoped_release release;
            return exactcover::Presence::leave(seconds);
        },
        "seconds"_a,
        "End what other threads do here as Python ends, and wait at most so long for them; whether none is left.");
    nb::register_exception_translator([](const std::exception_ptr &error, void *) {
        try {
            std::rethrow_exception(error);
        } catch (const exactcover::Leaving &) {
            PyErr_SetNone(PyExc_SystemExit);
        }
    });
    nb::exception<exactcover::TooLarge>(module, "TooLargeError", PyExc_ValueError);
    nb::class_<Problem>(module, "Problem", "A problem as lists of columns.");
    module.def("make_problem", &make_problem, "items"_a, "primary"_a, "starts"_a, "entries"_a, "colors"_a,
               "low"_a = std::vector<std::int32_t>(), "high"_a = std::vector<std::int32_t>(),
               "costs"_a = std::vector<std::int64_t>(), "preferred"_a = std::vector<u32>(), "poll"_a = nb::none(),
               Guarded(), "Make a problem of compressed rows; ValueError where the arrays do not fit together.");
    nb::class_<Driver>(module, "Search", "One search over a problem, driven in slices.")
        .def(nb::init<std::shared_ptr<Problem>, u32, const std::string &, nb::object>(), "problem"_a,
             "most_dense_options"_a = exactcover::kMostDenseOptions,
             "instructions"_a = std::string(exactcover::instruction_sets().front()), "poll"_a = nb::none(), Guarded())
        .def("begin", &Driver::begin, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(), "cheapest"_a = 0,
             Guarded(),
             "Begin anew with options chosen and left out, for all solutions or the cheapest; False if those clash.")
        .def("children", &Driver::children, "given"_a, "heuristic"_a = "mrv", "without"_a = std::vector<u32>(), Guarded(),
             "The parts into which the tree with options chosen and left out falls, in order, each as two such lists; "
             "what was begun before is over.")
        .def("probe", &Driver::probe, "seed"_a, "poll"_a = nb::none(), Guarded(),
             "Count down one random way. Each step is the number of children among which it was picked, and the nodes and "
             "solutions counted from there to the next choice; what was begun before is over.")
        .def("cheapest", &Driver::cheapest, Guarded(), "The cheapest solutions seen, the cheapest first.")
        .def("advance", &Driver::advance, "work"_a, "most"_a, "listing"_a, Guarded(),
             "Go on for about `work` nodes or until `most` solutions wait; False when all is visited.")
        .def("watch", &Driver::watch, "traced"_a, Guarded(),
             "Keep a profile from the next begin on, and a trace if wanted.")
        .def("profile", &Driver::profile, Guarded(), "Nodes by level, and the most choices at one of them.")
        .def("trace", &Driver::trace, Guarded(), "Depth and choices of each node since the last call; -1 for a solution.")
        .def("take", &Driver::take, Guarded(), "The solutions that wait, as ascending tuples.")
        .def("counters", &Driver::counters, Guarded(), "Nodes, updates, compactions, solutions, as of the last slice.")
        .def("explored", &Driver::explored, Guarded(), "The share of the tree that lies behind, as of the last slice.")
        .def("memory", &Driver::memory, Guarded(), "Bytes held, as of the last slice.");
    exactcover::bind_diagrams(module);
}
