// SPDX-License-Identifier: MIT
// Closures that evaluate arguments, let the parent go on, and call.
#include "cxx/spawn.hpp"

#include "cxx/call.hpp"
#include "cxx/type_names.hpp"
#include "cxx/workspace.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// What the child does once its parent may go on. `call`: the text of the call.
using action = std::function<std::string(const std::string &call)>;

std::string just_called(const std::string &call) {
    return call + ";";
}

// What calls a function whose parameters are found when the template is instantiated.
std::string called(const spawned_call &parts, const std::string &places) {
    const std::string name = "::saguaro::cilk::call";
    const std::string changing = std::to_string(parts.changing) + "ULL";
    if (parts.callee_type.empty())
        return name + "<" + changing + ">";
    return name + (parts.method.empty() ? "_of" : "_member") +
           (parts.changing != 0 ? "_changed<" : "<") + parts.callee_type +
           (parts.changing != 0 ? ", " + changing : "") + places + ">";
}

// For a method: says its type by its address, if it has one.
std::string method_of(workspace &space, const spawned_call &parts) {
    if (parts.method.empty())
        return {};
    const std::string object = space.new_name();
    return "[](auto *" + object + ") -> decltype(&::saguaro::cilk::target<decltype(" + object +
           ")>::" + parts.method + ") { return nullptr; }, ";
}

// The closures that take pieces of different ranks stand within each other: the outermost is called
// first.
void write_in_order(workspace &space, unsigned begin, unsigned end, const std::string &head,
                    const spawned_call &parts, const std::string &in_place, std::string body,
                    const std::string &tail) {
    std::map<unsigned, std::pair<std::vector<std::string>, std::vector<std::string>>> by_rank;
    for (std::size_t i = 0; i < parts.kept.size(); ++i) {
        if (space.has_word(parts.kept[i])) {
            space.error(parts.kept[i].begin,
                        "Cilk in a part of a spawned call whose parts are evaluated in order: keep "
                        "its value in a variable before");
            return;
        }
        auto &[parameters, arguments] = by_rank[parts.ranks[i]];
        parameters.push_back(parts.parameters[i]);
        arguments.push_back(parts.before[i] + space.text_of(parts.kept[i]) + parts.after[i]);
    }
    for (auto one = by_rank.rbegin(); one != by_rank.rend(); ++one)
        body = "[&](" + joined(one->second.first) + ")" + in_place + " { " + body + " }(" +
               joined(one->second.second) + ");";
    space.edits.replace(begin, end, head + body + tail);
}

// `before` stands before the spawn; the statement goes from `begin` to the end of the call.
void write(workspace &space, const spawn_manner &how, unsigned begin, unsigned end,
           const std::string &before, const spawned_call &parts, const action &then) {
    const std::string in_place = inlined(space, begin);
    const std::string go = space.new_name();
    std::string body;
    if (parts.on.empty()) {
        body = "if (" + go + "()) " + then(parts.call);
    } else {
        std::string inner, handed, places;
        for (const auto &[parameter, name, is_pack, at] : parts.on) {
            places += ", " + std::to_string(at);
            inner +=
                std::string(inner.empty() ? "" : ", ") + "auto &&" + (is_pack ? "..." : "") + name;
            handed += (handed.empty() ? "" : ", ") + std::string("static_cast<decltype(") +
                      parameter + ")>(" + parameter + ")" + (is_pack ? "..." : "");
        }
        body = called(parts, places) + "(" + go + ", " + method_of(space, parts) + "[&](" + inner +
               ")" + in_place + " -> decltype(static_cast<void>(" + parts.call + ")) { " +
               then(parts.call) + " }, " + handed + ");";
    }
    std::string head = how.declarations + before;
    std::string tail = " })";
    if (how.frame.empty()) {
        // The statements after the semicolon follow in the second closure.
        const unsigned semicolon = space.source.skip_blanks(end);
        end = space.source.text()[semicolon] == ';' ? semicolon + 1 : end;
        head += "::saguaro::cilk::invoke(" + how.targets + ", " + how.captures + "(auto " + go +
                ", auto &" + how.result + ")" + in_place + " { ";
        tail = " }, " + how.rest;
    } else {
        head += how.frame + ".spawn(" + how.captures + "(auto " + go + ")" + in_place + " { ";
    }
    if (parts.kept.empty()) {
        space.edits.replace(begin, end, head + body + tail);
        return;
    }
    if (parts.is_ordered()) {
        write_in_order(space, begin, end, head, parts, in_place, body, tail);
        return;
    }
    head += "[&](" + joined(parts.parameters) + ")" + in_place + " { " + body + " }(";
    unsigned at = begin;
    for (std::size_t i = 0; i < parts.kept.size(); ++i) {
        const std::string gap = (i == 0 ? head : parts.after[i - 1] + ", ") + parts.before[i];
        space.edits.replace(at, parts.kept[i].begin, gap);
        at = parts.kept[i].end;
    }
    space.edits.replace(at, end, parts.after.back() + ");" + tail);
}

