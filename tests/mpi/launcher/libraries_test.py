# SPDX-License-Identifier: MIT
"""detmpiexec: which MPI library its ranks load, without the user's doing."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAUNCHER, PROGRAMS = sys.argv[1:3]


def launch(*words, **variables):
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"} | variables
    return subprocess.run(
        [LAUNCHER, *words], capture_output=True, text=True, timeout=300, check=False, env=environment
    )


def program(name):
    return f"{PROGRAMS}/{name}"


class Libraries(unittest.TestCase):
    def knows_the_others(self, *words, **variables):
        done = launch("-n", "3", *words, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(done.stdout.splitlines()), ["0 of 3", "1 of 3", "2 of 3"])

    def names_after_the_end(self, library, *words):
        done = launch("-n", "2", *words)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"has loaded another MPI library, {program(library)}, and", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def refuses(self, name, *causes):
        done = launch("-n", "3", program(name))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        for cause in (f"detmpiexec: {program(name)}: it ", *causes):
            self.assertIn(cause, done.stderr)

    def test_program_of_the_standard_abi_finds_its_library(self):
        self.knows_the_others(program("abi_program"))

    def test_program_that_is_linked_against_mpich_gets_ours(self):
        self.knows_the_others(program("mpich_program"))

    def test_program_that_is_linked_against_open_mpi_gets_ours(self):
        self.knows_the_others(program("open_mpi_program"))

    def test_own_variable_does_not_lead_away(self):
        others = program("others_12")
        self.knows_the_others(program("mpich_program"), LD_LIBRARY_PATH=others)
        self.knows_the_others("-env", "LD_LIBRARY_PATH", others, program("mpich_program"))

    def test_variable_stays_behind_ours(self):
        done = launch("sh", "-c", "echo $LD_LIBRARY_PATH", LD_LIBRARY_PATH="/a:/b")
        first, rest = done.stdout.split(":", 1)
        self.assertTrue(os.path.exists(f"{first}/libmpi.so.12"))
        self.assertEqual(rest, "/a:/b\n")

    def test_another_library_is_named(self):
        self.refuses("open_mpi_forever_program", "another MPI library", "others_40/libmpi.so.40", "detmpicc")

    def test_another_library_of_the_same_name_is_named(self):
        self.refuses("mpich_forever_program", "another MPI library", "others_12/libmpi.so.12")

    def test_another_library_is_found_through_others(self):
        self.refuses("solver_program", "others_40/libmpi.so.40")

    def test_library_that_is_nowhere_is_named(self):
        self.refuses("lost_program", "needs the MPI library libmpi.so.99", "nor found")

    def test_another_library_is_named_behind_a_script(self):
        done = launch("-n", "2", "sh", "-c", f"exec {program('open_mpi_forever_program')}",
                      STAY="20")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has loaded another MPI library", done.stderr)
        self.assertIn("others_40/libmpi.so.40", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_another_library_may_be_open_beside_ours(self):
        other = program("others_40/libmpi.so.40")
        self.knows_the_others(program("opening_program"), other, "libmpi.so.12")

    def test_another_library_is_named_that_a_program_opens_alone(self):
        other = program("others_40/libmpi.so.40")
        done = launch("-n", "2", program("opening_program"), other)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"has loaded another MPI library, {other}", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_another_library_is_named_after_a_short_run(self):
        open_mpi = program("open_mpi_forever_program")
        for words in (
            ["sh", "-c", f"exec {open_mpi}"],
            ["sh", "-c", f"{open_mpi}; true"],
            ["bash", "-c", f"exec env {open_mpi}"],
            ["env", "-u", "NONE", open_mpi],
            [sys.executable, "-c", f"import os; os.execv('{open_mpi}', ['a'])"],
            [sys.executable, "-c", f"import subprocess; subprocess.run(['{open_mpi}'])"],
        ):
            with self.subTest(words=words):
                self.names_after_the_end("others_40/libmpi.so.40", *words)

    def test_another_library_is_named_however_the_program_ends(self):
        other = "others_40/libmpi.so.40"
        for end in ("pass", "os._exit(0)", "ctypes.CDLL(None).quick_exit(0)",
                    "os.execv('/bin/true', ['true'])", "os.fork()"):
            with self.subTest(end=end):
                script = f"import ctypes, os; ctypes.CDLL('{program(other)}'); {end}"
                self.names_after_the_end(other, sys.executable, "-c", script)

    def test_another_library_is_named_that_only_one_rank_loads(self):
        done = launch("-n", "2", "true", ":", "sh", "-c", program("open_mpi_forever_program"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("rank 2 has loaded another MPI library", done.stderr)

    def test_library_inside_a_program_is_named(self):
        for name in ("inside_program", "static_program", "stripped_program"):
            self.refuses(name, "another MPI library inside", "detmpicc")
            for words in (
                ["sh", "-c", f"exec {program(name)}"],
                ["env", program(name)],
                ["sh", "-c", f"cd {PROGRAMS}; PATH=.:$PATH; env {name}; true"],
                [sys.executable, "-c", f"import subprocess; subprocess.run('{program(name)}')"],
            ):
                with self.subTest(name=name, words=words):
                    done = launch("-n", "2", *words)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(f"{name}, and does not know", done.stderr)
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_extension_of_python_gets_ours_past_its_own_path_and_names(self):
        for name in ("bundled", "forever", "open_mpi_forever"):
            with self.subTest(name=name):
                file = program(f"lib{name}_extension.so")
                script = f"import ctypes; ctypes.CDLL('{file}').count_ranks()"
                self.knows_the_others(sys.executable, "-c", script)

    def test_extensions_of_two_interfaces_both_get_ours(self):
        files = [program(f"lib{name}_extension.so") for name in ("forever", "open_mpi_forever")]
        done = launch(sys.executable, "-c", f"import ctypes; [ctypes.CDLL(each) for each in {files}]")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_ours_is_looked_for_again_if_it_could_not_be_loaded(self):
        own = launch("sh", "-c", "echo $LD_LIBRARY_PATH").stdout.split(":")[0].strip()
        with tempfile.TemporaryDirectory() as folder:
            hook = shutil.copy(f"{own}/libsaguaro_rank.so", folder)
            bundled, forever = (program(f"lib{kind}_extension.so") for kind in ("bundled", "forever"))
            script = (f"import ctypes, shutil; ctypes.CDLL('{bundled}'); "
                      f"shutil.copy('{program('others_12/libmpi.so.12')}', '{folder}'); "
                      f"ctypes.CDLL('{forever}'); "
                      f"print('{folder}/libmpi.so.12' in open('/proc/self/maps').read())")
            variables = {"LD_PRELOAD": hook, "SAGUARO_MPI_RANK": "0,0,0", "SAGUARO_MPI_NOTES": "/nowhere"}
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                  timeout=300, check=False, env=os.environ | variables)
            self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_library_inside_an_extension_is_named(self):
        file = "libinside_extension.so"
        script = f"import ctypes; ctypes.CDLL('{program(file)}').count_ranks()"
        self.names_after_the_end(file, sys.executable, "-c", script)

    def test_library_that_is_only_read_is_no_fault(self):
        library = program("others_40/libmpi.so.40")
        script = (f"import mmap, os; file = open('{library}'); "
                  "seen = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ); os._exit(0)")
        done = launch("-n", "2", sys.executable, "-c", script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_library_is_named_if_the_program_ends_by_a_system_call(self):
        script = f"exec {program('abrupt_program')}"
        self.names_after_the_end("others_40/libmpi.so.40", "sh", "-c", script)

    def test_static_program_is_named_however_it_is_executed(self):
        for way in ("execl", "execlp", "execle"):
            with self.subTest(way=way):
                words = program("starting_program"), way, program("static_program")
                self.names_after_the_end("static_program", *words)

    def test_ranks_know_each_other_in_a_clean_environment(self):
        ours = program("mpich_program")
        script = f"import os; os.posix_spawn('{ours}', ['a'], {{}}); os.wait()"
        for words in (["env", "-i", ours], ["sh", "-c", f"env -i {ours}; true"],
                      [sys.executable, "-c", f"import os; os.execve('{ours}', ['a'], {{}})"],
                      [sys.executable, "-c", script]):
            with self.subTest(words=words):
                self.knows_the_others(*words)

    def test_ranks_know_each_other_if_a_program_writes_over_its_first_environment(self):
        self.knows_the_others(program("hooked_program"), "title", program("mpich_program"))

    def test_another_library_is_named_in_another_environment(self):
        other = program("open_mpi_forever_program")
        for words in (["env", "-i"], ["env", "LD_PRELOAD=libdl.so.2"], ["env", "-u", "LD_PRELOAD"],
                      ["env", "-i", "sh", "-c", 'exec "$0"']):
            with self.subTest(words=words):
                self.names_after_the_end("others_40/libmpi.so.40", *words, other)

    def ends_as_alone(self, way, code):
        words = [program("hooked_program"), way]
        alone = subprocess.run(words, timeout=300, check=False)
        self.assertEqual(alone.returncode, code)
        done = launch(*words)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (code, "", ""))

    def test_constructor_of_a_library_may_load_and_start_others(self):
        for way in ("dlopen", "execve", "execvpe", "posix_spawn", "posix_spawnp"):
            with self.subTest(way=way):
                self.ends_as_alone(way, 0)

    def test_process_may_end_on_a_small_stack(self):
        for way in ("_exit", "execve", "execvpe"):
            with self.subTest(way=way):
                self.ends_as_alone(f"{way} on a small stack", 0)

    def test_thread_is_not_cancelled_where_it_ends_the_process_or_starts_others(self):
        for way in ("_exit", "execve", "posix_spawn", "dlopen"):
            with self.subTest(way=way):
                self.ends_as_alone(f"{way} in a cancelled thread", 0)

    def test_process_that_may_not_open_files_ends_well(self):
        for call in ("prctl", "seccomp"):
            for end in ("_exit", "return"):
                with self.subTest(call=call, end=end):
                    self.ends_as_alone(f"{end} under a filter by {call}", 0)

    def test_library_is_found_by_the_path_of_who_opens_it(self):
        words = program("starting_program"), "dlopen", "libmpi.so.99"
        self.names_after_the_end("others_99/libmpi.so.99", *words)

    def test_launcher_may_stand_in_a_folder_with_a_space(self):
        own = launch("sh", "-c", "echo $LD_LIBRARY_PATH").stdout.split(":")[0].strip()
        programs = os.path.dirname(os.path.realpath(LAUNCHER))
        with tempfile.TemporaryDirectory() as folder:
            moved = f"{folder}/a place/{os.path.basename(programs)}"
            os.makedirs(moved)
            launcher = shutil.copy(LAUNCHER, moved)
            shutil.copytree(own, os.path.normpath(f"{moved}/{os.path.relpath(own, programs)}"))
            for library, words in (("bundled", []), ("inside", ["libinside_extension.so"])):
                extension = program(f"lib{library}_extension.so")
                script = f"import ctypes; ctypes.CDLL('{extension}').count_ranks()"
                done = subprocess.run([launcher, "-n", "2", sys.executable, "-c", script],
                                      capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual(done.returncode, len(words), done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_another_library_is_no_fault_of_a_rank_that_is_one(self):
        script = f"{program('open_mpi_forever_program')} > /dev/null; exec {program('abi_program')}"
        self.knows_the_others("sh", "-c", script)

    def test_job_of_another_launcher_inside_a_rank_is_its_own(self):
        for variable in ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"):
            done = launch("sh", "-c", f"{variable}=0 {program('open_mpi_forever_program')}")
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "0 of 1\n"))

    def test_process_that_cannot_tell_the_launcher_fails_itself(self):
        library = program("others_40/libmpi.so.40")
        with tempfile.NamedTemporaryFile() as other_file:
            for place in ("/nowhere", "/dev/null", other_file.name):
                script = f"SAGUARO_MPI_NOTES={place} {program('open_mpi_forever_program')}"
                done = launch("sh", "-c", script)
                self.assertEqual(done.returncode, 1)
                self.assertIn(
                    f"saguaro: mpi: the program has loaded {library}, another MPI library\n",
                    done.stderr,
                )
            self.assertEqual(other_file.read(), b"")

    def test_programs_without_mpi_end_well(self):
        done = launch("-n", "2", "sh", "-c", f"{sys.executable} -c 'import ctypes'; env true")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""))

    def test_mpi4py_is_told_of_ours_unless_it_is_told_already(self):
        done = launch("sh", "-c", "echo $MPI4PY_LIBMPI")
        self.assertTrue(done.stdout.endswith("/mpi/libmpi.so.12\n"), done.stdout)
        self.assertTrue(os.path.exists(done.stdout.strip()))
        done = launch("-env", "MPI4PY_LIBMPI", "/a", "sh", "-c", "echo $MPI4PY_LIBMPI")
        self.assertEqual(done.stdout, "/a\n")

    def test_manual_names_the_folder_of_ours(self):
        manual = Path(__file__).parents[3] / "docs" / "detmpi.md"
        named = re.search(r"folder of Saguaro's library, `build/release/([\w/]+)`", manual.read_text())
        own = launch("sh", "-c", "echo $LD_LIBRARY_PATH").stdout.split(":")[0].strip()
        self.assertTrue(named is not None and own.endswith("/" + named[1]), own)

    def test_variables_keep_what_the_user_has_said(self):
        done = launch("sh", "-c", "echo $ASAN_OPTIONS; echo $LD_PRELOAD", ASAN_OPTIONS="a=1",
                      LD_PRELOAD="libdl.so.2")
        options, preloaded = done.stdout.splitlines()
        self.assertEqual(options, "a=1:verify_asan_link_order=0")
        self.assertRegex(preloaded, "^libdl.so.2:/.*/libsaguaro_rank.so$")

    def test_nothing_begins_if_one_of_several_programs_is_wrong(self):
        done = launch("echo", "begun", ":", program("open_mpi_forever_program"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
