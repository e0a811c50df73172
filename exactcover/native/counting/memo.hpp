// Depth-first search that remembers what each remaining problem came to, and takes apart what falls apart.
//
// What remains is the set of options that are left, and what items with multiplicities still need: that is the key of
// the memo. What it comes to is a value of `Algebra`: a number of solutions, or a diagram of them.
//
// References: D. E. Knuth, Algorithm 7.2.2.1Z; M. Nishino et al., "Dancing with decision diagrams", AAAI 2017.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/numbers.hpp"
#include "base/problem.hpp"
#include "counting/states.hpp"
#include "counting/zdd.hpp"

namespace exactcover {

// Which options there are, as rows of bits.
class Bits {
public:
    Bits(u32 rows, u32 options) : words_((options + 63) / 64), bits_(std::size_t{rows} * words_, 0) {}
    u64 *row(u32 k) { return bits_.data() + std::size_t{k} * words_; }
    const u64 *row(u32 k) const { return bits_.data() + std::size_t{k} * words_; }
    void set(u32 k, u32 option) { row(k)[option / 64] |= u64{1} << option % 64; }
    bool has(u32 k, u32 option) const { return row(k)[option / 64] >> option % 64 & 1; }
    std::size_t bytes() const { return bits_.size() * sizeof(u64); }

private:
    u32 words_;
    std::vector<u64> bits_;
};

// What does not change during a search.
struct Relations {
    // Throws TooLarge if there are too many options or columns.
    explicit Relations(const Problem &problem, const Poll &poll);

    static constexpr u32 kMostOptions = 1u << 14;
    static constexpr std::size_t kMostWords = std::size_t{1} << 22;  // of a table

    u32 words;
    Bits dies;      // for each column: the options that die when an option with it is chosen
    Bits excludes;  // for each option: those that cannot be chosen with it, itself among them
    std::vector<u32> counted;    // the items with multiplicities
    std::vector<u32> which;      // for each column: its place in `counted`, or kNone
    std::vector<u8> one_color;   // for each column: its item has no colors
};

struct MemoCounters {
    u64 nodes = 0;   // remaining problems looked at
    u64 hits = 0;    // of them known already
    u64 splits = 0;  // of them fallen apart
    u64 thinned = 0; // how often the memo was
};

// Values are numbers of solutions.
struct Counting {
    using Value = u64;
    Numbers numbers;

    Value zero() const { return 0; }
    Value one() const { return 1; }
    Value add(Value a, Value b) { return numbers.add(a, b); }
    Value multiply(Value a, Value b) { return numbers.multiply(a, b); }
    Value with(u32, Value a) const { return a; }
    void renew(const std::vector<Value *> &values);  // no others are used any more
    std::size_t bytes() const { return numbers.bytes(); }
};

// Values are diagrams.
struct Drawing {
    using Value = u32;
    Zdd &diagrams;
    const std::vector<u32> &level;  // of each option

    Value zero() const { return Zdd::kEmpty; }
    Value one() const { return Zdd::kUnit; }
    Value add(Value a, Value b) { return diagrams.add(a, b); }
    Value multiply(Value a, Value b) { return diagrams.multiply(a, b); }
    Value with(u32 option, Value a) { return diagrams.with(level[option], a); }
    void renew(const std::vector<Value *> &) {}
    std::size_t bytes() const { return 0; }
};

template <typename Algebra>
class Memo {
public:
    using Value = typename Algebra::Value;

    // Throws TooLarge as Relations do.
    Memo(std::shared_ptr<const Problem> problem, Algebra algebra, const Poll &poll, u64 hash_mask);

    // Go on for about so many nodes; false when all is done.
    bool advance(u64 nodes);

    // What the whole came to, once all is done.
    bool done() const { return depth_ == 0; }
    Value result() const { return value_.value(); }
    Algebra &algebra() { return algebra_; }

    // Forget what was least work, about half of it.
    void thin();
    // Remember nothing from now on.
    void give_up();

    double explored() const;
    const MemoCounters &counters() const { return counters_; }
    u32 entries() const { return known_.size(); }
    std::size_t bytes() const;

private:
    // A problem that remains, in one piece: its key, what its items with multiplicities need, and its columns with the
    // number of options that each of them has left.
    struct Piece {
        std::vector<u64> key;  // the options that are left, then needs
        std::vector<i32> need, room;
        std::vector<u32> columns, left;
    };
    struct Frame {
        bool parts = false;  // pieces that are multiplied, or else options of an item that are added up
        Piece piece;
        std::vector<Piece> pieces;
        std::vector<u64> live;  // without the options that were tried
        std::vector<u32> options;
        bool none = false;      // after the options: none of them
        u32 item = 0;
        u32 next = 0;
        u64 began = 0;          // nodes before
        Value value{};
        u32 children() const { return static_cast<u32>(parts ? pieces.size() : options.size() + none); }
    };

    void combine(Frame &frame);
    void finish(Frame &frame);
    bool child(Frame &frame, Piece &piece);
    bool count_left(Piece &piece, const std::vector<u32> &columns);
    i32 need(const Piece &piece, u32 item) const;
    void enter(Piece &piece, const Piece *from);
    void enter_connected(Piece &piece);
    void branch(Frame &frame);
    bool may_fall_apart(const Piece &piece, const Piece &from);
    void take_apart(const Piece &piece, std::vector<Piece> &pieces);
    void take_columns(const Piece &piece, Piece &part);
    std::size_t reach(const Piece &piece, u32 start, const std::vector<u32> *targets);
    void seal(Piece &piece) const;
    Frame &push();

    std::shared_ptr<const Problem> problem_;
    Relations relations_;
    Algebra algebra_;
    States known_;
    std::vector<Value> values_;
    std::vector<u8> work_;  // logarithms of nodes
    std::deque<Frame> frames_;  // never moved
    u32 depth_ = 0;             // in use
    std::optional<Value> value_;  // of what was looked at last
    bool remembers_ = true;
    MemoCounters counters_;
    Piece scratch_;
    std::vector<u32> columns_, targets_;
    // For `reach`:
    std::vector<u64> reached_;
    std::vector<u64> stamps_;
    std::vector<u32> queue_;
    u64 stamp_ = 0;
};

}  // namespace exactcover
