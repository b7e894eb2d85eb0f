# SPDX-License-Identifier: MIT
"""nbody from outside. Usage: nbody_test.py PATH-OF-NBODY [unittest options]"""

import re
import unittest

import cpp_example


class Nbody(cpp_example.Example):
    def test_prints_the_serial_digits_on_any_number_of_workers(self):
        for bodies, steps in ((1, 3), (2, 5), (300, 4), (1000, 1)):
            serial = self.run_it(bodies, steps, "--serial")
            for workers in cpp_example.WORKERS:
                with self.subTest(bodies=bodies, steps=steps, workers=workers):
                    self.assertEqual(self.run_it(bodies, steps, workers=workers), serial)

    def test_moves_and_keeps_its_energy(self):
        at_first, later = (self.run_it(200, steps).split("\n") for steps in (0, 50))
        self.assertNotEqual(at_first[2], later[2])
        before, after = (float(re.match(r"energy (\S+)", line).group(1)) for line in later[:2])
        self.assertLess(before, -0.1)
        self.assertNotEqual(before, after)
        self.assertLess(abs(after / before - 1), 1e-5)

    def test_refuses_what_it_does_not_take(self):
        self.assert_bad_number("nbody: BODIES", 1, 1000000)
        self.assert_bad_number("nbody: STEPS", 0, 1000000, 10)
        usage = "usage: nbody [BODIES] [STEPS] [--serial]"
        self.assert_refused(2, usage, "--fast")
        self.assert_refused(2, usage, 1, 2, 3)


if __name__ == "__main__":
    cpp_example.main()
