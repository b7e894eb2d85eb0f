// SPDX-License-Identifier: MIT
// Naming the exception that is being handled.
#include "platform/exception_text.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <typeinfo>

namespace saguaro::platform {

std::string current_exception_text() try {
    std::string text = "an exception";
    if (const std::type_info *const type = abi::__cxa_current_exception_type()) {
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> name(
            abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
        text = name != nullptr ? name.get() : type->name();
    }
    try {
        throw;
    } catch (const std::exception &thrown) {
        text.append(": ").append(thrown.what());
    } catch (...) { // it says no more
    }
    return text;
} catch (...) { // there is no memory for more
    return {};
}

} // namespace saguaro::platform
