// SPDX-License-Identifier: MIT
// Members of frames, in C: variables, saved results, inlet arguments and bit-fields.
#include "analyse/frame_layout.hpp"

#include "parse/declare.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>

namespace saguaro::cilkc {

frame_layout lay_out(const procedure &p) {
    std::set<const clang::VarDecl *> saved(p.captured);
    std::set<const clang::VarDecl *> more;
    for (const site &s : p.sites) {
        if (!s.is_left())
            continue;
        (s.kind == site_kind::spawn ? saved : more).insert(s.live.begin(), s.live.end());
        if (s.kind == site_kind::spawn && s.variable != nullptr)
            more.insert(s.variable);
    }
    frame_layout layout;
    for (const clang::VarDecl *v : p.in_order())
        if (const home at = p.find(v)->at;
            at != home::block && (at != home::local || saved.count(v) != 0 || more.count(v) != 0))
            (saved.count(v) != 0 || at == home::frame ? layout.saved : layout.more).push_back(v);
    return layout;
}

// The member, or the members, of a variable that is in the frame.
std::string member_text(const source_text &source, const procedure &p, const clang::VarDecl *v) {
    const variable &found = *p.find(v);
    if (found.sizes.empty())
        return " " + declare(source, v->getType(), found.member) + ";";
    std::string text = " void *" + found.member + ";";
    for (std::size_t i = 0; i < found.sizes.size(); ++i)
        text += " size_t _cilk_size_" + std::to_string(i) + "_" + found.member + ";";
    return text;
}

bool stores_by_address(const procedure &p, const site &s) {
    if (!needs_inlet(p, s))
        return false;
    const clang::VarDecl *root = s.variable;
    if (s.use != result_use::assigned) {
        if (s.destination == nullptr)
            return false;
        root = root_of(s.destination);
    }
    const variable *v = p.find(root);
    return v == nullptr || v->at == home::block;
}

namespace {

// Whether a struct or union can be written by a name.
bool has_name(clang::QualType type) {
    if (type->isPointerType())
        type = type->getPointeeType();
    const clang::TagDecl *tag = type->getAsTagDecl();
    return tag == nullptr || !tag->getName().empty() || tag->getTypedefNameForAnonDecl() != nullptr;
}

// What the inlet takes, not what it is given: 0 may be a pointer there. The child's result comes
// before the others.
clang::QualType inlet_argument_type(const site &s, unsigned i) {
    const auto *type = s.in->name->getType()->getPointeeType()->castAs<clang::FunctionProtoType>();
    return type->getParamType(i + (s.call->getType()->isVoidType() ? 0 : 1)).getUnqualifiedType();
}

} // namespace

bit_field bit_field_of(const site &s) {
    if (s.destination == nullptr)
        return {};
    const clang::Expr *to = s.destination->IgnoreParens();
    if (const auto *some = llvm::dyn_cast<clang::ExtVectorElementExpr>(to))
        return {some->getBase(), some->isArrow(), true, some->getAccessor().getName().str()};
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(to);
    const auto *field =
        member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || !(field->isBitField() || is_packed_member(*member)))
        return {};
    std::string path = field->getName().str();
    while (!member->isArrow() &&
           (!has_name(member->getBase()->getType()) || is_packed_member(*member->getBase()))) {
        const auto *outer = llvm::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParens());
        if (outer == nullptr)
            break;
        const std::string name = outer->getMemberDecl()->getName().str();
        path = name.empty() ? path : name + "." + path;
        member = outer;
    }
    const clang::Expr *owner = member->getBase();
    if (!field->isBitField() && !has_name(owner->getType()))
        return {};
    return {owner, member->isArrow(), has_name(owner->getType()), path};
}

const clang::ArraySubscriptExpr *vector_element_of(const site &s) {
    const auto *element =
        s.destination == nullptr
            ? nullptr
            : llvm::dyn_cast<clang::ArraySubscriptExpr>(s.destination->IgnoreParens());
    return element != nullptr && element->getBase()->getType()->isVectorType() ? element : nullptr;
}

