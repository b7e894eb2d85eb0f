// SPDX-License-Identifier: MIT
// The program of vthread_failures_test.py: programs on Vthread that cannot go on, as programs are:
// the exit code is 1 if the run failed.
#include "saguaro/vthread.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

unsigned cores = 1;

sg_vthread_mutex a = SG_VTHREAD_MUTEX_INIT;
sg_vthread_mutex b = SG_VTHREAD_MUTEX_INIT;
sg_vthread_cond cond = SG_VTHREAD_COND_INIT;
sg_vthread_rwlock rwlock = SG_VTHREAD_RWLOCK_INIT;

void *nothing(void *, sg_vp *) {
    return nullptr;
}

void *locks_a(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    return nullptr;
}

// ---- Deadlocks ----

// Each has one and wants the other's.
void *locks_b_then_a(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&b, me);
    sg_vthread_mutex_lock(&a, me);
    return nullptr;
}

void opposite_orders(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    sg_vthread_create(locks_b_then_a, nullptr, me);
    while (sg_vthread_mutex_trylock(&b, me)) {
        sg_vthread_mutex_unlock(&b, me);
        sg_vthread_yield(me);
    }
    sg_vthread_mutex_lock(&b, me);
}

void lost_signal(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    sg_vthread_cond_signal(&cond, me);
    sg_vthread_cond_wait(&cond, &a, me);
}

void *waits(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    sg_vthread_cond_wait(&cond, &a, me);
    sg_vthread_mutex_unlock(&a, me);
    return nullptr;
}

void joins_one_that_waits(void *, sg_vp *me) {
    sg_vthread_join(sg_vthread_create(waits, nullptr, me), me);
}

// The thread has been woken, and its mutex is not given back.
void woken_without_the_mutex(void *, sg_vp *me) {
    const sg_vthread other = sg_vthread_create(waits, nullptr, me);
    for (bool is_waiting = false; !is_waiting;) {
        sg_vthread_yield(me);
        sg_vthread_mutex_lock(&a, me);
        is_waiting = cond.first != nullptr;
        if (!is_waiting)
            sg_vthread_mutex_unlock(&a, me);
    }
    sg_vthread_cond_signal(&cond, me);
    sg_vthread_join(other, me);
}

sg_vthread first_of_circle;

void *joins_first_of_circle(void *, sg_vp *me) {
    return sg_vthread_join(first_of_circle, me);
}

void *joins_second(void *, sg_vp *me) {
    return sg_vthread_join(sg_vthread_create(joins_first_of_circle, nullptr, me), me);
}

void circle_of_joins(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    const auto waits_for_a = [](void *, sg_vp *self) -> void * {
        sg_vthread_mutex_lock(&a, self);
        sg_vthread_mutex_unlock(&a, self);
        return joins_second(nullptr, self);
    };
    first_of_circle = sg_vthread_create(waits_for_a, nullptr, me);
    sg_vthread_mutex_unlock(&a, me);
}

// ---- Mutexes ----

void locks_twice(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    sg_vthread_mutex_lock(&a, me);
}

void unlocks_a_free_one(void *, sg_vp *me) {
    sg_vthread_mutex_unlock(&a, me);
}

void *unlocks_a(void *, sg_vp *me) {
    sg_vthread_mutex_unlock(&a, me);
    return nullptr;
}

void unlocks_anothers(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    sg_vthread_join(sg_vthread_create(unlocks_a, nullptr, me), me);
}

void ends_with_a_mutex(void *, sg_vp *me) {
    const sg_vthread other = sg_vthread_create(locks_a, nullptr, me);
    sg_vthread_join(other, me);
    sg_vthread_mutex_lock(&a, me);
}

// ---- Read-write locks ----

void *writes(void *, sg_vp *me) {
    sg_vthread_rwlock_wrlock(&rwlock, me);
    return nullptr;
}

void ends_while_it_writes(void *, sg_vp *me) {
    // Counted down again for those that unlock.
    sg_vthread_rwlock_wrlock(&rwlock, me);
    sg_vthread_rwlock_unlock(&rwlock, me);
    sg_vthread_rwlock_rdlock(&rwlock, me);
    sg_vthread_rwlock_unlock(&rwlock, me);
    sg_vthread_create(writes, nullptr, me);
}

// Most often it waits for the first one, which gives it the lock.
void ends_when_it_was_given_an_rwlock(void *, sg_vp *me) {
    sg_vthread_rwlock_rdlock(&rwlock, me);
    sg_vthread_create(writes, nullptr, me);
    sg_vthread_yield(me);
    sg_vthread_rwlock_unlock(&rwlock, me);
}

