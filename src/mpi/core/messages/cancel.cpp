// SPDX-License-Identifier: MIT
// MPI_Cancel: ../../README.md, "A receive that is cancelled".
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/requests/generalized_requests.hpp"

namespace saguaro::mpi {

namespace core {

int cancel(request *which) {
    request_object *const found = process::mine->requests.find(*which);
    if (found == nullptr || !found->is_active || found->partitions != nullptr)
        return abi::err_request;
    if (found->what == action::generalized)
        return ask_program_to_cancel(*found);
    // Of a collective the program has to learn the end.
    if (found->what == action::joint)
        return abi::err_request;
    // An error of the request is one of the wait for it.
    if (!is_complete_now(*found, "MPI_Cancel") && found->what == action::receive)
        rank::mine->cancel(*found);
    rank::mine->publish();
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
