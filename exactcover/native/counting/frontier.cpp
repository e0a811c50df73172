#include "counting/frontier.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace exactcover {

namespace {

constexpr u32 kMostSlots = 96;   // of which each can have a label and a size
constexpr u32 kMostHeld = 65535;  // the largest size that a state can hold

// Hands out numbers that are in use from one station to another, the lowest free one first.
class Slots {
public:
    u32 take(u32 first, u32 last) {
        for (u32 k = 0; k < until_.size(); ++k)
            if (until_[k] < first) {
                until_[k] = last;
                return k;
            }
        until_.push_back(last);
        return static_cast<u32>(until_.size()) - 1;
    }
    u32 size() const { return static_cast<u32>(until_.size()); }

private:
    std::vector<u32> until_;
};

}  // namespace

Frontier::Frontier(const GraphRule &rule, const Problem &problem, const Layout &layout)
    : rule_(rule), end_of_(rule_.vertices, 0), near_(rule_.vertices), slot_(rule_.vertices, kNone),
      first_(rule_.vertices, kNone), mark_(rule_.elements.size(), kNone), station_(layout.option.size()),
      turns_on_(layout.option.size()) {
    const u32 stations = static_cast<u32>(layout.stations.size());
    std::vector<u32> place(problem.options, kNone), station(problem.options, kNone);
    for (u32 s = 0; s < stations; ++s)
        for (u32 p = layout.stations[s].first; p < layout.stations[s].last; ++p) {
            station_[p] = s;
            place[layout.option[p]] = p;
            station[layout.option[p]] = s;
        }
    for (u32 e = 0; e < rule_.elements.size(); ++e)
        for (u32 option : rule_.switches[e])
            if (place[option] != kNone) turns_on_[place[option]].push_back(e);
    for (u32 v = 0; v < rule_.partners.size(); ++v)
        if (rule_.partners[v] != kNone) {
            end_of_[v] = static_cast<u8>(ends_.size());
            ends_.push_back(v);
        }
    for (const auto &[a, b] : rule_.neighbors) {
        near_[a].push_back(b);
        near_[b].push_back(a);
    }
    const std::vector<Span> spans = span_elements(station);
    place_vertices(spans, stations);
    if (slots_ > kMostSlots || ends_.size() + slots_ + kFirst > 255 || rule_.sizes.size() > 255)
        throw TooLarge("a sweep supports rules with at most " + std::to_string(kMostSlots) +
                       " vertices at a time, and 255 colors; a rule needs more");
    for (const auto &[low, high] : rule_.sizes)
        if (low > kMostHeld || (high != kNone && high > kMostHeld)) throw TooLarge("a region is too large for a sweep");
    if (rule_.kind == GraphRule::kRegions) {
        flags_ = 4 * slots_;
        bytes_ = flags_ + static_cast<u32>(rule_.sizes.size());
        return;
    }
    place_marks(spans, stations);
    flags_ = slots_ + (marks_ + 7) / 8;
    bytes_ = flags_ + (rule_.kind == GraphRule::kLoop || rule_.free_paths > 0 ? 1 : 0);
    if (rule_.free_paths > 255) throw TooLarge("a sweep supports at most 255 paths between free ends");
}

// The stations at which each element can be turned on; those that are on in any case are so from the beginning.
std::vector<Frontier::Span> Frontier::span_elements(const std::vector<u32> &station) const {
    std::vector<Span> spans(rule_.elements.size());
    for (u32 e = 0; e < spans.size(); ++e)
        for (u32 option : rule_.switches[e])
            if (station[option] != kNone) spans[e].add(station[option]);
    for (u32 e : rule_.lit) spans[e].add(0);
    return spans;
}

