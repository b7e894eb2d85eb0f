// SPDX-License-Identifier: MIT
//
// n-queens as a translator would write it. Boards and counts have their addresses taken across
// spawns, so they live in a block, and the frame holds its address:
//
//     void place(int n, int row, const signed char *board, int *solutions) {
//         if (row == n) { *solutions = 1; return; }
//         signed char boards[MAX][MAX];
//         int counts[MAX];
//         for (int column = 0; column < n; column++) {
//             memcpy(boards[column], board, row);
//             boards[column][row] = column;
//             counts[column] = 0;
//             if (safe(row + 1, boards[column]))
//                 spawn place(n, row + 1, boards[column], &counts[column]);
//         }
//         sync;
//         *solutions = sum of counts;
//     }
//
// Whoever includes this defines the function's name, `nqueens_by_clones`; QUEENS_MAX, the largest
// board; and queens_are_safe(rows, board): whether no two queens in the first rows attack each
// other.
#pragma once

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

#include <string.h>

struct place_block {
    signed char boards[QUEENS_MAX][QUEENS_MAX];
    int counts[QUEENS_MAX];
};

struct place_frame {
    sg_frame head;
    const signed char *board;
    int *solutions;
    struct place_block *block;
    int n;
    int row;
    int column;
};

static void place_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define PLACE_SITE(frames, where)                                                                  \
    {.kind = &frames,                                                                              \
     .code = place_slow,                                                                           \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct place_frame),                                                     \
     .frame_size = sizeof(struct place_frame)}

static const sg_site fast_spawn = PLACE_SITE(sg_spawned_frames, 1);
static const sg_site slow_spawn = PLACE_SITE(sg_full_frames, 1);
static const sg_site slow_sync = PLACE_SITE(sg_full_frames, 2);

// Whether the square is safe; the child's board is then in the block.
static inline int try_square(struct place_frame *f) {
    signed char *child = f->block->boards[f->column];
    memcpy(child, f->board, (size_t)f->row);
    child[f->row] = (signed char)f->column;
    f->block->counts[f->column] = 0;
    return queens_are_safe(f->row + 1, child);
}

static inline void end_of_place(struct place_frame *f) {
    int sum = 0;
    for (int column = 0; column < f->n; column++)
        sum += f->block->counts[column];
    *f->solutions = sum;
    sg_block_free(f->block);
}

static void place_fast(sg_deque *deque, sg_frame **tail, int n, int row, const signed char *board,
                       int *solutions) {
    if (row == n) {
        *solutions = 1;
        return;
    }
    struct place_frame f = {.board = board, .solutions = solutions, .n = n, .row = row};
    f.block = sg_block_new(sizeof *f.block);
    f.head.site = &fast_spawn;
    for (f.column = 0; f.column < n; f.column++) {
        if (try_square(&f)) {
            sg_push(tail, &f.head);
            place_fast(deque, tail + 1, n, row + 1, f.block->boards[f.column],
                       &f.block->counts[f.column]);
            if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
                return;
        }
    }
    end_of_place(&f);
}

static void place_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct place_frame *f = (struct place_frame *)frame;
    switch (f->head.site->entry) {
    case 1:
        for (f->column++; f->column < f->n; f->column++) {
            if (try_square(f)) {
                f->head.site = &slow_spawn;
                // Before the push: a thief goes on with this very frame.
                int n = f->n, row = f->row;
                const signed char *board = f->block->boards[f->column];
                int *solutions = &f->block->counts[f->column];
                sg_push(tail, &f->head);
                place_fast(deque, tail + 1, n, row + 1, board, solutions);
                if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
                    return;
            }
        }
        if (sg_sync(deque, &f->head, &slow_sync))
            return;
        // Fall through.
    default:
        end_of_place(f);
        sg_return(deque, &f->head, NULL);
    }
}

static void call_nqueens(void *argument) {
    int *n = argument;
    *n = nqueens_by_clones(*n);
}

int nqueens_by_clones(int n) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        sg_run(call_nqueens, &n);
        return n;
    }
    signed char board[QUEENS_MAX] = {0};
    int solutions;
    place_fast(deque, tail, n, 0, board, &solutions);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
    return solutions;
}
