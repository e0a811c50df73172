#include "symmetry/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace exactcover {

namespace {

u64 mix(u64 hash, u64 value) {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 29;
}

}  // namespace

Graph::Graph(const Rows &rows, const std::vector<u32> &given) : items(rows.items), options(rows.options()) {
    if (!given.empty() && given.size() != options) throw std::invalid_argument("there must be a kind for each option");
    std::unordered_map<u64, u32> pairs;
    std::vector<u32> pair_item, ends(rows.item.size());
    for (std::size_t k = 0; k < rows.item.size(); ++k) {
        ends[k] = rows.item[k];
        if (rows.color[k] == 0) continue;
        const auto [place, fresh] = pairs.try_emplace(u64{rows.item[k]} << 32 | rows.color[k],
                                                      static_cast<u32>(items + options + pair_item.size()));
        if (fresh) pair_item.push_back(rows.item[k]);
        ends[k] = place->second;
    }
    vertices = static_cast<u32>(items + options + pair_item.size());
    first.assign(vertices + 1, 0);
    const auto each_edge = [&](auto use) {
        for (u32 option = 0; option < options; ++option)
            for (u32 k = rows.start[option]; k < rows.start[option + 1]; ++k) use(items + option, ends[k]);
        for (u32 k = 0; k < pair_item.size(); ++k) use(items + options + k, pair_item[k]);
    };
    each_edge([&](u32 one, u32 other) { ++first[one + 1], ++first[other + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    near.resize(first.back());
    std::vector<u32> place(first.begin(), first.end() - 1);
    each_edge([&](u32 one, u32 other) {
        near[place[one]++] = other;
        near[place[other]++] = one;
    });
    using Kind = std::tuple<u32, u32, u32, u32>;
    std::map<Kind, u32> numbers;
    std::vector<Kind> wanted;
    for (u32 item = 0; item < items; ++item)
        wanted.push_back(item < rows.primary ? Kind{0, rows.low[item], rows.high[item], 0} : Kind{1, 0, 0, 0});
    for (u32 option = 0; option < options; ++option) wanted.emplace_back(2, given.empty() ? 0 : given[option], 0, 0);
    wanted.resize(vertices, Kind{3, 0, 0, 0});
    auto known = numbers.end();  // of the last one, because many in a row are alike
    const auto find = [&](const Kind &one) {
        if (known == numbers.end() || known->first != one) known = numbers.try_emplace(one).first;
        return known;
    };
    for (const Kind &one : wanted) ++find(one)->second;
    u32 next = 0;
    for (auto &[one, number] : numbers) {
        const auto &[what, low, high, extra] = one;
        kinds.insert(kinds.end(), {what, low, high, extra, number});
        number = next++;
    }
    for (const Kind &one : wanted) kind.push_back(find(one)->second);
}

void Work::spend(u64 amount) {
    if (amount > left) throw OutOfWork();
    left -= amount;
    meter.spend(amount);
}

Partition::Partition(const Graph &graph, Work &work)
    : graph_(graph), work_(work), order_(graph.vertices), place_(graph.vertices), start_(graph.vertices),
      size_(graph.vertices), open_(graph.vertices - graph.options), queued_(graph.vertices), count_(graph.vertices),
      hits_(graph.vertices) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](u32 a, u32 b) { return graph.kind[a] < graph.kind[b]; });
    for (u32 place = 0; place < graph.vertices; ++place) {
        const u32 vertex = order_[place];
        const bool fresh = place == 0 || graph.kind[order_[place - 1]] != graph.kind[vertex];
        place_[vertex] = place;
        start_[vertex] = fresh ? place : start_[order_[place - 1]];
        ++size_[start_[vertex]];
        if (fresh) {
            ++cells_;
            open_ -= !graph.is_option(vertex);
            enqueue(place);
        }
    }
    Trace trace;
    refine(trace, nullptr);
    cuts_.clear();
    parents_.clear();
}

u32 Partition::smallest_cell() const {
    u32 best = kNone;
    for (u32 cell = 0; cell < order_.size(); cell += size_[cell]) {
        work_.meter.spend();
        if (size_[cell] == 1 || (best != kNone && size_[cell] >= size_[best])) continue;
        best = cell;
        if (size_[cell] == 2) break;
    }
    return best;
}

std::vector<u32> Partition::members(u32 cell) const {
    std::vector<u32> members(order_.begin() + cell, order_.begin() + cell + size_[cell]);
    std::sort(members.begin(), members.end());
    return members;
}

void Partition::enqueue(u32 cell) {
    if (queued_[cell] != 0) return;
    queued_[cell] = 1;
    queue_.push_back(cell);
}

// Cut a cell in two before a place.
void Partition::cut(u32 cell, u32 place) {
    size_[place] = cell + size_[cell] - place;
    size_[cell] = place - cell;
    work_.spend(size_[place]);
    for (u32 k = place; k < place + size_[place]; ++k) start_[order_[k]] = place;
    cuts_.push_back(place);
    parents_.push_back(cell);
    ++cells_;
    open_ -= !graph_.is_option(order_[place]);
}

