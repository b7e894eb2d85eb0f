// SPDX-License-Identifier: MIT
//
// Two message queues of Boost.Interprocess, as a link (links.hpp). A queue is a heap of messages in
// shared memory, behind a mutex and two condition variables.
#pragma once

#include "micro/messages/two_processes.hpp"

#include <algorithm>
#include <boost/interprocess/ipc/message_queue.hpp>
#include <cstddef>
#include <string>
#include <unistd.h>

namespace saguaro::bench {

class boost_queues {
public:
    explicit boost_queues(long bytes) : there_("there", bytes), back_("back", bytes) {}

    static void run(cores where, auto first, auto second) { with_child(where, first, second); }
    void send_there(const void *data, std::size_t bytes) const { there_.send(data, bytes); }
    void receive_there(void *data, std::size_t bytes) const { there_.receive(data, bytes); }
    void send_back(const void *data, std::size_t bytes) const { back_.send(data, bytes); }
    void receive_back(void *data, std::size_t bytes) const { back_.receive(data, bytes); }

private:
    /// The name goes at once, so that nothing stays behind: the child has the mapping by its fork.
    class queue {
    public:
        queue(const char *way, long bytes)
            : name_("saguaro-bench-" + std::to_string(getpid()) + "-" + way),
              opened_(boost::interprocess::create_only, name_.c_str(), places(bytes),
                      static_cast<std::size_t>(bytes)) {
            boost::interprocess::message_queue::remove(name_.c_str());
        }

        void send(const void *data, std::size_t bytes) const { opened_.send(data, bytes, 0); }
        void receive(void *data, std::size_t bytes) const {
            std::size_t received = 0;
            unsigned priority = 0;
            opened_.receive(data, bytes, received, priority);
        }

    private:
        /// As much room as a channel has.
        static std::size_t places(long bytes) {
            return static_cast<std::size_t>(std::clamp((1L << 20) / bytes, 8L, 256L));
        }

        const std::string name_;
        mutable boost::interprocess::message_queue opened_;
    };

    const queue there_;
    const queue back_;
};

} // namespace saguaro::bench
