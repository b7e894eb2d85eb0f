# SPDX-License-Identifier: MIT
"""saguaro.Pool: results and output in order, whatever dies.

Usage: python_test.py LIBRARY FOLDER-OF-THE-PACKAGE [unittest options]
"""

import asyncio
import contextlib
import io
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

PACKAGE = tempfile.TemporaryDirectory(prefix="saguaro-python-")
saguaro = None # what is tested


def square(x):
    return x * x


def crash():
    """Without the pages of a core: a segmentation fault like another."""
    os.kill(os.getpid(), signal.SIGSEGV)


def children():
    """Processes of this one that live."""
    with open(f"/proc/self/task/{threading.main_thread().native_id}/children", encoding="ascii") as mine:
        of_main = mine.read()
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as others:
            of_main += " " + others.read()
    return set(map(int, of_main.split()))


def script(text, *, expected=0, interrupt_at=None):
    """Runs a program of its own; what it prints. Sends SIGINT to it and its workers when it prints that line."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", dir=PACKAGE.name) as file:
        file.write("import saguaro\n" + text)
        file.flush()
        process = subprocess.Popen([sys.executable, "-u", file.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env={**os.environ, "PYTHONPATH": PACKAGE.name}, start_new_session=True)
        watch = threading.Timer(100, os.killpg, (process.pid, signal.SIGKILL))
        watch.start()
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.rstrip() == interrupt_at:
                os.killpg(process.pid, signal.SIGINT)
        code = process.wait()
        watch.cancel()
        process.stdout.close()
        assert code == expected, f"{code}: {''.join(lines)}"
        return "".join(lines)


class Calls(unittest.TestCase):
    def test_results_are_in_the_order_of_the_jobs(self):
        for processes in (None, 1, 3):
            with self.subTest(processes=processes), saguaro.Pool(processes) as pool:
                right = [x * x for x in range(1000)]
                self.assertEqual(pool.map(square, range(1000)), right)
                self.assertEqual(pool.map(square, range(100), 7), right[:100])
                self.assertEqual(list(pool.imap(square, range(1000))), right)
                self.assertEqual(list(pool.imap(square, iter(range(100)), chunksize=9)), right[:100])
                self.assertEqual(list(pool.imap_unordered(square, range(100))), right[:100])
                self.assertEqual(pool.starmap(pow, [(x, 2) for x in range(100)]), right[:100])
                self.assertEqual(pool.map_async(square, range(100)).get(), right[:100])
                self.assertEqual(pool.starmap_async(pow, [(2, 5)]).get(), [32])
                self.assertEqual(pool.apply(int, ("12",), {"base": 3}), 5)
                self.assertEqual(pool.apply_async(square, (5,)).get(), 25)
                self.assertEqual(pool.map(square, []), [])
                self.assertEqual(list(pool.imap(square, [])), [])
                self.assertEqual(pool.restarts, 0)

    def test_large_arguments_and_results(self):
        with saguaro.Pool(2) as pool:
            data = [bytes([i]) * 5_000_000 for i in range(6)]
            self.assertEqual(pool.map(lambda each: each + b"x", data), [each + b"x" for each in data])

    def test_functions_need_no_name(self):
        factor = 3
        with saguaro.Pool(2) as pool:
            self.assertEqual(pool.map(lambda x: factor * x, range(5)), [0, 3, 6, 9, 12])
            factor = 5 # a worker that lives has the function of before
            for power in range(4):
                self.assertEqual(pool.map(lambda x: x ** power, range(5)), [x ** power for x in range(5)])

    def test_arguments_that_cannot_be_pickled(self):
        with saguaro.Pool(2) as pool:
            pool.map(square, range(10))
            self.assertEqual(pool.map(lambda f: f(4), [lambda x: x + 1, lambda x: x + 2]), [5, 6])
            self.assertIn(pool.restarts, (1, 2)) # one worker may compute both

    def test_known_functions_are_bounded(self):
        with saguaro.Pool(1) as pool:
            for i in range(200):
                pool.apply(lambda: i)
            self.assertLessEqual(len(pool._core.known._uses), 65)

    def test_an_exception_is_raised_with_the_traceback_there(self):
        with saguaro.Pool(2) as pool:
            with self.assertRaises(ZeroDivisionError) as seen:
                pool.map(lambda x: 1 // (x - 3), range(10))
            self.assertIsInstance(seen.exception.__cause__, saguaro.RemoteTraceback)
            self.assertIn("pool.map(lambda x: 1 // (x - 3)", str(seen.exception.__cause__))
            results = pool.map(lambda x: 1 // (x - 3), range(5), return_exceptions=True)
            self.assertEqual([results[i] for i in (0, 1, 2, 4)], [-1, -1, -1, 1])
            self.assertIsInstance(results[3], ZeroDivisionError)

    def test_the_first_exception_in_the_order_of_jobs_is_raised(self):
        def fail(x):
            time.sleep(0.05 if x == 0 else 0)
            raise ValueError(x)

        with saguaro.Pool(2) as pool, self.assertRaisesRegex(ValueError, "^0$"):
            pool.map(fail, range(6), 1)

    def test_an_iterator_goes_on_after_an_exception(self):
        with saguaro.Pool(2) as pool:
            results = pool.imap(lambda x: 1 // x, [1, 0, 1])
            self.assertEqual(next(results), 1)
            self.assertRaises(ZeroDivisionError, next, results)
            self.assertEqual(next(results), 1)
            self.assertRaises(StopIteration, next, results)
            self.assertRaises(StopIteration, next, results)

    def test_what_cannot_be_sent_back(self):
        class Odd(Exception):
            def __init__(self, a, b):
                super().__init__(a + b)

        def throw():
            raise Odd("x", "y")

        with saguaro.Pool(2) as pool:
            self.assertRaisesRegex(TypeError, "the result <function.* cannot be sent", pool.apply, lambda: lambda: 0)
            self.assertRaisesRegex(TypeError, r"the exception Odd\('xy'\) cannot be sent", pool.apply, throw)
            self.assertEqual(pool.map(lambda x: x if x else threading.Lock(), [1, 2], 2), [1, 2])

    def test_callbacks(self):
        seen = []
        with saguaro.Pool(2) as pool:
            pool.apply_async(square, (3,), callback=seen.append).get()
            pool.map_async(square, [1, 2], callback=seen.append).get()
            pool.apply_async(lambda: 1 / 0, error_callback=lambda thrown: seen.append(type(thrown))).wait()
            pool.close()
            pool.join()
        self.assertEqual(seen, [9, [1, 4], ZeroDivisionError])

    def test_a_result_that_is_not_there_in_time(self):
        with saguaro.Pool(1) as pool:
            slow = pool.apply_async(time.sleep, (60,))
            self.assertRaises(saguaro.pool.TimeoutError, slow.get, 0.01)
            self.assertRaises(TimeoutError, slow.get, 0.01)
            self.assertFalse(slow.ready())
            self.assertRaises(ValueError, slow.successful)
            self.assertRaises(TimeoutError, pool.imap(time.sleep, [60]).next, 0.01)

    def test_a_job_that_takes_long_delays_no_other(self):
        with saguaro.Pool(2) as pool:
            slow = pool.apply_async(time.sleep, (60,))
            self.assertEqual(pool.apply(square, (3,)), 9)
            self.assertFalse(slow.ready())

    def test_an_iterable_without_end(self):
        with saguaro.Pool(2) as pool:
            taken = []
            results = pool.imap(square, (taken.append(x) or x for x in itertools.count()))
            self.assertEqual(list(itertools.islice(results, 3000)), [x * x for x in range(3000)])
            self.assertLess(len(taken), 3000 + 1100)

    def test_an_iterable_that_throws(self):
        def numbers():
            yield 1
            raise KeyError("no more")

        with saguaro.Pool(2) as pool:
            results = pool.imap(square, numbers())
            self.assertEqual(next(results), 1)
            self.assertRaises(KeyError, next, results)

    def test_more_jobs_than_the_stream_has_room_for(self):
        with saguaro.Pool(2) as pool:
            self.assertEqual(pool.map(abs, range(70_000), 1), list(range(70_000)))

    def test_initializer(self):
        def begin(*words):
            global of_worker
            of_worker = words

        with saguaro.Pool(2, begin, ("a", "b")) as pool:
            self.assertEqual(pool.map(lambda _: of_worker, range(3)), [("a", "b")] * 3)
        with saguaro.Pool(2, lambda: 1 / 0) as pool:
            self.assertRaises(ZeroDivisionError, pool.map, square, range(3))

    def test_bad_input(self):
        for words in ({"processes": 0}, {"attempts": 0}, {"timeout": 0}, {"memory_limit": 0}, {"maxtasksperchild": 3}):
            self.assertRaises(ValueError, saguaro.Pool, **words)
        self.assertRaises(TypeError, saguaro.Pool, initializer=3)
        with saguaro.Pool(1) as pool:
            self.assertRaises(TypeError, pool.map, 3, [1])
            self.assertRaises(TypeError, pool.map, square, 1)
            self.assertRaises(ValueError, pool.map, square, [1], 0)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not here")
        with saguaro.Pool(2) as pool:
            results = pool.map(lambda n: numpy.full((300, 300), n), range(4))
            self.assertEqual([int(each.sum()) for each in results], [n * 90_000 for n in range(4)])


class Faults(unittest.TestCase):
    def test_a_job_that_crashes_in_each_attempt(self):
        with saguaro.Pool(2) as pool:
            results = pool.map(lambda x: crash() if x == 5 else x, range(40), return_exceptions=True)
            self.assertIsInstance(results[5], saguaro.WorkerError)
            self.assertEqual(str(results[5]), "job 5: signal 11 (Segmentation fault), in 3 attempts")
            self.assertEqual(results[:5] + results[6:], list(range(5)) + list(range(6, 40)))
            self.assertRaisesRegex(saguaro.WorkerError, "^crash: signal 11", pool.apply, crash)
            self.assertGreater(pool.restarts, 3)

    def test_a_job_that_crashes_once(self):
        with tempfile.TemporaryDirectory() as folder:
            def once(x):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(f"{folder}/{x}")
                    crash()
                return x

            with saguaro.Pool(2, attempts=2) as pool:
                self.assertEqual(pool.map(once, range(6), 1), list(range(6)))

    def test_one_attempt(self):
        with tempfile.TemporaryDirectory() as folder, saguaro.Pool(2, attempts=1) as pool:
            def once(x):
                os.mkdir(f"{folder}/{x}")
                if x % 4 == 1:
                    os._exit(3)
                return x

            results = pool.map(once, range(20), return_exceptions=True)
            self.assertEqual(str(results[5]), "job 5: exit code 3, in 1 attempt")
            self.assertEqual([x for x in results if isinstance(x, int)], [x for x in range(20) if x % 4 != 1])

    def test_exit(self):
        with saguaro.Pool(1, attempts=2) as pool:
            self.assertRaisesRegex(saguaro.WorkerError, "^exit: exit code 7, in 2 attempts$", pool.apply, sys.exit, (7,))

    def test_time_limit(self):
        with saguaro.Pool(2, timeout=3, attempts=1) as pool:
            results = pool.map(lambda x: time.sleep(100) if x == 1 else x, range(4), return_exceptions=True)
            self.assertEqual(str(results[1]), "job 1: ran longer than 3 s, in 1 attempt")
            self.assertEqual(results[::2], [0, 2])

    def test_memory_limit(self):
        def take(x):
            if x == 1:
                data = bytes([1]) * (400 << 20)
                time.sleep(1000)
                return data
            return x

        with saguaro.Pool(2, memory_limit=100 << 20, attempts=1) as pool:
            results = pool.map(take, range(4), return_exceptions=True)
            self.assertEqual(str(results[1]), "job 1: took more than 100 MB of memory, in 1 attempt")
            self.assertEqual(results[2:], [2, 3])

    def test_workers_that_are_killed_again_and_again(self):
        with saguaro.Pool(3, attempts=1000) as pool:
            is_over = threading.Event()

            def kill():
                for i in itertools.count():
                    if is_over.wait(0.01):
                        return
                    living = sorted(children())
                    if living:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(living[i % len(living)], signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                written = io.StringIO()
                with contextlib.redirect_stdout(written):
                    results = pool.map(lambda x: (print("job", x), time.sleep(0.002), x)[2], range(300))
            finally:
                is_over.set()
                killer.join()
            self.assertEqual(results, list(range(300)))
            self.assertEqual(written.getvalue(), "".join(f"job {x}\n" for x in range(300)))
            self.assertGreater(pool.restarts, 0)

    def test_an_initializer_that_always_crashes(self):
        with saguaro.Pool(1, crash) as pool, self.assertRaises(OSError):
            pool.map(square, [1])


class Output(unittest.TestCase):
    def test_output_has_the_order_of_the_jobs(self):
        def write(x):
            time.sleep(0.01 if x % 3 == 0 else 0)
            print("job", x, end=";")
            sys.stderr.write(f"e{x}")
            sys.stdout.buffer.write(b"\xc3\xa9\n")

        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), saguaro.Pool(3) as pool:
            pool.map(write, range(20), 1)
        self.assertEqual(out.getvalue(), "".join(f"job {x};é\n" for x in range(20)))
        self.assertEqual(err.getvalue(), "".join(f"e{x}" for x in range(20)))

    def test_output_of_several_calls(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), saguaro.Pool(2) as pool:
            first = pool.apply_async(lambda: (time.sleep(0.1), print("first")))
            pool.apply(print, ("second",))
            first.get()
        self.assertEqual(out.getvalue(), "first\nsecond\n")

    def test_output_of_an_attempt_that_crashes_is_not_written(self):
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), saguaro.Pool(2) as pool:
            def once(x):
                print("job", x)
                with contextlib.suppress(FileExistsError):
                    os.mkdir(f"{folder}/{x}")
                    crash()

            pool.map(once, range(9), 3)
        self.assertEqual(out.getvalue(), "".join(f"job {x}\n" for x in range(9)))


class Hosts(unittest.TestCase):
    def test_in_a_thread(self):
        results = []

        def run():
            with saguaro.Pool(2) as pool:
                results.extend(pool.map(square, range(20)))

        threads = [threading.Thread(target=run) for _ in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(sorted(results), sorted([x * x for x in range(20)] * 3))

    # The thread that has begun the workers is no longer there.
    def test_a_pool_outlives_the_thread_that_made_it(self):
        pools = []

        def run():
            pools.append(saguaro.Pool(2))
            pools[0].map(square, range(4))

        maker = threading.Thread(target=run)
        maker.start()
        maker.join()
        with pools[0] as pool:
            self.assertEqual(pool.map(square, range(20)), [x * x for x in range(20)])
            self.assertEqual(pool.restarts, 0)

    def test_beside_a_loop_of_events(self):
        async def run():
            with saguaro.Pool(2) as pool:
                here = pool.map(square, range(5))
                loop = asyncio.get_running_loop()
                return here, await loop.run_in_executor(None, pool.map, lambda x: -x, range(5))

        self.assertEqual(asyncio.run(run()), ([0, 1, 4, 9, 16], [0, -1, -2, -3, -4]))

    def test_a_pool_in_a_job(self):
        with saguaro.Pool(2) as pool:
            self.assertRaisesRegex(RuntimeError, "this pool belongs to the process that made it",
                                   pool.apply, lambda: pool.map(square, [1]))

            def nested(x):
                with saguaro.Pool(2) as inner:
                    return inner.map(square, range(x))

            self.assertEqual(pool.map(nested, [2, 3]), [[0, 1], [0, 1, 4]])

    def test_the_end(self):
        pool = saguaro.Pool(2)
        self.assertRaises(ValueError, pool.join)
        late = pool.map_async(square, range(50), 1)
        pool.close()
        self.assertRaises(ValueError, pool.map, square, [1])
        pool.join()
        self.assertEqual(late.get(), [x * x for x in range(50)])
        pool.terminate()

    def test_an_iterator_after_the_close(self):
        pool = saguaro.Pool(2)
        results = pool.imap(square, range(3000))
        pool.close()
        self.assertEqual(list(results), [x * x for x in range(3000)])
        pool.join()

    def test_terminate_ends_what_runs(self):
        before = children()
        pool = saguaro.Pool(2)
        slow = pool.apply_async(time.sleep, (1000,))
        pool.apply(square, (2,))
        pool.terminate()
        pool.join()
        self.assertRaisesRegex(RuntimeError, "the pool was terminated", slow.get)
        self.assertEqual(children() - before, set())

    def test_a_pool_that_is_forgotten(self):
        before = children()
        pool = saguaro.Pool(2)
        pool.map(square, range(4))
        del pool
        self.assertEqual(children() - before, set())

    def test_a_program_that_forgets_its_pool_ends(self):
        self.assertEqual(script("pool = saguaro.Pool(2)\nprint(pool.map(abs, [-1, -2]))\n"), "[1, 2]\n")

    def test_names_that_are_defined_again(self):
        self.assertEqual(script("""
