# SPDX-License-Identifier: MIT
"""The functions of <saguaro/worker_pool.h> that a pool needs, by ctypes.

ctypes because one wheel then serves all versions of Python: nothing here is compiled against Python.
"""

import ctypes
import errno
import os
import platform
import sys
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

NEEDS_NEW_WORKER = -1  # SG_JOB_NEEDS_NEW_WORKER
FAILED = 1

ComputeFunction = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)
BeginFunction = ctypes.CFUNCTYPE(None, c_void_p)


class Options(ctypes.Structure):
    _fields_ = [("workers", c_uint), ("attempts", c_uint), ("time_limit", c_uint64), ("memory_limit", c_uint64)]


class Interpreter(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("enter", "before_fork", "in_parent", "in_child", "leave")]


class Functions(ctypes.Structure):
    _fields_ = [("compute", ComputeFunction), ("begin", BeginFunction), ("context", c_void_p),
                ("interpreter", ctypes.POINTER(Interpreter))]


class End(ctypes.Structure):
    _fields_ = [("job", c_size_t), ("result", c_void_p), ("size", c_size_t), ("error", c_char_p)]


def load():
    """The library, which stands beside this file."""
    if sys.implementation.name != "cpython" or not sys.platform.startswith("linux"):
        raise ImportError("saguaro.Pool needs CPython on Linux, and this is "
                          f"{platform.python_implementation()} on {sys.platform}")
    folder = os.path.dirname(os.path.abspath(__file__))
    # Without the interpreter's lock: the functions wait, and take it for a fork alone.
    library = ctypes.CDLL(os.path.join(folder, "libsaguaro.so.0"), use_errno=True)
    for name, result, *arguments in (
            ("open", c_void_p, ctypes.POINTER(Options), ctypes.POINTER(Functions)),
            ("give", c_int, c_void_p, c_char_p, c_size_t, c_uint),
            ("next", c_int, c_void_p, c_uint64, ctypes.POINTER(End)),
            ("wake", None, c_void_p),
            ("restarts", c_size_t, c_void_p),
            ("free", None, c_void_p)):
        function = getattr(library, "sg_job_stream_" + name)
        function.restype, function.argtypes = result, arguments
    library.sg_job_result_append.restype = None
    library.sg_job_result_append.argtypes = [c_void_p, c_char_p, c_size_t]
    return library


LIBRARY = load()
INTERPRETER = Interpreter(*(ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p) for name in (
    "PyGILState_Ensure", "PyOS_BeforeFork", "PyOS_AfterFork_Parent", "PyOS_AfterFork_Child", "PyGILState_Release")))


def _bytes_at(address, size):
    """Large ones without a copy: they stay as long as the library says."""
    if size < 65536:
        return ctypes.string_at(address, size)
    return memoryview((ctypes.c_char * size).from_address(address)).cast("B")


class Stream:
    """sg_job_stream: jobs as bytes, computed in workers by compute(bytes), which returns (code, bytes)."""

    def __init__(self, workers, attempts, time_limit, memory_limit, begin, compute):
        def compute_bytes(_context, data, size, result):
            code, answer = compute(_bytes_at(data, size))
            if answer:
                LIBRARY.sg_job_result_append(result, answer, len(answer))
            return code

        # They stay as long as the stream.
        self._functions = Functions(ComputeFunction(compute_bytes), BeginFunction(lambda _context: begin()), None,
                                    ctypes.pointer(INTERPRETER))
        self._end = End()
        options = Options(workers, attempts, time_limit, memory_limit)
        self._stream = LIBRARY.sg_job_stream_open(ctypes.byref(options), ctypes.byref(self._functions))
        if not self._stream:
            raise OSError(ctypes.get_errno(), "a pool: " + os.strerror(ctypes.get_errno()))

    def give(self, data, attempts=0):
        """False if the pool has no room for a job now."""
        refused = LIBRARY.sg_job_stream_give(self._stream, data, len(data), attempts)
        if refused not in (0, errno.EAGAIN):
            raise OSError(refused, "a pool refuses a job: " + os.strerror(refused))
        return refused == 0

    def next(self, seconds):
        """(job, result, error) of a job that has ended; None after so many seconds, or a wake.

        Always from one thread. The result stays until the next call."""
        end = self._end
        refused = LIBRARY.sg_job_stream_next(self._stream, int(seconds * 1e9), ctypes.byref(end))
        if refused in (errno.ETIMEDOUT, errno.EINTR):
            return None
        if refused:
            raise OSError(refused, "a pool: " + os.strerror(refused))
        if end.error is not None:
            return end.job, None, end.error.decode("utf-8", "replace")
        return end.job, _bytes_at(end.result, end.size), None

    def wake(self):
        LIBRARY.sg_job_stream_wake(self._stream)

    def restarts(self):
        return LIBRARY.sg_job_stream_restarts(self._stream)

    def free(self):
        """The caller says that no other thread uses it."""
        stream, self._stream = self._stream, None
        LIBRARY.sg_job_stream_free(stream)
