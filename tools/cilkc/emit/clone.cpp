// SPDX-License-Identifier: MIT
#include "emit/clone.hpp"

#include "analyse/frame_layout.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace saguaro::cilkc {

using llvm::dyn_cast;

namespace {

bool calls(const clang::CallExpr &call, const inlet &in) {
    const auto *name = dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    return name != nullptr && name->getDecl() == in.name;
}

} // namespace

std::string fast_name(const procedure &p) {
    return (p.external ? "_cilk_local_" : "_cilk_fast_") + p.name;
}

clone_writer::clone_writer(const source_text &source, const procedure &p, clone which)
    : source_(source), p_(p), which_(which), edits_(source) {
    edit_names();
    if (which_ != clone::inlet)
        edit(p.function->getBody());
}

void clone_writer::edit_inlet(const inlet &in) {
    const auto *pointer = in.name->getType()->getAs<clang::PointerType>();
    const auto *type = pointer->getPointeeType()->getAs<clang::FunctionType>();
    returns_nothing_ = type->getReturnType()->isVoidType();
    edit(in.body);
}

std::string clone_writer::frame(const std::string &member) const {
    return (which_ == clone::fast || which_ == clone::serial ? "_cilk_frame." : "_cilk_frame->") +
           member;
}

std::string clone_writer::profile(const std::string &what) const {
    if (!p_.is_profiled)
        return "";
    return "sg_profile_" + what + "(_cilk_deque, " + frame("_cilk_profile") + "); ";
}

std::string clone_writer::profile_leave() const {
    return p_.is_profiled ? "sg_profile_leave(_cilk_deque); " : "";
}

// How the clone names the variable.
std::string clone_writer::access(const clang::VarDecl &v) const {
    const variable *found = p_.find(&v);
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

void clone_writer::edit_names() {
    for (const use &u : p_.uses) {
        const auto *v = dyn_cast<clang::VarDecl>(u.what);
        std::string name = v != nullptr ? access(*v) : u.what->getName().str();
        if (name != source_.text().substr(u.where.begin, u.where.end - u.where.begin))
            edits_.replace(u.where, std::move(name), false);
    }
}

std::string clone_writer::text_of(const clang::Stmt &s) const {
    return edits_.render(source_.of(s.getSourceRange()));
}

void clone_writer::edit(const clang::Stmt *s) {
    if (s == nullptr)
        return;
    for (const inlet &in : p_.inlets) {
        if (which_ != clone::inlet && (s == in.declaration || s == in.statement)) {
            edits_.replace(source_.statement(s->getSourceRange()), ";", true);
            return;
        }
    }
    for (const clang::Stmt *child : s->children()) {
        // What a loop declares cannot be edited in its place.
        if (llvm::isa<clang::ForStmt>(s) && child != nullptr && llvm::isa<clang::DeclStmt>(child))
            for (const clang::Stmt *value : child->children())
                edit(value);
        else
            edit(child);
    }
    if (const site *found = site_at(s)) {
        if (llvm::isa<clang::DeclStmt>(s))
            edit_declaration(llvm::cast<clang::DeclStmt>(*s));
        else
            edits_.replace(found->where, site_text(*found), true);
    } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(s)) {
        edit_declaration(*declaration);
    } else if (const auto *loop = dyn_cast<clang::ForStmt>(s)) {
        edit_for(*loop);
    } else if (const auto *end = dyn_cast<clang::ReturnStmt>(s)) {
        edit_return(*end);
    } else if (const auto *name = dyn_cast<clang::PredefinedExpr>(s)) {
        // The clone's name is not the function's.
        edits_.replace(source_.of(name->getSourceRange()), '"' + p_.name + '"', false);
    } else {
        edit_call(*s);
        edit_literal(*s);
        edit_marker(*s);
    }
}

// A call of an inlet without a spawn: it runs at once.
std::string clone_writer::inlet_call(const clang::CallExpr &call, const inlet &in) const {
    const std::string saved = "struct _cilk_saved_" + p_.name + " *";
    std::string text = "_cilk_in_" + p_.name + "_" + in.name->getNameAsString();
    if (which_ == clone::inlet)
        text += "(_cilk_frame, _cilk_is_full";
    else if (which_ == clone::slow)
        text += "((" + saved + ")(void *)_cilk_frame, 1";
    else
        text += "(&_cilk_frame, 0";
    for (const clang::Expr *argument : call.arguments())
        text += ", " + text_of(*argument);
    return text + ")";
}

// In the serial elision only the calls of inlets are no C.
const site *clone_writer::site_at(const clang::Stmt *s) const {
    if (which_ == clone::inlet)
        return nullptr;
    const site *found = p_.site_at(s);
    if (found != nullptr && which_ == clone::serial && found->use != result_use::to_inlet)
        return nullptr;
    return found;
}

