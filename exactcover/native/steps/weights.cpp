#include "steps/weights.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/meter.hpp"

namespace exactcover {

namespace {

constexpr std::size_t kFirstLook = 16;  // rows after which it is seen first whether the target is a sum of rows

// Arithmetic modulo a number of at most 32 bits, or 2^61 - 1.
class Modulus {
public:
    explicit Modulus(u64 value) : value_(value) {}

    u64 value() const { return value_; }

    // a + b c, for numbers less than the modulus.
    u64 add_product(u64 a, u64 b, u64 c) const {
        if (value_ != kMersenne) return (a + b * c) % value_;
        const u128 sum = u128{b} * c + a;
        const u64 folded = static_cast<u64>(sum & kMersenne) + static_cast<u64>(sum >> 61);
        return folded >= kMersenne ? folded - kMersenne : folded;
    }

    u64 negative(u64 a) const { return a == 0 ? 0 : value_ - a; }

    // The number whose product with a is 1; the two must have no common divisor.
    u64 inverse(u64 a) const {
        i64 one = 0, other = 1, left = static_cast<i64>(value_), right = static_cast<i64>(a);
        while (right != 0) {
            const i64 quotient = left / right;
            one -= quotient * other;
            std::swap(one, other);
            left -= quotient * right;
            std::swap(left, right);
        }
        return static_cast<u64>(one < 0 ? one + static_cast<i64>(value_) : one);
    }

private:
    u64 value_;
};

// Gaussian elimination. No row contains the pivot of another one.
class Elimination {
public:
    std::vector<SparseRow> deferred;  // the rows without a pivot, because the prime divides all of their numbers
    i64 work;                         // how many numbers may still be added

    Elimination(u32 items, u64 prime, u64 modulus, i64 most_work, const Poll &poll)
        : work(most_work), prime_(prime), modulus_(modulus), meter_(poll), row_(items),
          users_(items), uses_(items), sum_(items), is_touched_(items) {}

    // Add rows; return false as soon as the target is a sum of rows, or too much work was done.
    bool add_all(const std::vector<SparseRow> &rows, const SparseRow &target) {
        std::size_t next_look = kFirstLook;
        for (std::size_t number = 0; number < rows.size(); ++number) {
            meter_.spend();
            add(rows[number]);
            if (work <= 0) return false;
            if (number == next_look) {
                next_look *= 2;
                if (reduce(target).empty()) return false;
            }
        }
        return true;
    }

    // Give weights to the pivots, so that the weights add up to 0 in all rows with a pivot.
    void extend(std::vector<u64> &weights, const Modulus &modulus) const {
        for (u32 pivot : pivots_) {
            u64 total = 0;
            for (const auto &[item, number] : row_[pivot])
                total = modulus.add_product(total, number % modulus.value(), weights[item]);
            weights[pivot] = modulus.negative(total);
        }
    }

    // An equivalent row without pivots.
    SparseRow reduce(const SparseRow &row) {
        SparseRow reduced;
        for (const auto &[item, given] : row) {
            const u64 number = given % modulus_.value();
            meter_.spend(is_pivot(item) ? row_[item].size() : 1);
            if (is_pivot(item)) {
                work -= static_cast<i64>(row_[item].size());
                const u64 factor = modulus_.negative(number);
                for (const auto &[other, times] : row_[item]) collect(reduced, other, factor, times);
            } else {
                --work;
                collect(reduced, item, number, 1);
            }
        }
        settle(reduced);
        return reduced;
    }

private:
    bool is_pivot(u32 item) const { return uses_[item] == kNone; }

    void collect(SparseRow &row, u32 item, u64 factor, u64 number) {
        if (!is_touched_[item]) {
            is_touched_[item] = true;
            row.emplace_back(item, 0);
        }
        sum_[item] = modulus_.add_product(sum_[item], factor, number);
    }

    // Take the numbers that were collected for a row.
    void settle(SparseRow &row) {
        std::size_t kept = 0;
        for (auto [item, unused] : row) {
            if (sum_[item] != 0) row[kept++] = {item, sum_[item]};
            sum_[item] = 0;
            is_touched_[item] = false;
        }
        row.resize(kept);
    }

