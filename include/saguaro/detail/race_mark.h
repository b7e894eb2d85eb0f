/* SPDX-License-Identifier: MIT */
/*
 * By this the race detector knows, and refuses, a program of which some object in C++ was compiled
 * without SG_RACE: its constructs would run unseen. Headers include it whose code spawns or looks
 * up views. The library's own objects are not meant.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#if defined(__cplusplus) && !SG_RACE && !defined(SG_LIBRARY)
extern "C" {
extern const char sg_objects_without_race_detection __attribute__((weak, visibility("hidden")));
const char sg_objects_without_race_detection = 0;
}
#endif
