// SPDX-License-Identifier: MIT
// MPI's functions of files, as ../interface/functions.hpp has the others.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

int file_open(comm on, const char *name, int mode, info hints, file *out);
int file_close(file *which);
int file_delete(const char *name, info hints);
int file_set_size(file which, std::int64_t bytes);
int file_preallocate(file which, std::int64_t bytes);
int file_get_size(file which, std::int64_t *bytes);
int file_get_group(file which, group *out);
int file_get_amode(file which, int *mode);
int file_set_info(file which, info hints);
int file_get_info(file which, info *out);
int file_set_atomicity(file which, int flag);
int file_get_atomicity(file which, int *flag);
int file_sync(file which);

// `displacement` may be displacement_current.
int file_set_view(file which, std::int64_t displacement, datatype etype, datatype filetype,
                  const char *representation, info hints);
int file_get_view(file which, std::int64_t *displacement, datatype *etype, datatype *filetype,
                  char *representation);
int file_get_type_extent(file which, datatype type, std::int64_t *extent);
int file_get_byte_offset(file which, std::int64_t offset, std::int64_t *byte);
int file_seek(file which, std::int64_t offset, int whence);
int file_get_position(file which, std::int64_t *offset);
int file_seek_shared(file which, std::int64_t offset, int whence);
int file_get_position_shared(file which, std::int64_t *offset);
int register_datarep(const char *name, data_conversion read, data_conversion write,
                     data_extent extent, void *extra_state);

// At an explicit offset.
int file_read_at(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                 status *out);
int file_iread_at(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                  request *out);
int file_read_at_all(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                     status *out);
int file_iread_at_all(file on, std::int64_t offset, void *buffer, std::int64_t count, datatype type,
                      request *out);
int file_read_at_all_begin(file on, std::int64_t offset, void *buffer, std::int64_t count,
                           datatype type);
int file_read_at_all_end(file on, void *, status *out);
int file_write_at(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                  datatype type, status *out);
int file_iwrite_at(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                   datatype type, request *out);
int file_write_at_all(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                      datatype type, status *out);
int file_iwrite_at_all(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                       datatype type, request *out);
int file_write_at_all_begin(file on, std::int64_t offset, const void *buffer, std::int64_t count,
                            datatype type);
int file_write_at_all_end(file on, const void *, status *out);

// At the rank's own pointer.
int file_read(file on, void *buffer, std::int64_t count, datatype type, status *out);
int file_iread(file on, void *buffer, std::int64_t count, datatype type, request *out);
int file_read_all(file on, void *buffer, std::int64_t count, datatype type, status *out);
int file_iread_all(file on, void *buffer, std::int64_t count, datatype type, request *out);
int file_read_all_begin(file on, void *buffer, std::int64_t count, datatype type);
int file_read_all_end(file on, void *, status *out);
int file_write(file on, const void *buffer, std::int64_t count, datatype type, status *out);
int file_iwrite(file on, const void *buffer, std::int64_t count, datatype type, request *out);
int file_write_all(file on, const void *buffer, std::int64_t count, datatype type, status *out);
int file_iwrite_all(file on, const void *buffer, std::int64_t count, datatype type, request *out);
int file_write_all_begin(file on, const void *buffer, std::int64_t count, datatype type);
int file_write_all_end(file on, const void *, status *out);

// At the pointer that the ranks share.
int file_read_shared(file on, void *buffer, std::int64_t count, datatype type, status *out);
int file_iread_shared(file on, void *buffer, std::int64_t count, datatype type, request *out);
int file_read_ordered(file on, void *buffer, std::int64_t count, datatype type, status *out);
int file_read_ordered_begin(file on, void *buffer, std::int64_t count, datatype type);
int file_read_ordered_end(file on, void *, status *out);
int file_write_shared(file on, const void *buffer, std::int64_t count, datatype type, status *out);
int file_iwrite_shared(file on, const void *buffer, std::int64_t count, datatype type,
                       request *out);
int file_write_ordered(file on, const void *buffer, std::int64_t count, datatype type, status *out);
int file_write_ordered_begin(file on, const void *buffer, std::int64_t count, datatype type);
int file_write_ordered_end(file on, const void *, status *out);

} // namespace saguaro::mpi::core
