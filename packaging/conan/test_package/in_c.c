/* SPDX-License-Identifier: MIT */
/* A reducer that a task updates. Exit code 0 if the sum is right. */
#include <saguaro/reducer.h>
#include <saguaro/saguaro.h>
#include <stdalign.h>
#include <stdio.h>

static void zero(void *view, void *context) {
    (void)context;
    *(long *)view = 0;
}

static void add(void *left, void *right, void *context) {
    (void)context;
    *(long *)left += *(long *)right;
}

static const sg_monoid sum = {zero, add, NULL, sizeof(long), alignof(long), NULL, "sum"};

static void count_up(void *argument) {
    sg_reducer *total = argument;
    for (long i = 0; i < 1000; ++i)
        *(long *)sg_reducer_view(total) += i;
}

int main(void) {
    sg_reducer total;
    if (sg_reducer_create(&total, &sum) != 0)
        return 1;
    sg_run(count_up, &total);
    const long result = *(long *)sg_reducer_view(&total);
    sg_reducer_destroy(&total);
    printf("C: sum = %ld\n", result);
    return result == 499500 ? 0 : 1;
}