// Closures with a parameter of any type do not refer to arrays of variable size, in gcc.
bool refers_to_sized_array(workspace &space, const clang::Expr &e) {
    const clang::DeclRefExpr *found = nullptr;
    contains(&e, [&](const clang::Stmt &one) {
        const auto *name = dyn_cast<clang::DeclRefExpr>(&one);
        if (name != nullptr && name->getDecl()->getType()->isVariableArrayType())
            found = name;
        return found != nullptr;
    });
    if (found != nullptr)
        space.error(space.source.offset(found->getBeginLoc()),
                    "the array '" + found->getDecl()->getNameAsString() +
                        "' of variable size in a spawned call: use a pointer to its elements");
    return found != nullptr;
}

unsigned end_of_expression(const workspace &space, const clang::Expr &e) {
    return space.source.of(e.getSourceRange()).end;
}

// Whether nothing is to be done for a variable of the type before it is assigned or after its end.
bool is_plain(clang::QualType type) {
    return !type->isDependentType() && !type.isConstQualified() && type->isScalarType();
}

bool is_lambda(const clang::Stmt &s) {
    return llvm::isa<clang::LambdaExpr>(s);
}

bool fail(workspace &space, const clang::VarDecl &variable, const char *why) {
    space.error(space.source.offset(variable.getLocation()), why);
    return false;
}

bool can_initialise(workspace &space, const clang::VarDecl &variable) {
    const clang::QualType type = variable.getType();
    if (variable.isStaticLocal() || variable.getTSCSpec() != clang::TSCS_unspecified ||
        variable.isConstexpr())
        return fail(space, variable,
                    "cilk_spawn cannot initialise a static, thread_local or constexpr variable: "
                    "spawn into another one, and copy it after the cilk_sync");
    if (type->isDependentType() && type->getContainedAutoType() != nullptr &&
        type->getContainedAutoType()->isDecltypeAuto())
        return fail(space, variable,
                    "decltype(auto) for the result of a spawned call that depends on the "
                    "template's parameters, which may be a reference: name its type, or write "
                    "auto");
    const bool is_deduced = type->getContainedDeducedType() != nullptr;
    if (variable.hasAttr<clang::AlignedAttr>() && (is_deduced || !is_plain(type)))
        return fail(space, variable,
                    "alignas on a variable that a spawned call initialises: declare it before, "
                    "and assign it");
    const bool is_dependent = type->isDependentType() || variable.getInit()->isTypeDependent();
    if (is_dependent && (type->isReferenceType() || llvm::isa<clang::DecompositionDecl>(variable)))
        return fail(space, variable,
                    "a reference or structured binding of a spawned call that depends on the "
                    "template's parameters: spawn into a variable, and name its parts after the "
                    "cilk_sync");
    return true;
}

