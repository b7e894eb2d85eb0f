// SPDX-License-Identifier: MIT
// Two functions that call each other from two files.
#pragma once

int odd_steps(int n);
int even_steps(int n);
