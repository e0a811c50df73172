// Lets each of the first allocations of every way to count fail, one after another: each must end in std::bad_alloc or
// in the true number, and leak nothing. Prints how many allocations failed.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "ways.hpp"

namespace {

using ways::u64;

u64 allocations = 0, failing = 0;  // 0: none fails

bool fails() { return ++allocations == failing; }

void *allocate(std::size_t size, std::size_t alignment) {
    if (fails()) throw std::bad_alloc();
    void *place = alignment == 0 ? std::malloc(size == 0 ? 1 : size)
                                 : std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
    if (place == nullptr) throw std::bad_alloc();
    return place;
}

ways::Input matchings(ways::u32 vertices, bool repeated) {
    ways::Input input;
    input.items = input.primary = vertices;
    for (ways::u32 one = 0; one < vertices; ++one)
        for (ways::u32 other = one + 1; other < vertices; ++other) {
            input.add(one);
            input.add(other);
            input.end_option();
            input.costs.push_back(input.options());
        }
    if (repeated) {
        input.low.assign(vertices, 0);
        input.high.assign(vertices, 2);
        for (ways::u32 item = 0; item < vertices; ++item) input.low[item] = item % 2 == 0;
    }
    return input;
}

}  // namespace

void *operator new(std::size_t size) { return allocate(size, 0); }
void *operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    return fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
void operator delete(void *place, const std::nothrow_t &) noexcept { std::free(place); }
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }
void operator delete(void *place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void *place, std::size_t, std::align_val_t) noexcept { std::free(place); }

// In the place of that of the library, by --wrap.
extern "C" void *__real_aligned_alloc(std::size_t alignment, std::size_t size);
extern "C" void *__wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    return fails() ? nullptr : __real_aligned_alloc(alignment, size);
}

int main(int count, char **arguments) {
    const ways::u64 most = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
    ways::u64 failed = 0, ended = 0, right = 0;
    for (const bool repeated : {false, true})
        for (const ways::Way &way : ways::all_ways()) {
            const ways::Input input = matchings(repeated ? 5 : 8, repeated);
            const ways::u64 truth = way.count(input);
            for (ways::u64 number = 1; number <= most; ++number) {
                allocations = 0;
                failing = number;
                bool is_bad = false;
                try {
                    const ways::u64 found = way.count(input);
                    failing = 0;
                    if (found != truth) ways::fail(way.name, found, truth);
                } catch (const std::bad_alloc &) {
                    is_bad = true;
                }
                failing = 0;
                if (allocations < number) break;
                ++failed;
                ++(is_bad ? ended : right);
            }
            if (way.count(input) != truth) ways::fail(way.name + ", afterwards", way.count(input), truth);
        }
    std::printf("%llu allocations failed: %llu times the work ended with std::bad_alloc, %llu times it went on to the "
                "true number\n",
                static_cast<unsigned long long>(failed), static_cast<unsigned long long>(ended),
                static_cast<unsigned long long>(right));
}
