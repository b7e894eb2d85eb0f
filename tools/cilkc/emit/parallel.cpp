// SPDX-License-Identifier: MIT
// Writing a unit in C: clones, glue and prototypes, with everything else unchanged.
#include "emit/parallel.hpp"

#include "analyse/analyse.hpp"
#include "analyse/frame_layout.hpp"
#include "analyse/liveness.hpp"
#include "emit/clone.hpp"
#include "emit/clone_text.hpp"
#include "emit/glue.hpp"
#include "emit/head.hpp"
#include "emit/inlets.hpp"
#include "emit/variable_names.hpp"
#include "parse/block_declarations.hpp"
#include "parse/debug_names.hpp"
#include "parse/declare.hpp"
#include "parse/markers.hpp"
#include "parse/unit.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>

namespace saguaro::cilkc {

namespace {

class unit_writer {
public:
    unit_writer(const source_text &source, bool is_mit, bool is_profiled)
        : source_(source), is_mit_(is_mit), is_profiled_(is_profiled) {}

    std::string run(const std::vector<std::unique_ptr<procedure>> &procedures) {
        for (const auto &p : procedures)
            if (p->is_serial)
                serial_.insert(p->function->getCanonicalDecl());
        unsigned from = 0;
        for (const auto &p : procedures) {
            copy(from, p->where.begin);
            out_ += '\n';
            function(*p);
            from = p->where.end;
            out_ += source_.lines().jump(from);
        }
        copy(from, static_cast<unsigned>(source_.text().size()));
        return without_markers(std::move(out_));
    }

private:
    void copy(unsigned from, unsigned to) { out_ += source_.text().substr(from, to - from); }

    // A line of glue, as the user's line `at`.
    void glue(const std::string &text) { out_ += here_ + text + '\n'; }
    void glue(const std::vector<std::string> &texts) {
        for (const std::string &text : texts)
            glue(text);
    }

    void function(const procedure &p) {
        here_ = source_.lines().marker(source_.offset(p.function->getLocation()));
        if (declared_.empty())
            glue("extern void sg_run(void (*function)(void *), void *argument);");
        // First, for the body may use the function: from here on it is declared as the user says.
        entry(p);
        glue(p.lifted);
        const frame_layout layout = lay_out(p);
        glue(struct_texts(source_, p, layout));
        declare_callees(p);
        if (has_slow_clone(p))
            glue("static void _cilk_slow_" + p.name +
                 "(sg_deque *_cilk_deque, sg_frame **_cilk_tail, sg_frame *_cilk_head);");
        glue(inlet_texts(source_, p));
        if (has_slow_clone(p))
            glue(site_texts(p));
        glue(helper_texts(source_, p));
        fast_clone(p);
        if (has_slow_clone(p))
            slow_clone(p);
    }

    // The dialects' main functions return 0 at their ends, as C's does.
    static bool is_main(const procedure &p) {
        return p.function->isMain() ||
               (p.name == "cilk_main" && p.function->getReturnType()->isIntegerType());
    }

    static bool has_slow_clone(const procedure &p) {
        for (const site &s : p.sites)
            if (s.is_left())
                return true;
        return false;
    }

    // Fast clones are called before they are defined.
    void declare_callees(const procedure &p) {
        for (const site &s : p.sites)
            if (s.callee != nullptr)
                declare_fast(*s.callee, s.callee->isExternallyVisible() && is_procedure(*s.callee));
    }

    void declare_fast(const clang::FunctionDecl &function, bool external) {
        if (!declared_.insert(function.getCanonicalDecl()).second)
            return;
        // Other declarations may leave the parameters out.
        const clang::FunctionDecl *definition = function.getDefinition();
        const std::string name = "_cilk_fast_" + function.getNameAsString();
        glue((external ? "" : "static inline ") +
             clone_header(source_, definition != nullptr ? *definition : function, name) + ";");
        if (is_profiled_ && has_silent_clone(function) &&
            serial_.count(function.getCanonicalDecl()) == 0)
            glue("static inline " + clone_header(source_, *definition, silent_name(function)) +
                 ";");
    }

    void fast_clone(const procedure &p) {
        // A profile begins with the function.
        const head first = has_slow_clone(p) && !p.is_profiled ? find_head(source_, p) : head{};
        std::string body_name = fast_name(p);
        if (!first.statements.empty()) {
            body_name = "_cilk_body_" + p.name;
            glue("static inline " + clone_header(source_, *p.function, body_name) + ";");
            clone_text edited(source_, p, clone::head);
            edit_body(edited);
            glue("static inline " + clone_header(source_, *p.function, fast_name(p)) + " { " +
                 declare_again(first.declared));
            for (const span &statement : first.statements)
                out_ += source_.lines().jump(statement.begin) + edited.render(statement);
            out_ += '\n';
            glue(call_of(p, body_name) + " }");
        }
        clone_text edited(source_, p, clone::fast);
        edit_body(edited);
        for (const span &statement : first.removed)
            edited.edits.replace(
                statement, &statement == &first.removed.back() ? used_by_head(first) : "", true);
        quick_clone(body_name, edited);
        if (p.is_profiled) {
            clone_text silent(source_, p, clone::silent);
            edit_body(silent);
            quick_clone(silent_name(*p.function), silent);
        }
    }

