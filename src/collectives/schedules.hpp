// SPDX-License-Identifier: MIT
// The schedules of collectives: which member speaks to which, step by step, whatever carries the
// messages and whatever they hold. README.md says who uses which.
#pragma once

#include <algorithm>

namespace saguaro::collectives {

// `number` is an int or an unsigned. Members are 0 to n - 1; `me` is one of them.

// In step k each member speaks to the one 2^k further around the circle, and listens to the one as
// far back (Hensgen, Finkel, Manber 1988). After the last step each has heard of all.
template <class number, class Step>
void dissemination(number me, number n, Step step) {
    for (number distance = 1; distance < n; distance *= 2)
        step(distance, (me + distance) % n, (me + n - distance) % n);
}

// In step k each member speaks to the one k further around the circle, and listens to the one k
// back: so no member gets two messages at once. step(to, from), from step `first` on: of one group
// step 0 is a member's own, of two groups it is not.
template <class number, class Step>
void pairwise(number me, number n, number first, Step step) {
    for (number k = first; k < n; ++k)
        step((me + k) % n, (me + n - k) % n);
}

// ---- The binomial tree, whose root is member 0 ----

// Up: a member hears each of its children, the nearest first, and then tells its parent.
template <class number, class Child, class Parent>
void up_the_tree(number me, number n, Child child, Parent parent) {
    number distance = 1;
    for (; distance < n && (me & distance) == 0; distance *= 2)
        if (me + distance < n)
            child(me + distance);
    if (me != 0)
        parent(me - distance);
}

// Down: a member hears its parent, and then tells its children, the farthest first, because more
// members are below that one.
template <class number, class Parent, class Child>
void down_the_tree(number me, number n, Parent parent, Child child) {
    number distance = 1;
    while (distance < n && (me & distance) == 0)
        distance *= 2;
    if (me != 0)
        parent(me - distance);
    while (distance /= 2)
        if (me + distance < n)
            child(me + distance);
}

// How many members the tree has at and below one of them.
template <class number>
constexpr number members_below(number me, number n) {
    return me == 0 ? n : std::min(me & (~me + 1), n - me);
}

// ---- With another root ----

// A member's number counted from the root, and back.
template <class number>
constexpr number from_root(number member, number root, number n) {
    return (member + n - root) % n;
}

template <class number>
constexpr number member_at(number distance, number root, number n) {
    return (distance + root) % n;
}

} // namespace saguaro::collectives
