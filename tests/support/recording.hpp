// SPDX-License-Identifier: MIT
// Reads recordings back (docs/recording.md), and makes runs that are recorded.
#pragma once

#include "saguaro/run.hpp"
#include "scheduler/policy.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/settings.hpp"
#include "support/test_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace saguaro::test {

struct footprint {
    bool reuse;
    std::uint64_t object, offset, bytes;
    friend bool operator==(const footprint &, const footprint &) = default;
};

struct object {
    std::uint64_t id, bytes, layout, node;
    friend bool operator==(const object &, const object &) = default;
};

// A recording. Throws std::runtime_error if the file is not one, or is cut off.
struct recorded {
    // Frames are C(...), children S(...), syncs |; the work in between is a number of units,
    // rounded down, if there is any.
    std::string shape;
    std::int64_t work = 0; // ns
    std::int64_t span = 0;
    std::uint64_t spawns = 0;
    std::vector<object> objects;
    std::vector<footprint> footprints;
    std::vector<std::uint64_t> freed;

    explicit recorded(const std::string &name) {
        std::ifstream in(name, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
        if (bytes_.substr(0, 8) != "SGRECORD" || bytes_.substr(8, 4) != std::string("\1\0\0\0", 4))
            throw std::runtime_error("no recording");
        at_ = 12;
        while (read_event()) {
        }
        if (!around_.empty() || at_ != bytes_.size())
            throw std::runtime_error("does not end where it ends");
    }

private:
    // How long the path to here is, and the longest to the end of a child.
    struct frame {
        char kind;
        std::int64_t path, longest;
    };

    unsigned char byte() {
        if (at_ == bytes_.size())
            throw std::runtime_error("cut off");
        return static_cast<unsigned char>(bytes_[at_++]);
    }

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const unsigned char b = byte();
            value |= static_cast<std::uint64_t>(b & 0x7f) << shift;
            if (b < 0x80)
                return value;
        }
    }

    void end_work() {
        if (strand_ >= unit_ns)
            shape += std::to_string(strand_ / unit_ns);
        strand_ = 0;
    }

    void enter(char kind) {
        shape += kind;
        shape += '(';
        around_.push_back(now_);
        now_ = {kind, now_.path, 0};
    }

    void leave(char kind) {
        if (around_.empty() || now_.kind != kind)
            throw std::runtime_error("ends what has not begun");
        shape += ')';
        const std::int64_t end = std::max(now_.path, now_.longest);
        now_ = around_.back();
        around_.pop_back();
        (kind == 'S' ? now_.longest : now_.path) =
            std::max(kind == 'S' ? now_.longest : now_.path, end);
    }

    bool read_event() {
        const unsigned char kind = byte();
        if (kind == 1) {
            const auto ns = static_cast<std::int64_t>(number());
            work += ns;
            strand_ += ns;
            now_.path += ns;
            return true;
        }
        if (kind < 7)
            end_work();
        switch (kind) {
        case 0:
            span = now_.path;
            return false;
        case 2:
            ++spawns;
            enter('S');
            break;
        case 3:
            leave('S');
            break;
        case 4:
            shape += '|';
            now_ = {now_.kind, std::max(now_.path, now_.longest), 0};
            break;
        case 5:
            enter('C');
            break;
        case 6:
            leave('C');
            break;
        case 7: {
            object o{number(), number(), number(), 0};
            if (o.layout == 1)
                o.node = number();
            objects.push_back(o);
            break;
        }
        case 8:
        case 9:
            footprints.push_back({kind == 9, number(), number(), number()});
            break;
        case 10:
            freed.push_back(number());
            break;
        default:
            throw std::runtime_error("an event of kind " + std::to_string(kind));
        }
        return true;
    }

    std::string bytes_;
    std::size_t at_ = 0;
    frame now_{' ', 0, 0};
    std::vector<frame> around_;
    std::int64_t strand_ = 0;
};

// A directory for the files of a test, whose recordings are told the time.
class recordings : public testing::Test {
protected:
    recordings() {
        record::tick_clock::replace_by(&time);
        std::string name = std::filesystem::temp_directory_path() / "recordings_XXXXXX";
        directory_ = mkdtemp(name.data());
    }
    ~recordings() override {
        record::tick_clock::replace_by(nullptr);
        std::filesystem::remove_all(directory_);
    }

    std::string path(const std::string &name) const { return directory_ / name; }

    static scheduler::settings settings_for(const std::string &file, std::int64_t grain) {
        scheduler::settings s = scheduler::settings_from_environment();
        s.workers = 1;
        s.record = file;
        s.record_grain = grain;
        return s;
    }

    // What a run of body() gives.
    template <class Body>
    recorded record(Body body, std::int64_t grain = unit_ns / 2) const {
        const std::filesystem::path alone = directory_ / "alone";
        std::filesystem::create_directory(alone);
        const scheduler::settings s = settings_for(alone / "run", grain);
        EXPECT_EQ(scheduler::start_with(s, scheduler::make_policy(s.policy, nullptr)), 0);
        run(body);
        EXPECT_EQ(sg_stop(), 0);
        // Each recording of a process has a name of its own.
        const recorded seen(std::filesystem::directory_iterator(alone)->path());
        std::filesystem::remove_all(alone);
        return seen;
    }

private:
    std::filesystem::path directory_;
};

} // namespace saguaro::test
