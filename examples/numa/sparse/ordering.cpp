// SPDX-License-Identifier: MIT
// Nested dissection by breadth-first search.
#include "ordering.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace saguaro::numa_examples {

namespace {

/// A part of so few vertices is not cut.
constexpr std::size_t smallest = 40;

class dissection {
public:
    explicit dissection(const symmetric_matrix &matrix)
        : begins_(matrix.n() + 1), part_(matrix.n()), level_(matrix.n()) {
        const auto each_edge = [&](auto visit) {
            for (std::size_t column = 0; column < matrix.n(); ++column)
                for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at)
                    if (matrix.rows[at] != column)
                        visit(matrix.rows[at], static_cast<index>(column));
        };
        each_edge([&](index a, index b) {
            ++begins_[std::size_t{a} + 1];
            ++begins_[std::size_t{b} + 1];
        });
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        edges_.resize(begins_.back());
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        each_edge([&](index a, index b) {
            edges_[next[a]++] = b;
            edges_[next[b]++] = a;
        });
    }

    std::vector<index> order() {
        // Parts that still have to be ordered. The last part is taken first and fills the order's
        // end.
        std::vector<index> all(part_.size());
        std::iota(all.begin(), all.end(), index{0});
        std::vector<std::vector<index>> open;
        open.push_back(std::move(all));
        std::vector<index> reversed;
        while (!open.empty()) {
            std::vector<index> part = std::move(open.back());
            open.pop_back();
            if (part.size() > smallest)
                part = cut(part, open);
            reversed.insert(reversed.end(), part.begin(), part.end());
        }
        std::reverse(reversed.begin(), reversed.end());
        return reversed;
    }

private:
    std::span<const index> neighbours(index v) const {
        return std::span(edges_).subspan(begins_[v], begins_[v + std::size_t{1}] - begins_[v]);
    }

    /// The vertices of the part that `source` reaches, level by level; level_ says which.
    std::vector<index> search(index source) {
        const unsigned mine = part_[source];
        const unsigned seen = ++parts_;
        std::vector<index> queue = {source};
        part_[source] = seen;
        level_[source] = 0;
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const index from = queue[head];
            for (const index to : neighbours(from)) {
                if (part_[to] == mine) {
                    part_[to] = seen;
                    level_[to] = level_[from] + 1;
                    queue.push_back(to);
                }
            }
        }
        return queue;
    }

    /// Puts what the cut leaves on both sides into `open`; returns the cut.
    std::vector<index> cut(const std::vector<index> &part, std::vector<std::vector<index>> &open) {
        const unsigned mine = ++parts_;
        for (const index v : part)
            part_[v] = mine;
        std::vector<index> found = search(part.front());
        if (found.size() < part.size()) {
            // Two parts without a cut between them.
            std::vector<index> rest;
            std::copy_if(part.begin(), part.end(), std::back_inserter(rest),
                         [&](index v) { return part_[v] == mine; });
            open.push_back(std::move(rest));
            open.push_back(std::move(found));
            return {};
        }
        // From the farthest vertex there are more levels, and smaller ones.
        for (index depth = 0; level_[found.back()] > depth;) {
            depth = level_[found.back()];
            found = search(found.back());
        }
        return cut_at(found, open);
    }

    /// `found` is in the order of levels.
    std::vector<index> cut_at(const std::vector<index> &found,
                              std::vector<std::vector<index>> &open) {
        const index middle = best_level(found);
        if (middle == 0)
            return found; // hardly any levels: a dense part
        std::vector<index> left, right, between;
        for (const index v : found) {
            const auto is_behind = [&](index to) {
                return part_[to] == part_[v] && level_[to] > middle;
            };
            const std::span<const index> all = neighbours(v);
            if (level_[v] > middle)
                right.push_back(v);
            else if (level_[v] == middle && std::any_of(all.begin(), all.end(), is_behind))
                between.push_back(v);
            else
                left.push_back(v);
        }
        open.push_back(std::move(left));
        open.push_back(std::move(right));
        return between;
    }

    /// The level with the fewest vertices of all that have a quarter of the part on each side; if
    /// there is none, the last one with less than half of the part before it; or else 0.
    index best_level(const std::vector<index> &found) const {
        const index last = level_[found.back()];
        std::vector<std::size_t> sizes(std::size_t{last} + 1);
        for (const index v : found)
            ++sizes[level_[v]];
        index best = 0, median = 0;
        std::size_t before = 0;
        for (index level = 0; level < last; before += sizes[level++]) {
            const std::size_t behind = found.size() - before - sizes[level];
            if (level > 0 && before < found.size() / 2)
                median = level;
            if (before >= found.size() / 4 && behind >= found.size() / 4 &&
                (best == 0 || sizes[level] < sizes[best]))
                best = level;
        }
        return best != 0 ? best : median;
    }

    std::vector<std::size_t> begins_;
    std::vector<index> edges_;
    std::vector<unsigned> part_; // the number of the last part that the vertex was in
    std::vector<index> level_;
    unsigned parts_ = 0;
};

} // namespace

std::vector<index> nested_dissection(const symmetric_matrix &matrix) {
    return dissection(matrix).order();
}

} // namespace saguaro::numa_examples
