// SPDX-License-Identifier: MIT
// The list of message addresses that the fault handler walks, and the lines it prints.
#include "channels/protection.hpp"

#include "spmc/faults.hpp"
#include "spmc/lines.hpp"
#include "spmc/regions.hpp"

#include <atomic>
#include <cinttypes>
#include <cstdint>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace saguaro::channels {

namespace {

// Addresses of messages. A signal handler walks the list, so it has no lock, and an object in it
// stays; one that is not used any more is used again.
struct watched {
    std::atomic<std::uintptr_t> begin; // `unused`, `taken`, or the first address
    std::size_t bytes;
    spmc::place channel;
    bool produces;
    watched *next;
};
constexpr std::size_t watched_in_chunk = spmc::page_bytes / sizeof(watched);
constexpr std::uintptr_t unused = 0;
constexpr std::uintptr_t taken = 1; // by a thread that fills it in

std::atomic<watched *> all_watched{nullptr};

watched &take_watched() {
    // Acquire pairs with the release below: `next`.
    watched *const first = all_watched.load(std::memory_order_acquire);
    for (watched *each = first; each != nullptr; each = each->next)
        // Relaxed: the rest is this thread's own, until `watch_messages` publishes it.
        if (std::uintptr_t known = unused;
            each->begin.compare_exchange_strong(known, taken, std::memory_order_relaxed))
            return *each;
    // Memory of our own: what the heap gives a program must not depend on how many there are.
    void *const memory = mmap(nullptr, watched_in_chunk * sizeof(watched), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        spmc::give_up("no memory for what is known of a channel's messages");
    auto *const made = static_cast<watched *>(memory);
    for (std::size_t i = 0; i < watched_in_chunk; ++i)
        new (made + i) watched{i == 0 ? taken : unused, 0, 0, false, made + i + 1};
    watched *&next = made[watched_in_chunk - 1].next;
    next = first;
    while (!all_watched.compare_exchange_weak(next, made, std::memory_order_release,
                                              std::memory_order_relaxed)) {
    }
    return *made;
}

// Whether the calling space can read there: the kernel says it without a fault.
bool is_readable(std::uintptr_t address) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const bool is_read = write(ends[1], reinterpret_cast<const void *>(address), 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return is_read;
}

// What is refused where reading is not is a write.
const char *rule_of(const watched &there, bool is_write) {
    if (there.produces)
        return is_write ? "a write to a message that it has published"
                        : "an access to a message that is not the one which it reserved last";
    return is_write ? "a write by a consumer"
                    : "an access to a message with which it is done, or that it has not received";
}

// Ends the space with a line if there are messages at the address.
void name_rule(std::uintptr_t address) {
    for (const watched *each = all_watched.load(std::memory_order_acquire); each != nullptr;
         each = each->next) {
        // Acquire pairs with the release in `watch_messages`: the rest.
        const std::uintptr_t begin = each->begin.load(std::memory_order_acquire);
        if (begin > taken && address >= begin && address - begin < each->bytes)
            spmc::trap("%s: 0x%" PRIxPTR ", channel 0x%x, of which it is the %s",
                       rule_of(*each, is_readable(address)), address, each->channel * 64U,
                       each->produces ? "producer" : "consumer");
    }
}

} // namespace

void watch_messages(const char *begin, std::size_t bytes, spmc::place channel, bool produces) {
    spmc::ask_about_faults(name_rule);
    watched &there = take_watched();
    there.bytes = bytes;
    there.channel = channel;
    there.produces = produces;
    // Release pairs with the acquire in `name_rule`.
    there.begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_release);
}

void forget_messages(const char *begin) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (watched *each = all_watched.load(std::memory_order_acquire); each != nullptr;
         each = each->next)
        // Relaxed: the caller's own thread has stored it.
        if (each->begin.load(std::memory_order_relaxed) == address)
            each->begin.store(unused, std::memory_order_relaxed);
}

void forget_all_messages() {
    for (watched *each = all_watched.load(std::memory_order_acquire); each != nullptr;
         each = each->next)
        each->begin.store(unused, std::memory_order_relaxed);
}

void protect_message(const message_at &what, int protection) {
    if (what.begin == nullptr)
        return;
    const auto first = reinterpret_cast<std::uintptr_t>(what.begin) / spmc::page_bytes;
    const auto last =
        (reinterpret_cast<std::uintptr_t>(what.begin) + what.bytes - 1) / spmc::page_bytes;
    spmc::protect(first * spmc::page_bytes, (last - first + 1) * spmc::page_bytes, protection);
}

} // namespace saguaro::channels
