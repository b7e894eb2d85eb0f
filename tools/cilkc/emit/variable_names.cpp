// SPDX-License-Identifier: MIT
// Writing a variable as gdb has to evaluate it: in the frame, in a block, as an array.
#include "emit/variable_names.hpp"

#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

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

void add_variable_names(const source_text &source, const procedure &p, debug_names &names) {
    // Before its body a function has its parameters where it got them.
    for (const auto &[v, found] : p.variables)
        if (found.is_parameter)
            names.add_behind(source, p.body, v->getName().str(), meaning(source, p, *v));
    for (const use &u : p.uses) {
        const auto *v = llvm::dyn_cast<clang::VarDecl>(u.what);
        if (v == nullptr || source.offset(v->getLocation()) != u.where.begin)
            continue;
        // The declaration may have been given another name since.
        const std::string name(source.text().substr(u.where.begin, u.where.end - u.where.begin));
        const auto lifted = p.statics.find(v);
        if (const variable *found = p.find(v))
            names.add(source, found->scope, name, meaning(source, p, *v));
        else if (lifted != p.statics.end())
            names.add(source, lifted->second, name, meaning(source, p, *v));
    }
}

} // namespace saguaro::cilkc
