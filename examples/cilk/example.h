// SPDX-License-Identifier: MIT
//
// What the Cilk programs of this folder share: the command line, the clock, random numbers, the
// report. Plain C, called from both dialects and from C++.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many numbers with a name a program can take.
#define EXAMPLE_OPTIONS 3

/// A whole number that the command line may give.
struct example_number {
    const char *name;    // upper case for the size, which stands alone; else NAME of `--NAME N`
    const char *meaning; // for --help
    long preset;
    long least;
    long greatest;
};

/// A program, as --help shows it.
struct example {
    const char *name;
    const char *meaning;
    struct example_number size;
    struct example_number options[EXAMPLE_OPTIONS]; // those behind the last have no name
};

/// What the command line asked for.
struct example_run {
    const struct example *program;
    long size;
    long options[EXAMPLE_OPTIONS];
    int check;     // whether the answer is to be checked
    int time_only; // whether the seconds alone are to be printed
};

/// Reads the command line. Ends the program with 0 after --help, and with 2 and a line on stderr
/// that says what is accepted if it is not understood.
struct example_run example_begin(int argc, char *argv[], const struct example *program);

/// Prints the answer, as printf does with `format`, and the seconds. `right` is whether the answer
/// passed its check; any value if there was none. Returns the exit code: 1 and a line on stderr if
/// the answer is wrong.
int example_end(const struct example_run *run, double seconds, int right, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Seconds of a clock that never goes back.
double example_seconds(void);

/// The next of a sequence of random numbers; `state` is its seed at first. Any 64 bits are as
/// likely as any others (splitmix64, Steele, Lea and Flood 2014).
uint64_t example_random(uint64_t *state);

/// The same, from 0 up to but not including 1.
double example_random_double(uint64_t *state);

/// Zeros: memory for `count` objects of `size` bytes, which the system has given, so that no later
/// access is a page fault. The program ends with a line on stderr if there is none. Free with
/// free().
void *example_memory(uint64_t count, uint64_t size);

/// The same without any value.
void *example_scratch(uint64_t count, uint64_t size);

#ifdef __cplusplus
}
#endif
