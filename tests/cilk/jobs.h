// SPDX-License-Identifier: MIT
// A function that spawns with inlets and aborts, as a translator would write it, and what it is to
// do as data: for inlets_test.cpp and abort_test.cpp.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// One step of a job.
enum job_how {
    job_inlet,  // add(spawn job(child), i): the inlet adds the result to the job's sum
    job_result, // x = spawn job(child); one of this kind at most
    job_call,   // y = job(child), a call of the fast clone; one of this kind at most
    job_enter,  // the sum grows by job(child)'s ordinary entry, called by a plain C function
    job_abort,  // abort;
    job_sync    // sync;
};

struct job {
    long value;  // its result is this, and what its steps have added up
    int endless; // then it spawns leaves for ever: it ends only if it is aborted
    int stops;   // its parent's inlet aborts the parent's children
    int steps;   // how many
    const struct job_step *step;
};

struct job_step {
    enum job_how how;
    const struct job *child;
};

// Where the hook is called.
enum job_point {
    job_at_start, // of the fast clone
    job_at_step,  // before the step `i`, or behind the last (i == steps)
    job_in_inlet, // of the step `i`
    job_behind_inlet,
    job_in_leaf,   // an endless job's; its frame is on the deque
    job_synced,    // behind the last sync
    job_gone,      // the fast clone's frame was taken; it is about to return
    job_cleaned_up // aborted: its block is freed, in the fast clone or the slow one
};

// Called at each point, if set. `synched` is what SYNCHED says, at a step and at both ends of an
// inlet; elsewhere -1.
extern void (*job_hook)(enum job_point point, const struct job *j, int i, int synched);

// How many jobs have a block.
extern int job_blocks;

// The ordinary entry.
long job_run(const struct job *j);

#ifdef __cplusplus
}
#endif
