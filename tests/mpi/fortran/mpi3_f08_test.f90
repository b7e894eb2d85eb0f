! SPDX-License-Identifier: MIT
! The module mpi_f08 as MPI 3.1 has it: messages, special variables, texts, and a program's functions,
! which get handles.
module functions
  use mpi_f08
  implicit none
  integer :: errors = 0, rank = 0, handled = 0, copied = 0
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    print *, 'rank', rank, ': ', what
    errors = errors + 1
  end subroutine

  subroutine multiply(invec, inoutvec, length, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call check(datatype == MPI_INTEGER, 'the type of an operator')
    call c_f_pointer(invec, in, [length])
    call c_f_pointer(inoutvec, inout, [length])
    inout = inout * in
  end subroutine

  subroutine handle(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    integer :: class
    call MPI_Error_class(code, class)
    if (comm == MPI_COMM_WORLD .and. class == MPI_ERR_RANK) handled = handled + 1
  end subroutine

  subroutine copy(oldcomm, keyval, state, before, after, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: state, before, after
    logical :: flag
    if (oldcomm == MPI_COMM_WORLD .and. state == 17) copied = copied + 1
    after = before + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end module

program mpi3_f08_test
  use functions
  implicit none
  integer :: size, left, right, total, value, count, key, values(4), length
  integer(kind=MPI_ADDRESS_KIND) :: attribute
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Request) :: requests(2)
  type(MPI_Op) :: product
  type(MPI_Errhandler) :: handler
  type(MPI_Comm) :: twin
  type(MPI_Datatype) :: pair
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)

  call MPI_Irecv(value, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call check(value == left, 'data')
  call check(statuses(1)%MPI_SOURCE == left .and. statuses(1)%MPI_TAG == 5, 'a status')
  call MPI_Get_count(statuses(1), MPI_INTEGER, count)
  call check(count == 1, 'a count')
  call check(requests(1) == MPI_REQUEST_NULL, 'a request is gone')
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 6, value, 1, MPI_INTEGER, MPI_ANY_SOURCE, &
    MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(value == left, 'data without a status')
  call MPI_Iprobe(left, 99, MPI_COMM_WORLD, flag, status)
  call check(.not. flag, 'nothing to probe')

  values = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(all(values == size), 'in place')
  call MPI_Op_create(multiply, .true., product)
  value = 2
  call MPI_Allreduce(value, total, 1, MPI_INTEGER, product, MPI_COMM_WORLD)
  call check(total == 2**size, 'an operator')
  call MPI_Op_free(product)
  call check(product == MPI_OP_NULL, 'no operator')

  call MPI_Comm_create_errhandler(handle, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
  call MPI_Send(rank, 1, MPI_INTEGER, size, 0, MPI_COMM_WORLD, count)
  call check(count /= MPI_SUCCESS .and. handled == 1, 'an error handler')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)

  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, key, 17_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 40_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin)
  call MPI_Comm_get_attr(twin, key, attribute, flag)
  call check(flag .and. attribute == 41 .and. copied == 1, 'an attribute')
  call MPI_Comm_get_attr(twin, MPI_TAG_UB, attribute, flag)
  call check(flag .and. attribute >= 32767, 'MPI_TAG_UB')
  call MPI_Comm_set_name(twin, 'the twin')
  call MPI_Comm_get_name(twin, name, length)
  call check(name == 'the twin' .and. length == 8, 'a name')
  call MPI_Comm_free(twin)
  call check(twin == MPI_COMM_NULL, 'no communicator')

  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Type_size(pair, count)
  call check(count == 8, 'a type')
  call MPI_Type_free(pair)

  call MPI_Reduce(errors, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0 .and. total == 0) print *, 'no errors'
  call MPI_Finalize()
end program
