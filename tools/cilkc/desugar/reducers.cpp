// SPDX-License-Identifier: MIT
// T cilk_reducer(identity, reduce) x = v; becomes an object of saguaro/detail/c_reducer.h,
//
//     struct _cilk_reducer_1 { sg_hyper base; T value; } x = {{...identity, reduce...}, v};
//
// registered where it is declared (one of static storage by a constructor), and each x the current
// strand's view of it. A local one is unregistered wherever its scope is left. A pointer to a
// reducer is one to its sg_hyper.
#include "desugar/reducers.hpp"

#include "parse/declare.hpp"
#include "parse/jumps.hpp"
#include "parse/markers.hpp"
#include "parse/reducer.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

constexpr std::string_view marker = "_Cilk_reducer";

std::string pointer_to(const clang::ASTContext &ast, clang::QualType type) {
    return declared_as(ast, ast.getPointerType(type), "");
}

// The type of a reducer's object.
std::string structure(const clang::ASTContext &ast, const reducer &r) {
    return r.structure + " { sg_hyper base; " + declared_as(ast, r.value, "value") + "; }; ";
}

// `f`, `&f`, `(T)f`, where f is a function and no variable.
bool is_function(const clang::Expr &e) {
    const clang::Expr *plain = e.IgnoreParenCasts();
    if (const auto *address = dyn_cast<clang::UnaryOperator>(plain))
        plain = address->getSubExpr()->IgnoreParenCasts();
    const auto *reference = dyn_cast<clang::DeclRefExpr>(plain);
    return reference != nullptr && llvm::isa<clang::FunctionDecl>(reference->getDecl());
}

// Whether every compiler takes them in the initializer of an object of static storage.
bool has_constant_functions(const reducer &r) {
    return is_function(function_in(*r.annotation, 0)) && is_function(function_in(*r.annotation, 1));
}

// What registers one of static storage.
std::string constructor(const reducer &r) {
    const std::string base = r.name + ".base";
    std::string functions;
    if (!has_constant_functions(r))
        functions = base + ".plain_identity = " + r.identity + "; " + base +
                    ".plain_reduce = " + r.reduce + "; ";
    return "__attribute__((constructor)) static void _cilk_register_" +
           r.structure.substr(r.structure.rfind('_') + 1) + "(void) { " + functions +
           "sg_hyper_register(&" + base + "); } ";
}

// The current strand's view of the reducer with this sg_hyper: a pointer.
std::string view_of(const clang::ASTContext &ast, const reducer &r, const std::string &hyper) {
    return "((" + pointer_to(ast, r.value) + ")sg_hyper_view(" + hyper + "))";
}

// What `&x` takes the address of, or `__builtin_addressof(x)`, which some compilers of Cilk want
// where it is to be the reducer's and not the view's.
const clang::Expr *addressed(const clang::Expr *e) {
    if (const auto *address = dyn_cast<clang::UnaryOperator>(e))
        return address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr() : nullptr;
    const auto *call = dyn_cast<clang::CallExpr>(e);
    const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
    return callee != nullptr && callee->getName() == "__builtin_addressof"
               ? call->getArg(0)->IgnoreParenImpCasts()
               : nullptr;
}

class reducer_rewriter {
public:
    explicit reducer_rewriter(rewriting &work) : work_(work), source_(work.source) {}

    void run() {
        const auto decls = source_.ast().getTranslationUnitDecl()->decls();
        for (const clang::Decl *declaration : decls) {
            if (const auto *function = dyn_cast<clang::FunctionDecl>(declaration)) {
                parameters(*function);
                body(*function);
            } else if (const auto *variable = dyn_cast<clang::VarDecl>(declaration)) {
                global(*variable);
            } else if (const auto *name = dyn_cast<clang::TypedefNameDecl>(declaration)) {
                type_name(*name);
            }
        }
        for (const auto &[begin, group] : globals_)
            work_.edits.replace(group.where, group.text, true);
    }

private:
    struct global_group {
        span where;
        std::string text;
    };

    const reducer *find(const clang::Expr *e) {
        const auto *reference = dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
        const auto *variable =
            reference == nullptr ? nullptr : dyn_cast<clang::VarDecl>(reference->getDecl());
        return variable == nullptr ? nullptr : find(*variable);
    }

