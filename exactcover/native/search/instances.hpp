// Instances of one problem as text: which character at which place stands for which option.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/search.hpp"

namespace exactcover {

class InstanceSolver {
public:
    static constexpr u32 kBlank = ~u32{0}, kInvalid = ~u32{1};  // -1 and -2 in tables of signed numbers
    static constexpr u32 kGivenUp = kNone - 1;

    // A layout is a text with a NUL at each place; the other characters must be as they are. Character c at place p
    // stands for the option table[256 * p + c], for none if that is kBlank, and must not be there if it is kInvalid; the
    // first of the characters that stand for an option shows it. Throws std::invalid_argument if the layouts do not have
    // the same number of places, the table has another size, or an option does not exist or cannot be given.
    InstanceSolver(std::shared_ptr<const Problem> problem, std::vector<std::string> layouts, std::vector<u32> table,
                   u32 most_dense_options, const std::string &instructions, const Poll &poll);

    // The number of solutions, but at most two, of the instance that a text describes; `answer` is the first solution
    // in the layout of the text. kNone if the text is not in this form, or a place is not covered; kGivenUp if `poll`
    // returned false.
    u32 answer(std::string_view text, std::string &answer, const std::function<bool()> &poll);

private:
    const std::string *layout_of(std::string_view text) const;  // null if it has none of them
    bool read(std::string_view text, const std::string &layout);
    bool write(const std::string &layout, std::string &answer) const;

    std::shared_ptr<const Problem> problem_;
    std::vector<std::string> layouts_;
    std::vector<u32> table_;
    u32 places_ = 0;             // in each layout
    std::vector<u32> place_;     // of each option; kNone if it is not shown
    std::vector<char> symbol_;   // that shows each option
    std::unique_ptr<Search> search_;
    std::vector<u32> given_;
    Found found_;
};

}  // namespace exactcover
