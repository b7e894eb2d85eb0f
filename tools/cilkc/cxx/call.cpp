// SPDX-License-Identifier: MIT
// Callees and arguments of spawned calls.
#include "cxx/call.hpp"

#include "cxx/arguments.hpp"
#include "cxx/changing.hpp"
#include "cxx/default_values.hpp"
#include "cxx/operators.hpp"
#include "cxx/workspace.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

std::string object_type(const clang::BinaryOperator &through) {
    return through.getOpcode() == clang::BO_PtrMemD ? "auto &&" : "auto";
}

// Whether a list of arguments that is opened so is evaluated in its order.
bool is_in_order(const char *open) {
    return *open == '{';
}

bool is_function_name(const clang::Expr &e) {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&e))
        return llvm::isa<clang::FunctionDecl>(name->getDecl());
    return llvm::isa<clang::UnresolvedLookupExpr, clang::DependentScopeDeclRefExpr>(e);
}

// The functions that a dependent callee may be, as far as its own place tells.
std::vector<const clang::FunctionDecl *> candidates(const clang::Expr &callee) {
    std::vector<const clang::FunctionDecl *> found;
    const auto *overloads = dyn_cast<clang::OverloadExpr>(&callee);
    if (overloads == nullptr)
        return found;
    for (const clang::NamedDecl *one : overloads->decls()) {
        one = one->getUnderlyingDecl();
        if (const auto *pattern = dyn_cast<clang::FunctionTemplateDecl>(one))
            one = pattern->getTemplatedDecl();
        if (const auto *function = dyn_cast<clang::FunctionDecl>(one))
            found.push_back(function);
    }
    return found;
}

class call_parts : private kept_arguments {
public:
    call_parts(workspace &space, spawned_call &into) : kept_arguments(space, into) {}

    bool run(const clang::Expr *e) {
        e = workspace::spelled(e);
        spawned_ = e;
        if (const auto *cast = dyn_cast<clang::CStyleCastExpr>(e))
            if (cast->getType()->isVoidType())
                return run(cast->getSubExpr());
        if (is_operation(*e))
            return take_operation_apart(space_, *e, into_);
        if (const auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(e))
            return call_of_object(*operation);
        if (const auto *call = dyn_cast<clang::CallExpr>(e))
            return call_of(*call);
        // `T(a)` is one as well, without its cast.
        if (const auto *made = dyn_cast<clang::CXXConstructExpr>(e))
            return construction(*made, made->getConstructor(),
                                {made->getArgs(), made->getNumArgs()});
        if (const auto *made = dyn_cast<clang::CXXFunctionalCastExpr>(e))
            return functional_cast(*made);
        if (const auto *made = dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
            std::vector<const clang::Expr *> arguments(made->arg_begin(), made->arg_end());
            return construction(*made, nullptr, arguments);
        }
        return fail(*e, std::string(no_call));
    }

private:
    using expressions = llvm::ArrayRef<const clang::Expr *>;

    bool fail_for_default(const clang::ParmVarDecl &parameter) {
        return fail(
            *spawned_,
            "the default value of the parameter '" + parameter.getNameAsString() +
                "' calls a function, makes an object or reads a variable: write this argument "
                "of the spawned call");
    }

    // ---- callees

