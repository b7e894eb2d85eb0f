// SPDX-License-Identifier: MIT
// An allocator of reserved memory that the program's heap never sees.
#include "mpi/core/clock/parked_memory.hpp"

#include "mpi/core/clock/order.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace saguaro::mpi {

namespace {

// Addresses alone: the system has no pages there until some is taken. A user who limits the address
// space wants most of it for the program.
constexpr std::size_t most_reserved = std::size_t{1} << 36;
constexpr unsigned part_of_limit = 8;

// Pieces of 2^exponent bytes. Smaller ones than 2^span_exponent are parts of a span of so many.
constexpr unsigned least_exponent = 7;
constexpr unsigned span_exponent = 20;
constexpr unsigned exponents = std::bit_width(most_reserved);

struct free_piece {
    free_piece *next;
};
free_piece *free_pieces[exponents];

// What is reserved and has never been taken.
char *rest = nullptr;
std::size_t rest_bytes = 0;

unsigned exponent_of(std::size_t bytes) {
    return std::max(least_exponent, static_cast<unsigned>(std::bit_width(bytes - 1)));
}

void add_free(unsigned exponent, void *piece) {
    free_pieces[exponent] = new (piece) free_piece{free_pieces[exponent]};
}

// From the rest; null.
char *carve(std::size_t bytes) {
    if (bytes > rest_bytes || mprotect(rest, bytes, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
    rest_bytes -= bytes;
    return std::exchange(rest, rest + bytes);
}

bool add_pieces(unsigned exponent) {
    const std::size_t bytes = std::size_t{1} << std::max(exponent, span_exponent);
    char *const all = carve(bytes);
    if (all == nullptr)
        return false;
    for (std::size_t at = bytes; at != 0;) {
        at -= std::size_t{1} << exponent;
        add_free(exponent, all + at);
    }
    return true;
}

// The system may have all pages but the first, which has the link of the list.
void give_pages_back(void *piece, std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    madvise(static_cast<char *>(piece) + page, bytes - page, MADV_DONTNEED);
}

} // namespace

void reserve_parked_memory() {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    constexpr std::size_t span = std::size_t{1} << span_exponent;
    const std::size_t bytes =
        std::min<std::size_t>(most_reserved, limit.rlim_cur / part_of_limit) / span * span;
    void *const got =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        fail(
            "-order work: no room for messages that no receive has taken: %zu MiB of addresses: %s",
            bytes >> 20, std::strerror(errno));
    rest = static_cast<char *>(got);
    rest_bytes = bytes;
}

void *take_parked_memory(std::size_t bytes) {
    if (!order::counts_work())
        return std::malloc(bytes);
    const unsigned exponent = exponent_of(bytes);
    if (exponent >= exponents || (free_pieces[exponent] == nullptr && !add_pieces(exponent)))
        return nullptr;
    free_piece *const taken = free_pieces[exponent];
    free_pieces[exponent] = taken->next;
    return taken;
}

void give_parked_memory(void *memory, std::size_t bytes) {
    if (!order::counts_work()) {
        std::free(memory);
        return;
    }
    const unsigned exponent = exponent_of(bytes);
    if (exponent >= span_exponent)
        give_pages_back(memory, std::size_t{1} << exponent);
    add_free(exponent, memory);
}

} // namespace saguaro::mpi
