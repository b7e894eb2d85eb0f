// SPDX-License-Identifier: MIT
// Many small operations of one step on memory of another process: their effects are those of one
// after the other, and their calls of the system are few.
#include "mpi/core/replay.hpp"
#include "mpi/core/short.hpp"
#include "mpi/core/windows/memory.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace {

int reads = 0;
int writes = 0;
unsigned long pieces_written = 0; // of other processes

using copy_call = ssize_t(pid_t, const iovec *, unsigned long, const iovec *, unsigned long,
                          unsigned long);

} // namespace

// Instead of libc's.
extern "C" ssize_t process_vm_readv(pid_t process, const iovec *here, unsigned long pieces_here,
                                    const iovec *there, unsigned long pieces_there,
                                    unsigned long flags) {
    static auto *const real = reinterpret_cast<copy_call *>(dlsym(RTLD_NEXT, "process_vm_readv"));
    ++reads;
    return real(process, here, pieces_here, there, pieces_there, flags);
}

extern "C" ssize_t process_vm_writev(pid_t process, const iovec *here, unsigned long pieces_here,
                                     const iovec *there, unsigned long pieces_there,
                                     unsigned long flags) {
    static auto *const real = reinterpret_cast<copy_call *>(dlsym(RTLD_NEXT, "process_vm_writev"));
    ++writes;
    pieces_written += pieces_there;
    return real(process, here, pieces_here, there, pieces_there, flags);
}

namespace saguaro::mpi {
namespace {

using namespace core;

template <class Body>
void on_ranks(std::uint32_t count, Body body) {
    EXPECT_TRUE(all_well(run_ranks(count, body)));
}

// What the memory of three ranks is, and what operations return, if each takes effect at once.
class one_after_another {
public:
    static constexpr std::size_t bytes = 40'000;
    static constexpr std::size_t most_results = 16;
    static constexpr std::size_t large = 20'000; // above what joins a burst

    explicit one_after_another(win on) : on_(on) {
        for (int r = 0; r < 3; ++r)
            memory[r].assign(bytes, static_cast<char>(r));
        type_vector(4, 1, 2, datatype::char_, &every_other_);
        type_commit(&every_other_);
    }

    // An operation of the window, and the same here. Mostly the same kind again, so that bursts
    // are long.
    void go_on() {
        if (random(200) == 0)
            put_large();
        if (random(20) == 0)
            what_ = random(7);
        // Seldom this rank, whose operations end no burst of others.
        target_ = random(50) == 0 ? 0 : 1 + random(2);
        // Often the same place, or one that it overlaps.
        const std::size_t at = random(2) == 0 ? random(200) : random(bytes - 64);
        switch (what_) {
        case 0:
            put_bytes(at);
            break;
        case 1:
            get_bytes(at);
            break;
        case 2:
            add(at & ~std::size_t{3});
            break;
        case 3:
            fetch(at & ~std::size_t{3});
            break;
        case 4:
            mask(at);
            break;
        case 5:
            put_every_other(at);
            break;
        default:
            swap(at & ~std::size_t{3});
        }
    }

    bool results_are_right() const { return std::equal(got.begin(), got.end(), expected.begin()); }

    std::vector<char> memory[3];

private:
    std::size_t random(std::size_t below) { return numbers_() % below; }
    int target() const { return static_cast<int>(target_); }
    char *there(std::size_t at) { return memory[target_].data() + at; }

    // Operands and results keep their addresses.
    std::array<char, most_results> &new_operand() {
        operands_.emplace_back();
        for (char &c : operands_.back())
            c = static_cast<char>(numbers_());
        return operands_.back();
    }
    char *new_result() {
        expected.emplace_back();
        return got.emplace_back().data();
    }

