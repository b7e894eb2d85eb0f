// SPDX-License-Identifier: MIT
// Reading gfortran's array descriptors, and copying sections with gaps to and fro.
#include "mpi/fortran/section.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace saguaro::mpi::fortran {

bool descriptor::is_contiguous() const {
    auto expected = static_cast<std::int64_t>(element);
    for (int i = 0; i < rank; ++i) {
        if (extent(i) != 1 && dimensions[i].stride * unit() != expected)
            return false;
        expected *= extent(i);
    }
    return true;
}

namespace {

std::int64_t elements_of(const descriptor &array) {
    std::int64_t all = 1;
    for (int i = 0; i < array.rank; ++i)
        all *= std::max<std::int64_t>(array.extent(i), 0);
    return all;
}

void append(std::vector<run> &runs, MPI_Aint at, std::int64_t element) {
    if (!runs.empty() && runs.back().displacement + runs.back().elements * element == at)
        ++runs.back().elements;
    else
        runs.push_back({at, 1});
}

} // namespace

std::vector<run> runs_of(const descriptor &array, std::int64_t elements) {
    std::vector<run> runs;
    std::int64_t index[15] = {};
    const auto element = static_cast<std::int64_t>(array.element);
    for (std::int64_t n = 0; n < elements; ++n) {
        MPI_Aint at = 0;
        for (int i = 0; i < array.rank; ++i)
            at += index[i] * array.dimensions[i].stride * array.unit();
        append(runs, at, element);
        for (int i = 0; i < array.rank; ++i) {
            // The last dimension has no end that matters: elements says where to stop.
            if (++index[i] < array.extent(i) || i == array.rank - 1)
                break;
            index[i] = 0;
        }
    }
    return runs;
}

bool type_with_gaps(const descriptor &array, std::int64_t count, MPI_Datatype *type) {
    MPI_Aint lower = 0, extent = 0, size = 0;
    int bytes = 0;
    PMPI_Type_get_extent(*type, &lower, &extent);
    PMPI_Type_size(*type, &bytes);
    size = bytes;
    const auto element = static_cast<MPI_Aint>(array.element);
    MPI_Datatype of = *type;
    MPI_Aint in_each = 0; // how many of the type an element of the array has
    std::int64_t elements = 0;
    if (extent > 0 && element % extent == 0) {
        in_each = element / extent;
        elements = (count + in_each - 1) / in_each;
    } else if (extent > 0 && size == extent && extent % element == 0) {
        // An element of the type covers some of the array's: what it has are bytes without gaps.
        of = MPI_BYTE;
        in_each = element;
        elements = count * (extent / element);
    } else {
        *type = MPI_DATATYPE_NULL;
        return false;
    }
    std::vector<int> lengths;
    std::vector<MPI_Aint> displacements;
    std::int64_t left = of == MPI_BYTE ? elements * in_each : count;
    for (const run &each : runs_of(array, elements)) {
        const std::int64_t some = std::min<std::int64_t>(each.elements * in_each, left);
        if (some > std::numeric_limits<int>::max()) {
            *type = MPI_DATATYPE_NULL;
            return false;
        }
        lengths.push_back(static_cast<int>(some));
        displacements.push_back(each.displacement);
        left -= some;
    }
    const int error = PMPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(),
                                                displacements.data(), of, type);
    if (error != MPI_SUCCESS) {
        *type = MPI_DATATYPE_NULL;
        return false;
    }
    PMPI_Type_commit(type);
    return true;
}

bool refuses(const descriptor *array, integer comm, integer *error) {
    if (array->is_special() || array->is_contiguous())
        return false;
    PMPI_Comm_call_errhandler(to_c<MPI_Comm>(comm), MPI_ERR_BUFFER);
    if (error != nullptr)
        *error = MPI_ERR_BUFFER;
    return true;
}

copied::copied(const descriptor *array) : array_(*array) {
    if (array->is_special() || array->is_contiguous())
        return;
    const std::int64_t elements = elements_of(array_);
    runs_ = runs_of(array_, elements);
    copy_.resize(static_cast<std::size_t>(elements) * array_.element);
    std::byte *to = copy_.data();
    for (const run &each : runs_) {
        const std::size_t size = static_cast<std::size_t>(each.elements) * array_.element;
        std::memcpy(to, static_cast<std::byte *>(array_.base) + each.displacement, size);
        to += size;
    }
}

void copied::write_back() {
    const std::byte *from = copy_.data();
    for (const run &each : runs_) {
        const std::size_t size = static_cast<std::size_t>(each.elements) * array_.element;
        std::memcpy(static_cast<std::byte *>(array_.base) + each.displacement, from, size);
        from += size;
    }
}

} // namespace saguaro::mpi::fortran
