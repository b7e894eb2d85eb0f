// SPDX-License-Identifier: MIT
// The programs that ranks run, each with its environment and folder.
#pragma once

#include "options.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::detmpiexec {

// Ends the launcher, and its ranks with it, with a line.
[[noreturn]] void give_up(const std::string &what, int error_number);

class environment {
public:
    // The launcher's own, or those of its variables that the part names.
    explicit environment(const part &of);

    bool has(const std::string &name) const { return values_.count(name) != 0; }
    // Whether there is a variable whose name begins so.
    bool has_any_of(const std::string &beginning) const {
        const auto first = values_.lower_bound(beginning);
        return first != values_.end() && first->first.rfind(beginning, 0) == 0;
    }
    std::string get(const std::string &name) const;
    void set(const std::string &name, const std::string &value) { values_[name] = value; }
    void set_unless_there(const std::string &name, const std::string &value) {
        values_.emplace(name, value);
    }

private:
    friend class program_scope;
    std::map<std::string, std::string> values_;
};

struct program {
    std::string file;
    environment variables;
    std::string folder; // or none
};

// The launcher as one of its ranks will be: in its folder, with its environment; until the end of
// the scope. Ends the process with a line if there is no such folder.
class program_scope {
public:
    explicit program_scope(const program &what);
    ~program_scope();
    program_scope(const program_scope &) = delete;
    program_scope &operator=(const program_scope &) = delete;

private:
    std::vector<std::string> texts_;
    std::vector<char *> variables_;
    char **former_;
    int former_folder_ = -1;
};

// None if the part cannot run, and why.
std::optional<program> prepare(const part &p, std::string &why);

// Ends the process with a line instead.
program prepare(const part &p);

} // namespace saguaro::detmpiexec
