// SPDX-License-Identifier: MIT
// Pinning, naming, blocking signals and timer slack: the system calls of a thread.
#include "platform/thread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace saguaro::platform {

namespace {

// As pin_to_cpu, for a thread; 0 is the calling one.
bool keep_on(pid_t thread, int cpu) {
    if (cpu < 0)
        return false;
    cpu_mask mask(static_cast<std::size_t>(cpu) + 1);
    mask.add(cpu);
    return sched_setaffinity(thread, mask.bytes(), mask.data()) == 0;
}

// The calling thread's home. Null: it has none.
thread_local home_cpu *home = nullptr;

// Its processors away from there, for those who look for leaks: they do not look at a thread's own
// stack while it runs on another.
thread_local const cpu_set_t *mask_away = nullptr;

} // namespace

bool pin_to_cpu(int cpu) {
    return keep_on(0, cpu);
}

void start_on_cpu(int cpu) {
    const cpu_mask before = cpu_mask::of_thread(0);
    if (pin_to_cpu(cpu))
        sched_setaffinity(0, before.bytes(), before.data());
}

home_cpu::home_cpu(int cpu)
    : cpu_(cpu), thread_(static_cast<pid_t>(syscall(SYS_gettid))), away_(cpu_mask::of_thread(0)) {
    home = this;
    come();
}

home_cpu::~home_cpu() {
    home = nullptr;
    mask_away = nullptr;
    leave();
}

void home_cpu::come() {
    const std::lock_guard guard(lock_);
    const int cpu = this->cpu();
    if (cpu < 0 || is_home_)
        return;
    away_ = cpu_mask::of_thread(0);
    mask_away = away_.data();
    is_home_ = away_.contains(cpu) && keep_on(0, cpu);
}

void home_cpu::leave() {
    const std::lock_guard guard(lock_);
    if (std::exchange(is_home_, false))
        sched_setaffinity(0, away_.bytes(), away_.data());
}

void home_cpu::move_to(int cpu) {
    const std::lock_guard guard(lock_);
    // Relaxed: see cpu_.
    if (!is_home_ || keep_on(thread_, cpu))
        cpu_.store(cpu, std::memory_order_relaxed);
}

at_large::at_large() : who_(home != nullptr && home->is_home_ ? home : nullptr) {
    if (who_ != nullptr)
        who_->leave();
}

at_large::~at_large() {
    if (who_ != nullptr)
        who_->come();
}

punctual::punctual()
    : slack_before_(static_cast<unsigned long>(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0))) {
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
}

punctual::~punctual() {
    prctl(PR_SET_TIMERSLACK, slack_before_, 0, 0, 0);
}

signals_blocked::signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
}

signals_blocked::~signals_blocked() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int current_cpu() {
    return sched_getcpu();
}

#pragma weak dlsym // not in each static program

namespace {

// Of a thread's state in what pthread_self points to; 0: it is not known.
std::ptrdiff_t offset_of_state() noexcept {
    if (&dlsym == nullptr)
        return 0;
    // Bits, how many of them there are, and where.
    const auto *const where = static_cast<const std::uint32_t *>(
        dlsym(RTLD_DEFAULT, "_thread_db_pthread_cancelhandling"));
    return where != nullptr && where[0] == 32 && where[1] == 1 ? where[2] : 0;
}

} // namespace

bool thread_is_ending() noexcept {
    // Relaxed: threads that find it out at once find the same.
    constexpr std::ptrdiff_t unasked = -1;
    static constinit std::atomic<std::ptrdiff_t> known{unasked};
    std::ptrdiff_t offset = known.load(std::memory_order_relaxed);
    if (offset == unasked) [[unlikely]]
        known.store(offset = offset_of_state(), std::memory_order_relaxed);
    // EXITING_BITMASK, set before the unwinding begins.
    constexpr unsigned exiting = 0x10;
    if (offset == 0)
        return false;
    const char *const self = reinterpret_cast<const char *>(pthread_self());
    // Relaxed: the thread's own store.
    return (__atomic_load_n(reinterpret_cast<const unsigned *>(self + offset), __ATOMIC_RELAXED) &
            exiting) != 0;
}

void abort_with_thread(const char *what) noexcept {
    std::fprintf(stderr,
                 "saguaro: a %s ends the thread that it runs on (pthread_exit, pthread_cancel); "
                 "return from the %s instead\n",
                 what, what);
    std::abort();
}

void set_thread_name(std::thread &thread, const std::string &name) {
    constexpr std::size_t kept = 15;
    pthread_setname_np(thread.native_handle(), name.substr(0, kept).c_str());
}

void name_this_thread(const std::string &name) {
    prctl(PR_SET_NAME, name.c_str(), 0, 0, 0);
}

} // namespace saguaro::platform