    void add(const SparseRow &given) {
        SparseRow row = reduce(given);
        u32 pivot = kNone;
        u64 leading = 0;
        for (const auto &[item, number] : row)
            if (number % prime_ != 0 && (pivot == kNone || uses_[item] < uses_[pivot])) pivot = item, leading = number;
        if (pivot == kNone) {
            if (!row.empty()) deferred.push_back(std::move(row));
            return;
        }
        std::erase_if(row, [pivot](const auto &one) { return one.first == pivot; });
        const u64 inverse = modulus_.inverse(leading);
        for (auto &[item, number] : row) number = modulus_.add_product(0, number, inverse);
        for (u32 user : users_[pivot]) subtract(user, pivot, row);
        users_[pivot].clear();
        uses_[pivot] = kNone;
        pivots_.push_back(pivot);
        for (const auto &[item, number] : row) note_use(item, pivot);
        row_[pivot] = std::move(row);
    }

    void note_use(u32 item, u32 pivot) {
        users_[item].push_back(pivot);
        ++uses_[item];
    }

    // Subtract a multiple of a row, so that its pivot disappears from the row of a user. It may be no user any more.
    void subtract(u32 user, u32 pivot, const SparseRow &other) {
        SparseRow &row = row_[user];
        meter_.spend(row.size() + other.size());
        const auto place = std::find_if(row.begin(), row.end(), [pivot](const auto &one) { return one.first == pivot; });
        if (place == row.end()) return;
        const u64 factor = modulus_.negative(place->second);
        row.erase(place);
        work -= 1 + static_cast<i64>(other.size());
        for (const auto &[item, number] : row) {
            is_touched_[item] = true;
            sum_[item] = number;
        }
        const std::size_t before = row.size();
        for (const auto &[item, number] : other) collect(row, item, factor, number);
        for (std::size_t k = 0; k < row.size(); ++k) {
            const u32 item = row[k].first;
            const bool was = k < before, is = sum_[item] != 0;
            if (is && !was) note_use(item, user);
            if (was && !is) --uses_[item];
        }
        settle(row);
    }

    u64 prime_;
    Modulus modulus_;
    Meter meter_;
    std::vector<SparseRow> row_;           // of each pivot, whose number is 1 and is left out
    std::vector<u32> pivots_;              // in the order in which they were found
    std::vector<std::vector<u32>> users_;  // the pivots whose rows contain an item, and some that no longer do
    std::vector<u32> uses_;                // how many do; kNone for a pivot
    std::vector<u64> sum_;                 // of each item of a row in the making
    std::vector<u8> is_touched_;
};

u64 power(u64 prime, u32 exponent) {
    u64 result = 1;
    while (exponent-- > 0) {
        if (result > (u64{1} << 32) / prime && !(prime == kMersenne && result == 1))
            throw std::invalid_argument("the power of the prime is too large");
        result *= prime;
    }
    return result;
}

void divide(SparseRow &row, u64 prime) {
    for (auto &[item, number] : row) number /= prime;
}

}  // namespace

std::optional<WeightsByPrime> find_weights(u32 items, const std::vector<SparseRow> &all_rows, SparseRow target,
                                           u64 prime, u32 most, i64 work, const Poll &poll) {
    if (prime < 2) throw std::invalid_argument("a prime is at least 2");
    power(prime, most);
    std::vector<Elimination> levels;
    std::vector<SparseRow> left_rows;
    const std::vector<SparseRow> *rows = &all_rows;
    for (u32 exponent = most; exponent > 0; --exponent) {
        Elimination &level = levels.emplace_back(items, prime, power(prime, exponent), work, poll);
        if (!level.add_all(*rows, target)) return std::nullopt;
        target = level.reduce(target);
        u32 free = kNone;
        for (const auto &[item, number] : target)
            if (number % prime != 0) free = std::min(free, item);
        if (free != kNone) {
            const Modulus modulus(power(prime, static_cast<u32>(levels.size())));
            std::vector<u64> weights(items, 0);
            weights[free] = 1;
            for (auto one = levels.rbegin(); one != levels.rend(); ++one) one->extend(weights, modulus);
            WeightsByPrime found{{}, modulus.value()};
            for (u32 item = 0; item < items; ++item)
                if (weights[item] != 0) found.weights.emplace_back(item, weights[item]);
            return found;
        }
        if (target.empty()) return std::nullopt;
        left_rows.clear();
        for (const SparseRow &row : level.deferred) {
            SparseRow left = level.reduce(row);
            if (left.empty()) continue;
            divide(left, prime);
            left_rows.push_back(std::move(left));
        }
        divide(target, prime);
        rows = &left_rows;
        work = level.work;
    }
    return std::nullopt;
}

}  // namespace exactcover