// What a reference is bound to, if that is made for it.
const clang::MaterializeTemporaryExpr *temporary_in(const clang::Expr *init) {
    for (;;)
        if (const auto *whole = dyn_cast<clang::ExprWithCleanups>(init))
            init = whole->getSubExpr();
        else if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(init))
            init = cast->getSubExpr();
        else
            return dyn_cast<clang::MaterializeTemporaryExpr>(init);
}

// The type as text, or as that of the spawned call.
std::optional<std::string> result_text(const workspace &space, const clang::VarDecl &variable,
                                       clang::QualType type, const clang::Expr &call) {
    type = type.getUnqualifiedType();
    if (!is_hidden_in(*variable.getDeclContext(), type))
        if (auto text = space.type_text(type))
            return text;
    if (contains(&call, is_lambda))
        return std::nullopt;
    return "::saguaro::cilk::value_of<decltype(" +
           space.text_of(space.source.of(workspace::spelled(&call)->getSourceRange())) + ")>";
}

// Where a function uses a reference that is bound later.
struct reference_uses {
    std::vector<const clang::DeclRefExpr *> names;
    // What copies the object; in the lambda's body the name is that of the copy.
    std::vector<const clang::LambdaCapture *> copies;
    std::vector<const clang::LambdaExpr *> copy_all; // by `=`
};

// Lambdas' bodies are included.
void find_uses(const clang::Stmt *s, const clang::VarDecl &variable, reference_uses &found) {
    if (s == nullptr)
        return;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(s); name != nullptr) {
        if (name->getDecl() == &variable)
            found.names.push_back(name);
        return;
    }
    if (const auto *lambda = dyn_cast<clang::LambdaExpr>(s)) {
        bool is_copied = false;
        for (const clang::LambdaCapture &one : lambda->captures()) {
            if (lambda->isInitCapture(&one)) {
                find_uses(llvm::cast<clang::VarDecl>(one.getCapturedVar())->getInit(), variable,
                          found);
            } else if (one.getCaptureKind() == clang::LCK_ByCopy &&
                       one.getCapturedVar() == &variable) {
                is_copied = true;
                if (one.isExplicit())
                    found.copies.push_back(&one);
                else
                    found.copy_all.push_back(lambda);
            }
        }
        if (!is_copied)
            find_uses(lambda->getBody(), variable, found);
        return;
    }
    for (const clang::Stmt *child : s->children())
        find_uses(child, variable, found);
}

// `T &x = cilk_spawn f()`, where f returns a reference: x is bound when the child has called f, so
// each use of x asks for what it is bound to.
void write_reference(workspace &space, const spawn_manner &how, span declaration,
                     const clang::VarDecl &variable, const clang::Expr &e,
                     const spawned_call &parts) {
    const clang::QualType to = variable.getType()->getPointeeType();
    const auto text =
        is_hidden_in(*variable.getDeclContext(), to) ? std::nullopt : space.type_text(to);
    if (!text || to->isFunctionType() || to->isArrayType()) {
        fail(space, variable,
             "a spawned call cannot bind a reference to an array, a function or an object of a "
             "type without a name: spawn a call that returns a pointer");
        return;
    }
    const std::string name = variable.getNameAsString();
    reference_uses uses;
    find_uses(space.body, variable, uses);
    std::set<unsigned> seen; // a tree has some nodes twice
    const auto put = [&](span where, const std::string &what) {
        if (seen.insert(where.begin).second)
            space.edits.put_behind(where.begin, where.end, what);
    };
    for (const clang::DeclRefExpr *use : uses.names)
        put(space.source.of(use->getSourceRange()), ".get()");
    for (const clang::LambdaCapture *copy : uses.copies)
        put(space.source.of({copy->getLocation(), copy->getLocation()}), " = " + name + ".get()");
    for (const clang::LambdaExpr *lambda : uses.copy_all) {
        const unsigned sign = space.source.offset(lambda->getCaptureDefaultLoc());
        put({sign, sign + 1}, ", " + name + " = " + name + ".get()");
    }
    write(space, how, declaration.begin, end_of_expression(space, e),
          "::saguaro::cilk::later_reference<" + *text + "> " + name + "; ", parts,
          [&](const std::string &call) { return name + ".bind(" + call + ");"; });
}

