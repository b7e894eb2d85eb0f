// SPDX-License-Identifier: MIT
// Error classes and codes: the standard's, and those that the program adds.
#include "mpi/core/errors/errors.hpp"
#include "mpi/core/interface/functions.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

namespace saguaro::mpi {

namespace {

// In the order of their numbers, from MPI_SUCCESS on.
constexpr std::array<const char *, 63> texts = {
    "no error",
    "invalid buffer pointer",
    "invalid count",
    "invalid datatype",
    "invalid tag",
    "invalid communicator",
    "invalid rank",
    "invalid request",
    "invalid root",
    "invalid group",
    "invalid operator",
    "invalid topology",
    "invalid dimensions",
    "invalid argument",
    "unknown error",
    "message truncated",
    "another error",
    "internal error",
    "a pending request",
    "the error is in the status",
    "permission denied",
    "invalid access mode",
    "invalid assertion",
    "invalid file name",
    "invalid base address",
    "error in a data conversion function",
    "invalid displacement",
    "the data representation is defined already",
    "the file exists",
    "the file is in use",
    "invalid file handle",
    "invalid info key",
    "no such info key",
    "invalid info value",
    "invalid info object",
    "input or output error",
    "invalid key of attributes",
    "invalid lock type",
    "invalid service name",
    "out of memory",
    "arguments differ between ranks",
    "no space left",
    "no such file",
    "invalid port name",
    "quota exceeded",
    "read-only file or file system",
    "memory cannot be attached to the window",
    "conflicting accesses to a window",
    "target memory is outside of the window",
    "memory of the window cannot be shared",
    "wrong synchronization of a window",
    "invalid service",
    "invalid size",
    "error in spawning",
    "unsupported data representation",
    "unsupported operation",
    "invalid window",
    "wrong flavor of a window",
    "a process has been aborted",
    "a value does not fit",
    "invalid session",
    "invalid error handler",
    "error of a function of the ABI",
};

// From MPI_T_ERR_CANNOT_INIT on.
constexpr std::array<const char *, 18> texts_of_tools = {
    "MPI_T cannot begin",
    "not accessible by tools",
    "MPI_T has not begun",
    "not supported by tools",
    "out of memory for tools",
    "invalid use of MPI_T",
    "no such index",
    "no such item",
    "no such session of tools",
    "no such handle of tools",
    "no such name",
    "out of handles of tools",
    "out of sessions of tools",
    "the variable cannot be set now",
    "the variable can never be set",
    "the variable cannot be written",
    "the variable cannot be started or stopped",
    "the variable cannot be read and reset at once",
};

struct added_code {
    int of_class; // its own number, if it is a class
    std::string text;
};

// Above MPI_ERR_LASTCODE of all faces, so that a program sees the core's number in each.
constexpr int first_added = 0x40000000;

std::mutex codes_guard;

// Programs add codes before MPI_Init, too.
std::map<int, added_code> &added() {
    static auto &made = *new std::map<int, added_code>;
    return made;
}

bool is_of_standard(int code) {
    return code >= 0 && code <= abi::err_lastcode;
}

// Null if the program has not added it.
added_code *find_added(int code) {
    const auto at = added().find(code);
    return at != added().end() ? &at->second : nullptr;
}

// The least number that is free; the class of a class is itself.
int add(std::optional<int> of_class) {
    int number = first_added;
    for (const auto &[used, code] : added()) {
        if (used != number)
            break;
        ++number;
    }
    added().emplace(number, added_code{of_class.value_or(number), ""});
    return number;
}

bool is_class(int code) {
    const added_code *const own = find_added(code);
    return own != nullptr ? own->of_class == code : is_of_standard(code);
}

const char *text_of_standard(int code) {
    const auto at = static_cast<std::size_t>(code);
    if (at < texts.size())
        return texts[at];
    const std::size_t of_tools = at - static_cast<std::size_t>(abi::t_err_cannot_init);
    return of_tools < texts_of_tools.size() ? texts_of_tools[of_tools] : "unknown error";
}

} // namespace

std::string error_text(int code) {
    const std::lock_guard hold(codes_guard);
    const added_code *const own = find_added(code);
    return own != nullptr ? own->text : text_of_standard(code);
}

int last_used_code() {
    const std::lock_guard hold(codes_guard);
    return added().empty() ? abi::err_lastcode : added().rbegin()->first;
}

namespace core {

int error_class(int code, int *out) {
    const std::lock_guard hold(codes_guard);
    const added_code *const own = find_added(code);
    if (own == nullptr && !is_of_standard(code))
        return abi::err_arg;
    *out = own != nullptr ? own->of_class : code;
    return abi::success;
}

int error_string(int code, char *text, int *length) {
    int its_class = 0;
    if (const int error = error_class(code, &its_class))
        return error;
    *length = std::snprintf(text, abi::max_error_string, "%s", error_text(code).c_str());
    return abi::success;
}

int add_error_class(int *out) {
    const std::lock_guard hold(codes_guard);
    *out = add(std::nullopt);
    return abi::success;
}

int add_error_code(int of_class, int *out) {
    const std::lock_guard hold(codes_guard);
    if (!is_class(of_class))
        return abi::err_arg;
    *out = add(of_class);
    return abi::success;
}

int add_error_string(int code, const char *text) {
    const std::lock_guard hold(codes_guard);
    added_code *const own = find_added(code);
    if (own == nullptr)
        return abi::err_arg;
    own->text.assign(text, strnlen(text, abi::max_error_string - 1));
    return abi::success;
}

// MPI 4.1, 9.5: what is removed was added, and nothing that was added depends on it: neither a code
// on a class nor a string on either.

int remove_error_class(int which) {
    const std::lock_guard hold(codes_guard);
    const added_code *const own = find_added(which);
    if (own == nullptr || !is_class(which))
        return abi::err_arg;
    if (!own->text.empty())
        return abi::err_other;
    for (const auto &[number, code] : added())
        if (code.of_class == which && number != which)
            return abi::err_other;
    added().erase(which);
    return abi::success;
}

int remove_error_code(int which) {
    const std::lock_guard hold(codes_guard);
    const added_code *const own = find_added(which);
    if (own == nullptr || is_class(which))
        return abi::err_arg;
    if (!own->text.empty())
        return abi::err_other;
    added().erase(which);
    return abi::success;
}

int remove_error_string(int of_code) {
    const std::lock_guard hold(codes_guard);
    added_code *const own = find_added(of_code);
    if (own == nullptr || own->text.empty())
        return abi::err_arg;
    own->text.clear();
    return abi::success;
}

} // namespace core

} // namespace saguaro::mpi