    // The way from a fast clone to the silent one.
    std::string silence(const procedure &p) const {
        const bool is_void = p.function->getReturnType()->isVoidType();
        return "if (sg_profile_dozes()) { " + call_of(p, silent_name(*p.function)) +
               (is_void ? " return; } " : " } ");
    }

    // A clone on the stack of its caller.
    void quick_clone(const std::string &name, const clone_text &edited) {
        const procedure &p = edited.p;
        const bool tells = p.is_profiled && edited.which == clone::fast;
        glue("static inline " + clone_header(source_, *p.function, name) + " { " +
             (tells ? silence(p) : "") + beginning_of_quick(edited));
        out_ += source_.lines().jump(p.body.begin) + edited.render(p.body);
        if (p.function->getReturnType()->isVoidType() || is_main(p))
            out_ += " " + edited.leave();
        if (is_main(p))
            out_ += "return 0; ";
        out_ += "}\n";
    }

    // As clone_header says.
    static std::string name_of(const procedure &p, const clang::ParmVarDecl &parameter) {
        const auto all = p.function->parameters();
        const auto at = std::find(all.begin(), all.end(), &parameter) - all.begin();
        return parameter.getName().empty() ? "_cilk_parameter_" + std::to_string(at + 1)
                                           : parameter.getName().str();
    }

    std::string call_of(const procedure &p, const std::string &name) const {
        std::string text = p.function->getReturnType()->isVoidType() ? "" : "return ";
        text += name + "(_cilk_deque, _cilk_tail";
        for (const clang::ParmVarDecl *parameter : p.function->parameters())
            text += ", " + name_of(p, *parameter);
        return text + ");";
    }

    static std::string beginning_of_quick(const clone_text &edited) {
        const procedure &p = edited.p;
        const bool tells = p.is_profiled && edited.which != clone::silent;
        std::string text = "(void)_cilk_deque; (void)_cilk_tail; ";
        bool has_frame = p.has_saved_state();
        for (const site &s : p.sites)
            has_frame |= s.kind == site_kind::spawn;
        if (has_frame)
            text += "struct _cilk_saved_" + p.name + " _cilk_frame; (void)&_cilk_frame; ";
        if (p.has_chain)
            text += "_cilk_frame._cilk_chain = (void *)0; ";
        if (tells)
            text += "_cilk_frame._cilk_profile = sg_profile_begin(_cilk_deque); ";
        if (edited.which == clone::silent && begins_late(p))
            text += "sg_profile *_cilk_late = (void *)0; ";
        if (p.has_block()) {
            text += "struct _cilk_block_" + p.name + " *_cilk_block = " + new_block(p);
            if (has_frame)
                text += "_cilk_frame._cilk_block = _cilk_block; ";
        }
        for (const clang::ParmVarDecl *parameter : p.function->parameters()) {
            const variable *v = p.find(parameter);
            // One that only the head uses, or that has no name, is no user's mistake.
            text += "(void)" + name_of(p, *parameter) + "; ";
            if (!v->sizes.empty())
                text += edited.set_sizes(*parameter);
            if (v->at == home::block)
                text += "_cilk_block->" + v->member + " = " + parameter->getName().str() + "; ";
            else if (v->at == home::frame)
                text += "_cilk_frame." + v->member + " = " + parameter->getName().str() + "; ";
        }
        return text;
    }

