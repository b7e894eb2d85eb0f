/* SPDX-License-Identifier: MIT */
/* Work of a known size, by the time that told_time.cpp tells. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void busy(int microseconds);

#ifdef __cplusplus
}
#endif
