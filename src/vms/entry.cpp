// SPDX-License-Identifier: MIT
// The way in: options, the threads of the kernel, the first VP.
#include "platform/lent_threads.hpp"
#include "platform/output_file.hpp"
#include "platform/processors.hpp"
#include "platform/sanitizer.hpp"
#include "platform/thread.hpp"
#include "saguaro/vms.h"
#include "scheduler/settings.hpp"
#include "scheduler/stand_ins.hpp"
#include "stacks/overflow.hpp"
#include "vms/instance.hpp"
#include "vms/variables.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace saguaro::vms {

namespace {

stacks::runner this_vp(const stacks::stack &) {
    const core *const c = core_of_this_thread();
    if (c == nullptr || c->current == nullptr)
        return {};
    return {true, false, c->current->number};
}

// In the Master it is the Master, whatever it handles.
std::uintptr_t current_vp() {
    const core *const c = core_of_this_thread();
    if (c == nullptr)
        return 0;
    return c->master_of != nullptr || c->current == nullptr
               ? reinterpret_cast<std::uintptr_t>(&c->owner)
               : reinterpret_cast<std::uintptr_t>(c->current);
}

constexpr hyperobjects::flows of_vps{"a virtual processor", current_vp, set_core_aside,
                                     bring_core_back};

const stacks::stack *current_stack() {
    const core *const c = core_of_this_thread();
    return c != nullptr && c->current != nullptr ? c->current->stack : nullptr;
}

constexpr stacks::purpose for_vps{"SAGUARO_STACK_SIZE", "VP", nullptr, false, this_vp,
                                  current_stack};

} // namespace

instance::instance(const sg_vms_plugin &p, void *semantic_state, const choices &chosen)
    : sg_vms{p.handle}, plugin(p), state(semantic_state), core_count(chosen.cores),
      slots(chosen.slots), is_plain(chosen.slots == 1 && p.schedule == nullptr),
      yields(chosen.yields), spin_ns(chosen.spin_ns), region(of_vps),
      stack_pool(chosen.stack_bytes, 0, for_vps), is_shared(chosen.cores > 1), vps(p.vp_bytes) {
    cores.reserve(chosen.cores);
    for (unsigned i = 0; i < chosen.cores; ++i)
        cores.push_back(std::make_unique<core>(*this, i));
    for (unsigned i = chosen.cores; i-- > 0;) {
        cores[i]->is_waiting = true;
        cores[i]->next_waiting = std::exchange(waiting, cores[i].get());
    }
}

namespace {

// Wakes whom the Master has given something to do; for the thread that is no core.
void release_and_wake(instance &in) {
    core *to_wake = std::exchange(in.to_wake, nullptr);
    in.lock.unlock();
    while (to_wake != nullptr)
        wake(*std::exchange(to_wake, to_wake->next_to_wake));
}

void start_first(instance &in, sg_vms_function function, void *argument) {
    const master_at first_core(*in.cores.front());
    if (vp *const first = create(in, function, argument)) {
        make_ready(in, *first, false);
        offer(in);
        if (in.animated == 0)
            fail(in, EPROTO, "the plug-in's scheduler gives no core the first VP");
    }
}

// The threads of an instance: given back when this ends.
class controllers {
public:
    controllers(instance &in, const std::vector<int> &cpus) {
        places_.reserve(in.cores.size());
        try {
            for (auto &c : in.cores) {
                places_.push_back({c.get(), cpus.empty() ? -1 : cpus[c->number]});
                threads_.start("sg-vms-" + std::to_string(c->number), control_core,
                               &places_.back());
            }
        } catch (const std::system_error &refused) {
            in.lock.lock();
            fail(in, EAGAIN, "cannot start %zu cores: %s", in.cores.size(), refused.what());
            release_and_wake(in);
        }
    }

private:
    struct place {
        core *which;
        int cpu;
    };

    static void control_core(void *argument) {
        const place &here = *static_cast<const place *>(argument);
        const stacks::alternate_stack for_overflow_reports;
        platform::start_on_cpu(here.cpu);
        control(*here.which);
    }

