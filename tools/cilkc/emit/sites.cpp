// SPDX-License-Identifier: MIT
// Writing spawns, calls and syncs for each kind of clone.
#include "emit/sites.hpp"

#include "analyse/frame_layout.hpp"
#include "emit/glue.hpp"
#include "parse/declare.hpp"
#include "parse/syntax.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace saguaro::cilkc {

namespace {

std::string name_at(const char *kind, const procedure &p, const site &s) {
    return kind + p.name + "_" + std::to_string(s.number);
}

std::string label(const site &s) {
    return "_cilk_at_" + std::to_string(s.number);
}

std::string temporary(unsigned i) {
    return "_cilk_" + std::to_string(i + 1);
}

// An argument before the call makes a transparent union of it.
const clang::Expr &value_of(const clang::Expr &argument) {
    const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(peel(&argument));
    const clang::Expr *given = literal != nullptr ? given_to_union(*literal) : nullptr;
    return given != nullptr ? *given : argument;
}

// What an unwinding clone returns.
std::string nothing(const procedure &p) {
    const clang::QualType type = p.function->getReturnType();
    if (type->isVoidType())
        return "";
    return type->isScalarType() ? " 0" : " _cilk_nothing_" + p.name;
}

// Whether a slow clone has the variable from children at times.
bool is_result(const clone_text &text, const clang::VarDecl &v) {
    return text.which == clone::slow && text.p.find(&v)->at == home::result;
}

std::string is_out(const clone_text &text, const clang::VarDecl &v) {
    return text.frame("_cilk_out_" + text.p.find(&v)->member);
}

class site_writer {
public:
    site_writer(clone_text &text, const site &s) : clone_(text), s_(s) {}

    std::string run() {
        if (clone_.which == clone::serial)
            return serial_text();
        if (clone_.which == clone::silent)
            return silent_text();
        switch (s_.kind) {
        case site_kind::spawn:
            return "{ { " + spawn_text() + " }";
        case site_kind::call:
            return "{ " + call_text() + " }";
        case site_kind::sync:
            break;
        }
        return sync_text();
    }

private:
    // A call of an inlet in the serial elision.
    std::string serial_text() const {
        const bool is_void = s_.call->getType()->isVoidType();
        std::string text =
            "{ " + (is_void ? "" : declare(clone_.source, s_.call->getType(), "_cilk_r") + " = ") +
            clone_.text_of(*s_.call) + "; ";
        if (s_.destination != nullptr)
            text += clone_.text_of(*s_.destination) + " = ";
        text += "_cilk_in_" + clone_.p.name + "_" + s_.in->name->getNameAsString() +
                "(&_cilk_frame, 0" + (is_void ? "" : ", _cilk_r");
        for (const clang::Expr *argument : s_.inlet_arguments)
            text += ", " + clone_.text_of(*argument);
        return text + "); }";
    }

    // A silent clone goes on telling nothing in what it calls, unless somebody listens again: then
    // one that may spawn more than once begins late.
    std::string silent_text() {
        const bool may_be_late = begins_late(clone_.p);
        if (s_.kind == site_kind::sync)
            return may_be_late ? "{ if (_cilk_late != (void *)0) sg_profile_sync(_cilk_deque, "
                                 "_cilk_late); }"
                               : ";";
        const bool is_spawn = s_.kind == site_kind::spawn;
        const bool is_void = s_.call->getType()->isVoidType();
        const bool has_silent = s_.calls_parallel() && has_silent_clone(*s_.callee);
        const std::string result = is_void ? "" : "_cilk_r = ";
        std::string text = "{ " + arguments() + inlet_arguments() + save_errno();
        if (!is_void)
            text += declare(clone_.source, s_.call->getType(), "_cilk_r") + "; ";
        text += std::string("if (") +
                (is_spawn ? "sg_profile_dozes_on" : "sg_profile_still_dozes") + "()) " + result +
                call_expression(has_silent ? silent_name(*s_.callee) : fast_callee()) + "; else ";
        if (is_spawn && may_be_late)
            text += "{ if (_cilk_late == (void *)0) _cilk_late = sg_profile_begin(_cilk_deque); "
                    "sg_profile_spawn(_cilk_deque, _cilk_late); " +
                    result + call_expression() +
                    "; sg_profile_returned(_cilk_deque, _cilk_late); "
                    "sg_profile_go_on(_cilk_deque, _cilk_late); } ";
        else
            text += result + call_expression() + "; ";
        return text + (needs_inlet(clone_.p, s_) ? inlet_text() : use_result()) + restore_errno() +
               " }";
    }