// The same where an object is made that lives as long as x, and for `auto [a, b]`: the child makes
// the object in its place.
void write_lasting(workspace &space, const spawn_manner &how, span declaration,
                   const clang::VarDecl &variable, const clang::Expr &e,
                   const spawned_call &parts) {
    const clang::QualType type = variable.getType().getNonReferenceType();
    const auto *bindings = dyn_cast<clang::DecompositionDecl>(&variable);
    const auto *made = temporary_in(variable.getInit());
    const auto text = result_text(space, variable, made != nullptr ? made->getType() : type, e);
    const auto to = bindings != nullptr || is_hidden_in(*variable.getDeclContext(), type)
                        ? std::nullopt
                        : space.type_text(type);
    if (!text) {
        fail(space, variable,
             "the result of a spawned call with a lambda has a type without a name: give the "
             "lambda a name before");
        return;
    }
    const std::string slot = space.new_name();
    const bool is_moved = variable.getType()->isRValueReferenceType() && bindings == nullptr;
    const std::string unused =
        variable.hasAttr<clang::UnusedAttr>() ? "__attribute__((unused)) " : "";
    std::string before = "::saguaro::cilk::slot<" + *text + "> " + slot + "(" + how.frame + "); ";
    const std::string got = slot + ".get()";
    if (bindings != nullptr) {
        const unsigned open = space.source.offset(variable.getLocation());
        const auto close = static_cast<unsigned>(space.source.text().find(']', open)) + 1;
        before += unused + (type.isConstQualified() ? "const auto &" : "auto &") +
                  space.text_of({open, close}) + " = " + got + "; ";
    } else {
        const std::string whole = to.value_or((type.isConstQualified() ? "const " : "") + *text) +
                                  (is_moved ? " &&" : " &");
        before += unused + whole + variable.getNameAsString() + " = " +
                  (is_moved ? "static_cast<" + whole + ">(" + got + ")" : got) + "; ";
    }
    write(space, how, declaration.begin, end_of_expression(space, e), before, parts,
          [&](const std::string &call) {
              return slot + ".make([&]() -> decltype(auto) { return " + call + "; });";
          });
}

// Whether `auto [a, b]` reads nothing of the object before the child has made it.
bool can_bind_early(workspace &space, const clang::DecompositionDecl &bindings) {
    if (bindings.getType()->isReferenceType() && temporary_in(bindings.getInit()) == nullptr)
        return fail(space, bindings,
                    "structured bindings cannot name parts of an object that a spawned call refers "
                    "to: spawn into a reference, and name its parts after the cilk_sync");
    const clang::CXXRecordDecl *record =
        bindings.getType().getNonReferenceType()->getAsCXXRecordDecl();
    for (const clang::BindingDecl *one : bindings.bindings()) {
        if (one->getHoldingVar() == nullptr)
            continue;
        if (one->getType()->isReferenceType())
            return fail(space, bindings,
                        "structured bindings of a spawned call to a tuple or pair of references, "
                        "which would be read too early: spawn into a variable, and name its parts "
                        "after the cilk_sync");
        if (record == nullptr || !record->isInStdNamespace())
            return fail(space, bindings,
                        "structured bindings of a spawned call by a get() of the program's, which "
                        "would read the object too early: spawn into a variable, and name its "
                        "parts after the cilk_sync");
    }
    return true;
}

