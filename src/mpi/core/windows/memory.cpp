// SPDX-License-Identifier: MIT
// Copying between this process and a target's memory with process_vm_readv and writev.
#include "mpi/core/windows/memory.hpp"

#include "mpi/core/reports/diagnostics.hpp"
#include "mpi/datatypes/layout.hpp"
#include "spmc/job.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

using layouts::node;

// Copies runs of another process's memory from or to a stream, many with each call of the system.
class remote_copy {
public:
    remote_copy(pid_t process, way direction, char *stream, std::int64_t bytes)
        : process_(process), direction_(direction), stream_(stream),
          left_(static_cast<std::size_t>(bytes)) {}

    void elements(const datatype_object &type, std::uintptr_t address, std::int64_t count) {
        const layouts::placed &where = type.layout();
        const auto first = address + static_cast<std::uintptr_t>(where.first);
        if (type.contiguous())
            run(first, left_);
        else
            children(where.shape.get(), where.size, first, count, type.extent());
    }

    int finish() {
        flush();
        return error_;
    }

private:
    void children(const node *shape, std::int64_t size, std::uintptr_t at, std::int64_t count,
                  std::int64_t stride) {
        for (std::int64_t i = 0; i < count && left_ != 0; ++i)
            all_of(shape, size, at + static_cast<std::uintptr_t>(i * stride));
    }

    void all_of(const node *shape, std::int64_t size, std::uintptr_t at) {
        if (shape == nullptr) {
            run(at, static_cast<std::size_t>(size));
            return;
        }
        if (shape->what == node::kind::strided) {
            children(shape->child.get(), shape->child_size, at, shape->count, shape->stride);
            return;
        }
        for (std::size_t i = 0; i < shape->displacements.size() && left_ != 0; ++i) {
            const auto place = at + static_cast<std::uintptr_t>(shape->displacements[i]);
            if (shape->what == node::kind::blocks)
                all_of(shape->child.get(), shape->child_size, place);
            else
                all_of(shape->children.empty() ? nullptr : shape->children[i].get(),
                       shape->starts[i + 1] - shape->starts[i], place);
        }
    }

    void run(std::uintptr_t at, std::size_t bytes) {
        bytes = std::min(bytes, left_);
        while (bytes != 0) {
            if (used_ == runs_.size() || pending_ == most_bytes)
                flush();
            const std::size_t part = std::min(bytes, most_bytes - pending_);
            runs_[used_++] = {reinterpret_cast<void *>(at), part};
            pending_ += part;
            left_ -= part;
            at += part;
            bytes -= part;
        }
    }

    void flush() {
        if (used_ == 0)
            return;
        const iovec stream{stream_, pending_};
        if (!copy_pieces(process_, direction_, {&stream, 1}, {runs_.data(), used_}))
            error_ = abi::err_rma_range;
        stream_ += pending_;
        pending_ = 0;
        used_ = 0;
    }

    const pid_t process_;
    const way direction_;
    char *stream_;
    std::size_t left_;
    std::size_t pending_ = 0;
    std::size_t used_ = 0;
    std::array<iovec, most_pieces> runs_;
    int error_ = 0;
};

typed_buffer here(const target_elements &of) {
    return {reinterpret_cast<void *>(of.address), of.count, of.type, of.bytes()};
}

int copy_remote(const target_elements &of, way direction, void *stream, std::int64_t bytes) {
    remote_copy all(of.memory->process, direction, static_cast<char *>(stream), bytes);
    all.elements(*of.type, of.address, of.count);
    return all.finish();
}

} // namespace

bool copy_pieces(pid_t process, way direction, std::span<const iovec> here,
                 std::span<const iovec> there) {
    std::size_t bytes = 0;
    for (const iovec &piece : here)
        bytes += piece.iov_len;
    const auto copy = direction == way::read ? process_vm_readv : process_vm_writev;
    const ssize_t done = copy(process, here.data(), here.size(), there.data(), there.size(), 0);
    if (done < 0 && errno != EFAULT)
        fail("the system refuses access to the memory of process %d, which is in a window: %s. "
             "Memory of MPI_Win_allocate needs no permission",
             static_cast<int>(process), std::strerror(errno));
    return done >= 0 && static_cast<std::size_t>(done) == bytes;
}

int read_target(const target_elements &from, void *stream, std::int64_t bytes) {
    if (bytes == 0)
        return abi::success;
    if (!from.memory->is_here)
        return copy_remote(from, way::read, stream, bytes);
    here(from).read(stream, static_cast<std::size_t>(bytes));
    return abi::success;
}

int write_target(const target_elements &to, const void *stream, std::int64_t bytes) {
    if (bytes == 0)
        return abi::success;
    if (!to.memory->is_here)
        return copy_remote(to, way::write, const_cast<void *>(stream), bytes);
    here(to).write(stream, static_cast<std::size_t>(bytes));
    return abi::success;
}

void allow_access() {
    // The security module Yama lets only ancestors in, and whom a process names, with its
    // descendants: the root of the job, which begins all ranks. Without the module the call fails,
    // and is not needed.
    const spmc::job &all = spmc::job::mine();
    // Relaxed: it was there before this space began.
    const std::uint32_t root = all.space_in(spmc::root_slot).pid.load(std::memory_order_relaxed);
    prctl(PR_SET_PTRACER, static_cast<unsigned long>(root), 0, 0, 0);
}

} // namespace saguaro::mpi
