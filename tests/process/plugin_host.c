/* SPDX-License-Identifier: MIT */
/* Loads a plugin that has workers and unloads it again: plugin_host PLUGIN MODE ROUNDS. The program
 * itself knows nothing of Saguaro. MODE is `stop` (the workers, before the plugin is unloaded),
 * `leave` (them running), `idle` (never start any), `keep` (the plugin, at the end), `threads`,
 * `outlive` (a thread has used the plugin and ends after it), `no-keys` (for values of threads) or
 * `thread-locals` (a worker has some of the plugin's until it is stopped).
 * A fourth argument: the process's addresses, in megabytes, after each round.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*plugin_function)(void);

static void *plugin;

static void call(const char *name) {
    void *const address = dlsym(plugin, name);
    plugin_function function;
    int result;
    if (address == NULL) {
        fprintf(stderr, "plugin_host: %s\n", dlerror());
        exit(1);
    }
    memcpy(&function, &address, sizeof(function));
    result = function();
    if (result != 0) {
        fprintf(stderr, "plugin_host: %s returned %d\n", name, result);
        exit(1);
    }
}

static void print_addresses(void) {
    FILE *const file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        exit(1);
    fclose(file);
    printf("%lu MB\n", pages * (unsigned long)sysconf(_SC_PAGESIZE) >> 20);
}

static sem_t has_used_it, is_unloaded;

static void *use_and_outlive(void *nothing) {
    call("plugin_free_a_block");
    sem_post(&has_used_it);
    sem_wait(&is_unloaded);
    return nothing;
}

static pthread_t start_to_outlive(void) {
    pthread_t thread;
    sem_init(&has_used_it, 0, 0);
    sem_init(&is_unloaded, 0, 0);
    if (pthread_create(&thread, NULL, use_and_outlive, NULL) != 0)
        exit(1);
    sem_wait(&has_used_it);
    return thread;
}

static void end_outliving(pthread_t thread) {
    sem_post(&is_unloaded);
    pthread_join(thread, NULL);
}

/* Takes all keys there are. The first one: nobody else may set its value. */
static pthread_key_t take_all_keys(void) {
    pthread_key_t first, other;
    if (pthread_key_create(&first, NULL) != 0)
        exit(1);
    while (pthread_key_create(&other, NULL) == 0) {
    }
    return first;
}

static void use_without_keys(pthread_key_t first) {
    call("plugin_free_a_block");
    if (pthread_getspecific(first) != NULL) {
        fprintf(stderr, "plugin_host: the plugin has set a value of the program's\n");
        exit(1);
    }
}

int main(int argc, char **argv) {
    const char *const mode = argc > 2 ? argv[2] : "";
    const int rounds = argc > 3 ? atoi(argv[3]) : 0;
    const int without_keys = strcmp(mode, "no-keys") == 0;
    const int outlives = strcmp(mode, "outlive") == 0;
    const int has_thread_locals = strcmp(mode, "thread-locals") == 0;
    const pthread_key_t first_key = without_keys ? take_all_keys() : 0;
    pthread_t outliving = 0;
    int round;
    if (argc > 4)
        mallopt(M_ARENA_MAX, 1); /* threads would have some with addresses of their own */
    for (round = 0; round < rounds; ++round) {
        plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (plugin == NULL) {
            fprintf(stderr, "plugin_host: %s\n", dlerror());
            return 1;
        }
        if (without_keys)
            use_without_keys(first_key);
        else if (outlives)
            outliving = start_to_outlive();
        else if (has_thread_locals)
            call("plugin_use_thread_locals");
        else if (strcmp(mode, "threads") == 0)
            call("plugin_make_threads");
        else if (strcmp(mode, "idle") != 0)
            call("plugin_compute");
        if (has_thread_locals || strcmp(mode, "stop") == 0)
            call("plugin_stop");
        if (strcmp(mode, "keep") != 0 && dlclose(plugin) != 0) {
            fprintf(stderr, "plugin_host: %s\n", dlerror());
            return 1;
        }
        if (strcmp(mode, "keep") != 0 && dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL) {
            fprintf(stderr, "plugin_host: the plugin is still there\n");
            return 1;
        }
        if (outlives)
            end_outliving(outliving);
        if (argc > 4)
            print_addresses();
    }
    printf("%d rounds\n", round);
    return 0;
}
