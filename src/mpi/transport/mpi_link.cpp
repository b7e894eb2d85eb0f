// SPDX-License-Identifier: MIT
// Loading MPICH or Open MPI at run time, and sending the carrier's frames through it.
#include "mpi/transport/mpi_link.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/variables.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <fcntl.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::mpi::transport {

namespace {

// The functions that a link uses. Handles are numbers in MPICH's ABI and pointers in Open MPI's; a
// status is looked at by no one but the library.
template <class handle>
struct functions {
    int (*init_thread)(int *, char ***, int, int *);
    int (*finalize)();
    int (*get_library_version)(char *, int *);
    int (*comm_rank)(handle, int *);
    int (*comm_size)(handle, int *);
    int (*comm_set_errhandler)(handle, handle);
    int (*error_string)(int, char *, int *);
    int (*isend)(const void *, int, handle, int, int, handle, handle *);
    int (*test)(handle *, int *, void *);
    int (*iprobe)(int, int, handle, int *, void *);
    int (*get_count)(const void *, handle, int *);
    int (*irecv)(void *, int, handle, int, int, handle, handle *);
    handle world;
    handle byte;
    handle errors_return;
};

// Of both libraries; more than any has.
using status_space = std::array<std::uint64_t, 8>;
constexpr std::size_t most_version = 8192; // characters, of any MPI library
constexpr std::size_t most_text = 1024;    // of an error
constexpr int funneled = 1;                // MPI_THREAD_FUNNELED, in both

constexpr int tag = 0;
// Longer rows go in several messages: each that has come shows that its sender lives.
constexpr std::size_t most_in_message = std::size_t{256} << 10;
// When so much has come from a host it is the others' turn.
constexpr std::size_t most_at_once = std::size_t{16} << 20;

template <class handle>
class mpi_link final : public link {
public:
    mpi_link(const functions<handle> &f, const begun_by &who)
        : f_(f), me_(who.me), hosts_(who.hosts), pending_(who.hosts), coming_(who.hosts) {
        int given = 0;
        if (f_.init_thread(nullptr, nullptr, funneled, &given) != 0)
            fail("the transport's MPI_Init_thread fails");
        check(f_.comm_set_errhandler(f_.world, f_.errors_return), "MPI_Comm_set_errhandler");
        int me = -1;
        int hosts = -1;
        check(f_.comm_rank(f_.world, &me), "MPI_Comm_rank");
        check(f_.comm_size(f_.world, &hosts), "MPI_Comm_size");
        if (me != static_cast<int>(me_) || hosts != static_cast<int>(hosts_))
            fail("the transport's MPI library says that this is process %d of %d, and mpiexec's "
                 "variables say %u of %u",
                 me, hosts, me_, hosts_);
    }

    std::uint32_t hosts() const override { return hosts_; }
    std::uint32_t me() const override { return me_; }

    void send(std::uint32_t to, byte_row bytes) override {
        sending &s = pending_[to].emplace_back(sending{std::move(bytes), {}});
        for (std::size_t at = 0; at < s.bytes.size(); at += most_in_message) {
            const std::size_t count = std::min(most_in_message, s.bytes.size() - at);
            check(f_.isend(s.bytes.data() + at, static_cast<int>(count), f_.byte,
                           static_cast<int>(to), tag, f_.world, &s.requests.emplace_back()),
                  "MPI_Isend");
        }
    }

    std::size_t unsent(std::uint32_t to) override {
        std::deque<sending> &all = pending_[to];
        while (!all.empty() && is_sent(all.front()))
            all.pop_front();
        std::size_t left = 0;
        for (const sending &each : all)
            left += each.bytes.size();
        return left;
    }

    bool receive(std::uint32_t from, byte_row &to) override {
        const std::size_t begin = to.size();
        receiving &next = coming_[from];
        while (to.size() - begin < most_at_once && has_come(next, from)) {
            to.insert(to.end(), next.bytes.begin(), next.bytes.end());
            next.is_begun = false;
        }
        return to.size() != begin;
    }

    void close() override { check(f_.finalize(), "MPI_Finalize"); }

private:
    struct sending {
        byte_row bytes;
        std::deque<handle> requests; // which stay where they are
    };

    // A message from a host. It begins when its head is there, so none is left when a host has told
    // its end.
    struct receiving {
        byte_row bytes;
        handle request{};
        bool is_begun = false;
    };

    bool is_sent(sending &what) {
        while (!what.requests.empty()) {
            if (!is_done(what.requests.front()))
                return false;
            what.requests.pop_front();
        }
        return true;
    }

    // Never waits: a host may be cut off behind the head of a message.
    bool has_come(receiving &next, std::uint32_t from) {
        if (!next.is_begun) {
            status_space status{};
            int is_there = 0;
            check(f_.iprobe(static_cast<int>(from), tag, f_.world, &is_there, &status),
                  "MPI_Iprobe");
            if (is_there == 0)
                return false;
            int count = 0;
            check(f_.get_count(&status, f_.byte, &count), "MPI_Get_count");
            next.bytes.resize(static_cast<std::size_t>(count));
            check(f_.irecv(next.bytes.data(), count, f_.byte, static_cast<int>(from), tag, f_.world,
                           &next.request),
                  "MPI_Irecv");
            next.is_begun = true;
        }
        return is_done(next.request);
    }

    bool is_done(handle &request) {
        int is_done = 0;
        status_space status{};
        check(f_.test(&request, &is_done, &status), "MPI_Test");
        return is_done != 0;
    }

