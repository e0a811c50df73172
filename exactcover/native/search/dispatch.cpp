// Picks the search that was compiled for the best instruction set of this processor.
#include <stdexcept>

#include "search/search.hpp"

namespace exactcover {

#define EXACTCOVER_DECLARE(isa)                                                                                \
    namespace isa {                                                                                            \
    Search *new_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options, const Poll &poll); \
    }

EXACTCOVER_DECLARE(baseline)
#if defined(EXACTCOVER_X86)
EXACTCOVER_DECLARE(avx2)
EXACTCOVER_DECLARE(avx512)

static bool has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
}

static bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

Search::Search(const std::shared_ptr<const Problem> &problem) : held_(problem) {}

Search::~Search() = default;

std::vector<const char *> instruction_sets() {
    std::vector<const char *> found;
#if defined(EXACTCOVER_X86)
    if (has_avx512()) found.push_back("avx512");
    if (has_avx2()) found.push_back("avx2");
#endif
    found.push_back("baseline");
    return found;
}

static Search *new_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options,
                          const std::string &instructions, const Poll &poll) {
    for (const char *known : instruction_sets())
        if (instructions == known) {
#if defined(EXACTCOVER_X86)
            if (instructions == "avx512") return avx512::new_search(problem, most_dense_options, poll);
            if (instructions == "avx2") return avx2::new_search(problem, most_dense_options, poll);
#endif
            return baseline::new_search(problem, most_dense_options, poll);
        }
    throw std::invalid_argument("this processor or build does not support the instructions " + instructions);
}

std::unique_ptr<Search> make_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options,
                                    const std::string &instructions, const Poll &poll) {
    return std::unique_ptr<Search>(new_search(problem, most_dense_options, instructions, poll));
}

}  // namespace exactcover
