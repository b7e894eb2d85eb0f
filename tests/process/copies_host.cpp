// SPDX-License-Identifier: MIT
// Calls copies of the library, one in another's tasks: copies_host MODE[,MODE...] COPY COPY [COPY].
// A COPY is the path of a plugin, +PATH of one whose names all later ones see, or `self`: the
// host's own. The modes are in the table at the end. Prints nothing, and returns 0, if everything
// is right.
#include "process/copies.hpp"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// In a host that contains the library.
extern "C" [[gnu::weak]] const copy_functions *copy_functions_here();

namespace {

struct copy {
    const char *name;
    void *handle = nullptr;
    const copy_functions *functions = nullptr;
};

std::vector<copy> copies;

void check(bool holds, const char *what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::_Exit(9);
}

void load(copy &c) {
    using get_functions = const copy_functions *(*)();
    get_functions get = &copy_functions_here;
    if (std::strcmp(c.name, "self") != 0) {
        const bool is_global = c.name[0] == '+';
        c.handle =
            dlopen(is_global ? c.name + 1 : c.name, RTLD_NOW | (is_global ? RTLD_GLOBAL : 0));
        if (c.handle == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::_Exit(1);
        }
        get = reinterpret_cast<get_functions>(dlsym(c.handle, COPY_FUNCTIONS));
    }
    check(get != nullptr, "the copy offers its functions");
    c.functions = get();
    check(c.functions != nullptr, "the copy computed while it was loaded");
}

void unload(copy &c) {
    check(dlclose(c.handle) == 0, "dlclose");
}

const copy_functions &first() {
    return *copies[0].functions;
}
const copy_functions &second() {
    return *copies[1].functions;
}

constexpr long numbers = 100, sum = 4950, rounds = 100;

void add_in_order() {
    for (const copy &c : copies)
        check(c.functions->add(numbers) == sum, "one copy after the other");
}

long first_adds(long) {
    return first().add(numbers);
}
long second_adds(long) {
    return second().add(numbers);
}
long second_calls_first(long) {
    return second().call(10, first_adds);
}

void nest() {
    add_in_order();
    check(first().call(rounds, second_adds) == rounds * sum, "the second in the first");
    check(second().call(rounds, first_adds) == rounds * sum, "the first in the second");
    check(first().call(30, second_calls_first) == 300 * sum,
          "the first in the second in the first");
}

long first_meets(long) {
    const pid_t before = gettid();
    const long met = first().meet(0);
    check(gettid() == before, "the second goes on where the first was called");
    return met;
}
long second_calls_first_that_meets(long) {
    return second().call(1, first_meets);
}

// The first's flow waits, and is continued by another thread, with the second's frames above it.
void leave() {
    add_in_order();
    for (int i = 0; i < 5; ++i)
        check(first().call(2, second_calls_first_that_meets) == 2, "met");
}

void several_threads() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            check(i % 2 == 0 ? first().call(rounds, second_adds) == rounds * sum
                             : second().call(rounds, first_adds) == rounds * sum,
                  "several threads");
        });
    for (std::thread &each : threads)
        each.join();
}

void sort() {
    for (int i = 0; i < 5; ++i)
        for (const copy &c : copies)
            check(c.functions->sort(20000) == 1, "sorted");
}

long first_forks(long i) {
    return i % 10 == 0 ? first().fork(i) : 0;
}
long second_forks(long i) {
    return i % 10 == 0 ? second().fork(i) : 0;
}

void forks() {
    add_in_order();
    const pid_t child = fork();
    if (child == 0) {
        nest();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    check(status == 0, "the child of a fork");
    for (const copy &c : copies)
        check(c.functions->fork(0) == 0, "the child of a task's fork");
    check(first().call(20, second_forks) == 0, "the child of a fork in the second in the first");
    check(second().call(20, first_forks) == 0, "the child of a fork in the first in the second");
}

long second_exits(long i) {
    return i == rounds / 2 ? second().exit(i) : 0;
}

void exits() {
    add_in_order();
    first().call(rounds, second_exits);
}

long second_overflows(long i) {
    return i == rounds / 2 ? second().overflow(i) : 0;
}

void overflows() {
    add_in_order();
    first().call(rounds, second_overflows);
}

// Unloads the copy of this number, uses the other, and loads it anew.
void unload_and_go_on(std::size_t which) {
    for (int i = 0; i < 5; ++i) {
        nest();
        unload(copies[which]);
        check(copies[1 - which].functions->add(numbers) == sum, "the one that is left");
        load(copies[which]);
    }
    nest();
}

void unload_first() {
    unload_and_go_on(0);
}
void unload_second() {
    unload_and_go_on(1);
}

long unload_the_second(long i) {
    if (i == 5)
        unload(copies[1]);
    return first().add(numbers);
}

void unload_in_a_task() {
    add_in_order();
    check(first().call(10, unload_the_second) == 10 * sum, "the first unloads the second");
}

sigjmp_buf before_fault;

void go_back(int) {
    siglongjmp(before_fault, 1);
}

void fault_and_go_back() {
    if (sigsetjmp(before_fault, 1) == 0) {
        raise(SIGSEGV);
        check(false, "the host's handler");
    }
}

void start_with_handler() {
    std::signal(SIGSEGV, go_back);
    for (copy &c : copies) {
        load(c);
        c.functions->add(numbers);
        fault_and_go_back();
    }
}

// The host's handler was there before all of ours, and is called whichever of them are left.
void handler_after_first() {
    start_with_handler();
    unload(copies[0]);
    fault_and_go_back();
    check(second().add(numbers) == sum, "the one that is left");
    fault_and_go_back();
    load(copies[0]);
    nest();
    fault_and_go_back();
    unload(copies[1]);
    fault_and_go_back();
    unload(copies[0]);
    fault_and_go_back();
}

constexpr struct {
    const char *name;
    void (*run)();
    bool loads = false; // by itself
} modes[] = {{"nest", nest},
             {"leave", leave},
             {"threads", several_threads},
             {"sort", sort},
             {"fork", forks},
             {"exit", exits},
             {"overflow", overflows},
             {"unload-first", unload_first},
             {"unload-second", unload_second},
             {"unload-in-a-task", unload_in_a_task},
             {"handler", handler_after_first, true}};

} // namespace

int main(int argc, char **argv) {
    for (int i = 2; i < argc; ++i)
        copies.push_back({argv[i]});
    check(copies.size() >= 2, "two copies");
    for (const char *mode = std::strtok(argv[1], ","); mode != nullptr;
         mode = std::strtok(nullptr, ",")) {
        const auto *const found =
            std::find_if(std::begin(modes), std::end(modes),
                         [&](const auto &m) { return std::strcmp(m.name, mode) == 0; });
        check(found != std::end(modes), "there is such a mode");
        if (copies[0].functions == nullptr && !found->loads)
            for (copy &c : copies)
                load(c);
        found->run();
    }
    return 0;
}
