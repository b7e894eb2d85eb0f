// SPDX-License-Identifier: MIT
// The walk over a spawn tree that adds up work and critical path.
#include "span.hpp"

#include "bad_input.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace saguaro::sim {

namespace {

// A moment on the critical path: without what steals cost, and with it.
struct moment {
    ps plain = 0;
    ps burdened = 0;

    void pass(ps time) {
        plain += time;
        burdened += time;
    }
};

moment later(const moment &a, const moment &b) {
    return {std::max(a.plain, b.plain), std::max(a.burdened, b.burdened)};
}

// A function that has begun.
struct open_frame {
    moment now;
    moment children; // the last end of those that nobody has waited for
};

// All costs that may follow each other on a path. In floating point, where nothing wraps round.
void check_times(const totals &all, ps spawn, ps burden) {
    const double longest = static_cast<double>(all.work_ns) * a_nanosecond +
                           static_cast<double>(all.spawns) *
                               (static_cast<double>(spawn) + static_cast<double>(burden));
    if (longest >= static_cast<double>(std::numeric_limits<ps>::max()))
        throw bad_input("the work, with --spawn-cost and --steal-cost for each of " +
                        std::to_string(all.spawns) +
                        " spawns, is more than 106 days, the most that can be told");
}

} // namespace

span span_of(const program &of, const costs &c) {
    const ps spawn = nanoseconds(c.spawn);
    const ps burden = nanoseconds(c.steal);
    check_times(of.all(), spawn, burden);
    const ps work =
        static_cast<ps>(of.all().work_ns) * a_nanosecond + static_cast<ps>(of.all().spawns) * spawn;
    std::vector<open_frame> frames(1);
    const auto join = [&frames] {
        frames.back().now = later(frames.back().now, frames.back().children);
        frames.back().children = {};
    };
    for (cursor at(of);;) {
        switch (at.next()) {
        case kind::work:
            frames.back().now.pass(static_cast<ps>(at.number()) * a_nanosecond);
            break;
        case kind::spawn: {
            at.continuation();
            frames.back().now.pass(spawn);
            const moment begun = frames.back().now;
            frames.back().now.burdened += burden;
            frames.push_back({begun, {}});
            break;
        }
        case kind::child_ends: {
            join();
            const moment ended = frames.back().now;
            frames.pop_back();
            frames.back().children = later(frames.back().children, ended);
            break;
        }
        case kind::sync:
            join();
            break;
        case kind::call:
            frames.push_back({frames.back().now, {}});
            break;
        case kind::leave: {
            join();
            const moment ended = frames.back().now;
            frames.pop_back();
            frames.back().now = ended;
            break;
        }
        case kind::object:
            at.object();
            break;
        case kind::touch:
        case kind::reuse:
            at.range();
            break;
        case kind::free:
            at.number();
            break;
        case kind::end:
            join();
            return {work, frames.back().now.plain, frames.back().now.burdened};
        case kind::loop: // never in a program
            break;
        }
    }
}

} // namespace saguaro::sim
