// SPDX-License-Identifier: MIT
// Random views and accesses against a serial model of the file.
#include "files.hpp"

#include "mpi/core/process/arguments.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace saguaro::mpi {
namespace {

using generator = std::mt19937;

int below(generator &random, int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
}

// A type whose places rise and do not overlap, as file types must be. Its bytes lie in the first
// 120, so a byte can tell its place.
datatype random_type(generator &random, datatype of, int room) {
    std::int64_t lower = 0;
    std::int64_t extent = 0;
    core::type_get_extent(of, &lower, &extent);
    datatype made = of;
    const int most = static_cast<int>(room / extent);
    switch (below(random, 4)) {
    case 0:
        core::type_contiguous(1 + below(random, std::min(4, most)), of, &made);
        break;
    case 1: {
        const int count = 1 + below(random, 3);
        const int stride = std::max(1, most / count);
        core::type_vector(count, 1 + below(random, stride), stride, of, &made);
        break;
    }
    case 2: {
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> places;
        for (int at = below(random, 2); at < most && lengths.size() < 6;) {
            const int length = 1 + below(random, std::min(3, most - at));
            places.push_back(at);
            lengths.push_back(length);
            at += length + below(random, 3);
        }
        if (!lengths.empty())
            core::type_indexed(static_cast<std::int64_t>(lengths.size()), lengths.data(),
                               places.data(), of, &made);
        break;
    }
    default:
        core::type_create_resized(of, 0, extent * (1 + below(random, 3)), &made);
        break;
    }
    core::type_get_extent(made, &lower, &extent);
    if (extent * 2 <= room && below(random, 2) == 0)
        return random_type(random, made, room);
    core::type_commit(&made);
    return made;
}

// Where each byte of an element lies.
std::vector<std::int64_t> places_of(const datatype_object &type) {
    std::vector<unsigned char> memory(256);
    for (std::size_t i = 0; i < memory.size(); ++i)
        memory[i] = static_cast<unsigned char>(i);
    std::vector<unsigned char> found(static_cast<std::size_t>(type.size()));
    pack(type, memory.data(), 1, 0, found.data(), type.size());
    return {found.begin(), found.end()};
}

// A view as the standard defines it.
struct model_view {
    std::int64_t displacement = 0;
    std::int64_t etype = 1;
    std::int64_t extent = 1;
    std::vector<std::int64_t> places = {0};

    std::size_t place(std::int64_t byte) const {
        const auto n = static_cast<std::int64_t>(places.size());
        return static_cast<std::size_t>(displacement + byte / n * extent +
                                        places[static_cast<std::size_t>(byte % n)]);
    }
};

struct random_view {
    model_view model;
    datatype etype;
    datatype filetype;

    explicit random_view(generator &random) {
        constexpr datatype etypes[] = {datatype::byte, datatype::int_, datatype::double_};
        etype = etypes[below(random, 3)];
        filetype = random_type(random, etype, 120);
        const datatype_object &type = *object_of(filetype);
        model = {below(random, 50), object_of(etype)->size(), type.extent(), places_of(type)};
    }
};

void write_to_model(std::vector<char> &bytes, const model_view &view, std::int64_t offset,
                    const std::vector<char> &data) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t at = view.place(offset * view.etype + static_cast<std::int64_t>(i));
        bytes.resize(std::max(bytes.size(), at + 1));
        bytes[at] = data[i];
    }
}

std::vector<char> read_from_model(const std::vector<char> &bytes, const model_view &view,
                                  std::int64_t offset, std::size_t most) {
    std::vector<char> data;
    for (std::size_t i = 0; i < most; ++i) {
        const std::size_t at = view.place(offset * view.etype + static_cast<std::int64_t>(i));
        if (at >= bytes.size())
            break;
        data.push_back(bytes[at]);
    }
    return data;
}

