// SPDX-License-Identifier: MIT
// The virtual time line of a run: what its plug-in's author looks at. Recorded by the Master, as
// text or as a picture in the manner of the paper's figure 1.
#pragma once

#include "vms/vp.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace saguaro::vms {

enum class trace_step : std::uint8_t { created, ready, animated, blocked, sent, dissipated };

// One step of virtual time.
struct trace_event {
    std::uint64_t time;
    std::uint64_t vp;
    trace_step what;
    unsigned core;         // animated: where
    std::uint64_t tied_vp; // created, ready: the VP whose request was being handled, if it is not
    std::uint64_t tied_to; // the same one, and the time of its ordering point; 0: none
    std::string request;   // blocked, sent: the plug-in's words
};

// All steps of an instance.
struct trace_record {
    std::string plugin;
    unsigned cores;
    std::vector<trace_event> events; // in the order of their times
};

// Writes what a recorder has seen; the two forms.
void write_text(std::FILE *to, const trace_record &seen);
void write_svg(std::FILE *to, const trace_record &seen);

// The trace of one instance; its functions are called under the master lock. Takes some 100 bytes
// and 0.1 µs for each step.
class recorder {
public:
    // Takes the file over: a picture, or text.
    recorder(std::FILE *file, bool is_picture, const char *plugin, unsigned cores);

    // Writes the file.
    ~recorder();

    recorder(const recorder &) = delete;
    recorder &operator=(const recorder &) = delete;

    // `v` is blocked, or has sent something: the handler is about to see its request.
    void asks(std::uint64_t time, const vp &v, trace_step what, std::string request);

    // `v` is created, or has become ready, in the request that was seen last.
    void is_tied(std::uint64_t time, const vp &v, trace_step what);

    void animated(std::uint64_t time, const vp &v, unsigned core);
    void dissipated(std::uint64_t time, const vp &v);

private:
    std::FILE *const file_;
    const bool is_picture_;
    std::uint64_t asking_vp_ = 0;
    std::uint64_t asked_at_ = 0;
    trace_record seen_;
};

} // namespace saguaro::vms
