// SPDX-License-Identifier: MIT
// Comparing a call's arguments with the expected ones, and answering it.
#include "fake.hpp"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace fake {

state now;

mpi::status status_of_core(int seed) {
    constexpr int sources[] = {mpi::abi::any_source, mpi::abi::proc_null, 7};
    constexpr int tags[] = {mpi::abi::any_tag, 9};
    constexpr int errors[] = {mpi::abi::err_truncate, mpi::abi::err_request};
    return {sources[seed % 3], tags[seed % 2], errors[seed / 2 % 2],
            seed + (seed % 2 == 0 ? 0 : std::int64_t{5'000'000'000}), seed % 2 == 0};
}

void begin(const char *function, const char *core, std::vector<step> steps) {
    now = {};
    now.function = function;
    now.core = core;
    now.steps = std::move(steps);
}

void end(int result) {
    if (!now.was_called)
        complain("the core was not called");
    if (result != 0)
        complain("returned " + std::to_string(result) + ", raised " + std::to_string(now.raised));
}

void complain(const std::string &what) {
    ADD_FAILURE() << now.function << ": " << what;
}

void meet(const mpi::status *p, const step &s, std::size_t i) {
    const mpi::status expected = status_of_core(static_cast<int>(s.first));
    check_equal(s.what, int{step::in_status}, i);
    check_equal(bits(p->source), bits(expected.source), i);
    check_equal(bits(p->tag), bits(expected.tag), i);
    check_equal(bits(p->error), bits(expected.error), i);
    check_equal(bits(p->bytes), bits(expected.bytes), i);
    check_equal(p->cancelled, bits(expected.cancelled), i);
}

void meet(mpi::status *p, const step &s, std::size_t i) {
    if (p == nullptr)
        return check_equal(s.what, int{step::ignored}, i);
    check_equal(s.what, int{step::out_status}, i);
    for (std::uint64_t n = 0; n < s.second; ++n) {
        const int error = p[n].error;
        p[n] = status_of_core(static_cast<int>(s.first + n));
        if (s.words == "no error")
            p[n].error = error;
    }
}

void meet(char *p, const step &s, std::size_t i) {
    if (s.what != step::text_out)
        return check_equal(bits(p), s.first, i);
    std::strcpy(p, s.words.c_str());
}

void meet(const char *p, const step &s, std::size_t) {
    if (p != s.words)
        complain(std::string("a text is ") + p);
}

} // namespace fake

namespace saguaro::mpi::core {

namespace {

int note(std::uint32_t on, int error, const char *function) {
    fake::now.raised = error;
    fake::now.raised_on = on;
    fake::now.raised_by = function;
    return error;
}

} // namespace

bool active() {
    return fake::now.active;
}
void end_untimely(const char *function) {
    std::fprintf(stderr, "untimely %s\n", function);
    std::_Exit(1);
}
int raise(comm on, int error, const char *name) {
    return note(number(on), error, name);
}
int raise(win on, int error, const char *name) {
    return note(number(on), error, name);
}
int raise(file on, int error, const char *name) {
    return note(number(on), error, name);
}
int raise(session on, int error, const char *name) {
    return note(number(on), error, name);
}
int raise(failed_request, int error, const char *name) {
    return note(fake::on_failed_request, error, name);
}

// All arrays of the test have two entries.
std::int64_t peers(comm) {
    fake::now.asked.insert("peers");
    return 2;
}

std::int64_t local_size(comm) {
    fake::now.asked.insert("local_size");
    return 2;
}

std::int64_t in_degree(comm) {
    fake::now.asked.insert("in_degree");
    return 2;
}

std::int64_t out_degree(comm) {
    fake::now.asked.insert("out_degree");
    return 2;
}

bool is_root(comm, int root) {
    fake::now.asked.insert("is_root " + std::to_string(root));
    return fake::now.is_root;
}

// Functions that the faces call in ways of their own.
int comm_get_attr(comm of, int keyval, void **value, int *flag) {
    return fake::called("comm_get_attr", of, keyval, value, flag);
}

int type_get_attr(datatype of, int keyval, void **value, int *flag) {
    return fake::called("type_get_attr", of, keyval, value, flag);
}

int win_get_attr(win of, int keyval, void **value, int *flag) {
    return fake::called("win_get_attr", of, keyval, value, flag);
}

int declare_cost(std::int64_t cost) {
    return fake::called("declare_cost", cost);
}

// Each type is an array of two dimensions that a grid of processes has: MPI_Type_create_darray.
int type_get_envelope(datatype, std::int64_t *integers, std::int64_t *addresses,
                      std::int64_t *large_counts, std::int64_t *types, int *combiner) {
    *integers = 12;
    *addresses = 0;
    *large_counts = fake::now.answer; // a test that wants some says so
    *types = 1;
    *combiner = abi::combiner_darray;
    return 0;
}

int type_get_contents(datatype, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                      int *integers, std::int64_t *, std::int64_t *, datatype *types) {
    constexpr int made_of[] = {4,
                               1,
                               2,
                               100,
                               200,
                               abi::distribute_block,
                               abi::distribute_cyclic,
                               abi::distribute_dflt_darg,
                               5,
                               2,
                               2,
                               abi::order_fortran};
    std::memcpy(integers, made_of, sizeof made_of);
    types[0] = datatype::double_;
    return 0;
}

} // namespace saguaro::mpi::core
