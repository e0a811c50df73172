#include "search/instances.hpp"

#include <algorithm>

namespace exactcover {

TextForm::TextForm(std::vector<std::string> texts, std::vector<u32> table, u32 options)
    : layouts(std::move(texts)), option(std::move(table)), place(options, kNone), symbol(options) {
    const auto count = [](const std::string &layout) {
        return static_cast<u32>(std::count(layout.begin(), layout.end(), '\0'));
    };
    if (!layouts.empty()) places = count(layouts.front());
    for (const std::string &layout : layouts)
        if (count(layout) != places) throw std::invalid_argument("the layouts must have the same number of places");
    if (option.size() != std::size_t{256} * places) throw std::invalid_argument("the table must cover all places");
    for (std::size_t k = 0; k < option.size(); ++k) {
        const u32 one = option[k];
        if (one == kBlank || one == kNone) continue;
        if (one >= options) throw std::invalid_argument("there is no such option");
        if (place[one] != kNone) continue;
        place[one] = static_cast<u32>(k / 256);
        symbol[one] = static_cast<char>(k % 256);
    }
}

const std::string *TextForm::layout_of(std::string_view text) const {
    for (const std::string &layout : layouts) {
        const auto fits = [](char given, char wanted) { return wanted == '\0' || given == wanted; };
        if (text.size() == layout.size() && std::equal(text.begin(), text.end(), layout.begin(), fits)) return &layout;
    }
    return nullptr;
}

InstanceSolver::InstanceSolver(std::shared_ptr<const Problem> problem, TextForm form, u32 most_dense_options,
                               const std::string &instructions, const Poll &poll)
    : problem_(std::move(problem)), form_(std::move(form)),
      search_(make_search(problem_, most_dense_options, instructions, poll)) {
    for (u32 option = 0; option < problem_->options; ++option)
        if (form_.place[option] != kNone && !problem_->choosable(option))
            throw std::invalid_argument("an option without a primary item cannot be given");
}

u32 InstanceSolver::answer(std::string_view text, std::string &answer, const std::function<bool()> &poll) {
    constexpr u64 kWork = 1u << 14;  // between two polls
    constexpr std::size_t kMax = 2;  // solutions
    const std::string *layout = form_.layout_of(text);
    if (layout == nullptr || !read(text, *layout)) return kNone;
    found_.clear();
    bool more = search_->begin(given_, {}, Heuristic::weighted, 0, 0);
    while (more && found_.end.size() < kMax) {
        more = search_->advance(kWork, kMax, &found_);
        if (more && !poll()) return kGivenUp;
    }
    if (found_.end.empty()) return 0;
    return write(*layout, answer) ? static_cast<u32>(found_.end.size()) : kNone;
}

// Find what is given; returns false if a character is not valid.
bool InstanceSolver::read(std::string_view text, const std::string &layout) {
    given_.clear();
    const u32 *options = form_.option.data();
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (layout[k] != '\0') continue;
        const u32 option = options[static_cast<unsigned char>(text[k])];
        if (option == kNone) return false;
        if (option != TextForm::kBlank) given_.push_back(option);
        options += 256;
    }
    return true;
}

// Write the first solution; returns false if it does not cover each place once.
bool InstanceSolver::write(const std::string &layout, std::string &answer) const {
    std::string symbols(form_.places, '\0');
    u32 shown = 0;
    for (std::size_t k = 0; k < found_.end.front(); ++k) {
        const u32 option = found_.option[k], place = form_.place[option];
        if (place == kNone) continue;
        if (symbols[place] != '\0') return false;
        symbols[place] = form_.symbol[option];
        ++shown;
    }
    if (shown != form_.places) return false;
    answer = layout;
    const char *symbol = symbols.data();
    for (char &character : answer)
        if (character == '\0') character = *symbol++;
    return true;
}

}  // namespace exactcover
