// SPDX-License-Identifier: MIT
// The text at file scope around the clones of a function: one string a line.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// What a declaration of a fast clone is called: within the file, or by other files.
std::string fast_name(const procedure &p);

// In a program that is profiled: whether a function that has clones has a silent one in this file,
// and its name.
bool has_silent_clone(const clang::FunctionDecl &function);
std::string silent_name(const clang::FunctionDecl &function);

// Whether the silent clone tells of the spawns that follow when somebody listens again. One that
// spawns once has nothing to tell by then, and is quicker without.
bool begins_late(const procedure &p);

// "T name(sg_deque *, sg_frame **, ...)", with the function's parameters.
std::string clone_header(const source_text &source, const clang::FunctionDecl &function,
                         const std::string &name);

// The sites' constants. They refer to the slow clone.
std::vector<std::string> site_texts(const procedure &p);

// What clones call off their fast path.
std::vector<std::string> helper_texts(const source_text &source, const procedure &p);

// The ordinary entry's body. `is_profiled`: it measures what it calls, whose clones may not.
std::string entry_body(const source_text &source, const procedure &p, bool is_profiled);
// What it needs outside of it: the last one after it.
std::vector<std::string> entry_texts(const source_text &source, const procedure &p);

// MIT's EXPORT(f): the entry for plain C, with a context as its first argument.
std::string exported_entry(const source_text &source, const procedure &p);

} // namespace saguaro::cilkc
