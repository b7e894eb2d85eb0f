// SPDX-License-Identifier: MIT
// Reading the nodes, their processors and distances from sysfs.
#include "numa/machine.hpp"

#include "numa/system.hpp"
#include "platform/cpus.hpp"
#include "platform/sanitizer.hpp"
#include "platform/thread.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <limits>
#include <sstream>
#include <string>

namespace saguaro::numa {

namespace {

constinit std::mutex making;
// Never destroyed: threads free blocks until the process has ended.
constinit std::atomic<const machine *> the_machine{nullptr};

[[gnu::noinline]] const machine &read_once() {
    const std::lock_guard guard(making);
    // Relaxed: written under the lock.
    const machine *it = the_machine.load(std::memory_order_relaxed);
    if (it == nullptr) {
        it = new machine(machine::read());
        platform::ignore_leak(it); // once the library is unloaded
        // Release: pairs with `here`.
        the_machine.store(it, std::memory_order_release);
    }
    return *it;
}

// The numbers of a list of the kernel's, as "0-3,8".
std::vector<int> numbers_of(const std::string &list) {
    std::vector<int> numbers;
    const char *at = list.data();
    const char *const end = at + list.size();
    int first = 0;
    const auto read = [&](int &number) {
        const auto [after, error] = std::from_chars(at, end, number);
        at = after;
        return error == std::errc();
    };
    while (read(first)) {
        int last = first;
        if (at != end && *at == '-' && !(++at, read(last)))
            break;
        for (int each = first; each <= last; ++each)
            numbers.push_back(each);
        if (at != end && *at == ',')
            ++at;
    }
    return numbers;
}

std::string folder_of(int node) {
    return "node" + std::to_string(node) + "/";
}

// Without the kernel's word on it, every node that has memory counts as allowed. Where one alone is
// online there is nothing to ask.
std::vector<int> usable_nodes(const std::vector<int> &online) {
    if (online.size() == 1)
        return online;
    node_mask allowed;
    const bool known = calls.allowed_nodes(&allowed) == 0;
    std::vector<int> nodes = numbers_of(calls.read_file("has_memory"));
    std::erase_if(nodes, [&](int node) {
        return node < 0 || node >= most_nodes || (known && !allowed.contains(node));
    });
    if (nodes.empty())
        nodes.push_back(0);
    return nodes;
}

} // namespace

std::mutex &making_lock() {
    return making;
}

const machine &machine::here() {
    // Acquire: pairs with the release in read_once; what was read is visible.
    const machine *const it = the_machine.load(std::memory_order_acquire);
    return it != nullptr ? *it : read_once();
}

machine machine::read() {
    machine it;
    const std::vector<int> online = numbers_of(calls.read_file("online"));
    it.nodes_ = usable_nodes(online);
    {
        const platform::at_large all_processors;
        it.cpus_ = platform::allowed_cpus();
    }
    // Of one node are all processors.
    if (online.size() > 1)
        for (const int node : online)
            it.add_cpus_of(node);
    return it;
}

void machine::add_cpus_of(int node) {
    const unsigned near = nearest_to(node);
    for (const int cpu : numbers_of(calls.read_file(folder_of(node) + "cpulist"))) {
        const auto at = static_cast<std::size_t>(cpu);
        if (at >= near_.size()) {
            near_.resize(at + 1, 0);
            node_of_cpu_.resize(at + 1, nodes_.front());
        }
        near_[at] = near;
        node_of_cpu_[at] = node;
    }
}

// By the firmware's table, in which each node has a row of distances to the nodes that are online.
unsigned machine::nearest_to(int node) const {
    if (const int own = index_of(node); own >= 0)
        return static_cast<unsigned>(own);
    unsigned nearest = 0;
    int least = std::numeric_limits<int>::max();
    std::istringstream row(calls.read_file(folder_of(node) + "distance"));
    for (const int other : numbers_of(calls.read_file("online"))) {
        int distance = 0;
        if (!(row >> distance))
            break;
        const int index = index_of(other);
        if (index >= 0 && distance < least) {
            least = distance;
            nearest = static_cast<unsigned>(index);
        }
    }
    return nearest;
}

int machine::index_of(int node) const {
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    return at != nodes_.end() && *at == node ? static_cast<int>(at - nodes_.begin()) : -1;
}

int machine::node_of_cpu(int cpu) const {
    const auto at = static_cast<std::size_t>(cpu);
    return at < node_of_cpu_.size() ? node_of_cpu_[at] : nodes_.front();
}

std::uint64_t machine::free_bytes() const {
    std::uint64_t sum = 0;
    for (const int node : nodes_) {
        // Node 0 MemFree:  1000 kB
        std::istringstream lines(calls.read_file(folder_of(node) + "meminfo"));
        bool is_told = false;
        std::string skipped, name;
        for (std::uint64_t kilobytes = 0; lines >> skipped >> skipped >> name >> kilobytes;
             std::getline(lines, skipped)) {
            is_told = is_told || name == "MemFree:";
            if (name == "MemFree:" || name == "Active(file):" || name == "Inactive(file):" ||
                name == "SReclaimable:")
                sum += kilobytes * 1024;
        }
        if (!is_told)
            return std::numeric_limits<std::uint64_t>::max();
    }
    return sum;
}

unsigned machine::cpus_without_memory() const {
    return static_cast<unsigned>(std::count_if(
        cpus_.begin(), cpus_.end(), [this](int cpu) { return index_of(node_of_cpu(cpu)) < 0; }));
}

} // namespace saguaro::numa
