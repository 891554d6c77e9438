#!/usr/bin/env python3
"""limber mesh doctor, solid and cage: solid_test.py LIMBER SCENES. From a dirty surface to cells, as a user meets it."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LIMBER, SCENES = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()

BOX = """v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
"""


class Surfaces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "box.obj").write_text(BOX)
        (self.path / "small.obj").write_text(
            "".join(
                "v %g %g %g\n" % tuple(0.25 + 0.5 * float(c) for c in line.split()[1:])
                if line.startswith("v")
                else line + "\n"
                for line in BOX.splitlines()
            )
        )
        # One face turned, one given twice, one vertex that nobody uses, one side missing.
        (self.path / "dirty.obj").write_text(
            BOX.replace("f 5 6 8 7", "f 7 8 6 5").replace("f 2 4 8 6\n", "f 1 3 4 2\nv 9 9 9\n")
        )

    def tearDown(self):
        self.folder.cleanup()

    def run_mesh(self, *arguments):
        return subprocess.run(
            [LIMBER, "mesh", *map(str, arguments)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=self.path,
            timeout=120,
        )

    def report(self, *arguments, code=0):
        done = self.run_mesh(*arguments, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_doctor_finds_nothing_wrong_with_a_box(self):
        report = self.report("doctor", "box.obj", "--strict")
        self.assertTrue(report["sound"] and report["closed"])
        self.assertAlmostEqual(report["volume"], 1.0)
        self.assertEqual(report["findings"], [])

    def test_doctor_names_faults_and_mends_what_it_can(self):
        report = self.report("doctor", "dirty.obj", "--strict", code=1)
        kinds = {f["kind"]: f for f in report["findings"]}
        for kind in ("hole", "inconsistent_orientation", "repeated_face"):
            self.assertEqual(kinds[kind]["severity"], "fault", kind)
        self.assertEqual(kinds["unused_vertex"]["severity"], "note")
        self.assertEqual(report["longest_hole"], 4)
        self.assertEqual(self.run_mesh("doctor", "dirty.obj").returncode, 0)  # it can be used
        mended = self.report("doctor", "dirty.obj", "--fix", "-o", "mended.obj")["mended"]
        self.assertEqual([f["kind"] for f in mended["findings"]], ["hole"])
        self.assertEqual((self.path / "mended.obj").read_text().count("\nf "), 5)

    def test_doctor_keeps_what_an_artist_added_or_says_so(self):
        painted = "mtllib box.mtl\nvt 0 0\nvt 1 1\nusemtl wood\n" + BOX.replace(
            "f 1 3 4 2", "g lid\nf 1/1 3/2 4/1 2/2"
        ).replace("f 5 6 8 7", "f 7/1 8/2 6/1 5/2")
        (self.path / "painted.obj").write_text(painted)
        report = self.report("doctor", "painted.obj", "--fix", "-o", "mended.obj")
        self.assertEqual(report["done"], "1 face turned")
        lines = painted.replace("f 7/1 8/2 6/1 5/2", "f 7/1 5/2 6/1 8/2").splitlines()
        mended = (self.path / "mended.obj").read_text().splitlines()
        self.assertEqual(mended[:-1], lines)
        self.assertIn("limber", mended[-1])
        self.assertEqual(report["remarks"], [])
        remarks = self.report("doctor", "painted.obj", "--fix", "-o", "mended.stl")["remarks"]
        self.assertTrue(any("left out" in r and ".obj" in r for r in remarks), remarks)

    def test_a_glb_is_examined_mended_and_filled(self):
        self.assertEqual(self.run_mesh("asset", "humanoid", "--triangles", "3000", "-o", "figure.glb").returncode, 0)
        report = self.report("doctor", "figure.glb", "--fix", "-o", "mended.glb")
        self.assertTrue(report["closed"], report)
        doubled = [f for f in report["findings"] if f["kind"] == "doubled_vertex"]
        self.assertTrue(all(f["severity"] == "note" and not f["mendable"] for f in doubled))
        # Nothing was wrong: positions, texture coordinates, weights and curves are the same bytes.
        before, after = (
            data[20 + int.from_bytes(data[12:16], "little") :]
            for data in ((self.path / name).read_bytes() for name in ("figure.glb", "mended.glb"))
        )
        self.assertEqual(before, after)
        self.assertAlmostEqual(
            self.report("solid", "figure.glb", "--cells", 8000, "-o", "figure.msh")["volume"] / report["volume"],
            1.0,
            delta=0.05,
        )

    def test_doctor_doubts_absurd_sizes(self):
        (self.path / "liver.obj").write_text(
            BOX.replace("1 ", "300 ").replace("f 300", "f 1").replace(" 1\n", " 300\n")
        )
        messages = [
            f["message"] for f in self.report("doctor", "liver.obj")["findings"] if f["kind"] == "unlikely_size"
        ]
        self.assertTrue(messages and "0.3 m in mm" in messages[0], messages)
        self.assertFalse(
            [f for f in self.report("doctor", "liver.obj", "--unit", "mm")["findings"] if f["kind"] == "unlikely_size"]
        )

    def test_what_encloses_nothing_is_advised_a_cage(self):
        # A plane, a bent sheet, and a card so thin that cells of half its thickness would be millions.
        flat = "".join(f"v {x} 0 {z}\n" for x in range(3) for z in range(3)) + "".join(
            f"f {3 * i + j + 1} {3 * i + j + 2} {3 * i + j + 5} {3 * i + j + 4}\n" for i in range(2) for j in range(2)
        )
        (self.path / "plane.obj").write_text(flat)
        (self.path / "card.obj").write_text(
            "".join(
                line.replace(" 1 ", " 0.0001 ") if line.startswith("v") else line
                for line in BOX.splitlines(keepends=True)
            )
        )
        sheet = flat.splitlines()
        (self.path / "sheet.obj").write_text(
            "\n".join(
                line.replace(" 0 ", f" {0.3 * (int(line.split()[1]) % 2)} ", 1) if line.startswith("v 1") else line
                for line in sheet
            )
            + "\n"
        )
        done = self.run_mesh("solid", "sheet.obj", "--cells", "20000", "-o", "sheet.msh")
        self.assertIn("open sheet", done.stderr)
        self.assertNotIn("use more cells", done.stderr)
        for name in ("plane.obj", "card.obj"):
            done = self.run_mesh("solid", name, "--cells", "500", "-o", "none.msh")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("limber mesh cage", done.stderr)
            self.assertNotIn("more cells", done.stderr)
            self.assertEqual(
                self.run_mesh("cage", name, "--cells-across", "4", "-o", "cage.vtu").returncode, 0, "the advice works"
            )

    def test_what_does_not_fit_into_memory_is_refused_before_the_work(self):
        def limited(*arguments, megabytes):
            return subprocess.run(
                [
                    "bash",
                    "-c",
                    f'ulimit -v {1000 * megabytes}; export OPENBLAS_NUM_THREADS=1; exec "$0" "$@"',
                    LIMBER,
                    *map(str, arguments),
                ],
                capture_output=True,
                text=True,
                cwd=self.path,
                timeout=120,
            )

        if limited("--version", megabytes=1500).returncode != 0:
            self.skipTest("this build does not start in 1.5 GB of addresses (a sanitizer's takes terabytes)")
        done = limited("mesh", "solid", "box.obj", "--cells", 15000000, "-o", "large.msh", megabytes=1500)
        self.assertEqual(done.returncode, 2)
        self.assertIn("note: 1.5e+07 cells: about 2.3 GB of memory", done.stderr)
        self.assertIn("are free; expected fewer cells", done.stderr)
        scene = {
            "format": 1,
            "bodies": [
                {
                    "mesh": {"path": "box.obj", "cells": 60000},
                    "materials": [{"young": 2e4, "poisson": 0.3, "density": 1000}],
                    "anchors": [{"set": "bottom"}],
                }
            ],
            "method": {"name": "linear_fem"},
            "step": 0.02,
            "duration": 0.02,
        }
        (self.path / "large.json").write_text(json.dumps(scene))
        done = limited("check", "large.json", megabytes=500)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("unknowns takes about", done.stderr)
        self.assertEqual(
            limited("check", "large.json", "--set", "method.options.solver=pcg", megabytes=500).returncode,
            0,
            "and the advice works",
        )

    def test_solid_fills_and_reads_back(self):
        report = self.report("solid", "box.obj", "--cells", 3000, "-o", "box.msh")
        self.assertAlmostEqual(report["volume"], 1.0, delta=0.03)
        self.assertAlmostEqual(report["cells"] / 3000, 1.0, delta=0.15)
        self.assertGreater(report["smallest_angle"], 8)
        self.assertEqual(sum(report["angle_histogram"]), report["cells"])
        self.assertEqual(self.report("info", "box.msh")["cells"], report["cells"])
        self.assertIn("#", self.run_mesh("solid", "box.obj", "--cell-size", 0.2, "-o", "box.inp").stdout)
        self.assertEqual(self.report("info", "box.inp")["kind"], "tet4")

    def test_named_surfaces_become_cell_sets_in_metres(self):
        report = self.report(
            "solid", "liver=box.obj", "tumour=small.obj", "--cells", 4000, "--unit", "cm", "-o", "both.vtu"
        )
        self.assertEqual(set(report["cell_sets"]), {"liver", "tumour"})
        self.assertAlmostEqual(report["volume"], 1e-6, delta=3e-8)

    def test_cage_is_made_of_cubes(self):
        self.assertEqual(self.report("cage", "box.obj", "--cells-across", 3, "-o", "cage.vtu")["cells"], 27)
        self.assertEqual(
            self.report("cage", "box.obj", "--cells-across", 3, "--kind", "tet4", "-o", "cage.msh")["cells"], 162
        )

    def test_bad_input_is_one_line_and_writes_nothing(self):
        (self.path / "sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.path / "line.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 2\n")
        before = sorted(self.path.iterdir())
        for arguments in (
            ["solid", "sheet.obj", "-o", "x.msh"],
            ["solid", "none.obj", "-o", "x.msh"],
            ["solid", "box.obj", "-o", "x.abc"],
            ["solid", "box.obj", "box.obj", "-o", "x.msh"],
            ["solid", "box.obj", "--cell-size", "1e-9", "-o", "x.msh"],
            ["solid", "box.obj", "-o", "box.obj"],
            ["solid", "box.obj", "--cells", "5", "--cell-size", "1", "-o", "x.msh"],
            ["doctor", "line.obj"],
            ["doctor", "box.obj", "--fix"],
            ["doctor", "box.obj", "--fix", "-o", "x.msh"],
            ["cage", "box.obj", "--cells-across", "0", "-o", "x.vtu"],
        ):
            done = self.run_mesh(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            lines = [line for line in done.stderr.splitlines() if line.startswith("limber: ")]
            self.assertEqual(len(lines), 1, (arguments, done.stderr))
            self.assertEqual(sorted(self.path.iterdir()), before, arguments)


if __name__ == "__main__":
    unittest.main()
