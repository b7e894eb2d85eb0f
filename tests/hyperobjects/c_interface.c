/* SPDX-License-Identifier: MIT */
/* The C interface as a C program sees it; c_interface_test.cpp calls this. */
#include "c_interface.h"

#include <stdalign.h>
#include <string.h>

static void no_text(void *view, void *context) {
    (void)context;
    ((struct text *)view)->length = 0;
}

static void append(void *left, void *right, void *context) {
    const struct text *from = right;
    (void)context;
    text_add(left, from->letters, from->length);
}

static void start_text(void *view, void *argument) {
    no_text(view, NULL);
    text_add(view, argument, strlen(argument));
}

/* No `destroy`: a text owns nothing. */
const sg_monoid text_append = {no_text, append, NULL, sizeof(struct text), alignof(struct text),
                               NULL,    "text"};

void text_add(struct text *text, const char *letters, size_t length) {
    memcpy(text->letters + text->length, letters, length);
    text->length += length;
}

int text_create(sg_reducer *reducer, char *initial) {
    return sg_reducer_create_with(reducer, &text_append, start_text, initial);
}

void text_write(const sg_reducer *reducer, const char *letters) {
    text_add(sg_reducer_view(reducer), letters, strlen(letters));
}
