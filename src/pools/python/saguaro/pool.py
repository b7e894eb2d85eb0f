# SPDX-License-Identifier: MIT
"""A pool of worker processes with the methods of multiprocessing.Pool, ordered and supervised."""

import collections
import itertools
import os
import pickle
import signal
import sys
import threading
import weakref

from . import _library
from .results import AsyncResult, MapResult, ResultIterator, TimeoutError, WorkerError
from .worker import CALL, MAP, STARMAP, Known, RemoteTraceback, Worker

__all__ = ["AsyncResult", "Pool", "RemoteTraceback", "TimeoutError", "WorkerError"]

RUN, CLOSED, TERMINATED = range(3)

# Jobs that are sent together at most, because a crash begins all of them again, one by one.
MOST_TOGETHER = 64

# The thread looks again after so long, whatever comes.
LONGEST_WAIT_S = 3600


class _Task:
    """Some jobs of a call that are sent together."""

    def __init__(self, call, index, count, payload, held, parts=None):
        self.call, self.index, self.count, self.payload = call, index, count, payload
        self.held = held        # numbers of what workers must have by their fork
        self.make_parts = parts # the tasks of its jobs, one each, if a worker crashes in it
        self.parts = []
        self.output = []
        self.is_done = False


class _Core:
    """The stream of jobs and the thread that watches over it. A pool that is forgotten ends it."""

    def __init__(self, processes, initializer, initargs, attempts, timeout, memory_limit):
        self.known = Known()
        self.pid = os.getpid()
        self.has_begun = False
        self._attempts = attempts
        worker = Worker(self.known, initializer, initargs)
        self._stream = _library.Stream(processes, attempts, timeout, memory_limit, worker.begin, worker.compute)
        self._lock = threading.RLock()
        self._state = RUN
        self._thread = None
        self._restarts = 0
        self._numbers = itertools.count()
        self._feeds = weakref.WeakSet()     # iterators that have jobs to give
        self._open = {}                    # number of the stream: task
        self._waiting = collections.deque() # tasks that the stream has no room for
        self._order = collections.deque()  # tasks whose output was not written, as they were given

    # ---- By callers ----

    def check(self, call=None):
        if os.getpid() != self.pid:
            raise RuntimeError("this pool belongs to the process that made it: a job that needs one makes its own")
        if self._state != RUN and not (self._state == CLOSED and call in self._feeds):
            raise ValueError("Pool not running")

    def feeds(self, call, more):
        """The call may give jobs after the pool was closed."""
        with self._lock:
            (self._feeds.add if more else self._feeds.discard)(call)
            if self._state != RUN:
                self._wake()

    def submit(self, task):
        with self._lock:
            self.check(task.call)
            self._order.append(task)
            self._give(task)
            if self._thread is None:
                self.has_begun = True
                self._thread = threading.Thread(target=self._run, name="saguaro.Pool", daemon=True)
                self._thread.start()

    def close(self):
        with self._lock:
            if self._state == RUN:
                self._state = CLOSED
            self._wake()

    def terminate(self):
        if os.getpid() != self.pid:
            return # a child's copy
        with self._lock:
            self._state = TERMINATED
            self._wake()
        self._await_end()

    def join(self):
        if self._state == RUN:
            raise ValueError("Pool is still running")
        self._await_end()

    def restarts(self):
        with self._lock:
            return self._restarts if self._stream is None else self._stream.restarts()

    def _wake(self):
        if self._stream is None:
            return
        if self._thread is not None:
            self._stream.wake()
        else:
            self._free()

    def _await_end(self):
        if self._thread not in (None, threading.current_thread()):
            self._thread.join()

    def _free(self):
        stream, self._stream = self._stream, None
        self._restarts = stream.restarts()
        stream.free()

    # Under the lock.
    def _give(self, task):
        if self._waiting or not self._stream.give(task.payload, self._attempts_of(task)):
            self._waiting.append(task)
            return
        task.payload = None
        self._open[next(self._numbers)] = task

    # A crash in several is nobody's yet.
    def _attempts_of(self, task):
        return 1 if task.count > 1 else self._attempts

    # ---- By the thread ----

    def _run(self):
        # The main thread is to have it: another one would not wake it. And a worker that has just begun, which
        # inherits this, does not ignore it yet.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        failure = RuntimeError("the pool was terminated")
        try:
            while not self._is_over():
                ended = self._stream.next(LONGEST_WAIT_S)
                if ended is not None:
                    self._end(*ended)
        except BaseException as thrown:
            failure = thrown
        with self._lock:
            self._state = TERMINATED if self._state == RUN else self._state
            left = list(self._open.values()) + list(self._waiting)
            self._open.clear()
            self._waiting.clear()
            self._free()
        for call in {id(task.call): task.call for task in left}.values():
            call.fail(failure)

    def _is_over(self):
        with self._lock:
            return self._state == TERMINATED or (self._state == CLOSED and not self._open and not self._waiting
                                                  and not self._feeds)

    def _end(self, number, answer, cause):
        output, values, errors = [], None, {}
        if cause is None:
            try:
                output, values, errors = pickle.loads(answer)
            except BaseException as thrown:
                errors = {None: thrown}
            del answer
        with self._lock:
            task = self._open.pop(number)
            while self._waiting and self._stream.give(self._waiting[0].payload, self._attempts_of(self._waiting[0])):
                given = self._waiting.popleft()
                given.payload = None
                self._open[next(self._numbers)] = given
            if cause is not None and task.make_parts is not None:
                return self._split(task)
        if cause is not None:
            values, errors = [None], {0: task.call.error_of(cause, task.index)}
        elif values is None: # one exception for all
            values, errors = [None] * task.count, dict.fromkeys(range(task.count), errors[None])
        for held in task.held:
            self.known.release(held)
        task.output, task.is_done = output, True
        self._write()
        task.call.take(task.index, values, errors or {})

    # Under the lock.
    def _split(self, task):
        task.parts = task.make_parts()
        for held in task.held:
            self.known.release(held)
        for part in task.parts:
            self._give(part)

    def _write(self):
        """What jobs have written, as they were given."""
        while True:
            with self._lock:
                if not self._order:
                    return
                task = self._order[0]
                if task.parts:
                    self._order.popleft()
                    self._order.extendleft(reversed(task.parts))
                    continue
                if not task.is_done:
                    return
                self._order.popleft()
            for number, text in task.output:
                to = sys.stdout if number == 1 else sys.stderr
                try:
                    to.write(text)
                    to.flush()
                except (AttributeError, OSError, ValueError): # there is none, or it is closed
                    pass