    std::string inlet_text() const {
        return name_at("_cilk_inlet_", clone_.p, s_) + "(&" + clone_.frame("head") + ", " +
               (clone_.which == clone::slow ? "1" : "0") + ", " +
               (has_inlet_arguments(clone_.p, s_)
                    ? "&" + clone_.frame("_cilk_arguments_" + std::to_string(s_.number))
                    : "(void *)0") +
               ", " + (s_.call->getType()->isVoidType() ? "(void *)0" : "&_cilk_r") + ");";
    }

    // The arguments' values come before all else: they belong to the parent's strand.
    std::string arguments() const {
        std::string text;
        if (s_.call->getDirectCallee() == nullptr)
            text += declare(clone_.source, s_.call->getCallee()->getType(), "_cilk_callee") +
                    " = " + clone_.text_of(*s_.call->getCallee()) + "; ";
        for (unsigned i = 0; i < s_.call->getNumArgs(); ++i)
            text += declare(clone_.source, value_of(*s_.call->getArg(i)).getType(), temporary(i)) +
                    " = " + clone_.text_of(*s_.call->getArg(i)) + "; ";
        return text;
    }

    // Empty if the callee has no clones.
    std::string fast_callee() const {
        return s_.callee != nullptr ? "_cilk_fast_" + s_.callee->getNameAsString() : "";
    }

    std::string call_expression() const { return call_expression(fast_callee()); }

    // `clone_name`: the callee's, if it has clones.
    std::string call_expression(const std::string &clone_name) const {
        std::string text;
        const char *separator = "";
        if (s_.callee != nullptr) {
            const bool is_pushed = s_.kind == site_kind::spawn && clone_.which != clone::silent;
            text = clone_name + "(_cilk_deque, _cilk_tail" + (is_pushed ? " + 1" : "");
            separator = ", ";
        } else {
            text = (s_.call->getDirectCallee() == nullptr ? "_cilk_callee"
                                                          : clone_.text_of(*s_.call->getCallee())) +
                   "(";
        }
        for (unsigned i = 0; i < s_.call->getNumArgs(); ++i) {
            text += separator + temporary(i);
            separator = ", ";
        }
        return text + ")";
    }

    // The call's result, in the user's casts.
    std::string value() const {
        if (s_.value == nullptr)
            return "_cilk_r";
        const span all = clone_.source.of(s_.value->getSourceRange());
        const span call = clone_.source.of(s_.call->getSourceRange());
        return clone_.edits.render({all.begin, call.begin}) + "_cilk_r" +
               clone_.edits.render({call.end, all.end});
    }

    std::string use_result() {
        switch (s_.use) {
        case result_use::none:
            return s_.call->getType()->isVoidType() ? "" : "(void)_cilk_r;";
        case result_use::assigned:
            return clone_.access(*s_.variable) + " = " + value() + ";";
        case result_use::stored:
            return clone_.text_of(*s_.destination) + " " + s_.operation + " " + value() + ";";
        case result_use::returned:
            // Also of `return (void)f();`
            if (clone_.p.function->getReturnType()->isVoidType())
                return clone_.return_value("");
            return clone_.return_value(value());
        case result_use::to_inlet:
            break;
        }
        return "";
    }

    // A child may run in this thread, and what comes behind the spawn in another one.
    std::string save_errno() const {
        return clone_.p.saves_errno ? clone_.frame("_cilk_errno") + " = *__errno_location(); " : "";
    }

    std::string restore_errno() const {
        return clone_.p.saves_errno ? " *__errno_location() = " + clone_.frame("_cilk_errno") + ";"
                                    : "";
    }