    void put_bytes(std::size_t at) {
        const std::size_t count = 1 + random(most_results);
        const char *const from = new_operand().data();
        const auto n = static_cast<std::int64_t>(count);
        put(from, n, datatype::char_, target(), static_cast<std::int64_t>(at), n, datatype::char_,
            on_);
        std::memcpy(there(at), from, count);
    }
    void get_bytes(std::size_t at) {
        const std::size_t count = 1 + random(most_results);
        const auto n = static_cast<std::int64_t>(count);
        get(new_result(), n, datatype::char_, target(), static_cast<std::int64_t>(at), n,
            datatype::char_, on_);
        std::memcpy(expected.back().data(), there(at), count);
    }
    void put_large() {
        const std::vector<char> &from = large_.emplace_back(large, new_operand()[0]);
        put(from.data(), large, datatype::char_, target(), 100, large, datatype::char_, on_);
        std::memcpy(there(100), from.data(), large);
    }
    // A type with gaps, which does not join a burst.
    void put_every_other(std::size_t at) {
        const char *const from = new_operand().data();
        put(from, 4, datatype::char_, target(), static_cast<std::int64_t>(at), 1, every_other_,
            on_);
        for (std::size_t i = 0; i < 4; ++i)
            *there(at + 2 * i) = from[i];
    }
    // So few bytes that what lies behind it in a burst's copy is nowhere aligned by chance.
    void mask(std::size_t at) {
        const std::size_t count = 1 + random(5);
        const auto n = static_cast<std::int64_t>(count);
        const char *const from = new_operand().data();
        accumulate(from, n, datatype::uint8_t, target(), static_cast<std::int64_t>(at), n,
                   datatype::uint8_t, op::bxor, on_);
        for (std::size_t i = 0; i < count; ++i)
            *there(at + i) = static_cast<char>(*there(at + i) ^ from[i]);
    }
    std::uint32_t value(std::size_t at) {
        std::uint32_t found;
        std::memcpy(&found, there(at), 4);
        return found;
    }
    void add(std::size_t at) {
        std::uint32_t more[2];
        const char *const from = new_operand().data();
        std::memcpy(more, from, 8);
        accumulate(from, 2, datatype::uint32_t, target(), static_cast<std::int64_t>(at), 2,
                   datatype::uint32_t, op::sum, on_);
        for (std::size_t i = 0; i < 2; ++i) {
            const std::uint32_t sum = value(at + 4 * i) + more[i];
            std::memcpy(there(at + 4 * i), &sum, 4);
        }
    }
    void fetch(std::size_t at) {
        std::uint32_t mask;
        const char *const from = new_operand().data();
        std::memcpy(&mask, from, 4);
        fetch_and_op(from, new_result(), datatype::uint32_t, target(),
                     static_cast<std::int64_t>(at), op::bxor, on_);
        std::memcpy(expected.back().data(), there(at), 4);
        const std::uint32_t after = value(at) ^ mask;
        std::memcpy(there(at), &after, 4);
    }
    // Half of them compare with what is there.
    void swap(std::size_t at) {
        char *const in = new_operand().data();
        char *const compared = in + 4;
        if (random(2) == 0)
            std::memcpy(compared, there(at), 4);
        compare_and_swap(in, compared, new_result(), datatype::uint32_t, target(),
                         static_cast<std::int64_t>(at), on_);
        std::memcpy(expected.back().data(), there(at), 4);
        if (std::memcmp(compared, there(at), 4) == 0)
            std::memcpy(there(at), in, 4);
    }

