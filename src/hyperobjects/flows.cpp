// SPDX-License-Identifier: MIT
// Lookups from virtual processors and nano-threads, and the error for a shared reducer.
#include "hyperobjects/flows.hpp"

#include "hyperobjects/fatal.hpp"
#include "hyperobjects/outside.hpp"
#include "platform/memory.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <system_error>

// Nothing has a symbol in a program that is linked with -static.
#pragma weak dladdr

namespace saguaro::hyperobjects {

namespace {

const flows *current_kind() {
    return seen_region()->kind;
}

// The variable that it is, or is a part of, as far as dynamic linking knows: "total ".
std::string symbol_of(const sg_reducer *reducer) {
    Dl_info found;
    if (&dladdr == nullptr || dladdr(reducer, &found) == 0 || found.dli_sname == nullptr)
        return {};
    return std::string(found.dli_sname) + " ";
}

// A monoid of C++ has the signature of a function of its type (reducer.hpp): "... T = TYPE]".
std::string type_of(const sg_reducer *reducer) {
    if (reducer->monoid->name == nullptr)
        return {};
    std::string_view name = reducer->monoid->name;
    constexpr std::string_view before = "T = ";
    if (const std::size_t at = name.find(before); at != name.npos) {
        name.remove_prefix(at + before.size());
        name = name.substr(0, name.find_last_of(']'));
    }
    return " of " + std::string(name);
}

[[noreturn]] void refuse(const sg_reducer *reducer, const flows &kind) {
    fatal_once((description_of(reducer) + " was used by " + kind.what +
                " that did not create it: updates of several at once would be lost; share it in "
                "saguaro::run, or give each its own")
                   .c_str());
}

} // namespace

std::string description_of(const sg_reducer *reducer) {
    char address[2 + 2 * sizeof(void *) + 1];
    std::snprintf(address, sizeof(address), "%p", static_cast<const void *>(reducer));
    return "reducer " + symbol_of(reducer) + "at " + address + type_of(reducer);
}

flows_region::flows_region(const flows &of) : region_(sizeof(region_head)) {
    region_head &head = *region_.head();
    // As for any thread that is no worker, but for the kind.
    head = *outside_head();
    head.kind = &of;
    if (!platform::make_read_only(&head, platform::round_to_pages(region_bytes)))
        throw std::system_error(errno, std::generic_category(), "mapping a region for flows");
}

flows_region::attachment::attachment(const flows_region &to)
    : former_(seen_region()), aside_(set_flow_aside(former_)) {
    see_region(to.region_.head());
}

flows_region::attachment::~attachment() {
    see_region(former_);
    bring_flow_back(former_, aside_);
}

std::uintptr_t current_flow() {
    const flows *const kind = current_kind();
    return kind != nullptr ? kind->current() : 0;
}

void *view_of_flow(const sg_reducer *reducer) {
    const flows *const kind = current_kind();
    if (kind == nullptr)
        fatal("a reducer was used that does not live (destroyed, not yet created, or moved)");
    const std::uintptr_t flow = kind->current();
    // 0: the thread itself, which is a thread outside between its flows.
    if (flow != 0 && flow != creator_of(reducer->key))
        refuse(reducer, *kind);
    return outside_element(reducer->key).view;
}

} // namespace saguaro::hyperobjects
