// SPDX-License-Identifier: MIT
// Building sparse symmetric matrices from entries, stencils and names.
#include "symmetric.hpp"

#include "memory.hpp"

#include <pbfs/fault.hpp>
#include <pbfs/matrix_market.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <system_error>

namespace saguaro::numa_examples {

namespace {

struct entry {
    index row;
    index column;
    double value;
};

/// Entries of either triangle, each position once.
symmetric_matrix from_entries(std::size_t n, const std::vector<entry> &entries) {
    symmetric_matrix made;
    made.begins.assign(n + 1, 0);
    for (const entry &e : entries)
        ++made.begins[std::size_t{std::min(e.row, e.column)} + 1];
    std::partial_sum(made.begins.begin(), made.begins.end(), made.begins.begin());
    std::vector<entry> sorted(entries.size());
    std::vector<std::size_t> next(made.begins.begin(), made.begins.end() - 1);
    for (const entry &e : entries) {
        const index column = std::min(e.row, e.column);
        sorted[next[column]++] = {std::max(e.row, e.column), column, e.value};
    }
    for (std::size_t column = 0; column < n; ++column)
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(made.begins[column]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(made.begins[column + 1]),
                  [](const entry &a, const entry &b) { return a.row < b.row; });
    for (const entry &e : sorted) {
        made.rows.push_back(e.row);
        made.values.push_back(e.value);
    }
    return made;
}

/// A grid of k points in each of the dimensions: 2 for each of them on the diagonal, -1 for each
/// neighbour.
symmetric_matrix laplacian(index k, unsigned dimensions) {
    index n = 1;
    for (unsigned d = 0; d < dimensions; ++d)
        n *= k;
    std::vector<entry> entries;
    for (index point = 0; point < n; ++point) {
        entries.push_back({point, point, 2.0 * dimensions});
        index stride = 1;
        for (unsigned d = 0; d < dimensions; ++d, stride *= k)
            if (point / stride % k + 1 < k)
                entries.push_back({point + stride, point, -1});
    }
    return from_entries(n, entries);
}

/// A generated matrix; nothing if the name asks for none.
std::optional<symmetric_matrix> generated(const std::string &name) {
    struct kind {
        const char *prefix;
        unsigned dimensions;
        index most;
    };
    for (const kind &each : {kind{"grid2d:", 2, 4000}, kind{"grid3d:", 3, 250}}) {
        const std::string prefix = each.prefix;
        if (!name.starts_with(prefix))
            continue;
        index k = 0;
        const char *const end = name.data() + name.size();
        const auto [stopped, error] = std::from_chars(name.data() + prefix.size(), end, k);
        if (error != std::errc() || stopped != end || k < 1 || k > each.most)
            throw fault(name + ": accepted is " + prefix + "K with K from 1 to " +
                        std::to_string(each.most));
        return laplacian(k, each.dimensions);
    }
    return std::nullopt;
}

symmetric_matrix read(const std::string &name) {
    const pbfs::coordinate_matrix file = pbfs::read_symmetric_matrix(name, "grid2d:K or grid3d:K");
    std::vector<entry> entries;
    for (std::size_t i = 0; i < file.entries.size(); ++i)
        entries.push_back({file.entries[i].from, file.entries[i].to, file.values[i]});
    symmetric_matrix made = from_entries(file.side, entries);
    for (std::size_t column = 0; column < made.n(); ++column)
        for (std::size_t at = made.begins[column] + 1; at < made.begins[column + 1]; ++at)
            if (made.rows[at] == made.rows[at - 1])
                throw fault(name + ": row " + std::to_string(made.rows[at] + 1) + ", column " +
                            std::to_string(column + 1) +
                            " is given twice; accepted: each entry once");
    return made;
}

} // namespace

symmetric_matrix symmetric_by_name(const std::string &name) {
    if (std::optional<symmetric_matrix> made = generated(name))
        return *std::move(made);
    return read(name);
}

symmetric_matrix permuted(const symmetric_matrix &matrix, const std::vector<index> &order) {
    std::vector<index> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[order[i]] = static_cast<index>(i);
    std::vector<entry> entries;
    for (std::size_t column = 0; column < matrix.n(); ++column)
        for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at)
            entries.push_back({place[matrix.rows[at]], place[column], matrix.values[at]});
    return from_entries(matrix.n(), entries);
}

std::vector<double> product(const symmetric_matrix &matrix, const std::vector<double> &x) {
    std::vector<double> result(x.size());
    for (std::size_t column = 0; column < matrix.n(); ++column) {
        for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at) {
            const index row = matrix.rows[at];
            result[row] += matrix.values[at] * x[column];
            if (row != column)
                result[column] += matrix.values[at] * x[row];
        }
    }
    return result;
}

} // namespace saguaro::numa_examples