std::vector<char> random_bytes(generator &random, std::size_t count) {
    std::vector<char> made(count);
    std::generate(made.begin(), made.end(), [&] { return static_cast<char>(random()); });
    return made;
}

int random_accesses(generator random, const test_file &where) {
    const file f = open_file(where, comm::self);
    std::vector<char> model;
    std::int64_t pointer = 0;
    random_view view(random);
    view.model = {};
    for (int step = 0; step < 160; ++step) {
        if (step % 40 == 0) {
            view = random_view(random);
            SG_CHECK(core::file_set_view(f, view.model.displacement, view.etype, view.filetype,
                                         "native", info::null) == 0);
            pointer = 0;
        }
        // In memory each etype has a gap behind it, or none.
        const std::int64_t etype = view.model.etype;
        const bool has_gaps = below(random, 2) == 0;
        datatype in_memory = view.etype;
        if (has_gaps) {
            core::type_create_resized(view.etype, 0, etype + 3, &in_memory);
            core::type_commit(&in_memory);
        }
        const std::int64_t extent = has_gaps ? etype + 3 : etype;
        const std::int64_t count = below(random, 16) == 0 ? 10000 : below(random, 60);
        const bool is_at = below(random, 2) == 0;
        const std::int64_t offset = is_at ? below(random, 200) : pointer;
        std::vector<char> memory = random_bytes(random, static_cast<std::size_t>(count * extent));
        std::vector<char> data(static_cast<std::size_t>(count * etype));
        status got;
        if (below(random, 2) == 0) {
            pack(*object_of(in_memory), memory.data(), count, 0, data.data(), count * etype);
            SG_CHECK((is_at ? core::file_write_at(f, offset, memory.data(), count, in_memory, &got)
                            : core::file_write(f, memory.data(), count, in_memory, &got)) == 0);
            SG_CHECK(got.bytes == count * etype);
            write_to_model(model, view.model, offset, data);
            pointer += is_at ? 0 : count;
        } else {
            const std::vector<char> before = memory;
            SG_CHECK((is_at ? core::file_read_at(f, offset, memory.data(), count, in_memory, &got)
                            : core::file_read(f, memory.data(), count, in_memory, &got)) == 0);
            const std::vector<char> expected =
                read_from_model(model, view.model, offset, data.size());
            SG_CHECK(got.bytes == static_cast<std::int64_t>(expected.size()));
            std::vector<char> after = before;
            unpack(*object_of(in_memory), after.data(), count, 0, expected.data(), got.bytes);
            SG_CHECK(memory == after);
            pointer += is_at ? 0 : (got.bytes + etype - 1) / etype;
        }
        std::int64_t told = 0;
        core::file_get_position(f, &told);
        SG_CHECK(told == pointer);
        core::file_get_byte_offset(f, offset, &told);
        SG_CHECK(told == static_cast<std::int64_t>(view.model.place(offset * etype)));
        core::file_seek(f, 0, abi::seek_end);
        core::file_get_position(f, &told);
        std::int64_t end = 0;
        while (view.model.place(end * etype) < model.size())
            ++end;
        SG_CHECK(told == end);
        pointer = below(random, 200);
        core::file_seek(f, pointer, abi::seek_set);
        if (below(random, 20) == 0) {
            model.resize(static_cast<std::size_t>(below(random, 3000)));
            SG_CHECK(core::file_set_size(f, static_cast<std::int64_t>(model.size())) == 0);
        }
        core::file_get_size(f, &told);
        SG_CHECK(told == static_cast<std::int64_t>(model.size()));
    }
    file closed = f;
    SG_CHECK(core::file_close(&closed) == 0 && closed == file::null);
    SG_CHECK(where.content() == model);
    return 0;
}

TEST(views, random_accesses_give_what_a_serial_model_gives) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const test_file where;
        EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
            return random_accesses(generator(seed), where);
        }))) << seed;
    }
}

