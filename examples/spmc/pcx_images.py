# SPDX-License-Identifier: MIT
"""Makes a folder of PCX images, some of which are bad, for checksums.

Usage: pcx_images.py FOLDER COUNT [KIND...]

In each hundred images, one is bad in each of these ways: noise (no PCX file), short (its end is
missing), huge (it claims 20,000 x 20,000 pixels), negative (its right edge is left of its left one).
With KINDs only in these ways.
"""

import random
import sys
from pathlib import Path

KINDS = {"noise": 17, "short": 37, "huge": 57, "negative": 77}


def header(left, right, bottom):
    def two(number):
        return number.to_bytes(2, "little")

    return (bytes([10, 5, 1, 8]) + two(left) + two(0) + two(right) + two(bottom)).ljust(128, b"\0")


def image(number, kinds):
    chosen = random.Random(number)
    width, height = chosen.randint(100, 300), chosen.randint(100, 300)
    runs = bytearray()
    left = width * height
    while left > 0:
        run = chosen.randint(1, 63)
        runs += bytes([0xC0 + run, chosen.randint(0, 255)])
        left -= run
    bad = next((kind for kind in kinds if number % 100 == KINDS[kind]), None)
    if bad == "noise":
        return chosen.randbytes(500).replace(b"\n", b"-")
    if bad == "short":
        return header(0, width - 1, height - 1) + runs[: len(runs) // 2]
    if bad == "huge":
        return header(0, 19999, 19999) + runs
    if bad == "negative":
        return header(width, 0, height - 1) + runs
    return header(0, width - 1, height - 1) + runs


def main(folder, count, *kinds):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number in range(int(count)):
        (Path(folder) / f"{number:05}.pcx").write_bytes(image(number, kinds or tuple(KINDS)))


if __name__ == "__main__":
    main(*sys.argv[1:])
