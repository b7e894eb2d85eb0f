# SPDX-License-Identifier: MIT
"""What the calls of a pool return: a result to wait for, and an iterator over results."""

import builtins
import multiprocessing
import sys
import threading


class WorkerError(RuntimeError):
    """A job has no result: its workers crashed, or exceeded a limit, in each attempt."""


class TimeoutError(multiprocessing.TimeoutError, builtins.TimeoutError):
    """The result was not there in time. The job goes on."""


class AsyncResult:
    """The result of one job."""

    def __init__(self, pool, name, callback=None, error_callback=None):
        self._pool = pool # which lives as long
        self._name = name
        self._callback, self._error_callback = callback, error_callback
        self._event = threading.Event()
        self._value, self._error = None, None

    def ready(self):
        return self._event.is_set()

    def successful(self):
        if not self.ready():
            raise ValueError(f"{self!r} is not ready")
        return self._error is None

    def wait(self, timeout=None):
        self._event.wait(timeout)

    def get(self, timeout=None):
        if not self._event.wait(timeout):
            raise TimeoutError(f"no result after {timeout} s")
        if self._error is not None:
            raise self._error
        return self._value

    # By the pool's thread.

    def error_of(self, cause, _index):
        return WorkerError(f"{self._name}: {cause}")

    def take(self, _index, values, errors):
        """Values and exceptions of jobs from an index on; true when the call is done."""
        self._finish(values[0], errors.get(0))
        return True

    def fail(self, thrown):
        self._finish(None, thrown)

    def _finish(self, value, error):
        if self._event.is_set():
            return
        self._value, self._error = value, error
        self._event.set()
        callback, argument = (self._callback, value) if error is None else (self._error_callback, error)
        if callback is None:
            return
        try:
            callback(argument)
        except BaseException:
            sys.excepthook(*sys.exc_info()) # the other calls' results still come


class MapResult(AsyncResult):
    """The results of many jobs, in a list."""

    def __init__(self, pool, count, return_exceptions, callback=None, error_callback=None):
        super().__init__(pool, "map", callback, error_callback)
        self._values = [None] * count
        self._left = count
        self._return_exceptions = return_exceptions
        self._first_error = None # in the order of the jobs: (index, exception)
        if count == 0:
            self._finish(self._values, None)

    def error_of(self, cause, index):
        return WorkerError(f"job {index}: {cause}")

    def take(self, index, values, errors):
        self._values[index:index + len(values)] = values
        for at, thrown in errors.items():
            if self._return_exceptions:
                self._values[index + at] = thrown
            elif self._first_error is None or index + at < self._first_error[0]:
                self._first_error = index + at, thrown
        self._left -= len(values)
        if self._left == 0:
            self._finish(self._values, self._first_error and self._first_error[1])
        return self._left == 0


class ResultIterator:
    """The results of jobs in their order, as they come. Takes jobs from their iterable some ahead."""

    AHEAD = 1024 # chunks that were taken from the iterable and whose results were not

    def __init__(self, pool, chunks, submit, return_exceptions):
        self._pool = pool
        self._chunks = chunks
        self._submit = submit
        self._return_exceptions = return_exceptions
        self._ready = threading.Condition(threading.Lock())
        self._results = {}   # index: (value, exception)
        self._counts = []    # of the chunks that are ahead, the oldest last
        self._given = 0      # jobs
        self._next = 0
        self._end = None     # what the iterable threw
        self._failure = None # of the pool
        pool.feeds(self, True)
        self._fill()

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self, timeout=None):
        if self._next == self._given:
            raise self._end
        with self._ready:
            if not self._ready.wait_for(lambda: self._next in self._results or self._failure, timeout):
                raise TimeoutError(f"no result after {timeout} s")
            if self._next not in self._results:
                raise self._failure
            value, error = self._results.pop(self._next)
        self._next += 1
        self._counts[-1] -= 1
        if self._counts[-1] == 0:
            self._counts.pop()
            self._fill()
        if error is None or self._return_exceptions:
            return value if error is None else error
        raise error

    def _fill(self):
        """By the consumer, so that its iterable is used by one thread alone."""
        while self._end is None and len(self._counts) < self.AHEAD:
            try:
                chunk = next(self._chunks)
                self._submit(self, self._given, chunk)
            except BaseException as thrown: # StopIteration too
                self._end = thrown
                self._pool.feeds(self, False)
                return
            self._counts.insert(0, len(chunk))
            self._given += len(chunk)

    # By the pool's thread.

    def error_of(self, cause, index):
        return WorkerError(f"job {index}: {cause}")

    def take(self, index, values, errors):
        with self._ready:
            for at, value in enumerate(values):
                self._results[index + at] = value, errors.get(at)
            self._ready.notify_all()
        return False # more may follow

    def fail(self, thrown):
        with self._ready:
            self._failure = thrown
            self._ready.notify_all()
