// SPDX-License-Identifier: MIT
// Reading the annotation of a reducer's declaration.
#include "parse/reducer.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace saguaro::cilkc {

namespace {

const clang::AnnotateAttr *annotation_in(clang::QualType type) {
    const auto *name = type->getAs<clang::TypedefType>();
    return name == nullptr ? nullptr : reducer_annotation(*name->getDecl());
}

} // namespace

const clang::AnnotateAttr *reducer_annotation(const clang::Decl &d) {
    for (const auto *one : d.specific_attrs<clang::AnnotateAttr>())
        if (one->getAnnotation() == "cilk reducer")
            return one;
    return nullptr;
}

const clang::Expr &function_in(const clang::AnnotateAttr &annotation, unsigned which) {
    const auto *size = llvm::cast<clang::UnaryExprOrTypeTraitExpr>(
        annotation.args_begin()[which]->IgnoreParenImpCasts());
    return *size->getArgumentExpr()->IgnoreParens();
}

unsigned end_of_marker(const source_text &source, unsigned at) {
    const std::string_view text = source.text();
    int depth = 0;
    for (auto end = at; end < text.size(); end++) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        if (depth == 0 && text[end] == ')')
            return end + 1;
    }
    return at;
}

std::optional<reducer> reducer_of(const source_text &source, const clang::VarDecl &variable) {
    const clang::QualType type = variable.getType();
    const clang::QualType pointee =
        type->isPointerType() ? type->getPointeeType() : clang::QualType();
    const clang::AnnotateAttr *own = reducer_annotation(variable);
    const clang::AnnotateAttr *annotation = own != nullptr ? own : annotation_in(type);
    bool is_pointer = false;
    if (annotation == nullptr && !pointee.isNull()) {
        annotation = annotation_in(pointee);
        is_pointer = true;
    }
    if (annotation == nullptr)
        return std::nullopt;
    const std::string_view text = source.text();
    const unsigned at = source.offset(annotation->getLocation());
    const unsigned end = end_of_marker(source, at);
    if (own != nullptr && !pointee.isNull()) {
        const unsigned name = source.offset(variable.getLocation());
        is_pointer = name > end && text.substr(end, name - end).find('*') != text.npos;
    }
    const unsigned open = static_cast<unsigned>(text.find('(', at)) + 1;
    unsigned comma = open;
    for (int depth = 0; comma < end && (depth > 0 || text[comma] != ','); comma++)
        depth += text[comma] == '(' ? 1 : text[comma] == ')' ? -1 : 0;
    return reducer{annotation,
                   is_pointer ? pointee : type,
                   is_pointer,
                   std::string(text.substr(open, comma - open)),
                   std::string(text.substr(comma + 1, end - 1 - (comma + 1))),
                   {},
                   variable.getName().str()};
}

} // namespace saguaro::cilkc