pool = saguaro.Pool(2)
def f(x): return x + 1
print(pool.map(f, range(3)))
def f(x): return x + 2
class Point:
    def __init__(self, x): self.x = x
print(pool.map(f, range(3)), pool.map(lambda p: p.x, [Point(5)]))
"""), "[1, 2, 3]\n[2, 3, 4] [5]\n")

    def test_interrupt(self):
        printed = script("""
import os, time
with saguaro.Pool(2) as pool:
    late = pool.map_async(lambda x: time.sleep(100), range(4))
    pool.apply_async(print, ("never",))
    try:
        print("interrupt me")
        late.get()
    except KeyboardInterrupt:
        print("interrupted")
print("over")
""", interrupt_at="interrupt me")
        self.assertEqual(printed, "interrupt me\ninterrupted\nover\n")


class Example(unittest.TestCase):
    def test_checksums(self):
        root = Path(__file__).resolve().parents[2] / "examples" / "spmc"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, root / "pcx_images.py", folder, "80"], check=True, stdout=subprocess.DEVNULL)
            done = subprocess.run([sys.executable, root / "pool_checksums.py", folder], stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, "PYTHONPATH": PACKAGE.name}, check=False)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 80)
        self.assertEqual(lines[17], "00017.pcx: no PCX file")
        self.assertEqual(lines[77], "00077.pcx: job 77: signal 11 (Segmentation fault), in 2 attempts")
        # A busy machine may look too late at the memory that number 57 takes.
        self.assertIn(len([line for line in lines if line[11:].isdigit()]), (77, 78))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    library, package = map(Path, sys.argv[1:3])
    if sys.version_info < (3, 8) or sys.implementation.name != "cpython":
        print(f"skipped: saguaro.Pool needs CPython 3.8, and this is {sys.version}")
        sys.exit(77)
    place = Path(PACKAGE.name) / "saguaro"
    shutil.copytree(package, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "libsaguaro.so.0").symlink_to(library.resolve())
    sys.path.insert(0, PACKAGE.name)
    import saguaro
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
