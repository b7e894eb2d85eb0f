# SPDX-License-Identifier: MIT
"""mandelbrot from outside. Usage: mandelbrot_test.py PATH-OF-MANDELBROT [unittest options]"""

import struct
import unittest
import zlib

import cpp_example


def predictor(kind, left, above, corner):
    """What a PNG's filter of this kind adds to a byte."""
    if kind == 4:  # Paeth
        distance = [abs(left + above - corner - each) for each in (left, above, corner)]
        return (left, above, corner)[distance.index(min(distance))]
    return (0, left, above, (left + above) // 2)[kind]


def pixels(png):
    """Rows of (red, green, blue) of a PNG file with eight bits for each."""
    width, height, *form = struct.unpack(">IIBBBBB", png[16:29])
    if png[:8] != b"\x89PNG\r\n\x1a\n" or form != [8, 2, 0, 0, 0]:
        raise AssertionError(f"another kind of file: {png[:29]}")
    at, packed = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += length + 12
    data, size = zlib.decompress(packed), 3 * width
    before, rows = [0] * size, []
    for row in range(height):
        kind, *line = data[row * (size + 1) : (row + 1) * (size + 1)]
        for i in range(size):
            left, corner = (line[i - 3], before[i - 3]) if i >= 3 else (0, 0)
            line[i] = (line[i] + predictor(kind, left, before[i], corner)) % 256
        rows.append([tuple(line[i : i + 3]) for i in range(0, size, 3)])
        before = line
    return rows


class Mandelbrot(cpp_example.Example):
    def drawn(self, *arguments, **how):
        file = self.folder / "drawn.png"
        file.unlink(missing_ok=True)
        self.run_it(file, *arguments, **how)
        return file.read_bytes()

    def test_is_the_serial_picture_on_any_number_of_workers(self):
        for width in (3, 100, 199):
            serial = self.drawn(width, "--serial")
            for workers in cpp_example.WORKERS:
                with self.subTest(width=width, workers=workers):
                    self.assertEqual(self.drawn(width, workers=workers), serial)

    def test_is_the_mandelbrot_set(self):
        """Pixels have their colour from where they are: a real axis from -2.5 to 1.1."""
        rows = pixels(self.drawn(180))
        self.assertEqual((len(rows), len(rows[0])), (120, 180))

        def at(real, imaginary):
            return rows[round(60 + imaginary * 50)][round((real + 2.5) * 50)]

        for inside in ((0, 0), (-1, 0), (-0.5, 0.3), (0.2, -0.3), (-0.12, 0.75)):
            self.assertEqual(at(*inside), (0, 0, 0), inside)
        for outside in ((0.5, 0), (1, 1), (-2.3, 0), (-0.7, 1), (-1.5, -0.5)):
            self.assertNotEqual(at(*outside), (0, 0, 0), outside)
        for row, mirrored in zip(rows, reversed(rows)):
            self.assertEqual(row, mirrored)

    def test_refuses_what_it_does_not_take(self):
        self.assert_refused(2, "usage: mandelbrot FILE.png [WIDTH] [--serial]")
        self.assert_bad_number("mandelbrot: WIDTH", 3, 20000, "x.png")

    def test_says_which_file_cannot_be_written(self):
        file = self.folder / "no" / "picture.png"
        done = cpp_example.commands.run(self.program, file, 3)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"\nmandelbrot: {file}: ", done.stderr)


if __name__ == "__main__":
    cpp_example.main()
