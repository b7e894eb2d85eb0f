// SPDX-License-Identifier: MIT
// The work and the critical path of a program: what bounds its time on any machine.
#pragma once

#include "costs.hpp"
#include "program.hpp"

namespace saguaro::sim {

struct span {
    ps work = 0; // T1: the time on one worker whose memory is all its own node's
    ps path = 0; // T-infinity: the same on any number of workers, if steals cost nothing
    // The path if each continuation on it is stolen, as Cilkview's burdened span: a greater T1 over
    // this is parallelism that a machine can use.
    ps burdened = 0;
};

span span_of(const program &of, const costs &c);

} // namespace saguaro::sim
