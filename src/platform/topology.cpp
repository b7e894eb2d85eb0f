// SPDX-License-Identifier: MIT
// Loading hwloc, reading the machine from it, and the distances between processors.
#include "platform/topology.hpp"

#include "platform/cpus.hpp"
#include "platform/forks.hpp"
#include "platform/settings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <unistd.h>
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
    const place *const a = find(cpu_a);
    const place *const b = find(cpu_b);
    if (!a || !b)
        return nothing_known;
    if (a == b)
        return same_core;
    const auto shared = [](int left, int right) { return left == right && left >= 0; };
    if (shared(a->core, b->core))
        return same_core;
    // Before the node: a cache may be around several nodes, but their memory is not as near.
    if (a->node != b->node)
        return between_nodes(*a, *b);
    if (shared(a->cache, b->cache))
        return same_cache;
    return a->node < 0 ? nothing_known : same_node;
}

int topology::between_nodes(const place &a, const place &b) const {
    if (a.node < 0 || b.node < 0)
        return nothing_known;
    if (!latencies_.empty()) {
        const auto at = [this](int from, int to) {
            return latencies_[static_cast<std::size_t>(from) * node_numbers_.size() +
                              static_cast<std::size_t>(to)];
        };
        // Firmware may say 10, or less, of another node; it is not the own one all the same.
        const int latency = std::max(at(a.node, b.node), at(b.node, a.node));
        return same_node + std::clamp(latency - own_latency, 1, nothing_known - same_node);
    }
    constexpr int a_level = 10;
    // The climb may be longer on one side, where that has more levels.
    for (auto up = a.around.begin(); up != a.around.end(); ++up)
        if (const auto down = std::find(b.around.begin(), b.around.end(), *up);
            down != b.around.end()) {
            const auto levels = std::max(up - a.around.begin(), down - b.around.begin()) + 1;
            return std::min(same_node + static_cast<int>(levels) * a_level, int{nothing_known});
        }
    return nothing_known;
}

int topology::node_of(int cpu) const {
    const place *const where = find(cpu);
    return where == nullptr || where->node < 0
               ? -1
               : node_numbers_[static_cast<std::size_t>(where->node)];
}

int topology::core_of(int cpu) const {
    const place *const where = find(cpu);
    return where == nullptr ? -1 : where->core;
}

topology topology::flat(std::vector<int> cpus) {
    topology made;
    made.cpus_ = std::move(cpus);
    std::sort(made.cpus_.begin(), made.cpus_.end());
    place anywhere;
    anywhere.node = 0;
    made.node_numbers_ = {0};
    made.places_.assign(made.cpus_.size(), anywhere);
    return made;
}

#if SG_HWLOC

// A program that is linked with -static has no use for it: the library would bring a second C
// library.
#pragma weak dlsym

namespace {

// The functions of hwloc that are used here, by their names in its header. All null if the library
// is missing.
struct hwloc_library {
    decltype(&hwloc_topology_init) init = nullptr;
    decltype(&hwloc_topology_set_synthetic) set_synthetic = nullptr;
    decltype(&hwloc_topology_set_xml) set_xml = nullptr;
    decltype(&hwloc_topology_set_flags) set_flags = nullptr;
    decltype(&hwloc_topology_load) load = nullptr;
    decltype(&hwloc_topology_destroy) destroy = nullptr;
    decltype(&hwloc_get_type_depth) type_depth = nullptr;
    decltype(&hwloc_get_obj_by_depth) object = nullptr;
    decltype(&hwloc_bitmap_isset) is_set = nullptr;
    decltype(&hwloc_bitmap_first) first = nullptr;
    decltype(&hwloc_bitmap_weight) weight = nullptr;
    decltype(&hwloc_distances_get_by_type) distances = nullptr;
    decltype(&hwloc_distances_release) release = nullptr;

