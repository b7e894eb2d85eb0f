// SPDX-License-Identifier: MIT
// CHARACTER arguments: a length that the program does not see, and blanks after the text.
#pragma once

#include "mpi/fortran/face.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::mpi::fortran {

inline std::string_view without_blanks(const char *text, length size) {
    const std::string_view all(text, size);
    const auto last = all.find_last_not_of(' ');
    return last == all.npos ? std::string_view() : all.substr(0, last + 1);
}

inline std::string without_leading_blanks(std::string_view text) {
    return std::string(text.substr(std::min(text.find_first_not_of(' '), text.size())));
}

inline void write_text(std::string_view from, char *to, length size) {
    const std::size_t some = std::min<std::size_t>(from.size(), size);
    std::memcpy(to, from.data(), some);
    std::memset(to + some, ' ', size - some);
}

// A string that C reads.
class text_in {
public:
    text_in(const char *text, length size) : value_(without_blanks(text, size)) {}

    const char *pass() { return value_.c_str(); }
    void finish(bool) {}

protected:
    std::string value_;
};

// Of a key or a value of an info, and of a command, the leading blanks do not count either.
class trimmed_text : public text_in {
public:
    trimmed_text(const char *text, length size) : text_in(text, size) {
        value_ = without_leading_blanks(value_);
    }
};

// A string that C writes, of so many bytes at most; only if the flag is set then.
class text_out {
public:
    text_out(char *to, length size, std::size_t room, const integer *flag = nullptr)
        : to_(to), size_(size), flag_(flag), value_(room + 1) {}

    char *pass() { return value_.data(); }
    void finish(bool done) {
        if (done && (flag_ == nullptr || *flag_ != 0))
            write_text(value_.data(), to_, size_);
    }

private:
    char *to_;
    length size_;
    const integer *flag_;
    std::vector<char> value_;
};

// An array of strings, which a blank one ends: arguments of a program that MPI_Comm_spawn begins.
class argument_list {
public:
    argument_list(const char *first, length size, std::size_t step) {
        for (const char *at = first;; at += step) {
            const std::string_view text = without_blanks(at, size);
            if (text.empty())
                break;
            texts_.push_back(without_leading_blanks(text));
        }
        for (std::string &text : texts_)
            pointers_.push_back(text.data());
        pointers_.push_back(nullptr);
    }

    char **get() { return pointers_.data(); }

private:
    std::vector<std::string> texts_;
    std::vector<char *> pointers_;
};

} // namespace saguaro::mpi::fortran