void Frontier::place_vertices(const std::vector<Span> &spans, u32 stations) {
    const bool regions = rule_.kind == GraphRule::kRegions;
    std::vector<Span> touched(rule_.vertices);
    for (u32 e = 0; e < spans.size(); ++e) {
        if (!spans[e].used()) continue;
        const auto [a, b] = rule_.elements[e];
        for (u32 v : regions ? std::vector<u32>{a} : std::vector<u32>{a, b}) {
            touched[v].add(spans[e].first);
            touched[v].add(spans[e].last);
        }
    }
    std::vector<Span> seen = touched;  // a region also looks at the vertex when a neighbor joins it
    for (u32 v = 0; v < rule_.vertices && regions; ++v)
        for (u32 other : near_[v])
            if (touched[v].used() && touched[other].used()) seen[v].add(std::max(touched[v].first, touched[other].last));
    std::vector<u32> order;
    for (u32 v = 0; v < rule_.vertices; ++v) {
        // An end at which nothing can be on fails when it leaves.
        if (!seen[v].used() && v < rule_.partners.size() && rule_.partners[v] != kNone) seen[v].add(0);
        if (seen[v].used()) order.push_back(v);
    }
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return seen[a].first < seen[b].first; });
    leaving_.resize(std::max(1u, stations));
    Slots slots;
    for (u32 v : order) {
        first_[v] = seen[v].first;
        slot_[v] = slots.take(seen[v].first, seen[v].last);
        leaving_[seen[v].last].push_back(v);
    }
    slots_ = slots.size();
}

// Each edge has a bit that says that it is on, so that it is counted once where several options turn it on.
void Frontier::place_marks(const std::vector<Span> &spans, u32 stations) {
    std::vector<u32> order;
    for (u32 e = 0; e < spans.size(); ++e)
        if (spans[e].used()) order.push_back(e);
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return spans[a].first < spans[b].first; });
    fading_.resize(std::max(1u, stations));
    Slots bits;
    for (u32 e : order) {
        mark_[e] = bits.take(spans[e].first, spans[e].last);
        fading_[spans[e].last].push_back(mark_[e]);
    }
    marks_ = bits.size();
}

bool Frontier::begin(u8 *state) const {
    return std::all_of(rule_.lit.begin(), rule_.lit.end(), [&](u32 element) { return turn_on(state, element, 0); });
}

bool Frontier::choose(u8 *state, u32 place) const {
    const auto &elements = turns_on_[place];
    return std::all_of(elements.begin(), elements.end(),
                       [&](u32 element) { return turn_on(state, element, station_[place]); });
}

bool Frontier::turn_on(u8 *state, u32 element, u32 station) const {
    const auto [a, b] = rule_.elements[element];
    if (rule_.kind == GraphRule::kRegions) return color(state, a, b, station);
    u8 &byte = state[slots_ + mark_[element] / 8];
    const u8 bit = static_cast<u8>(1u << mark_[element] % 8);
    if (byte & bit) return true;
    byte |= bit;
    return join(state, a, b);
}

bool Frontier::leave(u8 *state, u32 station) const {
    const bool regions = rule_.kind == GraphRule::kRegions;
    for (u32 v : leaving_[station])
        if (!(regions ? leave_region(state, v) : leave_path(state, v))) return false;
    if (regions && !leaving_[station].empty()) renumber(state);
    if (!regions)
        for (u32 mark : fading_[station]) state[slots_ + mark / 8] &= static_cast<u8>(~(1u << mark % 8));
    return true;
}

bool Frontier::end(const u8 *state) const {
    switch (rule_.kind) {
        case GraphRule::kLoop: return rule_.or_none || state[flags_] != 0;
        case GraphRule::kPaths: return rule_.free_paths == 0 || state[flags_] == rule_.free_paths;
        default: break;
    }
    for (u32 c = 0; c < rule_.sizes.size(); ++c)
        if (rule_.sizes[c].first > 0 && state[flags_ + c] == 0) return false;
    return true;
}

// Turn on an edge: the paths that end at its vertices become one.
bool Frontier::join(u8 *state, u32 a, u32 b) const {
    const bool loop = rule_.kind == GraphRule::kLoop;
    if (loop && flag(state, 0)) return false;  // it is closed already
    const u8 here = static_cast<u8>(kFirst + slot_[a]), there = static_cast<u8>(kFirst + slot_[b]);
    u8 &one = state[slot_[a]], &other = state[slot_[b]];
    for (const auto &[vertex, mate] : {std::pair<u32, u8>{a, one}, {b, other}})
        if (mate == kDone || (mate != kUntouched && !loop && rule_.partners[vertex] != kNone)) return false;
    if (one == there) {
        if (!loop) return false;
        one = other = kDone;
        flag(state, 0) = 1;
        return std::all_of(state, state + slots_, [](u8 mate) { return mate <= kDone; });
    }
    const u8 from = one == kUntouched ? here : one, to = other == kUntouched ? there : other;
    if (one != kUntouched) one = kDone;
    if (other != kUntouched) other = kDone;
    return connect(state, from, to);
}

