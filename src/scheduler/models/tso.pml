/* SPDX-License-Identifier: MIT */
/*
 * Memory as an x86-64 processor shows it (x86-TSO: Owens, Sarkar, Sewell 2009): stores wait in a
 * buffer, first in, first out; loads of the same processor see them, others do not. So a load may
 * pass an older store to another cell, and nothing else is out of order.
 *
 * The model that includes this defines CPUS, CELLS and BUFFERED (stores that a buffer holds; a
 * further one waits), and calls start_memory in its init.
 */

chan buffer[CPUS] = [BUFFERED] of { byte, byte };
byte memory[CELLS];

/* What is in the buffers, by cell: for loads of the processor itself. */
typedef forwarded {
    byte pending[CELLS];
    byte latest[CELLS]
}
forwarded own[CPUS];

inline store(cpu, cell, value) {
    atomic {
        buffer[cpu]!cell,value;
        own[cpu].pending[cell]++;
        own[cpu].latest[cell] = value
    }
}

#define load(cpu, cell) \
    (own[cpu].pending[cell] > 0 -> own[cpu].latest[cell] : memory[cell])

/* A full fence of one processor; membarrier is one of every processor. "There is a moment at which
 * the buffer is empty" is the same as emptying it, because `drain` may do that at any time. */
inline fence(cpu) {
    empty(buffer[cpu])
}

/* spin_lock: an exchange, which is a fence as well, and a plain store. */
inline acquire(cpu, cell) {
    atomic { empty(buffer[cpu]) && memory[cell] == 0 -> memory[cell] = 1 }
}

inline release(cpu, cell) {
    store(cpu, cell, 0)
}

proctype drain(byte cpu) {
    byte cell, value;
end:
    do
    :: atomic {
           buffer[cpu]?cell,value ->
           memory[cell] = value;
           own[cpu].pending[cell]--;
           if
           :: own[cpu].pending[cell] == 0 -> own[cpu].latest[cell] = 0
           :: else
           fi;
           cell = 0;
           value = 0
       }
    od
}

/* Inside an atomic block of init. */
inline start_memory() {
    byte cpu_;
    for (cpu_ : 0 .. CPUS - 1) {
        run drain(cpu_)
    }
}
