// SPDX-License-Identifier: MIT
#include "platform/topology.hpp"

#include "platform/cpus.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#if __has_include(<hwloc.h>) && __has_include(<hwloc/autogen/config.h>)
#include <dlfcn.h>
#include <hwloc.h>
#define SG_HWLOC 1
#else
#define SG_HWLOC 0
#endif

namespace saguaro::platform {

const topology::place *topology::find(int cpu) const {
    const auto at = std::lower_bound(cpus_.begin(), cpus_.end(), cpu);
    if (at == cpus_.end() || *at != cpu)
        return nullptr;
    return &places_[static_cast<std::size_t>(at - cpus_.begin())];
}

int topology::distance(int cpu_a, int cpu_b) const {
    if (cpu_a == cpu_b)
        return same_core;
    const place *const a = find(cpu_a);
    const place *const b = find(cpu_b);
    if (!a || !b)
        return same_machine;
    const auto shared = [](int left, int right) { return left == right && left >= 0; };
    if (shared(a->core, b->core))
        return same_core;
    if (shared(a->cache, b->cache))
        return same_cache;
    if (shared(a->node, b->node))
        return same_node;
    return shared(a->package, b->package) ? same_package : same_machine;
}

topology topology::flat(std::vector<int> cpus) {
    topology made;
    made.cpus_ = std::move(cpus);
    std::sort(made.cpus_.begin(), made.cpus_.end());
    place anywhere;
    anywhere.node = 0;
    anywhere.package = 0;
    made.places_.assign(made.cpus_.size(), anywhere);
    return made;
}

#if SG_HWLOC

// A program that is linked with -static has no use for it: the library would bring a second C
// library.
#pragma weak dlopen

namespace {

// The functions of hwloc that are used here, by their names in its header. All null if the library
// is missing.
struct hwloc_library {
    decltype(&hwloc_topology_init) init = nullptr;
    decltype(&hwloc_topology_set_synthetic) set_synthetic = nullptr;
    decltype(&hwloc_topology_load) load = nullptr;
    decltype(&hwloc_topology_destroy) destroy = nullptr;
    decltype(&hwloc_get_type_depth) type_depth = nullptr;
    decltype(&hwloc_get_obj_by_depth) object = nullptr;
    decltype(&hwloc_bitmap_isset) is_set = nullptr;
    decltype(&hwloc_bitmap_first) first = nullptr;

    hwloc_library() {
        // The number is that of the binary interface of all versions 2: what the header describes.
        if (&dlopen == nullptr)
            return;
        void *const library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        complete_ = find(library, init, "hwloc_topology_init") &&
                    find(library, set_synthetic, "hwloc_topology_set_synthetic") &&
                    find(library, load, "hwloc_topology_load") &&
                    find(library, destroy, "hwloc_topology_destroy") &&
                    find(library, type_depth, "hwloc_get_type_depth") &&
                    find(library, object, "hwloc_get_obj_by_depth") &&
                    find(library, is_set, "hwloc_bitmap_isset") &&
                    find(library, first, "hwloc_bitmap_first");
    }

    bool complete() const { return complete_; }

private:
    template <typename function>
    static bool find(void *library, function &f, const char *name) {
        f = reinterpret_cast<function>(dlsym(library, name));
        return f != nullptr;
    }

    bool complete_ = false;
};

// Loaded at the first call and never unloaded.
const hwloc_library &hwloc() {
    static const hwloc_library library;
    return library;
}

} // namespace

// Turns what hwloc says into places.
class topology_reader {
public:
    // Reads this machine, or the one that `synthetic` describes if it is not null.
    static std::optional<topology> read(const char *synthetic) {
        if (!hwloc().complete())
            return std::nullopt;
        hwloc_topology_t raw = nullptr;
        if (hwloc().init(&raw) != 0)
            return std::nullopt;
        const std::unique_ptr<hwloc_topology, decltype(hwloc().destroy)> owner(raw,
                                                                               hwloc().destroy);
        if (synthetic && hwloc().set_synthetic(raw, synthetic) != 0)
            return std::nullopt;
        if (hwloc().load(raw) != 0)
            return std::nullopt;
        return topology_reader(raw).places();
    }

private:
    explicit topology_reader(hwloc_topology_t raw) : raw_(raw) {}

    topology places() const {
        std::vector<std::pair<int, topology::place>> found;
        for (unsigned i = 0; hwloc_obj_t unit = object(HWLOC_OBJ_PU, i); ++i) {
            const unsigned cpu = unit->os_index;
            topology::place where;
            where.core = containing(HWLOC_OBJ_CORE, cpu);
            where.cache = shared_cache(cpu);
            where.node = containing(HWLOC_OBJ_NUMANODE, cpu);
            where.package = containing(HWLOC_OBJ_PACKAGE, cpu);
            found.emplace_back(static_cast<int>(cpu), where);
        }
        std::sort(found.begin(), found.end(),
                  [](const auto &a, const auto &b) { return a.first < b.first; });
        topology made;
        for (const auto &[cpu, where] : found) {
            made.cpus_.push_back(cpu);
            made.places_.push_back(where);
        }
        return made;
    }

    hwloc_obj_t object(hwloc_obj_type_t type, unsigned index) const {
        return hwloc().object(raw_, hwloc().type_depth(raw_, type), index);
    }

    // The number of the object of a type that contains a processor, -1 if there is none.
    int containing(hwloc_obj_type_t type, unsigned cpu) const {
        for (unsigned i = 0; hwloc_obj_t each = object(type, i); ++i)
            if (each->cpuset && hwloc().is_set(each->cpuset, cpu))
                return static_cast<int>(i);
        return -1;
    }

    // The largest cache around a processor: a processor number that stands for all that share it.
    int shared_cache(unsigned cpu) const {
        constexpr hwloc_obj_type_t largest_first[] = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE,
                                                      HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE};
        for (const hwloc_obj_type_t type : largest_first) {
            const int index = containing(type, cpu);
            if (index >= 0)
                return hwloc().first(object(type, static_cast<unsigned>(index))->cpuset);
        }
        return -1;
    }

    hwloc_topology_t raw_;
};

#else

// Built without hwloc's header: all machines are flat.
class topology_reader {
public:
    static std::optional<topology> read(const char *) { return std::nullopt; }
};

#endif

topology topology::load() {
    const std::optional<topology> known = topology_reader::read(nullptr);
    return known && !known->cpus().empty() ? *known : flat(allowed_cpus());
}

std::optional<topology> topology::from_synthetic(const std::string &description) {
    return topology_reader::read(description.c_str());
}

} // namespace saguaro::platform
