// SPDX-License-Identifier: MIT
//
// The words of a text that read the same backwards, in the order of the text. Pieces of the text
// are searched in parallel; each strand appends to a list of its own, and the reducer joins the
// lists in the order of the serial program.
#include "example.h"

#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Letters that a strand looks at in a row.
    piece = 4096,
    longest_word = 9
};

struct word {
    struct word *next;
    const char *at;
    long length;
};

struct word_list {
    struct word *first;
    struct word *last;
    long count;
};

static void make_empty(void *view) {
    memset(view, 0, sizeof(struct word_list));
}

/// Puts `right` behind `left`.
static void concatenate(void *left, void *right) {
    struct word_list *front = left;
    struct word_list *back = right;
    if (front->first == NULL) {
        *front = *back;
    } else if (back->first != NULL) {
        front->last->next = back->first;
        front->last = back->last;
        front->count += back->count;
    }
}

static struct word_list cilk_reducer(make_empty, concatenate) palindromes;

static int is_palindrome(const char *word, long length) {
    for (long i = 0; i < length / 2; i++)
        if (word[i] != word[length - 1 - i])
            return 0;
    return 1;
}

static void append(const char *at, long length) {
    struct word *word = example_memory(1, sizeof *word);
    word->at = at;
    word->length = length;
    struct word_list one = {word, word, 1};
    concatenate(&palindromes, &one);
}

/// Appends the palindromes among the words that begin in text[first] to text[last - 1]; the text
/// ends with a blank.
static void search_piece(const char *text, long first, long last) {
    for (long i = first; i < last; i++) {
        if (text[i] == ' ' || (i > 0 && text[i - 1] != ' '))
            continue;
        long length = 1;
        while (text[i + length] != ' ')
            length++;
        if (is_palindrome(text + i, length))
            append(text + i, length);
    }
}

static void search(const char *text, long size) {
    cilk_for(long first = 0; first < size; first += piece) {
        search_piece(text, first, size - first < piece ? size : first + piece);
    }
}

/// Whether the list is the one that a single pass over the text finds.
static int is_right(const struct word_list *list, const char *text, long size) {
    const struct word *listed = list->first;
    long count = 0;
    for (long begin = 0; begin < size;) {
        const char *blank = memchr(text + begin, ' ', (size_t)(size - begin));
        long length = blank - (text + begin);
        if (length > 0 && is_palindrome(text + begin, length)) {
            if (listed == NULL || listed->at != text + begin || listed->length != length)
                return 0;
            listed = listed->next;
            count++;
        }
        begin += length + 1;
    }
    return listed == NULL && count == list->count;
}

/// Random words of few letters, blanks between them, and one at the end.
static char *write_text(long size, uint64_t seed) {
    char *text = example_memory((uint64_t)size, 1);
    for (long i = 0; i < size;) {
        long length = 1 + (long)(example_random(&seed) % longest_word);
        for (long end = i + length; i < end && i < size; i++)
            text[i] = "aeinrst"[example_random(&seed) % 7];
        if (i < size)
            text[i++] = ' ';
    }
    text[size - 1] = ' ';
    return text;
}

static const struct example program = {
    .name = "words",
    .meaning = "The words of a random text that read the same backwards, in a list",
    .size = {"N", "letters and blanks of the text", 20000000, 1, 1000000000},
    .options = {{"seed", "of the random text", 1, 0, INT32_MAX}},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    char *text = write_text(run.size, (uint64_t)run.options[0]);
    double start = example_seconds();
    search(text, run.size);
    double seconds = example_seconds() - start;
    struct word_list list = palindromes;
    int right = !run.check || is_right(&list, text, run.size);
    struct word none = {NULL, "", 0};
    const struct word *last = list.last == NULL ? &none : list.last;
    return example_end(&run, seconds, right, "%ld words, the last is '%.*s'", list.count,
                       (int)last->length, last->at);
}
