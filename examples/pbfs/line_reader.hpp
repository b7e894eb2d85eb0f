// SPDX-License-Identifier: MIT
// Lines of a text file, plain or compressed with gzip, one at a time and with their numbers.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::pbfs {

/// Streams a file: memory stays at a fixed buffer however large the file is. Whether the file is
/// compressed is seen from its contents, not from its name.
class line_reader {
public:
    /// Throws a fault, "FILE: what", if the file cannot be opened. `instead` is what the program
    /// takes where it does not take a file, such as "grid3d:K or rmat:SCALE": for that message.
    line_reader(const std::string &path, const std::string &instead);

    /// The next line, without its end ("\n" or "\r\n"); it stays valid until the next call. False
    /// at the end of the file. Throws a fault: "FILE: what" if reading fails, "FILE:LINE: what"
    /// if the compressed stream is damaged or breaks off, or if a line is longer than 64 KiB.
    bool next(std::string_view &line);

    /// "FILE:LINE" of the line that next() gave last; the first line before any, the last at the
    /// end of the file.
    std::string where() const;

    /// Throws the fault "FILE:LINE: `what`" for the line that next() gave last.
    [[noreturn]] void fail(const std::string &what) const;

private:
    struct close_file {
        void operator()(gzFile file) const { gzclose(file); }
    };

    bool fill();

    std::string path_;
    std::unique_ptr<gzFile_s, close_file> file_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0; // what is read and not yet given: [begin_, end_) of buffer_
    std::size_t end_ = 0;
    std::uint64_t line_ = 0;
};

} // namespace saguaro::pbfs
