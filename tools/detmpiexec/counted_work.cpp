// SPDX-License-Identifier: MIT
#include "counted_work.hpp"

#include "detmpi/core/order.hpp"
#include "platform/work_counter.hpp"

#include <cerrno>
#include <cstring>
#include <sys/personality.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

// That of the launcher itself, tried once: ranks have what it has.
const std::string &what_is_missing() {
    static const std::string missing = [] {
        std::string why;
        const platform::work_counter own(why);
        // Each rank reads the counters of the others in this way.
        if (own && !platform::work_counter(getpid(), own.descriptor(), own.event()))
            why = std::string("ranks cannot read each other's counters: pidfd_getfd: ") +
                  std::strerror(errno);
        return why;
    }();
    return missing;
}

} // namespace

bool counts_work(const environment &of) {
    return of.get(detmpi::order::variable) == "work";
}

bool prepare_counted_work(environment &of, std::string &why) {
    const std::string &missing = what_is_missing();
    if (!missing.empty()) {
        why = "-order work counts the work of each rank, and cannot here: " + missing +
              ". Instead, MPI_Pcontrol(2, cost) declares work, and -order record FILE lets a run "
              "be repeated";
        return false;
    }
    // Else the first call of each function would do more work than the others.
    of.set_unless_there("LD_BIND_NOW", "1");
    return true;
}

same_addresses::same_addresses(const environment &of) {
    if (!counts_work(of))
        return;
    former_ = personality(0xffffffff);
    if (former_ < 0 || personality(static_cast<unsigned long>(former_) | ADDR_NO_RANDOMIZE) < 0)
        give_up("-order work: the system does not place programs at the same addresses in each run",
                errno);
}

same_addresses::~same_addresses() {
    if (former_ >= 0)
        personality(static_cast<unsigned long>(former_));
}

} // namespace saguaro::detmpiexec
