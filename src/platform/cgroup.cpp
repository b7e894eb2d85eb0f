// SPDX-License-Identifier: MIT
// Finding the process's control groups and the smallest limit on the way up.
#include "platform/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

namespace saguaro::platform {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// Where the process's group is, and how far up it can be looked at.
struct place {
    std::string mount; // the directory that holds the topmost visible group
    std::string group; // the group's path below it: empty or beginning with a slash
};

// One line of /proc/self/mountinfo, as far as it matters here.
struct mounted {
    std::string root; // the directory of the file system that is seen at `point`
    std::string point;
    std::string type;
    std::string options; // of the file system: the controllers, for version 1
};

bool has_item(const std::string &comma_separated, const std::string &item) {
    std::istringstream items(comma_separated);
    for (std::string each; std::getline(items, each, ',');)
        if (each == item)
            return true;
    return false;
}

// The kernel writes blanks, tabs, newlines and backslashes in paths as a backslash and three octal
// digits.
std::string unescape(const std::string &text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

// 36 35 98:0 /root /mount/point rw,noatime shared:1 ... - type source options
std::optional<mounted> parse_mount(const std::string &text) {
    const std::size_t dash = text.find(" - ");
    if (dash == std::string::npos)
        return std::nullopt;
    std::istringstream before(text.substr(0, dash));
    std::istringstream after(text.substr(dash + 3));
    mounted mount;
    std::string skipped;
    before >> skipped >> skipped >> skipped >> mount.root >> mount.point;
    after >> mount.type >> skipped >> mount.options;
    if (!before || mount.type.empty())
        return std::nullopt;
    mount.root = unescape(mount.root);
    mount.point = unescape(mount.point);
    return mount;
}

// The process's group in the hierarchy of a controller: version 1 names it among the controllers
// ("4:cpu,cpuacct:/path"), version 2 has none ("0::/path").
std::optional<std::string> own_group(const std::string &root, const std::string &controller,
                                     bool version2) {
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string text; std::getline(file, text);) {
        const std::size_t first = text.find(':');
        const std::size_t second = text.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = text.substr(first + 1, second - first - 1);
        if (version2 ? controllers.empty() : has_item(controllers, controller))
            return text.substr(second + 1);
    }
    return std::nullopt;
}

// A container sees a part of the hierarchy only: `mount.root` is what it sees at the mount point.
// A group outside that part cannot be looked at, and the mount point is the best that is left.
std::string below_mount(const std::string &group, const std::string &mount_root) {
    const std::string seen = mount_root == "/" ? "" : mount_root;
    if (group.compare(0, seen.size(), seen) != 0 || group.find("/..") != std::string::npos)
        return "";
    const std::string rest = group.substr(seen.size());
    if (!rest.empty() && rest.front() != '/')
        return ""; // /abcdef is not below /abc
    return rest == "/" ? "" : rest;
}

std::optional<place> find_place(const std::string &root, const std::string &controller,
                                bool version2) {
    const std::optional<std::string> group = own_group(root, controller, version2);
    if (!group)
        return std::nullopt;
    std::ifstream file(root + "/proc/self/mountinfo");
    for (std::string text; std::getline(file, text);) {
        const std::optional<mounted> mount = parse_mount(text);
        if (!mount)
            continue;
        if (version2 ? mount->type == "cgroup2"
                     : mount->type == "cgroup" && has_item(mount->options, controller))
            return place{root + mount->point, below_mount(*group, mount->root)};
    }
    return std::nullopt;
}

// cpu.max: "50000 100000" or "max 100000".
double quota_version2(const std::string &directory) {
    std::ifstream file(directory + "/cpu.max");
    double quota = 0;
    double period = 0;
    return file >> quota >> period && quota > 0 && period > 0 ? quota / period : unlimited;
}

// cpu.cfs_quota_us is -1 for no limit.
double quota_version1(const std::string &directory) {
    std::ifstream quota_file(directory + "/cpu.cfs_quota_us");
    std::ifstream period_file(directory + "/cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    return quota_file >> quota && period_file >> period && quota > 0 && period > 0 ? quota / period
                                                                                   : unlimited;
}

// Calls visit(directory) for the process's group and all above it.
template <class Visit>
void visit_groups(const std::string &root, const std::string &controller, bool version2,
                  Visit visit) {
    const std::optional<place> found = find_place(root, controller, version2);
    if (!found)
        return;
    for (std::string group = found->group;; group.erase(group.rfind('/'))) {
        visit(found->mount + group);
        if (group.empty())
            return;
    }
}

double smallest_quota(const std::string &root, bool version2) {
    double smallest = unlimited;
    visit_groups(root, "cpu", version2, [&](const std::string &directory) {
        smallest =
            std::min(smallest, version2 ? quota_version2(directory) : quota_version1(directory));
    });
    return smallest;
}

// The number in a file; nothing if there is none, as for "max".
std::optional<std::uint64_t> number_in(const std::string &path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t bytes_of_files(const std::string &directory, bool version2) {
    // Version 1 has those names for the group alone, without the groups below it.
    const std::string prefix = version2 ? "" : "total_";
    std::ifstream file(directory + "/memory.stat");
    std::uint64_t sum = 0;
    std::string name;
    for (std::uint64_t bytes = 0; file >> name >> bytes;)
        if (name == prefix + "active_file" || name == prefix + "inactive_file")
            sum += bytes;
    return sum;
}

std::uint64_t room_below(const std::string &limit_file, const std::string &use_file,
                         std::uint64_t reclaimable) {
    const std::optional<std::uint64_t> limit = number_in(limit_file);
    const std::optional<std::uint64_t> used = number_in(use_file);
    return limit && used ? *limit - std::min(*limit, *used - std::min(*used, reclaimable))
                         : no_limit;
}

void lessen(cgroup_room *room, const std::string &root, bool version2) {
    visit_groups(root, "memory", version2, [&](const std::string &directory) {
        const std::string in = directory + "/memory.";
        const std::uint64_t files = bytes_of_files(directory, version2);
        if (version2) {
            room->in_memory =
                std::min(room->in_memory, room_below(in + "max", in + "current", files));
            room->in_swap =
                std::min(room->in_swap, room_below(in + "swap.max", in + "swap.current", 0));
        } else {
            room->in_memory = std::min(
                room->in_memory, room_below(in + "limit_in_bytes", in + "usage_in_bytes", files));
        }
    });
}

} // namespace

double cgroup_cpu_quota(const std::string &root) {
    // A machine may have both: the processor controller is in one of them.
    return std::min(smallest_quota(root, false), smallest_quota(root, true));
}

cgroup_room cgroup_memory_room(const std::string &root) {
    cgroup_room room{no_limit, no_limit};
    lessen(&room, root, false);
    lessen(&room, root, true);
    return room;
}

} // namespace saguaro::platform
