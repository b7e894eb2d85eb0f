// SPDX-License-Identifier: MIT
// A function with inlets has a frame for
// the variables that they use, as its clones have; all others stay as they are.
#include "emit/serial.hpp"

#include "analyse/analyse.hpp"
#include "analyse/frame_layout.hpp"
#include "emit/clone.hpp"
#include "emit/clone_text.hpp"
#include "emit/glue.hpp"
#include "emit/inlets.hpp"
#include "emit/variable_names.hpp"
#include "parse/debug_names.hpp"
#include "parse/markers.hpp"
#include "parse/unit.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace saguaro::cilkc {

namespace {

// Nothing moves in serial code: only what inlets use must be where they find it.
void keep_at_home(procedure &p) {
    for (auto &[declaration, v] : p.variables) {
        v.at = p.captured.count(declaration) != 0 ? home::frame : home::local;
        v.sizes.clear();
        v.member = declaration->getNameAsString();
    }
    p.has_chain = false;
    p.literals.clear();
    p.saves_errno = false;
    // Their arguments need no place.
    for (site &s : p.sites)
        s.kind = site_kind::sync;
}

std::string function_with_inlets(const source_text &source, procedure &p) {
    const std::string here = source.lines().marker(source.offset(p.function->getLocation()));
    const std::string head(source.text().substr(p.where.begin, p.body.begin - p.where.begin));
    keep_at_home(p);
    // Inlets and statics, which come before the function, may use it.
    std::string text = source.lines().jump(p.where.begin) + head + ";\n";
    for (const std::string &line : p.lifted)
        text += here + line + '\n';
    for (const std::string &line : struct_texts(source, p, lay_out(p)))
        text += here + line + '\n';
    for (const std::string &line : inlet_texts(source, p))
        text += here + line + '\n';
    clone_text edited(source, p, clone::serial);
    edit_body(edited);
    text += source.lines().jump(p.where.begin) + head + "{ struct _cilk_saved_" + p.name +
            " _cilk_frame; (void)_cilk_frame; ";
    for (const clang::ParmVarDecl *parameter : p.function->parameters())
        if (p.find(parameter)->at == home::frame)
            text += "_cilk_frame." + p.find(parameter)->member + " = " +
                    parameter->getName().str() + "; ";
    return text + source.lines().jump(p.body.begin) + edited.render(p.body) + " }";
}

} // namespace

std::string emit_serial(const unit &parsed, bool is_mit, debug_names &names,
                        std::vector<problem> &problems) {
    const source_text source(parsed);
    const std::vector<std::unique_ptr<procedure>> procedures =
        find_procedures(source, false, problems);
    std::string out;
    unsigned from = 0;
    for (const auto &p : procedures) {
        out += source.text().substr(from, p->where.begin - from);
        if (p->inlets.empty()) {
            out += source.text().substr(p->where.begin, p->where.end - p->where.begin);
        } else {
            out += '\n' + function_with_inlets(source, *p);
            add_variable_names(source, *p, names);
        }
        if (is_mit && p->external)
            out += '\n' + source.lines().marker(source.offset(p->function->getLocation())) +
                   exported_entry(source, *p);
        from = p->where.end;
        out += source.lines().jump(from);
    }
    return without_markers(out + std::string(source.text().substr(from)));
}

} // namespace saguaro::cilkc
