// Random problems for all ways of counting, where there is no libFuzzer:  random SEED NUMBER
#include "fuzz.cpp"

#include <random>

int main(int count, char **arguments) {
    if (count != 3) return 2;
    std::mt19937 random(static_cast<u32>(std::atoi(arguments[1])));
    std::vector<std::uint8_t> bytes;
    const int number = std::atoi(arguments[2]);
    for (int k = 0; k < number; ++k) {
        bytes.resize(random() % 200);
        for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%d problems, %zu ways\n", number, all_ways().size());
}
