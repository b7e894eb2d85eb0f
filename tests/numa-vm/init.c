/* SPDX-License-Identifier: MIT */
/*
 * The first and only process of the virtual machine: runs the lines of /commands one after the
 * other and switches the machine off. A line is a name, a number of seconds, and a command;
 * `@mems=0-2` before the command has it run in a control group with these nodes, NAME=VALUE with
 * that in its environment. The serial line gets `@begin name`, what the command prints, and `@end
 * name how`, where `how` is the exit code, `signal N`, or `timeout`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void complain(const char *what, const char *of) {
    printf("@init %s %s: %s\n", what, of, strerror(errno));
}

static void mount_on(const char *type, const char *where) {
    mkdir(where, 0755);
    if (mount(type, where, type, 0, NULL) != 0)
        complain("cannot mount", where);
}

static int write_file(const char *name, const char *text) {
    const int file = open(name, O_WRONLY | O_CLOEXEC);
    const ssize_t length = (ssize_t)strlen(text);
    const int good = file >= 0 && write(file, text, (size_t)length) == length;
    if (!good)
        complain("cannot write", name);
    if (file >= 0)
        close(file);
    return good;
}

/* The calling process, which is about to become the command. */
static int allow_nodes(const char *nodes) {
    mkdir("/cgroup/fewer", 0755);
    return write_file("/cgroup/cgroup.subtree_control", "+cpuset") &&
           write_file("/cgroup/fewer/cpuset.mems", nodes) &&
           write_file("/cgroup/fewer/cgroup.procs", "0");
}

static void become(char *command) {
    enum { most = 32 };
    char *words[most + 1];
    int count = 0;
    for (char *word = strtok(command, " "); word != NULL && count < most; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    char **first = words;
    for (; *first != NULL && strchr(*first, '=') != NULL && **first != '/'; ++first)
        if (strncmp(*first, "@mems=", 6) == 0) {
            if (!allow_nodes(*first + 6))
                _exit(126);
        } else {
            putenv(*first);
        }
    if (*first != NULL)
        execv(*first, first);
    complain("cannot run", *first != NULL ? *first : "an empty command");
    fflush(stdout);
    _exit(127);
}

/* Whether the child ended in time. */
static int wait_for(pid_t child, int seconds, int *status) {
    const struct timespec nap = {0, 10000000};
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    for (;;) {
        if (waitpid(child, status, WNOHANG) == child)
            return 1;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec))
            break;
        nanosleep(&nap, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return 0;
}

static void run(const char *name, int seconds, char *command) {
    int status = 0;
    printf("\n@begin %s\n", name);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        become(command);
    if (child < 0)
        printf("\n@end %s no process\n", name);
    else if (!wait_for(child, seconds, &status))
        printf("\n@end %s timeout\n", name);
    else if (WIFSIGNALED(status))
        printf("\n@end %s signal %d\n", name, WTERMSIG(status));
    else
        printf("\n@end %s %d\n", name, WEXITSTATUS(status));
    fflush(stdout);
}

int main(void) {
    putenv("GTEST_COLOR=no");
    mount_on("devtmpfs", "/dev");
    mount_on("proc", "/proc");
    mount_on("sysfs", "/sys");
    mount_on("tmpfs", "/tmp");
    mount_on("cgroup2", "/cgroup");
    FILE *const commands = fopen("/commands", "re");
    char line[1024];
    if (commands == NULL)
        complain("cannot read", "/commands");
    while (commands != NULL && fgets(line, sizeof line, commands) != NULL) {
        char name[64];
        int seconds = 0, at = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%63s %d %n", name, &seconds, &at) == 2)
            run(name, seconds, line + at);
    }
    puts("@over");
    fflush(stdout);
    tcdrain(STDOUT_FILENO);
    reboot(RB_POWER_OFF);
    return 1;
}
