// SPDX-License-Identifier: MIT
//
// vthread-cond, vthread-mutex: the plug-in Vthread beside the system's threads.
#include "driver/registry.hpp"
#include "micro/vms/handshake.hpp"
#include "platform/cpus.hpp"
#include "platform/thread.hpp"

#include <saguaro/vthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace saguaro::bench {

namespace {

using role = std::function<void(sg_vp *)>;

struct vthreads {
    struct mutex : sg_vthread_mutex {
        mutex() : sg_vthread_mutex SG_VTHREAD_MUTEX_INIT {}
    };
    struct condition : sg_vthread_cond {
        condition() : sg_vthread_cond SG_VTHREAD_COND_INIT {}
    };
    using self = sg_vp *;

    static void lock(mutex &m, self me) { sg_vthread_mutex_lock(&m, me); }
    static void unlock(mutex &m, self me) { sg_vthread_mutex_unlock(&m, me); }
    static void wait(condition &c, mutex &m, self me) { sg_vthread_cond_wait(&c, &m, me); }
    static void signal(condition &c, self me) { sg_vthread_cond_signal(&c, me); }

    static void run_two(int cores, const role &first, const role &second) {
        const role *roles[2] = {&first, &second};
        const auto start_both = [](void *argument, sg_vp *me) {
            const auto *const both = static_cast<const role **>(argument);
            const auto play = [](void *part, sg_vp *self) -> void * {
                (*static_cast<const role *>(part))(self);
                return nullptr;
            };
            const unsigned last = sg_vms_cores(me->instance) - 1;
            sg_vthread_create_on(0, play, const_cast<role *>(both[0]), me);
            sg_vthread_create_on(last, play, const_cast<role *>(both[1]), me);
        };
        sg_vms_options options{};
        options.cores = static_cast<unsigned>(cores);
        if (sg_vthread_run(&options, start_both, roles) != 0)
            throw wrong_answer("Vthread has failed");
    }
};

struct nobody {};

struct pthreads {
    struct mutex : std::mutex {};
    using condition = std::condition_variable;
    using self = nobody;

    static void lock(mutex &m, self) { m.lock(); }
    static void unlock(mutex &m, self) { m.unlock(); }
    static void wait(condition &c, mutex &m, self) {
        std::unique_lock<std::mutex> held(m, std::adopt_lock);
        c.wait(held);
        held.release();
    }
    static void signal(condition &c, self) { c.notify_one(); }

    static void run_two(int cores, const std::function<void(self)> &first,
                        const std::function<void(self)> &second) {
        const std::vector<int> cpus = platform::allowed_cpus();
        const std::size_t last = std::min(static_cast<std::size_t>(cores), cpus.size()) - 1;
        std::thread one([&] {
            platform::pin_to_cpu(cpus[0]);
            first({});
        });
        std::thread other([&] {
            platform::pin_to_cpu(cpus[last]);
            second({});
        });
        one.join();
        other.join();
    }
};

} // namespace

registry_entry vthread_cond_bench() {
    const kernel problem = {
        .name = "vthread-cond",
        .meaning = "n round trips of two threads that wake each other by condition variables",
        .base = "pthread",
        .sizes = {10'000},
        .greatest_peer_size = 0,
        .least_n = 100,
        .greatest_n = 10'000'000,
        .operations = n_operations};
    const std::vector<variant> variants = {
        parallel("pthread", measure_round_trips<pthreads>),
        parallel("saguaro", measure_round_trips<vthreads>),
    };
    return entry_of(problem, {variants});
}

registry_entry vthread_mutex_bench() {
    const kernel problem = {.name = "vthread-mutex",
                            .meaning =
                                "n locks of a mutex that have to wait for the other of two threads",
                            .base = "pthread",
                            .sizes = {5000},
                            .greatest_peer_size = 0,
                            .least_n = 1000,
                            .greatest_n = 10'000'000,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        parallel("pthread", measure_mutex_waits<pthreads>),
        parallel("saguaro", measure_mutex_waits<vthreads>),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
