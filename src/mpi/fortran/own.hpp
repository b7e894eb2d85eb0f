// SPDX-License-Identifier: MIT
// Functions whose arguments in Fortran are others than in C, so that the generator calls these.
#pragma once

#include "mpi/fortran/callbacks.hpp"

namespace saguaro::mpi::fortran::own {

// MPI_BUFFER_DETACH has an argument by mistake, says the standard: nothing is written to it.
inline void *unused;

inline void pcontrol(integer *level) {
    PMPI_Pcontrol(*level);
}

// Attributes' keys

template <class handle, class value, class function>
void create_keyval(function *create, procedure copy, procedure remove, integer *key,
                   std::intptr_t state, integer *error) {
    call(error, create, same(&copy_attribute<handle, value>),
         same(&delete_attribute<handle, value>), same(key),
         same<void *>(new attribute_functions{copy, remove, state}));
}

inline void keyval_create(procedure copy, procedure remove, integer *key, integer *state,
                          integer *error) {
    create_keyval<MPI_Comm, integer>(PMPI_Comm_create_keyval, copy, remove, key, *state, error);
}

inline void comm_create_keyval(procedure copy, procedure remove, integer *key, MPI_Aint *state,
                               integer *error) {
    create_keyval<MPI_Comm, MPI_Aint>(PMPI_Comm_create_keyval, copy, remove, key, *state, error);
}

inline void type_create_keyval(procedure copy, procedure remove, integer *key, MPI_Aint *state,
                               integer *error) {
    create_keyval<MPI_Datatype, MPI_Aint>(PMPI_Type_create_keyval, copy, remove, key, *state,
                                          error);
}

inline void win_create_keyval(procedure copy, procedure remove, integer *key, MPI_Aint *state,
                              integer *error) {
    create_keyval<MPI_Win, MPI_Aint>(PMPI_Win_create_keyval, copy, remove, key, *state, error);
}

// Generalized requests and representations of data

inline void grequest_start(procedure query, procedure free, procedure cancel, MPI_Aint *state,
                           integer *request, integer *error) {
    call(error, PMPI_Grequest_start, same(&query_request), same(&free_request),
         same(&cancel_request),
         same<void *>(new request_functions{query, free, cancel, *state, state}),
         handle_out<MPI_Request>(request));
}

template <class count, class function>
void register_representation(function *add, const char *name, procedure read, procedure write,
                             procedure extent, MPI_Aint *state, integer *error, length size,
                             procedure null) {
    using conversion = int(void *, MPI_Datatype, count, void *, MPI_Offset, void *);
    conversion *const reader =
        read == null ? nullptr : &convert_data<&representation_functions::read, count>;
    conversion *const writer =
        write == null ? nullptr : &convert_data<&representation_functions::write, count>;
    call(error, add, text_in(name, size), same(reader), same(writer), same(&extent_of_data),
         same<void *>(new representation_functions{read, write, extent, *state}));
}

// Strings

inline void info_get(integer *info, char *key, integer *valuelen, char *value, integer *flag,
                     integer *error, length key_size, length value_size) {
    const auto room = static_cast<std::size_t>(*valuelen > 0 ? *valuelen : 0);
    call(error, PMPI_Info_get, same(to_c<MPI_Info>(*info)), trimmed_text(key, key_size),
         same(*valuelen), text_out(value, value_size, room, flag), same(flag));
}

// The length of a string in C has the byte that ends it.
class room_of_text {
public:
    explicit room_of_text(integer *size) : size_(size), value_(*size > 0 ? *size + 1 : 0) {}
    int *pass() { return &value_; }
    void finish(bool done) {
        if (done)
            *size_ = value_ > 0 ? value_ - 1 : 0;
    }

private:
    integer *size_;
    int value_;
};

inline void info_get_string(integer *info, char *key, integer *buflen, char *value, integer *flag,
                            integer *error, length key_size, length value_size) {
    // Asked for its length alone, a value is not written.
    const integer asked = *buflen;
    const integer none = 0;
    const auto room = static_cast<std::size_t>(asked > 0 ? asked : 0);
    call(error, PMPI_Info_get_string, same(to_c<MPI_Info>(*info)), trimmed_text(key, key_size),
         room_of_text(buflen), text_out(value, value_size, room, asked > 0 ? flag : &none),
         same(flag));
}

inline void session_get_nth_pset(integer *session, integer *info, integer *n, integer *pset_len,
                                 char *name, integer *error, length name_size) {
    const integer wanted = *pset_len > 0;
    const auto room = static_cast<std::size_t>(wanted ? *pset_len : 0);
    call(error, PMPI_Session_get_nth_pset, same(to_c<MPI_Session>(*session)),
         same(to_c<MPI_Info>(*info)), same(*n), room_of_text(pset_len),
         text_out(name, name_size, room, &wanted));
}

// Processes

inline void comm_spawn(char *command, char *argv, integer *maxprocs, integer *info, integer *root,
                       integer *comm, integer *intercomm, integer *errcodes, integer *error,
                       length command_size, length argv_size) {
    char nothing = ' ';
    const bool none = is_no_argv(argv);
    argument_list list(none ? &nothing : argv, none ? 1 : argv_size, argv_size);
    call(error, PMPI_Comm_spawn, trimmed_text(command, command_size),
         same(none ? MPI_ARGV_NULL : list.get()), same(*maxprocs), same(to_c<MPI_Info>(*info)),
         same(*root), same(to_c<MPI_Comm>(*comm)), handle_out<MPI_Comm>(intercomm),
         same(c_error_codes(errcodes)));
}

// argv(count, *): the arguments of a command are one row of the array. Only the root has them all.
inline void comm_spawn_multiple(integer *count, char *commands, char *argv, integer *maxprocs,
                                integer *infos, integer *root, integer *comm, integer *intercomm,
                                integer *errcodes, integer *error, length command_size,
                                length argv_size) {
    int rank = 0;
    PMPI_Comm_rank(to_c<MPI_Comm>(*comm), &rank);
    const auto rows = static_cast<std::size_t>(rank == *root && *count > 0 ? *count : 0);
    const bool none = is_no_argv(argv);
    std::vector<trimmed_text> names;
    std::vector<argument_list> lists;
    for (std::size_t i = 0; i < rows; ++i) {
        names.emplace_back(commands + i * command_size, command_size);
        if (!none)
            lists.emplace_back(argv + i * argv_size, argv_size, rows * argv_size);
    }
    std::vector<char *> command_pointers;
    std::vector<char **> list_pointers;
    for (trimmed_text &name : names)
        command_pointers.push_back(const_cast<char *>(name.pass()));
    for (argument_list &list : lists)
        list_pointers.push_back(list.get());
    call(error, PMPI_Comm_spawn_multiple, same(*count), same(command_pointers.data()),
         same(none ? MPI_ARGVS_NULL : list_pointers.data()), same(maxprocs),
         handle_array<MPI_Info, false>(infos, [&] { return static_cast<std::int64_t>(rows); }),
         same(*root), same(to_c<MPI_Comm>(*comm)), handle_out<MPI_Comm>(intercomm),
         same(c_error_codes(errcodes)));
}

} // namespace saguaro::mpi::fortran::own
