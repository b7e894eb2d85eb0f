// SPDX-License-Identifier: MIT
// Finding the types of reducers and the expressions that name a reducer.
//
//     T cilk_reducer(zero, add) x = 0;   ::saguaro::cilk::hyperobject<T, zero, add> x = 0;
//     x += 1; f(*p, &x);                 x.view() += 1; f((*p).view(), &x.view());
//
// Where a pointer or a reference to a reducer is wanted, the reducer stays what it is.
#include "cxx/hyperobjects.hpp"

#include "cxx/reducer_expressions.hpp"
#include "cxx/reducer_linkage.hpp"
#include "cxx/reducer_types.hpp"
#include "cxx/statements.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <optional>
#include <set>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

constexpr std::string_view view = ".view()";
constexpr std::string_view no_type =
    "cilk_reducer stands behind a type: 'long cilk_reducer(identity, reduce) sum;'";

bool contains_definition(clang::TypeLoc type) {
    if (const auto elaborated = type.getAs<clang::ElaboratedTypeLoc>())
        type = elaborated.getNamedTypeLoc();
    const auto tag = type.getAs<clang::TagTypeLoc>();
    return tag && tag.isDefinition();
}

class hyperobject_walk : public clang::RecursiveASTVisitor<hyperobject_walk> {
public:
    explicit hyperobject_walk(workspace &space) : space_(space) {}

    void run() {
        clang::ASTContext &ast = space_.source.ast();
        for (clang::Decl *one : ast.getTranslationUnitDecl()->decls())
            if (!ast.getSourceManager().isInSystemHeader(one->getLocation()))
                TraverseDecl(one);
    }

    // ---- types

    bool VisitAttributedTypeLoc(clang::AttributedTypeLoc type) {
        const auto *annotation = type.getAttrAs<clang::AnnotateTypeAttr>();
        if (annotation == nullptr)
            return true;
        const unsigned at = space_.source.offset(annotation->getLocation());
        const auto found = space_.marked.reducers.find(at);
        if (found == space_.marked.reducers.end() || !space_.met.insert(at).second)
            return true;
        const unsigned begin = space_.source.offset(type.getModifiedLoc().getBeginLoc());
        if (contains_definition(type.getModifiedLoc())) {
            space_.error(begin, "define the type of a reducer's views before the reducer");
            return true;
        }
        space_.edits.put_before(begin, at, "::saguaro::cilk::hyperobject<");
        space_.edits.put_in_place(at, found->second.open + 1, ", ");
        space_.edits.put_in_place(found->second.close, found->second.close + 1, ">");
        return true;
    }

    bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &argument) {
        if (argument.getArgument().getKind() == clang::TemplateArgument::Type) {
            const clang::QualType type = argument.getArgument().getAsType();
            if (refers_to_hyperobject(type) || points_to_hyperobject(type) ||
                takes_hyperobject(type))
                space_.error(space_.source.offset(argument.getLocation()),
                             "a reducer's type cannot be a template's argument: the template would "
                             "take it for the type of its views");
        }
        return RecursiveASTVisitor::TraverseTemplateArgumentLoc(argument);
    }

    bool VisitDecltypeTypeLoc(clang::DecltypeTypeLoc type) {
        reducers_.keep_in(type.getUnderlyingExpr());
        return true;
    }

    // ---- declarations

    bool VisitParmVarDecl(clang::ParmVarDecl *parameter) {
        if (is_hyperobject(parameter->getType()))
            space_.error(space_.source.offset(parameter->getLocation()),
                         "a parameter cannot be a reducer: it would be a copy; take a reference or "
                         "a pointer to the reducer");
        return true;
    }

    bool VisitVarDecl(clang::VarDecl *variable) {
        check_linkage(space_, *variable);
        reducers_.bind(variable->getInit(), variable->getType());
        if (is_hyperobject(variable->getType()) && variable->hasInit()) {
            if (marks_spawn(*variable))
                space_.error(space_.source.offset(variable->getLocation()),
                             "a spawned call cannot initialise a reducer: spawn into a variable, "
                             "and assign it after the cilk_sync");
            else
                name_list(variable->getLocation(), variable->getNameAsString(),
                          variable->getEndLoc(), false);
        }
        return true;
    }

    bool VisitFieldDecl(clang::FieldDecl *field) {
        reducers_.bind(field->getInClassInitializer(), field->getType());
        if (is_hyperobject(field->getType()) && field->hasInClassInitializer())
            name_list(field->getLocation(), field->getNameAsString(), field->getEndLoc(), true);
        return true;
    }

    bool TraverseConstructorInitializer(clang::CXXCtorInitializer *one) {
        if (one->isWritten() && one->isAnyMemberInitializer()) {
            reducers_.bind(one->getInit(), one->getAnyMember()->getType());
            if (is_hyperobject(one->getAnyMember()->getType()))
                name_list(one->getMemberLocation(), one->getAnyMember()->getNameAsString(),
                          one->getRParenLoc(), false, "this->");
        }
        return RecursiveASTVisitor::TraverseConstructorInitializer(one);
    }

    bool VisitFunctionDecl(clang::FunctionDecl *function) {
        check_linkage(space_, *function);
        const clang::QualType result = function->getReturnType();
        if (is_hyperobject(result))
            space_.error(space_.source.offset(function->getLocation()),
                         "a function cannot return a reducer by value: return a reference or a "
                         "pointer to it, or its value");
        if (function->doesThisDeclarationHaveABody() &&
            (refers_to_hyperobject(result) || points_to_hyperobject(result)))
            reducers_.bind_returned(function->getBody(), result);
        return true;
    }

    // ---- where a reducer is wanted

    bool VisitCallExpr(clang::CallExpr *call) {
        if (const clang::Expr *reducer = reducers_.first_view_in(*call))
            ends_[reducer] = ".first_view()";
        reducers_.bind_in_call(*call);
        return use(call);
    }

    bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) {
        reducers_.bind_arguments(*made->getConstructor(), made->getArgs(), made->getNumArgs());
        return true;
    }

    bool VisitInitListExpr(clang::InitListExpr *list) {
        reducer_expressions::values made;
        reducers_.bind_members(*list, made);
        for (const auto &[value, type] : made)
            if (value->getBeginLoc().isValid())
                name_type(space_.source.of(value->getSourceRange()), type);
        return true;
    }

    bool VisitLambdaExpr(clang::LambdaExpr *function) {
        return VisitFunctionDecl(function->getCallOperator());
    }

    bool VisitBinaryOperator(clang::BinaryOperator *pair) {
        reducers_.keep_in_pair(*pair);
        return true;
    }

    bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) {
        reducers_.bind(cast->getSubExpr(), cast->getTypeAsWritten());
        return true;
    }

    // What a lambda captures is the reducer.
    bool TraverseLambdaCapture(clang::LambdaExpr *function, const clang::LambdaCapture *capture,
                               clang::Expr *value) {
        return !function->isInitCapture(capture) ||
               RecursiveASTVisitor::TraverseLambdaCapture(function, capture, value);
    }

    // ---- uses

    bool VisitDeclRefExpr(clang::DeclRefExpr *name) { return use(name); }
    bool VisitMemberExpr(clang::MemberExpr *member) {
        if (member->isArrow() && !member->isImplicitAccess() &&
            reducers_.points(member->getBase())) {
            const span base = space_.source.of(member->getBase()->getSourceRange());
            if (used_.insert({base.begin, base.end}).second) {
                space_.edits.put_before(base.begin, base.end, "(&");
                space_.edits.put_behind(base.begin, base.end, "->view())");
            }
        }
        return use(member);
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *element) {
        reducers_.keep_in_subscript(*element);
        return use(element);
    }
    bool VisitUnaryOperator(clang::UnaryOperator *sign) { return use(sign); }

