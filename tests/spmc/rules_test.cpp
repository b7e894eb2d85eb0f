// SPDX-License-Identifier: MIT
// Whoever breaks a rule ends with exit code 2 and the one line that names it, whatever the others
// do, and whether the library protects each page or not. Each program runs in both ways.
#include "pages.hpp"
#include "support/job.hpp"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>

namespace saguaro::spmc_test {

namespace {

outcome run(int (*root)(), bool enforces) {
    return run_job([=] {
        setenv("SAGUARO_SPMC_ENFORCE", enforces ? "1" : "0", 1);
        return root();
    });
}

struct program {
    const char *name;
    int (*root)(); // its exit code is that of the space that breaks the rule
    const char *line;
};

void PrintTo(const program &p, std::ostream *out) {
    *out << p.name;
}

// The first region lies at 0x200000000000.
const program programs[] = {
    {"writes_to_a_fixed_page",
     [] {
         shared = region_of(4);
         on_page(shared, 1) = 1;
         fix(shared, 0, 3);
         if (on_page(shared, 1) != 1)
             return 1;
         on_page(shared, 1) = 2;
         return 0;
     },
     "0: a write to a fixed page: 0x200000001000, page 1 of the 4 at 0x200000000000, of which it "
     "is the producer"},
    {"writes_to_a_fixed_page_that_it_never_touched",
     [] {
         shared = region_of(4);
         fix(shared, 0, 4);
         shared[3] = 2;
         return 0;
     },
     "0: a write to a fixed page: 0x200000000018, page 0 of the 4 at 0x200000000000, of which it "
     "is the producer"},
    {"writes_as_the_former_producer",
     [] {
         shared = region_of(2);
         shared[0] = 1;
         give_all(begin([](void *) {
                      fix(shared, 0);
                      return 0;
                  }),
                  shared, 2);
         if (shared[0] != 1)
             return 1;
         shared[1] = 1;
         return 0;
     },
     "0: a write by a consumer: 0x200000000008, page 0 of the 2 at 0x200000000000, of which it is "
     "the consumer"},
    {"writes_as_a_consumer_that_has_read",
     [] {
         shared = region_of(2);
         const spmc_space other = begin([](void *) {
             if (shared[0] != 5)
                 return 1;
             shared[0] = 6;
             return 0;
         });
         show_all(other, shared, 2);
         shared[0] = 5;
         fix(shared, 0);
         return end_of(other);
     },
     "0.1: a write by a consumer: 0x200000000000, page 0 of the 2 at 0x200000000000, of which it "
     "is the consumer"},
    {"writes_as_a_consumer_that_has_not_read",
     [] {
         shared = region_of(2);
         const spmc_space other = begin([](void *) {
             on_page(shared, 1) = 6;
             return 0;
         });
         show_all(other, shared, 2);
         fix(shared, 0, 2);
         return end_of(other);
     },
     "0.1: a write by a consumer: 0x200000001000, page 1 of the 2 at 0x200000000000, of which it "
     "is the consumer"},
    {"writes_as_a_consumer_before_the_page_is_fixed",
     [] {
         shared = region_of(2);
         const spmc_space other = begin([](void *) {
             on_page(shared, 1) = 6; // waits first, since it may be a read
             return 0;
         });
         show_all(other, shared, 2);
         usleep(100'000);
         fix(shared, 0, 2);
         return end_of(other);
     },
     "0.1: a write by a consumer: 0x200000001000, page 1 of the 2 at 0x200000000000, of which it "
     "is the consumer"},
    {"is_given_pages_to_produce_where_it_has_some",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             spmc_alloc(page_at(wished(0), 0), 4 * page);
             return static_cast<int>(on_page(wished(4), 0)); // the second of the pages given
         });
         MUST(spmc_transfer_ownership(other, page_at(shared, 2), page_at(wished(3), 0), 2 * page));
         return end_of(other);
     },
     "0.1: space 0 has given it 2 pages where it has others: 0x300000003000, page 3 of the 4 at "
     "0x300000000000, of which it is the producer"},
    {"is_given_pages_to_read_where_it_has_some",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             if (on_page(shared, 0) != 0)
                 return 1;
             return static_cast<int>(
                 on_page(shared, 4)); // the second of those given where it has one
         });
         show_all(other, shared, 4);
         fix(shared, 0);
         MUST(spmc_copy_consumer(other, page_at(shared, 0), page_at(shared, 3), 2 * page));
         return end_of(other);
     },
     "0.1: space 0 has given it 2 pages where it has others: 0x200000003000, page 3 of the 4 at "
     "0x200000000000, of which it is the consumer"},
    {"allocates_where_it_produces",
     [] {
         shared = region_of(4);
         spmc_alloc(page_at(shared, 3), 2 * page);
         return 0;
     },
     "0: an allocation where it has pages: 0x200000003000, page 3 of the 4 at 0x200000000000, of "
     "which it is the producer"},
    {"allocates_before_and_over_what_it_produces",
     [] {
         MUST(spmc_alloc(page_at(wished(2), 0), page) == nullptr);
         spmc_alloc(page_at(wished(0), 0), 4 * page);
         return 0;
     },
     "0: an allocation where it has pages: 0x300000002000, page 0 of the 1 at 0x300000002000, of "
     "which it is the producer"},
    {"fixes_as_a_consumer",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             fix(shared, 2);
             return 0;
         });
         show_all(other, shared, 4);
         return end_of(other);
     },
     "0.1: a fix of a page that it does not produce: 0x200000002000, page 2 of the 4 at "
     "0x200000000000, of which it is the consumer"},
    {"fixes_what_it_gave_away",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             fix(shared, 2);
             return 0;
         });
         MUST(spmc_transfer_ownership(other, page_at(shared, 2), page_at(shared, 2), page));
         fix(shared, 1, 2);
         return 0;
     },
     "0: a fix of a page that it does not produce: 0x200000002000, page 0 of the 1 at "
     "0x200000002000, of which it is the consumer"},
    {"fixes_twice",
     [] {
         shared = region_of(4);
         fix(shared, 1);
         fix(shared, 0, 4);
         return 0;
     },
     "0: a fix of a fixed page: 0x200000001000, page 1 of the 4 at 0x200000000000, of which it is "
     "the producer"},
    {"fixes_an_extension_page",
     [] {
         shared = region_of(4);
         extend(shared, 3, wished(0), 1);
         fix(shared, 0, 4);
         return 0;
     },
     "0: a fix of an extension page: 0x200000003000, page 3 of the 4 at 0x200000000000, of which "
     "it is the producer"},
    {"extends_twice",
     [] {
         shared = region_of(4);
         extend(shared, 3, wished(0), 1);
         extend(shared, 3, wished(0), 1);
         return 0;
     },
     "0: an extension of an extended page: 0x200000003000, page 3 of the 4 at 0x200000000000, of "
     "which it is the producer"},
    {"extends_a_fixed_page",
     [] {
         shared = region_of(4);
         fix(shared, 3);
         extend(shared, 3, wished(0), 1);
         return 0;
     },
     "0: an extension of a fixed page: 0x200000003000, page 3 of the 4 at 0x200000000000, of which "
     "it is the producer"},
    {"takes_data_for_an_extension",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             extend(shared, 3, wished(0), 1);
             return 0;
         });
         show_all(other, shared, 4);
         fix(shared, 3);
         return end_of(other);
     },
     "0.1: an extension of a page that its producer has fixed as data: 0x200000003000, page 3 of "
     "the 4 at 0x200000000000, of which it is the consumer"},
    {"takes_an_extension_for_data",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) { return static_cast<int>(shared[3 * 512]); });
         show_all(other, shared, 4);
         extend(shared, 3, wished(0), 1);
         return end_of(other);
     },
     "0.1: an access to an extension page: 0x200000003000, page 3 of the 4 at 0x200000000000, of "
     "which it is the consumer"},
    {"reads_the_page_that_it_extended_as_a_consumer",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             extend(shared, 3, wished(0), 1);
             return static_cast<int>(shared[3 * 512 + 1]);
         });
         show_all(other, shared, 4);
         extend(shared, 3, wished(0), 1);
         return end_of(other);
     },
     "0.1: an access to an extension page: 0x200000003008, page 3 of the 4 at 0x200000000000, of "
     "which it is the consumer"},
    {"reads_its_own_extension_page",
     [] {
         shared = region_of(4);
         extend(shared, 3, wished(0), 1);
         return static_cast<int>(on_page(shared, 3));
     },
     "0: an access to an extension page: 0x200000003000, page 3 of the 4 at 0x200000000000, of "
     "which it is the producer"},
    {"asks_for_more_pages_than_there_are",
     [] {
         shared = region_of(1);
         const spmc_space other = begin([](void *) {
             extend(shared, 0, wished(8), 7);
             return 0;
         });
         show_all(other, shared, 1);
         extend(shared, 0, wished(0), 6);
         return end_of(other);
     },
     "0.1: an extension by 7 pages of a page that its producer has extended by 6: 0x200000000000, "
     "page 0 of the 1 at 0x200000000000, of which it is the consumer"},
    {"gives_away_what_it_only_reads",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             give_all(spmc_space_parent(), shared, 4);
             return 0;
         });
         show_all(other, shared, 4);
         return end_of(other);
     },
     "0.1: a transfer of a page that it does not produce: 0x200000000000, page 0 of the 4 at "
     "0x200000000000, of which it is the consumer"},
    {"writes_after_it_was_opened_with_its_neighbour",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             if (on_page(shared, 1) != 0 || on_page(shared, 3) != 0)
                 return 1;
             on_page(shared, 2) = 1;
             return 0;
         });
         show_all(other, shared, 4);
         fix(shared, 0, 4);
         return end_of(other);
     },
     "0.1: a write by a consumer: 0x200000002000, page 2 of the 4 at 0x200000000000, of which it "
     "is the consumer"},
    {"touches_a_region_after_a_fork_of_its_own",
     [] {
         shared = region_of(4);
         fix(shared, 0, 4);
         const pid_t child = fork();
         if (child == 0)
             _exit(static_cast<int>(shared[0]));
         int status = 0;
         waitpid(child, &status, 0);
         return WEXITSTATUS(status);
     },
     "an access to 0x200000000000, a region's address, by a process that fork has made from a "
     "space: it has no regions"},
    {"calls_after_a_fork_of_its_own",
     [] {
         shared = region_of(4);
         const pid_t child = fork();
         if (child == 0)
             _exit(static_cast<int>(spmc_space_self()));
         int status = 0;
         waitpid(child, &status, 0);
         return WEXITSTATUS(status);
     },
     "the caller is a process that fork has made from a space: it is none itself, and has no "
     "regions"},
    {"fixes_a_part_that_another_extended",
     [] {
         shared = region_of(4);
         const spmc_space other = begin([](void *) {
             fix(shared, 2, 2);
             return 0;
         });
         extend(shared, 3, wished(0), 1);
         give_all(other, shared, 4);
         return end_of(other);
     },
     "0.1: a fix of an extension page: 0x200000003000, page 3 of the 4 at 0x200000000000, of which "
     "it is the producer"},
};

