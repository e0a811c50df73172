// Instances of one problem as text: which character at which place stands for which option.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/search.hpp"

namespace exactcover {

// How instances are written.
struct TextForm {
    static constexpr u32 kBlank = kNone - 1;  // no option is given

    std::vector<std::string> layouts;  // texts with a NUL at each place; the other characters must be as they are
    u32 places = 0;                    // in each layout
    std::vector<u32> option;           // of character c at place p: option[256 * p + c]; kBlank, or kNone if not valid
    std::vector<u32> place;            // of each option; kNone if it is not shown
    std::vector<char> symbol;          // that shows each option

    // Throws std::invalid_argument if the layouts do not have the same number of places, or the table has another size
    // or holds an option that does not exist. The first of the characters that stand for an option shows it.
    TextForm(std::vector<std::string> layouts, std::vector<u32> table, u32 options);

    // The layout of a text; null if it has none of them.
    const std::string *layout_of(std::string_view text) const;
};

class InstanceSolver {
public:
    InstanceSolver(std::shared_ptr<const Problem> problem, TextForm form, u32 most_dense_options,
                   const std::string &instructions, const Poll &poll);

    static constexpr u32 kGivenUp = kNone - 1;

    // The number of solutions, but at most two, of the instance that a text describes; `answer` is the first solution
    // in the layout of the text. kNone if the text is not in this form, or a place is not covered; kGivenUp if `poll`
    // returned false.
    u32 answer(std::string_view text, std::string &answer, const std::function<bool()> &poll);

private:
    bool read(std::string_view text, const std::string &layout);
    bool write(const std::string &layout, std::string &answer) const;

    std::shared_ptr<const Problem> problem_;
    TextForm form_;
    std::unique_ptr<Search> search_;
    std::vector<u32> given_;
    Found found_;
};

}  // namespace exactcover
