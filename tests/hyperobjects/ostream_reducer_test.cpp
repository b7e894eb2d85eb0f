// SPDX-License-Identifier: MIT
// Tests that a stream reducer writes in serial order with the stream's format.
#include "saguaro/ostream_reducer.hpp"

#include "forced.hpp"

#include <algorithm>
#include <iomanip>
#include <ios>
#include <memory>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

namespace saguaro {
namespace {

using namespace saguaro::test;

// A stream to write to, and the reducer on it.
struct target {
    std::ostringstream stream;
    ostream_reducer out{stream};
};

std::string line(int i) {
    return "line " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 40), '.') + '\n';
}

std::string lines(int n) {
    std::string all;
    for (int i = 0; i < n; ++i)
        all += line(i);
    return all;
}

TEST(ostream_reducer, bytes_are_in_serial_order) {
    on_any_number_of_workers(
        300, [] { return std::make_unique<target>(); }, [](target &t, int i) { *t.out << line(i); },
        [](target &t) { EXPECT_EQ(t.stream.str(), lines(300)); });
}

TEST(ostream_reducer, what_precedes_everything_is_written_at_once) {
    std::ostringstream stream;
    ostream_reducer out(stream);
    *out << "a";
    EXPECT_EQ(stream.str(), "a");
    EXPECT_EQ(&out.view(), &stream);
    scripted_workers workers(2);
    saguaro::run([&] {
        *out << "b";
        EXPECT_EQ(stream.str(), "ab");
        std::atomic<bool> written{false};
        parallel_for(0, 2, [&](int i) {
            if (i == 0) {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return written.load(); });
                EXPECT_EQ(stream.str(), "ab") << "what comes later waits";
                *out << "c";
                EXPECT_EQ(stream.str(), "abc");
            } else {
                EXPECT_NE(&out.view(), &stream);
                *out << "d";
                written = true;
            }
        });
        EXPECT_EQ(stream.str(), "abcd");
        EXPECT_EQ(&out.view(), &stream);
        out->put('e');
    });
    EXPECT_EQ(stream.str(), "abcde");
}

TEST(ostream_reducer, strands_begin_with_the_format_of_the_target) {
    const auto prepare = [] {
        auto t = std::make_unique<std::ostringstream>();
        *t << std::hex << std::showbase << std::setfill('*');
        return t;
    };
    std::ostringstream expected;
    expected.copyfmt(*prepare());
    for (int i = 0; i < 100; ++i)
        expected << std::setw(8) << i;
    on_any_number_of_workers(
        100,
        [&] {
            struct both {
                std::unique_ptr<std::ostringstream> stream;
                ostream_reducer out{*stream};
            };
            return std::unique_ptr<both>(new both{prepare()});
        },
        [](auto &t, int i) { *t.out << std::setw(8) << i; },
        [&](auto &t) { EXPECT_EQ(t.stream->str(), expected.str()); });
}

// A buffer that counts how often it was flushed.
struct flushed : std::stringbuf {
    int sync() override {
        ++times;
        return 0;
    }
    std::atomic<int> times{0};
};

TEST(ostream_reducer, a_tied_stream_is_the_first_strands) {
    flushed buffer;
    std::ostream tied(&buffer);
    std::ostringstream stream;
    stream.tie(&tied);
    ostream_reducer out(stream);
    scripted_workers workers(2);
    saguaro::run([&] {
        parallel_for(0, 2, [&](int i) {
            if (i == 0)
                EXPECT_TRUE(force_steal());
            else
                *out << "x" << "y";
            // The join writes "xy" once, and that flushes.
        });
    });
    EXPECT_EQ(stream.str(), "xy");
    EXPECT_EQ(buffer.times, 1);
}

// Takes so many characters and then fails, as a full disk does.
class full_disk : public std::streambuf {
public:
    explicit full_disk(std::size_t room) : room_(room) {}
    std::string text;

protected:
    int overflow(int c) override {
        if (text.size() == room_)
            return traits_type::eof();
        text.push_back(static_cast<char>(c));
        return c;
    }

private:
    std::size_t room_;
};

TEST(ostream_reducer, a_full_disk_is_a_state_of_the_target) {
    for (const bool throws : {false, true}) {
        struct disk {
            full_disk buffer{100};
            std::ostream stream{&buffer};
            ostream_reducer out{stream};
        };
        disk d;
        scripted_workers workers(2);
        if (throws)
            d.stream.exceptions(std::ios::badbit);
        // The write that fails is the join's.
        saguaro::run([&] {
            parallel_for(0, 2, [&](int i) {
                if (i == 0)
                    EXPECT_TRUE(force_steal());
                else
                    *d.out << lines(50);
            });
        });
        EXPECT_TRUE(d.stream.bad());
        EXPECT_EQ(d.buffer.text, lines(50).substr(0, 100));
    }
}

TEST(ostream_reducer, after_an_insertion_that_fails_nothing_is_written) {
    std::string expected;
    for (int i = 0; i <= 150; ++i)
        expected += line(i);
    on_any_number_of_workers(
        300, [] { return std::make_unique<target>(); },
        [](target &t, int i) {
            *t.out << line(i);
            if (i == 150)
                t.out->setstate(std::ios::failbit);
        },
        [&](target &t) {
            EXPECT_EQ(t.stream.str(), expected);
            EXPECT_TRUE(t.stream.fail());
        });
}

TEST(ostream_reducer, wide_characters) {
    struct wide {
        std::wostringstream stream;
        wostream_reducer out{stream};
    };
    std::wstring expected;
    for (int i = 0; i < 100; ++i)
        expected += std::to_wstring(i) + L'\u00e9';
    on_any_number_of_workers(
        100, [] { return std::make_unique<wide>(); },
        [](wide &t, int i) { *t.out << i << L'\u00e9'; },
        [&](wide &t) { EXPECT_EQ(t.stream.str(), expected); });
}

// An exception of a user's insertion is the strand's, and what others wrote arrives.
struct refuses {};
[[maybe_unused]] std::ostream &operator<<(std::ostream &, refuses) {
    throw thrown(3);
}

TEST(ostream_reducer, exception_of_an_insertion_leaves_the_loop) {
    const nothing_leaks check;
    target t;
    scripted_workers workers(2);
    const int who = who_throws([&] {
        saguaro::run([&] {
            parallel_for(0, 2, [&](int i) {
                if (i == 0) {
                    EXPECT_TRUE(force_steal());
                    *t.out << "a";
                } else {
                    *t.out << "b" << refuses();
                }
            });
        });
    });
    EXPECT_EQ(who, 3);
    EXPECT_EQ(t.stream.str(), "ab");
}

} // namespace
} // namespace saguaro
