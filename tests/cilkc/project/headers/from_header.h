/* SPDX-License-Identifier: MIT */
/* A header that only CMake's include path leads to. */
#define FROM_HEADER 7
