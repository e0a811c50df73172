// Counts the solutions of problems in files by the search alone, without Python, on any processor that C++ is made for.
//
//     counts                  print the instruction sets, the best one first
//     counts [SET] FILE...    count with this instruction set; the best one by default
//
// A file holds numbers: items, primary items, options, 1 if there are bounds; for each option how many items it has, then
// each of them and its color; then the bounds of each primary item. One line is printed for each file: the instruction
// set, solutions, nodes, and seconds of processor time.
#include <ctime>
#include <fstream>

#include "ways.hpp"

namespace {

using namespace ways;

Input read_input(const char *name) {
    std::ifstream file(name);
    const auto next = [&] {
        i32 number = 0;
        if (!(file >> number)) {
            std::fprintf(stderr, "%s is not a problem\n", name);
            std::exit(2);
        }
        return number;
    };
    Input input;
    input.items = static_cast<u32>(next());
    input.primary = static_cast<u32>(next());
    const i32 options = next();
    const bool bounded = next() != 0;
    for (i32 option = 0; option < options; ++option) {
        for (i32 left = next(); left > 0; --left) {
            const u32 item = static_cast<u32>(next());
            input.add(item, static_cast<u32>(next()));
        }
        input.end_option();
    }
    for (u32 item = 0; bounded && item < input.primary; ++item) {
        input.low.push_back(next());
        input.high.push_back(next());
    }
    return input;
}

}  // namespace

int main(int count, char **arguments) {
    std::string instructions = instruction_sets().front();
    for (const char *name : instruction_sets())
        if (count == 1) std::printf("%s\n", name);
    for (int k = 1; k < count; ++k) {
        bool known = false;
        for (const char *name : instruction_sets()) known = known || std::string(name) == arguments[k];
        if (known) {
            instructions = arguments[k];
            continue;
        }
        const auto problem = make_problem(read_input(arguments[k]));
        const std::clock_t begin = std::clock();
        const auto search = make_search(problem, kMaxDenseOptions, instructions, kNoPoll);
        search->begin({}, {}, Heuristic::mrv, 0, 0);
        while (search->advance(u64{1} << 20, ~std::size_t{0}, nullptr)) {
        }
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        std::printf("%s %llu %llu %.6f\n", instructions.c_str(),
                    static_cast<unsigned long long>(search->counters().solutions),
                    static_cast<unsigned long long>(search->counters().nodes), seconds);
        std::fflush(stdout);
    }
}