    void slow_clone(const procedure &p) {
        clone_text edited(source_, p, clone::slow);
        edit_body(edited);
        const std::string body = edited.render(p.body);
        const std::string frame = "struct _cilk_frame_" + p.name;
        std::string text =
            "static void _cilk_slow_" + p.name +
            "(sg_deque *_cilk_deque, sg_frame **_cilk_tail, sg_frame *_cilk_head) { " + frame +
            " *_cilk_frame = (" + frame + " *)(void *)_cilk_head; ";
        std::string frees;
        if (p.has_block()) {
            text += "struct _cilk_block_" + p.name + " *_cilk_block = _cilk_frame->_cilk_block; ";
            frees += "sg_block_free(_cilk_block); ";
        }
        if (p.has_chain)
            frees += "sg_block_free_all(_cilk_frame->_cilk_chain); ";
        for (const clang::ParmVarDecl *parameter : p.function->parameters())
            if (p.find(parameter)->is_variable() && is_used(p, *parameter))
                text += declare(source_, parameter->getType(), parameter->getName().str()) + "; ";
        std::string none_out;
        for (const clang::VarDecl *v : p.at_home(home::result))
            none_out += "_cilk_frame->_cilk_out_" + p.find(v)->member + " = ";
        if (!none_out.empty())
            text += "if (_cilk_head->site->kind == &sg_spawned_frames) " + none_out + "0; ";
        // No entry is 0. But of variables whose declaration is never passed clang writes nothing
        // for debuggers, and without optimization it does not see that this one is not.
        text += "(void)_cilk_tail; if (_cilk_head->site->entry == 0) __builtin_unreachable(); "
                "switch (_cilk_head->site->entry) { case 0: break; ";
        for (const site &s : p.sites)
            if (s.is_left()) {
                const std::string number = std::to_string(s.number);
                text += "case " + number + ": goto _cilk_at_" + number + "; ";
            }
        const std::size_t last = p.sites.size();
        if (p.has_cleanup())
            text += "case " + std::to_string(last + 2) + ": " + frees +
                    (p.is_profiled ? "sg_profile_drop(_cilk_frame->_cilk_profile); " : "") +
                    "sg_return(_cilk_deque, _cilk_head, (void *)0); return; ";
        text += "default: goto _cilk_at_end; }";
        pragmas({"push", "ignored \"-Wuninitialized\"", "ignored \"-Wmaybe-uninitialized\""});
        glue(text);
        out_ += source_.lines().jump(p.body.begin) + body;
        out_ += is_main(p) ? " _cilk_frame->_cilk_result = 0;\n" : "\n";
        text = edited.ends_early ? "_cilk_end: ; " : "";
        text += edited.profile("wait") + "if (sg_sync(_cilk_deque, _cilk_head, &_cilk_end_" +
                p.name + ")) return; _cilk_at_end: ; " + edited.profile("go_on") +
                edited.profile("end") + edited.profile_leave() + frees;
        const clang::QualType type = p.function->getReturnType();
        if (type->isVoidType())
            text += "sg_return(_cilk_deque, _cilk_head, (void *)0); }";
        else
            text += declare(source_, type, "_cilk_value") +
                    " = _cilk_frame->_cilk_result; sg_return(_cilk_deque, _cilk_head, "
                    "&_cilk_value); }";
        glue(text);
        pragmas({"pop"});
    }

    // Where a slow clone goes on, nothing shows that its variables have values: there the compiler
    // keeps silent, having the fast clone to look at. As of a system's header, where none complains
    // about warnings that it does not know.
    void pragmas(std::initializer_list<const char *> which) {
        std::string text = here_.substr(0, here_.rfind('"') + 1) + " 3\n";
        for (const char *one : which)
            text += std::string("#pragma GCC diagnostic ") + one + "\n";
        out_ += text;
    }

    static bool is_used(const procedure &p, const clang::VarDecl &v) {
        for (const use &u : p.uses)
            if (u.what == &v)
                return true;
        return false;
    }

    // The user's own head of the function, so that its attributes and its linkage stay.
    void entry(const procedure &p) {
        declare_fast(*p.function, p.external);
        if (p.external)
            fast_for_other_files(p);
        const std::vector<std::string> texts = entry_texts(source_, p);
        glue(std::vector<std::string>(texts.begin(), texts.end() - 1));
        out_ += source_.lines().jump(p.where.begin);
        copy(p.where.begin, p.body.begin);
        out_ += '\n';
        glue(entry_body(source_, p, is_profiled_));
        glue(texts.back());
        if (is_mit_ && p.external)
            glue(exported_entry(source_, p));
    }

    void fast_for_other_files(const procedure &p) {
        glue("static inline " + clone_header(source_, *p.function, fast_name(p)) + ";");
        glue(clone_header(source_, *p.function, "_cilk_fast_" + p.name) + " { " +
             call_of(p, fast_name(p)) + " }");
    }

    const source_text &source_;
    const bool is_mit_;
    const bool is_profiled_;
    std::string out_;
    std::string here_;
    std::set<const clang::FunctionDecl *> declared_;
    std::set<const clang::FunctionDecl *> serial_;
};

} // namespace

std::string emit(const unit &parsed, bool is_mit, bool is_profiled, debug_names &names,
                 std::vector<problem> &problems) {
    const source_text source(parsed);
    const std::vector<std::unique_ptr<procedure>> procedures =
        find_procedures(source, is_profiled, problems);
    for (const auto &p : procedures) {
        find_live(source, *p);
        add_variable_names(source, *p, names);
    }
    return unit_writer(source, is_mit, is_profiled).run(procedures);
}

} // namespace saguaro::cilkc