class spmc_rules : public testing::TestWithParam<std::tuple<program, bool>> {};

TEST_P(spmc_rules, each_has_its_line) {
    const auto &[what, enforces] = GetParam();
#ifdef SG_TEST_EMULATED
    if (std::string(what.name) == "touches_a_region_after_a_fork_of_its_own")
        GTEST_SKIP() << "a child of qemu has the mappings that it should not";
#endif
    const outcome seen = run(what.root, enforces);
    EXPECT_TRUE(seen.exited_with(2)) << seen.status << seen.err;
    EXPECT_TRUE(seen.err == "saguaro: spmc: space " + std::string(what.line) + "\n" ||
                seen.err == "saguaro: spmc: " + std::string(what.line) + "\n")
        << seen.err;
    EXPECT_EQ(std::count(seen.err.begin(), seen.err.end(), '\n'), 1) << seen.err;
}

INSTANTIATE_TEST_SUITE_P(all, spmc_rules,
                         testing::Combine(testing::ValuesIn(programs), testing::Bool()),
                         [](const auto &each) {
                             return std::string(std::get<0>(each.param).name) +
                                    (std::get<1>(each.param) ? "_enforced" : "");
                         });

int extends_what_it_wrote() {
    shared = region_of(2);
    on_page(shared, 1) = 1;
    extend(shared, 1, wished(0), 1);
    return 0;
}

