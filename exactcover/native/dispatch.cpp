// Picks the search that was compiled for the best instruction set this processor has.
#include "search.hpp"

namespace exactcover {

#define EXACTCOVER_DECLARE(isa) \
    namespace isa {             \
    std::unique_ptr<Search> make_search(std::shared_ptr<const Problem> problem, u32 most_dense_options); \
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

const char *instruction_set() {
#if defined(EXACTCOVER_X86)
    if (has_avx512()) return "avx512";
    if (has_avx2()) return "avx2";
#endif
    return "baseline";
}

std::unique_ptr<Search> make_search(std::shared_ptr<const Problem> problem, u32 most_dense_options) {
#if defined(EXACTCOVER_X86)
    if (has_avx512()) return avx512::make_search(std::move(problem), most_dense_options);
    if (has_avx2()) return avx2::make_search(std::move(problem), most_dense_options);
#endif
    return baseline::make_search(std::move(problem), most_dense_options);
}

}  // namespace exactcover
