// SPDX-License-Identifier: MIT
// The program of memory_test.py: a process with workers, and its use of the system's memory.
// PROGRAM MODE prints "VmRSS VmLck VmData" in kilobytes once it has computed.
#include "process/modes.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/vthread.h"

#include <fstream>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

using namespace process;

void print() {
    std::ifstream status("/proc/self/status");
    long values[3] = {};
    for (std::string line; std::getline(status, line);)
        for (int i = 0; i < 3; ++i)
            if (const char *const names[] = {"VmRSS:", "VmLck:", "VmData:"};
                line.rfind(names[i], 0) == 0)
                values[i] = std::atol(line.c_str() + std::strlen(names[i]));
    std::printf("%ld %ld %ld\n", values[0], values[1], values[2]);
}

void lock(int which) {
    if (mlockall(which) == 0)
        return;
    std::puts("refused");
    std::_Exit(0);
}

void compute() {
    check(computes(), "what the workers compute");
}

// Deep enough for a chain of several thousand parents.
long down(long n) {
    if (n == 0)
        return 0;
    long below = 0;
    saguaro::scope s;
    s.spawn([&below, n] { below = down(n - 1); });
    s.sync();
    return below + 1;
}

// More reducers, parents and frames than are committed at first, in a run and before it.
void grow() {
    constexpr std::size_t many = 5000;
    std::vector<std::unique_ptr<saguaro::reducer<saguaro::add<long>>>> before, inside;
    const auto add = [](auto &to) {
        for (std::size_t i = 0; i < many; ++i)
            to.push_back(std::make_unique<saguaro::reducer<saguaro::add<long>>>());
    };
    add(before);
    saguaro::run([&] {
        add(inside);
        saguaro::parallel_for(std::size_t{0}, many, [&](std::size_t i) {
            *(*before[i]) += 1;
            *(*inside[i]) += 1;
        });
        const long depth = number > 0 ? number : 2000;
        check(down(depth) == depth, "deep recursion");
        check(saguaro::stats().stacks >= static_cast<std::uint64_t>(depth), "a stack for each");
        check(fib_invoke(20) == 6765, "fib");
    });
    for (std::size_t i = 0; i < many; ++i)
        check(before[i]->get() == 1 && inside[i]->get() == 1, "each reducer");
}

void flows() {
    saguaro::nt::run([] {
        for (int i = 0; i < 100; ++i)
            saguaro::nt::fork([] {});
        saguaro::nt::join();
    });
    check(sg_vthread_run(nullptr, [](void *, sg_vp *) {}, nullptr) == 0, "sg_vthread_run");
}

constexpr mode modes[] = {{"plain",
                           [] {
                               compute();
                               print();
                           }},
                          {"lock-before",
                           [] {
                               lock(MCL_CURRENT | MCL_FUTURE);
                               compute();
                               print();
                           }},
                          {"lock-after",
                           [] {
                               compute();
                               lock(MCL_CURRENT);
                               print();
                           }},
                          {"lock-and-grow",
                           [] {
                               lock(MCL_CURRENT | MCL_FUTURE);
                               grow();
                               flows();
                               print();
                           }},
                          {"grow", [] {
                               grow();
                               flows();
                               print();
                           }}};

} // namespace

int main(int argc, char **argv) {
    return run_mode(modes, argc, argv);
}
