#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The palette of all pictures, and the rules that turn a picture on a dark page.

    look_test.py FOLDER    the folder of drawing.py
"""

import re
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))

import drawing  # noqa: E402

PAIRS = {name: (light, drawing.DARK[name]) for name, light in drawing.COLOURS.items()}
# What words stand on, by their colour.
BACKGROUNDS = {
    "ink": ("paper", "panel"),
    "soft": ("paper", "panel"),
    "alarm": ("paper",),
    "on_light": ("faint_green", "faint_orange", "deep_orange", "gold"),
    "on_dark": ("deep_green",),
}
# What stands on the page as a shape.
SHAPES = ("green", "orange", "violet", "blue", "teal", "brown", "rose", "gold", "rest", "wait")


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """As the Web's guidelines on accessible content define it: 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


class Palette(unittest.TestCase):
    def test_each_line_of_the_file_is_a_colour(self):
        lines = [line for line in drawing.PALETTE.read_text().splitlines()
                 if line.startswith("SG_COLOUR")]
        self.assertGreater(len(lines), 20)
        self.assertEqual(len(lines), len(PAIRS))

    def test_no_two_have_one_value(self):
        # The rules of the dark page go by the value.
        self.assertEqual(len({light for light, _ in PAIRS.values()}), len(PAIRS))

    def test_words_can_be_read_on_either_page(self):
        for words, backgrounds in BACKGROUNDS.items():
            for background in backgrounds:
                for page in (0, 1):
                    with self.subTest(words=words, on=background, dark=page):
                        self.assertGreaterEqual(
                            contrast(PAIRS[words][page], PAIRS[background][page]), 4.5)

    def test_shapes_can_be_seen_on_either_page(self):
        for shape in SHAPES:
            for page in (0, 1):
                with self.subTest(shape=shape, dark=page):
                    self.assertGreaterEqual(
                        contrast(PAIRS[shape][page], PAIRS["paper"][page]), 1.5)


class DarkPage(unittest.TestCase):
    def test_a_picture_gets_a_rule_for_each_colour_that_turns(self):
        picture = drawing.for_both_pages('<?xml version="1.0"?>\n<svg width="1">\n<g/></svg>\n')
        self.assertTrue(picture.startswith('<?xml version="1.0"?>\n<svg width="1">\n<style>'))
        self.assertTrue(picture.endswith("\n<g/></svg>\n"))
        for name, (light, dark) in PAIRS.items():
            for what in ("fill", "stroke"):
                rule = (f'[{what}="{light}"],[style*="{what}: {light}"]'
                        f"{{{what}:{dark}!important}}")
                with self.subTest(colour=name, what=what):
                    self.assertEqual(rule in picture, light != dark)

    def test_committed_pictures_turn_and_have_no_other_colours(self):
        folder = drawing.PALETTE.parents[2] / "docs" / "images"
        pictures = sorted(folder.glob("*.svg"))
        self.assertGreater(len(pictures), 2)
        for path in pictures:
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertTrue(re.search("prefers-color-scheme: ?dark", text))
                drawn = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
                colours = set(re.findall(r"#[0-9a-f]{6}\b", drawn))
                if path.name != "two-sockets.svg":  # its scales have colours in between
                    self.assertEqual(colours - set(drawing.COLOURS.values()), set())


if __name__ == "__main__":
    unittest.main()
