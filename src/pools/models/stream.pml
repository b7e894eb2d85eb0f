/* SPDX-License-Identifier: MIT */
/*
 * Jobs that are given while a pool runs: README.md, "Jobs that come one by one".
 *
 * A giver gives JOBS jobs, at most ROOM of which have no end that was taken, waits until all have
 * one, and closes the stream. WORKERS workers take jobs in their order and compute them; one of them begins only
 * when the supervisor sees that a job is free. The supervisor takes ends, begins the late worker, and sleeps without
 * a limit when no job is open, as it does not in the code: so a wake that is missed is a deadlock here.
 *
 * Checked: each job is computed once; no job's word is used for another one before the job's end was taken; all come
 * to their end.
 *
 * Abstracted: memory is sequentially consistent. What must not be reordered in the code is a release and an acquire of
 * one word, or stands on both sides of a fence. A worker that is killed does nothing that the supervisor does not see
 * when it takes its end: the batch's rules hold.
 */

#ifndef JOBS
#define JOBS 3
#endif
#ifndef ROOM
#define ROOM 1
#endif
#define WORKERS 2

/* The words: of a job, its number from 1 on. */
byte taken[ROOM];
byte next;
byte given;
byte news;
bool is_closed;
bool bell; /* rung since the supervisor looked */
bool wants_jobs;

byte oldest;
bool is_done[ROOM];
byte computed[JOBS];
byte ended;    /* workers */
bool may_begin[WORKERS];
chan ends = [JOBS] of { byte };

proctype worker(byte me) {
    byte seen, job, end, found;
    bool got;
    may_begin[me];
    do
    ::
#ifdef BUG_looks_before_the_news
       end = given;
       job = next;
       seen = news;
#else
       seen = news;
       end = given;
       job = next;
#endif
       got = false;
       do
       :: job < end && !got ->
            found = taken[job % ROOM];
#ifdef BUG_any_word_that_differs
            if
            :: found != job + 1 ->
#else
            if
            :: found < job + 1 ->
#endif
                 atomic {
                     if
                     :: taken[job % ROOM] == found -> taken[job % ROOM] = job + 1; got = true
                     :: else -> job++
                     fi
                 }
            :: else -> job++
            fi
       :: else -> break
       od;
       if
       :: got ->
            next = job + 1;
            atomic {
                computed[job]++;
                assert(computed[job] == 1);
                ends ! job;
                seen = 0;
                end = 0;
                job = 0;
                found = 0
            };
            bell = true
       :: !got && is_closed -> break
       :: else ->
            atomic {
                end = 0;
                job = 0;
                found = 0
            };
            atomic {
                news != seen -> /* sleeps */
                seen = 0
            }
       fi
    od;
    ended++
}

proctype giver() {
    byte job;
more:
    do
    :: job < JOBS ->
         if
         :: true
         :: true -> oldest == job /* as a caller does that waits for each */
         fi;
#ifndef BUG_gives_without_room
         job - oldest < ROOM;
#endif
#ifdef BUG_rings_before_it_gives
         if
         :: wants_jobs -> wants_jobs = false; bell = true
         :: else
         fi;
         given = job + 1;
         news++;
         job++;
         goto more;
#endif
         given = job + 1;
         news++;
         if
         :: wants_jobs -> wants_jobs = false; bell = true
         :: else
         fi;
         job++
    :: else -> break
    od;
    oldest == JOBS;
    is_closed = true;
#ifndef BUG_closes_silently
    news++
#endif
}

proctype supervisor() {
    byte seen, job;
    do
    :: oldest == JOBS -> break
    :: oldest < JOBS ->
         bell = false;
         seen = given;
         if
         :: seen > 0 && next < seen -> may_begin[1] = true /* the late worker */
         :: else
         fi;
         /* The first worker begins with the first job. */
         if
         :: seen > 0 -> may_begin[0] = true
         :: else
         fi;
         if
         :: atomic {
                ends ? job ->
                is_done[job % ROOM] = true;
                do
                :: is_done[oldest % ROOM] -> is_done[oldest % ROOM] = false;
                     assert(taken[oldest % ROOM] == oldest + 1);
                     oldest++
                :: else -> break
                od;
                job = 0;
                seen = 0
            }
         :: empty(ends) ->
#ifndef BUG_sleeps_silently
              wants_jobs = true;
#endif
#ifdef BUG_no_second_look
              bell;
#else
              if
              :: given != seen
              :: given == seen -> bell
              fi;
#endif
              seen = 0
         fi
    od
}

init {
    atomic {
        run worker(0);
        run worker(1);
        run giver();
        run supervisor()
    }
}
