#include "symmetry/solution_orbits.hpp"

#include <new>
#include <utility>

#include "base/bits.hpp"
#include "base/problem.hpp"

namespace exactcover {

SolutionOrbits::SolutionOrbits(u32 options, std::vector<std::vector<u32>> generators, std::size_t most_bytes,
                               const Poll &poll)
    : options_(options), generators_(std::move(generators)), known_(words_for(options)), most_bytes_(most_bytes),
      meter_(poll) {
    if (options > kMaxItems) throw std::invalid_argument("there are too many options");
    for (const auto &generator : generators_) {
        if (generator.size() != options) throw std::invalid_argument("a generator does not permute the options");
        for (const u32 image : generator)
            if (image >= options) throw std::invalid_argument("a generator does not permute the options");
    }
}

u64 SolutionOrbits::add(std::vector<u32> solution) {
    for (const u32 option : solution)
        if (option >= options_) throw std::invalid_argument("there is no such option");
    if (!known_.put(key(solution).data()).second) return 0;
    u64 size = 1;
    std::vector<std::vector<u32>> waiting{std::move(solution)};
    std::vector<u32> image;
    while (!waiting.empty()) {
        const std::vector<u32> member = std::move(waiting.back());
        waiting.pop_back();
        for (const auto &generator : generators_) {
            if (meter_.spend(member.size() + words_for(options_)) &&
                known_.bytes() + waiting.size() * member.size() * sizeof(u32) > most_bytes_)
                throw std::bad_alloc();
            image.clear();
            for (const u32 option : member) image.push_back(generator[option]);
            if (!known_.put(key(image).data()).second) continue;
            waiting.push_back(image);
            ++size;
        }
    }
    return size;
}

// The options of a solution as bits.
std::vector<u64> SolutionOrbits::key(const std::vector<u32> &solution) const {
    std::vector<u64> bits(words_for(options_));
    for (const u32 option : solution) set_bit(bits.data(), option);
    return bits;
}

}  // namespace exactcover