    const reducer *find(const clang::VarDecl &variable) {
        const auto &key = *variable.getCanonicalDecl();
        const auto known = reducers_.find(&key);
        if (known != reducers_.end())
            return &known->second;
        std::optional<reducer> found = reducer_of(source_, variable);
        if (!found)
            return nullptr;
        const std::string number = std::to_string(work_.next_number());
        found->structure = "struct _cilk_reducer_" + number;
        found->name =
            variable.isStaticLocal() ? "_cilk_static_" + number : variable.getName().str();
        return &reducers_.emplace(&key, std::move(*found)).first->second;
    }

    // `struct _cilk_reducer_1 x = {...};`
    std::string object(const clang::VarDecl &variable, const reducer &r) {
        const std::string type = declared_as(source_.ast(), r.value.getUnqualifiedType(), "");
        std::string text = r.structure + " " + r.name + " = {{.size = sizeof(" + type +
                           "), .alignment = __alignof__(" + type + ")";
        if (variable.hasLocalStorage() || has_constant_functions(r))
            text += ", .plain_identity = " + r.identity + ", .plain_reduce = " + r.reduce;
        text += "}";
        if (variable.getInit() != nullptr) {
            visit(variable.getInit());
            text += ", " + work_.text_of(*variable.getInit());
        }
        return text + "}; ";
    }

    void type_name(const clang::TypedefNameDecl &name) {
        if (const clang::AnnotateAttr *annotation = reducer_annotation(name)) {
            const unsigned at = source_.offset(annotation->getLocation());
            work_.edits.replace({at, end_of_marker(source_, at)}, "", true);
        }
    }

    // All variables of a declaration share its beginning.
    void global(const clang::VarDecl &variable) {
        const reducer *r = find(variable);
        if (r == nullptr)
            return;
        const span where = source_.statement(variable.getSourceRange());
        global_group &group = globals_.emplace(where.begin, global_group{where, {}}).first->second;
        group.where.end = where.end;
        if (r->is_pointer) {
            group.text += pointer(variable) + "; ";
            return;
        }
        if (variable.getCanonicalDecl() == &variable)
            group.text += structure(source_.ast(), *r);
        if (variable.isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly) {
            group.text += "extern " + r->structure + " " + r->name + "; ";
        } else {
            group.text += (variable.getStorageClass() == clang::SC_Static ? "static " : "") +
                          object(variable, *r) + constructor(*r);
        }
    }

    std::string pointer(const clang::VarDecl &variable) {
        std::string text = variable.getStorageClass() == clang::SC_Static   ? "static "
                           : variable.getStorageClass() == clang::SC_Extern ? "extern "
                                                                            : "";
        text += "sg_hyper *" + variable.getName().str();
        if (variable.getInit() != nullptr)
            text += " = " + reducer_address(variable.getInit());
        return text;
    }

    void parameters(const clang::FunctionDecl &function) {
        for (const clang::ParmVarDecl *parameter : function.parameters()) {
            const reducer *r = find(*parameter);
            if (r != nullptr && r->is_pointer) {
                work_.edits.replace(source_.of(parameter->getSourceRange()),
                                    "sg_hyper *" + parameter->getName().str(), true);
            }
        }
    }

    void body(const clang::FunctionDecl &function) {
        if (!function.doesThisDeclarationHaveABody() || function.getBody() == nullptr)
            return;
        before_.clear();
        spawns_ = has_spawns(source_, *function.getBody());
        visit(function.getBody());
        if (!before_.empty())
            work_.edits.insert(source_.definition(function).begin, before_);
    }

    // An expression where a pointer to a reducer is wanted.
    std::string reducer_address(const clang::Expr *e) {
        if (const auto *choice = dyn_cast<clang::ConditionalOperator>(e->IgnoreParenImpCasts())) {
            visit(choice->getCond());
            return "(" + work_.text_of(*choice->getCond()) + " ? " +
                   reducer_address(choice->getTrueExpr()) + " : " +
                   reducer_address(choice->getFalseExpr()) + ")";
        }
        const clang::Expr *operand = addressed(e->IgnoreParenImpCasts());
        const reducer *r = operand != nullptr ? find(operand) : nullptr;
        if (r != nullptr && !r->is_pointer)
            return "&" + r->name + ".base";
        if (const reducer *pointed = operand != nullptr ? pointed_to(*operand) : nullptr)
            return pointed->name;
        visit(e);
        return work_.text_of(*e);
    }

