// SPDX-License-Identifier: MIT
// Collectives of one stage: each rank sends what others need of it, receives what it needs, and
// then may reduce. Nobody hands anything on, so an operation that has begun needs no progress, and
// a test of it depends on the clocks of those ranks alone whose data it needs.
//
// Each collective is written once, for a stage: a blocking one does at once what it is told; a
// recorded one writes it down, for a request that begins now (MPI_Ibcast) or whenever the program
// starts it (MPI_Bcast_init).
#pragma once

#include "mpi/core/collectives/reduction.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace saguaro::mpi {

// So few ranks and bytes that one stage in which all send to all is faster than an algorithm with
// fewer messages and several stages, in each of which ranks wait. Ranks that share a processor wait
// for it (README.md has times).
constexpr int few_ranks = 16;
inline bool are_few(int ranks, std::int64_t bytes) {
    return ranks <= few_ranks && ranks * bytes <= 8192;
}

// What a rank is to a collective with a root.
enum class role { root, other, outsider }; // in the root's group of an intercommunicator

class stage {
public:
    explicit stage(collective_call call) : described_{call} {}

    const described_call &described() const { return described_; }
    // What all ranks have to give alike, but for the root.
    void describe(std::int64_t count, datatype type) {
        described_.count = count;
        described_.type = type;
    }
    void describe_reduction(std::int64_t count, datatype type, op operation) {
        describe(count, type);
        described_.operation = operation;
    }

    int open(comm on);
    // Also tells what the root is to this rank.
    int open(comm on, int root, role &mine);

    comm_object &on() const { return *on_; }
    bool is_inter() const { return on_->is_inter(); }
    int me() const { return on_->rank; }
    // How many ranks it sends to and receives from; itself is one of an intracommunicator's.
    int peers() const { return on_->peers().size(); }
    bool is_self(int peer) const { return !is_inter() && peer == me(); }

protected:
    collective_call call() const { return described_.call; }

private:
    described_call described_;
    comm_object *on_ = nullptr;
};

// Which elements of a reduction's result a rank keeps.
struct elements_kept {
    std::int64_t first;
    std::int64_t count;
};

class blocking_stage : public stage {
public:
    explicit blocking_stage(collective_call call) : stage(call) {}

    // The type of a handle; null if there is none, or the program has not committed it.
    const datatype_object *type(datatype which) {
        const type_pointer *const found = find_committed(which);
        return found != nullptr ? found->get() : nullptr;
    }
    int buffer(typed_buffer &out, const void *base, std::int64_t count, datatype type) {
        const int error = make_buffer(out, base, count, type);
        return error != 0 ? error : check_memory(out);
    }
    int operate(reduction_of &out, std::int64_t count, datatype type, op which) {
        return out.check(count, type, which);
    }

    // Behind the checks; then what is to be done, and `end`. A send that reads what a receive or a
    // copy writes comes before it.
    void begin() { all_.emplace(on(), described()); }
    void copy(const typed_buffer &from, const typed_buffer &to) { copy_elements(from, to); }
    void send(int to, const typed_buffer &what) { all_->send(to, what); }
    void send_to_others(const typed_buffer &what) { all_->send_to_all(what); }
    void receive(int from, const typed_buffer &what) { all_->receive(from, what); }
    // Combines the elements of the first `ranks` peers, this rank's being `own`.
    void reduce(const reduction_of &what, int ranks, const void *own, void *result) {
        reduce(what, ranks, own, result, {0, what.count()});
    }
    void reduce(const reduction_of &what, int ranks, const void *own, void *result,
                elements_kept kept);
    int end() { return all_->error(); }

private:
    std::optional<collective> all_;
};

// What a recorded stage is to do.
class recorded_collective final : public joint_operation {
public:
    recorded_collective(comm_object &on, int tag, const described_call &what);

    void copy(const typed_buffer &from, const typed_buffer &to) { copies_.push_back({from, to}); }
    void send(std::vector<std::uint32_t> to, const typed_buffer &what) {
        sends_.push_back({std::move(to), what});
    }
    void receive(int from, const typed_buffer &what);
    void reduce(const reduction_of &what, int ranks, const void *own, void *result,
                elements_kept kept);
    void keep(const type_pointer &which) { types_.push_back(which); }

protected:
    void send(clock_value now) override;
    int finish() override;

private:
    context_value context() const { return on_.context | nonblocking_context; }

    struct message {
        std::vector<std::uint32_t> to;
        typed_buffer what;
    };

    std::uint32_t number_of(const typed_buffer &what) const {
        return number_of_message(call_, compares_calls ? hash_of_elements(what) : 0);
    }
    // A receive in this context, of nothing so far.
    request_object receive_from(std::uint32_t peer, const typed_buffer &what) const;

    comm_object &on_;
    int tag_;
    collective_call call_;
    // With -check: what this rank says of its call to the first rank, and what that one gets, by
    // the first receives.
    call_message own_call_{};
    std::uint32_t first_rank_ = 0; // in the world
    std::vector<call_message> others_calls_;
    std::vector<std::pair<typed_buffer, typed_buffer>> copies_;
    std::vector<message> sends_;
    std::vector<type_pointer> types_; // alive, whether the program frees them or not
    // What is reduced when all is there: a value of each rank, in their order.
    reduction_of reduction_;
    std::vector<scratch> values_;
    typed_buffer result_;
    std::int64_t first_kept_ = 0;
};

class recorded_stage : public stage {
public:
    enum class starts { now, by_the_program };

    recorded_stage(collective_call call, request *out, starts when = starts::now)
        : stage(call), out_(out), starts_(when) {}

    const datatype_object *type(datatype which);
    int buffer(typed_buffer &out, const void *base, std::int64_t count, datatype type);
    int operate(reduction_of &out, std::int64_t count, datatype type, op which);

    void begin();
    void copy(const typed_buffer &from, const typed_buffer &to) { made_->copy(from, to); }
    void send(int to, const typed_buffer &what) { made_->send({on().world_rank(to)}, what); }
    void send_to_others(const typed_buffer &what) { made_->send(other_ranks(on()), what); }
    void receive(int from, const typed_buffer &what) { made_->receive(from, what); }
    void reduce(const reduction_of &what, int ranks, const void *own, void *result) {
        reduce(what, ranks, own, result, {0, what.count()});
    }
    void reduce(const reduction_of &what, int ranks, const void *own, void *result,
                elements_kept kept) {
        made_->reduce(what, ranks, own, result, kept);
    }
    // Makes the request.
    int end();

private:
    request *out_;
    starts starts_;
    std::vector<type_pointer> types_;
    std::shared_ptr<recorded_collective> made_;
};

// A persistent one.
inline recorded_stage started_by_the_program(collective_call call, request *out) {
    return recorded_stage(call, out, recorded_stage::starts::by_the_program);
}

} // namespace saguaro::mpi
