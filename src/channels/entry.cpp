// SPDX-License-Identifier: MIT
// The functions of channel.h.
#include "saguaro/channel.h"

#include "channels/channel.hpp"
#include "spmc/lines.hpp"

#include <cerrno>
#include <cstring>

using namespace saguaro;
using namespace saguaro::channels;

namespace saguaro::channels {

namespace {

// Copies a message that this end has received to a buffer of `size` bytes; how many it has.
size_t take(receiver &end, sg_channel from, const char *message, size_t bytes, void *buffer,
            size_t size) {
    if (bytes > size)
        spmc::give_up("a message of %zu bytes on channel 0x%x, where %zu were expected at most",
                      bytes, from * 64U, size);
    if (bytes != 0)
        std::memcpy(buffer, message, bytes);
    end.done();
    return bytes;
}

} // namespace

} // namespace saguaro::channels

extern "C" {

sg_channel sg_channel_create(unsigned consumers, size_t capacity) {
    constexpr unsigned most_consumers = 4096;
    spmc::job &all = spmc::job::mine();
    if (consumers == 0 || consumers > most_consumers) {
        spmc::say("sg_channel_create was given %u consumers: 1 to %u are possible", consumers,
                  most_consumers);
        errno = EINVAL;
        return 0;
    }
    const sg_channel made = make_channel(all, consumers, capacity);
    if (made == 0) {
        spmc::say("sg_channel_create: no room for a channel: the job has %zu bytes for all",
                  all.control_bytes());
        errno = ENOMEM;
    }
    return made;
}

void sg_channel_send(sg_channel to, const void *data, size_t size) {
    sender &end = sender_of(to);
    char *const where = end.reserve(size);
    if (size != 0)
        std::memcpy(where, data, size);
    end.publish();
}

int sg_channel_send_or_gone(sg_channel to, const void *data, size_t size) {
    sender &end = sender_of(to);
    char *const where = end.reserve_or_gone(size);
    if (where == nullptr)
        return EPIPE;
    if (size != 0)
        std::memcpy(where, data, size);
    end.publish();
    return 0;
}

void *sg_channel_reserve(sg_channel to, size_t size) {
    return sender_of(to).reserve(size);
}

void sg_channel_publish(sg_channel to) {
    sender_of(to).publish();
}

void sg_channel_free(sg_channel channel) {
    // A process that fork has made has no channels, but destroys the objects of its parent.
    const spmc::job *const all = spmc::job::mine_if_any();
    if (channel != 0 && all != nullptr && all->self_slot() != 0)
        free_channel(channel);
}

void sg_channel_close(sg_channel to) {
    sender_of(to).close();
}

size_t sg_channel_receive(sg_channel from, unsigned consumer, void *buffer, size_t size) {
    receiver &end = receiver_of(from, consumer);
    size_t bytes = 0;
    const char *const message = end.next(bytes);
    if (message == nullptr)
        return SG_CHANNEL_CLOSED;
    return take(end, from, message, bytes, buffer, size);
}

size_t sg_channel_receive_or_gone(sg_channel from, unsigned consumer, void *buffer, size_t size) {
    receiver &end = receiver_of(from, consumer);
    size_t bytes = 0;
    bool is_gone = false;
    const char *const message = end.next_or_gone(bytes, is_gone);
    if (message == nullptr)
        return is_gone ? SG_CHANNEL_GONE : SG_CHANNEL_CLOSED;
    return take(end, from, message, bytes, buffer, size);
}

void sg_channel_close_consumer(sg_channel from, unsigned consumer) {
    receiver_of(from, consumer).close();
}

const void *sg_channel_view(sg_channel from, unsigned consumer, size_t *size) {
    return receiver_of(from, consumer).next(*size);
}

void sg_channel_done(sg_channel from, unsigned consumer) {
    receiver_of(from, consumer).done();
}

} // extern "C"
