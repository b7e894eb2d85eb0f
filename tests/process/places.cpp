// SPDX-License-Identifier: MIT
// The program of places_test.py: PLACE CALL PLUGIN makes one call in one place and prints how it
// went.
#include "process/places.hpp"
#include "support/another_worker.hpp"

#include <saguaro/saguaro.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

const char *name = "";
const char *plugin = "";
const char *how = "it was not made";

void call() {
    how = make_call_here(name);
}

void report() {
    std::puts(has_left_it_right(name) ? how : "a wrong value afterwards");
    std::fflush(stdout);
}

void in_a_task() {
    saguaro::run(call);
}

void in_a_child() {
    saguaro::run([] {
        saguaro::scope s;
        s.spawn(call);
        s.sync();
    });
}

void in_a_thread() {
    std::thread(call).join();
}

struct calls_at_its_end {
    bool is_used = false;
    ~calls_at_its_end() {
        if (is_used)
            call();
    }
};
thread_local calls_at_its_end of_thread;

void at_the_end_of_a_worker() {
    saguaro::test::on_another_worker([] { of_thread.is_used = true; });
    saguaro::stop();
}

void in_a_handler_at_exit() {
    std::atexit([] {
        call();
        report();
    });
    std::exit(0);
}

// Only worker_id is allowed there.
void in_a_signal_handler() {
    if (std::strcmp(name, "worker_id") != 0) {
        std::puts("no");
        std::exit(0);
    }
    std::signal(SIGUSR1, [](int) { call(); });
    saguaro::run([] { std::raise(SIGUSR1); });
}

void in_a_child_process() {
    const pid_t child = fork();
    if (child == 0) {
        call();
        report();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        std::raise(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

void in_a_child_process_of_a_task() {
    saguaro::run(in_a_child_process);
}

void in_another_copy() {
    void *const object = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) {
        how = dlerror();
        return;
    }
    const auto there = reinterpret_cast<decltype(&make_call_here)>(dlsym(object, "make_call_here"));
    saguaro::run([&] { how = there(name); });
    const auto is_right =
        reinterpret_cast<decltype(&has_left_it_right)>(dlsym(object, "has_left_it_right"));
    if (!is_right(name))
        how = "a wrong value afterwards";
    std::puts(how);
    std::exit(0);
}

void in_an_arena() {
    saguaro::arena two({.workers = 2});
    two.run(call);
}

void in_a_blocking_scope() {
    saguaro::run([] {
        const saguaro::blocking wait;
        call();
    });
}

// A view's first use on another worker calls `identity`.
struct calls_for_identity {
    using value_type = int;
    int identity() const {
        call();
        return 0;
    }
    void reduce(int &left, int right) const { left += right; }
};

void in_a_monoid() {
    saguaro::reducer<calls_for_identity> counted(0);
    saguaro::test::on_another_worker([&] { *counted += 1; });
}

constexpr struct {
    const char *name;
    void (*visit)();
} places[] = {{"task", in_a_task},
              {"child", in_a_child},
              {"thread", in_a_thread},
              {"thread_local", at_the_end_of_a_worker},
              {"exit handler", in_a_handler_at_exit},
              {"signal handler", in_a_signal_handler},
              {"fork", in_a_child_process},
              {"fork in a task", in_a_child_process_of_a_task},
              {"another copy", in_another_copy},
              {"arena", in_an_arena},
              {"blocking", in_a_blocking_scope},
              {"monoid", in_a_monoid}};

} // namespace

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    name = argv[2];
    plugin = argv[3];
    alarm(60);
    saguaro::run([] {}); // the workers are there
    for (const auto &place : places)
        if (std::strcmp(place.name, argv[1]) == 0) {
            place.visit();
            report();
            return 0;
        }
    return 2;
}
