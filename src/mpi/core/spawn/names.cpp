// SPDX-License-Identifier: MIT
// Names of services: a list that all ranks of the job share, and that one of them at a time looks
// at or changes. README.md, "Names".
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/waiting/shared_turns.hpp"

#include <cstring>
#include <string_view>

namespace saguaro::mpi::core {

namespace {

// All ranks of the job.
class job_takers final : public turn_takers {
public:
    std::uint32_t count() const override { return rank::mine->size(); }
    std::uint32_t rank_at(std::uint32_t at) const override { return at; }
    std::atomic<clock_value> &wanted(std::uint32_t at) const override {
        return rank::mine->all().rank(at).wants_names;
    }
};

// While it lives, the list is this rank's.
class names_in_turn {
public:
    explicit names_in_turn(const char *call) : turn_(all_, rank::mine->number(), call) {}

    // Where the place of the name's block stands; or at the end of the list, with 0.
    place &find(std::string_view service) {
        place *at = &rank::mine->all().head().names;
        while (*at != 0 && record_in(*at).service() != service)
            at = &record_in(*at).next;
        return *at;
    }

    static name_record &record_in(place of) {
        return *reinterpret_cast<name_record *>(in(of).data());
    }
    static block &in(place of) { return *rank::mine->all().job().at<block>(of); }

private:
    const job_takers all_;
    const shared_turn turn_; // which refers to them
};

// Other machines have no part of the list.
bool refuses_names(const char *call) {
    if (rank::mine->all().head().hosts == 1)
        return false;
    say("%s: the ranks are on several machines, which share no list of names", call);
    return true;
}

} // namespace

int publish_name(const char *service, info, const char *port) {
    if (refuses_names("MPI_Publish_name"))
        return abi::err_unsupported_operation;
    const std::size_t service_bytes = std::strlen(service) + 1;
    const std::size_t port_bytes = std::strlen(port) + 1;
    if (port_bytes > abi::max_port_name)
        return abi::err_port;
    names_in_turn names("MPI_Publish_name");
    place &at = names.find(service);
    if (at != 0)
        return abi::err_name; // as MPICH does
    world &all = rank::mine->all();
    block &memory = all.take_block(sizeof(name_record) + service_bytes + port_bytes);
    at = all.job().place_of(&memory);
    name_record &made = names_in_turn::record_in(at);
    made = {0, static_cast<std::uint32_t>(service_bytes), static_cast<std::uint32_t>(port_bytes)};
    char *const texts = reinterpret_cast<char *>(&made + 1);
    std::memcpy(texts, service, service_bytes);
    std::memcpy(texts + service_bytes, port, port_bytes);
    return abi::success;
}

// Whatever the port, as MPICH.
int unpublish_name(const char *service, info, const char *) {
    if (refuses_names("MPI_Unpublish_name"))
        return abi::err_unsupported_operation;
    names_in_turn names("MPI_Unpublish_name");
    place &at = names.find(service);
    if (at == 0)
        return abi::err_service;
    block &gone = names_in_turn::in(at);
    at = names_in_turn::record_in(at).next;
    rank::mine->all().give_block(gone);
    return abi::success;
}

int lookup_name(const char *service, info, char *port) {
    if (refuses_names("MPI_Lookup_name"))
        return abi::err_unsupported_operation;
    names_in_turn names("MPI_Lookup_name");
    const place at = names.find(service);
    if (at == 0)
        return abi::err_name;
    const name_record &found = names_in_turn::record_in(at);
    std::memcpy(port, found.port(), found.port_bytes);
    return abi::success;
}

} // namespace saguaro::mpi::core
