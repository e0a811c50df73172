#include "certificates/clause_trimmer.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/numbers.hpp"

namespace exactcover {

static u64 hash_of(std::span<const u32> literals) {
    u64 sum = literals.size();
    for (const u32 literal : literals) {
        u64 mixed = literal + 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        sum += mixed ^ (mixed >> 27);  // the order does not matter
    }
    return sum;
}

ClauseTrimmer::ClauseTrimmer(Rows rows, const std::vector<std::pair<u32, u32>> &colors, const Poll &poll)
    : rows_(std::move(rows)), meter_(poll),
      variables_(rows_.options() + static_cast<u32>(colors.size())), color_variable_(rows_.item.size(), kNone),
      item_colors_(rows_.items), value_(variables_, 0), place_(variables_, 0), reason_(variables_),
      fact_(variables_, kNone), taken_(rows_.items, 0), out_(rows_.items, 0), watches_(2 * std::size_t{variables_}),
      mark_(variables_, 0), fact_mark_(variables_, 0), item_mark_(rows_.items, 0) {
    const u32 options = rows_.options();
    std::map<std::pair<u32, u32>, u32> number;
    for (const auto &[item, color] : colors) {
        if (item < rows_.primary || item >= rows_.items) throw std::invalid_argument("only secondary items have colors");
        const u32 variable = options + static_cast<u32>(color_.size());
        number[{item, color}] = variable;
        color_item_.push_back(item);
        color_.push_back(color);
        item_colors_[item].push_back(variable);
    }
    rows_.holders(first_, held_);
    held_color_.resize(held_.size());
    held_variable_.assign(held_.size(), kNone);
    std::vector<u32> next(first_.begin(), first_.end() - 1);
    for (u32 option = 0; option < options; ++option) {
        meter_.spend(1 + rows_.start[option + 1] - rows_.start[option]);
        for (u32 e = rows_.start[option]; e < rows_.start[option + 1]; ++e) {
            const auto known = number.find({rows_.item[e], rows_.color[e]});
            if (known != number.end()) color_variable_[e] = known->second;
            const u32 place = next[rows_.item[e]]++;
            held_color_[place] = rows_.color[e];
            held_variable_[place] = color_variable_[e];
        }
    }
    for (u32 item = 0; item < rows_.primary && !conflict_.found; ++item) {
        const u32 size = first_[item + 1] - first_[item], low = rows_.low[item];
        if (size < low) note_conflict(kNone, {Why::kItem, item});
        if (size == low)
            for (u32 k = first_[item]; k < first_[item + 1]; ++k) assign(2 * held_[k], {Why::kItem, item});
    }
    settle();
}

// Give a variable the value that makes a literal true; returns whether that is possible.
bool ClauseTrimmer::assign(u32 literal, Reason reason) {
    const u32 variable = literal >> 1;
    const i32 now = value(literal);
    if (now != 0) {
        if (now < 0 && !conflict_.found) note_conflict(variable, reason);
        return now > 0;
    }
    value_[variable] = (literal & 1) != 0 ? -1 : 1;
    reason_[variable] = reason;
    place_[variable] = static_cast<u32>(trail_.size());
    trail_.push_back(variable);
    return true;
}

void ClauseTrimmer::propagate() {
    while (next_ < trail_.size() && !conflict_.found) process(trail_[next_++]);
}

void ClauseTrimmer::process(u32 variable) {
    meter_.spend();
    const bool is_true = value_[variable] > 0;
    if (variable < rows_.options())
        process_option(variable, is_true);
    else
        process_color(variable, is_true);
    if (!conflict_.found) process_clauses(2 * variable + (is_true ? 1 : 0));
}

void ClauseTrimmer::process_option(u32 option, bool chosen) {
    const u32 begin = rows_.start[option], end = rows_.start[option + 1];
    for (u32 e = begin; e < end; ++e) ++(chosen ? taken_ : out_)[rows_.item[e]];  // all of them, so that undo fits
    for (u32 e = begin; e < end && !conflict_.found; ++e) {
        const u32 item = rows_.item[e];
        if (item >= rows_.primary) {
            if (!chosen) continue;
            if (color_variable_[e] != kNone) assign(2 * color_variable_[e], {Why::kVariable, option});
            exclude_others(item, rows_.color[e], option);
            continue;
        }
        const u32 low = rows_.low[item], high = rows_.high[item], size = first_[item + 1] - first_[item];
        const std::span<const u32> held(held_.data() + first_[item], size);
        if (chosen ? taken_[item] == high : size - out_[item] == low) meter_.spend(size);
        if (chosen && taken_[item] == high) {
            for (const u32 other : held)
                if (value_[other] == 0) assign(2 * other + 1, {Why::kFull, item});
        } else if (chosen && taken_[item] > high) {
            note_conflict(option, {Why::kFull, item});
        }
        if (!chosen && size - out_[item] < low) {
            note_conflict(kNone, {Why::kItem, item});
        } else if (!chosen && size - out_[item] == low) {
            for (const u32 other : held)
                if (value_[other] == 0) assign(2 * other, {Why::kItem, item});
        }
    }
}

// Leave out the options that exclude a color of a secondary item, because of a variable.
void ClauseTrimmer::exclude_others(u32 item, u32 color, u32 variable) {
    meter_.spend(first_[item + 1] - first_[item] + item_colors_[item].size());
    for (u32 k = first_[item]; k < first_[item + 1]; ++k)
        if (held_[k] != variable && (color == 0 || held_color_[k] != color))
            assign(2 * held_[k] + 1, {Why::kVariable, variable});
    for (const u32 other : item_colors_[item])
        if (other != variable && (color == 0 || color_[other - rows_.options()] != color))
            assign(2 * other + 1, {Why::kVariable, variable});
}

void ClauseTrimmer::process_color(u32 variable, bool is_true) {
    const u32 item = color_item_[variable - rows_.options()];
    if (is_true) return exclude_others(item, color_[variable - rows_.options()], variable);
    meter_.spend(first_[item + 1] - first_[item]);
    for (u32 k = first_[item]; k < first_[item + 1]; ++k)
        if (held_variable_[k] == variable) assign(2 * held_[k] + 1, {Why::kVariable, variable});
}

// Look at the clauses that watch a literal, which has become false.
void ClauseTrimmer::process_clauses(u32 literal) {
    std::vector<u32> &watching = watches_[literal];
    meter_.spend(watching.size());
    std::size_t kept = 0, k = 0;
    for (; k < watching.size() && !conflict_.found; ++k) {
        const u32 number = watching[k];
        const Clause &clause = clauses_[number];
        if (!clause.live) continue;
        u32 *const literals = literals_.data() + clause.literals;
        if (literals[0] == literal) std::swap(literals[0], literals[1]);
        watching[kept++] = number;
        if (value(literals[0]) > 0) continue;
        u32 other = kLeastWatched;
        while (other < clause.size && value(literals[other]) < 0) ++other;
        if (other < clause.size) {
            std::swap(literals[1], literals[other]);
            watches_[literals[1]].push_back(number);
            --kept;
        } else if (!assign(literals[0], {Why::kClause, clause.lemma})) {
            note_conflict(kNone, {Why::kClause, clause.lemma});
        }
    }
    for (; k < watching.size(); ++k) watching[kept++] = watching[k];
    watching.resize(kept);
}

// Take back all that does not hold for good.
void ClauseTrimmer::undo() {
    for (std::size_t k = trail_.size(); k-- > settled_;) {
        const u32 variable = trail_[k];
        if (k < next_ && variable < rows_.options())
            for (u32 e = rows_.start[variable]; e < rows_.start[variable + 1]; ++e)
                --(value_[variable] > 0 ? taken_ : out_)[rows_.item[e]];
        value_[variable] = 0;
    }
    trail_.resize(settled_);
    next_ = settled_;
    conflict_ = {};
}

// Call mark(variable) for the variables whose values lead to a value of another one, or to a conflict; only those count
// that have a place in the trail before `before`.
template <typename Mark>
void ClauseTrimmer::visit_antecedents(u32 variable, Reason reason, u32 before, Mark mark) {
    const auto visit = [&](u32 other) {
        if (other != variable && value_[other] != 0 && place_[other] < before) mark(other);
    };
    switch (reason.why) {
        case Why::kAssumed:
            return;
        case Why::kItem:
        case Why::kFull:
            meter_.spend(first_[reason.source + 1] - first_[reason.source]);
            for (u32 k = first_[reason.source]; k < first_[reason.source + 1]; ++k)
                if ((value_[held_[k]] > 0) == (reason.why == Why::kFull)) visit(held_[k]);
            return;
        case Why::kVariable:
            return visit(reason.source);
        case Why::kClause: {
            const Lemma &lemma = lemmas_[reason.source];
            meter_.spend(lemma.size);
            for (u32 k = 0; k < lemma.size; ++k) visit(literals_[lemma.literals + k] >> 1);
        }
    }
}

// Note the lemmas that settle a variable, for the lemma that is being made.
void ClauseTrimmer::need_fact(u32 variable) {
    stack_.assign(1, variable);
    while (!stack_.empty()) {
        const u32 one = stack_.back();
        stack_.pop_back();
        if (fact_mark_[one] == round_) continue;
        fact_mark_[one] = round_;
        if (fact_[one] != kNone)
            facts_.push_back(fact_[one]);
        else
            visit_antecedents(one, reason_[one], place_[one], [&](u32 other) { stack_.push_back(other); });
    }
}

// End the lemma whose hints and facts are the last ones; returns its number.
u32 ClauseTrimmer::close_lemma(std::span<const u32> literals) {
    Lemma lemma{static_cast<u32>(literals_.size()), static_cast<u32>(literals.size()), 0, 0, 0, 0};
    if (!lemmas_.empty()) {
        lemma.hints = lemmas_.back().hints + lemmas_.back().hinted;
        lemma.facts = lemmas_.back().facts + lemmas_.back().used;
    }
    lemma.hinted = static_cast<u32>(hints_.size()) - lemma.hints;
    lemma.used = static_cast<u32>(facts_.size()) - lemma.facts;
    if (std::max({literals_.size(), hints_.size(), facts_.size()}) >= kNone / 2) throw std::bad_alloc();
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    lemmas_.push_back(lemma);
    return static_cast<u32>(lemmas_.size()) - 1;
}

// Make a lemma from the conflict at hand.
u32 ClauseTrimmer::explain_conflict(std::span<const u32> literals) {
    ++round_;
    const auto mark = [&](u32 variable) {
        if (place_[variable] < settled_)
            need_fact(variable);
        else
            mark_[variable] = round_;
    };
    if (conflict_.variable != kNone) mark(conflict_.variable);
    visit_antecedents(conflict_.variable, conflict_.reason, kNone, mark);
    for (std::size_t k = trail_.size(); k-- > settled_;)
        if (const u32 variable = trail_[k]; mark_[variable] == round_)
            visit_antecedents(variable, reason_[variable], place_[variable], mark);
    meter_.spend(trail_.size() - settled_);
    const auto hint = [&](Reason reason) {
        if (reason.why == Why::kClause) hints_.push_back(2 * reason.source + 1);
        if (reason.why != Why::kItem || item_mark_[reason.source] == round_) return;
        item_mark_[reason.source] = round_;
        hints_.push_back(2 * reason.source);
    };
    for (std::size_t k = settled_; k < trail_.size(); ++k)
        if (mark_[trail_[k]] == round_) hint(reason_[trail_[k]]);
    hint(conflict_.reason);
    return close_lemma(literals);
}

// Find out what holds for good; what is not excluded by something else becomes a lemma of one literal.
void ClauseTrimmer::settle() {
    propagate();
    for (std::size_t k = settled_; k < trail_.size(); ++k) {
        const u32 variable = trail_[k];
        const Reason reason = reason_[variable];
        if (fact_[variable] != kNone || (reason.why != Why::kItem && reason.why != Why::kClause)) continue;
        ++round_;
        visit_antecedents(variable, reason, place_[variable], [&](u32 other) { need_fact(other); });
        hints_.push_back(2 * reason.source + (reason.why == Why::kClause ? 1 : 0));
        const u32 literal = 2 * variable + (value_[variable] < 0 ? 1 : 0);
        fact_[variable] = close_lemma({&literal, 1});
    }
    settled_ = trail_.size();
    if (!conflict_.found) return;
    explain_conflict({});
    done_ = true;
}

bool ClauseTrimmer::add(std::span<const u32> literals) {
    if (done_) return true;
    for (const u32 literal : literals)
        if (literal >= 2 * variables_) throw std::invalid_argument("there is no such literal");
    for (const u32 literal : literals)
        if (value(literal) > 0) return false;  // it holds for good
    for (const u32 literal : literals)
        if (value(literal) == 0) assign(literal ^ 1, {Why::kAssumed, 0});
    propagate();
    const bool holds = conflict_.found;
    u32 lemma = kNone;
    if (holds) lemma = explain_conflict(literals);
    undo();
    if (!holds) throw std::invalid_argument("a clause does not follow");
    add_clause(lemma);
    return done_;
}

// Keep a lemma as a clause, and draw conclusions if only one of its literals is left.
void ClauseTrimmer::add_clause(u32 number) {
    const Lemma lemma = lemmas_[number];
    u32 *const literals = literals_.data() + lemma.literals;
    const u32 open = static_cast<u32>(
        std::partition(literals, literals + lemma.size, [&](u32 one) { return value(one) == 0; }) - literals);
    if (open >= kLeastWatched) {
        const u32 clause = static_cast<u32>(clauses_.size());
        clauses_.push_back({lemma.literals, lemma.size, number, true});
        watches_[literals[0]].push_back(clause);
        watches_[literals[1]].push_back(clause);
        by_hash_.emplace(hash_of({literals, lemma.size}), clause);
        return;
    }
    if (lemma.size == 1) fact_[literals[0] >> 1] = number;
    assign(literals[0], {Why::kClause, number});
    settle();
}

void ClauseTrimmer::forget(std::span<const u32> literals) {
    std::vector<u32> wanted(literals.begin(), literals.end());
    std::sort(wanted.begin(), wanted.end());
    auto [begin, end] = by_hash_.equal_range(hash_of(literals));
    for (; begin != end; ++begin) {
        Clause &clause = clauses_[begin->second];
        std::vector<u32> known(literals_.begin() + clause.literals, literals_.begin() + clause.literals + clause.size);
        std::sort(known.begin(), known.end());
        if (known != wanted) continue;
        clause.live = false;
        by_hash_.erase(begin);
        return;
    }
}

std::vector<u8> ClauseTrimmer::write(const std::vector<u32> &items, const std::vector<u32> &variables) {
    if (!done_) throw std::invalid_argument("the clauses do not contradict each other");
    if (items.size() != rows_.items || variables.size() != variables_) throw std::invalid_argument("names are missing");
    const u32 size = static_cast<u32>(lemmas_.size());
    std::vector<u8> needed(size, 0), last(hints_.size(), 0), named(size, 0);
    needed.back() = 1;
    for (u32 k = size; k-- > 0;) {
        if (needed[k] == 0) continue;
        const Lemma &lemma = lemmas_[k];
        meter_.spend(1 + lemma.used + lemma.hinted);
        for (u32 j = 0; j < lemma.used; ++j) needed[facts_[lemma.facts + j]] = 1;
        for (u32 j = 0; j < lemma.hinted; ++j) {
            const u32 hint = hints_[lemma.hints + j];
            if ((hint & 1) == 0) continue;
            needed[hint >> 1] = 1;
            last[lemma.hints + j] = named[hint >> 1] == 0;
            named[hint >> 1] = 1;
        }
    }
    std::vector<u8> out;
    std::vector<u32> number(size, kNone);
    u32 written = 0;
    for (u32 k = 0; k < size; ++k) {
        if (needed[k] == 0) continue;
        const Lemma &lemma = lemmas_[k];
        meter_.spend(1 + lemma.size + lemma.hinted);
        append_number(out, lemma.size);
        for (u32 j = 0; j < lemma.size; ++j) {
            const u32 literal = literals_[lemma.literals + j];
            append_number(out, 2 * u64{variables[literal >> 1]} + (literal & 1));
        }
        append_number(out, lemma.hinted);
        for (u32 j = 0; j < lemma.hinted; ++j) {
            const u32 hint = hints_[lemma.hints + j];
            if ((hint & 1) == 0)
                append_number(out, 3 * u64{items[hint >> 1]});
            else
                append_number(out, 3 * u64{written - number[hint >> 1]} + 1 + last[lemma.hints + j]);
        }
        number[k] = written++;
    }
    return out;
}

}  // namespace exactcover
