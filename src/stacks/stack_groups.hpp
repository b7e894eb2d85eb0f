// SPDX-License-Identifier: MIT
// The stack groups of the process: one for each shape and purpose that has a user, and some without
// users that rest until the next user comes.
#pragma once

#include "stacks/stack_group.hpp"

namespace saguaro::stacks {

// The group of that class, made if there is none, for one user more. Throws std::bad_alloc.
stack_group &join(const shape &form, const purpose &use);

// One user less, which has given back all its stacks. Of what then has no user there stay, of the
// groups left last, `most_cold` stacks and `most_idle_bytes` of addresses; their memory is given
// back.
void leave(stack_group &of);

// Unmaps what rests in other groups, for one that the system has refused memory. Returns whether
// there was anything.
bool drop_elsewhere(const stack_group &needy);

// Unmaps all that has no user. For the end of the library, and for tests.
void drop_unused();

} // namespace saguaro::stacks
