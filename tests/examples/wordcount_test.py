# SPDX-License-Identifier: MIT
"""wordcount from outside. Usage: wordcount_test.py PATH-OF-WORDCOUNT [unittest options]"""

import random
import re
import unittest
from collections import Counter

import cpp_example

# As the program cuts texts up.
BLOCK = 1 << 14


def expected(text, shown):
    words = Counter(re.findall("[a-z]+", text.lower()))
    order = sorted(words.items(), key=lambda item: (-item[1], item[0]))[:shown]
    lines = [f"{count:7} {word}" for word, count in order]
    return "\n".join([*lines, f"{len(words):7} different words"]) + "\n"


class Wordcount(cpp_example.Example):
    def check(self, text, shown=20):
        """With any number of workers, and serially, the words are those that Python counts."""
        file = self.folder / "text"
        file.write_text(text, encoding="ascii")
        wanted = expected(text, shown)
        self.assertEqual(self.run_it(file, shown, "--serial"), wanted)
        for workers in cpp_example.WORKERS:
            with self.subTest(workers=workers):
                self.assertEqual(self.run_it(file, shown, workers=workers), wanted)

    def test_many_blocks(self):
        chosen = random.Random(5)
        pool = ["".join(chosen.choices("abcXYZ", k=chosen.randint(1, 7))) for _ in range(400)]
        self.check("".join(chosen.choice(pool) + chosen.choice(" \n,;-42") for _ in range(200000)))

    def test_words_across_blocks(self):
        for around in (-2, -1, 0, 1, 2):
            self.check("x" * (BLOCK + around) + " y " + "z" * 10)
            self.check("." * (BLOCK + around) + "word.word")
        self.check("long" * BLOCK)  # one word, four blocks

    def test_few_words(self):
        for text in ("", " ", "one", "One one, ONE!", "b a"):
            self.check(text)
        self.check("b a a", shown=0)

    def test_refuses_what_it_does_not_take(self):
        self.assert_refused(2, "usage: wordcount FILE [WORDS] [--serial]")
        self.assert_refused(1, "wordcount: /nowhere: No such file or directory", "/nowhere")
        self.assert_refused(1, f"wordcount: {self.folder}: Is a directory", self.folder)
        self.assert_bad_number("wordcount: WORDS", 0, 1000000000, "file")


if __name__ == "__main__":
    cpp_example.main()
