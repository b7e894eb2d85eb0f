// SPDX-License-Identifier: MIT
// The functions of record.h: which objects and footprints a recording has.
#include "saguaro/record.h"

#include "numa/emulated.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/place.h"
#include "support/recording.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

SG_BEFORE_CASES(emulated::install)

namespace saguaro {
namespace {

using test::footprint;
using test::object;
using test::recorded;
using footprints = test::recordings;

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST_F(footprints, none_without_declarations) {
    const recorded run = record([] { test::busy(1); });
    EXPECT_TRUE(run.objects.empty());
    EXPECT_TRUE(run.footprints.empty());
}

TEST_F(footprints, nothing_happens_where_nothing_is_recorded) {
    EXPECT_EQ(sg_is_recording(), 0);
    char bytes[16];
    sg_record_touch(bytes, sizeof bytes);
    run([&] { sg_record_touch(bytes, sizeof bytes); });
    sg_stop();
}

TEST_F(footprints, object_has_a_number_in_the_order_of_first_footprints) {
    static char first[1000], second[2000], never[3000];
    const recorded run = record([] {
        EXPECT_NE(sg_is_recording(), 0);
        sg_record_object(never, sizeof never);
        sg_record_object(first, sizeof first);
        sg_record_object(second, sizeof second);
        sg_record_touch(second + 64, 100);
        sg_record_reuse(second, 64);
        sg_record_touch(first, sizeof first);
    });
    EXPECT_EQ(sg_is_recording(), 0);
    EXPECT_EQ(run.objects, (std::vector<object>{{0, 2000, 0, 0}, {1, 1000, 0, 0}}));
    EXPECT_EQ(run.footprints,
              (std::vector<footprint>{{false, 0, 64, 100}, {true, 0, 0, 64}, {false, 1, 0, 1000}}));
    EXPECT_TRUE(run.freed.empty());
}

TEST_F(footprints, rows_are_a_footprint_each) {
    static double matrix[8][8];
    const recorded run = record([] {
        sg_record_object(matrix, sizeof matrix);
        sg_record_touch_rows(&matrix[2][4], 4 * sizeof(double), sizeof matrix[0], 3);
    });
    EXPECT_EQ(run.footprints, (std::vector<footprint>{
                                  {false, 0, 160, 32}, {false, 0, 224, 32}, {false, 0, 288, 32}}));
}

TEST_F(footprints, strand_has_no_time_between_pause_and_resume) {
    const recorded run = record([&] {
        sg_record_pause();
        test::busy(20);
        sg_record_pause();
        sg_record_resume();
        test::busy(20);
        sg_record_resume();
        test::busy(5);
    });
    EXPECT_GE(run.work, 5 * test::unit_ns);
    EXPECT_LT(run.work, 6 * test::unit_ns);
    sg_record_pause(); // nothing is recorded
    sg_record_resume();
}

TEST_F(footprints, bytes_of_no_object_are_left_out_and_said) {
    static char known[100];
    testing::internal::CaptureStderr();
    const recorded run = record([] {
        sg_record_object(known, 50);
        sg_record_touch(known, 100);
    });
    EXPECT_EQ(run.footprints, (std::vector<footprint>{{false, 0, 0, 50}}));
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: SAGUARO_RECORD: footprints are missing that lie in no object: see "
              "sg_record_object\n");
}

TEST_F(footprints, object_that_overlaps_replaces) {
    static char bytes[200];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        sg_record_touch(bytes, 10);
        sg_record_object(bytes + 50, 100);
        sg_record_touch(bytes + 50, 10);
    });
    EXPECT_EQ(run.objects, (std::vector<object>{{0, 100, 0, 0}, {1, 100, 0, 0}}));
    EXPECT_EQ(run.freed, (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(run.footprints, (std::vector<footprint>{{false, 0, 0, 10}, {false, 1, 0, 10}}));
}

TEST_F(footprints, object_beside_another_leaves_it) {
    static char bytes[300];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        sg_record_object(bytes + 200, 100);
        sg_record_touch(bytes, 1);
        sg_record_touch(bytes + 200, 1);
        sg_record_object(bytes + 100, 100);
        sg_record_touch(bytes + 200, 2);
        sg_record_touch(bytes + 99, 2);
    });
    EXPECT_EQ(run.objects, (std::vector<object>{{0, 100, 0, 0}, {1, 100, 0, 0}, {2, 100, 0, 0}}));
    EXPECT_TRUE(run.freed.empty());
}

TEST_F(footprints, freed_object_is_another_next_time) {
    static char bytes[100];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        sg_record_touch(bytes, 1);
        sg_record_free(bytes + 1); // begins nothing
        sg_record_free(bytes);
        sg_record_object(bytes, 60);
        sg_record_touch(bytes, 2);
    });
    EXPECT_EQ(run.objects, (std::vector<object>{{0, 100, 0, 0}, {1, 60, 0, 0}}));
    EXPECT_EQ(run.freed, (std::vector<std::uint64_t>{0}));
}

