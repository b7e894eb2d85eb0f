// SPDX-License-Identifier: MIT
// Finding the process's control groups and the smallest limit on the way up.
#include "platform/cgroup.hpp"

#include "platform/file_contents.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <linux/magic.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace saguaro::platform {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// Takes what is before the first `end` off the text, and the end itself.
std::string_view take_until(std::string_view &text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return taken;
}

// The next of the words, which blanks and line ends part; empty: there is none.
std::string_view take_word(std::string_view &text) {
    constexpr std::string_view between = " \n";
    text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
    const std::size_t at = std::min(text.find_first_of(between), text.size());
    const std::string_view word = text.substr(0, at);
    text.remove_prefix(at);
    return word;
}

// Nothing unless the word begins with a number: "max", or "-1".
std::optional<std::uint64_t> number_of(std::string_view word) {
    std::uint64_t number = 0;
    return std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc()
               ? std::optional(number)
               : std::nullopt;
}

// What the kernel tells about the process.
class own_files {
public:
    explicit own_files(const std::string &before)
        : root(before), groups(contents_of(before + "/proc/self/cgroup")) {}

    // Read when it is needed first: some 30 to 100 µs, and most often it is not.
    std::string_view mounts() const {
        if (!mounts_)
            mounts_ = contents_of(root + "/proc/self/mountinfo");
        return *mounts_;
    }

    const std::string root;
    const std::string groups;

private:
    mutable std::optional<std::string> mounts_;
};

// Where the process's group is, and how far up it can be looked at.
struct place {
    std::string mount;       // the directory that holds the topmost visible group
    std::string group;       // the group's path below it: empty or beginning with a slash
    bool shows_root = false; // that topmost one is the root of them all, which has no limits
};

// One line of /proc/self/mountinfo, as far as it matters here.
struct mounted {
    std::string_view root; // the directory of the file system that is seen at `point`
    std::string_view point;
    std::string_view type;
    std::string_view options; // of the file system: the controllers, for version 1
};

bool has_item(std::string_view comma_separated, std::string_view item) {
    while (!comma_separated.empty())
        if (take_until(comma_separated, ',') == item)
            return true;
    return false;
}

// The kernel writes blanks, tabs, newlines and backslashes in paths as a backslash and three octal
// digits.
std::string unescape(std::string_view text) {
    constexpr int octal = 8;
    std::string plain;
    while (!text.empty()) {
        int letter = 0;
        if (text[0] == '\\' && text.size() > 3 &&
            std::from_chars(text.data() + 1, text.data() + 4, letter, octal).ec == std::errc()) {
            plain += static_cast<char>(letter);
            text.remove_prefix(4);
        } else {
            plain += text[0];
            text.remove_prefix(1);
        }
    }
    return plain;
}

// 36 35 98:0 /root /mount/point rw,noatime shared:1 ... - type source options
std::optional<mounted> parse_mount(std::string_view text) {
    const std::size_t dash = text.find(" - ");
    if (dash == std::string_view::npos)
        return std::nullopt;
    std::string_view before = text.substr(0, dash);
    std::string_view after = text.substr(dash + 3);
    mounted mount;
    for (int skipped = 0; skipped < 3; ++skipped)
        take_word(before);
    mount.root = take_word(before);
    mount.point = take_word(before);
    mount.type = take_word(after);
    take_word(after);
    mount.options = take_word(after);
    if (mount.point.empty() || mount.type.empty())
        return std::nullopt;
    return mount;
}

// The process's group in the hierarchy of a controller: version 1 names it among the controllers
// ("4:cpu,cpuacct:/path"), version 2 has none ("0::/path").
std::optional<std::string_view> own_group(const own_files &files, std::string_view controller,
                                          bool version2) {
    for (std::string_view rest = files.groups; !rest.empty();) {
        std::string_view line = take_until(rest, '\n');
        const bool is_whole = std::count(line.begin(), line.end(), ':') >= 2;
        take_until(line, ':');
        const std::string_view controllers = take_until(line, ':');
        if (is_whole && (version2 ? controllers.empty() : has_item(controllers, controller)))
            return line;
    }
    return std::nullopt;
}

// A container sees a part of the hierarchy only: `mount_root` is what it sees at the mount point.
// A group outside that part cannot be looked at, and the mount point is the best that is left.
std::string below_mount(std::string_view group, const std::string &mount_root) {
    const std::string seen = mount_root == "/" ? "" : mount_root;
    if (group.compare(0, seen.size(), seen) != 0 || group.find("/..") != std::string_view::npos)
        return "";
    const std::string rest(group.substr(seen.size()));
    if (!rest.empty() && rest.front() != '/')
        return ""; // /abcdef is not below /abc
    return rest == "/" ? "" : rest;
}

// Whether the directory is the root of a hierarchy. In a container a group below is mounted there.
bool is_root_of_groups(const std::string &directory, bool version2) {
    constexpr ino_t of_root = 1;
    struct statfs system{};
    struct stat file{};
    return statfs(directory.c_str(), &system) == 0 &&
           system.f_type == (version2 ? CGROUP2_SUPER_MAGIC : CGROUP_SUPER_MAGIC) &&
           stat(directory.c_str(), &file) == 0 && file.st_ino == of_root;
}

