// A target for libFuzzer: any bytes are a problem, mostly a valid one, and all ways must find the same number.
//
// Every way counts as one execution of the native code; the number of problems is printed by the fuzzer.
#include <cstddef>
#include <cstdint>

#include "ways.hpp"

namespace {

using namespace ways;

constexpr u32 kMaxOptions = 14, kMaxItems = 10;

class Bytes {
public:
    Bytes(const u8 *data, std::size_t size) : data_(data), left_(size) {}
    bool empty() const { return left_ == 0; }
    u32 next() { return left_ == 0 ? 0 : (--left_, *data_++); }
    u32 below(u32 bound) { return bound == 0 ? 0 : next() % bound; }

private:
    const u8 *data_;
    std::size_t left_;
};

Input read_input(Bytes &bytes) {
    Input input;
    const u32 kind = bytes.next();
    input.primary = 1 + bytes.below(kMaxItems / 2);
    input.items = input.primary + bytes.below(kMaxItems / 2);
    if (kind & 1)
        for (u32 item = 0; item < input.primary; ++item) {
            const u32 bound = bytes.next();
            input.low.push_back(static_cast<i32>(bound % 4));
            input.high.push_back(static_cast<i32>(bound % 4 + bound / 4 % 3 + (bound % 4 == 0)));
            if (kind == 255 && bound > 250) input.high.back() = -1;  // not valid
        }
    while (!bytes.empty() && input.options() < kMaxOptions) {
        u32 held = bytes.next() | bytes.next() << 8;
        if (kind < 250) held |= 1u << bytes.below(input.primary);  // so that it can be chosen
        for (u32 item = 0; item < input.items; ++item)
            if (held >> item & 1) input.add(item, item < input.primary ? 0 : bytes.below(3));
        if (kind == 254 && held % 7 == 0) input.add(bytes.next(), bytes.next());  // perhaps not valid
        input.end_option();
        input.costs.push_back((input.costs.empty() ? 0 : input.costs.back()) + bytes.below(4));
    }
    if (kind == 253 && input.options() != 0)  // not valid; the bindings check the first start
        input.starts[1 + bytes.below(input.options())] = static_cast<i64>(bytes.next()) - 9;
    return input;
}

void read_nodes(const Input &input, Bytes &bytes) {
    Rows rows = Rows::from_arrays(input.rows(), input.low, input.high, kNoPoll);
    ProofState root;
    for (u32 item = 0; item < rows.primary; ++item)
        root.needs.push_back(rows.low.empty() ? ProofState::Need{1, 1}
                                              : ProofState::Need{rows.low[item], rows.high[item]});
    const u32 options = rows.options();
    ProofChecker checker(std::move(rows), kNoPoll);
    root.live.assign(checker.words(), 0);
    for (u32 option = 0; option < options; ++option) root.live[option / 64] |= u64{1} << option % 64;
    std::vector<u32> items;
    for (u32 item = 0; item < input.items; ++item) items.push_back(item);
    std::vector<u8> nodes;
    while (!bytes.empty()) nodes.push_back(static_cast<u8>(bytes.next()));
    Pricing pricing{input.costs, std::vector<i64>(input.primary, 0), 12, input.primary};
    for (const Pricing *used : {static_cast<const Pricing *>(nullptr), static_cast<const Pricing *>(&pricing)})
        try {
            std::size_t place = 0;
            std::vector<i64> left;
            checker.walk(root, items, {nodes.data(), nodes.size()}, place, kNoPoll, used, left);
        } catch (const NotCertified &) {
        }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::vector<Way> ways = all_ways();
    Bytes bytes(data, size);
    const Input input = read_input(bytes);
    try {
        make_problem(input, true);
    } catch (const std::invalid_argument &) {
        return 0;
    }
    const u64 truth = Definition(input).count();
    for (const Way &way : ways)
        try {
            if (const u64 count = way.count(input); count != truth) fail(way.name, count, truth);
        } catch (const TooLarge &) {
        }
    read_nodes(input, bytes);
    return 0;
}
