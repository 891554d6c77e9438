#!/usr/bin/env python3
"""limber export --to matrices: matrices_test.py LIMBER SCENES.

Files, faults and folders; what the numbers are worth is tests/clients' business."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from driver import wait_until

LIMBER, SCENES = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
BLOCK, CANTILEVER = SCENES / "block_needle_mp1.json", SCENES / "cantilever.json"
FILES = {"K.mtx", "M.mtx", "C.mtx", "f.mtx", "x.mtx", "dofs.csv", "README.txt", "provenance.json"}


def run(*arguments, folder=None):
    return subprocess.run(
        [LIMBER, "export", *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        timeout=120,
    )


def read(path):
    """(comments, sizes, entries) of a Matrix Market file."""
    lines = path.read_text().splitlines()
    numbers = [line for line in lines if not line.startswith("%")]
    return (
        [line for line in lines if line.startswith("%")],
        list(map(int, numbers[0].split())),
        [line.split() for line in numbers[1:]],
    )


class Matrices(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def export(self, scene, *more, name="out"):
        done = run(scene, "--to", "matrices", "-o", name, "--quiet", *more, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def test_every_file_is_there_and_says_what_it_is(self):
        out = self.export(BLOCK)
        self.assertEqual({path.name for path in out.iterdir()}, FILES | {".folder.files"})
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out"])  # nothing half-written beside it
        facts = json.loads((out / "provenance.json").read_text())
        self.assertEqual((facts["unknowns"], facts["dimension"], facts["options"]["integration"]), (882, 2, "full"))
        for name, unit in (("K", "N/m"), ("M", "kg"), ("C", "kg/s")):
            comments, sizes, entries = read(out / f"{name}.mtx")
            self.assertEqual(comments[0], "%%MatrixMarket matrix coordinate real symmetric")
            self.assertIn(f"[{unit}]", comments[1])
            self.assertIn(facts["scene_hash"], "\n".join(comments))
            self.assertIn(facts["provenance"]["commit"], "\n".join(comments))
            self.assertEqual(sizes, [882, 882, len(entries)])
            self.assertTrue(all(int(r) >= int(c) for r, c, _ in entries))
        self.assertEqual(read(out / "f.mtx")[1], [882, 1])
        self.assertEqual(read(out / "x.mtx")[1], [441, 3])

    def test_the_map_of_unknowns_is_complete(self):
        out = self.export(BLOCK)
        rows = [line.split(",") for line in (out / "dofs.csv").read_text().splitlines() if line[0].isdigit()]
        self.assertEqual([int(r[0]) for r in rows], list(range(882)))
        self.assertTrue(all(int(r[1]) == i // 2 and r[2] == "xy"[i % 2] for i, r in enumerate(rows)))
        for r in rows:
            x, y = float(r[3]), float(r[4])
            held = x == 0 or y in (0, 1)
            wanted = ["anchored", "walls"] if held else ["handled", "needle"] if (x, y) == (1, 0.5) else ["free", ""]
            self.assertEqual(r[6:], wanted, r)

    def test_options_of_the_scene_are_followed(self):
        out = self.export(BLOCK, "--set", "method.options.mass=lumped", "--set", "method.options.damping=mass_only")
        for name in ("M", "C"):
            self.assertTrue(all(r == c for r, c, value in read(out / f"{name}.mtx")[2] if float(value) != 0.0), name)

    def test_the_mass_is_the_one_that_the_method_steps_with(self):
        def diagonal(out):
            return all(r == c for r, c, value in read(out / "M.mtx")[2] if float(value) != 0.0)

        clustered = self.export(BLOCK, "--set", "method.name=clustered_fem", name="clustered")
        self.assertTrue(diagonal(clustered), "clustered_fem lumps where nothing is said")
        self.assertIn("Mass: lumped", (clustered / "README.txt").read_text())
        self.assertEqual(json.loads((clustered / "provenance.json").read_text())["options"]["mass"], "lumped")
        self.assertFalse(
            diagonal(
                self.export(
                    BLOCK, "--set", "method.name=clustered_fem", "--set", "method.options.mass=consistent", name="full"
                )
            )
        )
        self.assertFalse(diagonal(self.export(BLOCK, name="plain")), "linear_fem does not")

    def test_total_loads_are_those_of_the_scene(self):
        # At t = 0 the cantilever's force has not begun; scaled to begin at once, its 20 N are shared among the end's vertices.
        self.assertTrue(all(float(v[0]) == 0 for v in read(self.export(CANTILEVER) / "f.mtx")[2]))
        scene = json.loads(CANTILEVER.read_text())
        del scene["bodies"][0]["forces"][0]["keyframes"], scene["bodies"][0]["forces"][0]["interpolation"]
        (self.folder / "now.json").write_text(json.dumps(scene))
        f = [float(v[0]) for v in read(self.export("now.json", name="loaded") / "f.mtx")[2]]
        self.assertAlmostEqual(sum(f[1::3]), -20.0, places=9)
        self.assertEqual(sum(map(abs, f[0::3] + f[2::3])), 0.0)

    def test_an_earlier_export_is_replaced_and_anything_else_is_not(self):
        out = self.export(BLOCK)
        before = (out / "K.mtx").read_text()
        self.export(BLOCK, "--set", "material.young=123")
        self.assertNotEqual((out / "K.mtx").read_text(), before)
        (out / "thesis.txt").write_text("mine")
        done = run(BLOCK, "--to", "matrices", "-o", out, "--quiet")
        self.assertEqual(done.returncode, 2)
        self.assertIn("thesis.txt", done.stderr)
        self.assertEqual((out / "thesis.txt").read_text(), "mine")

    def test_bad_input_is_one_line_and_leaves_nothing(self):
        (self.folder / "file").write_text("x")
        for scene, out in ((BLOCK, "file"), (BLOCK, "file/below"), ("missing.json", "out"), ("file", "out")):
            done = run(scene, "--to", "matrices", "-o", out, "--quiet", folder=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_an_interruption_leaves_nothing(self):
        scene = json.loads(CANTILEVER.read_text())
        scene["bodies"][0]["mesh"]["counts"] = [40, 8, 8]  # seconds of work
        (self.folder / "big.json").write_text(json.dumps(scene))
        process = subprocess.Popen(
            [LIMBER, "export", "big.json", "--to", "matrices", "-o", "out"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertTrue(wait_until(process, lambda: list(self.folder.glob("out*"))), "it begins to write")
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, words)
        self.assertTrue(re.search("interrupt", words), words)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["big.json"])


if __name__ == "__main__":
    unittest.main()
