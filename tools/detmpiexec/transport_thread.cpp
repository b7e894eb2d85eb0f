// SPDX-License-Identifier: MIT
// The loop of the carrying thread, its naps, and its farewell at the end of a job.
#include "transport_thread.hpp"

#include "installed_mpiexec.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace saguaro::detmpiexec {

namespace {

using namespace std::chrono_literals;
using mpi::transport::carrier;
using mpi::transport::ending;

// A carrier with nothing to do offers its processor so many times, and then naps, longer each time.
constexpr int offers = 100;
constexpr auto least_nap = 20us;
constexpr auto most_nap = 1000us;

// After the end of a job whose host is lost: by then the other hosts have heard of it.
constexpr auto farewell = 200ms;

// MPI_Finalize may take so long.
constexpr auto most_leave = 1s;

} // namespace

std::string host_membership::name_of(std::uint32_t host) const {
    return host < names.size() ? names[host] : "host " + std::to_string(host);
}

transport_thread::transport_thread(const mpi::world &of, const host_membership &among, int doorbell)
    : world_(of), among_(among), doorbell_(doorbell) {
    // It wakes ranks without a fence of its own, as ranks do.
    register_for_fences(world_);
    // Signals are for the launcher's own thread.
    sigset_t all;
    sigset_t former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    thread_ = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

void transport_thread::leave(int code) {
    if (!thread_.joinable())
        return;
    const auto until = std::chrono::steady_clock::now() + most_leave;
    // Relaxed: join follows.
    while (!has_left_.load(std::memory_order_relaxed)) {
        if (std::chrono::steady_clock::now() > until)
            _exit(code);
        std::this_thread::sleep_for(least_nap);
    }
    thread_.join();
}

void transport_thread::tell(const ending &own) {
    code_.store(own.code, std::memory_order_relaxed);
    // Release, both, pairs with the acquire in `carry`: the code is told, and with the second the
    // ranks' last messages are in the rings.
    fails_.store(own.fails, std::memory_order_release);
    has_no_rank_.store(own.is_over, std::memory_order_release);
}

void transport_thread::ring() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(doorbell_, &one, sizeof(one));
}

// Call it after `ends_already`. Relaxed, both: each is alone.
int transport_thread::code_of_end(const carrier *with) const {
    if (const int own = code_.load(std::memory_order_relaxed); own != 0)
        return own;
    if (with != nullptr && with->code_elsewhere() != 0)
        return with->code_elsewhere();
    const int expected = expected_code_.load(std::memory_order_relaxed);
    return expected != 0 ? expected : 1;
}

bool transport_thread::ends_already(const carrier *with) const {
    // Acquire pairs with the release in `tell`: the code is there.
    return fails_.load(std::memory_order_acquire) ||
           expected_code_.load(std::memory_order_relaxed) != 0 ||
           (with != nullptr && with->fails_elsewhere());
}

void transport_thread::expect_end(int code) {
    expected_code_.store(code, std::memory_order_relaxed);
}

void transport_thread::break_off(const char *why, const carrier *with) {
    // A job that ends already has had its line. Then another host may have left before this one.
    if (!ends_already(with))
        mpi::fail("another host does not answer: %s", why);
    end_by(code_of_end(with));
}

void transport_thread::end_by(int code) {
    // mpiexec itself may wait for another host without end.
    if (among_.is_supervised)
        std::fputs(line_about_end(code).c_str(), stderr);
    _exit(code); // the ranks end with it
}

void transport_thread::give_up(std::uint32_t lost, carrier &with) {
    const int code = code_of_end(&with);
    if (!ends_already(&with))
        std::fprintf(stderr, "detmpiexec: nothing has come from %s for %d seconds: the job ends\n",
                     among_.name_of(lost).c_str(), among_.silence);
    tell({false, code, true}); // and if the link breaks now, that is no news
    with.tell({false, code, true});
    for (const auto until = std::chrono::steady_clock::now() + farewell;
         std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(least_nap))
        with.turn();
    end_by(code);
}

void transport_thread::run() {
    std::unique_ptr<mpi::transport::link> by;
    std::optional<carrier> all;
    try {
        by = among_.by->begin(among_.who);
        all.emplace(world_, among_.shares, *by, among_.in_common);
        carry(*all);
        // Release pairs with the acquire in `is_over`: the code of the others is there.
        is_over_.store(true, std::memory_order_release);
        ring();
        by->close();
    } catch (const mpi::transport::broken_link &why) {
        if (!is_over()) // else only the farewell is missing
            break_off(why.what(), all ? &*all : nullptr);
    }
    has_left_.store(true, std::memory_order_relaxed);
}

// Until the job is over.
void transport_thread::carry(carrier &all) {
    all.most_silence = std::chrono::nanoseconds(std::chrono::seconds(among_.silence)).count();
    bool is_lost = false;
    std::uint32_t lost = 0;
    all.lost = [&](std::uint32_t host) {
        is_lost = true;
        lost = host;
    };
    auto nap = least_nap;
    for (int in_vain = 0; !all.is_over(); ++in_vain) {
        const bool is_over = has_no_rank_.load(std::memory_order_acquire);
        const bool fails = fails_.load(std::memory_order_acquire);
        // Relaxed: it follows these.
        all.tell({is_over, code_.load(std::memory_order_relaxed), fails});
        if (all.turn()) {
            in_vain = 0;
            nap = least_nap;
        }
        if (is_lost)
            give_up(lost, all);
        code_elsewhere_.store(all.code_elsewhere(), std::memory_order_relaxed);
        // Release pairs with the acquire in `fails_elsewhere`: the code is there.
        if (all.fails_elsewhere() && !fails_elsewhere_.exchange(true, std::memory_order_release))
            ring();
        if (in_vain < offers) {
            sched_yield();
        } else {
            std::this_thread::sleep_for(nap);
            nap = std::min(nap * 2, std::chrono::duration_cast<decltype(nap)>(most_nap));
        }
    }
}

} // namespace saguaro::detmpiexec
