// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace saguaro::detmpiexec {

namespace {

void write_all(int to, const std::string &what) {
    std::size_t done = 0;
    while (done < what.size()) {
        const ssize_t n = write(to, what.data() + done, what.size() - done);
        if (n >= 0) {
            done += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN) {
            pollfd room{to, POLLOUT, 0};
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return; // nobody reads any more
        }
    }
}

} // namespace

void output::pass_on() {
    char buffer[1 << 16];
    while (from_ >= 0) {
        const ssize_t n = read(from_, buffer, sizeof(buffer));
        if (n > 0)
            pending_.append(buffer, static_cast<std::size_t>(n));
        else if (n == 0)
            end();
        else if (errno != EINTR)
            break;
    }
    write_lines(false);
}

void output::end() {
    if (from_ >= 0)
        close(from_);
    from_ = -1;
    write_lines(true);
}

void output::write_lines(bool all) {
    const std::size_t last = pending_.rfind('\n');
    const std::size_t whole = all ? pending_.size() : last == std::string::npos ? 0 : last + 1;
    if (whole == 0)
        return;
    if (tag_.empty()) {
        write_all(to_, pending_.substr(0, whole));
    } else {
        std::string tagged;
        for (std::size_t at = 0; at < whole;) {
            const std::size_t newline = pending_.find('\n', at);
            const std::size_t end = newline < whole ? newline + 1 : whole;
            tagged += tag_ + pending_.substr(at, end - at);
            at = end;
        }
        write_all(to_, tagged);
    }
    pending_.erase(0, whole);
}

} // namespace saguaro::detmpiexec
