// SPDX-License-Identifier: MIT
// Inlets, lifted out of their functions: the user's, with the variables that they use reached
// through the frame, and one for each spawn that calls one or whose result is not simply copied.
#include "emit/inlets.hpp"

#include "analyse/frame_layout.hpp"
#include "emit/clone.hpp"
#include "emit/clone_text.hpp"
#include "parse/block_declarations.hpp"
#include "parse/declare.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace saguaro::cilkc {

namespace {

const clang::FunctionType &type_of(const inlet &in) {
    return *in.name->getType()->getPointeeType()->getAs<clang::FunctionType>();
}

std::string block_of(const procedure &p) {
    if (!p.has_block())
        return "";
    return "struct _cilk_block_" + p.name +
           " *_cilk_block = _cilk_frame->_cilk_block; (void)_cilk_block; ";
}

// The first statements of the body declare the parameters.
std::string users_inlet(const source_text &source, const procedure &p, const inlet &in) {
    clone_text edited(source, p, clone::inlet);
    const auto *type = llvm::dyn_cast<clang::FunctionProtoType>(&type_of(in));
    std::string parameters = "struct _cilk_saved_" + p.name + " *_cilk_frame, int _cilk_is_full";
    const auto *body = llvm::cast<clang::CompoundStmt>(in.body);
    auto declaration = body->body_begin();
    for (unsigned i = 0; type != nullptr && i < type->getNumParams(); ++i, ++declaration) {
        const std::string name = "_cilk_" + std::to_string(i + 1);
        parameters += ", " + declare(source, type->getParamType(i), name);
        const span where = source.statement((*declaration)->getSourceRange());
        edited.edits.insert(where.end - 1, " = " + name);
    }
    edit_inlet(edited, in);
    const std::string name = "_cilk_in_" + p.name + "_" + in.name->getNameAsString();
    return "static " + declare(source, type_of(in).getReturnType(), name + "(" + parameters + ")") +
           " { " + block_of(p) + "(void)_cilk_frame; (void)_cilk_is_full; " +
           declare_again(declared_around(source, *in.body)) +
           source.lines().jump(in.body_where.begin) + edited.render(in.body_where) + " }";
}

std::string sites_inlet(const source_text &source, const procedure &p, const site &s) {
    const std::string number = p.name + "_" + std::to_string(s.number);
    const std::string saved = "struct _cilk_saved_" + p.name;
    std::string text = "static void _cilk_inlet_" + number +
                       "(sg_frame *_cilk_head, int _cilk_is_full, const void *_cilk_arguments, "
                       "const void *_cilk_result) { " +
                       saved + " *_cilk_frame = (" + saved + " *)(void *)_cilk_head; " +
                       block_of(p) + "(void)_cilk_frame; (void)_cilk_is_full; ";
    if (has_inlet_arguments(p, s))
        text += "const struct _cilk_arguments_" + number + " *_cilk_given = _cilk_arguments; ";
    else
        text += "(void)_cilk_arguments; ";
    const bool is_void = s.call->getType()->isVoidType();
    if (is_void)
        text += "(void)_cilk_result; ";
    else
        text += "_cilk_type_" + number + " _cilk_r = *(const _cilk_type_" + number +
                " *)_cilk_result; ";
    const clone_text edited(source, p, clone::inlet);
    const bit_field field = bit_field_of(s);
    if (stores_by_address(p, s))
        text += (field.owner != nullptr ? "_cilk_given->to->" + field.path : "*_cilk_given->to") +
                " " + (s.operation.empty() ? "=" : s.operation) + " ";
    else if (s.destination != nullptr)
        text += edited.text_of(*s.destination) + " " + s.operation + " ";
    else if (s.variable != nullptr)
        text += edited.access(*s.variable) + " = ";
    if (s.in == nullptr)
        return text + "_cilk_r; }";
    text += "_cilk_in_" + p.name + "_" + s.in->name->getNameAsString() +
            "(_cilk_frame, _cilk_is_full" + (is_void ? "" : ", _cilk_r");
    for (std::size_t i = 0; i < s.inlet_arguments.size(); ++i)
        text += ", _cilk_given->a" + std::to_string(i + 1);
    return text + "); }";
}

} // namespace

std::vector<std::string> inlet_texts(const source_text &source, const procedure &p) {
    std::vector<std::string> texts;
    for (const inlet &in : p.inlets)
        texts.push_back(users_inlet(source, p, in));
    for (const site &s : p.sites) {
        if (!needs_inlet(p, s))
            continue;
        if (!s.call->getType()->isVoidType())
            texts.push_back("typedef " +
                            declare(source, s.call->getType(),
                                    "_cilk_type_" + p.name + "_" + std::to_string(s.number)) +
                            ";");
        texts.push_back(sites_inlet(source, p, s));
    }
    return texts;
}

} // namespace saguaro::cilkc
