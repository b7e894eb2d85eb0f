// SPDX-License-Identifier: MIT
// Reading a plain or compressed file into a buffer, line by line.
#include "line_reader.hpp"

#include "fault.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace saguaro::pbfs {

namespace {

constexpr std::size_t longest_line = std::size_t{64} * 1024;
constexpr std::size_t buffer_size = 4 * longest_line;

std::string system_message(int error) {
    return std::generic_category().message(error);
}

} // namespace

line_reader::line_reader(const std::string &path, const std::string &instead)
    : path_(path), buffer_(buffer_size) {
    errno = 0; // zlib leaves it alone when it runs out of memory
    file_.reset(gzopen(path.c_str(), "rb"));
    if (!file_) {
        // No line: there is no file to have one.
        throw fault(path_ + ": cannot be opened: " + system_message(errno != 0 ? errno : ENOMEM) +
                    "; accepted: a Matrix Market file (.mtx, .mtx.gz), " + instead);
    }
    gzbuffer(file_.get(), buffer_size);
}

std::string line_reader::where() const {
    return path_ + ":" + std::to_string(std::max<std::uint64_t>(line_, 1));
}

void line_reader::fail(const std::string &what) const {
    throw fault(where() + ": " + what);
}

/// Reads on behind what is not yet given; false at the end of the file. Of a stream that breaks off
/// zlib gives what there is, with Z_BUF_ERROR: a fault only when all of that has been looked at.
bool line_reader::fill() {
    std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
    end_ -= begin_;
    begin_ = 0;
    const int count =
        gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
    int status = Z_OK;
    const char *message = gzerror(file_.get(), &status);
    if (count < 0 && status == Z_ERRNO)
        throw fault(path_ + ": cannot be read: " + system_message(errno));
    if (count < 0 || (count == 0 && status == Z_BUF_ERROR)) {
        ++line_;
        fail(status == Z_BUF_ERROR ? "the gzip stream breaks off; accepted: a complete one"
                                   : std::string("the gzip stream is damaged: ") + message);
    }
    end_ += static_cast<std::size_t>(count);
    return count > 0;
}

bool line_reader::next(std::string_view &line) {
    std::size_t looked_at = 0;
    for (;;) {
        const char *const start = buffer_.data() + begin_;
        const std::size_t held = end_ - begin_;
        const void *const found = std::memchr(start + looked_at, '\n', held - looked_at);
        std::size_t length = held;
        if (found != nullptr) {
            length = static_cast<std::size_t>(static_cast<const char *>(found) - start);
        } else if (held <= longest_line) {
            looked_at = held;
            if (fill())
                continue;
            if (held == 0)
                return false;
        }
        ++line_;
        if (length > longest_line) {
            fail("the line is too long; accepted: up to " + std::to_string(longest_line) +
                 " bytes");
        }
        // fill() may have moved what is held to the front of the buffer.
        line = {buffer_.data() + begin_, length};
        begin_ += std::min(length + 1, held);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        return true;
    }
}

} // namespace saguaro::pbfs