    hwloc_library() {
        // Variables of the environment (HWLOC_PLUGINS_PATH, HWLOC_XMLFILE) name libraries and files
        // that hwloc loads: not with rights that the caller lacks.
        if (&dlsym == nullptr || has_more_rights_than_caller())
            return;
        // Not by its name: the linker would warn of each program that is linked with -static.
        const auto open = reinterpret_cast<decltype(&dlopen)>(dlsym(RTLD_DEFAULT, "dlopen"));
        if (open == nullptr)
            return;
        // The number is that of the binary interface of all versions 2: what the header describes.
        void *const library = open("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        complete_ = find(library, init, "hwloc_topology_init") &&
                    find(library, set_synthetic, "hwloc_topology_set_synthetic") &&
                    find(library, set_xml, "hwloc_topology_set_xml") &&
                    find(library, set_flags, "hwloc_topology_set_flags") &&
                    find(library, load, "hwloc_topology_load") &&
                    find(library, destroy, "hwloc_topology_destroy") &&
                    find(library, type_depth, "hwloc_get_type_depth") &&
                    find(library, object, "hwloc_get_obj_by_depth") &&
                    find(library, is_set, "hwloc_bitmap_isset") &&
                    find(library, first, "hwloc_bitmap_first") &&
                    find(library, weight, "hwloc_bitmap_weight") &&
                    find(library, distances, "hwloc_distances_get_by_type") &&
                    find(library, release, "hwloc_distances_release");
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
    static constinit made_once<hwloc_library> library;
    return library.get([] { return hwloc_library(); });
}

} // namespace

namespace {

bool choose_synthetic(hwloc_topology_t raw, const std::string &description) {
    return hwloc().set_synthetic(raw, description.c_str()) == 0;
}

// hwloc would bind the calling thread to each processor in turn, to ask it by cpuid, and leave it
// on the last one: beside the worker that starts there, until the kernel moves it.
void stay_in_place(hwloc_topology_t raw) {
#if HWLOC_API_VERSION >= 0x00020500
    hwloc().set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING); // refused before 2.5
#else
    (void)raw;
#endif
}

bool choose_xml(hwloc_topology_t raw, const std::string &file) {
    return hwloc().set_xml(raw, file.c_str()) == 0;
}

} // namespace

// Turns what hwloc says into places.
class topology_reader {
public:
    // Reads the machine that `choose` tells hwloc to read: false if there is none.
    template <class Choose>
    static std::optional<topology> read(Choose choose) {
        if (!hwloc().complete())
            return std::nullopt;
        hwloc_topology_t raw = nullptr;
        if (hwloc().init(&raw) != 0)
            return std::nullopt;
        const std::unique_ptr<hwloc_topology, decltype(hwloc().destroy)> owner(raw,
                                                                               hwloc().destroy);
        stay_in_place(raw);
        if (!choose(raw) || hwloc().load(raw) != 0)
            return std::nullopt;
        return topology_reader(raw).places();
    }

    static bool is_there() { return hwloc().complete(); }

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
            where.around = around(unit, where.node);
            found.emplace_back(static_cast<int>(cpu), where);
        }
        std::sort(found.begin(), found.end(),
                  [](const auto &a, const auto &b) { return a.first < b.first; });
        topology made;
        made.node_numbers_ = node_numbers();
        for (const auto &[cpu, where] : found) {
            made.cpus_.push_back(cpu);
            made.places_.push_back(where);
        }
        read_latencies(made);
        return made;
    }

    // The kernel's numbers of all nodes, in hwloc's order; that order itself if one has none.
    std::vector<int> node_numbers() const {
        std::vector<int> found;
        bool complete = true;
        for (unsigned i = 0; hwloc_obj_t each = object(HWLOC_OBJ_NUMANODE, i); ++i) {
            found.push_back(static_cast<int>(each->os_index));
            complete &= each->os_index != HWLOC_UNKNOWN_INDEX;
        }
        if (!complete)
            std::iota(found.begin(), found.end(), 0);
        return found;
    }

    static int processors_in(hwloc_obj_t what) {
        return what->cpuset == nullptr ? 0 : hwloc().weight(what->cpuset);
    }

    // The numbers of all that contains a processor, other nodes than its own, and processors that
    // are farther from its own node: not its core or package, where those have several nodes. What
    // contains the same processors is one level. The machine is always the last.
    std::vector<int> around(hwloc_obj_t unit, int node) const {
        if (node < 0)
            return {};
        const int near = processors_in(object(HWLOC_OBJ_NUMANODE, static_cast<unsigned>(node)));
        std::vector<int> found;
        for (hwloc_obj_t each = unit->parent; each != nullptr; each = each->parent) {
            const bool is_machine = each->parent == nullptr;
            const bool is_level = is_machine || processors_in(each->parent) > processors_in(each);
            const bool has_others = each->nodeset != nullptr && hwloc().weight(each->nodeset) > 1;
            if (is_machine || (is_level && has_others && processors_in(each) > near))
                found.push_back(static_cast<int>(each->gp_index));
        }
        return found;
    }

    // The firmware's table of latencies, if there is one for all nodes.
    void read_latencies(topology &made) const {
        unsigned count = 1;
        hwloc_distances_s *table = nullptr;
        if (hwloc().distances(raw_, HWLOC_OBJ_NUMANODE, &count, &table,
                              HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
            count == 0)
            return;
        const unsigned rows = table->nbobjs;
        std::vector<int> latencies(std::size_t{rows} * rows);
        bool complete = rows == made.node_numbers_.size();
        for (unsigned from = 0; from < rows; ++from) {
            complete &= table->objs[from] != nullptr;
            for (unsigned to = 0; complete && to < rows && table->objs[to] != nullptr; ++to) {
                // In hwloc's order of the nodes, which need not be the table's.
                const std::size_t row = table->objs[from]->logical_index;
                const std::size_t column = table->objs[to]->logical_index;
                if (row < rows && column < rows)
                    latencies[row * rows + column] = static_cast<int>(
                        std::min<std::uint64_t>(table->values[from * rows + to], 255));
            }
        }
        hwloc().release(raw_, table);
        if (!complete)
            return;
        made.latencies_ = std::move(latencies);
    }

    hwloc_obj_t object(hwloc_obj_type_t type, unsigned index) const {
        return hwloc().object(raw_, hwloc().type_depth(raw_, type), index);
    }

    // hwloc's number of the object of a type that contains a processor, -1 if there is none.
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
    template <class Choose>
    static std::optional<topology> read(Choose) {
        return std::nullopt;
    }
    static bool is_there() { return false; }
};

