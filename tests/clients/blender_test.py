#!/usr/bin/env python3
"""Blender imports our GLB, MDD and PC2 files with every vertex where we put it: blender_test.py LIMBER."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import node_tools
import shown

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
LOOK = pathlib.Path(__file__).resolve().parent / "blender_look.py"
BAR = 1e-5  # [m]
FRAMES = (0, 8, 24, 40)  # 0, 0.1, 0.3 and 0.5 s
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        failures.append(what)


def numbers_of(model):
    """Which vertex of the source each vertex of the model is, in the order Blender makes them: one primitive after the other."""
    glb = shown.Glb(model)
    return [int(v) for p in glb.primitives() for v in glb.values(p["attributes"]["_VERTEX"])]


def model_job(folder, run, name, expected, options):
    path = folder / f"{name}.glb"
    remarks = json.loads(shown.limber(LIMBER, "export", run, "--to", "glb", "-o", path, "--json", *options))["remarks"]
    stated = [float(w.split("within ")[1].split()[0]) for w in remarks if "within" in w]
    order = numbers_of(path)
    return {
        "kind": "model",
        "name": name,
        "file": str(path),
        "times": [f * 0.0125 for f in FRAMES],
        "expected": [np.asarray(e)[order].tolist() for e in expected],
        "bar": BAR + (1.01 * stated[0] if stated else 0.0),
    }


def jobs_of(folder, run):
    egg = shown.artist_surface(folder)
    shown.limber(LIMBER, "export", run, "--to", "npz", "-o", folder / "run.npz", "--quiet")
    shown.limber(LIMBER, "export", run, "--to", "obj", "--match", egg, "-o", folder / "eggs", "--quiet")
    data = np.load(folder / "run.npz")
    outside = ((np.abs(data["rest"]) < 1e-9) | (np.abs(data["rest"] - np.array(shown.SIZE)) < 1e-9)).any(axis=1)
    bar = [data["positions"][f][outside] for f in FRAMES]
    eggs = [shown.vertices_of(folder / "eggs" / f"frame_{f:06}.obj") for f in FRAMES]
    yield model_job(folder, run, "bar_every_frame", bar, ["--every-frame"])
    yield model_job(folder, run, "bar_signs", bar, ["--blender"])
    yield model_job(folder, run, "egg_every_frame", eggs, ["--match", egg, "--every-frame"])
    yield model_job(folder, run, "egg_signs", eggs, ["--match", egg, "--blender", "--targets", 12])
    for kind in ("mdd", "pc2"):
        path = folder / f"egg.{kind}"
        shown.limber(LIMBER, "export", run, "--to", kind, "--match", egg, "-o", path, "--quiet")
        yield {
            "kind": "cache",
            "name": kind,
            "format": kind,
            "file": str(path),
            "surface": str(egg),
            "frames": FRAMES,
            "expected": eggs,
            "bar": BAR,
        }
    # Another unit and axis: the cache must still lie on the artist's file as it is.
    scaled = folder / "egg_cm.obj"
    scaled.write_text(
        "".join(
            "v %.9g %.9g %.9g\n" % (100 * p[0], -100 * p[2], 100 * p[1])
            if (p := [float(w) for w in line.split()[1:4]] if line.startswith("v ") else None)
            else line
            for line in egg.read_text().splitlines(keepends=True)
        )
    )
    shown.limber(
        LIMBER,
        "export",
        run,
        "--to",
        "mdd",
        "--match",
        scaled,
        "--match-unit",
        "cm",
        "--match-up",
        "z",
        "-o",
        folder / "egg_cm.mdd",
        "--quiet",
    )
    yield {
        "kind": "cache",
        "name": "mdd in cm, z up",
        "format": "mdd",
        "file": str(folder / "egg_cm.mdd"),
        "surface": str(scaled),
        "frames": FRAMES,
        "expected": [[[100 * x, -100 * z, 100 * y] for x, y, z in e] for e in eggs],
        "bar": 100 * BAR,
    }


def flesh_job(folder):
    """Shape keys under an armature, as limber morphs and skins the same file."""
    figure = folder / "humanoid.glb"
    shown.limber(LIMBER, "mesh", "asset", "humanoid", "--triangles", 4000, "-o", figure)
    model = shown.jiggling(LIMBER, folder, figure, "dyrt_blender", "--for", "blender", "--clips", 0, "--rate", 24)
    duration = json.loads(shown.limber(LIMBER, "rig", "info", model, "--json"))["clips"][0]["duration"]
    times, expected = [duration * i / 19 for i in range(20)], []
    for t in times:
        shown.limber(LIMBER, "rig", "pose", model, "--clip", 0, "--time", repr(t), "-o", folder / "posed.obj")
        expected.append(shown.vertices_of(folder / "posed.obj"))
    return {
        "kind": "figure",
        "name": "flesh",
        "file": str(model),
        "times": times,
        "expected": expected,
        "bar": 1e-4 * 1.8,
    }


def main():
    if not shutil.which("blender"):
        node_tools.skip("blender is not here")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        run = shown.record(LIMBER, folder)
        jobs = [*jobs_of(folder, run), flesh_job(folder)]
        (folder / "jobs.json").write_text(json.dumps(jobs))
        done = subprocess.run(
            [
                "blender",
                "-b",
                "--factory-startup",
                "--python-exit-code",
                "1",
                "--python",
                str(LOOK),
                "--",
                str(folder / "jobs.json"),
                str(folder / "results.json"),
            ],
            capture_output=True,
            text=True,
            timeout=280,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            print(done.stdout[-3000:], done.stderr[-3000:])
            return 1
        for job, result in zip(jobs, json.loads((folder / "results.json").read_text())):
            for when, shot in zip(FRAMES if job["kind"] != "figure" else range(20), result["shots"]):
                good = shot["worst"] is not None and shot["worst"] <= job["bar"]
                check(
                    good,
                    f"{job['name']:16} frame {when:2}: {shot['vertices']} vertices, worst "
                    f"{shot['worst'] if shot['worst'] is None else format(shot['worst'], '.2e')} m, allowed {job['bar']:.2e}",
                )
            if job["name"].startswith("egg"):
                check(
                    result["materials"] == ["base", "shell"] and result["uv_layers"] == 1,
                    f"{job['name']}: materials {result['materials']}, {result['uv_layers']} texture layer",
                )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
