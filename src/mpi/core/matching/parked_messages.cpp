// SPDX-License-Identifier: MIT
// The memory of parked messages, and how they leave their queues and come back.
#include "mpi/core/matching/parked_messages.hpp"

#include "mpi/core/clock/parked_memory.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/reports/diagnostics.hpp"

#include <new>

namespace saguaro::mpi {

parked_message *make_parked(const envelope &head, block *data) {
    const parked_message made{nullptr, head, data};
    const std::size_t bytes = made.bytes_behind_this();
    void *const memory = take_parked_memory(sizeof(made) + bytes);
    if (memory == nullptr)
        fail("no memory for a message of %zu bytes from rank %u that no receive has taken", bytes,
             head.source);
    return new (memory) parked_message(made);
}

void free_parked(parked_message *what) {
    give_parked_memory(what, sizeof(*what) + what->bytes_behind_this());
}

void parked_messages::put_back(parked_message &which) {
    queue &q = of_[which.head.source];
    parked_message **at = &q.first;
    while (*at != nullptr &&
           (is_collective((*at)->head.context) || (*at)->head.stamp < which.head.stamp))
        at = &(*at)->next;
    which.next = *at;
    *at = &which;
    if (which.next == nullptr)
        q.last = &which;
}

parked_message *parked_messages::take(const parked_message &which) {
    queue &q = of_[which.head.source];
    parked_message *before = nullptr;
    parked_message *at = q.first;
    while (at != &which) {
        before = at;
        at = at->next;
    }
    (before == nullptr ? q.first : before->next) = at->next;
    if (q.last == at)
        q.last = before;
    at->next = nullptr;
    return at;
}

bool parked_messages::is_valid() const {
    for (std::size_t source = 0; source < of_.size(); ++source) {
        const parked_message *last = nullptr;
        for (const parked_message *m = of_[source].first; m != nullptr; m = m->next) {
            if (m->head.source != source)
                return false;
            last = m;
        }
        if (last != nullptr && last != of_[source].last)
            return false;
    }
    return true;
}

} // namespace saguaro::mpi
