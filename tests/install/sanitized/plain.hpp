// SPDX-License-Identifier: MIT
// What a program with a sanitizer calls that was compiled without one.
#pragma once

long plain_fib(long n);
long plain_group(int tasks);
