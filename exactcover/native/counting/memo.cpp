#include "counting/memo.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "base/bits.hpp"
#include "base/multiplicity.hpp"

namespace exactcover {

static u32 checked_words(const Problem &problem) {
    const u32 words = words_for(problem.options);
    if (problem.options > Relations::kMaxOptions)
        throw TooLarge("a memo supports at most " + std::to_string(Relations::kMaxOptions) + " options; there are " +
                       std::to_string(problem.options));
    const std::size_t most = words == 0 ? problem.columns : Relations::kMaxWords / words;
    if (problem.columns > most)
        throw TooLarge("a memo supports at most " + std::to_string(most) +
                       " items and colors with this many options; there are " + std::to_string(problem.columns));
    return words;
}

Relations::Relations(const Problem &problem, const Poll &poll)
    : words(checked_words(problem)), dies(problem.columns, problem.options), excludes(problem.options, problem.options),
      which(problem.columns, kNone), one_color(problem.columns, 1) {
    for (u32 i = 0; i < problem.primary && !problem.low.empty(); ++i) {
        if (problem.low[i] == 1 && problem.high[i] == 1) continue;
        which[i] = static_cast<u32>(counted.size());
        counted.push_back(i);
    }
    Meter meter(poll);
    for (u32 o = 0; o < problem.options; ++o) {
        meter.spend(1 + problem.start[o + 1] - problem.start[o]);
        for (u32 e = problem.start[o]; e < problem.start[o + 1]; ++e) dies.set(problem.whole[problem.entry[e]], o);
    }
    for (u32 c = 0; c < problem.columns; ++c)
        if (problem.colored[c]) {
            std::copy_n(dies.row(problem.whole[c]), words, dies.row(c));
            one_color[c] = one_color[problem.whole[c]] = 0;
        }
    for (u32 o = 0; o < problem.options; ++o)
        for (u32 e = problem.start[o]; e < problem.start[o + 1]; ++e)
            if (problem.colored[problem.entry[e]]) clear_bit(dies.row(problem.entry[e]), o);
    for (u32 o = 0; o < problem.options; ++o) {
        meter.spend(1 + u64{words} * (problem.start[o + 1] - problem.start[o]));
        excludes.set(o, o);
        for (u32 e = problem.start[o]; e < problem.start[o + 1]; ++e) {
            if (which[problem.entry[e]] != kNone) continue;
            const u64 *die = dies.row(problem.entry[e]);
            u64 *row = excludes.row(o);
            for (u32 w = 0; w < words; ++w) row[w] |= die[w];
        }
    }
}

void CountAlgebra::renew(const std::vector<Value *> &values) {
    Numbers fresh;
    for (Value *value : values) *value = fresh.copy(numbers, *value);
    numbers = std::move(fresh);
}

template <typename Algebra>
Memo<Algebra>::Memo(std::shared_ptr<const Problem> problem, Algebra algebra, const Poll &poll, u64 hash_mask)
    : problem_(std::move(problem)), relations_(*problem_, poll), algebra_(std::move(algebra)),
      known_(relations_.words + static_cast<u32>(relations_.counted.size() + 1) / 2, hash_mask),
      stamps_(problem_->columns, 0) {
    Piece whole;
    whole.key.assign(relations_.words, 0);
    for (u32 o = 0; o < problem_->options; ++o)
        if (problem_->choosable(o)) set_bit(whole.key.data(), o);
    for (u32 item : relations_.counted) {
        whole.need.push_back(problem_->low[item]);
        whole.room.push_back(problem_->high[item]);
    }
    std::vector<u32> columns(problem_->columns);
    for (u32 c = 0; c < problem_->columns; ++c) columns[c] = c;
    if (count_left(whole, columns)) enter(whole, nullptr);
    else value_ = algebra_.zero();
}

template <typename Algebra>
bool Memo<Algebra>::advance(u64 nodes) {
    for (const u64 end = counters_.nodes + nodes; depth_ > 0 && counters_.nodes < end;) {
        Frame &frame = frames_[depth_ - 1];
        if (value_.has_value()) combine(frame);
        if (frame.next == frame.children() || (frame.parts && frame.value == algebra_.zero())) {
            finish(frame);
        } else if (frame.parts) {
            enter_connected(frame.pieces[frame.next++]);
        } else {
            Piece piece = std::move(scratch_);
            if (child(frame, piece)) enter(piece, &frames_[depth_ - 1].piece);
            else value_ = algebra_.zero();
            scratch_ = std::move(piece);
        }
    }
    return depth_ > 0;
}

// Combine the frame's value with the value of the child visited last.
template <typename Algebra>
void Memo<Algebra>::combine(Frame &frame) {
    const u32 last = frame.next - 1;
    if (frame.parts) frame.value = algebra_.multiply(frame.value, *value_);
    else if (last < frame.options.size() && *value_ != algebra_.zero())
        frame.value = algebra_.add(frame.value, algebra_.with(frame.options[last], *value_));
    else frame.value = algebra_.add(frame.value, *value_);
    value_.reset();
}

template <typename Algebra>
void Memo<Algebra>::finish(Frame &frame) {
    value_ = frame.value;
    --depth_;
    if (frame.parts || !known_.put(frame.piece.key.data()).second) return;
    values_.push_back(frame.value);
    work_.push_back(static_cast<u8>(std::bit_width(counters_.nodes - frame.began)));
}

// The residual problem after the frame's next option has been chosen; returns false if that is a dead end.
template <typename Algebra>
bool Memo<Algebra>::child(Frame &frame, Piece &piece) {
    const Piece &from = frame.piece;
    piece.need = from.need;
    piece.room = from.room;
    piece.key = frame.live;
    columns_.clear();
    const u32 k = frame.next++;
    if (k == frame.options.size()) return count_left(piece, from.columns);
    const u32 option = frame.options[k];
    clear_bit(frame.live.data(), option);
    const u64 *excluded = relations_.excludes.row(option);
    for (u32 w = 0; w < relations_.words; ++w) piece.key[w] &= ~excluded[w];
    for (u32 e = problem_->start[option]; e < problem_->start[option + 1]; ++e) {
        const u32 item = problem_->entry[e], place = relations_.which[item];
        if (place == kNone) continue;
        --piece.need[place];
        if (--piece.room[place] > 0) continue;
        const u64 *die = relations_.dies.row(item);
        for (u32 w = 0; w < relations_.words; ++w) piece.key[w] &= ~die[w];
    }
    for (u32 column : from.columns) {
        const bool covered = column < problem_->primary && relations_.dies.has(column, option);
        const u32 place = relations_.which[column];
        if (!covered || (place != kNone && piece.room[place] > 0)) columns_.push_back(column);
    }
    return count_left(piece, columns_);
}

// Note which of these columns still matter, and how many options each has left; returns false if an item has too few.
template <typename Algebra>
bool Memo<Algebra>::count_left(Piece &piece, const std::vector<u32> &columns) {
    piece.columns.clear();
    piece.left.clear();
    for (u32 column : columns) {
        const u64 *die = relations_.dies.row(column);
        u32 left = 0;
        for (u32 w = 0; w < relations_.words; ++w) left += popcount(piece.key[w] & die[w]);
        if (column < problem_->primary && static_cast<i32>(left) < need(piece, column)) return false;
        if (left == 0) continue;
        piece.columns.push_back(column);
        piece.left.push_back(left);
    }
    return true;
}

template <typename Algebra>
i32 Memo<Algebra>::need(const Piece &piece, u32 item) const {
    const u32 place = relations_.which[item];
    return place == kNone ? 1 : std::max(0, piece.need[place]);
}

// Visit a residual problem; `from` is the connected one it was made from.
template <typename Algebra>
void Memo<Algebra>::enter(Piece &piece, const Piece *from) {
    if (piece.columns.empty()) {
        value_ = algebra_.one();
        return;
    }
    if (from != nullptr && !may_fall_apart(piece, *from)) return enter_connected(piece);
    std::vector<Piece> pieces;
    take_apart(piece, pieces);
    if (pieces.size() == 1) return enter_connected(piece);
    ++counters_.splits;
    Frame &frame = push();
    frame.parts = true;
    frame.pieces = std::move(pieces);
    frame.value = algebra_.one();
}

template <typename Algebra>
void Memo<Algebra>::enter_connected(Piece &piece) {
    ++counters_.nodes;
    append_needs(piece);
    const u32 seen = known_.get(piece.key.data());
    if (seen != kNone) {
        ++counters_.hits;
        value_ = values_[seen];
        return;
    }
    Frame &frame = push();
    std::swap(frame.piece, piece);
    branch(frame);
}

// Branch on the item with the fewest choices.
template <typename Algebra>
void Memo<Algebra>::branch(Frame &frame) {
    const Piece &piece = frame.piece;
    u32 least = std::numeric_limits<u32>::max();
    for (std::size_t k = 0; k < piece.columns.size() && piece.columns[k] < problem_->primary; ++k) {
        const u32 here = choices(piece.left[k], need(piece, piece.columns[k]));
        if (here >= least) continue;
        least = here;
        frame.item = piece.columns[k];
    }
    frame.parts = false;
    frame.value = algebra_.zero();
    frame.began = counters_.nodes;
    frame.live.assign(piece.key.begin(), piece.key.begin() + relations_.words);
    frame.options.clear();
    const u64 *die = relations_.dies.row(frame.item);
    for (u32 w = 0; w < relations_.words; ++w)
        for (u32 place : ones_of(frame.live[w] & die[w])) frame.options.push_back(w * 64 + place);
    frame.none = need(piece, frame.item) == 0;
    if (!frame.none) frame.options.resize(least);
}

// Whether a residual problem may have fallen into several pieces: the columns that lost options are no longer all
// connected. Columns of items with colors are not checked, so a problem that has fallen apart is sometimes taken for
// connected.
template <typename Algebra>
bool Memo<Algebra>::may_fall_apart(const Piece &piece, const Piece &from) {
    targets_.clear();
    std::size_t k = 0;
    for (std::size_t n = 0; n < piece.columns.size(); ++n) {
        const u32 column = piece.columns[n];
        while (from.columns[k] != column) ++k;
        if (from.left[k] != piece.left[n] && relations_.one_color[column]) targets_.push_back(column);
    }
    if (targets_.size() < 2) return false;
    return reach(piece, targets_[0], &targets_) > 0;
}

template <typename Algebra>
void Memo<Algebra>::take_apart(const Piece &piece, std::vector<Piece> &pieces) {
    std::vector<u64> rest(piece.key.begin(), piece.key.begin() + relations_.words);
    for (std::size_t k = 0; k < piece.columns.size() && piece.columns[k] < problem_->primary; ++k) {
        const u64 *die = relations_.dies.row(piece.columns[k]);
        bool open = false;
        for (u32 w = 0; w < relations_.words && !open; ++w) open = (rest[w] & die[w]) != 0;
        if (!open) continue;
        reach(piece, piece.columns[k], nullptr);
        Piece &part = pieces.emplace_back();
        part.key = reached_;
        part.need = piece.need;
        part.room = piece.room;
        for (u32 w = 0; w < relations_.words; ++w) rest[w] &= ~reached_[w];
        std::sort(queue_.begin(), queue_.end());
        count_left(part, queue_);  // no item has too few
    }
}

// Reach all options and columns connected with a column, or stop when all targets are reached; returns how many targets
// are not.
template <typename Algebra>
std::size_t Memo<Algebra>::reach(const Piece &piece, u32 start, const std::vector<u32> *targets) {
    const u64 seen = stamp_ += 2, wanted = seen - 1;
    std::size_t missing = 0;
    if (targets != nullptr) {
        for (u32 column : *targets) stamps_[column] = wanted;
        missing = targets->size() - 1;
    }
    reached_.assign(relations_.words, 0);
    queue_.assign(1, start);
    stamps_[start] = seen;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const u64 *die = relations_.dies.row(queue_[head]);
        for (u32 w = 0; w < relations_.words; ++w) {
            const u64 fresh = piece.key[w] & die[w] & ~reached_[w];
            reached_[w] |= fresh;
            for (u32 place : ones_of(fresh)) {
                const u32 option = w * 64 + place;
                for (u32 e = problem_->start[option]; e < problem_->start[option + 1]; ++e) {
                    u64 &stamp = stamps_[problem_->entry[e]];
                    if (stamp == seen) continue;
                    if (stamp == wanted && targets != nullptr && --missing == 0) return 0;
                    stamp = seen;
                    queue_.push_back(problem_->entry[e]);
                }
            }
        }
    }
    return missing;
}

