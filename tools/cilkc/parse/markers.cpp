// SPDX-License-Identifier: MIT
// Recognising markers and annotations in Clang's tree.
#include "parse/markers.hpp"

#include "parse/syntax.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <utility>

namespace saguaro::cilkc {

bool has_annotation(const clang::Decl &declaration, llvm::StringRef text) {
    for (const auto *annotation : declaration.specific_attrs<clang::AnnotateAttr>())
        if (annotation->getAnnotation() == text)
            return true;
    return false;
}

bool is_procedure(const clang::FunctionDecl &function) {
    for (const clang::FunctionDecl *declaration : function.redecls())
        if (has_annotation(*declaration, "cilk procedure"))
            return true;
    return false;
}

std::string marker_of(const source_text &source, const clang::Stmt &statement) {
    const std::string_view text = source.text().substr(source.offset(statement.getBeginLoc()), 40);
    if (text.substr(0, 6) != "_Cilk_")
        return {};
    return std::string(text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_C")));
}

std::string marker_at(const source_text &source, const clang::Stmt &s) {
    const auto *extension = llvm::dyn_cast<clang::UnaryOperator>(&s);
    return extension != nullptr && extension->getOpcode() == clang::UO_Extension
               ? marker_of(source, s)
               : std::string();
}

const clang::Expr *unused_value(const source_text &source, const clang::Expr *e) {
    for (;;) {
        e = peel(e);
        const auto *cast = llvm::dyn_cast<clang::CStyleCastExpr>(e);
        const auto *extension = llvm::dyn_cast<clang::UnaryOperator>(e);
        if (cast != nullptr)
            e = cast->getSubExpr();
        else if (extension != nullptr && extension->getOpcode() == clang::UO_Extension &&
                 marker_at(source, *e).empty())
            e = extension->getSubExpr();
        else
            return e;
    }
}

std::string annotation_of(const clang::Stmt &statement) {
    const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(&statement);
    if (attributed == nullptr)
        return {};
    for (const clang::Attr *attribute : attributed->getAttrs()) {
        // Of the attributes of statements that C has in Clang 19, the one that takes a text.
        const auto *annotation = llvm::dyn_cast<clang::SuppressAttr>(attribute);
        if (annotation != nullptr && annotation->diagnosticIdentifiers_size() == 1)
            return annotation->diagnosticIdentifiers_begin()->str();
    }
    return {};
}

const clang::Stmt &annotated(const clang::Stmt &statement) {
    return *llvm::cast<clang::AttributedStmt>(statement).getSubStmt();
}

const clang::Expr *operand_of_marker(const clang::Expr *e) {
    while (true) {
        e = e->IgnoreParenImpCasts();
        const auto *extension = llvm::dyn_cast<clang::UnaryOperator>(e);
        const auto *to_void = llvm::dyn_cast<clang::CStyleCastExpr>(e);
        if (extension != nullptr && extension->getOpcode() == clang::UO_Extension)
            e = extension->getSubExpr();
        else if (to_void != nullptr && to_void->getType()->isVoidType())
            e = to_void->getSubExpr();
        else
            return e;
    }
}

bool has_spawns(const source_text &source, const clang::Stmt &statement) {
    const std::string annotation = annotation_of(statement);
    if (annotation == "cilk for")
        return false;
    if (annotation == "cilk spawn block" || annotation == "cilk scope")
        return true;
    const std::string marker = marker_at(source, statement);
    if (marker == "_Cilk_spawn" || marker == "_Cilk_sync")
        return true;
    for (const clang::Stmt *child : statement.children())
        if (child != nullptr && has_spawns(source, *child))
            return true;
    return false;
}

std::string without_markers(std::string text) {
    constexpr std::pair<std::string_view, std::string_view> markers[] = {
        {"_Cilk_procedure", "               "},
        {"_Cilk_spawn_block", "                 "},
        {"_Cilk_spawn", "           "},
        {"_Cilk_scope", "           "},
        {"_Cilk_for", "for      "},
        {"_Cilk_grain", "(void)     "},
        {"_Cilk_synched", "1            "},
        {"_Cilk_sync", "(void)0   "},
        {"_Cilk_abort", "(void)0    "},
    };
    for (const auto &[marker, plain] : markers)
        for (std::size_t at = 0; (at = text.find(marker, at)) != text.npos;)
            text.replace(at, marker.size(), plain);
    return text;
}

} // namespace saguaro::cilkc