    const win on_;
    datatype every_other_ = datatype::null;
    std::mt19937 numbers_{20};
    std::size_t what_ = 0;
    std::size_t target_ = 0;
    std::deque<std::array<char, most_results>> operands_;
    std::deque<std::vector<char>> large_;
    std::deque<std::array<char, most_results>> got;
    std::deque<std::array<char, most_results>> expected;
};

TEST(bursts, have_the_effects_of_one_operation_after_another) {
    on_ranks(3, [](int me) {
        std::vector<char> memory(one_after_another::bytes, static_cast<char>(me));
        win w = win::null;
        win_create(memory.data(), one_after_another::bytes, 1, info::null, comm::world, &w);
        one_after_another model(w);
        bool is_right = true;
        win_fence(0, w);
        for (int step = 0; step < 5; ++step) {
            for (int i = 0; me == 0 && i < 3000; ++i)
                model.go_on();
            win_fence(0, w);
            is_right = is_right && model.results_are_right();
        }
        // Rank 0 knows what all memory must be.
        std::vector<char> expected(one_after_another::bytes);
        for (int r = 0; r < 3; ++r) {
            if (me == 0)
                expected = model.memory[r];
            bcast(expected.data(), one_after_another::bytes, datatype::char_, 0, comm::world);
            is_right = is_right && (me != r || expected == memory);
        }
        return first_false({is_right, win_free(&w) == 0});
    });
}

// How often operations of one step called the system.
struct calls {
    int of_reads;
    int of_writes;
    bool operator==(const calls &) const = default;
};

template <class Operations>
calls calls_of(win w, Operations all) {
    const calls before{reads, writes};
    win_lock_all(0, w);
    all();
    win_unlock_all(w);
    return {reads - before.of_reads, writes - before.of_writes};
}

TEST(bursts, call_the_system_once_for_many_operations) {
    on_ranks(2, [](int me) {
        constexpr std::int64_t many = 1000; // twice what one call of the system takes, not quite
        std::vector<int> memory(many, 1);
        win w = win::null;
        win_create(memory.data(), many * 4, 4, info::null, comm::world, &w);
        std::vector<int> own(many, 3);
        bool is_right = true;
        if (me == 0) {
            // Each element once, in an order in which none adjoins the one before.
            const auto place = [](std::int64_t i) { return (many - 1 - i) * 7 % many; };
            const calls puts = calls_of(w, [&] {
                for (std::int64_t i = 0; i < many; ++i)
                    put(&own[static_cast<std::size_t>(i)], 1, integer, 1, place(i), 1, integer, w);
            });
            const calls sums = calls_of(w, [&] {
                for (std::int64_t i = 0; i < many; ++i)
                    accumulate(&own[static_cast<std::size_t>(i)], 1, integer, 1, place(i), 1,
                               integer, op::sum, w);
            });
            const calls gets = calls_of(w, [&] {
                for (std::int64_t i = 0; i < many; ++i)
                    get(&own[static_cast<std::size_t>(i)], 1, integer, 1, place(i), 1, integer, w);
            });
            const calls mixed = calls_of(w, [&] {
                for (std::int64_t i = 0; i < 4; ++i) {
                    put(&own[0], 1, integer, 1, 2 * i, 1, integer, w);
                    put(&own[0], 1, integer, 1, 2 * i + 1, 1, integer, w);
                    get(&own[10], 1, integer, 1, 2 * i, 1, integer, w);
                }
            });
            const calls own_memory = calls_of(w, [&] {
                for (std::int64_t i = 0; i < many; ++i)
                    put(&own[static_cast<std::size_t>(i)], 1, integer, 0, i, 1, integer, w);
            });
            is_right = own_memory == calls{0, 0} && memory == own && puts == calls{0, 2} &&
                       sums == calls{2, 2} && gets == calls{2, 0} && mixed == calls{4, 4} &&
                       own == std::vector<int>(many, 6);
        }
        barrier(comm::world);
        return first_false({is_right, memory == std::vector<int>(many, 6), win_free(&w) == 0});
    });
}

TEST(bursts, leave_large_operations_and_long_bursts_to_calls_of_their_own) {
    on_ranks(2, [](int me) {
        constexpr std::int64_t many = 1'000'000;
        std::vector<char> memory(many, 'a');
        win w = win::null;
        win_create(memory.data(), many, 1, info::null, comm::world, &w);
        const std::vector<char> own(many, 'b');
        bool is_right = true;
        if (me == 0) {
            const calls large = calls_of(w, [&] {
                for (std::int64_t i = 0; i < 4; ++i)
                    put(own.data(), 20'000, datatype::char_, 1, i * 20'000, 20'000, datatype::char_,
                        w);
            });
            // 64 of them are 655,360 bytes, and a burst ends with 262,144 or more.
            const calls longer = calls_of(w, [&] {
                for (std::int64_t i = 0; i < 64; ++i)
                    put(own.data(), 10'240, datatype::char_, 1, 80'000 + i * 10'240, 10'240,
                        datatype::char_, w);
            });
            // Each call writes one piece, because they adjoin.
            is_right = pieces_written == 4 + 3 && large == calls{0, 4} && longer == calls{0, 3};
        }
        barrier(comm::world);
        const auto changed = std::count(memory.begin(), memory.end(), 'b');
        return first_false(
            {is_right, changed == (me == 0 ? 0 : 80'000 + 655'360), win_free(&w) == 0});
    });
}

// A put of less than the elements that it names leaves the others as they are.
TEST(bursts, put_only_what_the_origin_has) {
    on_ranks(2, [](int me) {
        std::array<int, 8> memory{1, 2, 3, 4, 5, 6, 7, 8};
        win w = win::null;
        win_create(memory.data(), sizeof(memory), 4, info::null, comm::world, &w);
        const std::array<int, 3> own{10, 20, 30};
        win_fence(0, w);
        if (me == 0) {
            put(&own[0], 1, integer, 1, 0, 4, integer, w);
            put(&own[1], 2, integer, 1, 4, 3, integer, w);
        }
        win_fence(0, w);
        const std::array<int, 8> expected{10, 2, 3, 4, 20, 30, 7, 8};
        return first_false({me == 0 || memory == expected, win_free(&w) == 0});
    });
}

// The memory between two pages that are there.
TEST(bursts, operations_behind_one_that_fails_have_their_effect_once) {
    on_ranks(2, [](int me) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        auto *const memory = static_cast<char *>(
            mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        munmap(memory + page, page);
        win w = win::null;
        win_create_dynamic(info::null, comm::world, &w);
        win_attach(w, memory, static_cast<std::int64_t>(page));
        win_attach(w, memory + 2 * page, static_cast<std::int64_t>(page));
        auto address = reinterpret_cast<std::int64_t>(memory);
        bcast(&address, 1, datatype::int64_t, 1, comm::world);
        const std::int64_t places[] = {address, address + static_cast<std::int64_t>(page),
                                       address + static_cast<std::int64_t>(2 * page)};
        const int own = 5;
        int got[3] = {-1, -1, -1};
        int errors[4] = {};
        win_lock_all(0, w);
        if (me == 0) {
            for (const std::int64_t place : places)
                put(&own, 1, integer, 1, place, 1, integer, w);
            errors[0] = win_flush(1, w);
            for (const std::int64_t place : places)
                accumulate(&own, 1, integer, 1, place, 1, integer, op::sum, w);
            errors[1] = win_flush(1, w);
            for (std::size_t i = 0; i < 3; ++i)
                get(&got[i], 1, integer, 1, places[i], 1, integer, w);
            errors[2] = win_flush(1, w);
            // An error of a burst that another kind ends.
            get(&got[1], 1, integer, 1, places[1], 1, integer, w);
            get(&got[1], 1, integer, 1, places[1], 1, integer, w);
            put(&own, 1, integer, 1, places[0], 1, integer, w);
            errors[3] = win_flush(1, w);
        }
        win_unlock_all(w);
        barrier(comm::world);
        bool all_told = true;
        for (const int error : errors)
            all_told = all_told && (me != 0 || error == abi::err_rma_range);
        const bool is_got = me != 0 || (got[0] == 10 && got[1] == -1 && got[2] == 10);
        return first_false({all_told, is_got, win_free(&w) == 0});
    });
}

// A system that lets memory be read and not written has let a part of a burst have its effect.
TEST(bursts, never_repeat_what_reads_and_writes) {
    on_ranks(2, [](int me) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        auto *const memory = static_cast<int *>(
            mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        const std::int64_t second = static_cast<std::int64_t>(page / sizeof(int));
        memory[second] = 1;
        mprotect(memory + second, page, PROT_READ);
        win w = win::null;
        win_create(memory, static_cast<std::int64_t>(2 * page), 4, info::null, comm::world, &w);
        const int own = 5;
        int error = 0;
        win_lock_all(0, w);
        if (me == 0) {
            accumulate(&own, 1, integer, 1, 0, 1, integer, op::sum, w);
            accumulate(&own, 1, integer, 1, second, 1, integer, op::sum, w);
            error = win_flush(1, w);
        }
        win_unlock_all(w);
        barrier(comm::world);
        return first_false({me == 1 || error == abi::err_rma_range,
                            me == 0 || (memory[0] == 5 && memory[second] == 1), win_free(&w) == 0});
    });
}

} // namespace
} // namespace saguaro::mpi
