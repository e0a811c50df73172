// Picks the search that was compiled for the best instruction set of this processor.
#include <stdexcept>

#include "base/rule_check.hpp"
#include "search/search.hpp"

namespace exactcover {

using MakeSearch = Search *(const std::shared_ptr<const Problem> &problem, u32 most_dense_options, const Poll &poll);

#define EXACTCOVER_DECLARE(isa) \
    namespace isa {             \
    MakeSearch new_search;      \
    }

struct InstructionSet {
    const char *name;
    MakeSearch *make;
};

EXACTCOVER_DECLARE(baseline)
#if defined(EXACTCOVER_X86)
EXACTCOVER_DECLARE(sse4)
EXACTCOVER_DECLARE(avx2)
EXACTCOVER_DECLARE(avx2_slow_pext)
EXACTCOVER_DECLARE(avx512)

static bool has_sse4() { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"); }

static bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

// Whether `pext` is microcode, which takes up to 300 cycles: on Zen, Zen 2 and what came before them.
static bool has_slow_pext() { return __builtin_cpu_is("amdfam15h") || __builtin_cpu_is("amdfam17h"); }

static bool has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
}
#endif

// Those that both this processor and this build support, the best first.
static std::vector<InstructionSet> supported() {
    std::vector<InstructionSet> found;
#if defined(EXACTCOVER_X86)
    if (has_avx512()) found.push_back({"avx512", avx512::new_search});
    if (has_avx2()) {
        const InstructionSet quick{"avx2", avx2::new_search}, slow{"avx2_slow_pext", avx2_slow_pext::new_search};
        found.push_back(has_slow_pext() ? slow : quick);
        found.push_back(has_slow_pext() ? quick : slow);
    }
    if (has_sse4()) found.push_back({"sse4", sse4::new_search});
#endif
    found.push_back({"baseline", baseline::new_search});
    return found;
}

Search::Search(const std::shared_ptr<const Problem> &problem) : held_(problem) {
    if (problem->rules.empty()) return;
    check_ = std::make_unique<RuleCheck>(problem->rules, problem->options);
    ruled_ = check_->options();
}

bool Search::rules_hold(const u32 *chosen, u32 depth, const u8 *possible) {
    return check_->hold(chosen, depth, possible);
}

Search::~Search() = default;

std::vector<const char *> instruction_sets() {
    std::vector<const char *> names;
    for (const InstructionSet &set : supported()) names.push_back(set.name);
    return names;
}

std::unique_ptr<Search> make_search(const std::shared_ptr<const Problem> &problem, u32 most_dense_options,
                                    const std::string &instructions, const Poll &poll) {
    for (const InstructionSet &set : supported())
        if (instructions == set.name) return std::unique_ptr<Search>(set.make(problem, most_dense_options, poll));
    throw std::invalid_argument("this processor or build does not support the instructions " + instructions);
}

}  // namespace exactcover
