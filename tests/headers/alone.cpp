// SPDX-License-Identifier: MIT
// Compiled with one public header included from the command line and nothing else.
