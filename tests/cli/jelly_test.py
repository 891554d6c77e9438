"""limber reproduce jelly and the scenes that fall: jelly_test.py LIMBER SCENES.

Everything promised is written, and what needs no clock holds."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LIMBER, SCENES = sys.argv[1], pathlib.Path(sys.argv[2])


def limber(*arguments):
    return subprocess.run([LIMBER, *map(str, arguments)], capture_output=True, text=True, timeout=280)


def refuse(word):
    raise ValueError(word + " in JSON")


class Jelly(unittest.TestCase):
    def test_claims_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            done = limber(
                "reproduce",
                "jelly",
                "--quick",
                "--no-pictures",
                "-q",
                "-o",
                folder / "out",
                "--json",
                folder / "j.json",
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads((folder / "j.json").read_text(), parse_constant=refuse)
            holds = {c["id"]: c["holds"] for c in told["claims"]}
            self.assertEqual(len(holds), len(told["claims"]), "claims have different ids")
            for claim in told["claims"]:
                self.assertIsNotNone(claim["measured"], claim["id"])
                if not claim["id"].startswith(("frames-", "update-")):  # no timing decides a test
                    self.assertEqual(claim["holds"], claim["id"] not in ("ellipsoid", "body-force"), claim)
            self.assertEqual([a["alpha"] for a in told["alpha"]], [0.1, 1.5, 10, None])
            self.assertEqual([p["passes"] for p in told["passes"]], [0, 1, 8])
            self.assertLess(told["held_disc"]["corrected"], 0)
            self.assertIn("commit", told["provenance"])
            for plot in ["bounce", "internal_friction", "young", "contact_time", "jelly"]:
                self.assertIn(
                    "# command: limber reproduce jelly --quick", (folder / "out" / (plot + ".csv")).read_text()
                )
                self.assertTrue((folder / "out" / (plot + ".svg")).is_file())
            page = (folder / "out" / "index.html").read_text()
            self.assertNotIn("nan", "".join(p.read_text() for p in (folder / "out").glob("*.csv")).lower())
            shown = [
                n for n in re.findall(r'(?:src|href|poster)="([^"#]*)"', page) if not n.startswith(("data:", "http"))
            ]
            self.assertTrue(all((folder / "out" / n).is_file() for n in shown), shown)

    def test_a_shipped_scene_with_an_obstacle_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "disc.limber"
            done = limber("run", SCENES / "bouncing_disc.json", "-q", "-o", out, "--set", "duration=0.25")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(out.is_file())
            table = pathlib.Path(folder) / "disc.csv"
            self.assertEqual(limber("export", out, "--to", "csv", "-o", table).returncode, 0)
            self.assertIn("obstacle 0 Fy [N]", table.read_text())

    def test_what_contradicts_itself_is_refused(self):
        done = limber("reproduce", "jelly", "--quick", "--full")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
