// SPDX-License-Identifier: MIT
// Which variables of a function are only read and assigned by name, and where: their values can be
// handed to closures, in place of references to them.
#pragma once

#include "parse/source_text.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

class variable_uses {
public:
    variable_uses(const source_text &source, const clang::FunctionDecl &function);

    // Whether the variable is one of the function, of a scalar type, and nothing refers to it: a
    // closure of the function's cannot tell when it is assigned.
    bool is_private(const clang::VarDecl &variable) const;

    // What a closure captures that has the text `where`: by copy the private variables that are
    // read there, have a value when `unchanged` begins, and keep it to the end of that; by
    // reference all else.
    std::string captures(span where, span unchanged) const;

    // The same for what follows a spawn up to `end`. It may change its copies of variables that
    // nothing uses behind it; `changes`: it does.
    std::string captures_of_rest(span spawn, unsigned end, bool &changes) const;

private:
    struct uses_of_one {
        bool has_references = false;
        std::vector<unsigned> reads, writes;
    };

    std::string captures_if(
        unsigned begin,
        const std::function<bool(const clang::VarDecl &, const uses_of_one &)> &is_copied) const;
    bool is_over(const clang::VarDecl &variable, const uses_of_one &uses, span piece) const;
    void visit(const clang::Stmt *s, bool is_dropped);
    bool is_change(const clang::Stmt &s, bool is_dropped);
    void change(const clang::VarDecl &variable, const clang::Expr &at, bool is_dropped);

    const source_text &source_;
    const clang::FunctionDecl &function_;
    std::map<const clang::VarDecl *, uses_of_one> uses_;
    std::vector<span> loops_; // their bodies
    bool has_labels_ = false;
};

} // namespace saguaro::cilkc
