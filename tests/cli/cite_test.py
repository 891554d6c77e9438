#!/usr/bin/env python3
"""limber cite: cite_test.py LIMBER SCENES. What it says must agree with CITATION.cff, and a scene gets only what it uses."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

LIMBER, SCENES = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = SCENES.parent


def run(*arguments):
    return subprocess.run(
        [LIMBER, "cite", *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )


def keys(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return [paper["key"] for paper in json.loads(done.stdout)["papers"]]


def from_cff(field):
    """A top-level scalar of CITATION.cff (no YAML reader in the standard library)."""
    return re.search(rf'^{field}: *"?(.*?)"?$', (ROOT / "CITATION.cff").read_text(), re.M).group(1)


class Cite(unittest.TestCase):
    def test_it_says_what_the_citation_file_says(self):
        limber = json.loads(run("--json").stdout)["limber"]
        for ours, theirs in (("title", "title"), ("version", "version"), ("license", "license")):
            self.assertEqual(limber[ours], from_cff(theirs))
        self.assertIn(f'name: "{limber["author"]}"', (ROOT / "CITATION.cff").read_text())
        self.assertIn(limber["title"], run().stdout)

    def test_the_papers_of_the_citation_file_are_among_ours(self):
        # References are indented below "references:"; each title there must be a paper that cite knows.
        titles = {paper["title"] for paper in json.loads(run("--json").stdout)["papers"]}
        references = (ROOT / "CITATION.cff").read_text().split("references:")[1]
        for title in re.findall(r'title: "(.*)"', references):
            self.assertIn(title, titles)

    def test_the_version_is_that_of_the_program(self):
        version = json.loads(subprocess.run([LIMBER, "--version", "--json"], capture_output=True, text=True).stdout)
        self.assertEqual(json.loads(run("--json").stdout)["limber"]["version"], version["version"])

    def test_a_scene_gets_only_what_it_uses(self):
        rod, bar, block = SCENES / "rod_mp3.json", SCENES / "bar_tets.json", SCENES / "block_needle_mp1.json"
        self.assertIn("alterovitz_goldberg", keys(block))
        self.assertIn("newmark_1959", keys(block))
        self.assertNotIn("hughes_1980", keys(block))  # integration full
        self.assertIn("hughes_1980", keys(block, "--set", "method.options.integration=bbar"))
        self.assertNotIn("newmark_1959", keys(bar))  # bdf2
        self.assertIn("bonet_burton_1998", keys(bar, "--set", "method.options.integration=bbar"))
        self.assertNotIn("hughes_1980", keys(bar, "--set", "method.options.integration=bbar"))
        self.assertNotIn("picinbono_delingette_ayache_2001", keys(rod))
        self.assertIn("picinbono_delingette_ayache_2001", keys(rod, "--set", "method.options.volume_penalty=100"))
        self.assertIn("karypis_kumar_1998", keys(rod))
        self.assertNotIn("karypis_kumar_1998", keys(rod, "--set", "method.options.solver=pcg"))
        ring = SCENES / "static" / "lame_ring.json"  # a static problem has no method of its own
        self.assertEqual(keys(ring), ["watanabe_ohya_kurumisawa_tokunaga"])
        self.assertIn("zienkiewicz_taylor_2000", keys(ring, "--set", "static.method=linear_fem"))
        self.assertNotIn("newmark_1959", keys(ring, "--set", "static.method=linear_fem"))
        self.assertNotIn("hinton_rock_zienkiewicz_1976", keys(rod, "--set", "method.options.mass=lumped"))
        self.assertIn(
            "hinton_rock_zienkiewicz_1976", keys(SCENES / "cantilever.json", "--set", "method.options.mass=lumped")
        )

    def test_presets_name_their_source(self):
        report = json.loads(run(SCENES / "bar_tets.json", "--json").stdout)
        self.assertEqual([m["material"] for m in report["materials"]], ["silicone"])
        self.assertTrue(report["materials"][0]["source"])
        self.assertRegex(report["scene"]["hash"], r"^0x[0-9a-f]{16}$")

    def test_bibtex_has_one_balanced_entry_per_work(self):
        words = run("--bibtex").stdout
        entries = re.findall(r"^@(\w+)\{([a-z0-9_]+),$", words, re.M)
        self.assertEqual([key for _, key in entries], ["limber", *keys()])
        self.assertEqual(words.count("{"), words.count("}"))
        self.assertEqual(len({key for _, key in entries}), len(entries))

    def test_bad_input_is_one_line(self):
        for arguments in (["no_such_scene.json"], ["--set", "step=1"], ["--bibtex", "--json"], ["--bibtx"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