    bool call_of(const clang::CallExpr &call) {
        const clang::Expr *callee = workspace::spelled(call.getCallee());
        const unsigned open = opening_of(call);
        if (open == 0)
            return fail(call, std::string(no_call));
        std::string function;
        const auto *member = dyn_cast<clang::MemberExpr>(callee);
        if (member != nullptr && llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl())) {
            function = member_of(*member, open, member->isArrow(),
                                 member->isImplicitAccess() ? nullptr : member->getBase(),
                                 member->getOperatorLoc());
        } else if (const auto *dependent = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
            function = member_of(*dependent, open, dependent->isArrow(),
                                 dependent->isImplicitAccess() ? nullptr : dependent->getBase(),
                                 dependent->getOperatorLoc());
        } else if (const auto *overloaded = dyn_cast<clang::UnresolvedMemberExpr>(callee)) {
            function = member_of(*overloaded, open, overloaded->isArrow(),
                                 overloaded->isImplicitAccess() ? nullptr : overloaded->getBase(),
                                 overloaded->getOperatorLoc());
        } else if (const auto *through = dyn_cast<clang::BinaryOperator>(callee)) {
            if (!through->isPtrMemOp())
                return fail(call, std::string(no_call));
            const std::string object = keep(*through->getLHS(), object_type(*through));
            ++rank_;
            const std::string pointer = keep(*through->getRHS(), "auto");
            into_.callee_type = "decltype(" + pointer + ")";
            function = through->getOpcode() == clang::BO_PtrMemD
                           ? "(" + forwarded(object) + ".*" + pointer + ")"
                           : "(" + object + "->*" + pointer + ")";
        } else if (is_function_name(*callee)) {
            function = space_.text_of({space_.source.offset(call.getBeginLoc()), open});
        } else if (!callee->isTypeDependent() && !callee->getType()->isRecordType()) {
            function = keep(*call.getCallee(), "auto");
        } else {
            function = keep(*call.getCallee(), "auto &&");
            into_.before.back() = "::saguaro::cilk::callee(";
            into_.after.back() = ")";
            into_.callee_type = "decltype(" + function + ")";
        }
        const clang::FunctionDecl *known = call.getDirectCallee();
        const auto *type =
            call.getCallee()->getType()->getPointeeType().isNull()
                ? nullptr
                : call.getCallee()->getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
        if (call.isTypeDependent())
            known = nullptr;
        ++rank_; // what is called is evaluated before the arguments
        return arguments_of(function, {call.getArgs(), call.getNumArgs()}, known, type,
                            candidates(*callee), "(", ")");
    }

    // Where the arguments begin: `(`.
    unsigned opening_of(const clang::CallExpr &call) const {
        const std::string_view text = space_.source.text();
        unsigned at = space_.source.of(call.getCallee()->getSourceRange()).end;
        // A `>>` that ends two lists of template arguments is one token, of which Clang knows
        // halves.
        for (int more = 0; more < 3; ++more) {
            at = space_.source.skip_blanks(at);
            if (at < text.size() && text[at] == '(')
                return at;
            if (at >= text.size() || text[at] != '>')
                return 0;
            ++at;
        }
        return 0;
    }

    // The function as the child names it. A call on `this`, written or not, is as it stands.
    template <class Member>
    std::string member_of(const Member &member, unsigned open, bool is_arrow,
                          const clang::Expr *base, clang::SourceLocation operation) {
        if (base == nullptr || llvm::isa<clang::CXXThisExpr>(workspace::spelled(base)))
            return space_.text_of({space_.source.offset(member.getBeginLoc()), open});
        const unsigned dot = space_.source.offset(operation);
        std::string name = space_.text_of({dot + (is_arrow ? 2U : 1U), open});
        // The object's type is one of a template there.
        if (member.hasExplicitTemplateArgs() && !member.hasTemplateKeyword())
            name.insert(0, "template ");
        const auto of_object = [&](const std::string &object) {
            if (std::all_of(name.begin(), name.end(),
                            [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; })) {
                into_.callee_type = "decltype(" + object + ")";
                into_.method = name;
            }
        };
        const auto reached = [&](const clang::Expr &through) {
            const std::string object = keep(through, "auto &&") + ".get()";
            of_object(object);
            into_.before.back() = "::saguaro::cilk::reach(";
            into_.after.back() = ")";
            return object + "." + name;
        };
        if (!is_arrow) {
            const std::string object = keep(*base, "auto &&");
            of_object(object);
            return forwarded(object) + "." + name;
        }
        // What `->` leads to is found before the spawn.
        const clang::Expr *written = base->IgnoreImplicit();
        const clang::Expr *through = nullptr;
        while (const auto *arrow = dyn_cast<clang::CXXOperatorCallExpr>(written)) {
            if (arrow->getOperator() != clang::OO_Arrow)
                break;
            through = arrow->getArg(0);
            written = through->IgnoreImplicit(); // one operator-> may lead to the next
        }
        if (through != nullptr)
            return reached(*through);
        if (base->getType()->isPointerType()) {
            const std::string pointer = keep(*base, "auto");
            of_object("*" + pointer);
            return pointer + "->" + name;
        }
        return reached(*base);
    }

    bool call_of_object(const clang::CXXOperatorCallExpr &call) {
        const std::string object = keep(*call.getArg(0), "auto &&");
        ++rank_;
        into_.callee_type = "decltype(" + object + ")";
        const llvm::ArrayRef<const clang::Expr *> all(call.getArgs(), call.getNumArgs());
        const clang::FunctionDecl *known = call.getDirectCallee();
        return arguments_of(forwarded(object), all.drop_front(), known, nullptr, {}, "(", ")");
    }

    bool functional_cast(const clang::CXXFunctionalCastExpr &made) {
        const clang::Expr *inner = made.getSubExpr()->IgnoreImplicit();
        if (const auto *object = dyn_cast<clang::CXXConstructExpr>(inner))
            return construction(made, object->getConstructor(),
                                {object->getArgs(), object->getNumArgs()});
        return fail(made, std::string(no_call));
    }

    // `T(a, b)`, `T{a, b}`
    bool construction(const clang::Expr &made, const clang::FunctionDecl *constructor,
                      expressions arguments) {
        const span where = space_.source.of(made.getSourceRange());
        const std::string_view text = space_.source.text();
        unsigned open = where.begin;
        if (!arguments.empty())
            open = space_.source.offset(arguments[0]->getBeginLoc());
        else
            open = where.end - 1;
        const std::size_t bracket = text.find_last_of("({", arguments.empty() ? open : open - 1);
        if (bracket == text.npos || bracket < where.begin)
            return fail(made, std::string(no_call));
        const bool braces = text[bracket] == '{';
        if (!arguments.empty() && llvm::isa<clang::CXXStdInitializerListExpr>(arguments[0]))
            return fail(made, std::string(no_call));
        return arguments_of(space_.text_of({where.begin, static_cast<unsigned>(bracket)}),
                            arguments, constructor, nullptr, {}, braces ? "{" : "(",
                            braces ? "}" : ")");
    }

    // ---- arguments

    bool arguments_of(const std::string &function, expressions all,
                      const clang::FunctionDecl *known, const clang::FunctionProtoType *type,
                      const std::vector<const clang::FunctionDecl *> &others, const char *open,
                      const char *close) {
        std::vector<const clang::Expr *> written;
        for (const clang::Expr *one : all) {
            const auto *unwritten = dyn_cast<clang::CXXDefaultArgExpr>(one);
            if (unwritten == nullptr)
                written.push_back(one);
            else if (depends_on_time(unwritten->getExpr()))
                return fail_for_default(*unwritten->getParam());
        }
        const bool has_pack = std::any_of(written.begin(), written.end(), [](const clang::Expr *e) {
            return llvm::isa<clang::PackExpansionExpr>(e);
        });
        const clang::ParmVarDecl *left_out =
            has_pack ? nullptr : timed_default(others, written.size());
        if (left_out != nullptr)
            return fail_for_default(*left_out);
        std::vector<taking> ways;
        for (unsigned i = 0; i < written.size(); ++i)
            ways.push_back(way_of(i, static_cast<unsigned>(written.size()), known, type, others));
        const bool is_open = std::any_of(ways.begin(), ways.end(),
                                         [](const taking &w) { return w.by == taking::unknown; }) &&
                             std::any_of(written.begin(), written.end(),
                                         [](const clang::Expr *e) { return !is_constant(e); });
        if (is_open)
            return forward_all(function, written, open, close);
        std::vector<std::string> arguments;
        for (unsigned i = 0; i < written.size(); ++i) {
            if (!argument(*written[i], ways[i], arguments))
                return false;
            rank_ += is_in_order(open) ? 1 : 0;
        }
        into_.call = function + open;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            into_.call += (i == 0 ? "" : ", ") + arguments[i];
        into_.call += close;
        return true;
    }

    static taking way_of(unsigned i, unsigned count, const clang::FunctionDecl *known,
                         const clang::FunctionProtoType *type,
                         const std::vector<const clang::FunctionDecl *> &others) {
        if (known != nullptr && i < known->getNumParams())
            return as_declared(known->getParamDecl(i)->getType());
        if (known == nullptr && type != nullptr && i < type->getNumParams())
            return as_declared(type->getParamType(i));
        if (known != nullptr || type != nullptr) { // `...`
            taking how;
            how.by = taking::value;
            return how;
        }
        taking common;
        bool is_first = true;
        for (const clang::FunctionDecl *one : others) {
            if (one->getNumParams() == 0)
                continue;
            const unsigned last = one->getNumParams() - 1;
            const bool is_pack = one->getParamDecl(last)->isParameterPack();
            if (!is_pack && !one->isVariadic() && count > one->getNumParams())
                continue;
            if (count < one->getMinRequiredArguments())
                continue;
            const taking how = as_declared(one->getParamDecl(std::min(i, last))->getType());
            if (!is_first && how.by != common.by)
                return {};
            if (is_first)
                common = how;
            else if (common.type != how.type)
                common.type = {};
            is_first = false;
        }
        if (!common.type.isNull() && common.type->isDependentType())
            common.type = {};
        return common;
    }

    bool forward_all(const std::string &function, const std::vector<const clang::Expr *> &all,
                     const char *open, const char *close) {
        std::string list;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const clang::Expr *one = all[i];
            if (llvm::isa<clang::InitListExpr>(one)) {
                return fail(*one, "an argument in braces of a spawned call that depends on the "
                                  "template's parameters: name its type");
            }
            list += list.empty() ? "" : ", ";
            if (is_constant(one)) {
                list += space_.text_of(space_.source.of(one->getSourceRange()));
                continue;
            }
            const auto *pack = dyn_cast<clang::PackExpansionExpr>(one);
            if (pack != nullptr && one != all.back())
                return fail(*one, "a pack that is not the last argument of a spawned call");
            const std::string name = keep(*one, pack == nullptr ? "auto &&" : "auto &&...");
            const std::string inner = space_.new_name();
            if (into_.on.size() < 64 && changes_meanwhile(space_.body, *one))
                into_.changing |= 1ULL << into_.on.size();
            rank_ += is_in_order(open) ? 1 : 0;
            into_.on.push_back({name, inner, pack != nullptr, i});
            list += "static_cast<decltype(" + inner + ")>(" + inner + ")" +
                    (pack == nullptr ? "" : "...");
        }
        into_.call = function + open + list + close;
        return true;
    }

    const clang::Expr *spawned_ = nullptr;
};

} // namespace

bool can_move(clang::QualType type) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition())
        return true;
    return record->hasSimpleCopyConstructor() || record->hasSimpleMoveConstructor() ||
           std::any_of(record->ctors().begin(), record->ctors().end(), [](const auto *c) {
               return c->isCopyOrMoveConstructor() && !c->isDeleted();
           });
}

bool take_apart(workspace &space, const clang::Expr *e, spawned_call &into) {
    return call_parts(space, into).run(e);
}

} // namespace saguaro::cilkc
