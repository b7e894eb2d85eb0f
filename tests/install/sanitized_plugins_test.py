# SPDX-License-Identifier: MIT
"""A program with a sanitizer loads and unloads a plug-in with it, which contains the ordinary library.

Usage: sanitized_plugins_test.py HOST PLUGIN HOST PLUGIN: with AddressSanitizer, with ThreadSanitizer.
"""

import os
import subprocess
import sys

environment = {**os.environ, "ASAN_OPTIONS": "", "TSAN_OPTIONS": "atexit_sleep_ms=0"}
for host, plugin in (sys.argv[1:3], sys.argv[3:5]):
    for workers in "1", "2", "4":
        done = subprocess.run([host, plugin], capture_output=True, text=True, timeout=300,
                              env={**environment, "SAGUARO_WORKERS": workers})
        if "unexpected memory mapping" in done.stderr:
            continue  # gcc 12's ThreadSanitizer, where the kernel randomizes addresses by 32 bits
        if done.returncode != 0 or done.stdout + done.stderr != "":
            sys.exit(f"{host} with {workers} workers: {done.returncode}\n{done.stdout}{done.stderr}")
