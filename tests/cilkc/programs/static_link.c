/* SPDX-License-Identifier: MIT */
/* options: -static */
/* A program without a shared library in it; its tasks create threads, by either of C's ways. */
#include <cilk/cilk.h>
#include <pthread.h>
#include <saguaro/saguaro.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

static void zero(void *view) {
    *(long *)view = 0;
}

static void add(void *left, void *right) {
    *(long *)left += *(long *)right;
}

static long cilk_reducer(zero, add) sum = 0;

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

/* A thread that a task creates is no worker, on whichever the task runs. */
static void *where_am_i(void *worker) {
    *(int *)worker = sg_worker_id();
    return worker;
}

static int where_am_i_c11(void *worker) {
    where_am_i(worker);
    return 0;
}

static int by_posix(int n) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, where_am_i, &n) != 0)
        return -2;
    pthread_join(thread, NULL);
    return n;
}

static int by_c11(int n) {
    thrd_t thread;
    if (thrd_create(&thread, where_am_i_c11, &n) != thrd_success)
        return -2;
    thrd_join(thread, NULL);
    return n;
}

static int is_static(void) {
    char line[1000];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, ".so") != NULL;
    return maps != NULL && fclose(maps) == 0 && !found;
}

int main(void) {
    int a = cilk_spawn by_posix(10);
    int b = cilk_spawn by_c11(11);
    int c = fib(12);
    cilk_sync;
    cilk_for (int i = 0; i < 1000; i++)
        sum += i;
    printf("%d %d %d %ld static: %d\n", a, b, c, sum, is_static());
    return 0;
}

/* Output:
-1 -1 144 499500 static: 1
*/
