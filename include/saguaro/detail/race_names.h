/* SPDX-License-Identifier: MIT */
/*
 * What SG_RACE changes in declarations: programs that are compiled with it run serially, under the
 * race detector (docs/race.md).
 *
 * SG_BY_DETECTOR(name): the detector's function of that name takes this one's place.
 * SG_NOT_SERIES_PARALLEL(what): a call does not compile, because the detector knows no order for
 * what it begins.
 * SG_OWN_ACCESS: what the function accesses is the construct's own, and not checked. (In GNU's
 * spelling: clang ignores [[gnu::no_sanitize]].)
 */
#pragma once

#ifndef SG_RACE
#define SG_RACE 0
#endif

#if SG_RACE
#define SG_BY_DETECTOR(name) __asm__("sg_race_" name)
#define SG_NOT_SERIES_PARALLEL(what)                                                               \
    __attribute__((                                                                                \
        unavailable("saguaro: the race detector checks fork-join; it does not know " what)))
#define SG_OWN_ACCESS __attribute__((no_sanitize("thread")))
#else
#define SG_OWN_ACCESS
#define SG_BY_DETECTOR(name)
#define SG_NOT_SERIES_PARALLEL(what)
#endif
