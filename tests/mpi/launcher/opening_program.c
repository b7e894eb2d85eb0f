/* SPDX-License-Identifier: MIT */
/* Opens the libraries that it is given, as modules of a script do, the last one by its name alone
   and so late that the launcher has looked at the first ones. Then it counts the ranks by the last
   one. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

typedef int init_call(int *count, char ***words);
typedef int number_call(int on, int *number);
typedef int end_call(void);

static void rest(long tenths) {
    const struct timespec time = {tenths / 10, tenths % 10 * 100000000};
    nanosleep(&time, NULL);
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
    ((init_call *)dlsym(library, "MPI_Init"))(NULL, NULL);
    ((number_call *)dlsym(library, "MPI_Comm_rank"))(world, &rank);
    ((number_call *)dlsym(library, "MPI_Comm_size"))(world, &size);
    printf("%d of %d\n", rank, size);
    return ((end_call *)dlsym(library, "MPI_Finalize"))();
}
