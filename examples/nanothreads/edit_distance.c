/* SPDX-License-Identifier: MIT */
/*
 * The edit distance of two files: how many bytes must be inserted, deleted or replaced to make one
 * of the other (Levenshtein, 1966).
 *
 *     edit_distance [--check] FILE FILE
 *
 * The table of the distances of all beginnings is cut into tiles. A tile needs the one above it and
 * the one to its left; so each is a nano-thread with two dependences and two successors, and they
 * run as a wave from the upper left corner. --check computes it once more by two loops.
 */
#include <errno.h>
#include <saguaro/nanothreads.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILE = 256 }; /* rows and columns of a tile */

typedef struct text {
    unsigned char *bytes;
    size_t length;
    size_t tiles;
} text;

/* Of the table only the edges of tiles are kept: the row above the tiles that come next in each
 * column, the column to their left in each row, and the corners. */
static text a, b; /* down, across */
static uint32_t *rows, *columns, *corners;

typedef struct tile {
    uint32_t i, j;
    sg_nt *thread;
} tile;

static tile *tiles;

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "edit_distance: no memory for %zu bytes\n", count * size);
        exit(1);
    }
    return memory;
}

static text read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    text t = {NULL, 0, 0};
    size_t room = 0;
    for (size_t more = 1; file != NULL && more > 0; t.length += more) {
        if (t.length == room && (t.bytes = realloc(t.bytes, room += 1 << 20)) == NULL)
            break;
        more = fread(t.bytes + t.length, 1, room - t.length, file);
    }
    if (file == NULL || ferror(file) || t.bytes == NULL) {
        fprintf(stderr, "edit_distance: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    fclose(file);
    t.tiles = (t.length + TILE - 1) / TILE;
    return t;
}

static uint32_t least(uint32_t x, uint32_t y) {
    return x < y ? x : y;
}

/* Turns the row above `count` bytes of b into the row below a's byte x; `corner` is what stands
 * before the row above, `left` what stands before the one below. */
static void next_row(unsigned char x, const unsigned char *y, uint32_t *row, size_t count,
                     uint32_t corner, uint32_t left) {
    for (size_t j = 0; j < count; j++) {
        const uint32_t above = row[j];
        left = least(least(left, above) + 1, corner + (x != y[j]));
        row[j] = left;
        corner = above;
    }
}

static uint32_t *corner_of(size_t i, size_t j) {
    return &corners[i * (b.tiles + 1) + j];
}

static void compute(void *argument) {
    const tile *t = argument;
    const size_t i = (size_t)t->i * TILE, j = (size_t)t->j * TILE;
    const size_t height = i + TILE < a.length ? TILE : a.length - i;
    const size_t width = j + TILE < b.length ? TILE : b.length - j;
    uint32_t corner = *corner_of(t->i, t->j);
    for (size_t k = i; k < i + height; k++) {
        const uint32_t left = columns[k];
        next_row(a.bytes[k], b.bytes + j, rows + j, width, corner, left);
        columns[k] = rows[j + width - 1];
        corner = left;
    }
    *corner_of(t->i + 1, t->j + 1) = columns[i + height - 1];
}

/* The main thread. The last tile is created first: a successor must be there before who has it. */
static void compute_all(void *nothing) {
    (void)nothing;
    sg_nt_expect(1);
    for (size_t i = a.tiles; i-- > 0;) {
        for (size_t j = b.tiles; j-- > 0;) {
            tile *t = &tiles[i * b.tiles + j];
            sg_nt *successors[2];
            size_t count = 0;
            if (i + 1 < a.tiles)
                successors[count++] = t[b.tiles].thread;
            if (j + 1 < b.tiles)
                successors[count++] = t[1].thread;
            if (count == 0)
                successors[count++] = sg_nt_self();
            t->i = (uint32_t)i;
            t->j = (uint32_t)j;
            t->thread =
                sg_nt_create(compute, t, (i > 0 ? 1U : 0U) + (j > 0 ? 1U : 0U), successors, count);
            if (t->thread == NULL) {
                fprintf(stderr, "edit_distance: no memory for a thread\n");
                exit(1);
            }
        }
    }
    sg_nt_join();
}

/* The first row and column of the table: from or to nothing. */
static void begin(void) {
    rows = allocate(b.length, sizeof *rows);
    columns = allocate(a.length, sizeof *columns);
    corners = allocate((a.tiles + 1) * (b.tiles + 1), sizeof *corners);
    tiles = allocate(a.tiles * b.tiles, sizeof *tiles);
    for (size_t j = 0; j < b.length; j++)
        rows[j] = (uint32_t)j + 1;
    for (size_t i = 0; i < a.length; i++)
        columns[i] = (uint32_t)i + 1;
    for (size_t j = 0; j < b.tiles; j++)
        *corner_of(0, j) = (uint32_t)(j * TILE);
    for (size_t i = 0; i < a.tiles; i++)
        *corner_of(i, 0) = (uint32_t)(i * TILE);
}

static uint32_t by_two_loops(void) {
    uint32_t *row = allocate(b.length, sizeof *row);
    for (size_t j = 0; j < b.length; j++)
        row[j] = (uint32_t)j + 1;
    for (size_t i = 0; i < a.length; i++)
        next_row(a.bytes[i], b.bytes, row, b.length, (uint32_t)i, (uint32_t)i + 1);
    const uint32_t distance = row[b.length - 1];
    free(row);
    return distance;
}

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    const int check = argc > 1 && strcmp(argv[1], "--check") == 0;
    if (argc - check != 3) {
        fprintf(stderr, "usage: edit_distance [--check] FILE FILE\n");
        return 2;
    }
    a = read_file(argv[1 + check]);
    b = read_file(argv[2 + check]);
    if (a.length == 0 || b.length == 0) {
        printf("%zu\n", a.length + b.length);
        return 0;
    }
    begin();
    sg_nt_statistics done;
    const double start = seconds();
    const int error = sg_nt_run(NULL, compute_all, NULL, &done);
    const double took = seconds() - start;
    if (error != 0) {
        fprintf(stderr, "edit_distance: %s\n", strerror(error));
        return 1;
    }
    const uint32_t distance = columns[a.length - 1];
    printf("%u\n", distance);
    fprintf(stderr, "%.3f s, %llu threads on %llu stacks\n", took, (unsigned long long)done.created,
            (unsigned long long)done.stacks);
    if (check && by_two_loops() != distance) {
        fprintf(stderr, "edit_distance: wrong: two loops find %u\n", by_two_loops());
        return 1;
    }
    return 0;
}
