// SPDX-License-Identifier: MIT
// The receives that are posted and have no message so far.
#pragma once

#include "mpi/core/requests/requests.hpp"

#include <cstdint>

namespace saguaro::mpi {

// In the order of their posting. A receive must live until it is removed.
class posted_receives {
public:
    posted_receives() = default;
    posted_receives(const posted_receives &) = delete;
    posted_receives &operator=(const posted_receives &) = delete;

    // The first one; `request_object::next` has the others.
    request_object *first() const { return first_; }
    bool is_empty() const { return first_ == nullptr; }
    // Whether any of them is from any source.
    bool has_wild() const { return wild_ != 0; }

    // At the end. One from any source gets its number.
    void add(request_object &receive) {
        receive.next = nullptr;
        *end_ = &receive;
        end_ = &receive.next;
        if (receive.is_wild()) {
            ++wild_;
            receive.wildcard = ++wildcards_;
        }
    }

    void remove(request_object &receive) {
        for (request_object **at = &first_; *at != nullptr; at = &(*at)->next)
            if (*at == &receive) {
                *at = receive.next;
                if (end_ == &receive.next)
                    end_ = at;
                break;
            }
        if (receive.is_wild())
            --wild_;
    }

    // One that was removed, where the clock of its posting says.
    void put_back(request_object &receive);

    // Whether an earlier receive, up to `before` (null: any), that is not decided may take it. A
    // named receive that is not decided waits behind one from any source: it contests as well.
    bool is_contested(const request_object *before, const envelope &e) const {
        for (const request_object *r = first_; r != nullptr && r != before; r = r->next)
            if (r->fits(e))
                return true;
        return false;
    }

    // The end is that of the last receive, and it counts as many from any source as there are.
    bool is_valid() const;

private:
    request_object *first_ = nullptr;
    request_object **end_ = &first_;
    unsigned wild_ = 0;           // of them, from any source
    std::uint64_t wildcards_ = 0; // that were ever posted
};

} // namespace saguaro::mpi
