// SPDX-License-Identifier: MIT
//
// sieve [PRIMES]: the first primes, by a chain of spaces.
//
// Each space holds one prime: the first number that it receives. It sends on those of the others
// that its prime does not divide, to a space that it has begun itself. The last one of the chain
// tells the root its prime, and all others pass it on. (McIlroy's pipeline of 1968, as Kahn and
// MacQueen drew it in 1977.)
#include "spmc_example.hpp"

#include <cstdio>
#include <saguaro/channel.hpp>
#include <saguaro/space.hpp>

namespace {

using numbers = saguaro::channel<int>;

/// Holds one prime and sends on what it does not divide; `left` primes are wanted from here on. All
/// of them go back, this one's first.
void hold_one(numbers in, numbers back, int left) {
    const int prime = in.receive();
    back.send(prime);
    if (left == 1)
        return;
    const numbers next_in;
    const numbers next_back;
    const saguaro::space next([=] { hold_one(next_in, next_back, left - 1); });
    // The next space needs as many numbers as it takes; a bound for the n-th prime is known.
    for (int number = in.receive(); number != 0; number = in.receive())
        if (number % prime != 0)
            next_in.send(number);
    next_in.send(0);
    for (int i = 1; i < left; ++i)
        back.send(next_back.receive());
    next.wait();
}

} // namespace

int main(int argc, char **argv) {
    example::at_most(argc, 1, "sieve [PRIMES]");
    const int count = example::number(argc, argv, 1, "sieve: PRIMES", 10, 1, 200);
    const numbers in;
    const numbers back;
    const saguaro::space first([=] { hold_one(in, back, count); });
    // The n-th prime is below n (ln n + ln ln n) for n from 6 on: 1300 for 200. Whatever the last
    // space does not receive stays in its channel, which has room for 256 messages.
    const int last = count < 6 ? 14 : count * 7 + 10;
    const saguaro::space source([=] {
        for (int number = 2; number <= last; ++number)
            in.send(number);
        in.send(0);
    });
    for (int i = 0; i < count; ++i)
        std::printf("%d%s", back.receive(), i + 1 < count ? " " : "\n");
    first.wait();
    source.wait();
    return 0;
}