// Outside of containers a hierarchy is where systemd mounts it. A process of a container to whom
// that is shown is told of its group as if another one were the root; then this is the parent of
// that one, or not there, and no limit is found, as by the table of mounts.
std::optional<place> find_usual_place(std::string_view group, std::string_view controller,
                                      bool version2) {
    std::string mount = "/sys/fs/cgroup";
    if (!version2)
        mount.append("/").append(controller);
    else if (!is_root_of_groups(mount, true))
        mount += "/unified"; // beside hierarchies of version 1
    if (!is_root_of_groups(mount, version2))
        return std::nullopt;
    return place{mount, below_mount(group, "/"), true};
}

std::optional<place> find_place(const own_files &files, std::string_view controller,
                                bool version2) {
    const std::optional<std::string_view> group = own_group(files, controller, version2);
    if (!group)
        return std::nullopt;
    if (files.root.empty())
        if (const auto usual = find_usual_place(*group, controller, version2))
            return usual;
    for (std::string_view rest = files.mounts(); !rest.empty();) {
        const std::optional<mounted> mount = parse_mount(take_until(rest, '\n'));
        if (!mount)
            continue;
        if (version2 ? mount->type == "cgroup2"
                     : mount->type == "cgroup" && has_item(mount->options, controller))
            return place{files.root + unescape(mount->point),
                         below_mount(*group, unescape(mount->root))};
    }
    return std::nullopt;
}

double quota_of(std::string_view quota_word, std::string_view period_word) {
    const std::optional<std::uint64_t> quota = number_of(quota_word);
    const std::optional<std::uint64_t> period = number_of(period_word);
    return quota.value_or(0) != 0 && period.value_or(0) != 0
               ? static_cast<double>(*quota) / static_cast<double>(*period)
               : unlimited;
}

// cpu.max: "50000 100000" or "max 100000".
double quota_version2(const std::string &directory) {
    const std::string text = contents_of(directory + "/cpu.max");
    std::string_view rest = text;
    const std::string_view quota = take_word(rest);
    return quota_of(quota, take_word(rest));
}

// cpu.cfs_quota_us is -1 for no limit.
double quota_version1(const std::string &directory) {
    return quota_of(contents_of(directory + "/cpu.cfs_quota_us"),
                    contents_of(directory + "/cpu.cfs_period_us"));
}

// Calls visit(directory) for the process's group and all above it.
template <class Visit>
void visit_groups(const own_files &files, std::string_view controller, bool version2, Visit visit) {
    const std::optional<place> found = find_place(files, controller, version2);
    if (!found)
        return;
    for (std::string group = found->group; !group.empty(); group.erase(group.rfind('/')))
        visit(found->mount + group);
    if (!found->shows_root)
        visit(found->mount);
}

double smallest_quota(const own_files &files, bool version2) {
    double smallest = unlimited;
    visit_groups(files, "cpu", version2, [&](const std::string &directory) {
        smallest =
            std::min(smallest, version2 ? quota_version2(directory) : quota_version1(directory));
    });
    return smallest;
}

// The number in a file; nothing if there is none, as for "max".
std::optional<std::uint64_t> number_in(const std::string &path) {
    return number_of(contents_of(path));
}

std::uint64_t bytes_of_files(const std::string &directory, bool version2) {
    // Version 1 has those names for the group alone, without the groups below it.
    const std::string prefix = version2 ? "" : "total_";
    const std::string text = contents_of(directory + "/memory.stat");
    std::uint64_t sum = 0;
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view line = take_until(rest, '\n');
        const std::string_view name = take_word(line);
        if (name == prefix + "active_file" || name == prefix + "inactive_file")
            sum += number_of(take_word(line)).value_or(0);
    }
    return sum;
}

std::uint64_t room_below(const std::string &limit_file, const std::string &use_file,
                         std::uint64_t reclaimable) {
    const std::optional<std::uint64_t> limit = number_in(limit_file);
    const std::optional<std::uint64_t> used = number_in(use_file);
    return limit && used ? *limit - std::min(*limit, *used - std::min(*used, reclaimable))
                         : no_limit;
}

void lessen(cgroup_room *room, const own_files &files, bool version2) {
    visit_groups(files, "memory", version2, [&](const std::string &directory) {
        const std::string in = directory + "/memory.";
        const std::uint64_t cached = bytes_of_files(directory, version2);
        if (version2) {
            room->in_memory =
                std::min(room->in_memory, room_below(in + "max", in + "current", cached));
            room->in_swap =
                std::min(room->in_swap, room_below(in + "swap.max", in + "swap.current", 0));
        } else {
            room->in_memory = std::min(
                room->in_memory, room_below(in + "limit_in_bytes", in + "usage_in_bytes", cached));
        }
    });
}

} // namespace

double cgroup_cpu_quota(const std::string &root) {
    // A machine may have both: the processor controller is in one of them.
    const own_files files(root);
    return std::min(smallest_quota(files, false), smallest_quota(files, true));
}

cgroup_room cgroup_memory_room(const std::string &root) {
    cgroup_room room{no_limit, no_limit};
    const own_files files(root);
    lessen(&room, files, false);
    lessen(&room, files, true);
    return room;
}

} // namespace saguaro::platform
