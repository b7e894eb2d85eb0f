// SPDX-License-Identifier: MIT
// The program of reducer_ends_test.py: reducers whose end is that of the process, in every way that
// a process ends: PROGRAM WAY KIND CODE [LIBRARY].
#include "process/modes.hpp"
#include "saguaro/detail/c_reducer.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace process;
using namespace std::chrono_literals;

// A count whose value says when it ends, unless a run is under way: then others end as well.
std::atomic<bool> says_its_end{false};

struct count {
    long n = 0;
    ~count() {
        if (says_its_end)
            std::puts("view");
    }
};

struct counting {
    using value_type = count;
    count identity() const { return {}; }
    void reduce(count &left, count &&right) const { left.n += right.n; }
};

using counter = saguaro::reducer<counting>;

// ---- The kinds: each gives a function that counts one ----

struct talker {
    const char *word;
    ~talker() { std::puts(word); }
};

std::atomic<bool> counts{false};
std::atomic<bool> is_late{false}; // the task begins to count when the reducers were destroyed
std::atomic<bool> were_destroyed{false};

struct patient_talker : talker {
    ~patient_talker() {
        were_destroyed = true;
        while (is_late && !counts)
            std::this_thread::yield();
    }
};

const patient_talker before{{"constructed before"}};
counter of_the_program;
const talker behind{"constructed behind"};

void (*count_one)();

void use_global() {
    count_one = [] { ++of_the_program->n; };
}

// Made when the workers are there, so that it ends before they are asked to.
counter &made_late() {
    static counter late;
    return late;
}

void use_late() {
    count_one = [] { ++made_late()->n; };
}

// Made by a task, which holds it from the start.
void use_one_of_a_task() {
    saguaro::run([] { made_late(); });
    use_late();
}

// On the heap, where it stays, and destroyed by an exit handler.
counter *of_the_heap;

void use_heap() {
    saguaro::run([] {});
    of_the_heap = new (std::malloc(sizeof(counter))) counter;
    std::atexit([] { of_the_heap->~counter(); });
    count_one = [] { ++(*of_the_heap)->n; };
}

const sg_monoid c_counting{[](void *view, void *) { *static_cast<long *>(view) = 0; },
                           [](void *left, void *right, void *) {
                               *static_cast<long *>(left) += *static_cast<long *>(right);
                           },
                           nullptr,
                           sizeof(long),
                           alignof(long),
                           nullptr,
                           nullptr};
sg_reducer of_c;

void use_c() {
    saguaro::run([] {});
    check(sg_reducer_create(&of_c, &c_counting) == 0, "create");
    std::atexit([] { sg_reducer_destroy(&of_c); });
    count_one = [] { ++*static_cast<long *>(sg_reducer_view(&of_c)); };
}

struct {
    sg_hyper base;
    long value;
} hyper{
    {{0, nullptr},
     {},
     sizeof(long),
     alignof(long),
     nullptr,
     nullptr,
     nullptr,
     [](void *view) { *static_cast<long *>(view) = 0; },
     [](void *left, void *right) { *static_cast<long *>(left) += *static_cast<long *>(right); }},
    0};

void use_hyper() {
    saguaro::run([] {});
    sg_hyper_register(&hyper.base);
    std::atexit([] { sg_hyper_unregister(&hyper.base); });
    count_one = [] { ++*static_cast<long *>(sg_hyper_view(&hyper.base)); };
}

const char *library;

// A shared object that is loaded when the workers are there, and has a reducer of its own.
void use_library() {
    saguaro::run([] {});
    void *const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    check(loaded != nullptr, "dlopen");
    count_one = reinterpret_cast<void (*)()>(dlsym(loaded, "count_one"));
    check(count_one != nullptr, "dlsym");
}

// ---- The ways ----

void keep_counting() {
    for (volatile bool forever = true; forever;) {
        count_one();
        counts = true;
        std::this_thread::sleep_for(10us);
    }
}

// Calls end() in a task that has counted and whose sibling goes on counting, if there is a worker
// for it.
template <class F>
void in_a_task(F end) {
    saguaro::run([&] {
        saguaro::parallel_invoke(
            [&] {
                count_one();
                while (!counts && saguaro::workers() > 1)
                    std::this_thread::yield();
                end();
            },
            keep_counting);
    });
}

template <class F>
void beside(F end) {
    std::thread([] {
        saguaro::run([] { saguaro::parallel_invoke(keep_counting, keep_counting); });
    }).detach();
    while (!counts)
        std::this_thread::yield();
    end();
}

[[noreturn]] void leave() {
    std::exit(static_cast<int>(number));
}

[[noreturn]] void leave_quickly() {
    std::fflush(stdout);
    std::at_quick_exit([] { static_cast<void>(!write(STDOUT_FILENO, "quick\n", 6)); });
    std::quick_exit(static_cast<int>(number));
}

// The process forks, and the child ends by exit; so does this one, without a word.
void leave_in_a_child() {
    const pid_t child = fork();
    if (child == 0)
        leave();
    int status = 0;
    check(waitpid(child, &status, 0) == child && WIFEXITED(status), "the child exits");
    _exit(WEXITSTATUS(status));
}

// A thread that has nothing to do with the runtime ends the process.
void leave_from_a_stranger() {
    std::thread(leave).join();
}

// The run does not use the reducer before it is destroyed.
void return_before_use() {
    std::atomic<bool> runs{false};
    is_late = true;
    std::thread([&] {
        saguaro::run([&] {
            runs = true;
            while (!were_destroyed)
                std::this_thread::yield();
            keep_counting();
        });
    }).detach();
    while (!runs)
        std::this_thread::yield();
}

// No run is under way any more: all is destroyed as ever.
void after() {
    saguaro::run([] {
        for (int i = 0; i < 100; ++i)
            count_one();
    });
    says_its_end = true;
}

constexpr mode ways[] = {{"exit-in-a-task", [] { in_a_task(leave); }},
                         {"exit-beside", [] { beside(leave); }},
                         {"exit-from-a-stranger", [] { beside(leave_from_a_stranger); }},
                         {"fork-in-a-task", [] { in_a_task(leave_in_a_child); }},
                         {"fork-beside", [] { beside(leave_in_a_child); }},
                         {"return", [] { beside([] {}); }},
                         {"return-before-use", return_before_use},
                         {"quick-exit-in-a-task", [] { in_a_task(leave_quickly); }},
                         {"quick-exit-beside", [] { beside(leave_quickly); }},
                         {"after", after}};

constexpr mode kinds[] = {
    {"global", use_global},  {"late", use_late}, {"of-a-task", use_one_of_a_task},
    {"heap", use_heap},      {"c", use_c},       {"hyper", use_hyper},
    {"library", use_library}};

} // namespace

int main(int argc, char **argv) {
    std::atexit([] { std::puts("handler"); });
    number = argc > 3 ? std::atol(argv[3]) : 0;
    library = argc > 4 ? argv[4] : "";
    for (const mode &kind : kinds)
        if (argc > 2 && std::string_view(argv[2]) == kind.name)
            kind.run();
    for (const mode &way : ways)
        if (argc > 2 && count_one != nullptr && std::string_view(argv[1]) == way.name) {
            way.run();
            return static_cast<int>(number);
        }
    std::fprintf(stderr, "%s: no such way or kind\n", argv[0]);
    return 1;
}