    // What is live, into the frame. There a child that is out writes its result.
    std::string save() const {
        std::string text;
        for (const clang::VarDecl *v : s_.live)
            if (clone_.access(*v) == v->getName())
                text += (is_result(clone_, *v) ? "if (!" + is_out(clone_, *v) + ") " : "") +
                        clone_.frame(clone_.p.find(v)->member) + " = " + v->getName().str() + "; ";
        return text;
    }

    std::string restore() const {
        std::string text;
        for (const clang::VarDecl *v : s_.live)
            if (clone_.access(*v) == v->getName())
                text += (is_result(clone_, *v) ? "if (!" + is_out(clone_, *v) + ") " : "") +
                        v->getName().str() + " = " + clone_.frame(clone_.p.find(v)->member) + "; ";
        return text;
    }

    std::string inlet_arguments() const {
        const std::string to = clone_.frame("_cilk_arguments_" + std::to_string(s_.number)) + ".";
        std::string text;
        const bit_field field = bit_field_of(s_);
        if (const auto *element = vector_element_of(s_);
            element != nullptr && stores_by_address(clone_.p, s_))
            text +=
                to + "to = (" +
                declare(clone_.source, clone_.source.ast().getPointerType(element->getType()), "") +
                ")&(" + clone_.text_of(*element->getBase()) + ") + (" +
                clone_.text_of(*element->getIdx()) + "); ";
        else if (stores_by_address(clone_.p, s_))
            text += to + "to = " + (field.is_pointer ? "(" : "&(") +
                    (field.owner != nullptr      ? clone_.text_of(*field.owner)
                     : s_.destination != nullptr ? clone_.text_of(*s_.destination)
                                                 : clone_.access(*s_.variable)) +
                    "); ";
        unsigned i = 0;
        for (const clang::Expr *argument : s_.inlet_arguments)
            text += to + "a" + std::to_string(++i) + " = " + clone_.text_of(*argument) + "; ";
        return text;
    }

    // Leaves a clone whose activation goes on elsewhere, or not at all.
    std::string return_if(const std::string &condition) const {
        const std::string leaves =
            "return" + (clone_.which == clone::slow ? "" : nothing(clone_.p)) + "; ";
        if (!clone_.p.is_profiled)
            return "if (" + condition + ") " + leaves;
        return "if (" + condition + ") { " + clone_.profile_leave() + leaves + "} ";
    }

    std::string spawn_text() {
        const bool is_void = s_.call->getType()->isVoidType();
        const bool is_slow = clone_.which == clone::slow;
        const std::string result = declare(clone_.source, s_.call->getType(), "_cilk_r");
        std::string text =
            arguments() + inlet_arguments() + save_errno() + save() + clone_.profile("spawn");
        text += clone_.frame("head.site") + " = &" +
                name_at(is_slow ? "_cilk_full_" : "_cilk_site_", clone_.p, s_) + "; ";
        text += "sg_push(_cilk_tail, &" + clone_.frame("head") + "); ";
        // Serial functions, plain C above all, do not say when they begin and end.
        const bool is_measured_here = clone_.p.is_profiled && !s_.calls_parallel();
        if (is_measured_here)
            text += "sg_profile *_cilk_child = sg_profile_dozes() ? (void *)0 : "
                    "sg_profile_begin(_cilk_deque); ";
        text += (is_void ? "" : result + " = ") + call_expression() + "; " +
                (is_measured_here
                     ? "if (_cilk_child != (void *)0) sg_profile_end(_cilk_deque, _cilk_child); "
                     : "") +
                clone_.profile("returned");
        const std::string pop = "sg_pop(_cilk_deque, _cilk_tail) && ";
        if (is_slow)
            text += return_if(pop + "sg_is_stolen(_cilk_deque, _cilk_tail, " +
                              (is_void ? "(void *)0" : "&_cilk_r") + ")");
        else
            text += return_if(
                pop + name_at("_cilk_stolen_", clone_.p, s_) + "(_cilk_deque, _cilk_tail" +
                (is_void ? "" : ", _cilk_r") + (clone_.p.has_block() ? ", _cilk_block" : "") +
                (clone_.p.has_chain ? ", " + clone_.frame("_cilk_chain") : "") +
                (clone_.p.is_profiled ? ", " + clone_.frame("_cilk_profile") : "") + ")");
        text += clone_.profile("go_on");
        if (needs_inlet(clone_.p, s_))
            text += inlet_text();
        else
            text += use_result();
        text += " }";
        if (is_slow) {
            if (has_inlets(clone_.p))
                text += " sg_poll(&_cilk_frame->head);";
            text += " if (0) { " + label(s_) + ": ; " + restore();
            if (s_.use == result_use::assigned && is_result(clone_, *s_.variable))
                text += is_out(clone_, *s_.variable) + " = 1; ";
            text += clone_.profile("go_on") + "}";
        }
        return text + restore_errno();
    }

