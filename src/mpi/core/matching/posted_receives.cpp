// SPDX-License-Identifier: MIT
// Receives that lose their message again, and the invariant of the list.
#include "mpi/core/matching/posted_receives.hpp"

namespace saguaro::mpi {

void posted_receives::put_back(request_object &receive) {
    request_object **link = &first_;
    while (*link != nullptr && (*link)->posted < receive.posted)
        link = &(*link)->next;
    receive.next = *link;
    *link = &receive;
    if (receive.next == nullptr)
        end_ = &receive.next;
    wild_ += receive.is_wild() ? 1 : 0;
}

bool posted_receives::is_valid() const {
    unsigned wild = 0;
    request_object *const *end = &first_;
    for (const request_object *r = first_; r != nullptr; r = r->next) {
        wild += r->is_wild() ? 1 : 0;
        end = &r->next;
    }
    return end == end_ && wild == wild_;
}

} // namespace saguaro::mpi
