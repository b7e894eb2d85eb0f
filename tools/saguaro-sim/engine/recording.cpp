// SPDX-License-Identifier: MIT
// Reading and writing recordings.
#include "recording.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace saguaro::sim {

namespace {

constexpr std::string_view magic = "SGRECORD";
constexpr std::uint32_t version = 1;

using file_handle = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

file_handle open(const std::string &file, const char *mode) {
    file_handle opened(std::fopen(file.c_str(), mode), std::fclose);
    if (opened == nullptr)
        throw bad_input(file + ": " + std::strerror(errno));
    return opened;
}

// The bytes of a file in pieces: a recording may be larger than memory would like.
class bytes_of {
public:
    explicit bytes_of(std::FILE *file) : file_(file) {}

    std::uint8_t next() {
        if (at_ == filled_)
            fill();
        ++read_;
        return buffer_[at_++];
    }

    bool is_at_end() {
        const int c = at_ == filled_ ? std::fgetc(file_) : 0;
        return c == EOF;
    }

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint64_t byte = next();
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return shift == 63 && byte > 1 ? too_long() : value;
        }
        return too_long();
    }

    std::uint64_t read() const { return read_; }

private:
    void fill() {
        filled_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
        at_ = 0;
        if (filled_ == 0)
            throw bad_input(std::ferror(file_) != 0 ? std::strerror(errno)
                                                    : "the recording has no END: it is truncated");
    }

    [[noreturn]] std::uint64_t too_long() const {
        throw bad_input("a number of more than 64 bits");
    }

    std::FILE *file_;
    std::array<std::uint8_t, 1 << 16> buffer_{};
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t read_ = 0;
};

void check_head(bytes_of &in) {
    std::string head;
    for (std::size_t at = 0; at < magic.size(); ++at)
        head += static_cast<char>(in.next());
    if (head != magic)
        throw bad_input("not a recording, which begins with SGRECORD");
    std::uint32_t found = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        found |= std::uint32_t{in.next()} << (8 * byte);
    if (found != version)
        throw bad_input("version " + std::to_string(found) + " of the format: accepted is " +
                        std::to_string(version));
}

void read_object(bytes_of &in, program_builder &out) {
    object_event o{in.number(), in.number(), layout::first_touch, 0};
    const std::uint64_t where = in.number();
    o.where = static_cast<layout>(where > 255 ? 255 : where);
    if (o.where == layout::on_node)
        o.node = in.number();
    out.object(o);
}

range_event read_range(bytes_of &in) {
    return {in.number(), in.number(), in.number()};
}

// False: it was the end.
bool read_event(bytes_of &in, program_builder &out) {
    const std::uint8_t number = in.next();
    switch (static_cast<kind>(number)) {
    case kind::end:
        return false;
    case kind::work:
        out.work(in.number());
        return true;
    case kind::spawn:
        out.spawn();
        return true;
    case kind::child_ends:
        out.child_ends();
        return true;
    case kind::sync:
        out.sync();
        return true;
    case kind::call:
        out.call();
        return true;
    case kind::leave:
        out.leave();
        return true;
    case kind::object:
        read_object(in, out);
        return true;
    case kind::touch:
        out.touch(read_range(in));
        return true;
    case kind::reuse:
        out.reuse(read_range(in));
        return true;
    case kind::free:
        out.free(in.number());
        return true;
    case kind::loop:
        in.number();
        return true;
    }
    throw bad_input("an event of kind " + std::to_string(number) + ": accepted are 0 to 11");
}

class writer {
public:
    writer(std::FILE *file, const std::string &name) : file_(file), name_(name) {}

    void byte(std::uint8_t value) {
        if (std::fputc(value, file_) == EOF)
            fail();
    }
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            byte(static_cast<std::uint8_t>(value | 0x80));
        byte(static_cast<std::uint8_t>(value));
    }
    void finish() {
        if (std::fflush(file_) != 0)
            fail();
    }

private:
    [[noreturn]] void fail() const { throw bad_input(name_ + ": " + std::strerror(errno)); }

    std::FILE *file_;
    const std::string &name_;
};

void write_event(cursor &in, writer &out) {
    const kind what = in.next();
    out.byte(static_cast<std::uint8_t>(what));
    switch (what) {
    case kind::work:
    case kind::free:
        out.number(in.number());
        break;
    case kind::spawn:
        in.continuation();
        break;
    case kind::object: {
        const object_event o = in.object();
        out.number(o.id);
        out.number(o.bytes);
        out.number(static_cast<std::uint64_t>(o.where));
        if (o.where == layout::on_node)
            out.number(o.node);
        break;
    }
    case kind::touch:
    case kind::reuse: {
        const range_event r = in.range();
        out.number(r.id);
        out.number(r.offset);
        out.number(r.bytes);
        break;
    }
    default:
        break;
    }
}

} // namespace

program read_recording(const std::string &file) {
    const file_handle opened = open(file, "rb");
    bytes_of in(opened.get());
    program_builder out;
    try {
        check_head(in);
        while (read_event(in, out)) {
        }
        if (!in.is_at_end())
            throw bad_input("something follows the END");
        return out.finish();
    } catch (const bad_input &bad) {
        throw bad_input(file + ": byte " + std::to_string(in.read()) + ": " + bad.what());
    }
}

void write_recording(const program &what, const std::string &file) {
    const file_handle opened = open(file, "wb");
    writer out(opened.get(), file);
    for (const char c : magic)
        out.byte(static_cast<std::uint8_t>(c));
    for (unsigned byte = 0; byte < 4; ++byte)
        out.byte(static_cast<std::uint8_t>(version >> (8 * byte)));
    for (cursor in(what); in.peek() != kind::end;)
        write_event(in, out);
    out.byte(static_cast<std::uint8_t>(kind::end));
    out.finish();
}

} // namespace saguaro::sim
