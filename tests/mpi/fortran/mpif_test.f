! SPDX-License-Identifier: MIT
! Fixed form with mpif.h: messages, statuses, special variables, and the
! old functions for attributes.
      program mpif_test
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, total, parent
      common /counts/ errors, rank, size
      call mpi_init(ierror)
      call mpi_comm_get_parent(parent, ierror)
      if (parent .ne. MPI_COMM_NULL) then
         call tell_argument(parent)
         stop
      endif
      call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
      call mpi_comm_size(MPI_COMM_WORLD, size, ierror)
      errors = 0
      call messages
      call completions
      call addresses
      call attributes
      call texts
      call types
      call removed
      call names
      call functions
      call spawned
      call mpi_reduce(errors, total, 1, MPI_INTEGER, MPI_SUM, 0,
     &                MPI_COMM_WORLD, ierror)
      if (rank .eq. 0 .and. total .eq. 0) print *, 'no errors'
      call mpi_finalize(ierror)
      end

      subroutine check(is_right, what)
      implicit none
      logical is_right
      character*(*) what
      integer errors, rank, size
      common /counts/ errors, rank, size
      if (is_right) return
      print *, 'rank', rank, ': ', what
      errors = errors + 1
      end

      subroutine multiply(in, inout, length, type)
      implicit none
      include 'mpif.h'
      integer length, type, in(length), inout(length)
      call check(type .eq. MPI_INTEGER, 'the type of an operator')
      inout = inout * in
      end

      subroutine handle(comm, code)
      implicit none
      include 'mpif.h'
      integer comm, code, class, ierror, handled
      common /handlers/ handled
      call mpi_error_class(code, class, ierror)
      if (comm .eq. MPI_COMM_WORLD .and. class .eq. MPI_ERR_RANK)
     &   handled = handled + 1
      end

      subroutine functions
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, op, handler, total, handled
      common /counts/ errors, rank, size
      common /handlers/ handled
      external multiply, handle
      call mpi_op_create(multiply, .true., op, ierror)
      call mpi_allreduce(2, total, 1, MPI_INTEGER, op, MPI_COMM_WORLD,
     &                   ierror)
      call check(total .eq. 2**size, 'an operator')
      call mpi_op_free(op, ierror)
      call check(op .eq. MPI_OP_NULL, 'no operator')
      handled = 0
      call mpi_comm_create_errhandler(handle, handler, ierror)
      call mpi_comm_set_errhandler(MPI_COMM_WORLD, handler, ierror)
      call mpi_send(rank, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD,
     &              ierror)
      call check(ierror .ne. MPI_SUCCESS, 'an error')
      call check(handled .eq. 1, 'an error handler')
      call mpi_comm_set_errhandler(MPI_COMM_WORLD,
     &              MPI_ERRORS_ARE_FATAL, ierror)
      end

      subroutine messages
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, left, right, count
      integer status(MPI_STATUS_SIZE)
      real sent(5), received(5)
      logical flag
      common /counts/ errors, rank, size
      left = mod(rank + size - 1, size)
      right = mod(rank + 1, size)
      sent = rank
      received = -1
      call mpi_sendrecv(sent, 3, MPI_REAL, right, 7, received, 5,
     &     MPI_REAL, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
      call check(ierror .eq. MPI_SUCCESS, 'sendrecv')
      call check(status(MPI_SOURCE) .eq. left, 'source')
      call check(status(MPI_TAG) .eq. 7, 'tag')
      call check(all(received(1:3) .eq. left), 'data')
      call check(all(received(4:5) .eq. -1), 'no more data')
      call mpi_get_count(status, MPI_REAL, count, ierror)
      call check(count .eq. 3, 'count')
      call mpi_recv(received, 5, MPI_REAL, MPI_PROC_NULL, MPI_ANY_TAG,
     &     MPI_COMM_WORLD, status, ierror)
      call check(status(MPI_SOURCE) .eq. MPI_PROC_NULL, 'no source')
      flag = .false.
      call mpi_initialized(flag, ierror)
      call check(flag, 'initialized')
      call mpi_iprobe(left, 99, MPI_COMM_WORLD, flag, status, ierror)
      call check(.not. flag, 'nothing to probe')
      call pmpi_barrier(MPI_COMM_WORLD, ierror)
      call check(mpi_wtime() .gt. 0, 'wtime')
      call check(mpi_wtick() .gt. 0, 'wtick')
      end

      subroutine completions
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, index, count, i
      integer requests(3), statuses(MPI_STATUS_SIZE, 3), indices(3)
      integer values(3)
      common /counts/ errors, rank, size
      requests = MPI_REQUEST_NULL
      values = 0
      call mpi_irecv(values(2), 1, MPI_INTEGER, rank, 2,
     &     MPI_COMM_WORLD, requests(2), ierror)
      call mpi_send(22, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, ierror)
      call mpi_waitany(3, requests, index, statuses, ierror)
      call check(index .eq. 2, 'waitany counts from 1')
      call check(requests(2) .eq. MPI_REQUEST_NULL, 'request is done')
      call mpi_waitany(3, requests, index, statuses, ierror)
      call check(index .eq. MPI_UNDEFINED, 'waitany of nothing')
      do i = 1, 3
         call mpi_irecv(values(i), 1, MPI_INTEGER, rank, i,
     &        MPI_COMM_WORLD, requests(i), ierror)
      end do
      call mpi_send(33, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, ierror)
      call mpi_waitsome(3, requests, count, indices, statuses, ierror)
      call check(count .eq. 1, 'waitsome')
      call check(indices(1) .eq. 3, 'waitsome counts from 1')
      call check(statuses(MPI_TAG, 1) .eq. 3, 'status of waitsome')
      call mpi_send(11, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, ierror)
      call mpi_send(22, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, ierror)
      call mpi_waitall(3, requests, MPI_STATUSES_IGNORE, ierror)
      call check(all(values .eq. (/ 11, 22, 33 /)), 'values')
      end

      subroutine addresses
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, type
      integer(kind=MPI_ADDRESS_KIND) places(2), lb, extent
!     No argument of the broadcast tells the compiler that they change.
      integer, volatile :: first
      double precision, volatile :: second
      integer values(2)
      common /counts/ errors, rank, size
      call mpi_get_address(first, places(1), ierror)
      call mpi_get_address(second, places(2), ierror)
      call mpi_type_create_struct(2, (/ 1, 1 /), places,
     &     (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /), type, ierror)
      call mpi_type_commit(type, ierror)
      first = rank
      second = 0.5d0
      call mpi_bcast(MPI_BOTTOM, 1, type, size - 1, MPI_COMM_WORLD,
     &     ierror)
      call check(first .eq. size - 1, 'MPI_BOTTOM')
      call mpi_type_free(type, ierror)
      call check(type .eq. MPI_DATATYPE_NULL, 'no type')
      values = rank
      call mpi_allreduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_SUM,
     &     MPI_COMM_WORLD, ierror)
      call check(values(2) .eq. size * (size - 1) / 2, 'MPI_IN_PLACE')
      call mpi_recv(values, 2, MPI_INTEGER, MPI_PROC_NULL, 0,
     &     MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      call mpi_type_vector(2, 1, 3, MPI_INTEGER, type, ierror)
      call mpi_type_get_extent(type, lb, extent, ierror)
      call check(lb .eq. 0 .and. extent .eq. 16, 'extent')
      call mpi_type_free(type, ierror)
      end

      subroutine old_copy(comm, key, state, in, out, flag, ierror)
      implicit none
      include 'mpif.h'
      integer comm, key, state, in, out, ierror
      logical flag
      call check(state .eq. 123, 'state of old_copy')
      out = in + 1
      flag = .true.
      ierror = MPI_SUCCESS
      end

      subroutine old_delete(comm, key, value, state, ierror)
      implicit none
      include 'mpif.h'
      integer comm, key, value, state, ierror, deleted
      common /deletions/ deleted
      call check(state .eq. 123, 'state of old_delete')
      deleted = deleted + value
      ierror = MPI_SUCCESS
      end

      subroutine attributes
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, key, comm, value, deleted
      integer(kind=MPI_ADDRESS_KIND) wide
      logical flag
      external old_copy, old_delete
      common /counts/ errors, rank, size
      common /deletions/ deleted
      deleted = 0
      call mpi_comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, wide, flag,
     &     ierror)
      call check(flag .and. wide .ge. 32767, 'MPI_TAG_UB')
      call mpi_attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
      call check(flag .and. value .eq. wide, 'MPI_TAG_UB by old call')
      call mpi_keyval_create(old_copy, old_delete, key, 123, ierror)
      call mpi_attr_get(MPI_COMM_SELF, key, value, flag, ierror)
      call check(.not. flag, 'no attribute')
      call mpi_attr_put(MPI_COMM_SELF, key, -5, ierror)
      call mpi_comm_dup(MPI_COMM_SELF, comm, ierror)
      call mpi_attr_get(comm, key, value, flag, ierror)
      call check(flag .and. value .eq. -4, 'copied attribute')
      call mpi_comm_free(comm, ierror)
      call check(comm .eq. MPI_COMM_NULL, 'no communicator')
      call check(deleted .eq. -4, 'deleted with its communicator')
      call mpi_attr_delete(MPI_COMM_SELF, key, ierror)
      call check(deleted .eq. -9, 'deleted attribute')
      call mpi_keyval_free(key, ierror)
      call check(key .eq. MPI_KEYVAL_INVALID, 'no key')
      end

      subroutine texts
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, length, comm, info
      logical flag
      character*16 value
      character*(MPI_MAX_OBJECT_NAME) name
      character*8 short
      common /counts/ errors, rank, size
      call mpi_comm_dup(MPI_COMM_WORLD, comm, ierror)
      call mpi_comm_set_name(comm, 'of mine      ', ierror)
      name = repeat('x', MPI_MAX_OBJECT_NAME)
      call mpi_comm_get_name(comm, name, length, ierror)
      call check(length .eq. 7, 'length of a name')
      call check(name .eq. 'of mine', 'blanks behind a name')
      call mpi_comm_get_name(MPI_COMM_WORLD, short, length, ierror)
      call check(short .eq. 'MPI_COMM', 'name that is cut')
      call mpi_comm_free(comm, ierror)
      call mpi_info_create(info, ierror)
      call mpi_info_set(info, '  a key ', '  a value ', ierror)
      call mpi_info_get(info, 'a key', 8, value, flag, ierror)
      call check(flag .and. value .eq. 'a value', 'value of an info')
      call mpi_info_free(info, ierror)
      short = 'abc'
      if (rank .eq. 0) short = 'from 0'
      call mpi_bcast(short, 8, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
      call check(short .eq. 'from 0', 'MPI_CHARACTER')
      end

      subroutine types
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror
      real pair(2), best(2)
      complex value, product
      logical mine, one, every
      common /counts/ errors, rank, size
      pair(1) = mod(rank, 2)
      pair(2) = rank
      call mpi_allreduce(pair, best, 1, MPI_2REAL, MPI_MAXLOC,
     &     MPI_COMM_WORLD, ierror)
      call check(best(1) .eq. 1 .and. best(2) .eq. 1, 'MPI_2REAL')
      value = (0.0, 1.0)
      call mpi_allreduce(value, product, 1, MPI_COMPLEX, MPI_PROD,
     &     MPI_COMM_WORLD, ierror)
      call check(abs(product - value ** size) .lt. 1e-6, 'MPI_COMPLEX')
      mine = rank .eq. 0
      call mpi_allreduce(mine, one, 1, MPI_LOGICAL, MPI_LOR,
     &     MPI_COMM_WORLD, ierror)
      call mpi_allreduce(mine, every, 1, MPI_LOGICAL, MPI_LAND,
     &     MPI_COMM_WORLD, ierror)
      call check(one .and. .not. every, 'MPI_LOGICAL')
      end

!     What MPI 3 removed has addresses and extents of default kind.
      subroutine removed
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, type, pairs, handler
      integer values(8), extent, lower, upper, places(2)
      common /counts/ errors, rank, size
      call mpi_address(values(1), places(1), ierror)
      call mpi_address(values(4), places(2), ierror)
      call check(places(2) - places(1) .eq. 12, 'MPI_ADDRESS')
      call mpi_type_struct(2, (/ 1, 1 /), (/ 0, 16 /),
     &     (/ MPI_INTEGER, MPI_UB /), type, ierror)
      call mpi_type_extent(type, extent, ierror)
      call mpi_type_lb(type, lower, ierror)
      call mpi_type_ub(type, upper, ierror)
      call check(extent .eq. 16 .and. lower .eq. 0 .and. upper .eq. 16,
     &     'MPI_UB')
      call mpi_type_hvector(2, 1, 8, MPI_INTEGER, pairs, ierror)
      call mpi_type_extent(pairs, extent, ierror)
      call check(extent .eq. 12, 'MPI_TYPE_HVECTOR')
      call mpi_errhandler_get(MPI_COMM_WORLD, handler, ierror)
      call mpi_errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
      call mpi_send(values, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD,
     &     ierror)
      call check(ierror .ne. MPI_SUCCESS, 'MPI_ERRHANDLER_SET')
      call mpi_errhandler_set(MPI_COMM_WORLD, handler, ierror)
      end

!     Blanks behind a name do not count.
      subroutine names
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror
      character*(MPI_MAX_PORT_NAME) port
      character*20 service
      common /counts/ errors, rank, size
      write (service, '(a, i0)') 'service of ', rank
      call mpi_publish_name(service, MPI_INFO_NULL, 'a port  ', ierror)
      call check(ierror .eq. MPI_SUCCESS, 'MPI_PUBLISH_NAME')
      port = '?'
      call mpi_lookup_name(trim(service), MPI_INFO_NULL, port, ierror)
      call check(port .eq. 'a port', 'MPI_LOOKUP_NAME')
      call mpi_unpublish_name(service, MPI_INFO_NULL, 'a port', ierror)
      call check(ierror .eq. MPI_SUCCESS, 'MPI_UNPUBLISH_NAME')
      end

!     Blanks before a command and its arguments do not count.
      subroutine spawned
      implicit none
      include 'mpif.h'
      integer errors, rank, size, ierror, child, is_right
      character*512 command
      character*16 arguments(2)
      common /counts/ errors, rank, size
      call get_command_argument(0, command)
      arguments(1) = '  an argument'
      arguments(2) = ' '
      call mpi_comm_spawn('  ' // command, arguments, 1, MPI_INFO_NULL,
     &     0, MPI_COMM_WORLD, child, MPI_ERRCODES_IGNORE, ierror)
      if (rank .eq. 0) then
         call mpi_recv(is_right, 1, MPI_INTEGER, 0, 0, child,
     &        MPI_STATUS_IGNORE, ierror)
         call check(is_right .eq. 1, 'argument of a command')
      endif
      call mpi_comm_disconnect(child, ierror)
      end

      subroutine tell_argument(parent)
      implicit none
      include 'mpif.h'
      integer parent, ierror, is_right
      character*16 argument
      call get_command_argument(1, argument)
      is_right = 0
      if (argument .eq. 'an argument') is_right = 1
      call mpi_send(is_right, 1, MPI_INTEGER, 0, 0, parent, ierror)
      call mpi_comm_disconnect(parent, ierror)
      call mpi_finalize(ierror)
      end
