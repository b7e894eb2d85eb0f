// SPDX-License-Identifier: MIT
// What each object that contains a copy of the library offers to the host of copies_test.py.
#pragma once

struct copy_functions {
    // 0 + 1 + ... + n - 1, by a loop and a reducer of the copy's.
    long (*add)(long n);
    // The sum of f(i) over the same i.
    long (*call)(long n, long (*f)(long));
    // Sorts n numbers. Whether they are in order.
    long (*sort)(long n);
    // Two functions at once, of which another thread's ends last. Needs two workers.
    long (*meet)(long);
    // Forks in a task; the child computes there. The child's status.
    long (*fork)(long);
    // Calls exit(7) in a task.
    long (*exit)(long);
    // A child of a scope uses up its stack.
    long (*overflow)(long);
};

// The name under which the host looks for them: a function that returns them.
#define COPY_FUNCTIONS "copy_functions_here"
