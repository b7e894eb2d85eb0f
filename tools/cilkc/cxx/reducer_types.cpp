// SPDX-License-Identifier: MIT
// Going through what a type is made of, as far as it is written.
#include "cxx/reducer_types.hpp"

#include <algorithm>

namespace saguaro::cilkc {

namespace {

using llvm::dyn_cast;

// What a variable of the type refers to; null for `auto &`, which refers to a view.
clang::QualType referred(clang::QualType type) {
    if (type.isNull() || type->getContainedAutoType() != nullptr)
        return {};
    const auto *reference = type->getAs<clang::ReferenceType>();
    return reference == nullptr ? type : reference->getPointeeTypeAsWritten();
}

} // namespace

bool is_hyperobject(clang::QualType written) {
    for (clang::QualType type = written; !type.isNull();) {
        if (llvm::isa<clang::AutoType>(type.getTypePtr()))
            return false;
        const auto *attributed = dyn_cast<clang::AttributedType>(type.getTypePtr());
        if (attributed != nullptr && attributed->getAttrKind() == clang::attr::AnnotateType)
            return true;
        const clang::QualType next = type->getLocallyUnqualifiedSingleStepDesugaredType();
        if (next.getTypePtr() == type.getTypePtr())
            return false;
        type = next;
    }
    return false;
}

bool mentions_hyperobject(clang::QualType written) {
    while (!written.isNull() && !is_hyperobject(written)) {
        const clang::ArrayType *array = written->getAsArrayTypeUnsafe();
        written = array == nullptr ? written->getPointeeType() : array->getElementType();
    }
    return !written.isNull();
}

bool refers_to_hyperobject(clang::QualType written) {
    return is_hyperobject(referred(written));
}

bool points_to_hyperobject(clang::QualType written) {
    const clang::QualType to = referred(written);
    if (to.isNull())
        return false;
    if (const auto *pointer = to->getAs<clang::PointerType>())
        return is_hyperobject(pointer->getPointeeType());
    const clang::ArrayType *array = to->getAsArrayTypeUnsafe();
    return array != nullptr && (is_hyperobject(array->getElementType()) ||
                                points_to_hyperobject(array->getElementType()));
}

bool takes_hyperobject(clang::QualType written) {
    const auto *function = written.isNull() ? nullptr : written->getAs<clang::FunctionProtoType>();
    if (function == nullptr)
        return false;
    const auto types = function->param_types();
    return mentions_hyperobject(function->getReturnType()) ||
           std::any_of(types.begin(), types.end(), mentions_hyperobject);
}

} // namespace saguaro::cilkc
