/* SPDX-License-Identifier: MIT */
/*
 * How a rank learns how far another one has computed: README.md, "Work".
 *
 * P computes in sections between its calls, and sends a message in each call. Its counter rises in
 * sections and inside calls. R reads P's counter at any time, and derives a bound from it.
 *
 * Checked: P sends no stamp up to a bound that R believes in.
 *
 * Abstracted: memory is sequentially consistent; the fence in `enter`, and the kernel when it reads
 * the counter, see to that. A call is worth two events.
 */

#define UNIT 2
#define SECTIONS 3
#define MOST 2 /* events in a section or call */

byte count; /* P's counter */

/* What P tells. */
byte section;
byte clock_then;
byte from;

byte believed; /* a bound */

inline some_events() {
    steps = 0;
    do
    :: steps < MOST -> count++; steps++
    :: break
    od
}

active proctype p() {
    byte clock, rest, own_from, seen, steps, i;
    i = 0;
    do
    :: i < SECTIONS ->
        i++;
        own_from = count - rest;
#ifdef BUG_begins_before_it_tells
        section++;
        clock_then = clock;
        from = own_from;
#else
        clock_then = clock;
        from = own_from;
#ifdef BUG_tells_no_number
        section = 1;
#else
        section++;
#endif
#endif
#ifdef BUG_drops_the_rest
        own_from = count;
#endif
        some_events();
#ifdef BUG_counts_before_the_end
        seen = count;
        some_events();
#endif
#ifdef BUG_tells_no_number
        section = 0;
#else
        section++;
#endif
#ifndef BUG_counts_before_the_end
        seen = count;
#endif
        d_step {
            rest = (seen - own_from) % UNIT;
            clock = clock + (seen - own_from) / UNIT
        };
        some_events();
        clock++;
        assert(clock > believed)
    :: else -> break
    od
}

active proctype r() {
    byte number, clock, its_from, seen;
    do
    :: section % 2 == 1 ->
        number = section;
        if
        :: number % 2 == 1 ->
            clock = clock_then;
            its_from = from;
            seen = count;
            d_step {
                if
#ifdef BUG_no_second_look
                :: true ->
#else
                :: section == number ->
#endif
                    if
                    :: clock + (seen - its_from) / UNIT > believed ->
                        believed = clock + (seen - its_from) / UNIT
                    :: else
                    fi
                :: else
                fi
            }
        :: else
        fi
    :: break
    od
}
