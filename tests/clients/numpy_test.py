#!/usr/bin/env python3
"""NumPy reads what limber export writes, and limber compare reads what NumPy writes: numpy_test.py LIMBER SCENES. 77 = NumPy is missing."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

LIMBER, SCENES = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()


def run(*arguments):
    done = subprocess.run(
        [LIMBER, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120
    )
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run("run", SCENES / "block_needle_mp1.json", "-o", folder / "run.limber", "--duration", "0.5", "-q")
    run("export", folder / "run.limber", "--to", "npz", "-o", folder / "run.npz")
    with np.load(folder / "run.npz", allow_pickle=False) as file:
        frames, vertices, width = file["positions"].shape
        assert (frames, width) == (16, 3) and file["positions"].dtype == np.float64
        assert np.array_equal(file["positions"], file["rest"] + file["displacements"])
        assert (
            np.isfinite(file["velocities"]).all() and file["cells"].dtype == np.int32 and file["cells"].max() < vertices
        )
        assert (
            file["energies"].shape == (frames, 2)
            and file["step_ms"].shape == (frames,)
            and file["reactions"].shape[2] == 6
        )
        assert np.allclose(np.diff(file["times"]), 1 / 30, atol=1e-12)
        positions, rest, times = file["positions"], file["rest"], file["times"]
        facts = json.loads(str(file["provenance"]))
        assert facts["written_by"]["version"] and facts["unit"] == "m" and facts["up"] == "y"
    # The other way: planar float32 positions in millimetres, points shuffled, Fortran order, compressed, under names of their own.
    order = np.random.default_rng(1).permutation(vertices)
    series = (1000 * positions[:, order, :2]).astype(np.float32)
    np.savez_compressed(folder / "theirs.npz", x=np.asfortranarray(series), t=times, x0=1000 * rest[order, :2])
    report = json.loads(
        run(
            "compare",
            SCENES / "block_needle_mp1.json",
            "--set",
            "duration=0.5",
            "--reference",
            folder / "run.limber",
            "-o",
            folder / "card",
            "--candidate",
            f"theirs={folder / 'theirs.npz'}:unit=mm",
            "--metric",
            "max_distance",
            "-q",
            "--json",
        )
    )
    theirs = next(c for c in report["candidates"] if c["name"] == "theirs")
    errors = theirs["metrics"][0]["value"]
    assert len(errors) == frames and max(errors) < 1e-6, errors
    assert max(errors) > 0, "32 bits leave a trace: otherwise this compared nothing"
    assert any("by rest position" in note for note in theirs["notes"]), theirs["notes"]
print("passed")