bool has_inlet_arguments(const procedure &p, const site &s) {
    return stores_by_address(p, s) || !s.inlet_arguments.empty();
}

std::string new_block(const procedure &p) {
    const std::string size = "sizeof(struct _cilk_block_" + p.name + ")";
    if (p.block_alignment == 0)
        return "sg_block_new(" + size + "); ";
    return "sg_block_new_aligned(" + size + ", " + std::to_string(p.block_alignment) + "); ";
}

namespace {

// What a variable's declaration asks for beyond its type's alignment.
std::string own_alignment(const source_text &source, const clang::VarDecl *v) {
    const auto wanted = source.ast().getDeclAlign(v);
    if (wanted <= source.ast().getTypeAlignInChars(v->getType()))
        return "";
    return " __attribute__((aligned(" + std::to_string(wanted.getQuantity()) + ")))";
}

} // namespace

std::vector<std::string> struct_texts(const source_text &source, const procedure &p,
                                      const frame_layout &layout) {
    std::vector<std::string> texts;
    if (p.has_block()) {
        std::string text = "struct _cilk_block_" + p.name + " {";
        for (const clang::VarDecl *v : p.at_home(home::block))
            text += " " + declare(source, v->getType(), p.find(v)->member) +
                    own_alignment(source, v) + ";";
        unsigned i = 0;
        for (const clang::CompoundLiteralExpr *literal : p.literals)
            text += " " +
                    declare(source, literal->getType(), "_cilk_literal_" + std::to_string(++i)) +
                    ";";
        texts.push_back(text + " };");
    }
    std::string prefix = " sg_frame head;";
    if (p.has_block())
        prefix += " struct _cilk_block_" + p.name + " *_cilk_block;";
    if (p.has_chain)
        prefix += " void *_cilk_chain;";
    if (p.is_profiled)
        prefix += " sg_profile *_cilk_profile;";
    if (p.saves_errno)
        prefix += " int _cilk_errno;";
    for (const clang::VarDecl *v : layout.saved)
        prefix += member_text(source, p, v);
    for (const site &s : p.sites) {
        if (!has_inlet_arguments(p, s))
            continue;
        const std::string number = std::to_string(s.number);
        std::string text = "struct _cilk_arguments_" + p.name + "_" + number + " {";
        if (stores_by_address(p, s)) {
            const bit_field field = bit_field_of(s);
            const clang::QualType type = field.owner != nullptr     ? field.owner->getType()
                                         : s.destination != nullptr ? s.destination->getType()
                                                                    : s.variable->getType();
            text +=
                " " +
                declare(source, field.is_pointer ? type : source.ast().getPointerType(type), "to") +
                ";";
        }
        for (unsigned i = 0; i < s.inlet_arguments.size(); ++i)
            text +=
                " " + declare(source, inlet_argument_type(s, i), "a" + std::to_string(i + 1)) + ";";
        texts.push_back(text + " };");
        prefix +=
            " struct _cilk_arguments_" + p.name + "_" + number + " _cilk_arguments_" + number + ";";
    }
    texts.push_back("struct _cilk_saved_" + p.name + " {" + prefix + " };");
    std::string rest;
    for (const clang::VarDecl *v : layout.more)
        rest += member_text(source, p, v);
    for (const clang::VarDecl *v : p.at_home(home::result))
        rest += " char _cilk_out_" + p.find(v)->member + ";";
    for (const site &s : p.sites)
        if (s.kind == site_kind::call && s.is_left() && !s.call->getType()->isVoidType())
            rest += " " + declare(source, s.call->getType(), "_cilk_r" + std::to_string(s.number)) +
                    ";";
    if (!p.function->getReturnType()->isVoidType())
        rest += " " + declare(source, p.function->getReturnType(), "_cilk_result") + ";";
    texts.push_back("struct _cilk_frame_" + p.name + " {" + prefix + rest + " };");
    return texts;
}

} // namespace saguaro::cilkc
