#!/usr/bin/env python3
"""CalculiX solves the decks we write and gets limber's own static answer and natural frequencies: calculix_test.py LIMBER."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import node_tools
import scenes
import shown

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
BAR = 2e-6  # of the largest displacement: CalculiX prints seven digits
failed = []


def scene_of(kind, drawn):
    """A bar under gravity, forces and a turned handle. `drawn`: as a designer would have it, in millimetres with z up."""
    scene = shown.scene(kind)
    body = scene["bodies"][0]
    body["mesh"]["counts"] = [6, 3, 3] if kind != "tet10" else [4, 2, 2]
    if drawn:
        body["mesh"] |= {
            "unit": "mm",
            "up": "z",
            "low": [0, -200, 0],
            "high": [400, 0, 200],
        }  # the same place once it is turned
    body["sets"] = [
        {"name": "tip", "box": [[0.35, 0.19, -1], [1, 1, 1]]},
        {"name": "end", "box": [[0.399, -1, -1], [1, 0.01, 1]]},
    ]
    body["handles"] = [
        {
            "name": "grip",
            "set": "end",
            "keyframes": [
                {"t": 0, "translation": [0, 0, 0]},
                {"t": 0.4, "translation": [0.01, 0.005, 0], "rotation": [5, 0, 0]},
            ],
        }
    ]
    body["forces"] = [{"set": "tip", "total": [0.0, 0.3, -0.2]}]
    scene["method"]["options"] = {
        "scheme": "quasi_static",
        "integration": "full",
    }  # CalculiX knows no volume averaging for C3D4
    return scene


def printed(path, count):
    """The displacements of the .dat file."""
    rows = [line.split() for line in path.read_text().splitlines()]
    found = {int(r[0]): [float(x) for x in r[1:]] for r in rows if len(r) == 4 and r[0].isdigit()}
    return np.array([found.get(v + 1, [np.nan] * 3) for v in range(count)])


def compare_modes(folder):
    """The lowest 20 frequencies of a tet10 cantilever, by both.

    On coarser grids the two differ more, by the fourth power of the cell size."""
    scene = {
        "format": 1,
        "name": "beam",
        "bodies": [
            {
                "mesh": {
                    "shape": "box",
                    "kind": "tet10",
                    "counts": [34, 7, 7],
                    "low": [0, 0, 0],
                    "high": [1, 0.25, 0.25],
                },
                "materials": [{"young": 1e5, "poisson": 0.3, "density": 1000}],
                "anchors": [{"name": "wall", "set": "left"}],
            }
        ],
        "method": {"name": "linear_fem", "options": {}},
        "step": 0.01,
        "duration": 0.1,
    }
    (folder / "beam.json").write_text(json.dumps(scene))
    shown.limber(LIMBER, "export", folder / "beam.json", "--to", "inp", "--modes", 20, "-o", folder / "beam.inp")
    ours = np.array(
        json.loads(shown.limber(LIMBER, "modes", folder / "beam.json", "--count", 20, "--json", "--quiet"))["omega"]
    )
    done = subprocess.run(
        ["ccx", "beam"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=200,
        env={"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"},
    )
    if done.returncode != 0 or not (folder / "beam.dat").exists():
        failed.append(f"modes: ccx does not solve it: {done.stdout[-800:]}")
        return
    rows = [line.split() for line in (folder / "beam.dat").read_text().splitlines()]
    theirs = np.array([float(r[2]) for r in rows if len(r) == 5 and r[0].isdigit()][:20])
    if len(theirs) != 20:
        failed.append(f"modes: CalculiX printed {len(theirs)} frequencies")
        return
    worst = float(np.abs(theirs / ours - 1).max())
    print(f"modes  20 of a tet10 cantilever, CalculiX differs by {worst:.1e}")
    if not worst < 1e-4:
        failed.append(f"modes: differ by {worst}, allowed 1e-4")


def main():
    if not shutil.which("ccx"):
        node_tools.skip("CalculiX (ccx) is not here")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for kind, drawn in (("tet4", False), ("tet10", False), ("tet4", True)):
            path = folder / f"{kind}.json"
            path.write_text(json.dumps(scene_of(kind, drawn)))
            (folder / f"{kind}.dat").unlink(missing_ok=True)
            shown.limber(LIMBER, "export", path, "--to", "inp", "-o", folder / f"{kind}.inp")
            shown.limber(LIMBER, "run", path, "-o", folder / "run.limber", "--quiet")
            shown.limber(LIMBER, "export", folder / "run.limber", "--to", "npz", "-o", folder / "run.npz", "--quiet")
            ours = np.load(folder / "run.npz")["displacements"][-1]
            done = subprocess.run(
                ["ccx", kind],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=200,
                env={"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"},
            )
            dat = folder / f"{kind}.dat"
            if done.returncode != 0 or not dat.exists():
                failed.append(f"{kind}: ccx does not solve it: {done.stdout[-800:]}")
                continue
            theirs = printed(dat, len(ours))
            worst = float(np.abs(theirs - ours).max() / np.abs(ours).max())
            print(
                f"{kind:6} {len(ours)} vertices, largest displacement {np.abs(ours).max():.3g} {'mm' if drawn else 'm'}, "
                f"CalculiX differs by {worst:.1e} of it"
            )
            if not worst < BAR:
                failed.append(f"{kind}: differs by {worst}, allowed {BAR}")
        compare_modes(folder)
    return scenes.verdict(failed)


if __name__ == "__main__":
    sys.exit(main())
