// SPDX-License-Identifier: MIT
// The fault handler of regions: opening pages for reading or writing, and naming broken rules.
#include "spmc/faults.hpp"

#include "platform/fault_signal.hpp"
#include "spmc/grants.hpp"
#include "spmc/job.hpp"
#include "spmc/lines.hpp"
#include "spmc/pieces.hpp"
#include "spmc/regions.hpp"
#include "spmc/tables.hpp"

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <sys/mman.h>

namespace saguaro::spmc {

namespace {

// The most pages that one fault opens before the one that was touched, and behind it.
constexpr std::uint64_t most_around = 4096;

constinit platform::fault_signal signals[] = {platform::fault_signal(SIGSEGV),
                                              platform::fault_signal(SIGBUS)};

// Who knows addresses outside of regions.
std::atomic<fault_question> others{nullptr};

// What the calling thread was last given to read. A fault at the same page of the same piece is a
// write: nothing else can be refused there. Initial-exec: found in a signal handler without memory.
struct opened {
    std::uintptr_t page;
    std::uint64_t made;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local opened last_opened{};

// Whether the calling thread is in the handler because of a region: it may wait there.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool is_in_handler = false;

// The pages around the one at `page` that satisfy `wanted`, within the piece: opened together.
template <class Wanted>
void open_run(job &all, const piece &p, std::uintptr_t page, int protection, Wanted wanted) {
    const std::uint64_t here = (page - p.address) / page_bytes;
    std::uint64_t first = here;
    while (first > 0 && here - first < most_around &&
           wanted(all.entry_of(*p.of, p.first + first - 1)))
        --first;
    std::uint64_t end = here + 1;
    while (end < p.pages && end - here < most_around && wanted(all.entry_of(*p.of, p.first + end)))
        ++end;
    protect(p.address + first * page_bytes, (end - first) * page_bytes, protection);
}

bool is_fixed(const entry &e) {
    return kind_of(e) == page::fixed;
}

// Gives the calling thread the page to read. It comes here again for the same page if it writes.
// False, and nothing is done, the second time.
bool open_for_reading(job &all, const piece &p, std::uintptr_t page) {
    if (last_opened.page == page && last_opened.made == p.made)
        return false;
    last_opened = {page, p.made};
    if (is_fixed(all.entry_of(*p.of, p.page_at(page))))
        open_run(all, p, page, PROT_READ, is_fixed);
    else
        protect(page, page_bytes, PROT_READ);
    return true;
}

// Notes that the page is no candidate for an extension any more.
void touch(entry &e) {
    // Relaxed: it is the producer's own, and consumers learn nothing from it; they may add that
    // they wait.
    std::uint32_t seen = e.state.load(std::memory_order_relaxed);
    while ((seen & page::kind) == page::untouched &&
           !e.state.compare_exchange_weak(seen, seen | page::touched, std::memory_order_relaxed)) {
    }
}

void open_for_producer(job &all, const piece &p, std::uintptr_t page) {
    if (!all.enforces()) {
        open_run(all, p, page, writing, [](const entry &e) { return kind_of(e) < page::fixed; });
    } else if (!open_for_reading(all, p, page)) {
        touch(all.entry_of(*p.of, p.page_at(page)));
        protect(page, page_bytes, writing);
    }
}

void open_page(job &all, const piece &p, std::uintptr_t address) {
    const std::uintptr_t page = address / page_bytes * page_bytes;
    const std::uint32_t kind = kind_of(all.entry_of(*p.of, p.page_at(page)));
    if (kind == page::extended)
        break_rule("an access to an extension page", p, address);
    if (kind < page::fixed)
        open_for_producer(all, p, page);
    else if (!open_for_reading(all, p, page))
        break_rule(p.produces ? "a write to a fixed page" : "a write by a consumer", p, address);
}

void handle(job &all, std::uintptr_t address) {
    piece p{};
    find_or_wait(all, address, p);
    if (!p.produces)
        wait_for_page(all, p, address);
    piece now = p;
    if (const auto held = pieces::mine().hold(now, address); held.owns_lock())
        open_page(all, now, address);
    // Otherwise another thread has mapped something else there, and the access is made again.
    pieces::mine().done_with(p);
}

void on_fault(int number, siginfo_t *info, void *machine_state) {
    const int interrupted_errno = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    job *const mine = job::mine_if_any();
    if (mine != nullptr && number == SIGBUS && mine->controls(address))
        give_up("no memory for what the spaces share");
    if (mine == nullptr || !platform::is_fault(*info) || !in_window(address, 1)) {
        // Acquire pairs with the release in `ask_about_faults`: what it reads.
        if (const auto ask = others.load(std::memory_order_acquire);
            ask != nullptr && mine != nullptr && number == SIGSEGV && platform::is_fault(*info))
            ask(address);
        for (platform::fault_signal &each : signals)
            each.hand_on(number, info, machine_state);
        return;
    }
    if (mine->self_slot() == 0)
        give_up("an access to 0x%" PRIxPTR
                ", a region's address, by a process that fork has made from "
                "a space: it has no regions",
                address);
    if (number == SIGBUS)
        give_up("no memory for the page at 0x%" PRIxPTR, address);
    if (is_in_handler)
        give_up(
            "an access to the page at 0x%" PRIxPTR
            " by a signal handler, while the thread that it interrupts waits for another page; or "
            "after siglongjmp out of such a handler",
            address);
    is_in_handler = true;
    // While it waits, handlers of the program run. Without this the kernel would end the process
    // without a line when one of them comes here.
    sigset_t this_one;
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
    handle(*mine, address);
    is_in_handler = false;
    errno = interrupted_errno;
}

} // namespace

void ask_about_faults(fault_question ask) {
    others.store(ask, std::memory_order_release);
}

void handle_faults() {
    for (platform::fault_signal &each : signals)
        each.install(on_fault);
}

} // namespace saguaro::spmc
