// SPDX-License-Identifier: MIT
// Finding how a statement uses the variables around it, and rewriting the uses.
#include "desugar/captures.hpp"

#include "parse/block_declarations.hpp"
#include "parse/declare.hpp"
#include "tokens/tokens.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

enum class access { read, written, address };

struct variable_use {
    const clang::DeclRefExpr *reference;
    access how;
};

// Finds how variables are used. What it does not know counts as taking the address.
class use_finder {
public:
    void visit(const clang::Stmt *s) { visit(s, access::address); }

    std::vector<variable_use> uses;

private:
    void visit(const clang::Stmt *s, access how) {
        if (s == nullptr)
            return;
        visit_types(*s);
        if (const auto *reference = dyn_cast<clang::DeclRefExpr>(s)) {
            uses.push_back({reference, how});
        } else if (const auto *cast = dyn_cast<clang::CastExpr>(s)) {
            visit(cast->getSubExpr(),
                  cast->getCastKind() == clang::CK_LValueToRValue ? access::read : how);
        } else if (const auto *inner = dyn_cast<clang::ParenExpr>(s)) {
            visit(inner->getSubExpr(), how);
        } else if (const auto *member = dyn_cast<clang::MemberExpr>(s)) {
            visit(member->getBase(), member->isArrow() ? access::address : how);
        } else if (const auto *unary = dyn_cast<clang::UnaryOperator>(s)) {
            visit(unary->getSubExpr(),
                  unary->isIncrementDecrementOp() ? access::written : access::address);
        } else if (const auto *binary = dyn_cast<clang::BinaryOperator>(s)) {
            visit(binary->getLHS(), binary->isAssignmentOp() ? access::written : access::address);
            visit(binary->getRHS());
        } else if (const auto *size = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(s)) {
            visit(size->isArgumentType() ? nullptr : size->getArgumentExpr(), access::read);
        } else {
            for (const clang::Stmt *child : s->children())
                visit(child);
        }
    }

    // Types name variables in `typeof`, and in the lengths of arrays.
    void visit_types(const clang::Stmt &s) {
        if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(&s)) {
            visit_type(cast->getTypeInfoAsWritten());
        } else if (const auto *size = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&s)) {
            visit_type(size->isArgumentType() ? size->getArgumentTypeInfo() : nullptr);
        } else if (const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(&s)) {
            visit_type(literal->getTypeSourceInfo());
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(&s)) {
            for (const clang::Decl *d : declaration->decls()) {
                const auto *declared = dyn_cast<clang::DeclaratorDecl>(d);
                visit_type(declared == nullptr ? nullptr : declared->getTypeSourceInfo());
            }
        }
    }

    void visit_type(const clang::TypeSourceInfo *type) {
        if (type == nullptr)
            return;
        for (clang::TypeLoc at = type->getTypeLoc(); !at.isNull(); at = at.getNextTypeLoc())
            if (const auto of = at.getAs<clang::TypeOfExprTypeLoc>())
                visit(of.getUnderlyingExpr(), access::read);
            else if (const auto array = at.getAs<clang::ArrayTypeLoc>())
                visit(array.getSizeExpr(), access::address);
    }
};

struct captured_variable {
    const clang::VarDecl *variable;
    std::vector<const clang::DeclRefExpr *> uses;
    bool by_value = true;
};

// A variable of the function's own: also a static one, or one that it declares extern. Of one that
// each thread has for itself there is no single address.
bool is_local(const clang::VarDecl &variable) {
    return variable.getDeclContext()->isFunctionOrMethod() ||
           (variable.isLocalExternDecl() && variable.getTLSKind() == clang::VarDecl::TLS_None);
}

bool is_captured(const clang::ValueDecl *d) {
    const auto *variable = dyn_cast<clang::VarDecl>(d);
    return variable != nullptr && is_local(*variable);
}

bool can_be_copied(const clang::VarDecl &variable) {
    const clang::QualType type = variable.getType();
    return variable.hasLocalStorage() && !type.isVolatileQualified() && !type->isAtomicType() &&
           !type->isArrayType();
}

class capture_finder {
public:
    capture_finder(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &body,
                   const clang::VarDecl *own)
        : work_(work), body_(work.source.of(body.getSourceRange())), own_(own) {
        std::vector<const clang::ValueDecl *> declared = declared_around(work.source, body);
        std::erase_if(declared, is_captured);
        found_.prologue = declare_again(declared);
        use_finder all;
        all.visit(function.getBody());
        for (const variable_use &use : all.uses)
            add(use);
        keep_function_name(body, '"' + function.getNameAsString() + '"');
    }

    captures run() {
        for (const captured_variable &one : variables_)
            if (!one.uses.empty())
                take(one);
        return std::move(found_);
    }

private:
    // `__func__`, which would be the name of the function that the body becomes.
    void keep_function_name(const clang::Stmt &s, const std::string &name) {
        if (llvm::isa<clang::PredefinedExpr>(s))
            work_.edits.replace(work_.source.of(s.getSourceRange()), name, true);
        for (const clang::Stmt *child : s.children())
            if (child != nullptr && !llvm::isa<clang::PredefinedExpr>(s))
                keep_function_name(*child, name);
    }

