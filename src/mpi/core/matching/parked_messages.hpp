// SPDX-License-Identifier: MIT
// The messages that have come and that no receive has taken.
#pragma once

#include "mpi/core/requests/requests.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// A message that has come and that no receive has taken.
struct parked_message {
    parked_message *next = nullptr;
    envelope head{};
    block *data = nullptr; // or null: its bytes follow this

    const char *bytes() const {
        return data != nullptr ? data->data() : reinterpret_cast<const char *>(this + 1);
    }
    std::size_t bytes_behind_this() const { return data == nullptr ? head.bytes : 0; }
};

// One with room for the bytes behind it, which the caller writes; `free_parked` is its end. Where
// there is no memory the rank ends with a line.
parked_message *make_parked(const envelope &head, block *data);
void free_parked(parked_message *what);

// A queue for each source, in the order in which its messages came.
class parked_messages {
public:
    explicit parked_messages(std::uint32_t ranks) : of_(ranks) {}

    bool has_none_of(std::uint32_t source) const { return of_[source].first == nullptr; }

    // The last one of its source.
    void add(parked_message &last) {
        queue &q = of_[last.head.source];
        (q.first == nullptr ? q.first : q.last->next) = &last;
        q.last = &last;
    }
    // One that a receive had taken, where its stamp says.
    void put_back(parked_message &which);
    // Removes it.
    parked_message *take(const parked_message &which);

    // The earliest one of the source that the receive may take; null.
    const parked_message *first_from(std::uint32_t source, const request_object &receive) const {
        for (const parked_message *m = of_[source].first; m != nullptr; m = m->next)
            if (m->head.context == receive.context &&
                (receive.tag == abi::any_tag || receive.tag == m->head.tag))
                return m;
        return nullptr;
    }
    // Whether is(head) of any message of the source.
    template <class Is>
    bool any_of(std::uint32_t source, Is is) const {
        for (const parked_message *m = of_[source].first; m != nullptr; m = m->next)
            if (is(m->head))
                return true;
        return false;
    }
    // each(head) of all messages.
    template <class Each>
    void for_each(Each each) const {
        for (const queue &q : of_)
            for (const parked_message *m = q.first; m != nullptr; m = m->next)
                each(m->head);
    }

    // Each message is in the queue of its source, and the queue ends with its last one.
    bool is_valid() const;

private:
    struct queue {
        parked_message *first = nullptr;
        parked_message *last = nullptr;
    };
    std::vector<queue> of_;
};

} // namespace saguaro::mpi
