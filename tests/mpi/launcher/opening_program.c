/* SPDX-License-Identifier: MIT */
/* Opens the libraries that it is given, as modules of a script do, the last one by its name alone
   and so late that the launcher has looked at the first ones. Then it counts the ranks by the last
   one. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef int init_call(int *count, char ***words);
typedef int number_call(int on, int *number);
typedef int end_call(void);

static void rest(long tenths) {
    const struct timespec time = {tenths / 10, tenths % 10 * 100000000};
    nanosleep(&time, NULL);
}

/* Writes the address of a function to `pointer`: dlsym returns that of an object, which ISO C does
   not convert. */
static void find(void *library, const char *name, void *pointer) {
    void *const found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
}

int main(int count, char **words) {
    void *library = NULL;
    for (int i = 1; i < count; ++i) {
        if (i == count - 1)
            rest(7);
        library = dlopen(words[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
    }
    rest(30); /* more looks */
    const int world = 0x44000000;
    int rank = -1;
    int size = -1;
    init_call *init;
    number_call *rank_of, *size_of;
    end_call *end;
    find(library, "MPI_Init", &init);
    find(library, "MPI_Comm_rank", &rank_of);
    find(library, "MPI_Comm_size", &size_of);
    find(library, "MPI_Finalize", &end);
    init(NULL, NULL);
    rank_of(world, &rank);
    size_of(world, &size);
    printf("%d of %d\n", rank, size);
    return end();
}
