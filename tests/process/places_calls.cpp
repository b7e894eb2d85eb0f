// SPDX-License-Identifier: MIT
// Calls of the library, one of each kind, for a program that makes them from everywhere and for its
// plugin, which contains a copy of the library.
#include "process/places.hpp"

#include <saguaro/saguaro.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <unistd.h>

namespace {

// It lives on, so that destructors at the end of the process may use it as well.
saguaro::reducer<saguaro::add<long>> &sum = *new saguaro::reducer<saguaro::add<long>>;

const char *yes_if(bool right) {
    return right ? "yes" : "a wrong result";
}

bool loop() {
    std::atomic<long> total{0};
    saguaro::parallel_for(0L, 1000L, [&](long i) { total += i; });
    return total == 499500;
}

const char *run() {
    return yes_if(saguaro::run([] { return 42; }) == 42);
}

const char *scope() {
    std::atomic<int> children{0};
    saguaro::scope s;
    for (int i = 0; i < 3; ++i)
        s.spawn([&] { ++children; });
    s.sync();
    return yes_if(children == 3);
}

const char *group() {
    std::atomic<int> tasks{0};
    saguaro::task_group g;
    for (int i = 0; i < 3; ++i)
        g.run([&] { g.run([&] { ++tasks; }); });
    g.wait();
    return yes_if(tasks == 3);
}

const char *update() {
    *sum += 7;
    return "yes";
}

const char *isolate() {
    return yes_if(saguaro::isolate(loop));
}

const char *in_an_arena() {
    saguaro::arena two({.workers = 2});
    return yes_if(two.run(loop));
}

const char *block() {
    const saguaro::blocking wait;
    usleep(1000);
    return "yes";
}

const char *stop_and_start() {
    const int stopped = sg_stop(), started = sg_start(nullptr);
    if (stopped == EBUSY && started == EBUSY)
        return "EBUSY";
    return stopped == 0 && started == 0 ? "yes" : "another error";
}

const char *worker_id() {
    const int number = sg_worker_id();
    return number == -1 ? "-1" : number >= 0 ? "a number" : "neither";
}

constexpr struct {
    const char *name;
    const char *(*make)();
} calls[] = {{"run", run},
             {"parallel_for", [] { return yes_if(loop()); }},
             {"scope", scope},
             {"task_group", group},
             {"reducer", update},
             {"isolate", isolate},
             {"arena", in_an_arena},
             {"blocking", block},
             {"stop, start", stop_and_start},
             {"worker_id", worker_id}};

} // namespace

const char *make_call_here(const char *name) {
    for (const auto &call : calls)
        if (std::strcmp(call.name, name) == 0)
            return call.make();
    return "no such call";
}

bool has_left_it_right(const char *name) {
    return std::strcmp(name, "reducer") != 0 || sum.get() == 7;
}
