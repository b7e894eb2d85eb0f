/* SPDX-License-Identifier: MIT */
/* Compiled with one public header included from the command line; ISO C wants a declaration even
   where that header only defines macros. */
typedef int header_alone;