TEST_F(footprints, next_recording_numbers_anew) {
    static char bytes[100];
    const auto touch = [] { sg_record_touch(bytes, 1); };
    record([&] {
        sg_record_object(bytes, 100);
        touch();
    });
    EXPECT_EQ(record(touch).objects, (std::vector<object>{{0, 100, 0, 0}}));
}

TEST_F(footprints, short_strands_keep_theirs) {
    static char bytes[100];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        parallel_invoke([] { sg_record_touch(bytes, 1); }, [] {});
        parallel_invoke([] {}, [] { sg_record_touch(bytes, 2); });
        parallel_invoke([] {}, [] {});
    });
    EXPECT_EQ(run.shape, "C(C(S())C(S()))");
    EXPECT_EQ(run.footprints, (std::vector<footprint>{{false, 0, 0, 1}, {false, 0, 0, 2}}));
}

TEST_F(footprints, other_threads_leave_none) {
    static char bytes[100];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        std::thread([] { sg_record_touch(bytes, 1); }).join();
    });
    EXPECT_TRUE(run.footprints.empty());
}

TEST_F(footprints, objects_that_other_threads_free_end_unsaid) {
    static char bytes[100];
    const recorded run = record([] {
        sg_record_object(bytes, 100);
        sg_record_touch(bytes, 1);
        std::thread([] { sg_record_free(bytes); }).join();
        sg_record_object(bytes, 60);
        sg_record_touch(bytes, 2);
    });
    EXPECT_EQ(run.objects, (std::vector<object>{{0, 100, 0, 0}, {1, 60, 0, 0}}));
    EXPECT_TRUE(run.freed.empty());
}

// ---- Memory of place.h, on the emulated machine's nodes 0, 1, 2 and 5 ----

class placed_footprints : public footprints {
protected:
    recorded touch_all(sg_layout layout) const {
        return record([&] {
            void *const p = sg_malloc_place(megabyte, layout);
            sg_record_touch(static_cast<char *>(p) + 5000, 100);
            sg_free_place(p);
        });
    }
};

TEST_F(placed_footprints, layouts_with_a_name_are_whole_objects) {
    const std::vector<footprint> one{{false, 0, 5000, 100}};
    const recorded on_node = touch_all(sg_layout_on_node(2));
    EXPECT_EQ(on_node.objects, (std::vector<object>{{0, megabyte, 1, 2}}));
    EXPECT_EQ(on_node.footprints, one);
    EXPECT_EQ(on_node.freed, (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(touch_all(sg_layout_round_robin(nullptr, 0)).objects,
              (std::vector<object>{{0, megabyte, 2, 0}}));
    const int all[] = {0, 1, 2, 5};
    EXPECT_EQ(touch_all(sg_layout_blocked(all, 4)).objects,
              (std::vector<object>{{0, megabyte, 3, 0}}));
}

TEST_F(placed_footprints, other_layouts_are_a_page_each) {
    const int some[] = {5, 1};
    const recorded seen = record([&] {
        void *const p = sg_malloc_place(megabyte, sg_layout_round_robin(some, 2));
        sg_record_touch(static_cast<char *>(p) + 4000, 5000);
    });
    EXPECT_EQ(seen.objects,
              (std::vector<object>{{0, 4096, 1, 5}, {1, 4096, 1, 1}, {2, 4096, 1, 5}}));
    EXPECT_EQ(seen.footprints, (std::vector<footprint>{
                                   {false, 0, 4000, 96}, {false, 1, 0, 4096}, {false, 2, 0, 808}}));
}

TEST_F(placed_footprints, list_that_ends_before_the_last_node_is_a_page_each) {
    const int some[] = {0, 1};
    EXPECT_EQ(touch_all(sg_layout_round_robin(some, 2)).objects,
              (std::vector<object>{{0, 4096, 1, 1}}));
}

TEST_F(placed_footprints, local_memory_is_where_its_worker_touches_it) {
    const recorded seen = record([] {
        emulated::run_on(1);
        void *const small = sg_malloc_local(64);
        void *const large = sg_malloc_local(3 * megabyte);
        emulated::run_on(0);
        sg_record_touch(small, 64);
        sg_record_touch(large, 3 * megabyte);
        sg_free_place(small);
        sg_free_place(large);
    });
    EXPECT_EQ(seen.objects, (std::vector<object>{{0, 65536, 0, 0}, {1, 3 * megabyte, 0, 0}}));
    EXPECT_EQ(seen.freed, (std::vector<std::uint64_t>{1}));
}

TEST_F(placed_footprints, declared_ones_have_their_place_too) {
    const recorded seen = record([] {
        void *const p = sg_malloc_place(megabyte, sg_layout_on_node(5));
        sg_record_object(p, 1000);
        sg_record_touch(p, 1000);
        sg_free_place(p);
    });
    EXPECT_EQ(seen.objects, (std::vector<object>{{0, 1000, 1, 5}}));
}

} // namespace
} // namespace saguaro