// A bit-field; a member of a packed class, or an element of one that is an array.
bool is_without_reference(const clang::Expr &to) {
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&to);
    if (element != nullptr && workspace::spelled(element->getBase())->getType()->isArrayType())
        return is_without_reference(*workspace::spelled(element->getBase()));
    return llvm::isa<clang::MemberExpr>(to) && (to.refersToBitField() || is_packed_member(to));
}

// Such a target from the innermost object that `keep` can keep by reference.
template <class Keep>
std::string path_to(workspace &space, const clang::Expr &to, const Keep &keep) {
    if (!is_without_reference(to))
        return keep(to, "auto &&");
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&to)) {
        // In the order of the text.
        const std::string array = path_to(space, *workspace::spelled(element->getBase()), keep);
        return array + "[" + keep(*element->getIdx(), "auto") + "]";
    }
    const auto &member = llvm::cast<clang::MemberExpr>(to);
    const clang::Expr &base = *workspace::spelled(member.getBase());
    if (member.isImplicitAccess())
        return space.text_of(space.source.of(to.getSourceRange()));
    return (member.isArrow() ? keep(base, "auto") + "->" : path_to(space, base, keep) + ".") +
           space.text_of(space.source.of({member.getMemberLoc(), member.getEndLoc()}));
}

// `a[i]`, which is kept already, may turn out to be an element of a vector, to which clang has
// nothing refer.
void take_element(workspace &space, const clang::ArraySubscriptExpr &element, spawned_call &parts) {
    const clang::Expr &index = *element.getRHS();
    if (llvm::isa<clang::InitListExpr>(index))
        return;
    const unsigned open = space.source.of(element.getLHS()->getSourceRange()).end;
    const unsigned begin = space.source.of(index.getSourceRange()).begin;
    const unsigned close = space.source.offset(element.getRBracketLoc());
    space.edits.put_in_place(open, begin, index.refersToBitField() ? ", +(" : ", (");
    space.edits.put_in_place(close, close + 1, "))");
    parts.before.back() = "::saguaro::cilk::element(" + parts.before.back();
}

} // namespace

std::string inlined(const workspace &space, unsigned offset) {
    const auto behind = space.marked.targets.upper_bound(offset);
    const bool has_target = behind != space.marked.targets.begin() && std::prev(behind)->second;
    return has_target ? "" : " __attribute__((always_inline))";
}

void write_spawn(workspace &space, const spawn_manner &how, unsigned begin, const clang::Expr &e) {
    spawned_call parts;
    if (!refers_to_sized_array(space, e) && take_apart(space, &e, parts))
        write(space, how, begin, end_of_expression(space, e), "", parts, just_called);
}

void write_assignment(workspace &space, const spawn_manner &how, unsigned begin,
                      const clang::Expr &target, const clang::Expr &e) {
    spawned_call parts;
    if (refers_to_sized_array(space, target) || refers_to_sized_array(space, e))
        return;
    const clang::Expr *to = workspace::spelled(&target);
    std::string left;
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(to);
    const auto keep_first = [&](const clang::Expr &object, const char *type) {
        const std::string name = space.new_name();
        // What is assigned is evaluated before its target.
        parts.keep(space.source, object, type + (" " + name), ~0U);
        return name;
    };
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(to);
        name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl())) {
        left =
            how.result.empty() ? space.text_of(space.source.of(to->getSourceRange())) : how.result;
    } else if (is_without_reference(*to)) {
        left = path_to(space, *to, keep_first);
    } else if (const auto *some = dyn_cast<clang::ExtVectorElementExpr>(to)) {
        left = keep_first(*some->getBase(), some->isArrow() ? "auto" : "auto &&") +
               (some->isArrow() ? "->" : ".") + some->getAccessor().getName().str();
    } else if (element != nullptr && element->getBase()->getType()->isVectorType()) {
        // Nothing refers to it, as clang has it.
        const std::string vector = keep_first(*element->getBase(), "auto &&");
        left = vector + "[" + keep_first(*element->getIdx(), "auto") + "]";
    } else {
        left = keep_first(*to, "auto &&");
        if (element != nullptr && space.is_for_clang && to->isTypeDependent())
            take_element(space, *element, parts);
    }
    if (!take_apart(space, &e, parts))
        return;
    write(space, how, begin, end_of_expression(space, e), "", parts,
          [&](const std::string &call) { return left + " = " + call + ";"; });
}

