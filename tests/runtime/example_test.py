#!/usr/bin/env python3
"""The run-time as a stranger's C compiler sees it: example_test.py SOURCE COMPILER."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import dyrt_file  # noqa: E402

SOURCE, COMPILER = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]


def compile_example(compiler, out, *flags):
    sources = [SOURCE / "examples/dyrt_crowd.c", *sorted((SOURCE / "runtime/dyrt").glob("*.c"))]
    done = subprocess.run(
        [compiler, *STRICT, *flags, "-I", SOURCE / "runtime/dyrt", *sources, "-o", out, "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{compiler}: {done.stderr[-3000:]}"
    return out


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=60)


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "a.dyrt").write_bytes(dyrt_file.usual_file())
        cls.program = compile_example(COMPILER, cls.folder / "crowd", "-O2", "-ffp-contract=off")

    def test_runs_and_says_what_it_should(self):
        done = run(self.program, self.folder / "a.dyrt")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
        self.assertEqual(len(lines), 121 * 3 * 2)
        self.assertEqual([len(line) for line in lines[:2]], [3 + 5, 3 + 2])
        self.assertTrue(all(float(v) == 0 for v in lines[0][3:]))
        moved = [abs(float(v)) for line in lines for v in line[3:]]
        self.assertTrue(0.01 < max(moved) < 10, max(moved))
        self.assertNotEqual(lines[-1], lines[-3])  # everyone at their own pace

    def test_is_short(self):
        self.assertLess(len((SOURCE / "examples/dyrt_crowd.c").read_text().splitlines()), 80)

    def test_tells_what_is_wrong_with_a_file(self):
        (self.folder / "b.dyrt").write_bytes(dyrt_file.usual_file()[:-40])
        for name, code, words in (("b.dyrt", 1, "cut off"), ("none.dyrt", 2, "usage")):
            done = run(self.program, self.folder / name)
            self.assertEqual(done.returncode, code)
            self.assertIn(words, done.stderr)

    # The same bits with and without vectors: nothing may depend on what the compiler makes of a loop.
    def test_gives_the_same_numbers_at_any_optimisation(self):
        plain = compile_example(COMPILER, self.folder / "plain", "-ffp-contract=off")
        self.assertEqual(run(self.program, self.folder / "a.dyrt").stdout, run(plain, self.folder / "a.dyrt").stdout)

    def other(self, compiler):
        if not shutil.which(compiler):
            if os.environ.get("LIMBER_CLIENTS"):
                self.fail(f"{compiler} is not here")
            self.skipTest(f"{compiler} is not here (./test --clients installs it)")
        return compile_example(compiler, self.folder / "other.exe", "-O1")

    def test_clang_takes_it_too(self):
        done = run(self.other("clang"), self.folder / "a.dyrt")
        self.assertEqual(len(done.stdout.splitlines()), 1 + 121 * 3 * 2)

    def test_mingw_takes_it_too(self):
        self.assertTrue(self.other("x86_64-w64-mingw32-gcc").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
