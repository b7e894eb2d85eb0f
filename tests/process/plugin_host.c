/* SPDX-License-Identifier: MIT */
/* Loads a plugin that has workers and unloads it again: plugin_host PLUGIN MODE ROUNDS. The program
 * itself knows nothing of Saguaro. MODE is `stop` (the workers, before the plugin is unloaded),
 * `leave` (them running), `idle` (never start any), `keep` (the plugin, at the end) or `threads`. A
 * fourth argument: the process's addresses, in megabytes, after each round.
 */
#include <dlfcn.h>
#include <malloc.h>
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

int main(int argc, char **argv) {
    const char *const mode = argc > 2 ? argv[2] : "";
    const int rounds = argc > 3 ? atoi(argv[3]) : 0;
    int round;
    if (argc > 4)
        mallopt(M_ARENA_MAX, 1); /* threads would have some with addresses of their own */
    for (round = 0; round < rounds; ++round) {
        plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (plugin == NULL) {
            fprintf(stderr, "plugin_host: %s\n", dlerror());
            return 1;
        }
        if (strcmp(mode, "threads") == 0)
            call("plugin_make_threads");
        else if (strcmp(mode, "idle") != 0)
            call("plugin_compute");
        if (strcmp(mode, "stop") == 0)
            call("plugin_stop");
        if (strcmp(mode, "keep") != 0 && dlclose(plugin) != 0) {
            fprintf(stderr, "plugin_host: %s\n", dlerror());
            return 1;
        }
        if (strcmp(mode, "keep") != 0 && dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL) {
            fprintf(stderr, "plugin_host: the plugin is still there\n");
            return 1;
        }
        if (argc > 4)
            print_addresses();
    }
    printf("%d rounds\n", round);
    return 0;
}
