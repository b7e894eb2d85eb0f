// SPDX-License-Identifier: MIT
//
// The most frequent words of a file: words FILE COUNT. Each rank reads its part of the file by
// MPI-IO, counts its words, and sends each word to the rank that adds up this word's counts.
#include "example.h"

#include <ctype.h>
#include <string.h>

enum { longest_word = 31 };

struct word {
    char text[longest_word + 1];
    int64_t count;
};

// A table with open addresses.
struct table {
    struct word *words;
    size_t room; // a power of two
    size_t used;
};

static uint64_t hash(const char *text) {
    uint64_t h = 0;
    for (; *text != '\0'; text++)
        h = random_number(h ^ (unsigned char)*text);
    return h;
}

static void add(struct table *to, const char *text, int64_t count);

static void grow(struct table *of) {
    struct table larger = {memory(2 * of->room, sizeof *of->words), 2 * of->room, 0};
    for (size_t i = 0; i < of->room; i++)
        if (of->words[i].count != 0)
            add(&larger, of->words[i].text, of->words[i].count);
    free(of->words);
    *of = larger;
}

static void add(struct table *to, const char *text, int64_t count) {
    if (2 * to->used >= to->room)
        grow(to);
    size_t at = hash(text) & (to->room - 1);
    while (to->words[at].count != 0 && strcmp(to->words[at].text, text) != 0)
        at = (at + 1) & (to->room - 1);
    if (to->words[at].count == 0) {
        strcpy(to->words[at].text, text);
        to->used++;
    }
    to->words[at].count += count;
}

// The part of the file from `first` on, with the byte before it in front of it, and behind it what
// the last word may still have. Its length; the bytes end with a 0.
static int read_part(MPI_File file, int64_t first, int64_t last, char **bytes) {
    int64_t begin = first > 0 ? first - 1 : 0;
    int wanted = (int)(last - begin) + longest_word + 1;
    *bytes = memory((size_t)wanted + 1, 1);
    MPI_Status status;
    MPI_File_read_at_all(file, begin, *bytes, wanted, MPI_CHAR, &status);
    int got;
    MPI_Get_count(&status, MPI_CHAR, &got);
    return got;
}

// Counts the words that begin at bytes[first] to bytes[last - 1], in small letters. What is longer
// than the longest word is cut.
static void count_words(struct table *to, const char *bytes, int first, int last) {
    for (int i = first; i < last; i++) {
        if (!isalpha((unsigned char)bytes[i]) || (i > 0 && isalpha((unsigned char)bytes[i - 1])))
            continue;
        char text[longest_word + 1] = "";
        for (int n = 0; n < longest_word && isalpha((unsigned char)bytes[i + n]); n++)
            text[n] = (char)tolower((unsigned char)bytes[i + n]);
        add(to, text, 1);
    }
}

// Each word goes to one rank, whichever rank has counted it.
static struct table add_up(const struct table *own, int ranks) {
    int *counts = memory(4 * (size_t)ranks, sizeof *counts);
    int *begins = counts + ranks;
    int *counts_in = begins + ranks;
    int *begins_in = counts_in + ranks;
    for (size_t i = 0; i < own->room; i++)
        if (own->words[i].count != 0)
            counts[(hash(own->words[i].text) >> 32) % (unsigned)ranks]++;
    MPI_Alltoall(counts, 1, MPI_INT, counts_in, 1, MPI_INT, MPI_COMM_WORLD);
    int all_in = 0;
    for (int r = 0; r < ranks; r++) {
        begins[r] = r > 0 ? begins[r - 1] + counts[r - 1] : 0;
        begins_in[r] = all_in;
        all_in += counts_in[r];
    }
    struct word *out = memory(own->used, sizeof *out);
    int *next = memory((size_t)ranks, sizeof *next);
    memcpy(next, begins, (size_t)ranks * sizeof *next);
    for (size_t i = 0; i < own->room; i++)
        if (own->words[i].count != 0)
            out[next[(hash(own->words[i].text) >> 32) % (unsigned)ranks]++] = own->words[i];
    struct word *in = memory((size_t)all_in, sizeof *in);
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof(struct word), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Alltoallv(out, counts, begins, type, in, counts_in, begins_in, type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    struct table sums = {memory(64, sizeof *in), 64, 0};
    for (int i = 0; i < all_in; i++)
        add(&sums, in[i].text, in[i].count);
    free(in);
    free(out);
    free(next);
    free(counts);
    return sums;
}

static int more_frequent_first(const void *a, const void *b) {
    const struct word *x = a;
    const struct word *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->text, y->text);
}

// The `most` first words of all ranks, at rank 0.
static struct word *first_words(struct table *own, int most, int ranks) {
    qsort(own->words, own->room, sizeof *own->words, more_frequent_first);
    struct word *mine = memory((size_t)most, sizeof *mine);
    memcpy(mine, own->words, sizeof *mine * (own->used < (size_t)most ? own->used : (size_t)most));
    struct word *all = memory((size_t)ranks * (size_t)most, sizeof *all);
    int bytes = most * (int)sizeof *mine;
    MPI_Gather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    qsort(all, (size_t)ranks * (size_t)most, sizeof *all, more_frequent_first);
    free(mine);
    return all;
}

int main(int argc, char *argv[]) {
    MPI_Init(&argc, &argv);
    int most = number_argument(argc, argv, 2, 100000);
    int rank = rank_of_world();
    int ranks = ranks_of_world();
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file) !=
        MPI_SUCCESS)
        refuse(argv[0], "the file cannot be read");
    // Errors of files are returned by default, and those of everything else end the program.
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_Offset size;
    MPI_File_get_size(file, &size);
    if (size / ranks > 1 << 30)
        refuse(argv[0], "more than 1 GB for each rank");

    int64_t first = size * rank / ranks;
    int64_t last = size * (rank + 1) / ranks;
    char *bytes;
    int got = read_part(file, first, last, &bytes);
    MPI_File_close(&file);
    int skipped = first > 0 ? 1 : 0;
    int end = skipped + (int)(last - first);
    struct table own = {memory(64, sizeof *own.words), 64, 0};
    count_words(&own, bytes, skipped, end < got ? end : got);

    struct table sums = add_up(&own, ranks);
    struct word *all = first_words(&sums, most, ranks);
    for (int i = 0; rank == 0 && i < most && all[i].count != 0; i++)
        printf("%" PRId64 " %s\n", all[i].count, all[i].text);
    free(bytes);
    free(own.words);
    free(sums.words);
    free(all);
    MPI_Finalize();
    return 0;
}
