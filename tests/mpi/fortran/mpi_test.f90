! SPDX-License-Identifier: MIT
! The module mpi: interfaces that take buffers of any type and rank, and a program's functions.
module program_functions
  use mpi
  implicit none
  integer :: errors = 0, rank, size, handled = 0, handled_comm, deleted = 0

contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print *, 'rank', rank, ': ', what
    errors = errors + 1
  end subroutine

  ! Not commutative: of 2 x 2 matrices.
  subroutine multiply(in, inout, count, type)
    integer :: count, type, i
    double precision :: in(2, 2, count), inout(2, 2, count)
    do i = 1, count
      inout(:, :, i) = matmul(in(:, :, i), inout(:, :, i))
    end do
  end subroutine

  subroutine handle(comm, error)
    integer :: comm, error, class, ierror
    call MPI_Error_class(error, class, ierror)
    handled = class
    handled_comm = comm
  end subroutine

  subroutine copy(comm, key, state, in, out, flag, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: state, in, out
    logical :: flag
    call check(state == 2_MPI_ADDRESS_KIND ** 40, 'state of copy')
    out = in * 2
    flag = in > 0
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, key, value, state, ierror)
    integer :: comm, key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    call check(state == 2_MPI_ADDRESS_KIND ** 40, 'state of delete')
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program module_mpi_test
  use program_functions
  implicit none
  integer :: ierror, total
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call operators
  call error_handlers
  call attributes
  call groups
  call buffers
  call sizes
  call MPI_Reduce(errors, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0 .and. total == 0) print *, 'no errors'
  call MPI_Finalize(ierror)

contains
  subroutine operators
    integer :: op, type, i
    double precision :: mine(2, 2), product(2, 2), expected(2, 2)
    logical :: commutes
    call MPI_Type_contiguous(4, MPI_DOUBLE_PRECISION, type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPI_Op_create(multiply, .false., op, ierror)
    call MPI_Op_commutative(op, commutes, ierror)
    call check(.not. commutes, 'it does not commute')
    mine = matrix(rank)
    call MPI_Allreduce(mine, product, 1, type, op, MPI_COMM_WORLD, ierror)
    expected = matrix(0)
    do i = 1, size - 1
      expected = matmul(expected, matrix(i))
    end do
    call check(all(product == expected), 'product of matrices')
    call MPI_Op_free(op, ierror)
    call check(op == MPI_OP_NULL, 'no operator')
    call MPI_Type_free(type, ierror)
  end subroutine

  function matrix(i)
    integer, intent(in) :: i
    double precision :: matrix(2, 2)
    matrix = reshape([i + 1, 1, 2, i], [2, 2])
  end function

  subroutine error_handlers
    integer :: handler, value(1)
    call MPI_Comm_create_errhandler(handle, handler, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierror)
    call MPI_Send(value, -1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierror)
    call check(handled == MPI_ERR_COUNT, 'error in the handler')
    call check(handled_comm == MPI_COMM_SELF, 'communicator in the handler')
    call check(ierror /= MPI_SUCCESS, 'IERROR')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Errhandler_free(handler, ierror)
    call check(handler == MPI_ERRHANDLER_NULL, 'no handler')
  end subroutine

  subroutine attributes
    integer :: key, all_key, comm
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_create_keyval(copy, delete, key, 2_MPI_ADDRESS_KIND ** 40, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, all_key, &
      0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 2_MPI_ADDRESS_KIND ** 33, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, all_key, 77_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Comm_get_attr(comm, key, value, flag, ierror)
    call check(flag .and. value == 2_MPI_ADDRESS_KIND ** 34, 'copied attribute')
    call MPI_Comm_get_attr(comm, all_key, value, flag, ierror)
    call check(flag .and. value == 77, 'attribute of MPI_COMM_DUP_FN')
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, -1_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
    call MPI_Comm_get_attr(comm, key, value, flag, ierror)
    call check(.not. flag, 'attribute that is not copied')
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, key, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, all_key, ierror)
    call check(deleted == 3, 'deleted attributes')
  end subroutine

  subroutine groups
    integer :: group, some, ranges(3, 1), n, translated(1)
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
    ranges(:, 1) = [size - 1, 0, -2]
    call MPI_Group_range_incl(group, 1, ranges, some, ierror)
    call MPI_Group_size(some, n, ierror)
    call check(n == (size + 1) / 2, 'size of a range')
    call MPI_Group_translate_ranks(some, 1, [0], group, translated, ierror)
    call check(translated(1) == size - 1, 'rank of a range')
    call MPI_Group_free(some, ierror)
    call MPI_Group_free(group, ierror)
  end subroutine

  subroutine buffers
    integer :: scalar, status(MPI_STATUS_SIZE), position
    integer(kind=MPI_ADDRESS_KIND) :: from, to
    double precision :: cube(2, 2, 2)
    character(len=68) :: packed
    integer :: types(2), requests(2)
    scalar = rank
    call MPI_Bcast(scalar, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
    call check(scalar == 1, 'scalar')
    cube = rank
    call MPI_Sendrecv_replace(cube, 8, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 1, &
      mod(rank + size - 1, size), 1, MPI_COMM_WORLD, status, ierror)
    call check(all(cube == mod(rank + size - 1, size)), 'array of rank 3')
    position = 0
    call MPI_Pack(scalar, 1, MPI_INTEGER, packed, 68, position, MPI_COMM_WORLD, ierror)
    call MPI_Pack(cube, 8, MPI_DOUBLE_PRECISION, packed, 68, position, MPI_COMM_WORLD, ierror)
    call check(position == 68, 'pack')
    call MPI_Get_address(cube(1, 1, 1), from, ierror)
    call MPI_Get_address(cube(1, 2, 1), to, ierror)
    call check(MPI_Aint_diff(to, from) == 16, 'difference of addresses')
    types = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
    requests = MPI_REQUEST_NULL
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  end subroutine

  subroutine sizes
    integer :: bytes
    double precision :: number(3)
    logical :: truth
    call MPI_Sizeof(number, bytes, ierror)
    call check(bytes == 8, 'size of DOUBLE PRECISION')
    call MPI_Sizeof(truth, bytes, ierror)
    call check(bytes == 4, 'size of LOGICAL')
    call MPI_Sizeof('text', bytes, ierror)
    call check(bytes == 1, 'size of CHARACTER')
  end subroutine
end program
