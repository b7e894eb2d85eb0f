// SPDX-License-Identifier: MIT
// Messages in unusual ways: cancelled, exchanged without waiting, in partitions, buffered.
#pragma once

#include "mpi/core/interface/handles.hpp"
#include "mpi/core/interface/status.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

int cancel(request *which);

int isendrecv(const void *send_buffer, std::int64_t send_count, datatype send_type, int dest,
              int send_tag, void *receive_buffer, std::int64_t receive_count, datatype receive_type,
              int source, int receive_tag, comm on, request *out);
int isendrecv_replace(void *buffer, std::int64_t count, datatype type, int dest, int send_tag,
                      int source, int receive_tag, comm on, request *out);

int psend_init(const void *buffer, int partitions, std::int64_t count, datatype type, int dest,
               int tag, comm on, info hints, request *out);
int precv_init(void *buffer, int partitions, std::int64_t count, datatype type, int source, int tag,
               comm on, info hints, request *out);
int pready(int partition, request which);
int pready_range(int low, int high, request which);
int pready_list(int length, const int *partitions, request which);
int parrived(request which, int partition, int *flag);

int buffer_attach(void *buffer, std::int64_t size);
int buffer_detach(void *address, std::int64_t *size);
int buffer_flush();
int buffer_iflush(request *out);
int comm_attach_buffer(comm on, void *buffer, std::int64_t size);
int comm_detach_buffer(comm on, void *address, std::int64_t *size);
int comm_flush_buffer(comm on);
int comm_iflush_buffer(comm on, request *out);

} // namespace saguaro::mpi::core
