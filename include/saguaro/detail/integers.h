/* SPDX-License-Identifier: MIT */
/*
 * Integers by their sizes, for the headers that cilkc puts before the user's program. <stdint.h>
 * would ask the C library for what it declares before the program's own _GNU_SOURCE has said it.
 */
#pragma once

typedef __UINT32_TYPE__ sg_uint32;
typedef __UINT64_TYPE__ sg_uint64;
typedef __INT64_TYPE__ sg_int64;
typedef __UINTPTR_TYPE__ sg_uintptr;