    std::string call_text() {
        const bool is_void = s_.call->getType()->isVoidType();
        const std::string result = declare(clone_.source, s_.call->getType(), "_cilk_r");
        if (!s_.is_left())
            return arguments() + (is_void ? "" : result + " = ") + call_expression() + "; " +
                   use_result();
        std::string text =
            arguments() + save_errno() + (is_void ? "" : result + " = ") + call_expression() + "; ";
        text += "if (__builtin_expect(_cilk_deque->incomplete != (void *)0, 0)";
        if (clone_.which == clone::slow) {
            text += ") { " + save() + "_cilk_frame->head.site = &" +
                    name_at("_cilk_full_", clone_.p, s_) + "; " +
                    return_if("sg_suspend(_cilk_deque, &_cilk_frame->head, " +
                              std::string(is_void ? "(void *)0" : "&_cilk_r") + ")") +
                    clone_.profile("go_on") + "} ";
            text +=
                "if (0) { " + label(s_) + ": ; " + restore() +
                (is_void ? ""
                         : "_cilk_r = _cilk_frame->_cilk_r" + std::to_string(s_.number) + "; ") +
                clone_.profile("go_on") + "}" + restore_errno() + " ";
            return text + use_result();
        }
        std::string call = name_at("_cilk_suspend_", clone_.p, s_) + "(_cilk_deque";
        if (clone_.p.has_saved_state())
            call += ", &_cilk_frame";
        else if (clone_.p.has_block())
            call += ", _cilk_block";
        for (const clang::VarDecl *v : s_.live)
            call += ", " + v->getName().str();
        call += ")";
        if (is_void)
            text += ") { " + return_if(call) + clone_.profile("go_on") + "} ";
        else
            text += ") { struct " + name_at("_cilk_late_", clone_.p, s_) + " _cilk_late = " + call +
                    "; " + return_if("_cilk_late.state") + "_cilk_r = _cilk_late.result; " +
                    clone_.profile("go_on") + "} ";
        return text + restore_errno() + " " + use_result();
    }

    std::string sync_text() {
        if (clone_.which == clone::fast)
            return clone_.p.is_profiled ? "{ " + clone_.profile("sync") + "}" : ";";
        std::string fetched = fetch_results(clone_, s_.where);
        if (!fetched.empty())
            fetched += "(void)0; ";
        return "{ " + save_errno() + save() + clone_.profile("wait") +
               "if (sg_sync(_cilk_deque, &_cilk_frame->head, &" +
               name_at("_cilk_full_", clone_.p, s_) + ")) return; if (0) { " + label(s_) + ": ; " +
               restore() + "}" + restore_errno() + " " + fetched + clone_.profile("go_on") +
               clone_.profile("sync") + "}";
    }

    clone_text &clone_;
    const site &s_;
};

} // namespace

std::string site_text(clone_text &text, const site &s) {
    return site_writer(text, s).run();
}

std::string fetch_results(const clone_text &text, span where) {
    std::string results;
    for (const clang::VarDecl *v : text.p.at_home(home::result))
        if (is_result(text, *v) && text.source.offset(v->getLocation()) < where.begin &&
            where.end <= text.p.find(v)->scope.end)
            results += "(void)(" + is_out(text, *v) + " && ((void)(" + v->getName().str() + " = " +
                       text.frame(text.p.find(v)->member) + "), (void)(" + is_out(text, *v) +
                       " = 0), 1)), ";
    return results;
}

} // namespace saguaro::cilkc
