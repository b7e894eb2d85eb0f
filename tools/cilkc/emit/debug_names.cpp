// SPDX-License-Identifier: MIT
#include "emit/debug_names.hpp"

#include "analyse/frame_layout.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace saguaro::cilkc {

namespace {

std::string in_frame(const std::string &member) {
    return "_cilk_frame->" + member;
}

// An array of variable size, as gdb writes one: *(int *)p@inner@outer.
std::string array(const source_text &source, const clang::VarDecl &v, const variable &found) {
    clang::QualType type = v.getType();
    std::string sizes;
    unsigned i = 0;
    while (const auto *one = type->getAsArrayTypeUnsafe()) {
        const auto *constant = llvm::dyn_cast<clang::ConstantArrayType>(one);
        sizes = "@" +
                (constant != nullptr
                     ? std::to_string(constant->getSize().getZExtValue())
                     : in_frame("_cilk_size_" + std::to_string(i++) + "_" + found.member)) +
                sizes;
        type = one->getElementType();
    }
    return "(*(" + declare(source, type, "*") + ")" + in_frame(found.member) + sizes + ")";
}

// What gdb understands in fast and slow clones and in inlets alike: it takes `->` for `.`, too.
std::string meaning(const source_text &source, const procedure &p, const clang::VarDecl &v) {
    const variable *found = p.find(&v);
    if (found != nullptr && found->at == home::block)
        return "_cilk_block->" + found->member;
    if (found != nullptr && found->at == home::frame)
        return found->sizes.empty() || !v.getType()->isArrayType() ? in_frame(found->member)
                                                                   : array(source, v, *found);
    return v.getName().str();
}

} // namespace

void debug_names::add(const source_text &source, span scope, const std::string &name,
                      const std::string &meaning) {
    file_ = source.lines().main_file();
    const place first = source.lines().where(scope.begin);
    const place last = source.lines().where(scope.end - 1);
    if (name != meaning && first.file == file_ && last.file == file_)
        entries_.push_back({first.line, last.line, name, meaning});
}

void debug_names::add_behind(const source_text &source, span body, const std::string &name,
                             const std::string &meaning) {
    const std::size_t line =
        source.text()[body.begin] == '{' ? source.text().find('\n', body.begin) : body.begin;
    if (line < body.end)
        add(source, {static_cast<unsigned>(line) + 1, body.end}, name, meaning);
}

void debug_names::add(const source_text &source, const procedure &p) {
    // Before its body a function has its parameters where it got them.
    for (const auto &[v, found] : p.variables)
        if (found.is_parameter)
            add_behind(source, p.body, v->getName().str(), meaning(source, p, *v));
    for (const use &u : p.uses) {
        const auto *v = llvm::dyn_cast<clang::VarDecl>(u.what);
        if (v == nullptr || source.offset(v->getLocation()) != u.where.begin)
            continue;
        // The declaration may have been given another name since.
        const std::string name(source.text().substr(u.where.begin, u.where.end - u.where.begin));
        const auto lifted = p.statics.find(v);
        if (const variable *found = p.find(v))
            add(source, found->scope, name, meaning(source, p, *v));
        else if (lifted != p.statics.end())
            add(source, lifted->second, name, meaning(source, p, *v));
    }
}

std::string debug_names::definitions() const {
    std::vector<entry> order = entries_;
    // What begins later is further in.
    std::stable_sort(order.begin(), order.end(), [](const entry &a, const entry &b) {
        return std::tuple(a.first, b.last) < std::tuple(b.first, a.last);
    });
    std::map<std::string, std::map<std::uint32_t, std::string>> lines;
    for (const entry &one : order)
        for (std::uint32_t line = one.first; line <= one.last; ++line)
            lines[one.name][line] = one.meaning;
    std::string text;
    // As of a system's header, whose macros need not be used.
    const auto at = [&](std::uint32_t line) {
        return "# " + std::to_string(line) + " \"" + file_ + "\" 3\n";
    };
    for (const auto &[name, meanings] : lines) {
        for (auto from = meanings.begin(); from != meanings.end();) {
            auto to = from;
            std::uint32_t end = from->first;
            for (; to != meanings.end() && to->first == end && to->second == from->second; ++to)
                ++end;
            text += at(from->first) + "#define " + name + " " + from->second + "\n";
            text += at(end) + "#undef " + name + "\n";
            from = to;
        }
    }
    return text;
}

} // namespace saguaro::cilkc
