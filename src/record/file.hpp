// SPDX-License-Identifier: MIT
// A recording as a file: the events of docs/recording.md, through a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace saguaro::record {

enum class event : unsigned char {
    end = 0,    // the end of the recording
    work = 1,   // ns
    spawn = 2,  // a child begins
    ret = 3,    // the child ends
    sync = 4,   // the frame waits for its children
    call = 5,   // a frame begins
    leave = 6,  // and ends, after a sync
    object = 7, // id, bytes, layout; a node if the layout is on_node
    touch = 8,  // id, offset, bytes: not in the cache
    reuse = 9,  // the same: in the cache
    free = 10,  // id
};

enum class layout : unsigned char { unplaced = 0, on_node = 1, round_robin = 2, blocked = 3 };

inline constexpr char magic[] = "SGRECORD";
inline constexpr std::uint32_t version = 1;

// Makes the file if it is not there, and leaves it as it is. A regular one is the caller's alone
// until it is closed, here and in the children of forks. Returns its descriptor, or -1 and errno:
// EWOULDBLOCK if another process has it.
int open_alone(const std::string &name);

// Whether `name` is a pipe, which is to be opened once: its reader takes a close for the end.
bool is_pipe(const std::string &name);

class file {
public:
    // Makes the file, and writes its head. Throws std::system_error.
    explicit file(const std::string &name);
    // Writes what is left, without an event `end`.
    ~file();
    file(const file &) = delete;
    file &operator=(const file &) = delete;

    void put(event e) { put_byte(static_cast<unsigned char>(e)); }
    void put(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7)
            put_byte(static_cast<unsigned char>(number | 0x80));
        put_byte(static_cast<unsigned char>(number));
    }

    // Between two events: makes room for the longest one.
    void make_room() {
        if (used_ > capacity - longest_event) [[unlikely]]
            flush();
    }

    // All is written. The errno of the first write that failed; 0: none did.
    int close();

private:
    static constexpr std::size_t capacity = std::size_t{1} << 16;
    static constexpr std::size_t longest_event = 64;

    void put_byte(unsigned char byte) { buffer_[used_++] = byte; }
    void flush();

    const std::unique_ptr<unsigned char[]> buffer_{new unsigned char[capacity]};
    std::size_t used_ = 0;
    int descriptor_;
    int error_ = 0;
};

} // namespace saguaro::record
