// SPDX-License-Identifier: MIT
// What saguaro.h declares; with SG_RACE the names are the detector's. There is one worker, which is
// the program's thread; sg_isolate has the name of sg_run.
#include "saguaro/arena.h"
#include "saguaro/detail/race_calls.hpp"
#include "saguaro/run.hpp"
#include "saguaro/saguaro.h"

extern "C" {

void sg_run(void (*function)(void *argument), void *argument) {
    const saguaro::detail::race_call here;
    function(argument);
}

void sg_arena_run(sg_arena *, void (*function)(void *argument), void *argument) {
    sg_run(function, argument);
}

int sg_start(const sg_options *) {
    return 0;
}

int sg_stop() {
    return 0;
}

unsigned sg_workers() {
    return 1;
}

int sg_worker_id() {
    return 0;
}
}

namespace saguaro {

void start(const options &) {}

void start() {}

void stop() {}

} // namespace saguaro
