// SPDX-License-Identifier: MIT
// The editor of function bodies: statements, calls of inlets, literals with an address.
#include "emit/clone.hpp"

#include "analyse/names.hpp"
#include "emit/declarations.hpp"
#include "emit/sites.hpp"
#include "parse/declare.hpp"
#include "parse/markers.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

bool calls(const clang::CallExpr &call, const inlet &in) {
    const auto *name = dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    return name != nullptr && name->getDecl() == in.name;
}

class body_editor {
public:
    // `returns_nothing`: of an inlet that is void.
    body_editor(clone_text &text, bool returns_nothing)
        : clone_(text), returns_nothing_(returns_nothing) {}

    void edit(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        for (const inlet &in : clone_.p.inlets) {
            if (clone_.which != clone::inlet && (s == in.declaration || s == in.statement)) {
                clone_.edits.replace(clone_.source.statement(s->getSourceRange()), ";", true);
                return;
            }
        }
        for (const clang::Stmt *child : s->children()) {
            // What a loop declares cannot be edited in its place.
            if (llvm::isa<clang::ForStmt>(s) && child != nullptr &&
                llvm::isa<clang::DeclStmt>(child))
                for (const clang::Stmt *value : child->children())
                    edit(value);
            else
                edit(child);
        }
        if (const site *found = site_at(s)) {
            if (llvm::isa<clang::DeclStmt>(s))
                edit_declaration(clone_, llvm::cast<clang::DeclStmt>(*s));
            else
                clone_.edits.replace(found->where, site_text(clone_, *found), true);
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(s)) {
            edit_declaration(clone_, *declaration);
        } else if (const auto *loop = dyn_cast<clang::ForStmt>(s)) {
            edit_for(clone_, *loop);
        } else if (const auto *end = dyn_cast<clang::ReturnStmt>(s)) {
            edit_return(*end);
        } else if (const auto *name = dyn_cast<clang::PredefinedExpr>(s)) {
            // The clone's name is not the function's.
            clone_.edits.replace(clone_.source.of(name->getSourceRange()),
                                 '"' + clone_.p.name + '"', false);
        } else {
            edit_call(*s);
            edit_literal(*s);
            edit_marker(*s);
        }
    }

private:
    // A call of an inlet without a spawn: it runs at once.
    std::string inlet_call(const clang::CallExpr &call, const inlet &in) const {
        const std::string saved = "struct _cilk_saved_" + clone_.p.name + " *";
        std::string text = "_cilk_in_" + clone_.p.name + "_" + in.name->getNameAsString();
        if (clone_.which == clone::inlet)
            text += "(_cilk_frame, _cilk_is_full";
        else if (clone_.which == clone::slow)
            text += "((" + saved + ")(void *)_cilk_frame, 1";
        else
            text += "(&_cilk_frame, 0";
        for (const clang::Expr *argument : call.arguments())
            text += ", " + clone_.text_of(*argument);
        return text + ")";
    }

    // In the serial elision only the calls of inlets are no C.
    const site *site_at(const clang::Stmt *s) const {
        if (clone_.which == clone::inlet)
            return nullptr;
        const site *found = clone_.p.site_at(s);
        if (found != nullptr && clone_.which == clone::serial && found->use != result_use::to_inlet)
            return nullptr;
        return found;
    }

    void edit_call(const clang::Stmt &s) {
        const auto *call = dyn_cast<clang::CallExpr>(&s);
        if (call != nullptr)
            for (const inlet &in : clone_.p.inlets)
                if (calls(*call, in))
                    clone_.edits.replace(clone_.source.of(call->getSourceRange()),
                                         inlet_call(*call, in), false);
        if (call == nullptr || call->getDirectCallee() == nullptr ||
            clone_.which == clone::serial || !is_alloca(*call->getDirectCallee()) ||
            call->getNumArgs() != 1)
            return;
        clone_.edits.replace(clone_.source.of(call->getSourceRange()),
                             "sg_block_add(&" + clone_.frame("_cilk_chain") + ", " +
                                 clone_.text_of(*call->getArg(0)) + ")",
                             false);
    }

