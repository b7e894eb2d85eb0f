// SPDX-License-Identifier: MIT
// An object that uses the library: linked with a copy of its own, or with the shared one; a plugin,
// or a part of the host itself. With COPIES_AT_LOAD it computes while it is loaded.
#include "process/copies.hpp"

#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

long add(long n) {
    saguaro::reducer<saguaro::add<long>> sum;
    saguaro::parallel_for(0L, n, [&](long i) { *sum += i; });
    return sum.get();
}

long call(long n, long (*f)(long)) {
    saguaro::reducer<saguaro::add<long>> sum;
    saguaro::parallel_for(0L, n, [&](long i) { *sum += f(i); });
    return sum.get();
}

long sort(long n) {
    std::vector<int> numbers(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<int>(i * 7919 % 10007);
    saguaro::parallel_sort(numbers.begin(), numbers.end());
    return std::is_sorted(numbers.begin(), numbers.end()) ? 1 : 0;
}

long meet(long) {
    std::atomic<bool> other_is_here{false};
    const pid_t me = gettid();
    saguaro::parallel_invoke(
        [&] {
            while (!other_is_here)
                std::this_thread::yield();
        },
        [&] {
            other_is_here = true;
            if (gettid() != me)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
    return 1;
}

long fork_in_task(long) {
    long result = -1;
    saguaro::run([&] {
        const pid_t child = fork();
        if (child == 0)
            _exit(add(100) == 4950 ? 0 : 1);
        int status = -1;
        waitpid(child, &status, 0);
        result = status;
    });
    return result;
}

long exit_in_task(long) {
    saguaro::run([] { std::exit(7); });
    return 0;
}

int use_stack(int levels) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(levels);
    return levels == 0 ? 0 : use_stack(levels - 1) + frame[0];
}

long overflow(long) {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn([] { use_stack(1 << 20); });
        s.sync();
    });
    return 0;
}

const copy_functions functions = {add, call, sort, meet, fork_in_task, exit_in_task, overflow};

const bool was_right_at_load = std::getenv("COPIES_AT_LOAD") == nullptr || add(100) == 4950;

} // namespace

extern "C" [[gnu::visibility("default")]] const copy_functions *copy_functions_here() {
    return was_right_at_load ? &functions : nullptr;
}
