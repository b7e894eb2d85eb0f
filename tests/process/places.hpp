// SPDX-License-Identifier: MIT
// The calls that places_test.py makes: what its program and its plugin share.
#pragma once

extern "C" {

// Makes the call of this name, and tells how it went: "yes", "EBUSY", or what was wrong.
const char *make_call_here(const char *name);

// After the place: whether the call has left what it should.
bool has_left_it_right(const char *name);
}
