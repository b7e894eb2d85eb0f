// SPDX-License-Identifier: MIT
// Writing the virtual time line as text or as a picture.
#include "vms/trace.hpp"

#include <utility>

namespace saguaro::vms {

namespace {

const char *name_of(trace_step what) {
    switch (what) {
    case trace_step::created:
        return "created";
    case trace_step::ready:
        return "ready";
    case trace_step::animated:
        return "animated";
    case trace_step::blocked:
        return "blocked";
    case trace_step::sent:
        return "sent";
    case trace_step::dissipated:
        return "dissipated";
    }
    return "";
}

unsigned long long number(std::uint64_t n) {
    return static_cast<unsigned long long>(n);
}

} // namespace

void write_text(std::FILE *to, const trace_record &seen) {
    std::fprintf(to, "# virtual time line of %s on %u cores\n# time     VP  core  step\n",
                 seen.plugin.c_str(), seen.cores);
    for (const trace_event &e : seen.events) {
        std::fprintf(to, "%6llu  %5llu  ", number(e.time), number(e.vp));
        if (e.what == trace_step::animated)
            std::fprintf(to, "%4u  ", e.core);
        else
            std::fprintf(to, "      ");
        std::fprintf(to, "%s", name_of(e.what));
        if (!e.request.empty())
            std::fprintf(to, ": %s", e.request.c_str());
        if (e.tied_to != 0)
            std::fprintf(to, ", tied to VP %llu at %llu", number(e.tied_vp), number(e.tied_to));
        std::fprintf(to, "\n");
    }
}

recorder::recorder(std::FILE *file, bool is_picture, const char *plugin, unsigned cores)
    : file_(file), is_picture_(is_picture), seen_{plugin, cores, {}} {}

recorder::~recorder() {
    (is_picture_ ? write_svg : write_text)(file_, seen_);
    if (std::fclose(file_) != 0)
        std::fprintf(stderr, "saguaro: %s: the trace could not be written\n", seen_.plugin.c_str());
}

void recorder::asks(std::uint64_t time, const vp &v, trace_step what, std::string request) {
    asking_vp_ = v.number;
    asked_at_ = time;
    seen_.events.push_back({time, v.number, what, 0, 0, 0, std::move(request)});
}

void recorder::is_tied(std::uint64_t time, const vp &v, trace_step what) {
    const bool by_another = asking_vp_ != v.number;
    seen_.events.push_back({time, v.number, what, 0, by_another ? asking_vp_ : 0,
                            by_another ? asked_at_ : 0, std::string()});
}

void recorder::animated(std::uint64_t time, const vp &v, unsigned core) {
    seen_.events.push_back({time, v.number, trace_step::animated, core, 0, 0, std::string()});
}

void recorder::dissipated(std::uint64_t time, const vp &v) {
    seen_.events.push_back({time, v.number, trace_step::dissipated, 0, 0, 0, std::string()});
}

} // namespace saguaro::vms
