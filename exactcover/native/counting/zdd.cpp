#include "counting/zdd.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace exactcover {

namespace {

// The result in simple cases; returns whether this is one.
bool simple(bool add, u32 f, u32 g, u32 &result) {
    if (add) {
        result = f == Zdd::kEmpty ? g : f;
        return f == Zdd::kEmpty || g == Zdd::kEmpty || f == g;
    }
    result = f == Zdd::kEmpty || g == Zdd::kEmpty ? Zdd::kEmpty : f == Zdd::kUnit ? g : f;
    return f <= Zdd::kUnit || g <= Zdd::kUnit;
}

}  // namespace

Zdd::Zdd(std::size_t most_bytes, u64 hash_mask, const Poll &poll)
    : most_bytes_(most_bytes), hash_mask_(hash_mask), meter_(poll),
      nodes_{{kBottom, 0, 0}, {kBottom, 0, 0}}, unique_(2, hash_mask),
      results_{{States(1, hash_mask), {}}, {States(1, hash_mask), {}}} {}

u32 Zdd::node(u32 level, u32 lo, u32 hi) {
    if (hi == kEmpty) return lo;
    const u64 key[] = {u64{level} << 32 | lo, hi};
    const auto [number, fresh] = unique_.put(key);
    if (fresh) {
        nodes_.push_back({level, lo, hi});
        step();
    }
    return number + 2;
}

u32 Zdd::with(u32 level, u32 f) {
    return level < nodes_[f].level ? node(level, kEmpty, f) : multiply(node(level, kEmpty, kUnit), f);
}

// By levels from the top. Results are remembered; there is no recursion, because diagrams are deep.
u32 Zdd::apply(Operation operation, u32 f, u32 g) {
    u32 result = kEmpty;
    if (simple(operation == kAdd, f, g, result)) return result;
    Results &known = results_[operation];
    tasks_.assign(1, {f, g});
    while (!tasks_.empty()) {
        step();
        Task &task = tasks_.back();
        if (task.stage == 0) {
            if (nodes_[task.f].level > nodes_[task.g].level ||
                (nodes_[task.f].level == nodes_[task.g].level && task.f > task.g))
                std::swap(task.f, task.g);
            const u64 key = u64{task.f} << 32 | task.g;
            const u32 seen = known.pairs.get(&key);
            if (simple(operation == kAdd, task.f, task.g, result) || seen != kNone) {
                if (seen != kNone) result = known.of[seen];
                tasks_.pop_back();
                continue;
            }
        }
        // f is the upper one; if g begins at the same level (then they are added), it splits too.
        const Node upper = nodes_[task.f];
        const Node other = nodes_[task.g];
        const bool both = other.level == upper.level;
        const u32 stage = task.stage++;
        if (stage == 0) {
            tasks_.push_back({upper.lo, both ? other.lo : task.g});
        } else if (stage == 1) {
            task.lo = result;
            tasks_.push_back({upper.hi, both ? other.hi : operation == kAdd ? kEmpty : task.g});
        } else {
            const Task finished = task;
            tasks_.pop_back();
            result = node(upper.level, finished.lo, result);
            const u64 key = u64{finished.f} << 32 | finished.g;
            if (known.pairs.put(&key).second) known.of.push_back(result);
        }
    }
    return result;
}

// Remembered results can be computed again, so they are dropped first; nodes cannot.
void Zdd::check_memory() {
    if (bytes() <= most_bytes_) return;
    for (Results &known : results_) known = {States(1, hash_mask_), {}};
    if (bytes() > most_bytes_ / 4 * 3) throw std::bad_alloc();
}

u32 Zdd::family(const std::vector<std::vector<u32>> &sets) {
    // tails[d]: the continuations of all sets from the current one on that share its first d options.
    std::vector<u32> tails{kEmpty};
    for (std::size_t k = sets.size(); k-- > 0;) {
        const std::vector<u32> &set = sets[k];
        step();
        tails.resize(set.size() + 1, kEmpty);
        tails.back() = add(tails.back(), kUnit);
        std::size_t common = 0;
        if (k > 0)
            common = static_cast<std::size_t>(
                std::mismatch(set.begin(), set.end(), sets[k - 1].begin(), sets[k - 1].end()).first - set.begin());
        for (std::size_t d = set.size(); d > common; --d) {
            tails[d - 1] = node(set[d - 1], tails[d - 1], tails[d]);
            tails.pop_back();
        }
    }
    return tails[0];
}

std::vector<Zdd::Node> Zdd::below(u32 root) {
    std::vector<Node> found;
    std::vector<u32> number(nodes_.size(), 0);
    number[kUnit] = 1;
    std::vector<u32> path;
    if (root > kUnit) path.push_back(root);
    while (!path.empty()) {
        step();
        const u32 top = path.back();
        const Node &node = nodes_[top];
        if (number[top] != 0) {
            path.pop_back();
        } else if (node.lo > kUnit && number[node.lo] == 0) {
            path.push_back(node.lo);
        } else if (node.hi > kUnit && number[node.hi] == 0) {
            path.push_back(node.hi);
        } else {
            found.push_back({node.level, number[node.lo], number[node.hi]});
            number[top] = static_cast<u32>(found.size()) + 1;
            path.pop_back();
        }
    }
    return found;
}

std::size_t Zdd::bytes() const {
    std::size_t sum = nodes_.capacity() * sizeof(Node) + unique_.bytes();
    for (const Results &known : results_) sum += known.pairs.bytes() + known.of.capacity() * sizeof(u32);
    return sum;
}

}  // namespace exactcover
