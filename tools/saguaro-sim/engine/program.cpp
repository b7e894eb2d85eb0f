// SPDX-License-Identifier: MIT
// Building a spawn tree event by event, with checks that it is well formed.
#include "program.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace saguaro::sim {

namespace {

constexpr std::uint64_t gone = UINT64_MAX;

} // namespace

void program_builder::refuse(const std::string &why) const {
    throw bad_input("event " + std::to_string(made_.all_.events) + ": " + why);
}

void program_builder::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        made_.code_.push_back(static_cast<std::uint8_t>(value | 0x80));
    made_.code_.push_back(static_cast<std::uint8_t>(value));
}

void program_builder::count() {
    if (made_.all_.events == most_events_)
        throw bad_input("it has more events than are accepted, " + std::to_string(most_events_));
    ++made_.all_.events;
}

// Work is gathered: a recorder may say it in pieces.
void program_builder::work(std::uint64_t ns) {
    count();
    if (ns > most_work_ns - made_.all_.work_ns)
        refuse("WORK " + std::to_string(ns) + ": the work of all events is at most " +
               std::to_string(most_work_ns) + " ns");
    made_.all_.work_ns += ns;
    pending_work_ += ns;
}

void program_builder::flush_work() {
    if (pending_work_ == 0)
        return;
    made_.code_.push_back(static_cast<std::uint8_t>(kind::work));
    number(std::exchange(pending_work_, 0));
}

void program_builder::event(kind what) {
    count();
    flush_work();
    made_.code_.push_back(static_cast<std::uint8_t>(what));
}

void program_builder::spawn() {
    event(kind::spawn);
    ++made_.all_.spawns;
    open_.push_back({true, made_.code_.size()});
    made_.code_.resize(made_.code_.size() + cursor::length_bytes);
}

void program_builder::close(bool is_child, const char *name, const char *opener) {
    if (open_.empty() || open_.back().is_child != is_child)
        refuse(std::string(name) + " without its " + opener);
}

void program_builder::child_ends() {
    event(kind::child_ends);
    close(true, "RETURN", "SPAWN");
    const std::size_t at = open_.back().length_at;
    const std::uint64_t length = made_.code_.size() - (at + cursor::length_bytes);
    for (unsigned byte = 0; byte < cursor::length_bytes; ++byte)
        made_.code_[at + byte] = static_cast<std::uint8_t>(length >> (8 * byte));
    open_.pop_back();
}

void program_builder::sync() {
    event(kind::sync);
    ++made_.all_.syncs;
}

void program_builder::call() {
    event(kind::call);
    open_.push_back({false, 0});
}

void program_builder::leave() {
    event(kind::leave);
    close(false, "LEAVE", "CALL");
    open_.pop_back();
}

void program_builder::object(const object_event &o) {
    event(kind::object);
    if (o.id != objects_.size())
        refuse("OBJECT " + std::to_string(o.id) + ": the next one is " +
               std::to_string(objects_.size()));
    if (static_cast<unsigned>(o.where) > static_cast<unsigned>(layout::blocked))
        refuse("OBJECT " + std::to_string(o.id) + " with layout " +
               std::to_string(static_cast<unsigned>(o.where)) + ": accepted are 0 to 3");
    if (o.bytes > most_object_bytes)
        refuse("OBJECT " + std::to_string(o.id) + " of " + std::to_string(o.bytes) +
               " bytes: accepted are up to " + std::to_string(most_object_bytes) +
               ", which fill the addresses of a process");
    if (o.bytes > most_object_bytes - living_bytes_)
        refuse("OBJECT " + std::to_string(o.id) + " of " + std::to_string(o.bytes) +
               " bytes beside others of " + std::to_string(living_bytes_) +
               ": accepted are together up to " + std::to_string(most_object_bytes));
    living_bytes_ += o.bytes;
    ++made_.all_.objects;
    objects_.push_back({o.bytes, 0, {}});
    number(o.id);
    number(o.bytes);
    number(static_cast<std::uint64_t>(o.where));
    if (o.where == layout::on_node)
        number(o.node);
}

std::uint64_t program_builder::object(std::uint64_t bytes, layout where) {
    const std::uint64_t id = objects_.size();
    object({id, bytes, where, 0});
    return id;
}

void program_builder::check(const range_event &r) {
    if (r.id >= objects_.size() || objects_[r.id].bytes == gone)
        refuse("there is no object " + std::to_string(r.id));
    const std::uint64_t bytes = objects_[r.id].bytes;
    if (r.offset > bytes || r.bytes > bytes - r.offset)
        refuse("bytes " + std::to_string(r.offset) + " to " + std::to_string(r.offset + r.bytes) +
               " of object " + std::to_string(r.id) + ", which has " + std::to_string(bytes));
}

// What is refused is not only what no machine has: a recording of some bytes could ask for more
// memory than there is, for the tables of its pages.
void program_builder::add_touched(const range_event &r) {
    known_object &of = objects_[r.id];
    if (r.bytes == 0)
        return;
    if (of.touched_pieces.empty())
        of.touched_pieces.resize((of.bytes + piece_bytes - 1) / piece_bytes);
    const std::uint64_t last = (r.offset + r.bytes - 1) / piece_bytes;
    for (std::uint64_t piece = r.offset / piece_bytes; piece <= last; ++piece) {
        if (of.touched_pieces[piece])
            continue;
        const std::uint64_t bytes = std::min(piece_bytes, of.bytes - piece * piece_bytes);
        if (bytes > most_touched_bytes - touched_bytes_)
            refuse("TOUCH of " + std::to_string(r.bytes) + " bytes of object " +
                   std::to_string(r.id) + ": accepted are up to " +
                   std::to_string(most_touched_bytes) + " touched bytes of all objects together");
        of.touched_pieces[piece] = true;
        of.touched += bytes;
        touched_bytes_ += bytes;
    }
}

void program_builder::add_bytes(std::uint64_t &sum, std::uint64_t bytes) {
    if (bytes > UINT64_MAX - sum)
        refuse("the bytes of all events of a kind are more than 64 bits can count");
    sum += bytes;
}

void program_builder::range(const range_event &r) {
    number(r.id);
    number(r.offset);
    number(r.bytes);
}

void program_builder::touch(const range_event &r) {
    event(kind::touch);
    check(r);
    add_touched(r);
    add_bytes(made_.all_.touched_bytes, r.bytes);
    range(r);
}

void program_builder::reuse(const range_event &r) {
    event(kind::reuse);
    check(r);
    add_bytes(made_.all_.reused_bytes, r.bytes);
    range(r);
}

void program_builder::free(std::uint64_t id) {
    event(kind::free);
    check({id, 0, 0});
    living_bytes_ -= objects_[id].bytes;
    touched_bytes_ -= objects_[id].touched;
    objects_[id] = {gone, 0, {}};
    number(id);
}

program program_builder::finish() {
    event(kind::end);
    if (!open_.empty())
        refuse(open_.back().is_child ? "END within a child: its RETURN is missing"
                                     : "END within a call: its LEAVE is missing");
    made_.code_.shrink_to_fit();
    objects_.clear();
    living_bytes_ = touched_bytes_ = 0;
    return std::exchange(made_, {});
}

} // namespace saguaro::sim
