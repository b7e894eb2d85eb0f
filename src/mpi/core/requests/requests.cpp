// SPDX-License-Identifier: MIT
// How a request begins that is complete when several receives are.
#include "mpi/core/requests/requests.hpp"

#include "mpi/core/rank.hpp"

namespace saguaro::mpi {

void joint_operation::begin(request_object &whole) {
    is_settled_ = false;
    open_ = receives.size();
    send(whole.posted);
    whole.error = 0;
    whole.is_complete = receives.empty();
    for (request_object &part : receives) {
        part.whole = &whole;
        part.posted = whole.posted;
        rank::mine->post(part);
    }
}

} // namespace saguaro::mpi
