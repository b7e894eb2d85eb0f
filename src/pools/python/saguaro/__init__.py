# SPDX-License-Identifier: MIT
"""Saguaro in Python: a pool of worker processes that may crash, hang or take all memory."""

from .pool import AsyncResult, Pool, RemoteTraceback, WorkerError

__all__ = ["AsyncResult", "Pool", "RemoteTraceback", "WorkerError"]
