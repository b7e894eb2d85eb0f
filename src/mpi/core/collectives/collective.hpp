// SPDX-License-Identifier: MIT
// The base of all algorithms of collectives: messages in the communicator's second context, which
// carry the clocks of the ranks whose data they bring.
//
// The rule: behind a collective, a rank's clock is the greatest of those whose data it needs, as
// they were when they called it, and 1 more. So a message carries the greatest of those that it
// knows, plus 1, and not its sender's clock. It must carry data of its sender, or of nobody whose
// data the receiver does not need: bounds rely on it.
#pragma once

#include "mpi/core/collectives/agreement.hpp"
#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/process/arguments.hpp"
#include "mpi/core/rank.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace saguaro::mpi {

// The ranks of the world that a rank speaks to in a collective: its peers, but not itself.
std::vector<std::uint32_t> other_ranks(const comm_object &of);

class collective {
public:
    // A function of MPI's, which returns an error where the ranks' calls do not fit.
    collective(comm_object &on, const described_call &what)
        : on_(on), call_(what.call), returns_errors_(true) {
        if (compares_calls) [[unlikely]]
            compare_calls(on, what);
        begin();
        number_ = number_of_message(call_, on.blocking++);
    }
    // A step of the library's own: the job ends where they do not fit.
    collective(comm_object &on, const char *call);
    // The same of ranks that call other functions, or not all of the communicator: nothing tells
    // that they do not fit, and `tag` tells their calls apart.
    collective(comm_object &on, const char *call, int tag)
        : on_(on), call_(collective_call::named(call)), tag_(tag), compares_(false) {
        begin();
    }
    ~collective() {
        rank::mine->advance_to(clock_);
        rank::mine->publish();
    }
    collective(const collective &) = delete;
    collective &operator=(const collective &) = delete;

    static constexpr int first_free_tag = 1;

    const comm_object &on() const { return on_; }
    int me() const { return on_.rank; }
    int size() const { return on_.peers().size(); }

    // To and from a rank of the peers' group: the communicator's, or the remote one.
    void send(int to, const typed_buffer &what) {
        rank::mine->send(on_.world_rank(to), on_.context + 1, tag_, what, clock_, number_of(what));
    }
    // To all other ranks of the peers' group.
    void send_to_all(const typed_buffer &what);
    // Keeps the first error, which is a message that does not belong here, and goes on:
    // err_truncate if it is too long, err_other as in MPICH if it is too short or of another call.
    void receive(int from, const typed_buffer &what);

    // Sends, and receives from the same rank or another; in this order.
    void exchange(int to, const typed_buffer &sent, int from, const typed_buffer &received) {
        send(to, sent);
        receive(from, received);
    }

    int error() const { return error_; }
    void fail(int error) {
        if (error_ == 0)
            error_ = error;
    }

private:
    void begin() {
        rank &me = *rank::mine;
        me.tick();
        clock_ = me.clock();
    }
    std::uint32_t number_of(const typed_buffer &what) const {
        return compares_calls && compares_ ? number_of_message(call_, hash_of_elements(what))
                                           : number_;
    }
    void complain(int from, const typed_buffer &what, std::uint64_t bytes, std::uint32_t number,
                  int error);

    comm_object &on_;
    collective_call call_;
    int tag_ = 0;
    bool compares_ = true;
    bool returns_errors_ = false;
    std::uint32_t number_ = 0;
    clock_value clock_ = 0;
    int error_ = 0;
};

// The address so many bytes on, also of a null pointer: of MPI_BOTTOM, with types that have
// addresses, and of a buffer that is still to be checked.
inline void *address_at(const void *base, std::int64_t displacement) {
    return reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(base) +
                                    static_cast<std::uintptr_t>(displacement));
}

// So many elements from element `first` on; of a checked type.
inline typed_buffer elements(const void *base, std::int64_t first, std::int64_t count,
                             const datatype_object &type) {
    return {address_at(base, first * type.extent()), count, &type, count * type.size()};
}

// The same at a displacement in bytes, of the type of a handle that has been checked.
inline typed_buffer elements_at(const void *base, std::int64_t displacement, std::int64_t count,
                                datatype type) {
    return elements(address_at(base, displacement), 0, count, *object_of(type));
}

// Copies elements within this rank, as a message from it to itself would.
void copy_elements(const typed_buffer &from, const typed_buffer &to);

// Memory for elements of a type, wherever its bounds are. With the gaps behind the data, which an
// operator writes that knows an element as a struct.
class scratch {
public:
    scratch(std::int64_t count, const datatype_object &type)
        : lower_(std::min(type.lower_bound(), type.true_lower_bound())) {
        const std::int64_t upper = std::max(type.lower_bound() + type.extent(),
                                            type.true_lower_bound() + type.true_extent());
        if (count != 0)
            memory_.resize(static_cast<std::size_t>(upper - lower_ + (count - 1) * type.extent()));
    }
    char *base() { return memory_.data() - lower_; }

private:
    std::int64_t lower_;
    std::vector<char> memory_;
};

// err_buffer if a rank's own elements would go to where they are. By the first bytes of both: types
// may have addresses of their own, from MPI_BOTTOM, or take different parts of one struct.
inline int check_distinct(const typed_buffer &from, const typed_buffer &to) {
    const bool are_some = from.bytes != 0 && to.bytes != 0;
    return are_some && from.first() == to.first() ? abi::err_buffer : abi::success;
}

// err_count if a part has a negative count, err_buffer if it has no memory. part(rank): the
// elements of that rank.
template <class Part>
int check_parts(int ranks, Part part) {
    for (int r = 0; r < ranks; ++r)
        if (part(r).count < 0)
            return abi::err_count;
    for (int r = 0; r < ranks; ++r)
        if (const int error = check_memory(part(r)))
            return error;
    return abi::success;
}

// The communicator of an algorithm that has several stages: no intercommunicator.
int check(comm on, comm_object *&out);

// Plain bytes.
inline typed_buffer bytes_at(const void *where, std::size_t bytes) {
    return {const_cast<void *>(where), static_cast<std::int64_t>(bytes), nullptr,
            static_cast<std::int64_t>(bytes)};
}

} // namespace saguaro::mpi
