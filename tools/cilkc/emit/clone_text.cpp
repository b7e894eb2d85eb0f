// SPDX-License-Identifier: MIT
// The pieces of text that all editors of a clone use: accesses, declarators, returns.
#include "emit/clone_text.hpp"

#include "emit/glue.hpp"
#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

using llvm::dyn_cast;

clone_text::clone_text(const source_text &text, const procedure &function, clone kind)
    : source(text), p(function), which(kind), edits(text) {
    for (const use &u : p.uses) {
        const auto *v = dyn_cast<clang::VarDecl>(u.what);
        std::string name = v != nullptr ? access(*v) : u.what->getName().str();
        if (name != source.text().substr(u.where.begin, u.where.end - u.where.begin))
            edits.replace(u.where, std::move(name), false);
    }
}

std::string clone_text::frame(const std::string &member) const {
    const bool is_full = which == clone::slow || which == clone::inlet;
    return (is_full ? "_cilk_frame->" : "_cilk_frame.") + member;
}

std::string clone_text::profile(const std::string &what) const {
    if (!p.is_profiled || which == clone::silent)
        return "";
    return "sg_profile_" + what + "(_cilk_deque, " + frame("_cilk_profile") + "); ";
}

std::string clone_text::profile_leave() const {
    return p.is_profiled ? "sg_profile_leave(_cilk_deque); " : "";
}

std::string clone_text::access(const clang::VarDecl &v) const {
    const variable *found = p.find(&v);
    if (found != nullptr && !found->sizes.empty()) {
        const bool is_array = v.getType()->isArrayType();
        return "(*(" + array_declarator(v, is_array ? "(*)" : "(**)") + ")" +
               (is_array ? "" : "(void *)&") + frame(found->member) + ")";
    }
    if (found != nullptr && found->at == home::block)
        return "_cilk_block->" + found->member;
    if (found != nullptr && found->at == home::frame)
        return frame(found->member);
    return v.getName().str();
}

std::string clone_text::text_of(const clang::Stmt &s) const {
    return edits.render(source.of(s.getSourceRange()));
}

std::string clone_text::array_declarator(const clang::VarDecl &v, const std::string &inner) const {
    const variable &found = *p.find(&v);
    clang::QualType type = v.getType();
    if (const auto *pointer = type->getAs<clang::PointerType>())
        type = pointer->getPointeeType();
    std::string text = inner;
    unsigned i = 0;
    while (const auto *array = type->getAsArrayTypeUnsafe()) {
        if (const auto *constant = dyn_cast<clang::ConstantArrayType>(array))
            text += "[" + std::to_string(constant->getSize().getZExtValue()) + "]";
        else
            text += "[" + frame("_cilk_size_" + std::to_string(i++) + "_" + found.member) + "]";
        type = array->getElementType();
    }
    return declare(source, type, text);
}

std::string clone_text::set_sizes(const clang::VarDecl &v) const {
    const variable &found = *p.find(&v);
    std::string text;
    unsigned i = 0;
    for (const clang::Expr *size : found.sizes)
        text += frame("_cilk_size_" + std::to_string(i++) + "_" + found.member) + " = (size_t)(" +
                text_of(*size) + "); ";
    if (v.getType()->isArrayType())
        text += frame(found.member) + " = sg_block_add(&" + frame("_cilk_chain") + ", sizeof(" +
                array_declarator(v, "") + ")); ";
    return text;
}

std::string clone_text::leave() const {
    std::string text;
    if (which == clone::head || which == clone::serial)
        return text;
    if (p.has_block())
        text += "sg_block_free(_cilk_block); ";
    if (p.has_chain)
        text += "sg_block_free_all(" + frame("_cilk_chain") + "); ";
    if (which == clone::silent && begins_late(p))
        text += "if (_cilk_late != (void *)0) sg_profile_end(_cilk_deque, _cilk_late); ";
    return text + profile("end");
}

std::string clone_text::return_value(const std::string &value) {
    const std::string freed = leave();
    if (which == clone::slow) {
        ends_early = true;
        return (value.empty() ? "" : "_cilk_frame->_cilk_result = " + value + "; ") +
               "goto _cilk_end;";
    }
    if (value.empty() || freed.empty())
        return freed + "return" + (value.empty() ? "" : " " + value) + ";";
    return declare(source, p.function->getReturnType(), "_cilk_value") + " = " + value + "; " +
           freed + "return _cilk_value;";
}

} // namespace saguaro::cilkc