#endif

namespace {

bool is_file(const std::string &description) {
    return description.ends_with(".xml");
}

// `at` points to an opening bracket. Returns the place behind its closing bracket, or the end of
// the text. Brackets do not nest.
const char *skip_brackets(const char *at) {
    const char *const end = std::strchr(at, *at == '(' ? ')' : ']');
    return end == nullptr ? at + std::strlen(at) : end + 1;
}

// Whether hwloc would make too many processors of a description: the product of its numbers, each
// behind the colon of its level or alone, "pack:2 4". Attributes in parentheses and memory in
// brackets are no levels. What else may be wrong is hwloc's to say.
bool has_too_many_processors(const std::string &description) {
    unsigned long product = 1;
    bool begins = true; // a level
    for (const char *at = description.c_str(); *at != '\0';) {
        if (*at == '(' || *at == '[') {
            at = skip_brackets(at);
            continue;
        }
        const bool has_number = *at == ':' || (begins && *at >= '0' && *at <= '9');
        begins = *at == ' ' || *at == '\n';
        if (!has_number) {
            ++at;
            continue;
        }
        char *end;
        const unsigned long number = std::strtoul(at + (*at == ':' ? 1 : 0), &end, 0);
        if (number > most_described_processors / product)
            return true;
        product *= std::max(number, 1UL); // 0 is refused by hwloc
        at = std::max<const char *>(end, at + 1);
    }
    return false;
}

} // namespace

bool topology::can_read() {
    return topology_reader::is_there();
}

topology topology::load() {
    const std::optional<topology> known = topology_reader::read([](auto) { return true; });
    return known && !known->cpus().empty() ? *known : flat(allowed_cpus());
}

std::optional<topology> topology::from_synthetic(const std::string &description) {
    if (has_too_many_processors(description))
        return std::nullopt;
    return topology_reader::read([&](auto raw) { return choose_synthetic(raw, description); });
}

std::optional<topology> topology::from_xml(const std::string &file) {
    return topology_reader::read([&](auto raw) { return choose_xml(raw, file); });
}

std::optional<topology> topology::described(const std::string &text) {
    return is_file(text) ? from_xml(text) : from_synthetic(text);
}

std::string topology::fault_of(const std::string &text) {
    if (!is_file(text))
        return has_too_many_processors(text)
                   ? "it has more than " + std::to_string(most_described_processors) + " processors"
                   : std::string();
    if (access(text.c_str(), R_OK) != 0)
        return std::strerror(errno);
    // hwloc 2 reads no file of hwloc 3 unless that has been told to write it for hwloc 2.
    return can_read() ? "the hwloc of this machine cannot read that file" : "hwloc is missing";
}

} // namespace saguaro::platform
