// SPDX-License-Identifier: MIT
// Tests of reading recordings and building spawn trees.
#include "engine/program.hpp"

#include "engine/recording.hpp"
#include "engine/workloads.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

using namespace std::string_literals;

// A file that is gone behind the test.
class recordings : public testing::Test {
protected:
    ~recordings() override { std::filesystem::remove(file); }

    program read(const std::string &events, const std::string &head = "SGRECORD\1\0\0\0"s) {
        std::ofstream(file, std::ios::binary) << head << events;
        return read_recording(file);
    }
    std::string refusal(const std::string &events, const std::string &head = "SGRECORD\1\0\0\0"s) {
        try {
            read(events, head);
        } catch (const bad_input &bad) {
            const std::string what = bad.what();
            EXPECT_EQ(what.find('\n'), what.npos);
            EXPECT_EQ(what.rfind(file, 0), 0u) << what;
            return what;
        }
        return "accepted";
    }

    const std::string file = testing::TempDir() + "sg-" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() + ".rec";
};

void expect_in(const std::string &part, const std::string &whole) {
    EXPECT_NE(whole.find(part), whole.npos) << whole;
}

TEST_F(recordings, all_kinds_of_events) {
    // An object of 300 bytes, blocked; one on node 2; work 1000 around a child; a call.
    const program p = read("\7\0\xac\2\3"s + "\7\1\x40\1\2" + "\1\xe8\7" + "\2\1\5\x8\0\0\x40\3"s +
                           "\1\1\5\2\1\2\3\6\4\x9\0\x40\x40\xa\1\xb\5\0"s);
    EXPECT_EQ(p.all().work_ns, 1000u + 5 + 1 + 2);
    EXPECT_EQ(p.all().spawns, 2u);
    EXPECT_EQ(p.all().syncs, 1u);
    EXPECT_EQ(p.all().objects, 2u);
    EXPECT_EQ(p.all().touched_bytes, 64u);
    EXPECT_EQ(p.all().reused_bytes, 64u);
}

TEST_F(recordings, events_come_back) {
    const program p = read("\7\0\xac\2\1\3\1\7\2\1\5\x8\0\1\2\3\1\4\4\0"s);
    cursor c(p);
    ASSERT_EQ(c.next(), kind::object);
    const object_event o = c.object();
    EXPECT_EQ(o.bytes, 300u);
    EXPECT_EQ(o.where, layout::on_node);
    EXPECT_EQ(o.node, 3u);
    ASSERT_EQ(c.next(), kind::work);
    EXPECT_EQ(c.number(), 7u);
    ASSERT_EQ(c.next(), kind::spawn);
    cursor behind(p, c.continuation());
    ASSERT_EQ(c.next(), kind::work);
    EXPECT_EQ(c.number(), 5u);
    ASSERT_EQ(c.next(), kind::touch);
    const range_event r = c.range();
    EXPECT_EQ(r.offset, 1u);
    EXPECT_EQ(r.bytes, 2u);
    ASSERT_EQ(c.next(), kind::child_ends);
    EXPECT_EQ(c.at(), behind.at());
    ASSERT_EQ(behind.next(), kind::work);
    EXPECT_EQ(behind.number(), 4u);
    ASSERT_EQ(behind.next(), kind::sync);
    ASSERT_EQ(behind.next(), kind::end);
}

TEST_F(recordings, work_in_pieces_is_one) {
    const program p = read("\1\3\1\4\4\0"s);
    cursor c(p);
    ASSERT_EQ(c.next(), kind::work);
    EXPECT_EQ(c.number(), 7u);
    EXPECT_EQ(c.next(), kind::sync);
}

TEST_F(recordings, largest_number) {
    read("\xb\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0"s); // LOOP, whose number nobody uses
    expect_in("more than 64 bits", refusal("\xb\xff\xff\xff\xff\xff\xff\xff\xff\xff\2\0"s));
    expect_in("more than 64 bits", refusal("\xb\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0"s));
}