    // A literal whose address is taken lives as long as its block: as a variable does.
    void edit_literal(const clang::Stmt &s) {
        const auto found = std::find(clone_.p.literals.begin(), clone_.p.literals.end(), &s);
        if (found == clone_.p.literals.end())
            return;
        const clang::QualType type = (*found)->getType();
        clone_.edits.replace(
            clone_.source.of(s.getSourceRange()),
            "(*(" + declare(clone_.source, clone_.source.ast().getPointerType(type), "") +
                ")__builtin_memcpy(&_cilk_block->_cilk_literal_" +
                std::to_string(found - clone_.p.literals.begin() + 1) + ", &" + clone_.text_of(s) +
                ", sizeof(" + declare(clone_.source, type, "") + ")))",
            false);
    }

    // What only a function with children out does: a fast clone has none.
    std::string in_full_frame(const std::string &function, const std::string &otherwise) const {
        const std::string call = function + "(&_cilk_frame->head)";
        if (clone_.which == clone::inlet)
            return "(_cilk_is_full ? " + call + " : " + otherwise + ")";
        return clone_.which == clone::slow ? call : otherwise;
    }

    void edit_marker(const clang::Stmt &s) {
        const auto *e = dyn_cast<clang::Expr>(&s);
        if (e == nullptr || !e->getBeginLoc().isMacroID())
            return;
        const std::string marker = marker_at(clone_.source, s);
        const span where{clone_.source.offset(e->getBeginLoc()),
                         clone_.source.offset(e->getBeginLoc()) +
                             static_cast<unsigned>(marker.size())};
        if (marker == "_Cilk_abort") {
            clone_.edits.replace(where, in_full_frame("sg_abort", "(void)0"), false);
        } else if (marker == "_Cilk_synched") {
            const std::string fetches = fetch_results(clone_, where);
            clone_.edits.replace(where,
                                 fetches.empty()
                                     ? in_full_frame("sg_synched", "1")
                                     : "(sg_synched(&_cilk_frame->head) ? (" + fetches + "1) : 0)",
                                 false);
        } else if (marker == "_Cilk_inlet_return") {
            const auto *to_void =
                llvm::cast<clang::CStyleCastExpr>(llvm::cast<clang::UnaryOperator>(s).getSubExpr());
            clone_.edits.replace(
                clone_.source.of(s.getSourceRange()),
                returns_nothing_ ? "return" : "return " + clone_.text_of(*to_void->getSubExpr()),
                false);
        } else if (marker == "_Cilk_sync") {
            clone_.edits.replace(where, "(void)0", false);
        }
    }

    void edit_return(const clang::ReturnStmt &end) {
        if (clone_.which != clone::slow && clone_.leave().empty())
            return;
        const clang::Expr *value = end.getRetValue();
        std::string text;
        if (value != nullptr && value->getType()->isVoidType())
            text = clone_.text_of(*value) + "; " + clone_.return_value("");
        else
            text = clone_.return_value(value == nullptr ? "" : clone_.text_of(*value));
        clone_.edits.replace(clone_.source.statement(end.getSourceRange()), "{ " + text + " }",
                             true);
    }

    clone_text &clone_;
    const bool returns_nothing_;
};

} // namespace

void edit_body(clone_text &text) {
    body_editor(text, false).edit(text.p.function->getBody());
}

void edit_inlet(clone_text &text, const inlet &in) {
    const auto *pointer = in.name->getType()->getAs<clang::PointerType>();
    const auto *type = pointer->getPointeeType()->getAs<clang::FunctionType>();
    body_editor(text, type->getReturnType()->isVoidType()).edit(in.body);
}

} // namespace saguaro::cilkc
