#!/usr/bin/env python3
"""A comparison that cannot fail proves nothing: small differences in every part must be seen."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = HERE / "data" / "10_strain_full.json"


class Compare(unittest.TestCase):
    def setUp(self):
        self.data = json.loads(REFERENCE.read_text())

    def code(self, data):
        with tempfile.TemporaryDirectory() as folder:
            ours = pathlib.Path(folder) / "ours.json"
            ours.write_text(json.dumps(data))
            return subprocess.run(
                [sys.executable, str(HERE / "compare.py"), str(ours), str(REFERENCE)], capture_output=True
            ).returncode

    def changed(self, change):
        data = copy.deepcopy(self.data)
        change(data)
        return self.code(data)

    def test_equal_files_agree(self):
        self.assertEqual(self.code(self.data), 0)

    def test_one_value_off_by_2e_4_is_seen_in_every_measure(self):
        for measure in ("relative_l2", "surface", "interior"):

            def change(data, name=measure):
                data["runs"][1][name][5] *= 1 + 2e-4

            self.assertEqual(self.changed(change), 1, measure)

    def test_a_difference_of_5e_5_passes(self):
        self.assertEqual(
            self.changed(lambda d: d["runs"][1]["interior"].__setitem__(5, d["runs"][1]["interior"][5] * (1 + 5e-5))), 0
        )

    def test_probes_frequencies_and_critical_steps_are_compared(self):
        def probe(data):
            data["runs"][0]["probes"]["center"][4][0] *= 1 + 2e-4

        def frequency(data):
            data["spectra"][0]["lowest"][2] *= 1 + 2e-5

        def critical(data):
            data["spectra"][1]["critical_step"]["lumped"] *= 1 + 2e-3

        for change in (probe, frequency, critical):
            self.assertEqual(self.changed(change), 1, change.__name__)

    def test_what_is_missing_is_a_difference(self):
        self.assertEqual(self.changed(lambda d: d["runs"].pop(3)), 1)
        self.assertEqual(self.changed(lambda d: d["runs"][0].update(t=[], probes={})), 1)
        self.assertEqual(self.changed(lambda d: d["runs"][1].pop("surface")), 1)
        self.assertEqual(self.changed(lambda d: d["runs"][1]["surface"].__setitem__(3, None)), 1)
        self.assertEqual(self.changed(lambda d: d["runs"][1]["probes"].pop("edge")), 1)


if __name__ == "__main__":
    unittest.main()
