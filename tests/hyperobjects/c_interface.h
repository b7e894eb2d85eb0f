/* SPDX-License-Identifier: MIT */
/* A reducer of texts, written in C. */
#pragma once

#include <stddef.h>

#include "saguaro/reducer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At most 64 letters. */
struct text {
    size_t length;
    char letters[64];
};

extern const sg_monoid text_append;

/* Appends letters to a text. */
void text_add(struct text *text, const char *letters, size_t length);

/* Makes a reducer whose value is `initial`. */
int text_create(sg_reducer *reducer, char *initial);

/* Appends letters to the current view. */
void text_write(const sg_reducer *reducer, const char *letters);

#ifdef __cplusplus
}
#endif
