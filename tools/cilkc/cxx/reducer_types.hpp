// SPDX-License-Identifier: MIT
// Which types, as they are written, are those of OpenCilk's reducers.
#pragma once

#include <clang/AST/Type.h>

namespace saguaro::cilkc {

// Whether the type, as it is written, is one of a reducer. For Clang it is the type of the views.
bool is_hyperobject(clang::QualType written);

// Whether it is one, or refers or points to one.
bool mentions_hyperobject(clang::QualType written);

// Whether a variable of the type is a reducer or a reference to one. No `auto &` is, which refers
// to a view.
bool refers_to_hyperobject(clang::QualType written);

// Whether it is a pointer to one, or an array of them.
bool points_to_hyperobject(clang::QualType written);

// Whether it is the type of a function with such a parameter or result.
bool takes_hyperobject(clang::QualType written);

} // namespace saguaro::cilkc
