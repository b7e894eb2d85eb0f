// SPDX-License-Identifier: MIT
// Spaces: their names, their programs, who waits for them, and that nothing of them stays.
#include "leftovers.hpp"
#include "pages.hpp"
#include "saguaro/detail/sanitizers.h"
#include "support/forbidden_call.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace saguaro::spmc_test {

namespace {

// ---- Names ----

// A tree of spaces that are begun at the same time: each writes its name at its place in the tree.
constexpr std::size_t fan = 3;
constexpr std::size_t places = 1 + fan + fan * fan + fan * fan * fan;

int names_itself(void *where) {
    const auto place = reinterpret_cast<std::size_t>(where);
    on_page(shared, place) = static_cast<std::int64_t>(spmc_space_self());
    fix(shared, place);
    for (std::size_t i = 1; i <= fan && place * fan + i < places; ++i) {
        const std::size_t next = place * fan + i;
        const spmc_space child = begin(names_itself, reinterpret_cast<void *>(next));
        // All that belongs to the child's branch is made by it.
        for (std::size_t from = next, to = next; from < places;
             from = from * fan + 1, to = to * fan + fan)
            MUST(spmc_transfer_ownership(child, page_at(shared, from), page_at(shared, from),
                                         (to - from + 1) * page));
    }
    return 0;
}

int a_tree() {
    shared = region_of(places);
    names_itself(nullptr);
    for (std::size_t i = 0; i < places; ++i)
        std::printf("%lu\n", static_cast<unsigned long>(on_page(shared, i)));
    return 0;
}

TEST(spmc_spaces, names_depend_on_the_program_alone) {
    const outcome first = run_job(a_tree);
    ASSERT_TRUE(first.exited_with(0)) << first.err;
    std::istringstream lines(first.out);
    std::set<std::uint64_t> names;
    std::uint64_t name = 0;
    for (std::size_t i = 0; lines >> name; ++i) {
        if (i <= fan)
            EXPECT_EQ(name, i);
        else
            EXPECT_GE(name, std::uint64_t{1} << 63);
        names.insert(name);
    }
    EXPECT_EQ(names.size(), places);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(run_job(a_tree).out, first.out);
}

TEST(spmc_spaces, a_line_names_the_path_from_the_root) {
    const outcome seen = run_job([] {
        return end_of(begin([](void *) {
            begin([](void *) { return 0; });
            const spmc_space second = begin([](void *) {
                return static_cast<int>(spmc_space_parent() == 1 && spmc_free(nullptr, 1) != 0);
            });
            return end_of(second);
        }));
    });
    EXPECT_TRUE(seen.exited_with(1)) << seen.err;
    EXPECT_EQ(seen.err.find("saguaro: spmc: space 0.1.2: spmc_free was given 1 bytes at 0x0"), 0U)
        << seen.err;
}

TEST(spmc_spaces, siblings_and_parents_wait_and_see_the_same) {
    const outcome seen = run_job([] {
        const auto waits = [](void *) { return end_of(1) == 100 + SIGKILL ? 6 : 1; };
        begin([](void *) {
            usleep(30'000);
            return kill(getpid(), SIGKILL);
        });
        const spmc_space second = begin(waits);
        const spmc_space third = begin(waits);
        return end_of(second) * 10 + end_of(third) + (end_of(1) == 100 + SIGKILL ? 100 : 0);
    });
    EXPECT_TRUE(seen.exited_with(166)) << seen.status << seen.err;
}

// Ends of many children while others begin: each is told once, and as it was.
TEST(spmc_spaces, many_ends_while_others_begin) {
    const outcome seen = run_job([] {
        constexpr int count = 150;
        for (int i = 1; i <= count; ++i) {
            begin([](void *) { return static_cast<int>(spmc_space_self() % 50) + 1; });
            if (i > 5 && end_of(static_cast<spmc_space>(i - 5)) != (i - 5) % 50 + 1)
                return 1;
        }
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(spmc_spaces, a_child_holds_no_descriptor_of_its_siblings) {
    static int before = 0; // whatever the test itself was begun with
    const outcome seen = run_job([] {
        before = count_entries("/proc/self/fd");
        for (int i = 0; i < 20; ++i)
            begin([](void *) { return static_cast<int>(sleep(1)); });
        return end_of(begin([](void *) { return count_entries("/proc/self/fd") - before; }));
    });
    // Two of the job's memory.
    EXPECT_TRUE(seen.exited_with(2)) << WEXITSTATUS(seen.status) << seen.err;
}

int runs_for_ever(void *) {
    spmc_space child;
    if (spmc_space_create(&child, [](void *) { return pause(); }, nullptr) != 0)
        return 1;
    for (;;)
        pause();
}

// A shell's shell has begun the space. All three have the pipe, which ends with the last of them.
TEST(spmc_spaces, a_program_is_terminated_that_is_two_processes_away) {
    const outcome seen = run_job([] {
        int ends[2];
        if (pipe(ends) != 0 || dup2(ends[1], 9) != 9)
            return 1;
        close(ends[1]);
        char number[2] = {};
        const std::string command =
            std::string("sh -c '") + SG_TEST_EXEC_HELPER + " stays >&9; true'; true";
        const char *const arguments[] = {"sh", "-c", command.c_str(), nullptr};
        spmc_space child;
        if (spmc_space_exec(&child, "/bin/sh", const_cast<char *const *>(arguments)) != 0)
            return 2;
        close(9);
        if (read(ends[0], number, 1) != 1 || number[0] != '1')
            return 3;
        if (spmc_space_terminate(child) != 0)
            return 4;
        return static_cast<int>(read(ends[0], number, 1));
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// Both shells are there, the program is not: it ends when it calls the library.
TEST(spmc_spaces, a_program_is_terminated_before_it_has_begun) {
    const outcome seen = run_job([] {
        int ends[2];
        int go[2];
        if (pipe(ends) != 0 || pipe(go) != 0 || dup2(ends[1], 9) != 9 || dup2(go[0], 8) != 8)
            return 1;
        close(ends[1]);
        const std::string command = std::string("sh -c 'echo 0 >&9; read word <&8; ") +
                                    SG_TEST_EXEC_HELPER + " stays >&9'; true";
        const char *const arguments[] = {"sh", "-c", command.c_str(), nullptr};
        spmc_space child;
        char text[2] = {};
        if (spmc_space_exec(&child, "/bin/sh", const_cast<char *const *>(arguments)) != 0 ||
            read(ends[0], text, 2) != 2)
            return 2;
        close(9);
        if (spmc_space_terminate(child) != 0 || write(go[1], "go\n", 3) != 3)
            return 3;
        return static_cast<int>(read(ends[0], text, 1)); // 0: both ends are closed
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// A job has four million slots.
TEST(spmc_spaces, one_that_the_system_refuses_takes_no_slot) {
    const outcome seen = run_job([] {
        const char *const arguments[] = {"none", nullptr};
        const auto begin_none = [&] {
            return spmc_space_exec(nullptr, "/none", const_cast<char *const *>(arguments));
        };
        begin_none();
        const std::uint32_t before = spmc::job::mine().header().slots;
        for (int i = 0; i < 20; ++i)
            if (begin_none() != ENOENT)
                return 1;
        // The next two have names that follow each other, and two slots.
        for (int i = 0; i < 2; ++i) {
            spmc_space child;
            int status = 0;
            if (spmc_space_create(
                    &child, [](void *) { return 7; }, nullptr) != 0 ||
                child != static_cast<spmc_space>(i + 1) || spmc_space_wait(child, &status) != 0 ||
                WEXITSTATUS(status) != 7)
                return 2;
        }
        return spmc::job::mine().header().slots == before + 1 ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

TEST(spmc_spaces, are_terminated_by_their_parent) {
    const outcome seen = run_job([] {
        spmc_space child;
        spmc_space failed;
        if (spmc_space_create(&child, runs_for_ever, nullptr) != 0 ||
            spmc_space_create(&failed, [](void *) { return 7; }, nullptr) != 0)
            return 1;
        int status = 0;
        spmc_space_wait(failed, &status);
        // One that runs, one that has ended, and one twice.
        if (spmc_space_terminate(child) != 0 || spmc_space_terminate(failed) != 0 ||
            spmc_space_terminate(child) != 0)
            return 2;
        spmc_space_wait(child, &status);
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_EQ(seen.err, "");
}

TEST(spmc_spaces, are_not_terminated_by_others) {
    const outcome seen = run_job([] { return spmc_space_terminate(0) == EINVAL ? 0 : 1; });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status;
    EXPECT_TRUE(test_support::has(
        seen.err, "spmc_space_terminate was given space 0, which is no child of the caller"))
        << seen.err;
}

// As for a program with the set-user-ID bit. It does not wait then for an end that may never come.
TEST(spmc_spaces, are_not_terminated_where_the_system_refuses_it) {
    const outcome seen = run_job([] {
        static int ends[2];
        if (pipe(ends) != 0)
            return 1;
        const spmc_space child = begin([](void *) {
            char go;
            return read(ends[0], &go, 1) == 1 ? 5 : 6;
        });
        if (!test_support::forbid_call(SYS_pidfd_send_signal, EPERM))
            return 77;
        if (spmc_space_terminate(child) != EPERM || write(ends[1], "g", 1) != 1)
            return 2;
        return end_of(child) == 5 ? 0 : 3;
    });
    if (seen.exited_with(77))
        GTEST_SKIP() << "there are no filters of system calls";
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_TRUE(
        test_support::has(seen.err, "the system refuses to end space 0.1: Operation not permitted"))
        << seen.err;
}

// The child waits for the caller, and dies only when the caller has waited for its end for long.
TEST(spmc_spaces, one_that_dies_slowly_is_in_no_deadlock) {
    const outcome seen = run_job([] {
        shared = region_of(1);
        const spmc_space child = begin([](void *) {
            ualarm(800'000, 0);
            return static_cast<int>(shared[0]);
        });
        show_all(child, shared, 1);
        usleep(100'000);
        if (!test_support::forbid_call(SYS_pidfd_send_signal, 0))
            return 77;
        return spmc_space_terminate(child) == 0 && end_of(child) == 100 + SIGALRM ? 0 : 1;
    });
    if (seen.exited_with(77))
        GTEST_SKIP() << "there are no filters of system calls";
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "");
}

TEST(spmc_spaces, what_is_buffered_is_written_once) {
    const outcome seen = run_job([] {
        std::printf("before;");
        const spmc_space returns = begin([](void *) {
            std::printf("returns;");
            return 0;
        });
        MUST(spmc_space_wait(returns, nullptr));
        const spmc_space exits = begin([](void *) -> int {
            std::printf("exits;");
            std::exit(0);
        });
        MUST(spmc_space_wait(exits, nullptr));
        std::printf("after;");
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "before;returns;exits;after;");
}

TEST(spmc_spaces, one_that_ends_waits_for_its_children) {
    const outcome seen = run_job([] {
        const spmc_space parent = begin([](void *) -> int {
            begin([](void *) {
                usleep(100'000);
                std::printf("child;");
                return 0;
            });
            std::exit(4);
        });
        const int code = end_of(parent);
        std::printf("parent;");
        return code;
    });
    EXPECT_TRUE(seen.exited_with(4)) << seen.err;
    EXPECT_EQ(seen.out, "child;parent;");
}

TEST(spmc_spaces, end_where_an_exception_leaves_their_function) {
    const outcome seen = run_job([] {
        try {
            const spmc_space knows = begin([](void *) -> int {
                std::printf("buffered;");
                throw std::runtime_error("bad input");
            });
            const spmc_space other = begin([](void *) -> int { throw 1; });
            std::printf("%d %d;", end_of(knows), end_of(other));
        } catch (...) {
            std::printf("caught by %d;", static_cast<int>(spmc_space_self()));
        }
        std::printf("ends;");
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.out, "buffered;2 2;ends;");
    EXPECT_TRUE(has(seen.err, "saguaro: spmc: space 0.1: its function threw an exception: bad "
                              "input\n"))
        << seen.err;
    EXPECT_TRUE(has(seen.err, "saguaro: spmc: space 0.2: its function threw an exception\n"))
        << seen.err;
}

TEST(spmc_spaces, end_where_pthread_exit_leaves_their_function) {
    const outcome seen = run_job([] {
        const spmc_space leaves = begin([](void *) -> int { pthread_exit(nullptr); });
        return end_of(leaves);
    });
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0.1: its function called pthread_exit\n");
}

// ---- Cores ----

// A core with them would be as large as the sparse file, and who writes it would fill that.
TEST(spmc_spaces, leave_what_they_share_out_of_a_core) {
    const outcome seen = run_job([] {
        shared = region_of(4);
        word *const kept = region_of(1);
        const spmc_space reader = begin([](void *) {
            const std::int64_t value = on_page(shared, 1);
            const test_support::core_parts parts = test_support::parts_of_a_core();
            return value == 7 && parts.shared >= 2 && parts.dumped == 0 ? 0 : 1;
        });
        show_all(reader, shared, 4);
        on_page(shared, 1) = 7;
        fix(shared, 1);
        kept[0] = 1;
        const test_support::core_parts parts = test_support::parts_of_a_core();
        if (parts.shared < 3 || parts.dumped != 0)
            return 2;
        return end_of(reader);
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// ---- Programs ----

int begins_a_program(const char *how) {
    std::string path = SG_TEST_EXEC_HELPER;
    std::string first = how;
    char *arguments[] = {path.data(), first.data(), nullptr};
    spmc_space made = 0;
    MUST(spmc_space_exec(&made, path.c_str(), arguments));
    return static_cast<int>(made);
}

int asks_a_program() {
    shared = region_of(2);
    begins_a_program("answers");
    MUST(spmc_copy_consumer(1, page_at(shared, 0), page_at(wished(0), 0), page));
    MUST(spmc_transfer_ownership(1, page_at(shared, 1), page_at(wished(1), 0), page));
    usleep(20'000);
    shared[0] = 21;
    fix(shared, 0);
    std::printf("%ld %d\n", static_cast<long>(on_page(shared, 1)), end_of(1));
    return 0;
}

TEST(spmc_programs, are_spaces_like_others) {
    const outcome seen = run_job(asks_a_program);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    EXPECT_EQ(seen.out, "42 5\n");
}

TEST(spmc_programs, begin_without_an_environment) {
    const outcome seen = run_job([] {
        clearenv();
        return asks_a_program();
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
    EXPECT_EQ(seen.out, "42 5\n");
}

TEST(spmc_programs, have_the_same_heap_each_time) {
    if (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer has a heap of its own";
    const auto prints_heap = [] {
        begins_a_program("heap");
        return end_of(1);
    };
    const outcome first = run_job(prints_heap);
    EXPECT_TRUE(first.exited_with(0)) << first.err;
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(run_job(prints_heap).out, first.out);
}

// As a shell's do, or a debugger's.
TEST(spmc_programs, have_a_child_that_is_the_space) {
    const outcome seen = run_job([] {
        begins_a_program("forks");
        return end_of(1);
    });
    EXPECT_TRUE(seen.exited_with(12)) << seen.status << seen.err;
    EXPECT_TRUE(has(seen.err, "is: of the programs that a space begins, the first one that calls "
                              "is the space\n"))
        << seen.err;
}

// ---- Nothing stays ----

// A job at work: a tree, streams between its spaces, new spaces all the time.
int works(void *depth) {
    const auto level = reinterpret_cast<std::size_t>(depth);
    word *const mine = region_of(8);
    for (std::size_t round = 0;; ++round) {
        shared = mine;
        const spmc_space child =
            level < 2 ? begin(works, reinterpret_cast<void *>(level + 1)) : begin([](void *) {
                for (int i = 0; i < 7; ++i)
                    if (on_page(shared, 0) != 1)
                        return 1;
                MUST(spmc_extend(page_at(shared, 7), page_at(shared, 0), 8 * page));
                return 0;
            });
        show_all(child, mine, 8);
        mine[0] = 1;
        fix(mine, 0, 7);
        extend(mine, 7, mine, 8);
        if (round % 4 == 3 && level == 2)
            MUST(spmc_space_wait(child, nullptr));
        if (level < 2)
            return end_of(child);
    }
}

void expect_nothing_left(ino_t file) {
    EXPECT_EQ(wait_until_alone(), "") << "processes are left";
    EXPECT_EQ(names_with("/dev/shm", "saguaro"), "");
    EXPECT_EQ(holders_of(file), "") << "the job's memory is left";
}

// How many jobs a test kills: SG_TEST_KILLS=COUNT, for more of them.
int kills(int usual) {
    const char *const wanted = std::getenv("SG_TEST_KILLS");
    return wanted != nullptr ? std::atoi(wanted) : usual;
}

TEST(spmc_spaces, nothing_is_left_of_a_root_that_is_killed) {
    adopt_orphans();
    std::mt19937 random(1);
    const int count = kills(200);
    for (int i = 0; i < count && !HasFailure(); ++i) {
        const pid_t root = fork();
        if (root == 0)
            _exit(works(nullptr));
        usleep(static_cast<unsigned>(random() % 30'000));
        const ino_t file = job_file_of(root);
        kill(root, SIGKILL);
        waitpid(root, nullptr, 0);
        expect_nothing_left(file);
    }
}

TEST(spmc_spaces, nothing_is_left_of_a_job_that_is_killed_at_once) {
    adopt_orphans();
    std::mt19937 random(3);
    const int count = kills(50);
    for (int i = 0; i < count && !HasFailure(); ++i) {
        const pid_t root = fork();
        if (root == 0) {
            setpgid(0, 0);
            _exit(works(nullptr));
        }
        setpgid(root, root); // whoever comes first
        usleep(static_cast<unsigned>(random() % 30'000));
        const ino_t file = job_file_of(root);
        kill(-root, SIGKILL);
        waitpid(root, nullptr, 0);
        expect_nothing_left(file);
    }
}

TEST(spmc_spaces, nothing_is_left_of_one_that_is_killed_in_the_middle) {
    adopt_orphans();
    std::mt19937 random(2);
    const int count = kills(30);
    for (int i = 0; i < count && !HasFailure(); ++i) {
        const pid_t root = fork();
        if (root == 0) {
            if (std::freopen("/dev/null", "w", stderr) == nullptr)
                _exit(99);
            const spmc_space child = begin(works, reinterpret_cast<void *>(1));
            _exit(end_of(child));
        }
        usleep(static_cast<unsigned>(3'000 + random() % 20'000));
        const ino_t file = job_file_of(root);
        // The root, its child, or the child's.
        pid_t victim = root;
        for (std::size_t depth = random() % 3; depth > 0 && !children_of(victim).empty(); --depth)
            victim = children_of(victim)[0];
        kill(victim, SIGKILL);
        int status = 0;
        waitpid(root, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 100 + SIGKILL) << status;
        expect_nothing_left(file);
    }
}

// As after `setuid`: the kernel ends the space with its parent no more, but a space that waits sees
// that the parent is gone.
TEST(spmc_spaces, a_space_that_the_kernel_has_freed_ends_with_its_parent) {
    adopt_orphans();
    const pid_t root = fork();
    if (root == 0) {
        int ends[2];
        if (pipe(ends) != 0)
            _exit(99);
        static int ready;
        ready = ends[1];
        shared = region_of(1);
        begin([](void *) {
            prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
            const char done = 1;
            if (write(ready, &done, 1) != 1)
                return 1;
            return static_cast<int>(on_page(shared, 0)); // that nobody gives it
        });
        char done = 0;
        if (read(ends[0], &done, 1) == 1)
            kill(getpid(), SIGKILL);
        _exit(98);
    }
    int status = 0;
    waitpid(root, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(wait_until_alone(), "") << "the space is left";
}

// The library's files do not take the place of what a program was begun without.
TEST(spmc_spaces, keep_clear_of_standard_input_and_output) {
    const outcome seen = run_job([] {
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        spmc_space_self();
        return fcntl(STDIN_FILENO, F_GETFD) < 0 && fcntl(STDOUT_FILENO, F_GETFD) < 0 ? 0 : 3;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

// Nor do those for its children: one of them as descriptor 0 would count as none.
TEST(spmc_spaces, keep_clear_of_standard_input_where_they_begin_others) {
    const outcome seen = run_job([] {
        close(STDIN_FILENO);
        const spmc_space child = begin(runs_for_ever);
        if (fcntl(STDIN_FILENO, F_GETFD) >= 0)
            _exit(3);
        return spmc_space_terminate(child) == 0 ? 0 : 4;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.status << seen.err;
}

} // namespace

} // namespace saguaro::spmc_test
