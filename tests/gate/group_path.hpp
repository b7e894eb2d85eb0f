// SPDX-License-Identifier: MIT
// The recursion that runs its calls in task groups. In a file of its own: how the compiler
// translates one recursion depends on the others beside it.
#pragma once

long fib_by_group(long n);