// All ranks write at once, through views of their own that overlap.
int random_collective_writes(unsigned seed, int me, int ranks, const test_file &where) {
    const file f = open_file(where);
    SG_CHECK(f != file::null);
    std::vector<char> model;
    for (unsigned step = 0; step < 12; ++step) {
        generator random(seed * 1000 + step);
        for (int r = 0; r < ranks; ++r) {
            const random_view view(random);
            const std::int64_t count = below(random, 40);
            const std::vector<char> data =
                random_bytes(random, static_cast<std::size_t>(count * view.model.etype));
            write_to_model(model, view.model, 3, data);
            if (r != me)
                continue;
            // Not all etypes are alike, which a view must not notice: all ranks say MPI_BYTE.
            SG_CHECK(core::file_set_view(f, view.model.displacement, datatype::byte, view.filetype,
                                         "native", info::null) == 0);
        }
        generator again(seed * 1000 + step);
        for (int r = 0; r < ranks; ++r) {
            const random_view view(again);
            const std::int64_t count = below(again, 40);
            const std::vector<char> data =
                random_bytes(again, static_cast<std::size_t>(count * view.model.etype));
            if (r != me)
                continue;
            usleep(static_cast<useconds_t>((getpid() * 7 + static_cast<int>(step)) % 5 * 100));
            SG_CHECK(core::file_write_at_all(f, 3 * view.model.etype, data.data(),
                                             count * view.model.etype, datatype::byte,
                                             nullptr) == 0);
        }
        // Collective accesses end together.
        SG_CHECK(where.content() == model);
        core::barrier(comm::world);
    }
    file closed = f;
    return core::file_close(&closed);
}

TEST(views, collective_writes_take_effect_in_the_order_of_ranks) {
    for (const int ranks : {2, 4, 7})
        for (unsigned seed = 1; seed <= 4; ++seed) {
            const test_file where;
            EXPECT_TRUE(all_well(run_ranks(static_cast<std::uint32_t>(ranks), [&](int me) {
                return random_collective_writes(seed, me, ranks, where);
            }))) << seed;
        }
}

TEST(views, are_told_as_they_were_set) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        const file f = open_file(where);
        datatype vector = datatype::null;
        core::type_vector(3, 2, 5, datatype::int_, &vector);
        core::type_commit(&vector);
        SG_CHECK(core::file_set_view(f, 12, datatype::int_, vector, "internal", info::null) == 0);
        core::type_free(&vector);
        std::int64_t displacement = 0;
        datatype etype{};
        datatype filetype{};
        char name[abi::max_datarep_string];
        SG_CHECK(core::file_get_view(f, &displacement, &etype, &filetype, name) == 0);
        SG_CHECK(displacement == 12 && etype == datatype::int_ && std::string(name) == "internal");
        SG_CHECK(object_of(filetype)->extent() == 12 * 4 && object_of(filetype)->size() == 24);
        SG_CHECK(core::type_free(&filetype) == 0);
        // Without a view of its own a file shows all its bytes.
        file other = open_file(where, comm::self);
        SG_CHECK(core::file_get_view(other, &displacement, &etype, &filetype, name) == 0);
        SG_CHECK(displacement == 0 && etype == datatype::byte && filetype == datatype::byte &&
                 std::string(name) == "native");
        return 0;
    })));
}

