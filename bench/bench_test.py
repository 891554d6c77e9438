#!/usr/bin/env python3
"""The benchmarks' own behaviour, not their timings: bench_test.py LIMBER_BENCH."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = str(pathlib.Path(sys.argv.pop(1)).resolve())
FEW = ("--quick", "--rounds", "2", "--filter", "product2|embed|step/bar_tets")


def run(*arguments):
    return subprocess.run(
        [BENCH, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=250
    )


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.saved = cls.folder / "a.json"
        cls.done = run(*FEW, "-o", cls.saved)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_results_have_ratios_yardsticks_and_the_machine(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        saved = json.loads(self.saved.read_text())
        self.assertEqual(len(saved["results"]), 3)
        for result in saved["results"]:
            for field in (
                "ratio",
                "seconds",
                "limit_seconds",
                "read_bytes_per_second",
                "triad_bytes_per_second",
                "peak_flops_per_second",
            ):
                self.assertGreater(result[field], 0, (result["name"], field))
            self.assertAlmostEqual(
                result["ratio"], result["seconds"] / result["limit_seconds"], delta=1e-6 * result["ratio"]
            )
            self.assertIn(result["name"], self.done.stdout)
        self.assertTrue(saved["machine"]["cpu"] and saved["provenance"]["commit"] and saved["date"])

    def test_comparing_marks_what_moved_and_never_fails(self):
        then = json.loads(self.saved.read_text())
        then["results"][0]["ratio"] /= 100  # now a hundred times slower
        then["results"][1]["ratio"] *= 100
        del then["results"][2]
        old = self.folder / "then.json"
        old.write_text(json.dumps(then))
        done = run(*FEW, "--compare", old)
        self.assertEqual(done.returncode, 0, done.stderr)
        words = done.stdout.split("Against ")[1]
        self.assertRegex(words, r"product2\S* .*slower")
        self.assertRegex(words, r"embed\S* .*faster")
        self.assertRegex(words, r"not in that file: step/bar_tets")
        self.assertIn("2 of 2 ratios", words)

    def test_bad_arguments_are_one_line(self):
        (self.folder / "garbage.json").write_text("{")
        (self.folder / "empty.json").write_text('{"format": 1}')
        for arguments in (
            ["--compare", "none.json"],
            ["--compare", self.folder / "garbage.json"],
            ["--compare", self.folder / "empty.json"],
            ["--filter", "nosuchcase"],
            ["--filter", "("],
            ["--rounds", "0"],
            ["--quik"],
        ):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_names_are_unique_and_cover_every_scene(self):
        names = run("--list").stdout.split()
        self.assertEqual(len(names), len(set(names)))
        scenes = pathlib.Path(__file__).resolve().parent.parent / "scenes"
        for scene in scenes.glob("*.json"):
            self.assertIn("step/" + scene.stem, names)
            self.assertIn("prepare/" + scene.stem, names)


if __name__ == "__main__":
    unittest.main()