class Pool:
    """Runs functions in worker processes, as multiprocessing.Pool does. The page docs/worker-pool.md tells more.

    A worker that crashes, takes longer than `timeout` seconds for a job, or takes more than `memory_limit` bytes
    beside what it has from the caller, is replaced, and its job begins again, `attempts` times at most. Then the
    job's result is a WorkerError. Results come in the order of the jobs, and so does what jobs print.
    """

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, *, timeout=None,
                 memory_limit=None, attempts=3):
        if processes is not None and processes < 1:
            raise ValueError("Number of processes must be at least 1")
        if maxtasksperchild is not None:
            raise ValueError("a worker of saguaro.Pool has no most tasks: give it a memory_limit instead")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        if attempts < 1:
            raise ValueError("a job has at least one attempt")
        if timeout is not None and timeout <= 0:
            raise ValueError("timeout is a number of seconds above 0, or None")
        if memory_limit is not None and memory_limit <= 0:
            raise ValueError("memory_limit is a number of bytes above 0, or None")
        self._processes = processes or len(os.sched_getaffinity(0))
        self._is_alone = timeout is not None or memory_limit is not None or attempts == 1
        self._core = _Core(processes or 0, initializer, tuple(initargs), attempts,
                           max(1, int((timeout or 0) * 1e9)) if timeout else 0, int(memory_limit or 0))
        self._end = weakref.finalize(self, self._core.terminate)

    # ---- Calls ----

    def apply(self, func, args=(), kwds={}):
        return self.apply_async(func, args, kwds).get()

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        result = AsyncResult(self, getattr(func, "__name__", "job"), callback, error_callback)
        self._submitter(func, CALL)(result, 0, [(tuple(args), dict(kwds))])
        return result

    def map(self, func, iterable, chunksize=None, *, return_exceptions=False):
        return self._map(func, MAP, iterable, chunksize, return_exceptions).get()

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None, *,
                  return_exceptions=False):
        return self._map(func, MAP, iterable, chunksize, return_exceptions, callback, error_callback)

    def starmap(self, func, iterable, chunksize=None, *, return_exceptions=False):
        return self._map(func, STARMAP, iterable, chunksize, return_exceptions).get()

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None, *,
                      return_exceptions=False):
        return self._map(func, STARMAP, iterable, chunksize, return_exceptions, callback, error_callback)

    def imap(self, func, iterable, chunksize=1, *, return_exceptions=False):
        """An iterator over the results. Takes at most 1024 chunks from the iterable ahead of them."""
        size = self._chunk_size(chunksize, 0)
        items = iter(iterable)
        chunks = iter(lambda: list(itertools.islice(items, size)), [])
        return ResultIterator(self, chunks, self._submitter(func, MAP), return_exceptions)

    def imap_unordered(self, func, iterable, chunksize=1, *, return_exceptions=False):
        """The same: results have one order here."""
        return self.imap(func, iterable, chunksize, return_exceptions=return_exceptions)

    # ---- End ----

    def close(self):
        self._core.close()

    def terminate(self):
        self._end()

    def join(self):
        self._core.join()

    def __enter__(self):
        self._core.check()
        return self

    def __exit__(self, *_):
        self.terminate()

    def __reduce__(self):
        raise NotImplementedError("pool objects cannot be passed between processes or pickled")

    @property
    def restarts(self):
        """How many workers have replaced others."""
        return self._core.restarts()

    def feeds(self, call, more):
        """By its iterators."""
        self._core.feeds(call, more)

    # ---- How jobs are sent ----

    def _map(self, func, mode, iterable, chunksize, return_exceptions, callback=None, error_callback=None):
        self._core.check()
        items = list(iterable)
        size = self._chunk_size(chunksize, len(items))
        result = MapResult(self, len(items), return_exceptions, callback, error_callback)
        submit = self._submitter(func, mode)
        for index in range(0, len(items), size):
            submit(result, index, items[index:index + size])
        return result

    def _chunk_size(self, asked, count):
        if asked is not None and asked < 1:
            raise ValueError(f"Chunksize must be 1+, not {asked}")
        if self._is_alone:
            return 1
        return asked or min(MOST_TOGETHER, -(-count // (4 * self._processes)) or 1)

    def _submitter(self, func, mode):
        """submit(call, index, items) for a call of that function."""
        core, known = self._core, self._core.known
        core.check()
        if not callable(func):
            raise TypeError(f"{func!r} is not callable")
        pickled = self._pickled(func)

        def task(call, index, items, parts=None):
            held = [] if pickled is not None else [known.hold(func)]
            reference = held[0] if held else pickled
            number = pickled_items = None
            try:
                pickled_items = pickle.dumps(items, pickle.HIGHEST_PROTOCOL)
            except Exception: # workers that begin now have them by their fork
                number = known.hold(items)
                held.append(number)
            payload = pickle.dumps((known.stamp(), reference, mode, pickled_items, number), pickle.HIGHEST_PROTOCOL)
            return _Task(call, index, len(items), payload, held, parts)

        def submit(call, index, items):
            def parts():
                return [task(call, index + i, [item]) for i, item in enumerate(items)]

            core.submit(task(call, index, items, parts if len(items) > 1 else None))

        return submit

    def _pickled(self, func):
        """A function's bytes; None if workers have it by their fork."""
        if not self._core.has_begun or self._core.known.has(func):
            return None
        # A name in __main__ may have had another function when a worker began.
        if getattr(func, "__module__", None) == "__main__":
            return None
        try:
            return pickle.dumps(func, pickle.HIGHEST_PROTOCOL)
        except Exception:
            return None