TEST(spmc_enforced, a_page_that_was_written_is_not_extended) {
    const outcome seen = run(extends_what_it_wrote, true);
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_EQ(seen.err, "saguaro: spmc: space 0: an extension of a page that it has written to: "
                        "0x200000001000, page 1 of the 2 at 0x200000000000, of which it is the "
                        "producer\n");
    EXPECT_TRUE(run(extends_what_it_wrote, false).exited_with(0));
}

// Whoever waits for the page says so in its state, beside what the producer says there.
int extends_what_it_wrote_while_somebody_waits() {
    shared = region_of(2);
    const spmc_space other = begin([](void *) { return static_cast<int>(on_page(shared, 1)); });
    show_all(other, shared, 2);
    usleep(100'000);
    on_page(shared, 1) = 1;
    extend(shared, 1, wished(0), 1);
    return 0;
}

TEST(spmc_enforced, a_page_that_was_written_is_not_extended_though_somebody_waits) {
    const outcome seen = run(extends_what_it_wrote_while_somebody_waits, true);
    EXPECT_TRUE(seen.exited_with(2)) << seen.status;
    EXPECT_TRUE(has(seen.err, "an extension of a page that it has written to: 0x200000001000"))
        << seen.err;
}

int extends_what_it_read() {
    shared = region_of(2);
    if (on_page(shared, 1) != 0)
        return 1;
    extend(shared, 1, wished(0), 1);
    return 0;
}

TEST(spmc_enforced, a_page_that_was_only_read_is_extended) {
    const outcome seen = run(extends_what_it_read, true);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// ---- Arguments that are none ----

// How often a call that must be refused was not.
int wrong = 0;

void refused(int expected, int seen, const char *call) {
    if (expected == seen)
        return;
    std::printf("%s: %d\n", call, seen);
    ++wrong;
}
#define REFUSED(error, call) refused(error, call, #call)

int alloc_error(void *address, std::size_t size) {
    errno = 0;
    return spmc_alloc(address, size) == nullptr ? errno : 0;
}

int asks_for_nonsense() {
    shared = region_of(2);
    void *const good = page_at(shared, 0);
    char *const odd = static_cast<char *>(good) + 8;
    const auto low = reinterpret_cast<void *>(SPMC_BEGIN - page);
    const auto last = reinterpret_cast<void *>(SPMC_END - page);
    const spmc_space me = spmc_space_self();
    const spmc_space other = begin([](void *) { return 0; });
    REFUSED(EINVAL, alloc_error(nullptr, 0));
    REFUSED(EINVAL, alloc_error(nullptr, 100));
    REFUSED(EINVAL, alloc_error(nullptr, ~std::size_t{0} - page + 1));
    REFUSED(EINVAL, alloc_error(odd, page));
    REFUSED(EINVAL, alloc_error(low, 2 * page));
    REFUSED(EINVAL, alloc_error(last, 2 * page));
    REFUSED(EINVAL, spmc_free(nullptr, page));
    REFUSED(EINVAL, spmc_free(good, 0));
    REFUSED(EINVAL, spmc_fix(odd, page));
    REFUSED(EINVAL, spmc_fix(good, 1));
    REFUSED(EINVAL, spmc_fix(low, page));
    REFUSED(EINVAL, spmc_extend(odd, good, page));
    REFUSED(EINVAL, spmc_extend(good, odd, page));
    REFUSED(EINVAL, spmc_extend(nullptr, good, page));
    REFUSED(EINVAL, spmc_extend(good, good, 0));
    REFUSED(EINVAL, spmc_transfer_ownership(me, good, good, page));
    REFUSED(EINVAL, spmc_transfer_ownership(other, nullptr, good, page));
    REFUSED(EINVAL, spmc_transfer_ownership(other, good, last, 2 * page));
    REFUSED(EINVAL, spmc_copy_consumer(me, good, good, page));
    REFUSED(EINVAL, spmc_copy_consumer(other, good, odd, page));
    REFUSED(EINVAL, spmc_copy_consumer(other, good, good, 0));
    REFUSED(EINVAL, spmc_space_wait(me, nullptr));
    REFUSED(EINVAL, spmc_space_create(nullptr, nullptr, nullptr));
    char *arguments[] = {nullptr};
    REFUSED(EINVAL, spmc_space_exec(nullptr, nullptr, arguments));
    REFUSED(EINVAL, spmc_space_exec(nullptr, "/bin/true", nullptr));
    REFUSED(ENOENT, spmc_space_exec(nullptr, "/bin/no such program", arguments));
    REFUSED(EACCES, spmc_space_exec(nullptr, "/etc/passwd", arguments));
    REFUSED(ENOMEM, alloc_error(nullptr, std::size_t{31} << 40));
    std::printf("%d wrong, the next at %p\n", wrong, spmc_alloc(nullptr, page));
    return 0;
}

TEST(spmc_arguments, each_that_is_none_gets_a_line_and_changes_nothing) {
    const outcome seen = run_job(asks_for_nonsense);
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
    // Those of 31 TB are spent.
    EXPECT_EQ(seen.out, "0 wrong, the next at 0x3f0000002000\n");
    EXPECT_EQ(std::count(seen.err.begin(), seen.err.end(), '\n'), 28) << seen.err;
}

TEST(spmc_arguments, a_bad_setting_gets_a_line) {
    const outcome seen = run_job([] {
        setenv("SAGUARO_SPMC_ENFORCE", "yes", 1);
        return static_cast<int>(spmc_space_self());
    });
    EXPECT_TRUE(seen.exited_with(2));
    EXPECT_EQ(seen.err, "saguaro: spmc: SAGUARO_SPMC_ENFORCE is 'yes', and may be 0 or 1\n");
}

TEST(spmc_arguments, a_bad_inheritance_gets_a_line) {
    for (const char *told : {"3", "1,2,3", "900,901,2", "0,0,4000000000"}) {
        const outcome seen = run_job([&] {
            setenv("SAGUARO_SPMC_JOB", told, 1);
            return static_cast<int>(spmc_space_self());
        });
        EXPECT_TRUE(seen.exited_with(2)) << told;
        EXPECT_EQ(std::count(seen.err.begin(), seen.err.end(), '\n'), 1) << seen.err;
        EXPECT_EQ(seen.err.find("saguaro: spmc: SAGUARO_SPMC_JOB is '"), 0U) << seen.err;
    }
}

} // namespace

} // namespace saguaro::spmc_test
