// SPDX-License-Identifier: MIT
// Tests of reducers through the functions of reducer.h.
#include "hyperobjects/c_interface.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "hyperobjects/slots.hpp"
#include "hyperobjects/strand.hpp"

namespace saguaro::hyperobjects {
namespace {

std::string value(const sg_reducer &reducer) {
    const auto *const view = static_cast<const ::text *>(sg_reducer_view(&reducer));
    return std::string(view->letters, view->length);
}

TEST(c_interface, serial_order_without_commutativity) {
    local worker, thief;
    sg_reducer r;
    ASSERT_EQ(sg_reducer_create(&r, &text_append), 0);
    EXPECT_EQ(value(r), "");
    text_write(&r, "0");
    run_on(worker, [&] {
        const view_set third = strand(thief, [&] { text_write(&r, "3"); });
        const view_set second = strand(thief, [&] { text_write(&r, "2"); });
        text_write(&r, "1");
        worker.append(worker.merge(second, third));
    });
    EXPECT_EQ(value(r), "0123");
    sg_reducer_destroy(&r);
}

TEST(c_interface, initial_value) {
    char initial[] = "start";
    sg_reducer r;
    ASSERT_EQ(text_create(&r, initial), 0);
    text_write(&r, "!");
    EXPECT_EQ(value(r), "start!");
    sg_reducer_destroy(&r);
}

TEST(c_interface, faulty_monoids_are_refused) {
    sg_reducer r;
    EXPECT_EQ(sg_reducer_create(&r, nullptr), EINVAL);
    const auto refused = [&](auto &&spoil) {
        sg_monoid m = text_append;
        spoil(m);
        return sg_reducer_create(&r, &m) == EINVAL;
    };
    EXPECT_TRUE(refused([](sg_monoid &m) { m.identity = nullptr; }));
    EXPECT_TRUE(refused([](sg_monoid &m) { m.reduce = nullptr; }));
    EXPECT_TRUE(refused([](sg_monoid &m) { m.size = 0; }));
    EXPECT_TRUE(refused([](sg_monoid &m) { m.alignment = 0; }));
    EXPECT_TRUE(refused([](sg_monoid &m) { m.alignment = 24; }));
    EXPECT_TRUE(refused([](sg_monoid &m) { m.alignment = 8192; }));
    EXPECT_EQ(sg_reducer_create_with(&r, &text_append, nullptr, nullptr), EINVAL);
}

TEST(c_interface, exhaustion_is_enomem) {
    global_slots().withhold(region_slots - 10);
    std::vector<sg_reducer> all(10);
    for (sg_reducer &r : all)
        ASSERT_EQ(sg_reducer_create(&r, &text_append), 0);
    sg_reducer one;
    EXPECT_EQ(sg_reducer_create(&one, &text_append), ENOMEM);
    for (sg_reducer &r : all)
        sg_reducer_destroy(&r);
    EXPECT_EQ(sg_reducer_create(&one, &text_append), 0);
    sg_reducer_destroy(&one);
    global_slots().withhold(0);
}

// What the functions get as context: the pointer given, or else the reducer's own address.
TEST(c_interface, context) {
    static void *seen;
    sg_monoid m = {[](void *view, void *context) {
                       *static_cast<int *>(view) = 0;
                       seen = context;
                   },
                   [](void *, void *, void *context) { seen = context; },
                   [](void *, void *context) { seen = context; },
                   sizeof(int),
                   alignof(int),
                   nullptr,
                   nullptr};
    for (void *const given : {static_cast<void *>(nullptr), static_cast<void *>(&m)}) {
        m.context = given;
        local worker;
        sg_reducer r;
        void *const expected = given != nullptr ? given : &r;
        const auto saw = [&] { return std::exchange(seen, nullptr) == expected; };
        ASSERT_EQ(sg_reducer_create(&r, &m), 0);
        EXPECT_TRUE(saw()) << "identity";
        run_on(worker, [&] {
            sg_reducer_view(&r);
            const view_set set = strand(worker, [&] { sg_reducer_view(&r); });
            EXPECT_TRUE(saw()) << "identity of a lookup";
            worker.append(set);
            EXPECT_TRUE(saw()) << "reduce and destroy";
        });
        sg_reducer_destroy(&r);
        EXPECT_TRUE(saw()) << "destroy";
    }
}

} // namespace
} // namespace saguaro::hyperobjects
