// SPDX-License-Identifier: MIT
//
// What no program of spaces should do, and perturbed_test.py must notice: the spaces share memory
// beside the library, and number themselves in the order in which they come. They begin a moment
// apart, so that the order seldom changes unless somebody disturbs them.
#include <atomic>
#include <cstdio>
#include <saguaro/channel.hpp>
#include <saguaro/space.hpp>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

int main() {
    void *const shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    auto &arrived = *new (shared) std::atomic<int>(0);
    std::vector<saguaro::channel<int>> numbers(4);
    std::vector<saguaro::space> spaces;
    for (const saguaro::channel<int> &out : numbers) {
        spaces.emplace_back([&arrived, out] {
            // Relaxed: it only counts who has come.
            out.send(arrived.fetch_add(1, std::memory_order_relaxed));
        });
        usleep(2000);
    }
    for (const saguaro::channel<int> &each : numbers)
        std::printf("%d ", each.receive());
    std::printf("\n");
    for (const saguaro::space &each : spaces)
        each.wait();
    return 0;
}
