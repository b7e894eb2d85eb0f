// SPDX-License-Identifier: MIT
// Functions of datatypes that a face implements itself: what a type was made of, and its extent.
#pragma once

#include "mpi/core/interface/constants.hpp"
#include "mpi/faces/arguments.hpp"
#include "mpi/faces/call.hpp"

#include <cstdint>

namespace saguaro::mpi::faces {

// A part of `own`. The core has one function for each form that faces give of it: every number is
// 64 bits wide there, and narrowed here.
template <class face>
struct own_datatypes {
    using arg = arguments<face>;
    template <class handle>
    using outer = typename face::template handle<handle>;

    struct envelope {
        std::int64_t integers, addresses, large_counts, types;
        int combiner;
    };

    template <class function>
    static int get_envelope(const char *name, function *get, outer<datatype> of, envelope &e) {
        return call<face>(comm::self, name, get, typename arg::template in<datatype>(of),
                          raw<std::int64_t *>(&e.integers), raw<std::int64_t *>(&e.addresses),
                          raw<std::int64_t *>(&e.large_counts), raw<std::int64_t *>(&e.types),
                          raw<int *>(&e.combiner));
    }

    template <class function>
    static int type_get_envelope(const char *name, function *get, outer<datatype> of, int *integers,
                                 int *addresses, int *types, int *combiner) {
        envelope e{};
        if (integers == nullptr || addresses == nullptr || types == nullptr || combiner == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        if (const int error = get_envelope(name, get, of, e); error != 0)
            return error;
        if (e.large_counts != 0)
            return fail<face>(comm::self, abi::err_type, name);
        *integers = narrowed<int>(e.integers);
        *addresses = narrowed<int>(e.addresses);
        *types = narrowed<int>(e.types);
        *combiner = face::template to_face<domain::combiner>(e.combiner);
        return 0;
    }

    template <class function>
    static int type_get_envelope_c(const char *name, function *get, outer<datatype> of,
                                   std::int64_t *integers, std::int64_t *addresses,
                                   std::int64_t *large_counts, std::int64_t *types, int *combiner) {
        envelope e{};
        if (integers == nullptr || addresses == nullptr || large_counts == nullptr ||
            types == nullptr || combiner == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        if (const int error = get_envelope(name, get, of, e); error != 0)
            return error;
        *integers = e.integers;
        *addresses = e.addresses;
        *large_counts = e.large_counts;
        *types = e.types;
        *combiner = face::template to_face<domain::combiner>(e.combiner);
        return 0;
    }

    template <class envelopes, class contents>
    static int type_get_contents(const char *name, envelopes *envelope_of, contents *get,
                                 outer<datatype> of, int max_integers, int max_addresses,
                                 int max_types, int *integers, std::intptr_t *addresses,
                                 outer<datatype> *types) {
        return type_get_contents_c(name, envelope_of, get, of, max_integers, max_addresses, 0,
                                   max_types, integers, addresses, nullptr, types);
    }

    template <class envelopes, class contents>
    static int type_get_contents_c(const char *name, envelopes *envelope_of, contents *get,
                                   outer<datatype> of, std::int64_t max_integers,
                                   std::int64_t max_addresses, std::int64_t max_large_counts,
                                   std::int64_t max_types, int *integers, std::intptr_t *addresses,
                                   std::int64_t *large_counts, outer<datatype> *types) {
        envelope e{};
        if (const int error = get_envelope(name, envelope_of, of, e); error != 0)
            return error;
        const int error = call<face>(
            comm::self, name, get, typename arg::template in<datatype>(of),
            number<std::int64_t>(max_integers), number<std::int64_t>(max_addresses),
            number<std::int64_t>(max_large_counts), number<std::int64_t>(max_types),
            raw<int *>(integers), raw<std::int64_t *>(addresses), raw<std::int64_t *>(large_counts),
            typename arg::template out_array<datatype>(types,
                                                       max_types < e.types ? max_types : e.types));
        if (error == 0)
            convert_contents(e, integers);
        return error;
    }

    // The constants among the integers that an array's type was made of.
    static void convert_contents(const envelope &e, int *integers) {
        if (e.combiner != abi::combiner_subarray && e.combiner != abi::combiner_darray)
            return;
        int &order = integers[e.integers - 1];
        order = face::template to_face<domain::order>(order);
        if (e.combiner != abi::combiner_darray)
            return;
        const int dimensions = integers[2];
        int *distributions = integers + 3 + (e.large_counts == 0 ? dimensions : 0);
        for (int i = 0; i < dimensions; ++i) {
            int &distribution = distributions[i];
            int &argument = distributions[dimensions + i];
            distribution = face::template to_face<domain::distribution>(distribution);
            argument = face::template to_face<domain::distribution_argument>(argument);
        }
    }

    // What MPI 3 removed: the extent and its two ends, one by one.

    template <class function>
    static int type_extent(const char *name, function *get, outer<datatype> of, std::int64_t *to) {
        return part_of_extent(name, get, of, to, [](auto, auto extent) { return extent; });
    }

    template <class function>
    static int type_lb(const char *name, function *get, outer<datatype> of, std::int64_t *to) {
        return part_of_extent(name, get, of, to, [](auto lower, auto) { return lower; });
    }

    template <class function>
    static int type_ub(const char *name, function *get, outer<datatype> of, std::int64_t *to) {
        return part_of_extent(name, get, of, to,
                              [](auto lower, auto extent) { return lower + extent; });
    }

    template <class function, class choice>
    static int part_of_extent(const char *name, function *get, outer<datatype> of, std::int64_t *to,
                              choice part) {
        if (to == nullptr)
            return fail<face>(comm::self, abi::err_arg, name);
        std::int64_t lower = 0;
        std::int64_t extent = 0;
        const int error = call<face>(comm::self, name, get, typename arg::template in<datatype>(of),
                                     raw<std::int64_t *>(&lower), raw<std::int64_t *>(&extent));
        if (error == 0)
            *to = part(lower, extent);
        return error;
    }
};

} // namespace saguaro::mpi::faces