// Otherwise T1 would be negative, or 0.
TEST_F(recordings, work_that_no_time_can_tell_is_refused) {
    expect_in("event 1: WORK 18446744073709551615: the work of all events is at most "
              "4000000000000000 ns",
              refusal("\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0"s));
    expect_in("WORK 4611686018427387904", refusal("\1\x80\x80\x80\x80\x80\x80\x80\x80\x40\0"s));
    // 2^51 and 2^50 fit, and 2^51 more does not.
    const std::string some = "\1\x80\x80\x80\x80\x80\x80\x80\4"s;
    const std::string half = "\1\x80\x80\x80\x80\x80\x80\x80\2"s;
    EXPECT_EQ(read(some + half + "\0"s).all().work_ns, (1ULL << 51) + (1ULL << 50));
    expect_in("event 3: WORK", refusal(some + half + some + "\0"s));
}

TEST_F(recordings, bytes_that_no_number_can_tell_are_refused) {
    const std::string object = "\7\0\x80\x80\x80\x80\x80\x80\x20\0"s; // 2^47 bytes
    std::string touches;
    for (unsigned each = 0; each < 1u << 17; ++each)
        touches += "\x9\0\0\x80\x80\x80\x80\x80\x80\x20"s;
    expect_in("event 131073: the bytes of all events", refusal(object + touches + "\0"s));
}

// They would take gigabytes of memory for the tables of their pages.
TEST_F(recordings, touches_of_more_memory_than_there_is_are_refused) {
    const auto object = [](char id) { return "\7"s + id + "\x80\x80\x80\x80\x80\x80\x10\0"s; };
    const auto touch = [](char id, const std::string &from, const std::string &bytes) {
        return "\x8"s + id + from + bytes;
    };
    const std::string all = "\x80\x80\x80\x80\x80\x80\x10"s; // 2^46 bytes
    const std::string most = "\x80\x80\x80\x80\x80\x20"s;    // 2^40
    const std::string half = "\x80\x80\x80\x80\x80\x10"s;
    expect_in("event 2: TOUCH of 70368744177664 bytes of object 0: accepted are up to "
              "1099511627776 touched bytes of all objects together",
              refusal(object(0) + touch(0, "\0"s, all) + "\0"s));
    read(object(0) + touch(0, "\0"s, most) + touch(0, "\0"s, most) + "\0"s); // the same bytes
    expect_in("event 3: TOUCH of 1 bytes",
              refusal(object(0) + touch(0, "\0"s, most) + touch(0, most, "\1"s) + "\0"s));
    expect_in(
        "event 4: TOUCH of 1 bytes of object 1",
        refusal(object(0) + touch(0, "\0"s, most) + object(1) + touch(1, "\0"s, "\1"s) + "\0"s));
    read(object(0) + touch(0, "\0"s, most) + "\xa\0"s + object(1) + touch(1, half, most) +
         touch(1, half, "\0"s) + "\0"s);
    // One byte of each piece is as much as all of it.
    std::string sparse = object(0);
    for (std::uint64_t at = 0; at <= most_touched_bytes; at += piece_bytes) {
        std::string from;
        for (std::uint64_t rest = at; from.empty() || rest != 0; rest >>= 7)
            from += static_cast<char>((rest & 0x7f) | (rest >= 0x80 ? 0x80 : 0));
        sparse += touch(0, from, "\1"s);
    }
    expect_in("event 8194: TOUCH of 1 bytes", refusal(sparse + "\0"s));
}

TEST_F(recordings, objects_that_fill_more_than_all_addresses_are_refused) {
    const std::string size = "\x80\x80\x80\x80\x80\x80\x10\0"s; // 2^46 bytes
    const std::string two = "\7\0"s + size + "\7\1"s + size;
    read(two + "\0"s);
    expect_in(
        "event 3: OBJECT 2 of 70368744177664 bytes beside others of 140737488355328: accepted "
        "are together up to 140737488355328",
        refusal(two + "\7\2"s + size + "\0"s));
    read(two + "\xa\0\7\2"s + size + "\0"s);
}

