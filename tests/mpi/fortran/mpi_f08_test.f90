! SPDX-License-Identifier: MIT
! The module mpi_f08: types of handles, optional IERROR, sections of arrays, a program's functions.
module program_functions
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: errors = 0, rank, size, handled = 0
  integer(kind=MPI_ADDRESS_KIND) :: kept = 0
  type(MPI_Comm) :: handled_comm

  ! A handle is a pointer or an int in C, which have one register.
  interface
    function c_set_attr(comm, key, value) bind(C, name='MPI_Comm_set_attr') result(error)
      import c_intptr_t, c_int, c_ptr
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: key
      type(c_ptr), value :: value
      integer(c_int) :: error
    end function
    function c_get_attr(comm, key, value, flag) bind(C, name='MPI_Comm_get_attr') result(error)
      import c_intptr_t, c_int, c_ptr
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: key
      type(c_ptr) :: value
      integer(c_int) :: flag, error
    end function
  end interface

contains
  pure function c_comm(comm)
    type(MPI_Comm), intent(in) :: comm
    integer(c_intptr_t) :: c_comm
    c_comm = iand(int(comm%MPI_VAL, c_intptr_t), 4294967295_c_intptr_t)
  end function

  subroutine query(state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_cancelled(status, .false.)
    call MPI_Status_set_elements(status, MPI_BYTE, 0)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine free_state(state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: ierror
    state = state + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine keep_state(state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: ierror
    kept = state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print *, 'rank', rank, ': ', what
    errors = errors + 1
  end subroutine

  subroutine longest(in, inout, count, datatype)
    type(c_ptr), value :: in, inout
    integer :: count
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call check(datatype == MPI_INTEGER, 'type in the operator')
    call c_f_pointer(in, from, [count])
    call c_f_pointer(inout, to, [count])
    where (abs(from) > abs(to)) to = from
  end subroutine

  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    handled = error_code
    handled_comm = comm
  end subroutine

  subroutine copy(comm, key, state, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: state, in, out
    logical :: flag
    out = in + state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end module

program mpi_f08_test
  use program_functions
  implicit none
  integer :: total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call handles
  call sections
  call nonblocking_sections
  call functions
  call attributes_of_both_languages
  call generalized_requests
  call names
  call large_counts
  call MPI_Reduce(errors, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0 .and. total == 0) print *, 'no errors'
  call MPI_Finalize()

contains
  subroutine handles
    type(MPI_Comm) :: comm
    type(MPI_Request) :: requests(3)
    type(MPI_Status) :: status, statuses(3)
    integer :: index, value, again, ierror, f_status(MPI_STATUS_SIZE)
    comm = MPI_COMM_NULL
    call check(comm == MPI_COMM_NULL .and. comm /= MPI_COMM_WORLD, 'comparison')
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call check(ierror == MPI_SUCCESS, 'optional IERROR')
    requests = MPI_REQUEST_NULL
    call MPI_Irecv(value, 1, MPI_INTEGER, rank, 5, comm, requests(3))
    call MPI_Send(17 + rank, 1, MPI_INTEGER, rank, 5, comm)
    call MPI_Waitany(3, requests, index, status)
    call check(index == 3 .and. value == 17 + rank, 'waitany')
    call check(status%MPI_SOURCE == rank .and. status%MPI_TAG == 5, 'status')
    call MPI_Status_f082f(status, f_status)
    call MPI_Status_f2f08(f_status, statuses(1))
    call check(statuses(1)%MPI_TAG == 5, 'converted status')
    again = rank
    call MPI_Allreduce(MPI_IN_PLACE, again, 1, MPI_INTEGER, MPI_MAX, comm)
    call check(again == size - 1, 'MPI_IN_PLACE')
    call MPI_Recv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
    call MPI_Comm_free(comm)
    call check(comm == MPI_COMM_NULL, 'no communicator')
    call check(MPI_Wtime() > 0, 'wtime')
    call PMPI_Barrier(MPI_COMM_WORLD)
  end subroutine

  subroutine sections
    integer :: sent(4, 6), received(4, 6), i, j, left
    integer :: sums(6), mine(6)
    left = mod(rank + size - 1, size)
    sent = reshape([((100 * i + j + 1000 * rank, i = 1, 4), j = 1, 6)], [4, 6])
    received = 0
    ! Rows 1 and 3, every second column, into the other rows and columns.
    call MPI_Sendrecv(sent(1:4:2, 1:6:2), 6, MPI_INTEGER, mod(rank + 1, size), 1, &
      received(2:4:2, 2:6:2), 6, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(received(2:4:2, 2:6:2) == sent(1:4:2, 1:6:2) + 1000 * (left - rank)), &
      'section is received')
    call check(count(received /= 0) == 6, 'gaps of a section')
    received = 0
    call MPI_Sendrecv(sent(:, 4:1:-3), 5, MPI_INTEGER, rank, 1, received, 5, MPI_INTEGER, rank, &
      1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(received(:, 1) == sent(:, 4)) .and. received(1, 2) == sent(1, 1), &
      'part of a section, backwards')
    mine = rank * [1, 2, 3, 4, 5, 6]
    sums = -1
    call MPI_Allreduce(mine(1:6:2), sums(2:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(sums(2:6:2) == [1, 3, 5] * size * (size - 1) / 2), 'section of a reduction')
    call check(all(sums(1:6:2) == -1), 'gaps of a reduction')
  end subroutine

  subroutine nonblocking_sections
    double precision, asynchronous :: from(10), to(10)
    type(MPI_Request) :: requests(2)
    type(MPI_Errhandler) :: handler
    integer :: ierror
    from = rank
    to = -1
    call MPI_Irecv(to(10:1:-3), 4, MPI_DOUBLE_PRECISION, rank, 2, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(from(::3), 4, MPI_DOUBLE_PRECISION, rank, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(to)
    call check(count(to == rank) == 4 .and. to(10) == rank .and. to(1) == rank, &
      'section of a request')
    handled = MPI_SUCCESS
    call MPI_Comm_create_errhandler(handle, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
    call MPI_Iallreduce(from(::3), to, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_SELF, &
      requests(1), ierror)
    call check(ierror == MPI_ERR_BUFFER .and. handled == MPI_ERR_BUFFER, &
      'section that cannot be copied')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(handler)
  end subroutine

  subroutine functions
    type(MPI_Op) :: op
    type(MPI_Errhandler) :: handler
    type(MPI_Comm) :: comm
    integer :: value, result, key, class, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute
    logical :: flag
    call MPI_Op_create(longest, .true., op)
    value = rank * (-1) ** rank
    call MPI_Allreduce(value, result, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(result == (size - 1) * (-1) ** (size - 1), 'operator')
    call MPI_Op_free(op)
    call MPI_Comm_create_errhandler(handle, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
    call MPI_Send(value, 1, MPI_INTEGER, 4711, 0, MPI_COMM_SELF, ierror)
    call MPI_Error_class(handled, class)
    call check(class == MPI_ERR_RANK .and. handled_comm == MPI_COMM_SELF, 'error handler')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
    call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, key, 3_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 4_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    call MPI_Comm_get_attr(comm, key, attribute, flag)
    call check(flag .and. attribute == 7, 'attribute')
    call MPI_Comm_free(comm)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, key)
  end subroutine

  ! Through C's functions: of an integer C sees its address, of C's pointer Fortran the address.
  subroutine attributes_of_both_languages
    type(MPI_Comm) :: comm
    integer :: key
    integer(c_int) :: flag, error
    integer(kind=MPI_ADDRESS_KIND) :: attribute
    integer(kind=MPI_ADDRESS_KIND), pointer :: seen
    integer, target :: object
    logical :: found
    type(c_ptr) :: in_c
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, -5_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    error = c_get_attr(c_comm(comm), key, in_c, flag)
    call c_f_pointer(in_c, seen)
    call check(flag == 1 .and. seen == -5, 'integer in C')
    ! The copy has a place of its own.
    call MPI_Comm_delete_attr(MPI_COMM_SELF, key)
    call MPI_Comm_get_attr(comm, key, attribute, found)
    call check(found .and. attribute == -5, 'copy of a deleted attribute')
    error = c_set_attr(c_comm(comm), key, c_loc(object))
    call MPI_Comm_get_attr(comm, key, attribute, found)
    call check(found .and. attribute == transfer(c_loc(object), attribute), 'pointer in Fortran')
    call MPI_Comm_dup(comm, handled_comm)
    error = c_get_attr(c_comm(handled_comm), key, in_c, flag)
    call check(transfer(in_c, attribute) == transfer(c_loc(object), attribute), 'copied pointer')
    call MPI_Comm_free(handled_comm)
    call MPI_Comm_free(comm)
    call MPI_Comm_free_keyval(key)
  end subroutine

  ! MPI keeps the state; a function that changes it changes the variable, too.
  subroutine generalized_requests
    type(MPI_Request) :: request
    integer(kind=MPI_ADDRESS_KIND) :: state
    state = 40
    call MPI_Grequest_start(query, free_state, cancel, state, request)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(state == 41, 'state of a generalized request')
    call MPI_Grequest_start(query, keep_state, cancel, state, request)
    state = 7
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(kept == 41 .and. state == 7, 'state that stays')
  end subroutine

  subroutine names
    character(len=MPI_MAX_PORT_NAME) :: port
    character(len=20) :: service
    integer :: ierror, class
    write (service, '(a, i0)') 'service of ', rank
    call MPI_Publish_name(service, MPI_INFO_NULL, 'a port  ')
    call MPI_Lookup_name(trim(service), MPI_INFO_NULL, port)
    call check(port == 'a port', 'name of a service')
    call MPI_Unpublish_name(service, MPI_INFO_NULL, port)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Lookup_name(service, MPI_INFO_NULL, port, ierror)
    call MPI_Error_class(ierror, class)
    call check(class == MPI_ERR_NAME, 'name of no service')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
  end subroutine

  subroutine large_counts
    integer(kind=MPI_COUNT_KIND) :: count = 2, got
    type(MPI_Status) :: status
    integer :: values(2)
    values = rank
    call MPI_Sendrecv_replace(values, count, MPI_INTEGER, mod(rank + 1, size), 3, &
      mod(rank + size - 1, size), 3, MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_INTEGER, got)
    call check(got == 2 .and. all(values == mod(rank + size - 1, size)), 'large counts')
  end subroutine
end program
