// SPDX-License-Identifier: MIT
// MPI's functions that read and write: each is one of the methods of access_methods.hpp, done at
// once, as a request that is complete, or as a begin whose end tells the result.
#include "mpi/core/files/access_methods.hpp"
#include "mpi/core/interface/functions.hpp"

#include <string_view>

namespace saguaro::mpi::core {

namespace {

constexpr access_place own_pointer = access_place::at_pointer();

// The access, and a request for it.
template <class Access>
int as_request(file which, request *out, Access access) {
    status result;
    const int error = access(&result);
    return error != 0 ? error : make_complete_request(which, result, out);
}

// The access, whose result waits for the end.
template <class Access>
int as_begin(file which, const char *call, Access access) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    if (f->split)
        return abi::err_io;
    status result;
    const int error = access(&result);
    if (error == 0)
        f->split = split_access{call, result};
    return error;
}

// The end of what `begun_by` has begun.
int as_end(file which, std::string_view begun_by, status *out) {
    file_object *const f = mpi::find(which);
    if (f == nullptr)
        return abi::err_file;
    if (!f->split || f->split->begun_by != begun_by)
        return abi::err_io;
    if (out != nullptr)
        *out = f->split->result;
    f->split.reset();
    return abi::success;
}

} // namespace

// ---- At an explicit offset ----

int file_read_at(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                 status *out) {
    return access_alone({on, direction::read, buffer, count, type, "MPI_File_read_at"},
                        access_place::at(offset), out);
}

int file_iread_at(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                  request *out) {
    return as_request(on, out, [&](status *result) {
        return access_alone({on, direction::read, buffer, count, type, "MPI_File_iread_at"},
                            access_place::at(offset), result);
    });
}

int file_read_at_all(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                     status *out) {
    return access_together({on, direction::read, buffer, count, type, "MPI_File_read_at_all"},
                           access_place::at(offset), out);
}

int file_iread_at_all(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                      request *out) {
    return as_request(on, out, [&](status *result) {
        return access_in_turn({on, direction::read, buffer, count, type, "MPI_File_iread_at_all"},
                              access_place::at(offset), result);
    });
}

int file_read_at_all_begin(file on, std::int64_t offset, void *buffer, std::int64_t count,
                           datatype type) {
    constexpr const char *call = "MPI_File_read_at_all_begin";
    return as_begin(on, call, [&](status *result) {
        return access_together({on, direction::read, buffer, count, type, call},
                               access_place::at(offset), result);
    });
}

int file_read_at_all_end(file on, void *, status *out) {
    return as_end(on, "MPI_File_read_at_all_begin", out);
}

int file_write_at(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                  datatype type, status *out) {
    return access_alone({on, direction::write, buffer, count, type, "MPI_File_write_at"},
                        access_place::at(offset), out);
}

int file_iwrite_at(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                   datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_alone({on, direction::write, buffer, count, type, "MPI_File_iwrite_at"},
                            access_place::at(offset), result);
    });
}

int file_write_at_all(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                      datatype type, status *out) {
    return access_together({on, direction::write, buffer, count, type, "MPI_File_write_at_all"},
                           access_place::at(offset), out);
}

int file_iwrite_at_all(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                       datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_in_turn({on, direction::write, buffer, count, type, "MPI_File_iwrite_at_all"},
                              access_place::at(offset), result);
    });
}

int file_write_at_all_begin(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                            datatype type) {
    constexpr const char *call = "MPI_File_write_at_all_begin";
    return as_begin(on, call, [&](status *result) {
        return access_together({on, direction::write, buffer, count, type, call},
                               access_place::at(offset), result);
    });
}

int file_write_at_all_end(file on, const void *, status *out) {
    return as_end(on, "MPI_File_write_at_all_begin", out);
}

// ---- At the rank's own pointer ----

int file_read(file on, void *buffer, std::int64_t count, datatype type, status *out) {
    return access_alone({on, direction::read, buffer, count, type, "MPI_File_read"}, own_pointer,
                        out);
}

int file_iread(file on, void *buffer, std::int64_t count, datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_alone({on, direction::read, buffer, count, type, "MPI_File_iread"},
                            own_pointer, result);
    });
}

int file_read_all(file on, void *buffer, std::int64_t count, datatype type, status *out) {
    return access_together({on, direction::read, buffer, count, type, "MPI_File_read_all"},
                           own_pointer, out);
}

