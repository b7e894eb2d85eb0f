/* SPDX-License-Identifier: MIT */
/*
 * Which sanitizer the compiler builds for: each macro is 1 or 0. gcc says it by a macro of its own,
 * clang by a feature.
 */
#pragma once

#if defined(__has_feature)
#define SG_HAS_FEATURE(feature) __has_feature(feature)
#else
#define SG_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SG_HAS_FEATURE(address_sanitizer)
#define SG_ADDRESS_SANITIZER 1
#else
#define SG_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || SG_HAS_FEATURE(thread_sanitizer)
#define SG_THREAD_SANITIZER 1
#else
#define SG_THREAD_SANITIZER 0
#endif
