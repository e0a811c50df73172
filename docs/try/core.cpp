// The native core for pages: a C interface, which scripts call. A problem comes as numbers, as in benchmarks/native/counts.cpp.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "counting/memo.hpp"
#include "counting/sweep.hpp"
#include "search/search.hpp"
#include "symmetry/automorphisms.hpp"
#include "symmetry/solution_orbits.hpp"

namespace {

using namespace exactcover;

constexpr std::size_t kMostBytes = std::size_t{512} << 20;  // of states; a page has at most 2 GiB
constexpr u64 kTurn = 4096;
constexpr std::size_t kBatch = 256;  // solutions of a turn of a search for classes

const Poll kNoPoll = [] {};

// What is asked: solutions one after another, or their number; and of all, or up to symmetry.
enum Question { kList = 0, kCount = 1, kListClasses = 2, kCountClasses = 3 };

// The answer to a question about one problem. A count of all solutions takes turns between a search, a sweep and a memo.
class Work {
public:
    bool load(const i32 *numbers, std::size_t size) {
        std::vector<i64> starts{0};
        std::vector<i32> entries, colors, low, high;
        std::size_t at = 0;
        const auto next = [&]() -> i32 { return at < size ? numbers[at++] : throw std::invalid_argument("too short"); };
        const u32 items = static_cast<u32>(next()), primary = static_cast<u32>(next());
        const i32 options = next();
        const bool bounded = next() != 0;
        for (i32 option = 0; option < options; ++option) {
            for (i32 left = next(); left > 0; --left) {
                entries.push_back(next());
                colors.push_back(next());
            }
            starts.push_back(static_cast<i64>(entries.size()));
        }
        for (u32 item = 0; bounded && item < primary; ++item) {
            low.push_back(next());
            high.push_back(next());
        }
        const RowArrays rows{items, primary, starts.data(), starts.size() - 1, entries.data(), colors.data(), entries.size()};
        auto problem = std::make_shared<Problem>(Problem::from_rows(rows, kNoPoll));
        problem->set_bounds(low, high);
        problem_ = std::move(problem);
        rows_ = Rows::from_arrays(rows, low, high, kNoPoll);
        generators_.clear();
        return true;
    }

    // State a symmetry: the image of each option.
    void add_symmetry(const i32 *images) { generators_.emplace_back(images, images + rows_.options()); }

    // Find all symmetries of the items and options.
    void find_symmetries() {
        const Graph graph(rows_, {});
        const Automorphisms found = AutomorphismSearch(graph, kNoPoll, ~u64{0}).find_generators();
        for (const Permutation &moved : found.generators) {
            std::vector<u32> &images = generators_.emplace_back(rows_.options());
            std::iota(images.begin(), images.end(), 0);
            for (const auto &[one, other] : moved)
                if (one >= rows_.items && one - rows_.items < rows_.options()) images[one - rows_.items] = other - rows_.items;
        }
    }

    void begin(Question question) {
        counting_ = question == kCount || question == kCountClasses;
        exhausted_ = false;
        found_.clear();
        total_.clear();
        sweep_.reset();
        memo_.reset();
        orbits_.reset();
        classes_ = members_ = 0;
        if (question >= kListClasses) orbits_.emplace(rows_.options(), generators_, kMostBytes, kNoPoll);
        search_ = make_search(problem_, kMaxDenseOptions, instruction_sets().front(), kNoPoll);
        search_->begin({}, {}, Heuristic::mrv, 0, 0);
        if (question != kCount) return;
        try {
            sweep_.emplace(problem_, narrow_order(*problem_, kNoPoll), false, kWholeHash);
        } catch (const TooLarge &) {
        }
        try {
            memo_.emplace(problem_, CountAlgebra{}, kNoPoll, kWholeHash);
        } catch (const TooLarge &) {
        }
    }