    void check(int error, const char *call) const {
        if (error == 0)
            return;
        char text[most_text] = "";
        int length = 0;
        f_.error_string(error, text, &length);
        // MPICH's have several lines.
        std::replace(text, text + std::strlen(text), '\n', ' ');
        throw broken_link(std::string("the transport's ") + call + ": " + text);
    }

    const functions<handle> f_;
    std::uint32_t me_;
    std::uint32_t hosts_;
    std::vector<std::deque<sending>> pending_; // to each host, in order
    std::vector<receiving> coming_;            // from each host
};

// Looks up one symbol after the other.
class symbols {
public:
    explicit symbols(void *in) : in_(in) {}

    void *address(const char *name) {
        void *const found = dlsym(in_, name);
        if (found == nullptr && missing_.empty())
            missing_ = name;
        return found;
    }
    template <class Function>
    void find(const char *name, Function *&out) {
        out = reinterpret_cast<Function *>(address(name));
    }
    const std::string &missing() const { return missing_; } // the first; or none

private:
    void *in_;
    std::string missing_;
};

template <class handle>
void find_functions(symbols &in, functions<handle> &f) {
    in.find("MPI_Init_thread", f.init_thread);
    in.find("MPI_Finalize", f.finalize);
    in.find("MPI_Get_library_version", f.get_library_version);
    in.find("MPI_Comm_rank", f.comm_rank);
    in.find("MPI_Comm_size", f.comm_size);
    in.find("MPI_Comm_set_errhandler", f.comm_set_errhandler);
    in.find("MPI_Error_string", f.error_string);
    in.find("MPI_Isend", f.isend);
    in.find("MPI_Test", f.test);
    in.find("MPI_Iprobe", f.iprobe);
    in.find("MPI_Get_count", f.get_count);
    in.find("MPI_Irecv", f.irecv);
}

// ---- The two ABIs ----

void find_constants(symbols &, functions<int> &f) {
    f.world = 0x44000000;
    f.byte = 0x4c00010d;
    f.errors_return = 0x54000001;
}

void find_constants(symbols &in, functions<void *> &f) {
    f.world = in.address("ompi_mpi_comm_world");
    f.byte = in.address("ompi_mpi_byte");
    f.errors_return = in.address("ompi_mpi_errors_return");
}

template <class handle>
class loaded_library final : public mpi_library {
public:
    explicit loaded_library(const functions<handle> &f) : f_(f) {}
    std::unique_ptr<link> begin(const begun_by &who) override {
        return std::make_unique<mpi_link<handle>>(f_, who);
    }

private:
    functions<handle> f_;
};

template <class handle>
std::unique_ptr<mpi_library> load(std::initializer_list<const char *> names, std::string_view maker,
                                  std::string &why) {
    for (const char *const name : names) {
        why += why.empty() ? "" : "; ";
        // For all: what Open MPI loads for itself looks for its symbols there.
        void *const found = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
        if (found == nullptr) {
            why += dlerror();
            continue;
        }
        symbols in(found);
        functions<handle> f{};
        find_functions(in, f);
        find_constants(in, f);
        if (!in.missing().empty()) {
            why += std::string(name) + " has no " + in.missing();
            continue;
        }
        char version[most_version] = "";
        int length = 0;
        f.get_library_version(version, &length);
        if (std::string_view(version).substr(0, maker.size()) != maker) {
            const std::string_view first(version, std::strcspn(version, "\n,"));
            why += std::string(name) + " is " + std::string(first);
            continue;
        }
        return std::make_unique<loaded_library<handle>>(f);
    }
    return nullptr;
}

std::optional<std::uint32_t> number_in(const platform::setting &variable) {
    const char *const text = platform::value_of(variable);
    if (text == nullptr || *text < '0' || *text > '9')
        return std::nullopt;
    return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

} // namespace

std::optional<begun_by> find_who_began() {
    using family = begun_by::family;
    const auto told = [](family by, const platform::setting &me,
                         const platform::setting &hosts) -> std::optional<begun_by> {
        const auto number = number_in(me);
        const auto count = number_in(hosts);
        if (!number || !count || *number >= *count)
            return std::nullopt;
        return begun_by{by, *number, *count};
    };
    if (const auto by = told(family::open_mpi, variables::open_mpi_rank, variables::open_mpi_size))
        return by;
    return told(family::mpich, variables::mpich_rank, variables::mpich_size);
}

bool belongs_to_mpiexec(const std::string &variable) {
    for (const char *const prefix :
         {"PMI_", "PMIX_", "OMPI_COMM_", "OMPI_MCA_", "HYDI_", "MPI_LOCAL"})
        if (variable.compare(0, std::strlen(prefix), prefix) == 0)
            return true;
    return false;
}

void keep_descriptors_of_mpiexec() {
    for (const platform::setting *const each :
         {&variables::mpich_descriptor, &variables::mpich_control})
        if (const auto descriptor = number_in(*each))
            fcntl(static_cast<int>(*descriptor), F_SETFD, FD_CLOEXEC);
}

std::unique_ptr<mpi_library> load_mpi(begun_by::family which, std::string &why) {
    if (which == begun_by::family::mpich)
        return load<int>({"libmpich.so.12", "libmpi.so.12"}, "MPICH", why);
    return load<void *>({"libmpi.so.40"}, "Open MPI", why);
}

} // namespace saguaro::mpi::transport
