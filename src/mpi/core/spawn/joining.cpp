// SPDX-License-Identifier: MIT
// MPI_Comm_join: two ranks of the job tell each other over a socket who they are, and meet.
// README.md, "A socket".
#include "mpi/core/communicators/meeting.hpp"
#include "mpi/core/interface/functions.hpp"
#include "mpi/core/process/process.hpp"
#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/core/spawn/knocks.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace saguaro::mpi::core {

namespace {

constexpr std::array<char, 8> greeting_magic{'s', 'a', 'g', 'm', 'p', 'i', 'j', '1'};

// What each end writes to the other.
struct greeting {
    std::array<char, 8> magic;
    std::uint64_t job[2];
    std::uint32_t rank;
    std::int32_t number; // at which it waits for a knock
};

// The domain of a stream socket whose other end acknowledges what it has; -1: it is none.
int domain_of(int fd) {
    int type = 0;
    int domain = 0;
    socklen_t bytes = sizeof(type);
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != SOCK_STREAM)
        return -1;
    bytes = sizeof(domain);
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) != 0)
        return -1;
    return domain == AF_UNIX || domain == AF_INET || domain == AF_INET6 ? domain : -1;
}

// The other end's greeting has come, or never will. Meanwhile a rank of this job may knock, or the
// other end is a process outside of the job, which has no clock.
class greeting_event final : public awaited_event {
public:
    greeting_event(int fd, int domain, int number) : fd_(fd), domain_(domain), knocks_(number) {
        call = "MPI_Comm_join";
    }

    // In this order: if the other end has this rank's greeting before the look, and the look finds
    // none of its, the other end will find this one behind writing its own.
    bool is_over(const clock_bounds &) override {
        is_delivered_ = is_delivered_ || is_delivered();
        read();
        return is_broken || got_ == sizeof(got);
    }

    // A rank that may have been greeted meanwhile is not blocked.
    bool describe(blockage &out) const override {
        if (!is_delivered_)
            return false;
        knocks_.describe(out);
        out.candidate = std::min(out.candidate, from_outside);
        return true;
    }

    greeting got{};
    bool is_broken = false;

private:
    bool is_delivered() const {
        // What is written to a local socket is there at once.
        int left = 0;
        return domain_ == AF_UNIX || (ioctl(fd_, SIOCOUTQ, &left) == 0 && left == 0);
    }

    // Also behind the end: where a rank has several threads, each of them may look.
    void read() {
        knocks_.receive();
        if (is_broken || got_ == sizeof(got))
            return;
        const ssize_t bytes =
            ::recv(fd_, reinterpret_cast<char *>(&got) + got_, sizeof(got) - got_, MSG_DONTWAIT);
        if (bytes < 0) {
            is_broken = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
            return;
        }
        got_ += static_cast<std::size_t>(bytes);
        is_broken = bytes == 0 || std::memcmp(&got, greeting_magic.data(),
                                              std::min(got_, greeting_magic.size())) != 0;
    }

    const int fd_;
    const int domain_;
    bool is_delivered_ = false;
    std::size_t got_ = 0;
    knocks knocks_;
};

greeting own_greeting(int number) {
    const world_record &head = rank::mine->all().head();
    return {greeting_magic, {head.identity[0], head.identity[1]}, rank::mine->number(), number};
}

// An error class.
int exchange_greetings(int fd, const greeting &own, greeting &other) {
    const int domain = domain_of(fd);
    if (domain < 0)
        return abi::err_arg;
    // A quiescent socket has room for it.
    if (::send(fd, &own, sizeof(own), MSG_DONTWAIT | MSG_NOSIGNAL) != ssize_t{sizeof(own)})
        return abi::err_other;
    greeting_event greeted(fd, domain, own.number);
    rank::mine->wait(greeted);
    other = greeted.got;
    return greeted.is_broken ? abi::err_other : abi::success;
}

// From now on each is bounded by the other's clock.
void knock_at_each_other(const greeting &own, const greeting &other) {
    rank &me = *rank::mine;
    knock(other.rank, other.number);
    request_object receive;
    receive.what = action::receive;
    receive.context = own_context;
    receive.peer = other.rank;
    receive.tag = own.number;
    receive.posted = me.clock();
    me.post(receive);
    me.wait_for(receive, me.clock(), "MPI_Comm_join");
    me.advance_to(receive.completed);
}

} // namespace

int comm_join(int fd, comm *out) {
    *out = comm::null;
    rank &me = *rank::mine;
    // Published only behind the knock: until then who is blocked in a join of the other end has no
    // bound above this clock.
    me.tick();
    const greeting own = own_greeting(process::mine->next_port++);
    greeting other{};
    const int error = exchange_greetings(fd, own, other);
    const bool is_of_this_job =
        error == 0 && std::equal(own.job, own.job + 2, other.job) && other.rank != own.rank;
    if (is_of_this_job)
        knock_at_each_other(own, other);
    me.publish();
    if (!is_of_this_job) {
        if (error == 0)
            say("MPI_Comm_join: at the other end of the socket is no other rank of this job on "
                "this machine; there is no communicator");
        return error;
    }
    // At the number of the lower rank.
    const int tag = own.rank < other.rank ? tag_of_meeting(own.number, own.rank, other.rank)
                                          : tag_of_meeting(other.number, other.rank, own.rank);
    const meeting_place where{own_context, other.rank, tag, 0};
    return meet(*find(comm::self), 0, where, "MPI_Comm_join", out);
}

} // namespace saguaro::mpi::core
