// SPDX-License-Identifier: MIT
// Moving the elements of one access, as they are or converted through a buffer.
#include "mpi/core/files/access.hpp"

#include "mpi/core/files/pieces.hpp"
#include "mpi/core/process/arguments.hpp"

#include <algorithm>
#include <vector>

namespace saguaro::mpi {

namespace {

// Data that are not one piece of memory, or are converted, go through a buffer of so many bytes.
constexpr std::int64_t buffer_bytes = std::int64_t{1} << 20;

} // namespace

int file_access::prepare(file which, direction way, const void *buffer, std::int64_t count,
                         datatype type) {
    file_ = find(which);
    if (file_ == nullptr)
        return abi::err_file;
    way_ = way;
    if (const int error = make_buffer(buffer_.memory, buffer, count, type)) {
        buffer_ = {};
        return error;
    }
    buffer_.type = type;
    const file_view &view = file_->view;
    const bool is_as_is =
        way == direction::read ? view.how().reads_as_is() : view.how().writes_as_is();
    type_pointer in_file;
    int error = is_as_is ? abi::success : file_form(view.how(), *find_type(type), &in_file);
    if (error == 0 && way == direction::read && !file_->is_readable())
        error = abi::err_access;
    if (error == 0 && way == direction::write && !file_->is_writable())
        error = abi::err_read_only;
    if (error != 0)
        return error;
    buffer_.size_in_file = is_as_is ? buffer_.memory.type->size() : in_file->size();
    if (__builtin_mul_overflow(buffer_.size_in_file, count, &bytes_in_file_))
        return abi::err_count;
    // An access is of whole etypes.
    const std::int64_t etype = view.etype_size();
    if (etype == 0 ? bytes_in_file_ != 0 : bytes_in_file_ % etype != 0) {
        bytes_in_file_ = 0;
        return abi::err_io;
    }
    // Where nothing is to be seen, nothing can be moved.
    return bytes_in_file_ != 0 && view.is_empty() ? abi::err_io : abi::success;
}

std::int64_t file_access::etypes() const {
    return bytes_in_file_ == 0 ? 0 : bytes_in_file_ / file_->view.etype_size();
}

std::int64_t file_access::etypes_done() const {
    const std::int64_t etype = file_->view.etype_size();
    return done_in_file_ == 0 ? 0 : (done_in_file_ + etype - 1) / etype;
}

int file_access::run(std::int64_t position, status *out) {
    done_in_file_ = done_in_memory_ = 0;
    int error = abi::success;
    if (bytes_in_file_ != 0) {
        const std::int64_t offset = position * file_->view.etype_size();
        const representation &how = file_->view.how();
        const bool is_as_is = way_ == direction::read ? how.reads_as_is() : how.writes_as_is();
        error = is_as_is ? run_as_is(offset) : run_converted(offset);
    }
    if (out != nullptr) {
        *out = {};
        out->bytes = done_in_memory_;
    }
    return error;
}

int file_access::move_part(std::int64_t offset, char *at, std::int64_t bytes,
                           std::int64_t *done) const {
    return way_ == direction::read ? read_pieces(*file_, offset, at, bytes, done)
                                   : write_pieces(*file_, offset, at, bytes, done);
}

int file_access::run_as_is(std::int64_t offset) {
    const typed_buffer &memory = buffer_.memory;
    int error = abi::success;
    if (memory.is_contiguous()) {
        error = move_part(offset, memory.first(), memory.bytes, &done_in_file_);
        done_in_memory_ = done_in_file_;
        return error;
    }
    std::vector<char> between(static_cast<std::size_t>(std::min(memory.bytes, buffer_bytes)));
    std::int64_t moved = 0;
    for (std::int64_t at = 0; error == 0 && at < memory.bytes; at += moved) {
        const std::int64_t next = std::min(memory.bytes - at, buffer_bytes);
        if (way_ == direction::write)
            pack(*memory.type, memory.base, memory.count, at, between.data(), next);
        error = move_part(offset + at, between.data(), next, &moved);
        if (way_ == direction::read)
            unpack(*memory.type, memory.base, memory.count, at, between.data(), moved);
        done_in_file_ += moved;
        if (moved < next)
            break;
    }
    done_in_memory_ = done_in_file_;
    return error;
}

int file_access::run_converted(std::int64_t offset) {
    const representation &how = file_->view.how();
    const typed_buffer &memory = buffer_.memory;
    const std::int64_t size = buffer_.size_in_file;
    const std::int64_t at_once = std::clamp<std::int64_t>(buffer_bytes / size, 1, memory.count);
    std::vector<char> between(static_cast<std::size_t>(at_once * size));
    int error = abi::success;
    for (std::int64_t first = 0; error == 0 && first < memory.count; first += at_once) {
        const std::int64_t count = std::min(memory.count - first, at_once);
        std::int64_t moved = 0;
        std::int64_t in_memory = 0;
        if (way_ == direction::write)
            error = to_file(how, buffer_, first, count, between.data());
        if (error == 0)
            error = move_part(offset + first * size, between.data(), count * size, &moved);
        if (way_ == direction::write)
            in_memory = moved / size * memory.type->size();
        else if (error == 0)
            error = from_file(how, buffer_, first, count, between.data(), moved, &in_memory);
        done_in_file_ += moved;
        done_in_memory_ += in_memory;
        if (moved < count * size)
            break;
    }
    return error;
}

} // namespace saguaro::mpi
