// Depth-first search that remembers the value of each residual problem, and solves its connected parts separately.
//
// A residual problem is the set of options that are left, with what items with multiplicities still need; this is the
// key of the memo. Its value belongs to `Algebra`: the number of its solutions, or the diagram of them.
//
// References: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm Z; M. Nishino, N. Yasuda, S.
// Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/bits.hpp"
#include "base/meter.hpp"
#include "base/numbers.hpp"
#include "base/problem.hpp"
#include "counting/states.hpp"
#include "counting/zdd.hpp"

namespace exactcover {

// Sets of options, as rows of bits.
class Bits {
public:
    Bits(u32 rows, u32 options) : words_(words_for(options)), bits_(std::size_t{rows} * words_, 0) {}
    u64 *row(u32 k) { return bits_.data() + std::size_t{k} * words_; }
    const u64 *row(u32 k) const { return bits_.data() + std::size_t{k} * words_; }
    void set(u32 k, u32 option) { set_bit(row(k), option); }
    bool has(u32 k, u32 option) const { return has_bit(row(k), option); }
    std::size_t bytes() const { return bits_.size() * sizeof(u64); }

private:
    u32 words_;
    std::vector<u64> bits_;
};

// What does not change during a search.
struct Relations {
    // Throws TooLarge if there are too many options or columns.
    explicit Relations(const Problem &problem, const Poll &poll);

    static constexpr u32 kMaxOptions = 1u << 14;
    static constexpr std::size_t kMaxWords = std::size_t{1} << 22;  // of a table

    u32 words;
    Bits dies;      // of each column: the options that are removed when an option with it is chosen
    Bits excludes;  // of each option: those that cannot be chosen with it, including itself
    std::vector<u32> counted;    // the items with multiplicities
    std::vector<u32> which;      // of each column: its place in `counted`, or kNone
    std::vector<u8> one_color;   // of each column: whether its item has no colors
};

struct MemoCounters {
    u64 nodes = 0;    // connected residual problems visited
    u64 hits = 0;     // those found in the memo
    u64 splits = 0;   // residual problems that fell into several parts
    u64 thinned = 0;  // how often the memo was thinned
};

// Values are numbers of solutions.
struct CountAlgebra {
    using Value = u64;
    Numbers numbers;

    Value zero() const { return 0; }
    Value one() const { return 1; }
    Value add(Value a, Value b) { return numbers.add(a, b); }
    Value multiply(Value a, Value b) { return numbers.multiply(a, b); }
    Value with(u32, Value a) const { return a; }
    void renew(const std::vector<Value *> &values);  // keep these values only
    std::size_t bytes() const { return numbers.bytes(); }
};

// Values are diagrams.
struct DiagramAlgebra {
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

    // Throws TooLarge as Relations does.
    Memo(std::shared_ptr<const Problem> problem, Algebra algebra, const Poll &poll, u64 hash_mask);

    // Go on for about this many nodes; returns false when the search is done.
    bool advance(u64 nodes);

    // The value of the whole problem, once the search is done.
    bool done() const { return depth_ == 0; }
    Value result() const { return value_.value(); }
    Algebra &algebra() { return algebra_; }

    // Forget about half of the memo, the values that took the least work.
    void thin();

    double explored() const;
    const MemoCounters &counters() const { return counters_; }
    u32 entries() const { return known_.size(); }
    u64 node_work() const { return 1 + u64{problem_->columns} * relations_.words; }  // steps that a node takes at most
    std::size_t bytes() const;

private:
    // A residual problem: its key, what its items with multiplicities need and may take, and its columns with the
    // number of options that each of them has left.
    struct Piece {
        std::vector<u64> key;  // the options that are left, then the needs
        std::vector<i32> need, room;
        std::vector<u32> columns, left;
    };
    struct Frame {
        bool parts = false;  // whether values of pieces are multiplied; otherwise values of options are added
        Piece piece;
        std::vector<Piece> pieces;
        std::vector<u64> live;  // without the options tried so far
        std::vector<u32> options;
        bool none = false;      // whether a last child leaves all options out
        u32 item = 0;
        u32 next = 0;
        u64 began = 0;          // the number of nodes before this one
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
    std::size_t reach(const Piece &piece, u32 start, const std::vector<u32> *targets);
    void append_needs(Piece &piece) const;
    Frame &push();

    std::shared_ptr<const Problem> problem_;
    Relations relations_;
    Algebra algebra_;
    States known_;
    std::vector<Value> values_;
    std::vector<u8> work_;  // logarithms of nodes
    std::deque<Frame> frames_;  // never moved
    u32 depth_ = 0;             // in use
    std::optional<Value> value_;  // of the node that was finished last
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