TEST(views, that_the_standard_forbids_are_refused) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        const file f = open_file(where);
        const auto set = [&](std::int64_t displacement, datatype etype, datatype filetype,
                             const char *how = "native") {
            return core::file_set_view(f, displacement, etype, filetype, how, info::null);
        };
        SG_CHECK(set(-2, datatype::byte, datatype::byte) == abi::err_arg);
        SG_CHECK(set(displacement_current, datatype::byte, datatype::byte) == abi::err_disp);
        SG_CHECK(set(0, datatype::null, datatype::byte) == abi::err_type);
        SG_CHECK(set(0, datatype::byte, datatype::null) == abi::err_type);
        SG_CHECK(set(0, datatype::byte, datatype::byte, "martian") == abi::err_unsupported_datarep);
        // No whole number of etypes; places that go back; that overlap; before the displacement.
        SG_CHECK(set(0, datatype::double_, datatype::int_) == abi::err_arg);
        const std::int64_t lengths[] = {1, 1};
        const std::int64_t back[] = {4, 0};
        const std::int64_t negative[] = {-4, 0};
        const std::int64_t overlaps[] = {0, 2};
        for (const std::int64_t *const places : {back, negative, overlaps}) {
            datatype type = datatype::null;
            core::type_create_hindexed(2, lengths, places, datatype::int_, &type);
            SG_CHECK(set(0, datatype::int_, type) == abi::err_type); // not committed
            core::type_commit(&type);
            SG_CHECK(set(0, datatype::int_, type) == abi::err_io);
        }
        // Two elements of the file type may overlap: programs use the first one only.
        datatype within = datatype::null;
        core::type_create_resized(datatype::int_, 0, 2, &within);
        core::type_commit(&within);
        SG_CHECK(set(0, datatype::int_, within) == 0);
        return 0;
    })));
}

TEST(views, of_all_bytes_take_memory_with_gaps_piece_by_piece) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        const file f = open_file(where);
        datatype gapped = datatype::null;
        core::type_create_resized(datatype::double_, 0, 12, &gapped);
        core::type_commit(&gapped);
        // More than goes through the buffer at once.
        constexpr std::int64_t count = 300000;
        generator random(1);
        const std::vector<char> memory = random_bytes(random, count * 12);
        std::vector<char> expected(count * 8);
        pack(*object_of(gapped), memory.data(), count, 0, expected.data(), count * 8);
        status got;
        SG_CHECK(core::file_write(f, memory.data(), count, gapped, &got) == 0);
        SG_CHECK(got.bytes == count * 8 && where.content() == expected);
        std::vector<char> read(memory.size());
        SG_CHECK(core::file_set_size(f, 2000000) == 0);
        SG_CHECK(core::file_read_at(f, 0, read.data(), count, gapped, &got) == 0);
        std::vector<char> packed(count * 8);
        pack(*object_of(gapped), read.data(), count, 0, packed.data(), count * 8);
        std::fill(expected.begin() + 2000000, expected.end(), char{0});
        SG_CHECK(got.bytes == 2000000 && packed == expected);
        return 0;
    })));
}

TEST(views, behind_two_gigabytes_and_counts_above_an_int) {
    const test_file where;
    EXPECT_TRUE(all_well(run_ranks(1, [&](int) {
        const file f = open_file(where);
        const std::int64_t far = (std::int64_t{5} << 30) + 3;
        const int value = 77;
        SG_CHECK(core::file_write_at(f, far, &value, 4, datatype::byte, nullptr) == 0);
        std::int64_t size = 0;
        SG_CHECK(core::file_get_size(f, &size) == 0 && size == far + 4);
        // Every 1,000,000th int, of which 3,000,000 are asked for, of a file of 1,342 of them.
        datatype sparse = datatype::null;
        core::type_create_resized(datatype::int_, 0, 4000000, &sparse);
        core::type_commit(&sparse);
        SG_CHECK(core::file_set_view(f, 3, datatype::int_, sparse, "native", info::null) == 0);
        std::vector<int> values(3000000);
        status got;
        SG_CHECK(core::file_read(f, values.data(), 3000000, datatype::int_, &got) == 0);
        SG_CHECK(got.bytes == (far - 3) / 4000000 * 4 + 4);
        std::int64_t place = 0;
        SG_CHECK(core::file_get_byte_offset(f, std::int64_t{1} << 33, &place) == 0 &&
                 place == 3 + (std::int64_t{1} << 33) * 4000000);
        return 0;
    })));
}

} // namespace
} // namespace saguaro::mpi
