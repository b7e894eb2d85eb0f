// SPDX-License-Identifier: MIT
//
// collatz N: which number up to N takes the most steps to 1, if even numbers are halved and odd
// ones taken three times and one more. A bounded buffer between threads of Vthread: one hands out
// ranges of numbers, the others search them, and the last one to finish is told so by a join. The
// answer is checked against a search without threads; exit code 1 if they differ, or if the run
// fails.
//
// Cores: SAGUARO_WORKERS=N in the environment. Searchers are virtual processors: there are always
// eight.
#include <saguaro/vthread.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { greatest = 1000000000, places = 4, searchers = 8, range_size = 1000 };

struct range {
    long first;
    long last; // less than first: there are no more
};

struct found {
    long number;
    int steps;
};

// The first of those with the most steps.
static struct found better(struct found a, struct found b) {
    if (a.steps != b.steps)
        return a.steps > b.steps ? a : b;
    return a.number <= b.number ? a : b;
}

static struct found search(struct range range) {
    struct found best = {range.first, -1};
    for (long n = range.first; n <= range.last; ++n) {
        struct found one = {n, 0};
        for (unsigned long long at = (unsigned long long)n; at != 1; ++one.steps)
            at = at % 2 == 0 ? at / 2 : 3 * at + 1;
        best = better(best, one);
    }
    return best;
}

// ---- The buffer ----

static struct {
    sg_vthread_mutex mutex;
    sg_vthread_cond not_full;
    sg_vthread_cond not_empty;
    struct range ranges[places];
    unsigned long put; // so many were put,
    unsigned long got; // and so many of these taken out
} buffer;

static void put(struct range range, sg_vp *me) {
    sg_vthread_mutex_lock(&buffer.mutex, me);
    while (buffer.put - buffer.got == places)
        sg_vthread_cond_wait(&buffer.not_full, &buffer.mutex, me);
    buffer.ranges[buffer.put++ % places] = range;
    sg_vthread_cond_signal(&buffer.not_empty, me);
    sg_vthread_mutex_unlock(&buffer.mutex, me);
}

static struct range get(sg_vp *me) {
    sg_vthread_mutex_lock(&buffer.mutex, me);
    while (buffer.put == buffer.got)
        sg_vthread_cond_wait(&buffer.not_empty, &buffer.mutex, me);
    struct range range = buffer.ranges[buffer.got++ % places];
    sg_vthread_cond_signal(&buffer.not_full, me);
    sg_vthread_mutex_unlock(&buffer.mutex, me);
    return range;
}

// ---- The threads ----

static void *search_ranges(void *result, sg_vp *me) {
    struct found *best = result;
    for (struct range range = get(me); range.first <= range.last; range = get(me))
        *best = better(*best, search(range));
    return best;
}

struct task {
    long n;
    struct found best;
};

static void hand_out(void *argument, sg_vp *me) {
    struct task *task = argument;
    struct found results[searchers];
    sg_vthread threads[searchers];
    for (int i = 0; i < searchers; ++i) {
        results[i] = (struct found){1, 0};
        threads[i] = sg_vthread_create(search_ranges, &results[i], me);
    }
    for (long first = 1; first <= task->n; first += range_size) {
        long last = first + range_size - 1;
        put((struct range){first, last < task->n ? last : task->n}, me);
    }
    for (int i = 0; i < searchers; ++i)
        put((struct range){1, 0}, me);
    task->best = (struct found){1, 0};
    for (int i = 0; i < searchers; ++i) {
        const struct found *result = sg_vthread_join(threads[i], me);
        task->best = better(task->best, *result);
    }
}

int main(int argc, char *argv[]) {
    char *end = NULL;
    errno = 0;
    long n = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (n < 1 || n > greatest || errno != 0 || end == argv[1] || *end != '\0') {
        fprintf(stderr, "collatz: N: accepted is one whole number from 1 to %d\n", greatest);
        return 2;
    }
    struct task task = {.n = n};
    if (sg_vthread_run(NULL, hand_out, &task) != 0)
        return 1;
    struct found expected = search((struct range){1, n});
    if (task.best.number != expected.number || task.best.steps != expected.steps) {
        fprintf(stderr, "collatz: found %ld with %d steps, and not %ld with %d\n", task.best.number,
                task.best.steps, expected.number, expected.steps);
        return 1;
    }
    printf("%ld takes %d steps\n", task.best.number, task.best.steps);
    return 0;
}
