// SPDX-License-Identifier: MIT
// error: 3:6: a reducer needs an identity and a reduction: '_Hyperobject(identity, reduce)'
long _Hyperobject sum = 0;

long f(void) {
    return sum;
}
