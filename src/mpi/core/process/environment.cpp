// SPDX-License-Identifier: MIT
// Beginning, ending, and what is around.
#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/work.hpp"
#include "mpi/core/info/info.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/reports/leaks.hpp"
#include "mpi/core/reports/order_delays.hpp"
#include "mpi/core/waiting/threads.hpp"
#include "platform/clock.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace saguaro::mpi {

namespace core {

namespace {

// MPI_Init and MPI_Finalize were called. Sessions make and end a rank as well.
bool is_initialized = false;
bool is_finalized = false;

// The process that is the rank. A child of it that does not call exec has the same memory.
pid_t rank_process = 0;

std::size_t this_thread() {
    return std::hash<std::thread::id>{}(std::this_thread::get_id());
}

// An exit code has 8 bits.
[[noreturn]] void end_process(int code) {
    std::fflush(nullptr);
    _exit(code & 0xff);
}

} // namespace

} // namespace core

int begin_session() {
    if (process::mine == nullptr) {
        core::rank_process = getpid();
        begin_process();
        return abi::success;
    }
    if (core::is_finalized && process::mine->sessions.live() == 0)
        return abi::err_other;
    rank::mine->live(true);
    return abi::success;
}

void end_session() {
    if (process::mine->sessions.live() != 0)
        return;
    if (core::is_finalized) {
        order::end();
        rank::mine->finish();
    } else if (!core::is_initialized) {
        // There may be a session again: nothing is said of its clock.
        order::flush();
        rank::mine->live(false);
    }
}

namespace {

// At the end of the process, behind all that the program itself does there, and not in _exit. Who
// has called MPI_Finalize and forgotten a session has ended well, as by MPICH; the launcher asks
// whether the rank has finished.
[[gnu::destructor]] void leave_with_sessions() {
    const process *const own = process::mine;
    if (own == nullptr || !core::is_finalized || own->sessions.live() == 0 ||
        getpid() != core::rank_process)
        return;
    if (is_checking())
        say("the end of the process: not finalized: %zu session%s", own->sessions.live(),
            own->sessions.live() == 1 ? "" : "s");
    order::end();
    rank::mine->finish();
}

} // namespace

void allow_threads(int level) {
    process &p = *process::mine;
    p.thread_level = std::max(p.thread_level, level);
    if (level < abi::thread_funneled)
        return;
    gate.guard();
    if (order::counts_work() && level > abi::thread_funneled)
        fail("-order work: the program lets other threads call MPI than the one whose work is "
             "counted; MPI_Pcontrol(2, cost) by -order clock says what all of them cost");
    // The thread of another session, or that of MPI_Init_thread, may meet this one's.
    const bool is_second = p.permissions++ != 0;
    if (level != abi::thread_multiple && !is_second)
        return;
    if (order::by == order::rule::record || order::by == order::rule::replay)
        fail("-order record and replay: the program lets several threads call MPI at the same "
             "time, whose turns are not recorded");
    gate.share();
    rank::mine->all().head().has_threads.store(1, std::memory_order_relaxed);
}

void forget_threads(int level) {
    if (level >= abi::thread_funneled)
        --process::mine->permissions;
}

namespace core {

void end_job(int code) {
    // The launcher ends the others. 0 is no failure.
    end_process((code & 0xff) != 0 ? code : 1);
}

bool active() {
    return process::mine != nullptr && (!is_finalized || process::mine->sessions.live() != 0);
}

void end_untimely(const char *function) {
    say("%s is called %s", function,
        process::mine == nullptr ? "before MPI_Init" : "after MPI_Finalize");
    end_job(1);
}

int init_thread(int *, char ***, int required, int *provided) {
    // Threads with sessions may be there.
    const inside here(true);
    if (is_initialized)
        return abi::err_other;
    if (const int error = begin_session())
        return error;
    is_initialized = true;
    process::mine->main_thread = this_thread();
    allow_threads(std::min(required, abi::thread_multiple));
    *provided = process::mine->thread_level;
    return abi::success;
}

int init(int *argc, char ***argv) {
    int provided = 0;
    return init_thread(argc, argv, abi::thread_single, &provided);
}

int initialized(int *flag) {
    *flag = is_initialized ? 1 : 0;
    return abi::success;
}

int finalize() {
    // What a program left at MPI_COMM_SELF is told that it ends: MPI 4.1, 11.2.4.
    if (const int error = delete_attributes(comm::self))
        return error;
    name_unreceived();
    is_finalized = true;
    name_leaks();
    order_delays::end();
    end_session();
    return abi::success;
}

int finalized(int *flag) {
    *flag = is_finalized ? 1 : 0;
    return abi::success;
}

int query_thread(int *provided) {
    *provided = process::mine->thread_level;
    return abi::success;
}

int is_thread_main(int *flag) {
    *flag = process::mine->main_thread == this_thread() ? 1 : 0;
    return abi::success;
}

// With 0, the launcher knows by the record alone that the job ends.
int abort(comm, int code) {
    say("MPI_Abort with code %d", code);
    if (rank::mine != nullptr)
        // Relaxed: the launcher reads it when it has seen the end of the process.
        rank::mine->all()
            .rank(rank::mine->number())
            .life.store(life::aborted, std::memory_order_relaxed);
    end_process(code);
}

double wtime() {
    // How many instructions it takes depends on the time.
    const work::pause not_counted;
    return static_cast<double>(platform::now_ns()) * 1e-9;
}

double wtick() {
    return 1e-9;
}

int get_processor_name(char *name, int *length) {
    char host[abi::max_processor_name] = {};
    if (gethostname(host, sizeof(host) - 1) != 0)
        return abi::err_other;
    *length = static_cast<int>(std::strlen(host));
    std::memcpy(name, host, static_cast<std::size_t>(*length) + 1);
    return abi::success;
}

int alloc_mem(std::int64_t size, info, void *address) {
    if (size < 0)
        return abi::err_arg;
    void *const memory = std::malloc(static_cast<std::size_t>(size));
    if (memory == nullptr && size != 0)
        return abi::err_no_mem;
    std::memcpy(address, &memory, sizeof(memory));
    return abi::success;
}

int free_mem(void *memory) {
    std::free(memory);
    return abi::success;
}

int get_hw_resource_info(info *out) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const bool is_known = sched_getaffinity(0, sizeof(allowed), &allowed) == 0;
    const bool is_on_one = is_known && CPU_COUNT(&allowed) == 1;
    *out = make_info({{"hwloc://Machine", "true"}, {"hwloc://PU", is_on_one ? "true" : "false"}});
    return abi::success;
}

int get_library_version(char *version, int *length) {
    *length = std::snprintf(version, abi::max_library_version_string, "Saguaro MPI %s", SG_VERSION);
    return abi::success;
}

int declare_cost(std::int64_t cost) {
    // No clock comes near `forever`: calls alone do not add the other half.
    constexpr clock_value most = forever / 2;
    const clock_value clock = rank::mine->clock();
    if (cost < 0 || clock > most || static_cast<clock_value>(cost) > most - clock)
        return abi::err_arg;
    rank::mine->advance_to(clock + static_cast<clock_value>(cost));
    rank::mine->publish();
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