    void visit(const clang::Stmt *s) {
        if (s == nullptr)
            return;
        if (const auto *block = dyn_cast<clang::CompoundStmt>(s)) {
            compound(*block);
        } else if (const auto *declaration = dyn_cast<clang::DeclStmt>(s)) {
            local(*declaration);
        } else if (!pointer_use(*s)) {
            if (const auto *reference = dyn_cast<clang::DeclRefExpr>(s))
                value_use(*reference);
            for (const clang::Stmt *child : s->children())
                visit(child);
        }
    }

    void replace(const clang::Expr &e, std::string with) {
        work_.edits.replace(source_.of(e.getSourceRange()), std::move(with), true);
    }

    void value_use(const clang::DeclRefExpr &reference) {
        const reducer *r = find(&reference);
        if (r != nullptr && !r->is_pointer)
            replace(reference, "(*" + view_of(source_.ast(), *r, "&" + r->name + ".base") + ")");
    }

    // The pointer to a reducer that `*p` or `p[0]` goes through; null if `s` is something else.
    const reducer *pointed_to(const clang::Stmt &s) {
        const clang::Expr *base = nullptr;
        if (const auto *unary = dyn_cast<clang::UnaryOperator>(&s))
            base = unary->getOpcode() == clang::UO_Deref ? unary->getSubExpr() : nullptr;
        else if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&s))
            base = element->getBase();
        const reducer *r = base != nullptr ? find(base) : nullptr;
        return r != nullptr && r->is_pointer ? r : nullptr;
    }

    // A pointer to a reducer points to one.
    void check_index(const clang::ArraySubscriptExpr &element) {
        clang::Expr::EvalResult index;
        if (!element.getIdx()->EvaluateAsInt(index, source_.ast()) || !index.Val.getInt().isZero())
            work_.problems.push_back(problem_at(source_, element.getIdx()->getBeginLoc(),
                                                "the index of a pointer to a reducer must be 0: "
                                                "there are no arrays of reducers"));
    }

    // *p, p[0], p->member, p = &x and f(&x), where p and f's parameter are pointers to reducers.
    bool pointer_use(const clang::Stmt &s) {
        if (const reducer *r = pointed_to(s)) {
            if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&s))
                check_index(*element);
            replace(llvm::cast<clang::Expr>(s), "(*" + view_of(source_.ast(), *r, r->name) + ")");
            return true;
        }
        if (const auto *member = dyn_cast<clang::MemberExpr>(&s)) {
            const reducer *r = member->isArrow() ? find(member->getBase()) : nullptr;
            if (r != nullptr && r->is_pointer) {
                replace(*member->getBase(), view_of(source_.ast(), *r, r->name));
                return true;
            }
        } else if (const auto *assignment = dyn_cast<clang::BinaryOperator>(&s)) {
            const reducer *r =
                assignment->getOpcode() == clang::BO_Assign ? find(assignment->getLHS()) : nullptr;
            if (r != nullptr && r->is_pointer) {
                replace(*assignment->getRHS(), reducer_address(assignment->getRHS()));
                return true;
            }
        } else if (const auto *call = dyn_cast<clang::CallExpr>(&s)) {
            return call_use(*call);
        }
        return false;
    }

    // `__builtin_addressof(x)` where no pointer to a reducer is wanted: the address of the view
    // that is first in the serial order. gcc has no such function in C.
    bool first_view_use(const clang::CallExpr &call) {
        const clang::Expr *operand = addressed(&call);
        if (operand == nullptr)
            return false;
        if (const reducer *pointed = pointed_to(*operand)) {
            replace(call, "((" + pointer_to(source_.ast(), pointed->value) + ")sg_hyper_value(" +
                              pointed->name + "))");
            return true;
        }
        const reducer *r = find(operand);
        if (r == nullptr || r->is_pointer)
            return false;
        replace(call, "(&" + r->name + ".value)");
        return true;
    }

    bool call_use(const clang::CallExpr &call) {
        if (first_view_use(call))
            return true;
        const clang::FunctionDecl *callee = call.getDirectCallee();
        visit(call.getCallee());
        for (unsigned i = 0; i < call.getNumArgs(); i++) {
            const reducer *r = callee != nullptr && i < callee->getNumParams()
                                   ? find(*callee->getParamDecl(i))
                                   : nullptr;
            if (r != nullptr && r->is_pointer)
                replace(*call.getArg(i), reducer_address(call.getArg(i)));
            else
                visit(call.getArg(i));
        }
        return true;
    }

    void local(const clang::DeclStmt &declaration) {
        std::string text;
        for (const clang::Decl *d : declaration.decls()) {
            const auto *variable = dyn_cast<clang::VarDecl>(d);
            const reducer *r = variable == nullptr ? nullptr : find(*variable);
            if (r == nullptr) {
                visit(variable == nullptr ? nullptr : variable->getInit());
            } else if (r->is_pointer) {
                text += pointer(*variable) + "; ";
            } else if (variable->isStaticLocal()) {
                before_ += structure(source_.ast(), *r) + "static " + object(*variable, *r) +
                           constructor(*r);
                text += "; ";
            } else {
                before_ += structure(source_.ast(), *r);
                text += object(*variable, *r) + "sg_hyper_register(&" + r->name + ".base); ";
            }
        }
        if (!text.empty())
            work_.edits.replace(source_.statement(declaration.getSourceRange()), text, true);
    }

    // The scope's own reducers end where it is left: those that are declared by then.
    void compound(const clang::CompoundStmt &block) {
        const std::string outer = leaving_;
        const std::string sync = spawns_ ? "_Cilk_sync; " : "";
        std::string end;
        for (const clang::Stmt *one : block.body()) {
            visit(one);
            if (!end.empty()) {
                find_returns(*one);
                find_jumps(*one, block, sync + end);
            }
            if (const auto *declaration = dyn_cast<clang::DeclStmt>(one)) {
                end = unregister(*declaration) + end;
                leaving_ = end + outer;
            }
        }
        if (!end.empty())
            work_.edits.insert(source_.of(block.getSourceRange()).end - 1, sync + end);
        leaving_ = outer;
    }

    // Puts `leave` before those jumps of the statement that leave the block.
    void find_jumps(const clang::Stmt &s, const clang::CompoundStmt &block,
                    const std::string &leave) {
        const span within = source_.of(s.getSourceRange());
        for (const clang::Stmt *jump : jumps_out_of(source_, block)) {
            const span where = source_.statement(jump->getSourceRange());
            if (where.begin >= within.begin && where.begin < within.end) {
                work_.edits.insert(where.begin, "{ " + leave);
                work_.edits.insert(where.end, "}");
            }
        }
    }

    std::string unregister(const clang::DeclStmt &declaration) {
        std::string text;
        for (const clang::Decl *d : declaration.decls()) {
            const auto *variable = dyn_cast<clang::VarDecl>(d);
            const reducer *r =
                variable == nullptr || variable->isStaticLocal() ? nullptr : find(*variable);
            if (r != nullptr && !r->is_pointer)
                text = "sg_hyper_unregister(&" + r->name + ".base); " + text;
        }
        return text;
    }

    // Returns of the innermost scope with reducers unregister all that are around.
    void find_returns(const clang::Stmt &s) {
        const auto *end = dyn_cast<clang::ReturnStmt>(&s);
        if (end != nullptr && returns_.emplace(end, true).second) {
            const span where = source_.statement(end->getSourceRange());
            const std::string sync = spawns_ ? "_Cilk_sync; " : "";
            const clang::Expr *value = end->getRetValue();
            const std::string leave = sync + leaving_;
            const std::string text =
                value == nullptr
                    ? "{ " + leave + "return; }"
                    : "{ " +
                          declared_as(source_.ast(), value->getType().getUnqualifiedType(),
                                      "_cilk_answer") +
                          " = " + work_.text_of(*value) + "; " + leave + "return _cilk_answer; }";
            work_.edits.replace(where, text, true);
        }
        for (const clang::Stmt *child : s.children())
            if (child != nullptr)
                find_returns(*child);
    }

    rewriting &work_;
    const source_text &source_;
    std::map<const clang::VarDecl *, reducer> reducers_;
    std::map<unsigned, global_group> globals_;
    std::map<const clang::ReturnStmt *, bool> returns_;
    std::string before_;  // of the function at hand
    std::string leaving_; // what its end must do
    bool spawns_ = false;
};

} // namespace

bool rewrite_reducers(rewriting &work) {
    if (work.source.text().find(marker) == std::string_view::npos)
        return false;
    reducer_rewriter(work).run();
    const unsigned end = static_cast<unsigned>(work.source.text().size());
    const std::string text = work.edits.render({0, end});
    if (const std::size_t left = text.find(marker); left != text.npos) {
        const place at = line_map(text).where(left);
        work.problems.push_back({at.file, at.line, at.column,
                                 "cilk_reducer qualifies a variable, or what a pointer points to; "
                                 "no member, element or result"});
    }
    return true;
}

} // namespace saguaro::cilkc
