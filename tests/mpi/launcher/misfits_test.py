# SPDX-License-Identifier: MIT
"""Collectives that do not fit together: the one line about them, which is the same in each run."""

import re
import subprocess
import sys
import unittest

LAUNCHER, PROGRAM = sys.argv[1:3]
RUNS = 3


def launch(ranks, *words, options=()):
    return subprocess.run(
        [LAUNCHER, *options, "-n", str(ranks), PROGRAM, *words], capture_output=True, text=True,
        timeout=300, check=False)


class Misfits(unittest.TestCase):
    def says(self, line, ranks, *words, options=()):
        """The ranks' only line, without where the call stands in the program, in each of some runs."""
        for _ in range(RUNS):
            done = launch(ranks, *words, options=options)
            self.assertNotEqual(done.returncode, 0, done.stderr)
            said = [each for each in done.stderr.splitlines() if each.startswith("saguaro:")]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertRegex(said[0], r"; in MPI_\w+ at misfit_program\+0x[0-9a-f]+")
            self.assertEqual(re.sub(r" at misfit_program\+.*", "", said[0]), "saguaro: mpi: " + line)

    def checks(self, line, ranks, *words):
        self.says(line, ranks, *words, options=["-check"])
        return self

    # ---- Of another kind ----

    def test_kind(self):
        self.says("rank 1: MPI_Barrier on MPI_COMM_WORLD does not fit MPI_Bcast, which rank 0 has "
                  "called; in MPI_Barrier", 2, "world", "bcast", "barrier")
        self.says("rank 1: MPI_Barrier on MPI_COMM_WORLD does not fit MPI_Bcast, which rank 0 has "
                  "called; in MPI_Barrier", 5, "world", "bcast", "barrier")
        self.says("rank 0: MPI_Allreduce on MPI_COMM_WORLD does not fit MPI_Reduce, which rank 1 has "
                  "called; in MPI_Allreduce", 2, "world", "allreduce", "reduce")
        self.says("rank 0: MPI_Allgather on grid does not fit MPI_Alltoall, which rank 1 has called; "
                  "in MPI_Allgather", 2, "named", "allgather", "alltoall")

    def test_kind_among_many(self):
        self.says("rank 2: MPI_Barrier on a communicator of 20 ranks does not fit MPI_Bcast, which "
                  "rank 1 has called; in MPI_Barrier",
                  20, "dup", "barrier", "bcast,1,int,1", "barrier")

    def test_kind_of_the_librarys_own_steps(self):
        self.says("rank 0: MPI_Comm_dup on MPI_COMM_WORLD does not fit MPI_Barrier, which rank 1 has "
                  "called; in MPI_Comm_dup", 2, "world", "dup", "barrier")

    def test_kind_that_does_not_block(self):
        self.says("rank 1: MPI_Ibarrier on MPI_COMM_WORLD does not fit MPI_Ibcast, which rank 0 has "
                  "called; in MPI_Wait", 3, "world", "ibcast", "ibarrier")

    def test_kind_of_an_intercommunicator(self):
        self.says("rank 0: MPI_Barrier on a communicator of 2 ranks does not fit MPI_Allreduce, "
                  "which rank 1 has called; in MPI_Barrier", 4, "inter", "barrier", "allreduce",
                  "barrier")

    # ---- Of another length ----

    def test_length(self):
        belong = "belong here: the counts or types of the ranks do not agree; in "
        self.says("rank 1: MPI_Bcast on MPI_COMM_WORLD: rank 0 has given more than 4 bytes, and 4 " +
                  belong + "MPI_Bcast", 3, "world", "bcast,2", "bcast,1")
        self.says("rank 1: MPI_Bcast on MPI_COMM_WORLD: rank 0 has given 4 bytes, and 8 " + belong +
                  "MPI_Bcast", 3, "world", "bcast,1", "bcast,2")
        self.says("rank 0: MPI_Gather on MPI_COMM_WORLD: rank 1 has given 4 bytes, and 8 " + belong +
                  "MPI_Gather", 2, "world", "gather,2", "gather,1")
        self.says("rank 0: MPI_Iallgather on MPI_COMM_WORLD: rank 1 has given 4 bytes, and 8 " +
                  belong + "MPI_Wait", 2, "world", "iallgather,2", "iallgather,1")

    def test_length_among_many(self):
        self.says("rank 0: MPI_Allreduce on MPI_COMM_WORLD: rank 3 has given more than 8 bytes, and "
                  "8 belong here: the counts or types of the ranks do not agree; in MPI_Allreduce",
                  18, "world", "allreduce,2", "allreduce,2", "allreduce,2", "allreduce,4",
                  "allreduce,2")

    # ---- Roots, operators and types ----

    def test_root_is_seen_by_a_later_call(self):
        self.says("rank 1: MPI_Bcast on MPI_COMM_WORLD does not fit rank 0's, which is an earlier "
                  "one: roots, or the order of calls, do not agree; in MPI_Bcast", 2, "world",
                  "bcasts,1,int,0", "bcasts,1,int,1")

    def test_root(self):
        self.checks("rank 0: MPI_Bcast(1 of MPI_INT, root 0) of rank 0 on MPI_COMM_WORLD does not fit "
                    "MPI_Bcast(1 of MPI_INT, root 1) of rank 1; in MPI_Bcast", 3, "world",
                    "bcast,1,int,0", "bcast,1,int,1", "bcast,1,int,0")
        self.checks("rank 0: MPI_Reduce(1 of MPI_INT, MPI_SUM, root 0) of rank 0 on MPI_COMM_WORLD "
                    "does not fit MPI_Reduce(1 of MPI_INT, MPI_SUM, root 1) of rank 1; in MPI_Reduce",
                    2, "world", "reduce_to,1,int,0", "reduce_to,1,int,1")
        self.checks("rank 0: MPI_Ibcast(1 of MPI_INT, root 0) of rank 0 on MPI_COMM_WORLD does not fit "
                    "MPI_Ibcast(1 of MPI_INT, root 1) of rank 1; in MPI_Ibcast", 2, "world",
                    "ibcast,1,int,0", "ibcast,1,int,1")

    def test_operator(self):
        self.checks("rank 0: MPI_Allreduce(1 of MPI_DOUBLE, MPI_PROD) of rank 0 on MPI_COMM_WORLD "
                    "does not fit MPI_Allreduce(1 of MPI_DOUBLE, MPI_SUM) of rank 1; in "
                    "MPI_Allreduce", 2, "world", "allreduce,1,double,prod",
                    "allreduce,1,double,sum")
        self.checks("rank 0: MPI_Iallreduce(1 of MPI_INT, MPI_SUM) of rank 0 on a communicator of 20 "
                    "ranks does not fit MPI_Iallreduce(1 of MPI_INT, MPI_MAX) of rank 7; in "
                    "MPI_Iallreduce", 20, "dup", *["iallreduce"] * 7, "iallreduce,1,int,max",
                    "iallreduce")

    def test_type(self):
        self.checks("rank 0: MPI_Allreduce(1 of MPI_DOUBLE, MPI_SUM) of rank 0 on MPI_COMM_WORLD "
                    "does not fit MPI_Allreduce(2 of MPI_FLOAT, MPI_SUM) of rank 1; in "
                    "MPI_Allreduce", 20, "world", "allreduce,1,double", "allreduce,2,float")
        self.checks("rank 0: MPI_Gather on MPI_COMM_WORLD: rank 1 has given elements of other types "
                    "than belong here; in MPI_Gather", 2, "world", "gather,1,double",
                    "gather,2,float")

    def test_intercommunicator(self):
        self.checks("rank 0: MPI_Bcast(1 of MPI_INT, MPI_ROOT) of rank 0 on a communicator of 2 "
                    "ranks does not fit MPI_Bcast(1 of MPI_INT, root 1) of rank 3; in MPI_Bcast", 4,
                    "inter", "bcast,1,int,root", "bcast,1,int,0", "bcast,1,int,null",
                    "bcast,1,int,1")

    # ---- What fits ----

    def test_calls_that_fit(self):
        for words in (["world", "bcast,2", "bcast,1,ints"], ["dup", "scan,3"], ["inter", "barrier"],
                      ["inter", "bcast,1,int,root", "bcast,1,int,0", "bcast,1,int,null",
                       "bcast,1,int,0"],
                      ["world", "gather,2,int", "gather,1,ints"], ["world", "iallgather,2"],
                      ["world", "scatter,5,double,1"], ["inter", "iallreduce,2"]):
            for options in ([], ["-check"]):
                with self.subTest(words=words, options=options):
                    done = launch(4, *words, options=options)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertNotIn("does not fit", done.stderr)

    def test_handlers_that_return_keep_the_classes(self):
        for words, answers in (
            (["bcast,2", "bcast,1"], ["0: success", "1: truncated"]),
            (["bcast,1", "bcast,2"], ["0: success", "1: other"]),
            (["gather,2", "gather,1"], ["0: other", "1: success"]),
            (["bcast,1", "barrier"], ["0: success", "1: truncated"]),
        ):
            done = launch(2, "returns", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(sorted(done.stdout.splitlines()), answers)

    # ---- The search for a deadlock may come first ----

    def test_deadlock_says_who_is_in_which_call(self):
        for _ in range(RUNS):
            done = launch(20, "dup", "barrier", "world_barrier", "recv")
            self.assertNotEqual(done.returncode, 0)
            said = [each for each in done.stderr.splitlines() if each.startswith("saguaro:")]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertTrue(said[0].startswith(
                "saguaro: mpi: rank 0: MPI_Barrier: deadlock, no rank can go on: rank 0 waits for "),
                said[0])
            self.assertTrue(said[0].endswith(
                "; in MPI_Barrier on MPI_COMM_WORLD: rank 1; in MPI_Barrier on a communicator of 20 "
                "ranks: rank 0; in MPI_Recv on MPI_COMM_WORLD: rank 2 to 19"), said[0])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
