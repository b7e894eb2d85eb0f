// SPDX-License-Identifier: MIT
//
// vms: the Master alone, and the plug-ins.
#include "micro/vms/vms.hpp"
#include "driver/registry.hpp"
#include "saguaro/ssr.h"
#include "saguaro/vcilk.h"
#include "saguaro/vthread.h"
#include "stacks/context.hpp"
#include "stacks/pool.hpp"

namespace saguaro::bench {

namespace {

// ---- A plug-in whose requests do nothing ----

enum class bare_request { yield, send, create, allocate };

void nothing(void *, sg_vp *) {}

// The others of `concur`: they yield until the first one is the last.
constexpr int others = 3;
bool is_over = false;

void yield(sg_vp *me) {
    bare_request request = bare_request::yield;
    sg_vms_request(me, &request);
}

void yields(void *, sg_vp *me) {
    while (!is_over)
        yield(me);
}

sg_vp *create_bare(sg_vms_function function, sg_vp *requester) {
    sg_vp *const made = sg_vms_create(requester->instance, function, nullptr);
    made->place = 0;
    sg_vms_resume(made);
    return made;
}

constexpr int blocks = 64;

void handle(void *, sg_vp *requester, void *request) {
    if (request == nullptr)
        return;
    switch (*static_cast<bare_request *>(request)) {
    case bare_request::yield:
        sg_vms_resume(requester);
        break;
    case bare_request::send:
        create_bare(yields, requester);
        break;
    case bare_request::create:
        create_bare(nothing, requester);
        break;
    case bare_request::allocate: {
        void *all[blocks];
        for (void *&block : all)
            block = sg_vms_allocate(requester->instance, 64);
        for (void *block : all)
            sg_vms_free(requester->instance, block, 64);
        break;
    }
    }
}

int run_bare(const sg_vms_options *options, sg_vms_function function, void *argument) {
    static const sg_vms_plugin plugin = {"bench", handle, sg_vms_first_come, nullptr, 0};
    return sg_vms_run(&plugin, nullptr, options, function, argument);
}

void send(sg_vp *me, bare_request request) {
    sg_vms_send(me, &request);
}

void begin_bare(sg_vp *me) {
    is_over = false;
    for (int i = 0; i < others; ++i)
        send(me, bare_request::send);
    yield(me);
}

void end_bare(sg_vp *me) {
    is_over = true;
    yield(me);
}

void create_nothing(sg_vp *me) {
    send(me, bare_request::create);
    yield(me);
}

constexpr vms_language bare = {run_bare, begin_bare, end_bare, yield, 0, create_nothing};

// ---- SSR ----

sg_vp *ssr_first, *ssr_partner;

void ssr_answers(void *, sg_vp *me) {
    while (sg_ssr_receive_from_to(ssr_first, me) != nullptr)
        sg_ssr_send_from_to(nullptr, me, ssr_first);
}

void ssr_sends(void *, sg_vp *me) {
    sg_ssr_send_of_type_to(nullptr, me, 1, ssr_first);
}

constexpr vms_language ssr = {
    sg_ssr_run,
    [](sg_vp *me) {
        ssr_first = me;
        ssr_partner = sg_ssr_create_on(0, ssr_answers, nullptr, me);
    },
    [](sg_vp *me) { sg_ssr_send_from_to(nullptr, me, ssr_partner); },
    [](sg_vp *me) {
        sg_ssr_send_from_to(me, me, ssr_partner);
        sg_ssr_receive_from_to(ssr_partner, me);
    },
    0,
    [](sg_vp *me) {
        sg_ssr_create_on(0, ssr_sends, nullptr, me);
        sg_ssr_receive_of_type(1, me);
    },
};

// ---- Vthread ----

sg_vthread_mutex vthread_mutex = SG_VTHREAD_MUTEX_INIT;
sg_vthread_cond vthread_turned = SG_VTHREAD_COND_INIT;

void vthread_turn(sg_vp *me) {
    sg_vthread_cond_signal(&vthread_turned, me);
    sg_vthread_cond_wait(&vthread_turned, &vthread_mutex, me);
}

void *vthread_answers(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&vthread_mutex, me);
    while (!is_over)
        vthread_turn(me);
    sg_vthread_mutex_unlock(&vthread_mutex, me);
    return nullptr;
}

void *vthread_nothing(void *, sg_vp *) {
    return nullptr;
}

constexpr vms_language vthread = {
    sg_vthread_run,
    [](sg_vp *me) {
        is_over = false;
        sg_vthread_create_on(0, vthread_answers, nullptr, me);
        sg_vthread_mutex_lock(&vthread_mutex, me);
        sg_vthread_cond_wait(&vthread_turned, &vthread_mutex, me);
    },
    [](sg_vp *me) {
        is_over = true;
        sg_vthread_cond_signal(&vthread_turned, me);
        sg_vthread_mutex_unlock(&vthread_mutex, me);
    },
    vthread_turn,
    2,
    [](sg_vp *me) { sg_vthread_join(sg_vthread_create_on(0, vthread_nothing, nullptr, me), me); },
};

// ---- VCilk ----

constexpr vms_language vcilk = {
    sg_vcilk_run,
    [](sg_vp *) {},
    [](sg_vp *) {},
    nullptr, // nobody syncs who has not spawned
    0,
    [](sg_vp *me) {
        sg_vcilk_spawn(nothing, nullptr, me);
        sg_vcilk_sync(me);
    },
};

// ---- What the rows are made of ----

double switch_cycles(long n) {
    stacks::pool pool(65536, 0);
    stacks::stack *const other = pool.take();
    if (other == nullptr)
        throw wrong_answer("no stack");
    struct pair {
        stacks::context here, there;
        bool is_over = false;
    } both;
    stacks::start_on(
        both.here, *other,
        [](void *argument) -> stacks::context * {
            pair &p = *static_cast<pair *>(argument);
            while (!p.is_over)
                stacks::switch_to(p.there, p.here);
            return &p.here;
        },
        &both);
    const vms_cost cost = vms_details::cost_of(
        n,
        [&] {
            for (long i = 0; i < vms_details::rounds_at_once; ++i)
                stacks::switch_to(both.here, both.there);
        },
        [&] { return 2.0 * static_cast<double>(vms_details::rounds_at_once); });
    both.is_over = true;
    stacks::switch_to(both.here, both.there);
    pool.give(other);
    return cost.cycles;
}

void allocate(sg_vp *me) {
    send(me, bare_request::allocate);
}

// Cycles for a pair of calls; the request around them is not even one of each.
double malloc_cycles(long n) {
    static double result;
    struct inside {
        static void run(void *argument, sg_vp *me) {
            constexpr long requests = vms_details::rounds_at_once / 10;
            result = vms_details::cost_of(
                         *static_cast<long *>(argument),
                         [&] {
                             for (long i = 0; i < requests; ++i)
                                 allocate(me);
                         },
                         [&] { return static_cast<double>(blocks * requests); })
                         .cycles;
        }
    };
    const sg_vms_options options = {1, 1, 0, "none"};
    if (const int error = run_bare(&options, inside::run, &n))
        throw wrong_answer("the instance ended with error " + std::to_string(error));
    return result;
}

outcome master(long n, int) {
    const vms_cost one = measure_vms(bare, bare.concur, n, 1);
    const double locked = measure_vms(bare, bare.concur, n, 2).cycles;
    const double created = measure_vms(bare, bare.create, n, 1).cycles;
    const double switched = switch_cycles(n);
    outcome all(one.seconds * static_cast<double>(n));
    // Of the two VPs that a round of `create` schedules, one is new.
    all.parts = {{"master_loop", one.cycles - switched},
                 {"switch", switched},
                 {"lock", locked - one.cycles},
                 {"malloc", malloc_cycles(n)},
                 {"create", 2 * (created - one.cycles)}};
    return all;
}

/// What the plug-in adds to the Master alone.
template <const vms_language &language>
outcome plugin(long n, int) {
    const double alone = measure_vms(bare, bare.concur, n, 1).cycles;
    const vms_cost created = measure_vms(language, language.create, n, 1);
    outcome all(created.seconds * static_cast<double>(n));
    if constexpr (language.concur != nullptr) {
        const vms_cost concur = measure_vms(language, language.concur, n, 1);
        all.seconds = concur.seconds * static_cast<double>(n);
        all.parts.emplace_back("concur", concur.cycles - alone);
    }
    all.parts.emplace_back("all", created.cycles - alone);
    return all;
}

} // namespace

registry_entry vms_bench() {
    const kernel problem = {
        .name = "vms",
        .meaning = "n virtual processors scheduled by the Master; parts: cycles for each",
        .base = "master",
        .sizes = {1'000'000},
        .greatest_peer_size = 0,
        .greatest_n = 1'000'000'000,
        .parallel = false,
        .operations = n_operations};
    const std::vector<variant> variants = {
        fixed("master", master),
        fixed("ssr", plugin<ssr>),
        fixed("vthread", plugin<vthread>),
        fixed("vcilk", plugin<vcilk>),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