void Partition::restore(u32 cells) {
    while (cells_ > cells) {
        const u32 cell = cuts_.back(), parent = parents_.back();
        cuts_.pop_back();
        parents_.pop_back();
        for (u32 k = cell; k < cell + size_[cell]; ++k) start_[order_[k]] = parent;
        size_[parent] += size_[cell];
        --cells_;
        open_ += !graph_.is_option(order_[cell]);
    }
}

bool Partition::individualize(u32 vertex, Trace &trace, const Trace *expected) {
    const u32 cell = start_[vertex], last = cell + size_[cell] - 1, other = order_[last];
    std::swap(order_[last], order_[place_[vertex]]);
    std::swap(place_[vertex], place_[other]);
    cut(cell, last);
    enqueue(last);
    return refine(trace, expected);
}

bool Partition::refine(Trace &trace, const Trace *expected) {
    bool same = true;
    while (head_ < queue_.size() && same && !discrete()) {
        const u32 cell = queue_[head_++];
        queued_[cell] = 0;
        if (open_ == 0 && graph_.is_option(order_[cell])) continue;  // nothing that it is joined to can be split
        splitter_.assign(order_.begin() + cell, order_.begin() + cell + size_[cell]);
        trace.push_back(mix(cell, splitter_.size()));
        same = split_by_splitter(trace, expected);
    }
    while (head_ < queue_.size()) queued_[queue_[head_++]] = 0;
    queue_.clear();
    head_ = 0;
    return same && (expected == nullptr || trace.size() == expected->size());
}

// Split all cells by the numbers of neighbors that their vertices have in the splitter.
bool Partition::split_by_splitter(Trace &trace, const Trace *expected) {
    u64 visited = splitter_.size();
    for (const u32 vertex : splitter_) visited += graph_.neighbors(vertex).size();
    work_.spend(visited);
    touched_.clear();
    for (const u32 vertex : splitter_)
        for (const u32 near : graph_.neighbors(vertex))
            if (count_[near]++ == 0) touched_.push_back(near);
    touched_cells_.clear();
    u64 hash = 0;  // a sum, because the vertices come in any order
    for (const u32 vertex : touched_) {  // move what was touched to the end of its cell
        const u32 cell = start_[vertex];
        if (size_[cell] == 1) {
            hash += mix(cell, count_[vertex]);
            continue;
        }
        if (hits_[cell]++ == 0) touched_cells_.push_back(cell);
        const u32 to = cell + size_[cell] - hits_[cell], from = place_[vertex], other = order_[to];
        order_[to] = vertex;
        order_[from] = other;
        place_[vertex] = to;
        place_[other] = from;
    }
    std::sort(touched_cells_.begin(), touched_cells_.end());
    for (const u32 cell : touched_cells_) {
        const u32 hits = hits_[cell];
        hits_[cell] = 0;
        hash += mix(cell, split(cell, hits));
    }
    for (const u32 vertex : touched_) count_[vertex] = 0;
    trace.push_back(hash);
    if (expected == nullptr) return true;
    return trace.size() <= expected->size() && trace[trace.size() - 1] == (*expected)[trace.size() - 1] &&
           trace[trace.size() - 2] == (*expected)[trace.size() - 2];
}

// Split one cell, whose last vertices were touched; returns a hash of what was found.
u64 Partition::split(u32 cell, u32 hits) {
    const u32 end = cell + size_[cell], begin = end - hits;
    const auto by_count = [&](u32 a, u32 b) { return count_[a] < count_[b]; };
    if (!std::is_sorted(order_.begin() + begin, order_.begin() + end, by_count)) {
        std::sort(order_.begin() + begin, order_.begin() + end, by_count);
        for (u32 k = begin; k < end; ++k) place_[order_[k]] = k;
    }
    u64 hash = mix(size_[cell], hits);
    const bool queued = queued_[cell] != 0;
    u32 largest = cell, most = begin - cell, part = begin > cell ? begin : cell;
    fresh_.clear();
    for (u32 k = begin; k < end; ++k) {
        const bool starts = k == begin || count_[order_[k]] != count_[order_[k - 1]];
        if (starts) {
            hash = mix(mix(hash, k), count_[order_[k]]);
            if (k > cell) fresh_.push_back(k);
            part = k;
        }
        if (k + 1 - part > most) {
            most = k + 1 - part;
            largest = part;
        }
    }
    if (fresh_.empty()) return hash;
    for (std::size_t k = fresh_.size(); k-- > 0;) cut(cell, fresh_[k]);
    if (!queued && largest != cell) enqueue(cell);
    for (const u32 place : fresh_)
        if (queued || place != largest) enqueue(place);
    return hash;
}

}  // namespace exactcover