// Append to a key what each item with a multiplicity still needs, and how much it may take.
template <typename Algebra>
void Memo<Algebra>::append_needs(Piece &piece) const {
    if (relations_.counted.empty()) return;
    piece.key.resize(relations_.words);
    piece.key.resize(relations_.words + (relations_.counted.size() + 1) / 2, 0);
    for (std::size_t k = 0; k < piece.columns.size() && piece.columns[k] < problem_->primary; ++k) {
        const u32 place = relations_.which[piece.columns[k]];
        if (place == kNone) continue;
        const u64 need = static_cast<u64>(std::max(0, piece.need[place]));
        const u64 room = std::min<u64>(static_cast<u64>(piece.room[place]), piece.left[k]);
        piece.key[relations_.words + place / 2] |= (need << 16 | room) << (place % 2 * 32);
    }
}

template <typename Algebra>
typename Memo<Algebra>::Frame &Memo<Algebra>::push() {
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame &frame = frames_[depth_++];
    frame.next = 0;
    return frame;
}

template <typename Algebra>
void Memo<Algebra>::thin() {
    if (work_.empty()) return;
    std::vector<u8> sorted = work_;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const u8 median = sorted[sorted.size() / 2];
    std::vector<u32> kept;
    for (u32 k = 0; k < work_.size(); ++k)
        if (work_[k] > median || (work_[k] == median && kept.size() < sorted.size() / 2 && k % 2 == 0))
            kept.push_back(k);
    std::vector<Value> values;
    std::vector<u8> work;
    for (u32 k : kept) {
        values.push_back(values_[k]);
        work.push_back(work_[k]);
    }
    known_.keep(kept);
    values_ = std::move(values);
    work_ = std::move(work);
    std::vector<Value *> used;
    for (Value &value : values_) used.push_back(&value);
    for (u32 d = 0; d < depth_; ++d) used.push_back(&frames_[d].value);
    if (value_.has_value()) used.push_back(&*value_);
    algebra_.renew(used);
    ++counters_.thinned;
}

template <typename Algebra>
double Memo<Algebra>::explored() const {
    double share = 1, sum = 0;
    for (u32 d = 0; d < depth_; ++d) {
        share /= frames_[d].children();
        sum += share * (d + 1 < depth_ ? frames_[d].next - 1 : frames_[d].next);
    }
    return depth_ == 0 ? 1 : sum;
}

template <typename Algebra>
std::size_t Memo<Algebra>::bytes() const {
    return known_.bytes() + values_.capacity() * sizeof(Value) + work_.capacity() + algebra_.bytes() +
           relations_.dies.bytes() + relations_.excludes.bytes();
}

template class Memo<CountAlgebra>;
template class Memo<DiagramAlgebra>;

}  // namespace exactcover
