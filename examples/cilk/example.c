// SPDX-License-Identifier: MIT
// Reading the command line of an example in Cilk, random numbers and the report.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "example.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { exit_wrong = 1, exit_usage = 2 };

static _Noreturn void print_help(const struct example *program) {
    printf("Usage: %s [%s] [options]\n%s.\n\n", program->name, program->size.name,
           program->meaning);
    printf("  %-14s %s (%ld to %ld; %ld)\n", program->size.name, program->size.meaning,
           program->size.least, program->size.greatest, program->size.preset);
    for (int i = 0; i < EXAMPLE_OPTIONS && program->options[i].name != NULL; i++) {
        const struct example_number *option = &program->options[i];
        printf("  --%-10s N %s (%ld to %ld; %ld)\n", option->name, option->meaning, option->least,
               option->greatest, option->preset);
    }
    printf(
        "  --check        check the answer; exit code 1 if it is wrong\n"
        "  --time         print nothing but the seconds\n"
        "  -h, --help     this\n"
        "\nWorkers: CILK_NWORKERS=N in the environment, or --nproc N for a program in MIT Cilk.\n");
    exit(0);
}

/// `text` as a number for `what`, or the end of the program.
static long whole_number(const struct example *program, const struct example_number *what,
                         const char *text) {
    char *end = NULL;
    errno = 0;
    long value = text == NULL ? 0 : strtol(text, &end, 10);
    if (text == NULL || *text == '\0' || *end != '\0' || errno != 0 || value < what->least ||
        value > what->greatest) {
        fprintf(stderr, "%s: %s '%s': accepted is a whole number from %ld to %ld\n", program->name,
                what->name, text == NULL ? "" : text, what->least, what->greatest);
        exit(exit_usage);
    }
    return value;
}

/// The place of the option that `argument` names, or -1.
static int find_option(const struct example *program, const char *argument) {
    for (int i = 0; i < EXAMPLE_OPTIONS && program->options[i].name != NULL; i++)
        if (strncmp(argument, "--", 2) == 0 && strcmp(argument + 2, program->options[i].name) == 0)
            return i;
    return -1;
}

struct example_run example_begin(int argc, char *argv[], const struct example *program) {
    struct example_run run = {.program = program, .size = program->size.preset};
    for (int i = 0; i < EXAMPLE_OPTIONS; i++)
        run.options[i] = program->options[i].preset;
    for (int i = 1; i < argc; i++) {
        int option = find_option(program, argv[i]);
        if (option >= 0) {
            // Behind the last argument stands a null pointer.
            i++;
            run.options[option] = whole_number(program, &program->options[option], argv[i]);
        } else if (strcmp(argv[i], "--check") == 0) {
            run.check = 1;
        } else if (strcmp(argv[i], "--time") == 0) {
            run.time_only = 1;
        } else if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            print_help(program);
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "%s: '%s': no such option; --help shows all\n", program->name, argv[i]);
            exit(exit_usage);
        } else {
            run.size = whole_number(program, &program->size, argv[i]);
        }
    }
    return run;
}

int example_end(const struct example_run *run, double seconds, int right, const char *format, ...) {
    if (run->check && !right) {
        fprintf(stderr, "%s: the answer is wrong\n", run->program->name);
        return exit_wrong;
    }
    if (run->time_only) {
        printf("%.9f\n", seconds);
        return 0;
    }
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("%s\n%.6f seconds\n", run->check ? " (checked)" : "", seconds);
    return 0;
}

double example_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t example_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15U;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

double example_random_double(uint64_t *state) {
    return (double)(example_random(state) >> 11) * 0x1p-53;
}

void *example_scratch(uint64_t count, uint64_t size) {
    void *memory = size == 0 || count <= SIZE_MAX / size ? malloc(count * size) : NULL;
    if (memory == NULL && count > 0) {
        fprintf(stderr, "no memory for %llu x %llu bytes\n", (unsigned long long)count,
                (unsigned long long)size);
        exit(exit_wrong);
    }
    return memory;
}

void *example_memory(uint64_t count, uint64_t size) {
    // Not calloc: a page of its zeros that is read first is shared, and the first write to it takes
    // a second fault and an interrupt to all processors.
    void *memory = example_scratch(count, size);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}
