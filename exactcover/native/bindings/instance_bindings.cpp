// Bindings of instances as text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "search/instances.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactcover::Array;
using exactcover::Guarded;
using exactcover::i32;
using exactcover::kNone;
using exactcover::Poll;
using exactcover::polling;
using exactcover::Problem;
using exactcover::SingleUserGuard;
using exactcover::TextForm;
using exactcover::u32;

namespace {

// Solves instances of one problem; used by one thread at a time.
class InstanceSolver {
public:
    // The table holds the option of each character at each place, -1 for a blank and -2 for what is not valid.
    InstanceSolver(std::shared_ptr<Problem> problem, std::vector<std::string> layouts, Array<i32> table,
                   u32 most_dense_options, const std::string &instructions, nb::object poll) {
        const Poll calls = polling(poll);
        std::vector<u32> options;
        for (std::size_t k = 0; k < table.size(); ++k) {
            const i32 option = table.data()[k];
            if (option < -2) throw nb::value_error("there is no such option");
            options.push_back(option == -1 ? TextForm::kBlank : option == -2 ? kNone : static_cast<u32>(option));
        }
        nb::gil_scoped_release release;
        TextForm form(std::move(layouts), std::move(options), problem->options);
        solver_ = std::make_unique<exactcover::InstanceSolver>(std::move(problem), std::move(form), most_dense_options,
                                                               instructions, calls);
    }

    // The answers to the first of these texts, as many as are found in about this time, but at least one: for each the
    // number of solutions, at most two, and the first solution as text; None for a text that is not in this form.
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
            if (solutions == exactcover::InstanceSolver::kGivenUp) return;
            answers.emplace_back(solutions, std::move(answer));
            if (Clock::now() >= end) return;
        }
    }

    std::unique_ptr<exactcover::InstanceSolver> solver_;
    exactcover::UseState use_;
};

}  // namespace

namespace exactcover {

void bind_instances(nb::module_ &module) {
    nb::class_<::InstanceSolver>(module, "InstanceSolver", "Solves instances of one problem that are written as text.")
        .def(nb::init<std::shared_ptr<Problem>, std::vector<std::string>, Array<i32>, u32, const std::string &,
                      nb::object>(),
             "problem"_a, "layouts"_a, "table"_a, "most_dense_options"_a, "instructions"_a, "poll"_a = nb::none(),
             Guarded())
        .def("answer", &::InstanceSolver::answer, "texts"_a, "seconds"_a, "poll"_a = nb::none(), Guarded(),
             "Answer the first of some texts, as many as take about this time, but at least one if there is one. Each "
             "answer is the number of solutions, at most two, with the first one as text, or None if the text is not in "
             "this form.");
}

}  // namespace exactcover
