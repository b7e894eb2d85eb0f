// SPDX-License-Identifier: MIT
// Reading and writing the pieces of a view, several with each system call.
#include "mpi/core/files/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace saguaro::mpi {

namespace {

// Reads take what lies between two pieces with them, if that is less than what a system call costs;
// and so many bytes at a time. Pieces that are longer are read alone, to where they belong.
constexpr std::int64_t longest_gap = 4096;
constexpr std::int64_t window_bytes = std::int64_t{256} << 10;

struct piece {
    std::int64_t place; // in the file
    std::int64_t size;
};

// Joins pieces that touch: f(piece) for each that is left.
template <class Each>
class joiner {
public:
    explicit joiner(Each each) : each_(each) {}

    bool add(piece next) {
        if (last_.size != 0 && last_.place + last_.size == next.place) {
            last_.size += next.size;
            return true;
        }
        const bool goes_on = flush();
        last_ = next;
        return goes_on;
    }
    bool flush() {
        const piece ready = last_;
        last_ = {0, 0};
        return ready.size == 0 || each_(ready);
    }

private:
    Each each_;
    piece last_{0, 0};
};

// Reads pieces that rise in the file, many at a time.
class window_reader {
public:
    window_reader(const system_file &from, char *to) : from_(from), to_(to) {}

    bool add(piece next) {
        if (!pieces_.empty()) {
            const std::int64_t end = pieces_.back().place + pieces_.back().size;
            const bool fits = next.place >= end && next.place - end <= longest_gap &&
                              next.place + next.size - pieces_.front().place <= window_bytes;
            if (!fits && !flush())
                return false;
        }
        pieces_.push_back(next);
        return true;
    }

    // False if the file has ended, or an error has come.
    bool flush() {
        if (pieces_.empty())
            return true;
        const std::int64_t begin = pieces_.front().place;
        const std::int64_t end = pieces_.back().place + pieces_.back().size;
        std::int64_t got = 0;
        if (pieces_.size() == 1) {
            error = from_.read(to_ + done, end - begin, begin, &got);
            done += got;
        } else {
            window_.resize(static_cast<std::size_t>(window_bytes));
            error = from_.read(window_.data(), end - begin, begin, &got);
            for (const piece &each : pieces_) {
                const std::int64_t here =
                    std::clamp<std::int64_t>(begin + got - each.place, 0, each.size);
                std::memcpy(to_ + done, window_.data() + (each.place - begin),
                            static_cast<std::size_t>(here));
                done += here;
                if (here < each.size)
                    break;
            }
        }
        pieces_.clear();
        return error == 0 && got == end - begin;
    }

    std::int64_t done = 0;
    int error = 0;

private:
    const system_file &from_;
    char *const to_;
    std::vector<piece> pieces_;
    std::vector<char> window_;
};

// f(piece) for each piece of the stream, until it is false.
template <class Each>
bool each_piece(const file_object &of, std::int64_t offset, std::int64_t bytes, Each each) {
    joiner joined(each);
    return of.view.each_run(offset, bytes, [&](std::int64_t place, std::int64_t size) {
        return joined.add({place, size});
    }) && joined.flush();
}

} // namespace

int read_pieces(const file_object &of, std::int64_t offset, char *to, std::int64_t bytes,
                std::int64_t *done) {
    window_reader reader(of.bytes, to);
    if (each_piece(of, offset, bytes, [&](piece next) { return reader.add(next); }))
        reader.flush();
    *done = reader.done;
    return reader.error;
}

int write_pieces(const file_object &of, std::int64_t offset, const char *from, std::int64_t bytes,
                 std::int64_t *done) {
    *done = 0;
    int error = abi::success;
    each_piece(of, offset, bytes, [&](piece next) {
        std::int64_t written = 0;
        error = of.bytes.write(from + *done, next.size, next.place, &written);
        *done += written;
        if (error == 0 && written < next.size)
            error = abi::err_io;
        return error == 0;
    });
    return error;
}

} // namespace saguaro::mpi
