// SPDX-License-Identifier: MIT
// The kernel's own versions of the six calls in the table.
#include "numa/system.hpp"

#include "platform/file_contents.hpp"
#include "platform/thread.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace saguaro::numa {

namespace {

int result_of(long returned) {
    return returned == 0 ? 0 : errno;
}

// The kernel reads one bit less than it is told.
constexpr unsigned long mask_bits = most_nodes + 1;

// MPOL_BIND would have the kernel kill the process when the node is full.
int prefer(void *p, std::size_t bytes, int node) {
    node_mask nodes;
    nodes.add(node);
    return result_of(syscall(SYS_mbind, p, bytes, MPOL_PREFERRED, nodes.words, mask_bits, 0U));
}

int allowed_nodes(node_mask *nodes) {
    return result_of(syscall(SYS_get_mempolicy, nullptr, nodes->words,
                             static_cast<unsigned long>(most_nodes), nullptr,
                             static_cast<unsigned long>(MPOL_F_MEMS_ALLOWED)));
}

// Older kernels (6.1) say EFAULT of a page that nobody has touched, as where nothing is mapped.
bool is_mapped(void *page) {
    unsigned char is_there = 0;
    return mincore(page, 1, &is_there) == 0;
}

int nodes_of(std::size_t count, void **pages, int *status) {
    const int refused = result_of(syscall(SYS_move_pages, 0, count, pages, nullptr, status, 0));
    if (count != 1)
        return refused;
    if (refused == 0) {
        if (*status == -EFAULT && is_mapped(*pages))
            *status = -ENOENT;
        return 0;
    }
    // Some filters of system calls forbid move_pages alone.
    return result_of(syscall(SYS_get_mempolicy, status, nullptr, 0UL, pages[0],
                             static_cast<unsigned long>(MPOL_F_NODE | MPOL_F_ADDR)));
}

int move_to(std::size_t count, void **pages, int node) {
    assert(count <= most_moved_at_once);
    int nodes[most_moved_at_once], status[most_moved_at_once];
    std::fill_n(nodes, count, node);
    // A positive result: that many it could not move.
    return syscall(SYS_move_pages, 0, count, pages, nodes, status, MPOL_MF_MOVE) < 0 ? errno : 0;
}

std::string read_file(const std::string &name) {
    return platform::contents_of("/sys/devices/system/node/" + name);
}

} // namespace

system_calls calls = {prefer, allowed_nodes, nodes_of, move_to, platform::current_cpu, read_file};

} // namespace saguaro::numa
