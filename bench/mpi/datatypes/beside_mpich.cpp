// SPDX-License-Identifier: MIT
// The datatypes' pack and unpack beside MPICH's MPI_Pack and MPI_Unpack, in one process: medians of
// 15 rounds, in each of which both take their turn, and their ratio. Both must pack the same bytes.
#include <mpi.h>

#include "mpi/core/interface/constants.hpp"
#include "mpi/datatypes/arrays.hpp"
#include "mpi/datatypes/constructors.hpp"
#include "mpi/datatypes/predefined.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

namespace own = saguaro::mpi;

constexpr int rounds = 15;
constexpr double round_nanoseconds = 300'000;

struct both {
    const char *name;
    MPI_Datatype theirs;
    own::type_pointer ours;
    int count = 1;
};

template <class function>
double nanoseconds(const function &call, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i != times; ++i)
        call();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / times;
}

double median(std::vector<double> of) {
    std::ranges::nth_element(of, of.begin() + rounds / 2);
    return of[rounds / 2];
}

template <class their_function, class our_function>
std::pair<double, double> compare(const their_function &theirs, const our_function &ours) {
    theirs();
    const int times = std::max(1, static_cast<int>(round_nanoseconds / nanoseconds(theirs, 1)));
    std::vector<double> their_times, our_times;
    for (int round = 0; round != rounds; ++round) {
        their_times.push_back(nanoseconds(theirs, times));
        our_times.push_back(nanoseconds(ours, times));
    }
    return {median(their_times), median(our_times)};
}

void measure(both of) {
    MPI_Type_commit(&of.theirs);
    const std::int64_t bytes = of.ours->size() * of.count;
    const std::int64_t memory = of.ours->extent() * of.count + of.ours->true_extent();
    std::vector<unsigned char> elements(static_cast<std::size_t>(memory));
    std::mt19937 random(1);
    for (unsigned char &each : elements)
        each = static_cast<unsigned char>(random());
    std::vector<unsigned char> their_stream(static_cast<std::size_t>(bytes));
    std::vector<unsigned char> our_stream(static_cast<std::size_t>(bytes));
    const auto room = static_cast<int>(bytes);

    const auto packed = compare(
        [&] {
            int position = 0;
            MPI_Pack(elements.data(), of.count, of.theirs, their_stream.data(), room, &position,
                     MPI_COMM_SELF);
        },
        [&] { own::pack(*of.ours, elements.data(), of.count, 0, our_stream.data(), bytes); });
    if (their_stream != our_stream) {
        std::fprintf(stderr, "bench-datatypes: %s: the packed bytes differ\n", of.name);
        std::exit(1);
    }
    const auto unpacked = compare(
        [&] {
            int position = 0;
            MPI_Unpack(their_stream.data(), room, &position, elements.data(), of.count, of.theirs,
                       MPI_COMM_SELF);
        },
        [&] { own::unpack(*of.ours, elements.data(), of.count, 0, their_stream.data(), bytes); });
    std::printf("| %-46s | %8lld | %8.0f | %8.0f | %.2f | %8.0f | %8.0f | %.2f |\n", of.name,
                static_cast<long long>(bytes), packed.first, packed.second,
                packed.second / packed.first, unpacked.first, unpacked.second,
                unpacked.second / unpacked.first);
    MPI_Type_free(&of.theirs);
}

const own::type_pointer &basic(own::datatype which) {
    return own::predefined_object(which);
}

both vector(const char *name, int count, int length, int stride, MPI_Datatype theirs,
            own::datatype ours) {
    both made{name, theirs, nullptr};
    MPI_Type_vector(count, length, stride, theirs, &made.theirs);
    own::type_vector(count, length, stride, basic(ours), &made.ours);
    return made;
}

both doubles_of_array(const char *name, const std::vector<int> &sizes,
                      const std::vector<int> &subsizes, const std::vector<int> &starts) {
    both made{name, MPI_DATATYPE_NULL, nullptr};
    const auto dimensions = static_cast<int>(sizes.size());
    MPI_Type_create_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(), MPI_ORDER_C,
                             MPI_DOUBLE, &made.theirs);
    const std::vector<std::int64_t> wide_sizes(sizes.begin(), sizes.end());
    const std::vector<std::int64_t> wide_subsizes(subsizes.begin(), subsizes.end());
    const std::vector<std::int64_t> wide_starts(starts.begin(), starts.end());
    own::type_subarray(dimensions, wide_sizes.data(), wide_subsizes.data(), wide_starts.data(),
                       own::abi::order_c, basic(own::datatype::double_), &made.ours);
    return made;
}

