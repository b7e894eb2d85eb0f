// SPDX-License-Identifier: MIT
// A shared object that contains the library, for plugin_host.c to load and unload.
#include "process/modes.hpp"

#include <saguaro/place.h>

#include <atomic>

namespace {

// The C library keeps the plugin for the threads that have one.
struct keeps_the_plugin {
    bool is_used = false;
    ~keeps_the_plugin() { is_used = false; }
};
thread_local keeps_the_plugin of_thread;

} // namespace

extern "C" {

// 0 if what the workers compute is right.
[[gnu::visibility("default")]] int plugin_compute() {
    return process::computes() ? 0 : 1;
}

[[gnu::visibility("default")]] int plugin_stop() {
    return sg_stop();
}

// Tasks of an object that the program does not link make threads with the C++ library's own means.
[[gnu::visibility("default")]] int plugin_make_threads() {
    int wrong = 0;
    saguaro::run([&] {
        std::thread([&] { wrong = saguaro::worker_id() != -1 || !process::computes(); }).join();
        wrong += process::fib_scope(10) != 55;
    });
    return wrong;
}

// On another worker's thread, not on the caller's.
[[gnu::visibility("default")]] int plugin_use_thread_locals() {
    std::atomic<bool> used{false};
    saguaro::parallel_invoke(
        [&] {
            while (!used)
                std::this_thread::yield();
        },
        [&] { used = of_thread.is_used = true; });
    return 0;
}

// The calling thread keeps the block from now on.
[[gnu::visibility("default")]] int plugin_free_a_block() {
    void *const block = sg_malloc_local(100);
    sg_free_place(block);
    return block == nullptr;
}
}