    std::vector<place> places_;
    platform::lent_threads threads_; // joined before the places are gone
};

// The name of the file for the next trace of this process: FILE.svg, FILE-2.svg, ...
std::string next_trace_file(const std::string &name) {
    static std::atomic<unsigned> traces{0};
    // Relaxed: each gets another number, and that is all.
    const unsigned number = traces.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::size_t dot = name.rfind('.');
    return number == 1 ? name
                       : name.substr(0, dot) + "-" + std::to_string(number) + name.substr(dot);
}

// False: there is no such file.
bool begin_trace(instance &in, const std::string &name) {
    std::FILE *const file = platform::open_output_stream(name.c_str());
    if (file == nullptr)
        return false;
    const bool is_picture = std::string_view(name).ends_with(".svg");
    in.is_plain = false;
    in.trace = std::make_unique<recorder>(file, is_picture, in.plugin.name,
                                          static_cast<unsigned>(in.cores.size()));
    return true;
}

// A number of the environment's setting, or of an option that overrules it.
void choose(scheduler::settings &s, const char *setting, std::size_t option) {
    if (option != 0)
        scheduler::set(s, setting, std::to_string(option));
}

int refuse(const sg_vms_plugin &plugin, const std::string &why) {
    std::fprintf(stderr, "saguaro: %s: %s\n", plugin.name, why.c_str());
    return EINVAL;
}

// More than a plug-in can want, and sums of it with what a VP has of its own do not overflow.
constexpr std::size_t most_vp_bytes = std::size_t{1} << 30;

// The plug-in as the instance keeps it.
sg_vms_plugin completed(const sg_vms_plugin &given) {
    sg_vms_plugin plugin = given;
    if (plugin.name == nullptr)
        plugin.name = "a plug-in without a name";
    // The Master does the same without a call.
    if (plugin.schedule == sg_vms_first_come)
        plugin.schedule = nullptr;
    return plugin;
}

// What is wrong with the arguments of sg_vms_run; empty: nothing.
std::string fault_of(const sg_vms_plugin &plugin, const sg_vms_options &given,
                     sg_vms_function function) {
    if (plugin.handle == nullptr)
        return "the plug-in's handler is null";
    if (plugin.vp_bytes > most_vp_bytes)
        return "the plug-in's vp_bytes is " + std::to_string(plugin.vp_bytes) + ": at most " +
               std::to_string(most_vp_bytes);
    if (function == nullptr)
        return "the function of the first VP is null";
    if (given.slots > most_slots)
        return "sg_vms_options.slots is " + std::to_string(given.slots) + ": at most " +
               std::to_string(most_slots);
    return {};
}

} // namespace

} // namespace saguaro::vms

using namespace saguaro;
using namespace saguaro::vms;

extern "C" int sg_vms_run(const sg_vms_plugin *plug_in, void *state, const sg_vms_options *options,
                          sg_vms_function function, void *argument) {
    const sg_vms_options given = options != nullptr ? *options : sg_vms_options{};
    if (plug_in == nullptr) {
        std::fputs("saguaro: sg_vms_run: the plug-in is null\n", stderr);
        return EINVAL;
    }
    const sg_vms_plugin plugin = completed(*plug_in);
    if (const std::string fault = fault_of(plugin, given, function); !fault.empty())
        return refuse(plugin, fault);
    saguaro::scheduler::settings s{};
    std::string trace;
    try {
        s = saguaro::scheduler::settings_from_environment();
        choose(s, scheduler::variables::workers.name, given.cores);
        choose(s, scheduler::variables::stack_size.name, given.stack_bytes);
        trace = given.trace != nullptr ? platform::choice_of(variables::trace, given.trace)
                                       : platform::choice_of(variables::trace);
        platform::check_processors(s);
        if (const char *const why = platform::refusal_of_sanitizer())
            throw platform::bad_setting(why);
    } catch (const platform::bad_setting &bad) {
        return refuse(plugin, bad.what());
    }
    const bool yields = s.workers > platform::processors_there(s);
    std::unique_ptr<instance> made;
    try {
        made = std::make_unique<instance>(plugin, state,
                                          choices{s.workers, given.slots == 0 ? 1 : given.slots,
                                                  s.stack_bytes, yields, s.spin_ns});
    } catch (const std::system_error &refused) {
        refuse(plugin, refused.what());
        return refused.code().value();
    }
    instance &in = *made;
    if (trace != variables::trace.fallback) {
        const std::string file = given.trace != nullptr ? trace : next_trace_file(trace);
        if (!begin_trace(in, file))
            return refuse(plugin, "cannot write the trace into " + file + ": " +
                                      std::generic_category().message(errno));
    }
    const scheduler::task_waits wait;
    {
        const controllers running(in, platform::processors_of(s));
        if (in.error == 0)
            start_first(in, function, argument);
    }
    wait_for_outside(in);
    return in.error;
}
