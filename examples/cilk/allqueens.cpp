// SPDX-License-Identifier: MIT
//
// All ways to place N queens on a board: a reducer that appends. Children find solutions side by
// side, and the list has them in the order of the serial program, whichever worker found which.
#include "example.h"

#include <cilk/cilk.h>
#include <cilk/reducer_list.h>

#include <cstdlib>
#include <list>
#include <string>
#include <vector>

namespace {

using board = std::vector<int>; // of each row that has a queen: its column
using solutions = cilk::reducer<cilk::op_list_append<board>>;

bool is_safe(const board &rows, int column) {
    const int row = static_cast<int>(rows.size());
    for (int r = 0; r < row; r++)
        if (const int c = rows[static_cast<std::size_t>(r)];
            c == column || std::abs(c - column) == row - r)
            return false;
    return true;
}

// `rows` is a child's own copy: its parent goes on to the next column.
void place(board rows, int size, solutions &found) {
    if (static_cast<int>(rows.size()) == size) {
        found->push_back(rows);
        return;
    }
    for (int column = 0; column < size; column++) {
        if (!is_safe(rows, column))
            continue;
        rows.push_back(column);
        cilk_spawn place(rows, size, found);
        rows.pop_back();
    }
}

bool are_in_order(const std::list<board> &all, int size) {
    const board *before = nullptr;
    for (const board &b : all) {
        board rows;
        for (int column : b) {
            if (!is_safe(rows, column))
                return false;
            rows.push_back(column);
        }
        if (static_cast<int>(rows.size()) != size || (before != nullptr && !(*before < b)))
            return false;
        before = &b;
    }
    return true;
}

std::string text_of(const board &rows) {
    std::string text;
    for (int column : rows)
        text += ' ' + std::to_string(column + 1);
    return text;
}

} // namespace

int main(int argc, char *argv[]) {
    static const example program = {"allqueens",
                                    "all ways to place queens that do not attack each other",
                                    {"N", "the side of the board", 10, 1, 14},
                                    {}};
    const example_run run = example_begin(argc, argv, &program);
    const int size = static_cast<int>(run.size);
    solutions found;
    const double begin = example_seconds();
    place({}, size, found);
    const double seconds = example_seconds() - begin;
    const std::list<board> &all = found.get_value();
    return example_end(&run, seconds, !run.check || are_in_order(all, size),
                       "%zu solutions, the last one is%s", all.size(),
                       all.empty() ? " none" : text_of(all.back()).c_str());
}
