// SPDX-License-Identifier: MIT
// The methods by which ranks make an access: each for itself, all together, by the shared pointer.
#pragma once

#include "mpi/core/files/access.hpp"

#include <cstdint>

namespace saguaro::mpi {

// The arguments that all functions that read or write have.
struct access_arguments {
    file which;
    direction way;
    const void *buffer;
    std::int64_t count;
    datatype type;
    const char *call; // for the line about a deadlock
};

// Where in the view an access begins.
class access_place {
public:
    static constexpr access_place at(std::int64_t offset) { return access_place(offset); }
    static constexpr access_place at_pointer() { return access_place(pointer); }

    int check() const { return offset_ >= 0 || offset_ == pointer ? abi::success : abi::err_arg; }
    std::int64_t in(const file_object &of) const {
        return offset_ == pointer ? of.position : offset_;
    }
    // The file pointer goes on, if it is the pointer's place.
    void move_on(const file_access &done) const {
        if (offset_ == pointer)
            done.on().position += done.etypes_done();
    }

private:
    static constexpr std::int64_t pointer = INT64_MIN;
    constexpr explicit access_place(std::int64_t offset) : offset_(offset) {}
    std::int64_t offset_;
};

// Each returns an error class. `out` may be null.
int access_alone(const access_arguments &what, access_place where, status *out);
// The same in its turn, in any case.
int access_in_turn(const access_arguments &what, access_place where, status *out);
int access_together(const access_arguments &what, access_place where, status *out);
int access_by_shared_pointer(const access_arguments &what, status *out);
int access_in_order_of_ranks(const access_arguments &what, status *out);

// A request that is complete, for an access whose result is `status`.
int make_complete_request(file which, const status &result, request *out);

} // namespace saguaro::mpi