TEST_F(recordings, truncated_one_is_refused_wherever_it_ends) {
    const std::string whole = "\7\0\xac\2\1\3\1\7\2\1\5\3\4\0"s;
    read(whole);
    for (std::size_t length = 0; length < whole.size(); ++length)
        expect_in("truncated", refusal(whole.substr(0, length)));
    expect_in("truncated", refusal("", "SGREC"));
    expect_in("truncated", refusal("", "SGRECORD\1\0"s));
}

TEST_F(recordings, bad_heads_are_refused) {
    expect_in("not a recording", refusal("\0"s, "SGRECURD\1\0\0\0"s));
    expect_in("version 2 of the format: accepted is 1", refusal("\0"s, "SGRECORD\2\0\0\0"s));
    expect_in("version 257", refusal("\0"s, "SGRECORD\1\1\0\0"s));
}

TEST_F(recordings, bad_events_are_refused) {
    expect_in("kind 12: accepted are 0 to 11", refusal("\xc\0"s));
    expect_in("byte 13: event 1: RETURN without its SPAWN", refusal("\3\0"s));
    expect_in("RETURN without its SPAWN", refusal("\2\5\3\6\0"s));
    expect_in("LEAVE without its CALL", refusal("\6\0"s));
    expect_in("LEAVE without its CALL", refusal("\5\2\6\3\0"s));
    expect_in("its RETURN is missing", refusal("\2\0"s));
    expect_in("its LEAVE is missing", refusal("\5\0"s));
    expect_in("something follows the END", refusal("\0\0"s));
}

TEST_F(recordings, bad_memory_is_refused) {
    expect_in("OBJECT 1: the next one is 0", refusal("\7\1\5\0\0"s));
    expect_in("OBJECT 0 of 9223372036854775807 bytes: accepted are up to 140737488355328",
              refusal("\7\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f\0\x8\0\0\1\0"s));
    expect_in("layout 4: accepted are 0 to 3", refusal("\7\0\5\4\0"s));
    expect_in("layout 255: accepted are 0 to 3", refusal("\7\0\5\x80\2\0"s));
    expect_in("there is no object 0", refusal("\x8\0\0\0\0"s));
    expect_in("there is no object 0", refusal("\7\0\5\0\xa\0\xa\0\0"s));
    expect_in("there is no object 0", refusal("\7\0\5\0\xa\0\x9\0\0\1\0"s));
    expect_in("bytes 3 to 6 of object 0, which has 5", refusal("\7\0\5\0\x8\0\3\3\0"s));
    expect_in("bytes 6 to 6 of object 0", refusal("\7\0\5\0\x9\0\6\0\0"s));
}

// Their sum is 0 in 64 bits.
TEST_F(recordings, bytes_behind_an_object_are_refused_whatever_their_number) {
    expect_in("of object 0, which has 5",
              refusal("\7\0\5\0\x8\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0"s));
}

TEST(programs, have_as_many_events_as_are_accepted) {
    const auto with_work = [](unsigned events) {
        program_builder out(3);
        for (unsigned each = 0; each < events; ++each)
            out.work(1);
        return out.finish(); // an event as well
    };
    EXPECT_EQ(with_work(2).all().events, 3u);
    EXPECT_THROW(with_work(3), bad_input);
}

TEST_F(recordings, file_that_is_not_there_is_named) {
    EXPECT_THROW(read_recording(file + ".none"), bad_input);
}

TEST_F(recordings, written_one_is_read_again) {
    for (const char *workload : {"fib:8", "strassen:512,tile=128", "cholesky:512"}) {
        const program made = make_workload(workload);
        write_recording(made, file);
        const program again = read_recording(file);
        EXPECT_EQ(again.bytes(), made.bytes()) << workload;
        EXPECT_EQ(again.all().work_ns, made.all().work_ns);
        EXPECT_EQ(again.all().touched_bytes, made.all().touched_bytes);
        EXPECT_EQ(again.all().spawns, made.all().spawns);
    }
}

