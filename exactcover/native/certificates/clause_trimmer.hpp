// Turns the clauses that a solver has learned into a proof that is checked in linear time: only those clauses are kept
// that the last one needs, each with hints that say what leads to a contradiction if its literals are false.
//
// It draws conclusions as `Trial` of certificates/check.py does, and never more of them; docs/certificates.md has the
// rules. Literal 2v says that variable v is true, and literal 2v + 1 that it is not. The options come first among the
// variables; each variable after them is a color of a secondary item.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/meter.hpp"
#include "base/types.hpp"
#include "symmetry/rows.hpp"

namespace exactcover {

class ClauseTrimmer {
public:
    // Throws std::invalid_argument if a color does not belong to a secondary item.
    ClauseTrimmer(Rows rows, const std::vector<std::pair<u32, u32>> &colors, const Poll &poll);

    // Add a clause that follows, and note how. Returns whether the clauses contradict each other, so that no more are
    // needed. Throws std::invalid_argument if the clause does not follow, or a literal is not valid.
    bool add(std::span<const u32> literals);

    // Forget a clause that the solver has forgotten, if it is known.
    void forget(std::span<const u32> literals);

    bool is_contradiction() const { return done_; }

    // The clauses that are needed, as numbers in groups of seven bits. Items and variables get these names.
    std::vector<u8> write(const std::vector<u32> &items, const std::vector<u32> &variables);

private:
    enum class Why : u8 { kAssumed, kItem, kClause, kFull, kVariable };
    // Why a variable has its value: the item whose options are all needed, the clause, the item that is covered as often
    // as it can be, or the variable that excludes it.
    struct Reason {
        Why why;
        u32 source;
    };
    struct Conflict {
        bool found = false;
        u32 variable;   // which would have two values, or kNone
        Reason reason;  // of the second value; or the item or clause that cannot be fulfilled
    };
    struct Lemma {
        u32 literals, size;  // where the literals begin, and how many there are
        u32 hints, hinted;   // the same for hints; a hint is twice an item, or twice a lemma plus one
        u32 facts, used;     // and for the lemmas of a single literal that the conclusion needs
    };
    struct Clause {
        u32 literals, size, lemma;
        bool live;
    };
    static constexpr u32 kLeastWatched = 2;

    bool assign(u32 literal, Reason reason);
    void propagate();
    void process(u32 variable);
    void process_option(u32 option, bool chosen);
    void process_color(u32 variable, bool is_true);
    void process_clauses(u32 literal);
    void exclude_others(u32 item, u32 color, u32 variable);
    void undo();
    void note_conflict(u32 variable, Reason reason) { conflict_ = {true, variable, reason}; }
    template <typename Mark>
    void visit_antecedents(u32 variable, Reason reason, u32 before, Mark mark);
    void need_fact(u32 variable);
    u32 close_lemma(std::span<const u32> literals);
    u32 explain_conflict(std::span<const u32> literals);
    void settle();
    void add_clause(u32 lemma);
    i32 value(u32 literal) const { return (literal & 1) != 0 ? -value_[literal >> 1] : value_[literal >> 1]; }

    Rows rows_;
    Meter meter_;
    u32 variables_;
    std::vector<u32> first_, held_, held_color_;   // the options of each item, and the color that each gives
    std::vector<u32> held_variable_;               // and the variable of that color, or kNone
    std::vector<u32> color_variable_;              // of each entry
    std::vector<u32> color_item_, color_;          // of each variable of a color
    std::vector<std::vector<u32>> item_colors_;    // the variables of each item
    std::vector<signed char> value_;               // of each variable: 1 true, -1 false, 0 open
    std::vector<u32> place_;                       // in the trail
    std::vector<Reason> reason_;
    std::vector<u32> fact_;                        // the lemma that settles a variable for good, or kNone
    std::vector<u32> taken_, out_;                 // of each item: how many options are chosen, and left out
    std::vector<u32> trail_;
    std::size_t next_ = 0, settled_ = 0;           // in the trail: what is to be processed; what holds for good
    Conflict conflict_{};
    bool done_ = false;
    std::vector<Lemma> lemmas_;
    std::vector<Clause> clauses_;
    std::vector<u32> literals_, hints_, facts_;
    std::vector<std::vector<u32>> watches_;        // the clauses that wait for a literal to become false
    std::unordered_multimap<u64, u32> by_hash_;    // clauses that can be forgotten
    std::vector<u32> mark_, fact_mark_;            // variables met in the current explanation
    u32 round_ = 0;
    std::vector<u32> item_mark_, stack_;
};

}  // namespace exactcover
