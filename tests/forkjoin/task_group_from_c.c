/* SPDX-License-Identifier: MIT */
/* Tasks that run tasks, in C. */
#include "task_group_from_c.h"

#include "saguaro/saguaro.h"
#include "saguaro/task_group.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

struct tree {
    sg_task_group *group;
    atomic_long nodes;
    atomic_int errors;
    struct level {
        struct tree *of;
        int left;
    } levels[16];
};

static void visit(void *argument) {
    const struct level *here = argument;
    struct tree *tree = here->of;
    atomic_fetch_add(&tree->nodes, 1);
    if (here->left == 0)
        return;
    for (int i = 0; i < 3; ++i)
        if (sg_task_group_run(tree->group, visit, &tree->levels[here->left - 1]) != 0)
            atomic_fetch_add(&tree->errors, 1);
}

long count_nodes_in_a_group(int levels) {
    struct tree tree = {.group = sg_task_group_create()};
    if (tree.group == NULL)
        return -1;
    for (int i = 0; i <= levels; ++i) {
        tree.levels[i].of = &tree;
        tree.levels[i].left = i;
    }
    if (sg_task_group_run(tree.group, visit, &tree.levels[levels]) != 0 ||
        sg_task_group_wait(tree.group) != 0)
        atomic_fetch_add(&tree.errors, 1);
    sg_task_group_destroy(tree.group);
    return atomic_load(&tree.errors) == 0 ? atomic_load(&tree.nodes) : -1;
}

struct stopped {
    sg_task_group *group;
    atomic_int called;
    int result;
};

static void stop(void *argument) {
    struct stopped *s = argument;
    atomic_fetch_add(&s->called, 1);
    sg_task_group_cancel(s->group);
}

static void run_ten(void *argument) {
    struct stopped *s = argument;
    for (int i = 0; i < 10; ++i)
        sg_task_group_run(s->group, stop, s);
    const int stopping = sg_task_group_is_canceling(s->group);
    const int how = sg_task_group_wait(s->group);
    s->result =
        stopping && how == ECANCELED && !sg_task_group_is_canceling(s->group) &&
                sg_task_group_wait(s->group) == 0 && sg_task_group_run(NULL, stop, s) == EINVAL &&
                sg_task_group_run(s->group, NULL, s) == EINVAL && sg_task_group_wait(NULL) == EINVAL
            ? atomic_load(&s->called)
            : -1;
    sg_task_group_destroy(NULL);
    sg_task_group_cancel(NULL);
}

int tasks_of_a_cancelled_group(void) {
    struct stopped s = {.group = sg_task_group_create()};
    if (s.group == NULL)
        return -1;
    sg_run(run_ten, &s);
    sg_task_group_destroy(s.group);
    return s.result;
}