void write_initialization(workspace &space, const spawn_manner &how, span declaration,
                          const clang::VarDecl &variable, const clang::Expr &e) {
    const unsigned begin = declaration.begin;
    const std::string name = variable.getNameAsString();
    const clang::QualType type = variable.getType();
    const auto *bindings = dyn_cast<clang::DecompositionDecl>(&variable);
    if (!can_initialise(space, variable) ||
        (bindings != nullptr && !can_bind_early(space, *bindings)))
        return;
    spawned_call parts;
    if (refers_to_sized_array(space, e) || !take_apart(space, &e, parts))
        return;
    if (bindings != nullptr || type->isReferenceType()) {
        const bool is_lasting = bindings != nullptr || temporary_in(variable.getInit()) != nullptr;
        (is_lasting ? write_lasting : write_reference)(space, how, declaration, variable, e, parts);
        return;
    }
    const unsigned end = end_of_expression(space, e);
    const unsigned at = space.source.offset(variable.getLocation());
    const bool is_deduced = type->getContainedDeducedType() != nullptr;
    std::string written = space.text_of({begin, at});
    if (is_deduced) {
        const std::string value =
            "::saguaro::cilk::value_of<decltype(" +
            space.text_of(space.source.of(workspace::spelled(&e)->getSourceRange())) + ")>";
        const auto text = type->isDependentType() || is_hidden_in(*variable.getDeclContext(), type)
                              ? std::nullopt
                              : space.type_text(type);
        if (!text && !type->isDependentType() && contains(&e, is_lambda)) {
            fail(space, variable,
                 "the result of a spawned call with a lambda has a type without a name: give the "
                 "lambda a name before");
            return;
        }
        if (!text && !space.source.ast().getLangOpts().CPlusPlus20 && contains(&e, is_lambda)) {
            space.error(space.source.offset(variable.getBeginLoc()),
                        "auto for a spawned call with a lambda, whose type depends on a template's "
                        "parameters, needs C++20: write the type");
            return;
        }
        const std::string constant = type.isConstQualified() && !text ? "const " : "";
        written = constant + text.value_or(value);
    }
    if (is_plain(type)) {
        const std::size_t sign =
            space.source.text().rfind('=', space.source.of(e.getSourceRange()).begin);
        const std::string declared =
            !is_deduced ? space.text_of({begin, static_cast<unsigned>(sign)})
            : is_hidden_in(*variable.getDeclContext(), type)
                ? written + " " + name
                : space.type_text(type, name).value_or(written + " " + name);
        write(space, how, begin, end, how.is_declared ? "" : declared + "; ", parts,
              [&](const std::string &call) {
                  return (how.result.empty() ? name : how.result) + " = " + call + ";";
              });
        return;
    }
    space.made_by_children.insert(&variable);
    const std::string slot = space.new_name();
    if (variable.hasAttrs()) // `[[maybe_unused]]` says nothing about the type
        written = space.type_text(type).value_or(written);
    const std::string before =
        "::saguaro::cilk::slot<" + written + "> " + slot + "(" + how.frame + "); " +
        (variable.hasAttr<clang::UnusedAttr>() ? "__attribute__((unused)) " : "") + written + " &" +
        name + " = " + slot + ".get(); ";
    write(space, how, begin, end, before, parts, [&](const std::string &call) {
        return slot + ".make([&]() -> decltype(auto) { return " + call + "; });";
    });
}

} // namespace saguaro::cilkc