void unlocks_another_instances_rwlock(void *, sg_vp *me) {
    sg_vthread_rwlock_rdlock(&rwlock, me);
    rwlock.first = rwlock.last = me; // as if it waited
    const auto inner = [](void *, sg_vp *self) { sg_vthread_rwlock_unlock(&rwlock, self); };
    const sg_vms_options options = {cores, 0, 0, nullptr};
    std::exit(sg_vthread_run(&options, inner, nullptr) != 0);
}

// ---- Condition variables ----

void waits_without_the_mutex(void *, sg_vp *me) {
    sg_vthread_cond_wait(&cond, &a, me);
}

void waits_with_another_mutex(void *, sg_vp *me) {
    sg_vthread_create(waits, nullptr, me);
    sg_vthread_mutex_lock(&b, me);
    for (bool is_waiting = false; !is_waiting;) {
        sg_vthread_yield(me);
        sg_vthread_mutex_lock(&a, me);
        is_waiting = cond.first != nullptr;
        sg_vthread_mutex_unlock(&a, me);
    }
    sg_vthread_cond_wait(&cond, &b, me);
}

// ---- Threads ----

void joins_twice(void *, sg_vp *me) {
    const sg_vthread other = sg_vthread_create(nothing, nullptr, me);
    sg_vthread_join(other, me);
    sg_vthread_join(other, me);
}

// What is kept of the thread serves another one by then.
void joins_one_that_another_followed(void *, sg_vp *me) {
    const sg_vthread other = sg_vthread_create(nothing, nullptr, me);
    sg_vthread_join(other, me);
    sg_vthread_create(nothing, nullptr, me);
    sg_vthread_join(other, me);
}

void *joins(void *thread, sg_vp *me) {
    return sg_vthread_join(*static_cast<sg_vthread *>(thread), me);
}

void two_join_one(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    const auto ends_some_time = [](void *, sg_vp *self) -> void * {
        sg_vthread_mutex_lock(&a, self);
        sg_vthread_mutex_unlock(&a, self);
        return nullptr;
    };
    sg_vthread other = sg_vthread_create(ends_some_time, nullptr, me);
    sg_vthread_create(joins, &other, me);
    sg_vthread_create(joins, &other, me);
    sg_vthread_join(sg_vthread_create(joins, &other, me), me);
}

void joins_itself(void *, sg_vp *me) {
    static sg_vthread itself;
    sg_vthread_mutex_lock(&a, me);
    const auto one = [](void *, sg_vp *self) -> void * {
        sg_vthread_mutex_lock(&a, self);
        sg_vthread_mutex_unlock(&a, self);
        return sg_vthread_join(itself, self);
    };
    itself = sg_vthread_create(one, nullptr, me);
    sg_vthread_mutex_unlock(&a, me);
}

void creates_where_no_core_is(void *, sg_vp *me) {
    sg_vthread_create_on(cores, nothing, nullptr, me);
}

void uses_another_instances_mutex(void *, sg_vp *me) {
    sg_vthread_mutex_lock(&a, me);
    const auto inner = [](void *, sg_vp *self) { sg_vthread_mutex_lock(&a, self); };
    const sg_vms_options options = {cores, 0, 0, nullptr};
    const int error = sg_vthread_run(&options, inner, nullptr);
    sg_vthread_mutex_unlock(&a, me);
    std::exit(error != 0);
}

const struct {
    const char *name;
    sg_vms_function function;
} modes[] = {
    {"opposite-orders", opposite_orders},
    {"lost-signal", lost_signal},
    {"joins-one-that-waits", joins_one_that_waits},
    {"woken-without-the-mutex", woken_without_the_mutex},
    {"circle-of-joins", circle_of_joins},
    {"locks-twice", locks_twice},
    {"unlocks-a-free-one", unlocks_a_free_one},
    {"unlocks-anothers", unlocks_anothers},
    {"ends-with-a-mutex", ends_with_a_mutex},
    {"ends-while-it-writes", ends_while_it_writes},
    {"ends-when-it-was-given-an-rwlock", ends_when_it_was_given_an_rwlock},
    {"unlocks-another-instances-rwlock", unlocks_another_instances_rwlock},
    {"waits-without-the-mutex", waits_without_the_mutex},
    {"waits-with-another-mutex", waits_with_another_mutex},
    {"joins-twice", joins_twice},
    {"joins-one-that-another-followed", joins_one_that_another_followed},
    {"two-join-one", two_join_one},
    {"joins-itself", joins_itself},
    {"creates-where-no-core-is", creates_where_no_core_is},
    {"uses-another-instances-mutex", uses_another_instances_mutex},
};

} // namespace

int main(int argc, char **argv) {
    cores = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    const sg_vms_options options = {cores, 0, 0, nullptr};
    for (const auto &mode : modes)
        if (argc > 1 && std::strcmp(argv[1], mode.name) == 0)
            return sg_vthread_run(&options, mode.function, nullptr) == 0 ? 0 : 1;
    std::fprintf(stderr, "%s: no such mode\n", argv[0]);
    return 2;
}
