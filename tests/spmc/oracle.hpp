// SPDX-License-Identifier: MIT
// A random program of several spaces, and what each of them must read: both come from a serial run
// in one process, in which every page is a small object. Each space then runs its own part of the
// program, at the same time as the others, and waits where the serial run was ahead.
#pragma once

#include "pages.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace saguaro::spmc_test {

enum class act {
    alloc,    // pages at `address`
    transfer, // pages at `address` to `to` in space `other`
    copy,     // the same to read
    fix,      // pages at `address`
    extend,   // the page at `address` to pages at `to`
    free,     // pages at `address`
    write,    // `value` to a word at `address`
    read,     // a word at `address`
};

struct operation {
    act what;
    unsigned space;
    std::uintptr_t address;
    std::size_t pages;
    std::uintptr_t to;
    unsigned other;
    std::int64_t value;
};

inline std::uint64_t with(std::uint64_t hash, std::int64_t value) {
    return (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
}

// The serial run.
class oracle {
public:
    explicit oracle(unsigned seed) : random_(seed), spaces_(2 + seed % 4) {
        for (int left = 40 + below(120); left > 0; --left)
            step();
        for (std::size_t s = 0; s < spaces_.size(); ++s)
            while (!spaces_[s].maps.empty())
                give_up_some(static_cast<unsigned>(s));
    }

    const std::vector<operation> &operations() const { return operations_; }
    unsigned spaces() const { return static_cast<unsigned>(spaces_.size()); }
    std::uint64_t hash_of(unsigned space) const { return spaces_[space].hash; }

private:
    enum class kind { open, fixed, extended };

    struct page_object {
        kind is = kind::open;
        std::map<unsigned, std::int64_t> words;
        std::vector<std::size_t> expansion;
    };

    struct mapping {
        std::size_t object;
        bool produces;
        bool is_known = true; // false: given to the space, which has not needed it so far
    };

    struct one_space {
        std::map<std::uintptr_t, mapping> maps;
        std::uintptr_t fresh = 0;
        std::uint64_t hash = 0;
    };

    // A run of mapped pages.
    struct range {
        std::uintptr_t address;
        std::size_t pages;
    };

    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    page_object &object_at(unsigned s, std::uintptr_t address) {
        return objects_[spaces_[s].maps.at(address).object];
    }

    // Addresses that this space has never had, so that it does not matter when it frees others.
    std::uintptr_t fresh(unsigned s, std::size_t pages) {
        one_space &mine = spaces_[s];
        const std::uintptr_t begin =
            reinterpret_cast<std::uintptr_t>(wished(0)) + (std::uintptr_t{s} << 36) + mine.fresh;
        // Sometimes with a gap, so that pieces do not always touch each other.
        mine.fresh += (pages + (below(2) == 0 ? 1 : 0)) * page;
        return begin;
    }

    // Consecutive pages of which each satisfies `wanted`, from a random one on; none if that does
    // not.
    template <class Wanted>
    range pick(unsigned s, Wanted wanted) {
        one_space &mine = spaces_[s];
        if (mine.maps.empty())
            return {0, 0};
        auto at = std::next(mine.maps.begin(), below(static_cast<int>(mine.maps.size())));
        range found{at->first, 0};
        const auto most = static_cast<std::size_t>(1 + below(6));
        for (; at != mine.maps.end() && found.pages < most; ++at, ++found.pages)
            if (at->first != found.address + found.pages * page || !wanted(at->second))
                break;
        return found;
    }

    void note(act what, unsigned s, range r, std::uintptr_t to = 0, unsigned other = 0,
              std::int64_t value = 0) {
        operations_.push_back({what, s, r.address, r.pages, to, other, value});
        const std::size_t pages = what == act::extend ? 1 : r.pages;
        for (std::size_t i = 0; i < pages && what != act::free; ++i)
            spaces_[s].maps.at(r.address / page * page + i * page).is_known = true;
    }

    std::size_t new_object() {
        objects_.emplace_back();
        return objects_.size() - 1;
    }

    void step() {
        const auto s = static_cast<unsigned>(below(static_cast<int>(spaces_.size())));
        switch (below(12)) {
        case 0:
            return alloc(s);
        case 1:
            return transfer(s);
        case 2:
            return copy(s);
        case 3:
        case 4:
            return fix(s);
        case 5:
        case 6:
            return extend(s);
        case 7:
            return below(3) == 0 ? give_up_some(s) : void();
        case 8:
        case 9:
            return write(s);
        default:
            return read(s);
        }
    }

    void alloc(unsigned s) {
        const auto pages = static_cast<std::size_t>(1 + below(9));
        const range r{fresh(s, pages), pages};
        for (std::size_t i = 0; i < pages; ++i)
            spaces_[s].maps[r.address + i * page] = {new_object(), true};
        note(act::alloc, s, r);
    }

    unsigned another(unsigned s) {
        const unsigned count = spaces();
        return (s + 1 + static_cast<unsigned>(below(static_cast<int>(count) - 1))) % count;
    }

    void give(act what, unsigned s, range r) {
        if (r.pages == 0)
            return;
        const unsigned other = another(s);
        const std::uintptr_t to = fresh(other, r.pages);
        for (std::size_t i = 0; i < r.pages; ++i) {
            mapping &mine = spaces_[s].maps.at(r.address + i * page);
            spaces_[other].maps[to + i * page] = {mine.object, what == act::transfer, false};
            if (what == act::transfer)
                mine.produces = false;
        }
        note(what, s, r, to, other);
    }

    void transfer(unsigned s) {
        give(act::transfer, s, pick(s, [](const mapping &m) { return m.produces; }));
    }

    void copy(unsigned s) {
        give(act::copy, s, pick(s, [](const mapping &) { return true; }));
    }

    void fix(unsigned s) {
        const range r = pick(
            s, [&](const mapping &m) { return m.produces && objects_[m.object].is == kind::open; });
        if (r.pages == 0)
            return;
        for (std::size_t i = 0; i < r.pages; ++i)
            object_at(s, r.address + i * page).is = kind::fixed;
        note(act::fix, s, r);
    }

    void extend(unsigned s) {
        const range extension = pick(s, [&](const mapping &m) {
            const page_object &o = objects_[m.object];
            return m.produces ? o.is == kind::open && o.words.empty() : o.is == kind::extended;
        });
        if (extension.pages == 0)
            return;
        const bool produces = spaces_[s].maps.at(extension.address).produces;
        page_object &from = object_at(s, extension.address);
        const std::size_t most = produces ? 8 : from.expansion.size();
        const auto pages = static_cast<std::size_t>(1 + below(static_cast<int>(most)));
        std::vector<std::size_t> expansion;
        if (produces) {
            for (std::size_t i = 0; i < pages; ++i)
                expansion.push_back(new_object());
            page_object &now = object_at(s, extension.address); // the objects may have moved
            now.is = kind::extended;
            now.expansion = expansion;
        } else {
            expansion = from.expansion;
        }
        spaces_[s].maps.at(extension.address).is_known = true;
        // In place: from some page before it, or it, on.
        std::uintptr_t to = extension.address - static_cast<std::uintptr_t>(below(3)) * page;
        if (below(2) == 0 || !has_all(s, to, pages))
            to = fresh(s, pages);
        for (std::size_t i = 0; i < pages; ++i)
            spaces_[s].maps[to + i * page] = {expansion[i], produces};
        note(act::extend, s, {extension.address, pages}, to);
    }

    // Whether the space has pages from there on, and knows it: those on their way would come later
    // than what it maps there.
    bool has_all(unsigned s, std::uintptr_t address, std::size_t pages) const {
        for (std::size_t i = 0; i < pages; ++i) {
            const auto found = spaces_[s].maps.find(address + i * page);
            if (found == spaces_[s].maps.end() || !found->second.is_known)
                return false;
        }
        return true;
    }

    void give_up_some(unsigned s) {
        const range r = pick(s, [](const mapping &) { return true; });
        if (r.pages == 0)
            return;
        for (std::size_t i = 0; i < r.pages; ++i)
            spaces_[s].maps.erase(r.address + i * page);
        note(act::free, s, r);
    }

    unsigned some_word() { return below(2) == 0 ? 0 : static_cast<unsigned>(below(page / 8)); }

    void write(unsigned s) {
        const range r = pick(
            s, [&](const mapping &m) { return m.produces && objects_[m.object].is == kind::open; });
        if (r.pages == 0)
            return;
        const unsigned where = some_word();
        const std::int64_t value = 1 + below(1'000'000);
        object_at(s, r.address).words[where] = value;
        note(act::write, s, {r.address + where * 8, 1}, 0, 0, value);
    }

    void read(unsigned s) {
        const range r = pick(s, [&](const mapping &m) {
            const kind is = objects_[m.object].is;
            return is == kind::fixed || (m.produces && is == kind::open);
        });
        if (r.pages == 0)
            return;
        const page_object &o = object_at(s, r.address);
        unsigned where = some_word();
        if (below(2) == 0 && !o.words.empty())
            where = o.words.begin()->first;
        const auto found = o.words.find(where);
        spaces_[s].hash = with(spaces_[s].hash, found != o.words.end() ? found->second : 0);
        note(act::read, s, {r.address + where * 8, 1});
    }

    std::mt19937 random_;
    std::vector<one_space> spaces_;
    std::vector<page_object> objects_;
    std::vector<operation> operations_;
};

} // namespace saguaro::spmc_test
