/* SPDX-License-Identifier: MIT */
/*
 * A long message in pieces: ../README.md, "A ring". The sender tells the receiver of a block, then
 * copies the data into it and tells after each piece. The receiver copies what is there. Who is done
 * last gives the block back, and the next message takes it.
 *
 * Checked: the receiver copies each piece behind the sender's copy, nobody touches a block that was
 * given back, it is given back once, and both come to their end.
 *
 * Abstracted: memory is sequentially consistent; `there` is stored with release and loaded with
 * acquire. The ring that hands over the block is a channel.
 */

#define PIECES 3
#define ALL 255 /* `there` of a block that nobody fills in pieces */

byte there = ALL;
byte users;
bool has_copied[PIECES];
bool is_free;

chan ring = [1] of {bit};

inline give_back() {
    d_step {
        users--;
        if
        :: users == 0 ->
            assert(!is_free);
            is_free = true
        :: else
        fi
    }
}

active proctype sender() {
    byte i;
#ifndef BUG_begins_behind_the_record
    there = 0;
#endif
#ifdef BUG_sender_does_not_count
    users = 1;
#else
    users = 2;
#endif
    ring!1;
#ifdef BUG_begins_behind_the_record
    there = 0;
#endif
    for (i : 0 .. PIECES - 1) {
#ifdef BUG_tells_before_it_copies
        there = i + 1;
#endif
        assert(!is_free);
        has_copied[i] = true;
#ifndef BUG_tells_before_it_copies
        there = i + 1
#endif
    }
    give_back()
}

active proctype receiver() {
    byte i;
    ring?1;
    for (i : 0 .. PIECES - 1) {
#ifndef BUG_does_not_wait
        there > i;
#endif
        assert(has_copied[i] && !is_free)
    }
    give_back()
}