int file_iread_all(file on, void *buffer, std::int64_t count, datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_in_turn({on, direction::read, buffer, count, type, "MPI_File_iread_all"},
                              own_pointer, result);
    });
}

int file_read_all_begin(file on, void *buffer, std::int64_t count, datatype type) {
    constexpr const char *call = "MPI_File_read_all_begin";
    return as_begin(on, call, [&](status *result) {
        return access_together({on, direction::read, buffer, count, type, call}, own_pointer,
                               result);
    });
}

int file_read_all_end(file on, void *, status *out) {
    return as_end(on, "MPI_File_read_all_begin", out);
}

int file_write(file on, const void *buffer, std::int64_t count, datatype type, status *out) {
    return access_alone({on, direction::write, buffer, count, type, "MPI_File_write"}, own_pointer,
                        out);
}

int file_iwrite(file on, const void *buffer, std::int64_t count, datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_alone({on, direction::write, buffer, count, type, "MPI_File_iwrite"},
                            own_pointer, result);
    });
}

int file_write_all(file on, const void *buffer, std::int64_t count, datatype type, status *out) {
    return access_together({on, direction::write, buffer, count, type, "MPI_File_write_all"},
                           own_pointer, out);
}

int file_iwrite_all(file on, const void *buffer, std::int64_t count, datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_in_turn({on, direction::write, buffer, count, type, "MPI_File_iwrite_all"},
                              own_pointer, result);
    });
}

int file_write_all_begin(file on, const void *buffer, std::int64_t count, datatype type) {
    constexpr const char *call = "MPI_File_write_all_begin";
    return as_begin(on, call, [&](status *result) {
        return access_together({on, direction::write, buffer, count, type, call}, own_pointer,
                               result);
    });
}

int file_write_all_end(file on, const void *, status *out) {
    return as_end(on, "MPI_File_write_all_begin", out);
}

// ---- At the pointer that the ranks share ----

int file_read_shared(file on, void *buffer, std::int64_t count, datatype type, status *out) {
    return access_by_shared_pointer(
        {on, direction::read, buffer, count, type, "MPI_File_read_shared"}, out);
}

int file_iread_shared(file on, void *buffer, std::int64_t count, datatype type, request *out) {
    return as_request(on, out, [&](status *result) {
        return access_by_shared_pointer(
            {on, direction::read, buffer, count, type, "MPI_File_iread_shared"}, result);
    });
}

int file_read_ordered(file on, void *buffer, std::int64_t count, datatype type, status *out) {
    return access_in_order_of_ranks(
        {on, direction::read, buffer, count, type, "MPI_File_read_ordered"}, out);
}

int file_read_ordered_begin(file on, void *buffer, std::int64_t count, datatype type) {
    constexpr const char *call = "MPI_File_read_ordered_begin";
    return as_begin(on, call, [&](status *result) {
        return access_in_order_of_ranks({on, direction::read, buffer, count, type, call}, result);
    });
}

int file_read_ordered_end(file on, void *, status *out) {
    return as_end(on, "MPI_File_read_ordered_begin", out);
}

int file_write_shared(file on, const void *buffer, std::int64_t count, datatype type, status *out) {
    return access_by_shared_pointer(
        {on, direction::write, buffer, count, type, "MPI_File_write_shared"}, out);
}

int file_iwrite_shared(file on, const void *buffer, std::int64_t count, datatype type,
                       request *out) {
    return as_request(on, out, [&](status *result) {
        return access_by_shared_pointer(
            {on, direction::write, buffer, count, type, "MPI_File_iwrite_shared"}, result);
    });
}

int file_write_ordered(file on, const void *buffer, std::int64_t count, datatype type,
                       status *out) {
    return access_in_order_of_ranks(
        {on, direction::write, buffer, count, type, "MPI_File_write_ordered"}, out);
}

int file_write_ordered_begin(file on, const void *buffer, std::int64_t count, datatype type) {
    constexpr const char *call = "MPI_File_write_ordered_begin";
    return as_begin(on, call, [&](status *result) {
        return access_in_order_of_ranks({on, direction::write, buffer, count, type, call}, result);
    });
}

int file_write_ordered_end(file on, const void *, status *out) {
    return as_end(on, "MPI_File_write_ordered_begin", out);
}

} // namespace saguaro::mpi::core
