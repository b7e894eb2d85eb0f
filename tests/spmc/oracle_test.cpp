// SPDX-License-Identifier: MIT
// Random programs read in any interleaving what they read in a serial run, and leave nothing
// behind. SG_TEST_SEEDS=FIRST,COUNT runs others than the usual ones.
#include "oracle.hpp"
#include "spmc/job.hpp"
#include "support/job.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace saguaro::spmc_test {

namespace {

// What the spaces tell the test. Theirs to write without the library.
struct board {
    std::atomic<unsigned> done;
    std::uint64_t hashes[8];
};

board *told = nullptr;
const oracle *serial = nullptr;
unsigned seed_now = 0;

void *pointer(std::uintptr_t address) {
    return reinterpret_cast<void *>(address);
}

void perform(const operation &each, std::uint64_t &hash) {
    const std::size_t bytes = each.pages * page;
    switch (each.what) {
    case act::alloc:
        MUST(spmc_alloc(pointer(each.address), bytes) == nullptr);
        break;
    case act::transfer:
        MUST(spmc_transfer_ownership(each.other, pointer(each.address), pointer(each.to), bytes));
        break;
    case act::copy:
        MUST(spmc_copy_consumer(each.other, pointer(each.address), pointer(each.to), bytes));
        break;
    case act::fix:
        MUST(spmc_fix(pointer(each.address), bytes));
        break;
    case act::extend:
        MUST(spmc_extend(pointer(each.address), pointer(each.to), bytes));
        break;
    case act::free:
        MUST(spmc_free(pointer(each.address), bytes));
        break;
    case act::write:
        *reinterpret_cast<word *>(each.address) = each.value;
        break;
    case act::read:
        hash = with(hash, *reinterpret_cast<word *>(each.address));
        break;
    }
}

int run_part(void *) {
    const auto me = static_cast<unsigned>(spmc_space_self());
    std::mt19937 chance(seed_now * 8 + me);
    std::uint64_t hash = 0;
    for (const operation &each : serial->operations()) {
        if (each.space != me)
            continue;
        if (chance() % 16 == 0)
            usleep(static_cast<unsigned>(chance() % 300));
        perform(each, hash);
    }
    told->hashes[me] = hash;
    // Whoever ends takes nothing any more, so it waits until all is given.
    told->done.fetch_add(1);
    for (int left = 300'000; told->done.load() < serial->spaces(); usleep(200))
        if (--left == 0)
            return 91; // another one has not come so far
    return 0;
}

// Bytes of the job's file that tables have, beside those of the tables that are to be used again.
std::uint64_t bytes_in_use() {
    const spmc::job &all = spmc::job::mine();
    std::uint64_t used = all.header().data_used.load();
    for (std::uint32_t order = 0; order < spmc::most_orders; ++order)
        for (auto at = static_cast<spmc::place>(all.header().free_tables[order].load()); at != 0;
             at = all.at<spmc::table>(at)->next.load())
            used -= spmc::page_bytes << order;
    return used;
}

int run_root() {
    for (unsigned s = 1; s < serial->spaces(); ++s)
        begin(run_part);
    run_part(nullptr);
    for (unsigned s = 1; s < serial->spaces(); ++s)
        MUST(spmc_space_wait(s, nullptr));
    if (bytes_in_use() == 0)
        return 0;
    std::fprintf(stderr, "%llu bytes are still in use\n",
                 static_cast<unsigned long long>(bytes_in_use()));
    return 1;
}

void run_program(unsigned seed) {
    const oracle made(seed);
    serial = &made;
    seed_now = seed;
    told->done = 0;
    const outcome seen = run_job([&] {
        setenv("SAGUARO_SPMC_ENFORCE", seed % 3 == 0 ? "1" : "0", 1);
        return run_root();
    });
    ASSERT_TRUE(seen.exited_with(0)) << "seed " << seed << ": " << seen.err;
    ASSERT_EQ(seen.err, "") << "seed " << seed;
    for (unsigned s = 0; s < made.spaces(); ++s)
        ASSERT_EQ(told->hashes[s], made.hash_of(s)) << "seed " << seed << ", space " << s;
}

TEST(spmc_oracle, random_programs_read_what_a_serial_run_does) {
    unsigned first = 0;
#ifdef SG_TEST_EMULATED
    unsigned count = 30; // an emulator is slow
#else
    unsigned count = 300;
#endif
    if (const char *const seeds = std::getenv("SG_TEST_SEEDS"))
        ASSERT_EQ(std::sscanf(seeds, "%u,%u", &first, &count), 2);
    void *const memory =
        mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    told = new (memory) board;
    for (unsigned seed = first; seed < first + count && !HasFatalFailure(); ++seed)
        run_program(seed);
    munmap(memory, sizeof(board));
}

} // namespace

} // namespace saguaro::spmc_test
