// SPDX-License-Identifier: MIT
#include "detmpi/core/leaks.hpp"

#include "detmpi/core/errors.hpp"
#include "detmpi/core/lines.hpp"
#include "detmpi/core/process.hpp"

#include <cstdlib>
#include <string>

namespace saguaro::detmpi {

bool is_checking() {
    static const bool is_set = std::getenv(check_variable) != nullptr;
    return is_set;
}

void name_leaks() {
    if (!is_checking())
        return;
    std::string names;
    const auto count = [&](std::size_t left, const char *one) {
        if (left != 0)
            names += (names.empty() ? "" : ", ") + std::to_string(left) + " " + one +
                     (left == 1 ? "" : "s");
    };
    const process &own = *process::mine;
    count(own.requests.live(), "request");
    count(own.messages.live(), "matched message");
    count(own.comms.live(), "communicator");
    count(own.groups.live(), "group");
    count(static_cast<std::size_t>(own.types.in_use()), "type");
    count(own.ops.live(), "operator");
    count(live_handlers(), "error handler");
    count(own.keyvals.live(), "attribute key");
    if (!names.empty())
        say("MPI_Finalize: not freed: %s", names.c_str());
}

} // namespace saguaro::detmpi
