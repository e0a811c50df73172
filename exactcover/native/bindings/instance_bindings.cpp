// Bindings of instances as text.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "search/instances.hpp"

namespace exactcover {

namespace {

class InstanceHandle {
public:
    // The table holds the option of each character at each place, -1 for a blank and -2 for what is not valid.
    InstanceHandle(std::shared_ptr<Problem> problem, std::vector<std::string> layouts, Array<i32> table,
                   u32 most_dense_options, const std::string &instructions, nb::object poll) {
        const Poll calls = polling(poll);
        nb::gil_scoped_release release;
        const std::span<const i32> options(table.data(), table.size());
        solver_ = std::make_unique<InstanceSolver>(std::move(problem), std::move(layouts),
                                                   std::vector<u32>(options.begin(), options.end()),
                                                   most_dense_options, instructions, calls);
    }

    nb::list answer(const nb::list &given, double seconds, nb::object poll) {
        SingleUserGuard guard(use_);
        const auto texts = nb::steal<nb::list>(PySequence_List(given.ptr()));  // others may change the list meanwhile
        std::vector<std::string_view> views;
        for (nb::handle text : texts) {
            Py_ssize_t size = 0;
            const char *characters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (characters == nullptr) throw nb::python_error();
            views.emplace_back(characters, static_cast<std::size_t>(size));
        }
        const Poll calls = polling(poll);
        std::vector<std::pair<u32, std::string>> answers;
        guard.work([&] { find_answers(views, seconds, calls, answers); });
        nb::list result;
        for (const auto &[solutions, text] : answers)
            result.append(solutions == kNone ? nb::none() : nb::object(nb::make_tuple(solutions, text)));
        return result;
    }

private:
    static constexpr std::size_t kPollEvery = 64;  // instances

    void find_answers(const std::vector<std::string_view> &texts, double seconds, const Poll &poll,
                      std::vector<std::pair<u32, std::string>> &answers) {
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + std::chrono::duration<double>(seconds);
        const auto goes_on = [&] {
            poll();
            return answers.empty() || Clock::now() < end;  // the others do not wait for a hard instance
        };
        for (const std::string_view text : texts) {
            if (answers.size() % kPollEvery == 0) poll();
            std::string answer;
            const u32 solutions = solver_->answer(text, answer, goes_on);
            if (solutions == InstanceSolver::kGivenUp) return;
            answers.emplace_back(solutions, std::move(answer));
            if (Clock::now() >= end) return;
        }
    }

    std::unique_ptr<InstanceSolver> solver_;
    UseState use_;
};

}  // namespace

void bind_instances(nb::module_ &module) {
    nb::class_<InstanceHandle>(module, "InstanceSolver", "Solves instances of one problem that are written as text.")
        .def(nb::init<std::shared_ptr<Problem>, std::vector<std::string>, Array<i32>, u32, const std::string &,
                      nb::object>(),
             "problem"_a, "layouts"_a, "table"_a, "most_dense_options"_a, "instructions"_a, "poll"_a = nb::none(),
             Guarded())
        .def("answer", &InstanceHandle::answer, "texts"_a, "seconds"_a, "poll"_a = nb::none(), Guarded(),
             "Answer the first of some texts, as many as take about this time, but at least one if there is one. Each "
             "answer is the number of solutions, at most two, with the first one as text, or None if the text is not in "
             "this form.");
}

}  // namespace exactcover
