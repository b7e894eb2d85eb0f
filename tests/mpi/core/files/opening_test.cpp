// SPDX-License-Identifier: MIT
// Modes and errors of opening, what may be asked of a file, and where errors go.
#include "files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace saguaro::mpi {
namespace {

int open_error(const char *name, int mode, comm on = comm::world) {
    file made = file::null;
    const int error = core::file_open(on, name, mode, info::null, &made);
    if (error == 0)
        core::file_close(&made);
    return error;
}

// On some ranks; the body returns 0 if all is well.
void on_ranks(std::uint32_t ranks, const std::function<int(int)> &body) {
    EXPECT_TRUE(all_well(run_ranks(ranks, body)));
}

TEST(modes, that_contradict_themselves_are_refused) {
    const test_file where;
    on_ranks(1, [&](int) {
        using namespace abi;
        for (const int mode : {0, mode_create, mode_rdonly | mode_wronly, mode_rdonly | mode_rdwr,
                               mode_rdonly | mode_create, mode_rdonly | mode_excl,
                               mode_rdwr | mode_sequential, mode_rdwr | 0x10000})
            SG_CHECK(open_error(where.name(), mode) == err_amode);
        return 0;
    });
    EXPECT_FALSE(where.exists());
}

TEST(modes, say_whether_a_file_is_made) {
    const test_file where;
    on_ranks(3, [&](int me) {
        using namespace abi;
        SG_CHECK(open_error(where.name(), mode_rdwr) == err_no_such_file);
        SG_CHECK(open_error(where.name(), mode_rdwr | mode_create | mode_excl) == 0);
        SG_CHECK(where.exists());
        SG_CHECK(open_error(where.name(), mode_rdwr | mode_create | mode_excl) == err_file_exists);
        SG_CHECK(open_error(where.name(), me == 1 ? mode_wronly : mode_rdwr) == err_not_same);
        SG_CHECK(open_error(me == 2 ? "/nowhere/at/all" : where.name(), mode_rdwr) ==
                 err_no_such_file);
        SG_CHECK(open_error("/tmp", mode_rdwr) == err_bad_file);
        SG_CHECK(open_error("/tmp", mode_rdonly) == err_bad_file);
        SG_CHECK(open_error("/dev/null/below", mode_rdwr) == err_bad_file);
        SG_CHECK(open_error(std::string(300, 'x').c_str(), mode_rdwr | mode_create) ==
                 err_bad_file);
        SG_CHECK(open_error("/proc/version", mode_rdwr) == err_access || geteuid() == 0);
        SG_CHECK(open_error(where.name(), mode_rdonly | mode_delete_on_close) == 0);
        SG_CHECK(!where.exists());
        return 0;
    });
}

TEST(modes, say_what_may_be_done) {
    const test_file where;
    where.fill(std::vector<char>(10, 'x'));
    on_ranks(2, [&](int) {
        using namespace abi;
        char byte = 'y';
        const auto read = [&](file f) {
            return core::file_read_at(f, 0, &byte, 1, datatype::byte, nullptr);
        };
        const auto write = [&](file f) {
            return core::file_write_at(f, 0, &byte, 1, datatype::byte, nullptr);
        };
        file f = open_file(where, comm::world, mode_rdonly);
        SG_CHECK(read(f) == 0 && byte == 'x' && write(f) == err_read_only);
        SG_CHECK(core::file_set_size(f, 1) == err_read_only);
        SG_CHECK(core::file_preallocate(f, 1) == err_read_only);
        SG_CHECK(core::file_close(&f) == 0);
        f = open_file(where, comm::world, mode_wronly);
        SG_CHECK(read(f) == err_access && write(f) == 0);
        SG_CHECK(core::file_close(&f) == 0);

        f = open_file(where, comm::world, mode_wronly | mode_append);
        std::int64_t position = 0;
        SG_CHECK(core::file_get_position(f, &position) == 0 && position == 10);
        SG_CHECK(core::file_get_position_shared(f, &position) == 0 && position == 10);
        SG_CHECK(core::file_close(&f) == 0);

        // One byte behind the other, by the shared pointer alone.
        f = open_file(where, comm::world, mode_rdonly | mode_sequential);
        SG_CHECK(read(f) == err_unsupported_operation);
        SG_CHECK(core::file_read_all(f, &byte, 1, datatype::byte, nullptr) ==
                 err_unsupported_operation);
        SG_CHECK(core::file_seek(f, 0, seek_set) == err_unsupported_operation);
        SG_CHECK(core::file_seek_shared(f, 0, seek_set) == err_unsupported_operation);
        SG_CHECK(core::file_get_position(f, &position) == err_unsupported_operation);
        SG_CHECK(core::file_get_byte_offset(f, 0, &position) == err_unsupported_operation);
        SG_CHECK(core::file_read_ordered(f, &byte, 1, datatype::byte, nullptr) == 0);
        SG_CHECK(core::file_set_view(f, 0, datatype::byte, datatype::byte, "native", info::null) ==
                 err_disp);
        SG_CHECK(core::file_set_view(f, displacement_current, datatype::byte, datatype::byte,
                                     "native", info::null) == 0);
        datatype etype{};
        datatype filetype{};
        char name[max_datarep_string];
        SG_CHECK(core::file_get_view(f, &position, &etype, &filetype, name) == 0 && position == 2);
        return core::file_close(&f);
    });
}

TEST(names, may_say_a_file_system) {
    const test_file where;
    on_ranks(2, [&](int) {
        const std::string prefixed = std::string("ufs:") + where.name();
        SG_CHECK(open_error(prefixed.c_str(), read_write) == 0 && where.exists());
        core::barrier(comm::world);
        if (rank::mine->number() == 0) {
            SG_CHECK(core::file_delete((std::string("nfs:") + where.name()).c_str(), info::null) ==
                     0);
            SG_CHECK(core::file_delete(where.name(), info::null) == abi::err_no_such_file);
        }
        SG_CHECK(open_error("unknown:/tmp/x", read_write) == abi::err_no_such_file);
        return 0;
    });
}

TEST(properties, are_told_and_set) {
    const test_file where;
    on_ranks(3, [&](int me) {
        comm half = comm::null;
        core::comm_split(comm::world, me == 1 ? 1 : 0, -me, &half);
        if (me == 1)
            return 0;
        info hints = info::null;
        core::info_create(&hints);
        core::info_set(hints, "cb_nodes", "3");
        file f = file::null;
        SG_CHECK(core::file_open(half, where.name(), read_write, hints, &f) == 0);
        core::info_set(hints, "striping", me == 0 ? "a" : "b");
        SG_CHECK(core::file_set_info(f, hints) == 0);
        info used = info::null;
        SG_CHECK(core::file_get_info(f, &used) == 0);
        char value[10];
        int flag = 0;
        core::info_get(used, "cb_nodes", 9, value, &flag);
        SG_CHECK(flag == 1 && std::string(value) == "3");
        core::info_get(used, "striping", 9, value, &flag);
        SG_CHECK(flag == 1);
        group members = group::null;
        int size = 0;
        int own = 0;
        SG_CHECK(core::file_get_group(f, &members) == 0);
        core::group_size(members, &size);
        core::group_rank(members, &own);
        SG_CHECK(size == 2 && own == (me == 2 ? 0 : 1));
        int mode = 0;
        SG_CHECK(core::file_get_amode(f, &mode) == 0 && mode == read_write);
        std::int64_t bytes = 0;
        SG_CHECK(core::file_preallocate(f, 5000) == 0);
        SG_CHECK(core::file_get_size(f, &bytes) == 0 && bytes == 5000);
        SG_CHECK(core::file_preallocate(f, 100) == 0);
        SG_CHECK(core::file_get_size(f, &bytes) == 0 && bytes == 5000);
        SG_CHECK(core::file_set_size(f, 7) == 0);
        SG_CHECK(core::file_get_size(f, &bytes) == 0 && bytes == 7);
        return core::file_close(&f);
    });
}

TEST(arguments, that_are_wrong_have_their_error_class) {
    const test_file where;
    on_ranks(1, [&](int) {
        using namespace abi;
        file f = open_file(where);
        int data[4] = {};
        const file none = static_cast<file>(9999);
        SG_CHECK(core::file_read(none, data, 1, datatype::int_, nullptr) == err_file);
        SG_CHECK(core::file_read(file::null, data, 1, datatype::int_, nullptr) == err_file);
        SG_CHECK(core::file_read_all(none, data, 1, datatype::int_, nullptr) == err_file);
        SG_CHECK(core::file_write_ordered(none, data, 1, datatype::int_, nullptr) == err_file);
        SG_CHECK(core::file_write(f, data, -1, datatype::int_, nullptr) == err_count);
        SG_CHECK(core::file_write(f, data, 1, datatype::null, nullptr) == err_type);
        SG_CHECK(core::file_write_at(f, -1, data, 1, datatype::int_, nullptr) == err_arg);
        SG_CHECK(core::file_seek(f, 0, 12345) == err_arg);
        SG_CHECK(core::file_seek(f, -1, seek_cur) == err_arg);
        SG_CHECK(core::file_set_info(f, static_cast<info>(9999)) == err_info);
        SG_CHECK(core::file_preallocate(f, -1) == err_arg);
        SG_CHECK(core::file_set_view(f, 0, datatype::double_, datatype::double_, "native",
                                     info::null) == 0);
        // Half an etype.
        SG_CHECK(core::file_write(f, data, 1, datatype::int_, nullptr) == err_io);
        // Ends without a begin, of another begin; a begin within another.
        SG_CHECK(core::file_write_all_end(f, data, nullptr) == err_io);
        SG_CHECK(core::file_write_all_begin(f, data, 2, datatype::int_) == 0);
        SG_CHECK(core::file_write_all_begin(f, data, 2, datatype::int_) == err_io);
        SG_CHECK(core::file_read_all_end(f, data, nullptr) == err_io);
        status got;
        SG_CHECK(core::file_write_all_end(f, data, &got) == 0 && got.bytes == 8);
        SG_CHECK(core::file_close(&f) == 0);
        SG_CHECK(core::file_close(&f) == err_file);
        file made = file::null;
        SG_CHECK(core::file_open(comm::null, where.name(), read_write, info::null, &made) ==
                 err_comm);
        return 0;
    });
}

// A file may grow to 1,000 bytes; the signal that tells of more is ignored.
TEST(disks, that_are_full_are_told_and_keep_what_fits) {
    const test_file where;
    on_ranks(1, [&](int) {
        file f = open_file(where);
        const rlimit limit{1000, 1000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        const std::vector<char> data(1500, 'x');
        status got;
        SG_CHECK(core::file_write(f, data.data(), 1500, datatype::byte, &got) == abi::err_no_space);
        SG_CHECK(got.bytes == 1000);
        std::int64_t position = 0;
        SG_CHECK(core::file_get_position(f, &position) == 0 && position == 1000);
        SG_CHECK(core::file_set_size(f, 2000) == abi::err_no_space);
        return core::file_close(&f);
    });
    EXPECT_EQ(where.content(), std::vector<char>(1000, 'x'));
}

int calls = 0;

void count_call(any_function, file *, int *) {
    ++calls;
}

TEST(handlers, of_no_file_are_those_of_new_files) {
    const test_file where;
    on_ranks(1, [&](int) {
        errhandler own = errhandler::null;
        core::file_create_errhandler({count_call}, &own);
        SG_CHECK(core::file_set_errhandler(file::null, own) == 0);
        file f = open_file(where);
        SG_CHECK(core::file_set_errhandler(file::null, errhandler::errors_return) == 0);
        core::errhandler_free(&own);
        SG_CHECK(core::raise(f, abi::err_io, "MPI_File_read") == abi::err_io && calls == 1);
        file other = open_file(where);
        SG_CHECK(core::raise(other, abi::err_io, "MPI_File_read") == abi::err_io && calls == 1);
        SG_CHECK(core::file_close(&other) == 0);
        return core::file_close(&f);
    });
}

} // namespace
} // namespace saguaro::mpi
