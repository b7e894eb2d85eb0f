/* SPDX-License-Identifier: MIT */
/* A library whose constructor, which runs before a preloaded library's, loads a library or starts a
   program in the way that the program's second word says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int has_worked;

int early_library_has_worked(void) {
    return has_worked;
}

__attribute__((constructor)) static void begin(int count, char **words) {
    static char name[] = "true";
    char *const started[] = {name, NULL};
    const char *const way = count > 1 ? words[1] : "";
    pid_t made = 0;
    int status = 1;
    if (strcmp(way, "dlopen") == 0)
        has_worked = dlopen("libm.so.6", RTLD_NOW) != NULL;
    else if (strcmp(way, "execve") == 0)
        execve("/bin/true", started, environ);
    else if (strcmp(way, "execvpe") == 0)
        execvpe(name, started, environ);
    else if (strcmp(way, "posix_spawn") == 0)
        posix_spawn(&made, "/bin/true", NULL, NULL, started, environ);
    else if (strcmp(way, "posix_spawnp") == 0)
        posix_spawnp(&made, name, NULL, NULL, started, environ);
    if (made > 0)
        has_worked = waitpid(made, &status, 0) == made && status == 0;
}
