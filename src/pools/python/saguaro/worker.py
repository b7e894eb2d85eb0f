# SPDX-License-Identifier: MIT
"""What a worker of a pool does: it finds a job's function and arguments, calls it, and sends what came of it."""

import io
import os
import pickle
import signal
import sys
import threading
import traceback

from . import _library

MAP, STARMAP, CALL = range(3)


class RemoteTraceback(Exception):
    """The cause of an exception that comes from a worker: its text is the traceback there."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text

    def __str__(self):
        return self.text


def _with_traceback(thrown, text):
    thrown.__cause__ = RemoteTraceback(text)
    return thrown


class _Thrown:
    """An exception that is pickled with its traceback's text."""

    def __init__(self, thrown):
        lines = traceback.format_exception(type(thrown), thrown, thrown.__traceback__)
        self.parts = thrown, f'\n"""\n{"".join(lines)}"""'

    def __reduce__(self):
        return _with_traceback, self.parts


class Known:
    """Objects that a worker has by its fork, by numbers: the caller's functions, and what cannot be pickled."""

    MOST_UNUSED = 64

    def __init__(self):
        self._lock = threading.Lock() # the caller's threads; a worker only looks
        self._objects = {}            # number: object
        self._numbers = {}            # id of the object: number
        self._uses = {}               # number: tasks that use it
        self._next = 0
        self.given = 0                # tasks: in a worker, before it began

    def has(self, thing):
        with self._lock:
            return id(thing) in self._numbers

    def stamp(self):
        """Of a task: a worker that begins from now on has what the task needs."""
        with self._lock:
            self.given += 1
            return self.given

    def __getitem__(self, number):
        return self._objects[number]

    def hold(self, thing):
        with self._lock:
            number = self._numbers.get(id(thing))
            if number is None:
                number = self._next
                self._next += 1
                self._objects[number] = thing
                self._numbers[id(thing)] = number
                self._uses[number] = 0
            self._uses[number] += 1
            return number

    def release(self, number):
        """The object stays known for a while: the next call may have the same function."""
        with self._lock:
            self._uses[number] -= 1
            if len(self._uses) <= self.MOST_UNUSED:
                return
            for each in [each for each, uses in self._uses.items() if uses == 0][:-self.MOST_UNUSED]:
                del self._numbers[id(self._objects.pop(each))], self._uses[each]


class _Captured(io.RawIOBase):
    """The bytes that a job writes to one of its streams."""

    def __init__(self, number, pieces):
        super().__init__()
        self.number, self.pieces = number, pieces

    def writable(self):
        return True

    def fileno(self):
        return self.number

    def write(self, data):
        data = bytes(data)
        if self.pieces and self.pieces[-1][0] == self.number:
            self.pieces[-1][1].append(data)
        else:
            self.pieces.append((self.number, [data]))
        return len(data)


def _text_stream(number, pieces):
    return io.TextIOWrapper(_Captured(number, pieces), encoding="utf-8", errors="backslashreplace",
                            newline="\n", write_through=True)


class Worker:
    """Made by the caller; what it does, it does in each worker's copy."""

    def __init__(self, known, initializer, initargs):
        self._known = known
        self._initializer, self._initargs = initializer, initargs
        self._failure = None   # what the initializer threw
        self._pieces = []      # written by the job that runs
        self._function = b"", None

    def begin(self):
        """In the worker, before its first job."""
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN) # the caller ends its workers
            signal.set_wakeup_fd(-1)                     # it is an event loop's of the caller
        except ValueError:
            pass
        old = {id(stream): number for number, stream in ((1, sys.stdout), (2, sys.stderr)) if stream is not None}
        new = {number: _text_stream(number, self._pieces) for number in (1, 2)}
        sys.stdin = open(os.devnull, encoding="utf-8")
        sys.stdout, sys.stderr = new[1], new[2]
        if "logging" in sys.modules:
            for handler in sys.modules["logging"].getLogger().handlers:
                number = old.get(id(getattr(handler, "stream", None)))
                if number is not None:
                    handler.stream = new[number]
        if self._initializer is None:
            return
        try:
            self._initializer(*self._initargs)
        except SystemExit as left:
            self._leave(left)
        except BaseException as thrown:
            self._failure = thrown

    def compute(self, data):
        """A job's bytes to a code for the library, and the bytes of the answer."""
        try:
            return self._compute(data)
        except SystemExit as left:
            self._leave(left)
        except BaseException as thrown: # an answer that cannot be sent
            return 0, self._answer(None, {None: thrown})

    def _compute(self, data):
        given, function, mode, items, number = pickle.loads(data)
        try:
            function, items = self._load(function, items, number)
        except Exception as thrown:
            # What the caller has defined since is in a worker that begins now.
            if given > self._known.given:
                return _library.NEEDS_NEW_WORKER, None
            return 0, self._answer(None, {None: thrown})
        if self._failure is not None:
            return 0, self._answer(None, {None: self._failure})
        values, errors = [], {}
        for index, item in enumerate(items):
            try:
                if mode == MAP:
                    values.append(function(item))
                elif mode == STARMAP:
                    values.append(function(*item))
                else:
                    values.append(function(*item[0], **item[1]))
            except SystemExit:
                raise
            except BaseException as thrown:
                values.append(None)
                errors[index] = thrown
        return 0, self._answer(values, errors)

    def _load(self, function, items, number):
        if isinstance(function, int):
            function = self._known[function]
        elif function == self._function[0]:
            function = self._function[1]
        else:
            self._function = function, pickle.loads(function)
            function = self._function[1]
        return function, self._known[number] if items is None else pickle.loads(items)

    def _answer(self, values, errors):
        sys.stdout.flush()
        sys.stderr.flush()
        output = [(number, b"".join(parts).decode("utf-8", "backslashreplace")) for number, parts in self._pieces]
        self._pieces.clear()
        try:
            if not errors:
                return pickle.dumps((output, values, None), pickle.HIGHEST_PROTOCOL)
        except Exception:
            pass # it is looked for below
        if values is not None:
            for index, value in enumerate(values):
                try:
                    pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
                except Exception as thrown:
                    values[index] = None
                    errors[index] = _not_sendable(f"the result {value!r:.200}", thrown)
        return pickle.dumps((output, values, {index: _sendable(thrown) for index, thrown in errors.items()}),
                            pickle.HIGHEST_PROTOCOL)

    @staticmethod
    def _leave(left):
        """As Python does at a sys.exit; the caller runs the job again."""
        code = 0 if left.code is None else left.code
        if not isinstance(code, int):
            os.write(2, f"{code}\n".encode("utf-8", "backslashreplace"))
            code = 1
        os._exit(code & 255)


def _not_sendable(what, thrown):
    return TypeError(f"{what} cannot be sent to the caller: {type(thrown).__name__}: {thrown}")


def _sendable(thrown):
    """Some exceptions can be pickled, but not made again."""
    sent = _Thrown(thrown)
    try:
        pickle.loads(pickle.dumps(sent, pickle.HIGHEST_PROTOCOL))
    except Exception as refused:
        return _Thrown(_not_sendable(f"the exception {thrown!r:.200}", refused).with_traceback(thrown.__traceback__))
    return sent
