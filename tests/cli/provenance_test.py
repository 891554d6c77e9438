#!/usr/bin/env python3
"""Every file limber writes says which limber, compiler, machine and scene made it: provenance_test.py LIMBER SCENES.

Each verb writes all it can into a folder; whatever appears there is searched. A new format is tested as soon as a line here writes it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

LIMBER, SCENES = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
BLOCK = SCENES / "block_needle_mp1.json"
HERE = json.loads(subprocess.run([LIMBER, "--version", "--json"], capture_output=True, text=True).stdout)


def limber(folder, *arguments):
    done = subprocess.run(
        [LIMBER, *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def words_of(path):
    """Everything readable in a file: archives are opened, numpy's texts are UTF-32."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
        return data.replace(b"\0", b"").decode("latin-1")
    return path.read_bytes().decode("latin-1")


def as_written(word):
    """Comments keep to plain characters: what XML and MSH forbid is replaced."""
    return {word, "".join(c if 0x20 <= ord(c) <= 0x7E and c != "$" else "_" for c in word)}


class Provenance(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def files(self, *but):
        return [
            path
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.suffix not in but and not path.name.startswith(".")
        ]  # hidden lists of a folder's own files carry no results

    def examine(self, paths, words):
        self.assertTrue(paths)
        for path in paths:
            held = words_of(path)
            for word in words:
                self.assertTrue(
                    any(form in held for form in as_written(word)), f"{path.name} does not say {word!r}: {held[:300]!r}"
                )

    def everything(self):
        return [HERE["version"], HERE["commit"], HERE["compiler"], HERE["cpu"], HERE["isa"]]

    def threads(self):
        # In words, as a member of JSON, or as numpy's copy of that.
        for path in self.files(".stl", ".limber"):
            held = words_of(path)
            self.assertTrue(
                any(form in held for form in ("1 thread", '"threads": 1', '"threads":1')),
                f"{path.name} does not say how many threads",
            )

    def test_runs_and_their_tables_and_frames(self):
        report = json.loads(
            limber(
                self.folder,
                "run",
                BLOCK,
                "-o",
                "a.limber",
                "--vtu",
                "vtu",
                "--csv",
                "a.csv",
                "--duration",
                "0.1",
                "--json",
                "--threads",
                "1",
            )
        )
        self.examine(self.files(".limber"), [*self.everything(), report["scene_hash"]])
        self.examine(
            [self.folder / "a.limber"], self.everything()
        )  # its scene hash is a binary number, read by other tests
        self.threads()
        limber(self.folder, "metrics", "a.limber", "a.limber", "--csv", "m.csv")
        self.examine([self.folder / "m.csv"], [*self.everything(), report["scene_hash"]])

    def test_modes(self):
        report = json.loads(limber(self.folder, "modes", BLOCK, "--count", "2", "--vtu", "modes", "--json"))
        self.examine(self.files(), [*self.everything(), report["scene_hash"]])

    def test_exports(self):
        report = json.loads(limber(self.folder, "run", BLOCK, "-o", "a.limber", "--duration", "0.1", "--json"))
        limber(self.folder, "export", BLOCK, "--to", "matrices", "-o", "matrices", "--quiet")
        for kind, out in (("npz", "a.npz"), ("csv", "a.csv"), ("vtu", "vtu")):
            limber(self.folder, "export", "a.limber", "--to", kind, "-o", out)
        self.examine(self.files(".limber"), [*self.everything(), report["scene_hash"]])
        self.threads()

    def test_meshes_and_surfaces(self):
        limber(self.folder, "mesh", "generate", "box", "--kind", "tet4", "--cells", "2", "-o", "a.msh")
        for name in ("a.vtu", "b.msh", "a.obj", "a.ply", "a.stl"):
            limber(self.folder, "mesh", "convert", "a.msh", name)
        self.examine(self.files(".stl"), self.everything())
        self.examine([self.folder / "a.stl"], [HERE["version"], HERE["commit"]])  # 80 bytes have no room for more
        self.threads()

    def test_every_report_in_json(self):
        limber(self.folder, "mesh", "generate", "box", "--cells", "1", "-o", "a.msh")
        for arguments in (["check", BLOCK], ["methods"], ["materials"], ["mesh", "info", "a.msh"], ["cite", BLOCK]):
            self.assertEqual(json.loads(limber(self.folder, *arguments, "--json"))["provenance"], HERE, arguments)

    def test_studies_with_their_pages_and_plots(self):
        rod = SCENES / "rod_mp3.json"
        limber(
            self.folder,
            "sweep",
            rod,
            "--set",
            "material.young=1e5,2e5",
            "--set",
            "duration=0.1",
            "-o",
            "sweep",
            "--quiet",
        )
        limber(
            self.folder,
            "sensitivity",
            rod,
            "--set",
            "duration=0.1",
            "--parameter",
            "material.young",
            "--quantity",
            "displacement",
            "-o",
            "sensitivity",
            "--quiet",
        )
        self.examine(self.files(), self.everything())
        self.threads()
        for path in self.files(".svg"):
            if path.stem in ("index", "sweep", "points", "timings", "sensitivity"):
                self.assertRegex(words_of(path), r"0x[0-9a-f]{16}", path.name)


if __name__ == "__main__":
    unittest.main()