TEST(workloads, bad_ones_are_refused) {
    const auto refusal = [](const std::string &text) -> std::string {
        try {
            make_workload(text);
        } catch (const bad_input &bad) {
            return bad.what();
        }
        return "accepted";
    };
    expect_in("'fob': accepted are fib, tree, loop", refusal("fob"));
    expect_in("n is '35': accepted is a number from 0 to 34", refusal("fib:35"));
    expect_in("n is '3x'", refusal("fib:3x"));
    expect_in("n is ''", refusal("fib:n="));
    expect_in("n is 'nan'", refusal("fib:nan"));
    expect_in("fib has no 'm': accepted are n, ns", refusal("fib:m=3"));
    expect_in("branch is '0': accepted is a number from 1 to 1000", refusal("tree:branch=0"));
    expect_in("kb is '3': accepted is a number from 4 to", refusal("stream:kb=3"));
    expect_in("tile is '7': accepted is a number from 8 to 4096", refusal("matmul:tile=7"));
    EXPECT_EQ(refusal("fib:ns=2,n=3"), "accepted");
    for (const char *empty : {"fib:", "fib:3,", "fib:,ns=2", "fib:3,,ns=2"})
        expect_in("n is ''", refusal(empty));
}

// Built, they would take more memory than a machine has.
TEST(workloads, that_have_too_many_events_are_refused) {
    for (const std::string each :
         {"tree:40,branch=9", "loop:1e9,ns=1,grain=1", "stream:1048576,kb=4",
          "matmul:65536,tile=16", "strassen:65536,tile=16", "cholesky:65536,tile=16"}) {
        try {
            make_workload(each, 100'000);
            ADD_FAILURE() << each;
        } catch (const bad_input &bad) {
            EXPECT_EQ(bad.what(),
                      "workload '" + each + "': it has more events than are accepted, 100000");
        }
    }
    EXPECT_THROW(make_workload("loop:1e9,ns=1e9"), bad_input); // its work is too long
}

// The work of each workload is what its keys say.
TEST(workloads, work_and_misses_are_as_asked) {
    EXPECT_EQ(make_workload("fib:10,ns=4").all().work_ns, 4u * 177);
    EXPECT_EQ(make_workload("loop:1000,ns=7,grain=13").all().work_ns, 7000u);
    EXPECT_EQ(make_workload("loop:4096,ns=7").all().spawns, 2047u);
    EXPECT_EQ(make_workload("loop:4096,ns=7,grain=0.3").all().spawns, 2047u); // as 0
    const program stream = make_workload("stream:1,kb=64,passes=3,ns=10,miss=25");
    EXPECT_EQ(stream.all().spawns, 3u * 15);
    EXPECT_EQ(stream.all().touched_bytes, 3u * (1 << 20) / 4);
    EXPECT_EQ(stream.all().reused_bytes, 3u * (1 << 20) / 4 * 3);
    EXPECT_EQ(stream.all().work_ns, 3u * (16384 * 10 + 4096 * 20));
    // 2 n^3 operations, and n^3 / 3.
    EXPECT_EQ(make_workload("matmul:256,tile=64,flops=2,miss=0").all().work_ns, 256u * 256 * 256);
    EXPECT_EQ(make_workload("strassen:256,tile=128,flops=2,miss=0").all().work_ns,
              7u * 128 * 128 * 128 + 12 * 128 * 128 / 2);
    const double cholesky =
        static_cast<double>(make_workload("cholesky:2048,tile=64,flops=1,miss=0").all().work_ns);
    EXPECT_NEAR(cholesky / (2048.0 * 2048 * 2048 / 3), 1, 0.1);
    const program tree = make_workload("tree:8,seed=5");
    EXPECT_EQ(tree.all().work_ns, make_workload("tree:8,seed=5").all().work_ns);
    EXPECT_NE(tree.all().work_ns, make_workload("tree:8,seed=6").all().work_ns);
}

} // namespace
} // namespace saguaro::sim