// Make a path from its two tips, which are slots or have left the frontier.
bool Frontier::connect(u8 *state, u8 a, u8 b) const {
    const auto on_frontier = [&](u8 tip) { return tip >= kFirst && tip < kFirst + slots_; };
    if (!on_frontier(a) && !on_frontier(b)) return agree(state, a, b);
    if (on_frontier(a)) state[a - kFirst] = b;
    if (on_frontier(b)) state[b - kFirst] = a;
    return true;
}

// Whether a path may have these two tips, both of which have left the frontier.
bool Frontier::agree(u8 *state, u8 a, u8 b) const {
    if (a == kFreeEnd && b == kFreeEnd) return rule_.free_paths > 0 && flag(state, 0)++ < rule_.free_paths;
    if (a == kFreeEnd) std::swap(a, b);
    const u32 partner = rule_.partners[ends_[a - kFirst - slots_]];
    return b == kFreeEnd ? partner == GraphRule::kAny : partner == ends_[b - kFirst - slots_];
}

bool Frontier::leave_path(u8 *state, u32 vertex) const {
    const u8 mate = state[slot_[vertex]];
    const bool named = rule_.kind == GraphRule::kPaths && rule_.partners[vertex] != kNone;
    state[slot_[vertex]] = kUntouched;
    if (mate <= kDone) return !named;
    if (rule_.kind == GraphRule::kLoop) return false;
    const u8 tip = named ? static_cast<u8>(kFirst + slots_ + end_of_[vertex]) : u8{kFreeEnd};
    if (!named && rule_.free_paths == 0 &&
        std::find(rule_.partners.begin(), rule_.partners.end(), GraphRule::kAny) == rule_.partners.end())
        return false;
    return connect(state, mate, tip);
}

// Give a vertex the color of a region, and join what hangs together.
bool Frontier::color(u8 *state, u32 vertex, u32 color, u32 station) const {
    u8 &mine = state[slot_[vertex]];
    const u8 shade = static_cast<u8>(color + 1);
    if (mine != 0) return colors(state)[mine - 1] == shade;
    if (flag(state, color)) return false;  // its region is closed
    const auto [low, high] = rule_.sizes[color];
    std::array<bool, kMostSlots + 1> taken{};
    for (u32 s = 0; s < slots_; ++s) taken[state[s]] = true;
    u32 label = 1;
    while (taken[label]) ++label;
    u32 total = rule_.weights[vertex];
    mine = static_cast<u8>(label);
    colors(state)[label - 1] = shade;
    for (u32 other : near_[vertex]) {
        if (first_[other] == kNone || first_[other] > station) continue;
        const u8 old = state[slot_[other]];
        if (old == 0 || old == label || colors(state)[old - 1] != shade) continue;
        total += size(state, old - 1u);
        colors(state)[old - 1] = 0;
        set_size(state, old - 1u, 0);
        std::replace(state, state + slots_, old, static_cast<u8>(label));
    }
    if (high != kNone && total > high) return false;
    set_size(state, label - 1, high == kNone ? std::min(total, low) : total);
    renumber(state);
    return true;
}

bool Frontier::leave_region(u8 *state, u32 vertex) const {
    const u8 label = state[slot_[vertex]];
    state[slot_[vertex]] = 0;
    if (label == 0 || std::find(state, state + slots_, label) != state + slots_) return true;
    const u8 shade = colors(state)[label - 1];
    if (size(state, label - 1u) < rule_.sizes[shade - 1u].first) return false;
    colors(state)[label - 1] = 0;
    set_size(state, label - 1u, 0);
    flag(state, shade - 1u) = 1;
    return std::find(colors(state), colors(state) + slots_, shade) == colors(state) + slots_;
}

// Number the labels in the order of the slots.
void Frontier::renumber(u8 *state) const {
    std::array<u8, kMostSlots + 1> number{};
    std::array<u8, 3 * kMostSlots> old{};
    std::copy(colors(state), colors(state) + 3 * slots_, old.begin());
    std::fill(colors(state), colors(state) + 3 * slots_, u8{0});
    u8 next = 0;
    for (u32 s = 0; s < slots_; ++s) {
        const u8 label = state[s];
        if (label == 0) continue;
        if (number[label] == 0) {
            number[label] = ++next;
            colors(state)[next - 1] = old[label - 1u];
            std::copy_n(old.begin() + slots_ + 2 * (label - 1), 2, sizes(state) + 2 * (next - 1));
        }
        state[s] = number[label];
    }
}

}  // namespace exactcover
