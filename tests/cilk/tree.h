/* SPDX-License-Identifier: MIT */
/*
 * Trees of calls and spawns, for random_trees_test.cpp and the clones in tree_clones.c.
 *
 * A node says with which construct its children are run. Running a node enters it in the record,
 * runs the children in order with an entry before each, and makes a last entry; its value is
 * tree_combine of its number and the children's values. The serial walk gives the record that any
 * run must give.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a clone comes to a child. A node has one edge of the kind tree_spawn_result at most: the
 * frame has one place for a child's result. */
enum tree_how {
    tree_call,         /* a call of the fast clone */
    tree_spawn_into,   /* a spawn of a clone that stores the value through a pointer */
    tree_spawn_result, /* a spawn of the fast clone, the value is the child's result */
    tree_how_many
};

/* The construct of a node. */
enum tree_construct {
    tree_clones, /* the C entry points: tree_clones.c */
    tree_serial, /* calls, from C++ */
    tree_invoke, /* parallel_invoke */
    tree_scope,  /* scope.spawn */
    tree_loop,   /* parallel_for */
    tree_reduce, /* parallel_reduce */
    tree_constructs
};

struct tree_node;

struct tree_edge {
    const struct tree_node *child;
    enum tree_how how;
    int sync_after; /* not 0: the node syncs behind this child */
};

struct tree_node {
    enum tree_construct construct;
    int number; /* unlike any other node's of the tree */
    int edge_count;
    const struct tree_edge *edges;
};

/* Where in a node an entry is made: before the child i, or one of these. */
enum { tree_at_start = 1000, tree_at_end = 1001 };

/* Makes an entry in the record, and perhaps lets a thief come. */
void tree_enter(const struct tree_node *node, int where);

/* Behind a sync: the values of the children 0 to `last` must be there. */
void tree_check_synced(const struct tree_node *node, const uint64_t *values, int last);

/* A clone whose frame is gone is about to return: perhaps what became of it is to end before its
 * callers look. Returns 1. */
int tree_unwinds(void);

/* The value of a node whose children have these values. Never 0. */
uint64_t tree_combine(const struct tree_node *node, const uint64_t *values);

/* Runs a node of any construct: an ordinary function, called from anywhere. */
uint64_t tree_run(const struct tree_node *node);

/* The ordinary entry of the clones. */
uint64_t tree_run_clones(const struct tree_node *node);

#ifdef __cplusplus
}
#endif
