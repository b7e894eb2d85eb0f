/* SPDX-License-Identifier: MIT */
/* Does what the second word says, which a library that the launcher loads must not disturb. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int early_library_has_worked(void);

static const char *way;

static void leave(int number) {
    char name[] = "true";
    char *const words[] = {name, NULL};
    if (strcmp(way, "_exit on a small stack") == 0)
        _exit(0);
    else if (strcmp(way, "execve on a small stack") == 0)
        execve("/bin/true", words, environ);
    else
        execvpe(name, words, environ);
    _exit(number);
}

/* In a handler whose stack has 8 KB, and below it a page that may not be touched. */
static int leave_on_small_stack(void) {
    enum { PAGE = 4096, SIZE = 8192 };
    char *const pages =
        mmap(NULL, PAGE + SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const stack_t stack = {.ss_sp = pages + PAGE, .ss_size = SIZE};
    const struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    if (pages == MAP_FAILED || mprotect(pages, PAGE, PROT_NONE) != 0 ||
        sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 2;
    return raise(SIGUSR1) == 0 ? 1 : 2;
}

/* None of what it calls is a cancellation point. */
static void *leave_cancelled(void *nothing) {
    char name[] = "true";
    char *const words[] = {name, NULL};
    pid_t made;
    pthread_cancel(pthread_self());
    if (strcmp(way, "execve in a cancelled thread") == 0)
        execve("/bin/true", words, environ);
    else if (strcmp(way, "posix_spawn in a cancelled thread") == 0)
        posix_spawn(&made, "/bin/true", NULL, NULL, words, environ);
    else if (strcmp(way, "dlopen in a cancelled thread") == 0)
        dlopen("/nowhere/libnone.so", RTLD_NOW);
    _exit(0);
    return nothing;
}

static int leave_by_cancelled_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave_cancelled, NULL) != 0)
        return 2;
    pthread_join(thread, NULL);
    return 1;
}

/* The filter kills a process that opens a file or asks about the filter. */
static int leave_under_filter(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 2;
    if (strstr(way, "prctl") != NULL ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0
                                     : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
        return 2;
    if (strstr(way, "_exit") != NULL)
        _exit(0);
    return 0;
}

/* Writes over the environment that it began with, as for a title, and gives the program none. */
static int execute_under_title(char *file) {
    char *const words[] = {file, NULL};
    char *const none[] = {NULL};
    for (char **each = environ; *each != NULL; ++each) {
        char *const copy = strdup(*each);
        memset(*each, 'x', strlen(*each));
        *each = copy;
    }
    execve(file, words, none);
    return 1;
}

int main(int count, char **words) {
    if (count < 2)
        return 2;
    way = words[1];
    if (count == 3 && strcmp(way, "title") == 0)
        return execute_under_title(words[2]);
    if (strstr(way, "on a small stack") != NULL)
        return leave_on_small_stack();
    if (strstr(way, "in a cancelled thread") != NULL)
        return leave_by_cancelled_thread();
    if (strstr(way, "under a filter") != NULL)
        return leave_under_filter();
    return early_library_has_worked() ? 0 : 1;
}