    // Go on for a turn. Returns false when all is done; a listing also pauses, with true, at each solution.
    bool advance() {
        found_.clear();
        if (exhausted_) return false;
        if (!counting_) {
            exhausted_ = !search_->advance(kTurn, 1, &found_);
            if (orbits_ && !found_.end.empty() && !is_new(found_.option)) found_.clear();
            return !exhausted_ || !found_.end.empty();
        }
        if (orbits_) return count_classes();
        if (!search_->advance(kTurn, ~std::size_t{0}, nullptr)) return finish({search_->counters().solutions});
        if (sweep_ && !sweep_->advance(kTurn)) return finish(sweep_->total());
        if (sweep_ && sweep_->bytes() > kMostBytes) sweep_.reset();
        if (memo_ && !memo_->advance(kTurn)) return finish(memo_->algebra().numbers.words(memo_->result()));
        if (memo_ && memo_->bytes() > kMostBytes) memo_->thin();
        return true;
    }

    const Found &found() const { return found_; }
    u64 listed() const { return search_->counters().solutions; }  // also those that symmetries make of earlier ones
    double explored() const { return search_->explored(); }

    std::string total() const {  // hexadecimal
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string text;
        for (const u64 word : total_)
            for (u32 shift = 0; shift < 64; shift += 4) text.insert(text.begin(), kDigits[word >> shift & 15]);
        return text.empty() ? "0" : text;
    }

private:
    // Whether no symmetry makes this solution of an earlier one.
    bool is_new(std::vector<u32> solution) {
        const u64 members = orbits_->add(std::move(solution));
        members_ += members;
        classes_ += members != 0;
        const std::size_t each = 2 * sizeof(u64) * (words_for(rows_.options()) + 1);
        if (members_ > kMostBytes / each) throw std::bad_alloc();
        return members != 0;
    }

    bool count_classes() {
        exhausted_ = !search_->advance(kTurn, kBatch, &found_);
        std::size_t begin = 0;
        for (const std::size_t end : found_.end) {
            is_new({found_.option.begin() + static_cast<std::ptrdiff_t>(begin),
                    found_.option.begin() + static_cast<std::ptrdiff_t>(end)});
            begin = end;
        }
        found_.clear();
        return exhausted_ ? finish({classes_}) : true;
    }

    bool finish(std::vector<u64> total) {
        total_ = std::move(total);
        return false;
    }

    std::shared_ptr<const Problem> problem_;
    Rows rows_;
    std::vector<std::vector<u32>> generators_;
    std::optional<SolutionOrbits> orbits_;
    u64 classes_ = 0, members_ = 0;
    std::unique_ptr<Search> search_;
    std::optional<Sweep> sweep_;
    std::optional<Memo<CountAlgebra>> memo_;
    std::vector<u64> total_;
    Found found_;
    bool counting_ = false, exhausted_ = false;
};

Work work;
std::string text;

// Run what may fail; returns what it returns, or -1 with the reason in `text`.
template <class F>
int attempt(F &&run) {
    try {
        return run();
    } catch (const std::bad_alloc &) {
        text = "there is not enough memory";
    } catch (const std::exception &error) {
        text = error.what();
    }
    return -1;
}

}  // namespace

extern "C" {

int core_load(const std::int32_t *numbers, int size) {
    return attempt([&] { return work.load(numbers, static_cast<std::size_t>(size)) ? 1 : 0; });
}

// The image of each option under a symmetry; or all symmetries, found by the core.
int core_add_symmetry(const std::int32_t *images) {
    return attempt([&] { return work.add_symmetry(images), 1; });
}
int core_find_symmetries() {
    return attempt([&] { return work.find_symmetries(), 1; });
}

// 0 lists solutions, 1 counts them; 2 and 3 do so up to symmetry.
int core_begin(int question) {
    return attempt([&] { return work.begin(static_cast<Question>(question)), 1; });
}

// 1 if there is more to do, 0 when all is done, -1 if it failed.
int core_advance() {
    return attempt([&] { return work.advance() ? 1 : 0; });
}

// The solution that the last turn has found: how many options it has, and which; -1 if there is none.
int core_solution_size() { return work.found().end.empty() ? -1 : static_cast<int>(work.found().option.size()); }
const std::uint32_t *core_solution() { return work.found().option.data(); }

double core_explored() { return work.explored(); }
double core_listed() { return static_cast<double>(work.listed()); }

// The result of a count, as hexadecimal digits; or why the last call has failed.
const char *core_total() {
    text = work.total();
    return text.c_str();
}
const char *core_message() { return text.c_str(); }

}  // extern "C"

int main() { return 0; }
