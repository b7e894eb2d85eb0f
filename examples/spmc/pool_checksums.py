# SPDX-License-Identifier: MIT
"""Checksums of a folder's PCX images, by a decoder that crashes on some.

Usage: pool_checksums.py FOLDER

The decoder trusts what a file says of itself, as many do that are written in C. pcx_images.py makes images
with an edge in the wrong place, for which it writes where it should not, and of a size that nobody has memory for.
"""

import ctypes
import sys
import zlib
from pathlib import Path

import saguaro


def decode(path):
    """The pixels of an image."""
    data = path.read_bytes()
    if data[:4] != bytes([10, 5, 1, 8]):
        raise ValueError("no PCX file")
    left, top, right, bottom = (int.from_bytes(data[i:i + 2], "little") for i in (4, 6, 8, 10))
    size = (right - left + 1) * (bottom - top + 1)
    pixels = ctypes.create_string_buffer(max(size, 1))
    ctypes.memset(pixels, 0, size)  # for a size below 0, all of memory
    at, to = 128, 0
    while to < size and at < len(data):
        count = 1
        if data[at] >= 0xC0:
            count = data[at] & 0x3F
            at += 1
        if at < len(data):
            ctypes.memset(ctypes.addressof(pixels) + to, data[at], min(count, size - to))
        at, to = at + 1, to + count
    return pixels.raw


def checksum(path):
    return zlib.crc32(decode(path))


def main():
    files = sorted(Path(sys.argv[1]).glob("*.pcx"))
    with saguaro.Pool(attempts=2, timeout=10, memory_limit=256 << 20) as pool:
        results = pool.map(checksum, files, return_exceptions=True)
    for file, result in zip(files, results):
        print(f"{file.name}: {result}")
    return any(isinstance(result, Exception) for result in results)


if __name__ == "__main__":
    sys.exit(main())
