#include "search/instances.hpp"

#include <algorithm>

namespace exactcover {

InstanceSolver::InstanceSolver(std::shared_ptr<const Problem> problem, std::vector<std::string> layouts,
                               std::vector<u32> table, u32 most_dense_options, const std::string &instructions,
                               const Poll &poll)
    : problem_(std::move(problem)), layouts_(std::move(layouts)), table_(std::move(table)),
      place_(problem_->options, kNone), symbol_(problem_->options),
      search_(make_search(problem_, most_dense_options, instructions, poll)) {
    const auto count = [](const std::string &layout) {
        return static_cast<u32>(std::count(layout.begin(), layout.end(), '\0'));
    };
    if (!layouts_.empty()) places_ = count(layouts_.front());
    for (const std::string &layout : layouts_)
        if (count(layout) != places_) throw std::invalid_argument("the layouts must have the same number of places");
    if (table_.size() != std::size_t{256} * places_) throw std::invalid_argument("the table must cover all places");
    for (std::size_t k = 0; k < table_.size(); ++k) {
        const u32 option = table_[k];
        if (option == kBlank || option == kInvalid) continue;
        if (option >= problem_->options) throw std::invalid_argument("there is no such option");
        if (!problem_->choosable(option))
            throw std::invalid_argument("an option without a primary item cannot be given");
        if (place_[option] != kNone) continue;
        place_[option] = static_cast<u32>(k / 256);
        symbol_[option] = static_cast<char>(k % 256);
    }
}

const std::string *InstanceSolver::layout_of(std::string_view text) const {
    for (const std::string &layout : layouts_) {
        const auto fits = [](char given, char wanted) { return wanted == '\0' || given == wanted; };
        if (text.size() == layout.size() && std::equal(text.begin(), text.end(), layout.begin(), fits)) return &layout;
    }
    return nullptr;
}

u32 InstanceSolver::answer(std::string_view text, std::string &answer, const std::function<bool()> &poll) {
    constexpr u64 kWork = 1u << 14;  // between two polls
    constexpr std::size_t kMax = 2;  // solutions
    const std::string *layout = layout_of(text);
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
    const u32 *options = table_.data();
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (layout[k] != '\0') continue;
        const u32 option = options[static_cast<unsigned char>(text[k])];
        if (option == kInvalid) return false;
        if (option != kBlank) given_.push_back(option);
        options += 256;
    }
    return true;
}

// Write the first solution; returns false if it does not cover each place once.
bool InstanceSolver::write(const std::string &layout, std::string &answer) const {
    std::string symbols(places_, '\0');
    u32 shown = 0;
    for (std::size_t k = 0; k < found_.end.front(); ++k) {
        const u32 option = found_.option[k], place = place_[option];
        if (place == kNone) continue;
        if (symbols[place] != '\0') return false;
        symbols[place] = symbol_[option];
        ++shown;
    }
    if (shown != places_) return false;
    answer = layout;
    const char *symbol = symbols.data();
    for (char &character : answer)
        if (character == '\0') character = *symbol++;
    return true;
}

}  // namespace exactcover
