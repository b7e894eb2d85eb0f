// SPDX-License-Identifier: MIT
#include "desugar/rewriting.hpp"

#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace saguaro::cilkc {

namespace {

// Whether the type, as written, has a name in it that only its function knows.
bool has_local_name(clang::QualType type) {
    const clang::Type *t = type.getTypePtr();
    if (const auto *name = llvm::dyn_cast<clang::TypedefType>(t))
        return name->getDecl()->getParentFunctionOrMethod() != nullptr;
    if (const auto *named = llvm::dyn_cast<clang::ElaboratedType>(t))
        return has_local_name(named->getNamedType());
    if (const auto *inner = llvm::dyn_cast<clang::ParenType>(t))
        return has_local_name(inner->getInnerType());
    if (const auto *adjusted = llvm::dyn_cast<clang::AdjustedType>(t))
        return has_local_name(adjusted->getOriginalType());
    if (const auto *pointer = llvm::dyn_cast<clang::PointerType>(t))
        return has_local_name(pointer->getPointeeType());
    if (const auto *array = llvm::dyn_cast<clang::ArrayType>(t))
        return has_local_name(array->getElementType());
    if (const auto *function = llvm::dyn_cast<clang::FunctionProtoType>(t)) {
        return has_local_name(function->getReturnType()) ||
               llvm::any_of(function->param_types(), has_local_name);
    }
    return llvm::isa<clang::TypeOfExprType, clang::TypeOfType>(t);
}

class jump_finder {
public:
    jump_finder(const source_text &source, const clang::Stmt &statement)
        : source_(source), where_(source.of(statement.getSourceRange())) {
        visit(statement, false, false);
    }

    std::vector<const clang::Stmt *> found;

private:
    // `breaks`, `continues`: there is a statement around, within the scope, that takes them.
    void visit(const clang::Stmt &s, bool breaks, bool continues) {
        const auto *jump = llvm::dyn_cast<clang::GotoStmt>(&s);
        if ((llvm::isa<clang::BreakStmt>(s) && !breaks) ||
            (llvm::isa<clang::ContinueStmt>(s) && !continues) ||
            (jump != nullptr && leaves(*jump))) {
            found.push_back(&s);
        }
        const bool loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                visit(*child, breaks || loop || llvm::isa<clang::SwitchStmt>(s), continues || loop);
    }

    bool leaves(const clang::GotoStmt &jump) const {
        const unsigned to = source_.offset(jump.getLabel()->getLocation());
        return to < where_.begin || to >= where_.end;
    }

    const source_text &source_;
    span where_;
};

} // namespace

std::vector<const clang::Stmt *> jumps_out_of(const source_text &source,
                                              const clang::Stmt &statement) {
    return jump_finder(source, statement).found;
}

problem problem_at(const source_text &source, clang::SourceLocation where, std::string text) {
    const place at = source.lines().where(source.offset(where));
    return {at.file, at.line, at.column, std::move(text)};
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

std::string declared_as(const clang::ASTContext &ast, clang::QualType type,
                        const std::string &name) {
    std::string text;
    llvm::raw_string_ostream out(text);
    (has_local_name(type) ? type.getCanonicalType() : type).print(out, policy_of(ast), name);
    return text;
}

std::string rewriting::text_of(const clang::Stmt &s) const {
    return edits.render(source.of(s.getSourceRange()));
}

} // namespace saguaro::cilkc
