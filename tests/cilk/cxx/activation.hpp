// SPDX-License-Identifier: MIT
// The ends of an activation that spawns, with exceptions and without, for text.hpp.
#pragma once

#if defined(__cpp_exceptions)
#define TRY try
#define CATCH(frame)                                                                               \
    catch (...) {                                                                                  \
        frame.caught();                                                                            \
    }
#else
#define TRY
#define CATCH(frame)
#endif