private:
    bool marks_spawn(const clang::VarDecl &variable) const {
        return spawned_in(space_, *variable.getInit()).call != nullptr;
    }

    // ---- edits

    // A list in braces behind the name makes the value: it says of which type.
    void name_list(clang::SourceLocation name, const std::string &text, clang::SourceLocation end,
                   bool is_default, const std::string &object = "") {
        unsigned at = space_.source.offset(name) + static_cast<unsigned>(text.size());
        at = space_.source.skip_blanks(at);
        const bool is_copy = space_.source.text()[at] == '=';
        if (is_copy)
            at = space_.source.skip_blanks(at + 1);
        const unsigned last = space_.source.offset(end) + 1;
        if (space_.source.text()[at] != '{' || !used_.insert({at, last}).second)
            return;
        const std::string type = "typename decltype(" + object + text + ")::value_type";
        space_.edits.put_before(at, last, is_copy ? type : (is_default ? "= " : "(") + type);
        if (!is_copy && !is_default)
            space_.edits.put_behind(at, last, ")");
    }

    // The same for a member or an element, which has no name.
    void name_type(span list, clang::QualType type) {
        const auto text = space_.type_text(type.getCanonicalType());
        if (text && space_.source.text()[list.begin] == '{' &&
            used_.insert({list.begin, list.end}).second)
            space_.edits.put_before(list.begin, list.end,
                                    "::saguaro::cilk::value_of<" + *text + ">");
    }

    bool use(const clang::Expr *e) {
        if (reducers_.is_kept(*e) || e->getBeginLoc().isInvalid() || !reducers_.refers(e))
            return true;
        const span where = space_.source.of(e->getSourceRange());
        if (!used_.insert({where.begin, where.end}).second)
            return true;
        const auto found = ends_.find(e);
        const std::string end(found == ends_.end() ? view : found->second);
        if (llvm::isa<clang::UnaryOperator>(e)) {
            space_.edits.put_before(where.begin, where.end, "(");
            space_.edits.put_behind(where.begin, where.end, ")" + end);
        } else {
            space_.edits.put_behind(where.begin, where.end, end);
        }
        return true;
    }

    workspace &space_;
    reducer_expressions reducers_;
    std::map<const clang::Expr *, std::string_view> ends_; // other ends than `.view()`
    std::set<std::pair<unsigned, unsigned>> used_;         // a tree has some nodes twice
};

} // namespace

namespace {

// What is wrong in the parentheses of the word at the offset. Clang says it of the word.
std::optional<std::string> what_clang_says(const workspace &space, const unit &parsed,
                                           unsigned at) {
    const place where = space.source.lines().where(at);
    for (const problem &one : parsed.errors()) {
        if (one.file != where.file || one.line != where.line || one.column != where.column)
            continue;
        const auto has = [&](const char *words) { return one.text.find(words) != one.text.npos; };
        if (has("identity_and_reduction") || has("a parameter of type 'void (*)(void *") ||
            has("arguments to function call"))
            return "the identity of a reducer is a 'void (void *view)', its reduction a "
                   "'void (void *left, void *right)'";
        if (has("constant expression"))
            return "in C++ the functions of a reducer must be functions by name, not variables "
                   "that point to them";
        return has("annotate_type") ? std::string(no_type) : one.text;
    }
    return std::nullopt;
}

} // namespace

void translate_hyperobjects(workspace &space) {
    if (!space.marked.reducers.empty())
        hyperobject_walk(space).run();
}

void check_hyperobjects(workspace &space, const unit &parsed) {
    for (const auto &[at, place] : space.marked.reducers) {
        const std::optional<std::string> reason = what_clang_says(space, parsed, at);
        if (reason)
            space.error(at, *reason);
        else if (space.met.count(at) == 0 && parsed.errors().empty())
            space.error(at, std::string(no_type));
    }
}

} // namespace saguaro::cilkc
