// SPDX-License-Identifier: MIT
// The elimination tree, the structure of the factor's columns, and their blocks.
#include "symbolic.hpp"

#include "ordering.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace saguaro::numa_examples {

namespace {

constexpr index none = std::numeric_limits<index>::max();

/// Of each column the one that it contributes to first: the elimination tree (Liu).
std::vector<index> parents_of(const symmetric_matrix &matrix) {
    const std::size_t n = matrix.n();
    // Columns to the left in each row: the transpose of what is stored.
    std::vector<std::vector<index>> left(n);
    for (std::size_t column = 0; column < n; ++column)
        for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at)
            if (matrix.rows[at] != column)
                left[matrix.rows[at]].push_back(static_cast<index>(column));
    std::vector<index> parents(n, none);
    std::vector<index> shortcut(n, none); // towards the root
    for (index row = 0; row < n; ++row) {
        for (const index column : left[row]) {
            index at = column;
            while (shortcut[at] != none && shortcut[at] != row)
                at = std::exchange(shortcut[at], row);
            if (shortcut[at] == none)
                parents[at] = shortcut[at] = row;
        }
    }
    return parents;
}

/// The columns with children before their parents and each subtree in one piece.
std::vector<index> postorder(const std::vector<index> &parents) {
    const auto n = static_cast<index>(parents.size());
    std::vector<index> first_child(n, none), next_sibling(n, none), roots;
    for (index column = n; column-- > 0;)
        if (parents[column] == none)
            roots.push_back(column);
        else
            next_sibling[column] = std::exchange(first_child[parents[column]], column);
    std::vector<index> order, path;
    while (!roots.empty()) {
        path.push_back(roots.back());
        roots.pop_back();
        while (!path.empty()) {
            const index column = path.back();
            if (const index child = first_child[column]; child != none) {
                first_child[column] = next_sibling[child];
                path.push_back(child);
            } else {
                order.push_back(column);
                path.pop_back();
            }
        }
    }
    return order;
}

/// Rows below the diagonal of each column of the factor, ascending.
std::vector<std::vector<index>> structure(const symmetric_matrix &matrix,
                                          const std::vector<index> &parents) {
    const auto n = static_cast<index>(matrix.n());
    std::vector<std::vector<index>> rows(n);
    for (index column = 0; column < n; ++column) {
        std::vector<index> &mine = rows[column];
        for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at)
            if (matrix.rows[at] > column)
                mine.push_back(matrix.rows[at]);
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    }
    for (index column = 0; column < n; ++column) {
        if (parents[column] == none)
            continue;
        std::vector<index> &of_parent = rows[parents[column]];
        std::vector<index> both;
        // All but the first, which is the parent itself.
        std::set_union(rows[column].begin() + 1, rows[column].end(), of_parent.begin(),
                       of_parent.end(), std::back_inserter(both));
        of_parent = std::move(both);
    }
    return rows;
}

/// Whether two neighbours are better one: if both are small, or if hardly any zeros come in.
bool worth_joining(const supernode &child, const supernode &parent) {
    const std::size_t zeros = child.width() * (parent.height() - child.rows.size());
    const std::size_t joined = (child.width() + parent.width()) * (child.width() + parent.height());
    return child.width() + parent.width() <= 16 || zeros * 20 <= joined;
}

std::vector<supernode> supernodes_of(std::vector<std::vector<index>> rows,
                                     const std::vector<index> &parents) {
    std::vector<supernode> found;
    const auto n = static_cast<index>(parents.size());
    for (index first = 0; first < n;) {
        index last = first + 1;
        while (last < n && parents[last - 1] == last &&
               rows[last - 1].size() == rows[last].size() + 1)
            ++last;
        supernode made = {first, last, std::move(rows[last - 1]), {}, 0};
        while (!found.empty() && parents[found.back().last - 1] == made.first &&
               worth_joining(found.back(), made)) {
            made.first = found.back().first;
            found.pop_back();
        }
        found.push_back(std::move(made));
        first = last;
    }
    return found;
}

} // namespace

symbolic_factor analyze(const symmetric_matrix &matrix) {
    const symmetric_matrix dissected = permuted(matrix, nested_dissection(matrix));
    symbolic_factor made = {permuted(dissected, postorder(parents_of(dissected))), {}, {}, 0};
    const std::vector<index> parents = parents_of(made.matrix);
    made.supernodes = supernodes_of(structure(made.matrix, parents), parents);

    std::vector<index> owner(made.matrix.n());
    for (index s = 0; s < made.supernodes.size(); ++s) {
        supernode &each = made.supernodes[s];
        std::fill(owner.begin() + each.first, owner.begin() + each.last, s);
        each.begin = made.doubles;
        made.doubles += each.height() * each.width();
    }
    for (index s = 0; s < made.supernodes.size(); ++s) {
        const index parent = parents[made.supernodes[s].last - 1];
        (parent == none ? made.roots : made.supernodes[owner[parent]].children).push_back(s);
    }
    return made;
}

} // namespace saguaro::numa_examples
