// Where C++ meets Python: problems and searches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Counters;
using exactcover::Found;
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
    exactcover::bind_diagrams(module);
}