both random_blocks() {
    both made{"indexed, 2,000 blocks of 1 to 6 doubles", MPI_DATATYPE_NULL, nullptr};
    std::mt19937 random(2);
    std::vector<int> lengths, places;
    int end = 0;
    for (int i = 0; i != 2000; ++i) {
        places.push_back(end + 1 + static_cast<int>(random() % 8));
        lengths.push_back(1 + static_cast<int>(random() % 6));
        end = places.back() + lengths.back();
    }
    MPI_Type_indexed(2000, lengths.data(), places.data(), MPI_DOUBLE, &made.theirs);
    const std::vector<std::int64_t> wide_lengths(lengths.begin(), lengths.end());
    const std::vector<std::int64_t> wide_places(places.begin(), places.end());
    own::type_indexed(2000, wide_lengths.data(), wide_places.data(), basic(own::datatype::double_),
                      &made.ours);
    return made;
}

both random_indices(const char *name, int length, MPI_Datatype theirs, own::datatype ours) {
    both made{name, theirs, nullptr};
    std::mt19937 random(3);
    std::vector<int> places;
    for (int i = 0; i != 2000; ++i)
        places.push_back(static_cast<int>(random() % 20'000));
    std::ranges::sort(places);
    MPI_Type_create_indexed_block(2000, length, places.data(), theirs, &made.theirs);
    const std::vector<std::int64_t> wide_places(places.begin(), places.end());
    own::type_indexed_block(2000, length, wide_places.data(), basic(ours), &made.ours);
    return made;
}

both records(const char *name, int count) {
    both made{name, MPI_DATATYPE_NULL, nullptr, count};
    const int lengths[] = {1, 1, 3};
    const std::int64_t wide_lengths[] = {1, 1, 3};
    const MPI_Aint places[] = {0, 8, 16};
    const std::int64_t wide_places[] = {0, 8, 16};
    const MPI_Datatype their_types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    const own::type_pointer our_types[] = {
        basic(own::datatype::int_), basic(own::datatype::double_), basic(own::datatype::char_)};
    MPI_Type_create_struct(3, lengths, places, their_types, &made.theirs);
    own::type_struct(3, wide_lengths, wide_places, our_types, &made.ours);
    return made;
}

both columns() {
    both made = vector("transpose, 100 columns of 100 x 100 doubles", 100, 1, 100, MPI_DOUBLE,
                       own::datatype::double_);
    made.count = 100;
    MPI_Datatype column = made.theirs;
    MPI_Type_create_resized(column, 0, sizeof(double), &made.theirs);
    MPI_Type_free(&column);
    own::type_resized(made.ours, 0, sizeof(double), &made.ours);
    return made;
}

} // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    std::puts("| type | bytes | pack: MPICH, ns | own, ns | ratio "
              "| unpack: MPICH, ns | own, ns | ratio |");
    std::puts("|---|---|---|---|---|---|---|---|");
    using enum own::datatype;
    measure(vector("vector, 16 doubles, stride 2", 16, 1, 2, MPI_DOUBLE, double_));
    measure(vector("vector, 1,000 doubles, stride 2", 1000, 1, 2, MPI_DOUBLE, double_));
    measure(vector("vector, 100,000 doubles, stride 2", 100'000, 1, 2, MPI_DOUBLE, double_));
    measure(vector("vector, 1,000 ints, stride 3", 1000, 1, 3, MPI_INT, int_));
    measure(vector("vector, 1,000 blocks of 4 ints, stride 8", 1000, 4, 8, MPI_INT, int_));
    measure(vector("vector, 100,000 blocks of 4 ints, stride 8", 100'000, 4, 8, MPI_INT, int_));
    measure(doubles_of_array("2-d subarray, a column of 1,000 x 1,000", {1000, 1000}, {1000, 1},
                             {0, 5}));
    measure(doubles_of_array("2-d subarray, 500 x 50 of 1,000 x 1,000", {1000, 1000}, {500, 50},
                             {0, 5}));
    measure(doubles_of_array("3-d face x of 100^3 (one piece)", {100, 100, 100}, {1, 100, 100},
                             {0, 0, 0}));
    measure(
        doubles_of_array("3-d face y of 100^3 (rows)", {100, 100, 100}, {100, 1, 100}, {0, 0, 0}));
    measure(doubles_of_array("3-d face z of 100^3 (single doubles)", {100, 100, 100}, {100, 100, 1},
                             {0, 0, 0}));
    measure(
        doubles_of_array("3-d halo of 2 doubles, 64 x 64", {66, 66, 66}, {64, 64, 2}, {1, 1, 1}));
    measure(random_blocks());
    measure(random_indices("indexed_block, 2,000 random doubles", 1, MPI_DOUBLE, double_));
    measure(random_indices("indexed_block, 2,000 random blocks of 3 ints", 3, MPI_INT, int_));
    measure(records("struct {int; double; char[3]}", 1));
    measure(records("struct {int; double; char[3]}, 1,000 of them", 1000));
    measure(vector("contiguous, 1,000 doubles", 1, 1000, 1000, MPI_DOUBLE, double_));
    measure(columns());
    MPI_Finalize();
    return 0;
}