    bool in_body(clang::SourceLocation where) const {
        const unsigned at = work_.source.offset(where);
        return at >= body_.begin && at < body_.end;
    }

    void add(const variable_use &use) {
        const auto *variable = dyn_cast<clang::VarDecl>(use.reference->getDecl());
        if (variable == nullptr || variable == own_ || !is_local(*variable) ||
            in_body(variable->getLocation())) {
            return;
        }
        const auto at =
            std::find_if(variables_.begin(), variables_.end(),
                         [&](const captured_variable &one) { return one.variable == variable; });
        captured_variable &one =
            at != variables_.end() ? *at
                                   : variables_.emplace_back(
                                         captured_variable{variable, {}, can_be_copied(*variable)});
        const bool here = in_body(use.reference->getLocation());
        if (here)
            one.uses.push_back(use.reference);
        one.by_value &= use.how == access::read || (use.how == access::written && !here);
    }

    void take(const captured_variable &one) {
        const std::string name = one.variable->getName().str();
        const clang::QualType type = one.variable->getType();
        const std::string pointer = "_cilk_to_" + name;
        if (type->isVariablyModifiedType()) {
            take_variable_array(one, name);
        } else if (one.by_value) {
            found_.members.push_back({declared_as(work_.source.ast(), type, name), name, name});
        } else {
            const clang::QualType address = work_.source.ast().getPointerType(type);
            found_.members.push_back(
                {declared_as(work_.source.ast(), address, pointer), pointer, "&" + name});
        }
        if (!one.by_value)
            reach_by_address(one, pointer);
    }

    void reach_by_address(const captured_variable &one, const std::string &pointer) {
        const std::string value = "(*" + pointer + ")";
        work_.names.add_behind(work_.source, body_, one.variable->getName().str(), value);
        if (one.variable->getStorageClass() == clang::SC_Register)
            drop_register(*one.variable);
        for (const clang::DeclRefExpr *use : one.uses)
            work_.edits.replace(work_.source.of(use->getSourceRange()), value, true);
    }

    // What is in a register has no address.
    void drop_register(const clang::VarDecl &variable) {
        const unsigned begin = work_.source.offset(variable.getBeginLoc());
        const unsigned name = work_.source.offset(variable.getLocation());
        const std::string declaration(work_.source.text().substr(begin, name - begin));
        const token_list tokens(declaration);
        for (std::size_t i = 0; i < tokens.size(); i++) {
            const auto at = begin + static_cast<unsigned>(tokens[i].offset);
            const auto length = static_cast<unsigned>(tokens[i].text.size());
            if (tokens[i].is("register"))
                work_.edits.replace({at, at + length}, std::string(length, ' '), false);
        }
    }

    // An array of variable length, or a pointer to one: its lengths are taken, and the declaration
    // is made again of them.
    void take_variable_array(const captured_variable &one, const std::string &name) {
        clang::QualType type = one.variable->getType();
        std::string declarator = one.by_value ? name : "(*_cilk_to_" + name + ")";
        std::string element = name;
        if (type->isPointerType()) {
            type = type->getPointeeType();
            declarator = "(*" + declarator + ")";
            element = "(*" + name + ")";
        }
        const std::string base = "_cilk_base_" + name;
        found_.members.push_back(
            {"void *" + base, base, "(void *)" + (one.by_value ? name : "&" + name)});
        int dimension = 0;
        while (const clang::ArrayType *array = work_.source.ast().getAsArrayType(type)) {
            const std::string length = "_cilk_length_" + std::to_string(++dimension) + "_" + name;
            const std::string next = element + "[0]";
            found_.members.push_back(
                {"sg_uint64 " + length, length, "sizeof(" + element + ") / sizeof(" + next + ")"});
            declarator += "[" + length + "]";
            element = next;
            type = array->getElementType();
        }
        found_.prologue += declared_as(work_.source.ast(), type, declarator) + " = " + base + "; ";
    }

    rewriting &work_;
    span body_;
    const clang::VarDecl *own_;
    std::vector<captured_variable> variables_;
    captures found_;
};

template <class F>
std::string joined(const std::vector<taken> &members, F part) {
    std::string text;
    for (const taken &one : members)
        text += (text.empty() ? "" : ", ") + part(one);
    return text;
}

} // namespace

std::string captures::parameters() const {
    return joined(members, [](const taken &one) { return one.type_and_name; });
}

std::string captures::arguments(const std::string &from) const {
    return joined(members, [&](const taken &one) { return from + one.name; });
}

std::string captures::values() const {
    return joined(members, [](const taken &one) { return one.value; });
}

captures take_captures(rewriting &work, const clang::FunctionDecl &function,
                       const clang::Stmt &body, const clang::VarDecl *own) {
    return capture_finder(work, function, body, own).run();
}

} // namespace saguaro::cilkc