void clone_writer::edit_call(const clang::Stmt &s) {
    const auto *call = dyn_cast<clang::CallExpr>(&s);
    if (call != nullptr)
        for (const inlet &in : p_.inlets)
            if (calls(*call, in))
                edits_.replace(source_.of(call->getSourceRange()), inlet_call(*call, in), false);
    if (call == nullptr || call->getDirectCallee() == nullptr || which_ == clone::serial ||
        !is_alloca(*call->getDirectCallee()) || call->getNumArgs() != 1)
        return;
    edits_.replace(source_.of(call->getSourceRange()),
                   "sg_block_add(&" + frame("_cilk_chain") + ", " + text_of(*call->getArg(0)) + ")",
                   false);
}

// A literal whose address is taken lives as long as its block: as a variable does.
void clone_writer::edit_literal(const clang::Stmt &s) {
    const auto found = std::find(p_.literals.begin(), p_.literals.end(), &s);
    if (found == p_.literals.end())
        return;
    const clang::QualType type = (*found)->getType();
    edits_.replace(source_.of(s.getSourceRange()),
                   "(*(" + declare(source_, source_.ast().getPointerType(type), "") +
                       ")__builtin_memcpy(&_cilk_block->_cilk_literal_" +
                       std::to_string(found - p_.literals.begin() + 1) + ", &" + text_of(s) +
                       ", sizeof(" + declare(source_, type, "") + ")))",
                   false);
}

// What only a function with children out does: a fast clone has none.
std::string clone_writer::in_full_frame(const std::string &function,
                                        const std::string &otherwise) const {
    const std::string call = function + "(&_cilk_frame->head)";
    if (which_ == clone::inlet)
        return "(_cilk_is_full ? " + call + " : " + otherwise + ")";
    return which_ == clone::slow ? call : otherwise;
}

void clone_writer::edit_marker(const clang::Stmt &s) {
    const auto *e = dyn_cast<clang::Expr>(&s);
    if (e == nullptr || !e->getBeginLoc().isMacroID())
        return;
    const std::string marker = marker_at(source_, s);
    const span where{source_.offset(e->getBeginLoc()),
                     source_.offset(e->getBeginLoc()) + static_cast<unsigned>(marker.size())};
    if (marker == "_Cilk_abort") {
        edits_.replace(where, in_full_frame("sg_abort", "(void)0"), false);
    } else if (marker == "_Cilk_synched") {
        const std::string fetches = fetch(where);
        edits_.replace(where,
                       fetches.empty()
                           ? in_full_frame("sg_synched", "1")
                           : "(sg_synched(&_cilk_frame->head) ? (" + fetches + "1) : 0)",
                       false);
    } else if (marker == "_Cilk_inlet_return") {
        const auto *to_void =
            llvm::cast<clang::CStyleCastExpr>(llvm::cast<clang::UnaryOperator>(s).getSubExpr());
        edits_.replace(source_.of(s.getSourceRange()),
                       returns_nothing_ ? "return" : "return " + text_of(*to_void->getSubExpr()),
                       false);
    } else if (marker == "_Cilk_sync") {
        edits_.replace(where, "(void)0", false);
    }
}

// Frees what the clone has; the beginning of a way out that is not a theft.
std::string clone_writer::leave() const {
    std::string text;
    if (which_ == clone::head || which_ == clone::serial)
        return text;
    if (p_.has_block())
        text += "sg_block_free(_cilk_block); ";
    if (p_.has_chain)
        text += "sg_block_free_all(" + frame("_cilk_chain") + "); ";
    return text + profile("end");
}

// The end of the clone with the value, or none if empty.
std::string clone_writer::return_value(const std::string &value) {
    const std::string freed = leave();
    if (which_ == clone::slow) {
        ends_early_ = true;
        return (value.empty() ? "" : "_cilk_frame->_cilk_result = " + value + "; ") +
               "goto _cilk_end;";
    }
    if (value.empty() || freed.empty())
        return freed + "return" + (value.empty() ? "" : " " + value) + ";";
    return declare(source_, p_.function->getReturnType(), "_cilk_value") + " = " + value + "; " +
           freed + "return _cilk_value;";
}

void clone_writer::edit_return(const clang::ReturnStmt &end) {
    if (which_ != clone::slow && leave().empty())
        return;
    const clang::Expr *value = end.getRetValue();
    std::string text;
    if (value != nullptr && value->getType()->isVoidType())
        text = text_of(*value) + "; " + return_value("");
    else
        text = return_value(value == nullptr ? "" : text_of(*value));
    edits_.replace(source_.statement(end.getSourceRange()), "{ " + text + " }", true);
}

} // namespace saguaro::cilkc
