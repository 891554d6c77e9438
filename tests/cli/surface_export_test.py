#!/usr/bin/env python3
"""limber export to surfaces, GLB and INP: surface_export_test.py LIMBER SCENES. Standard library only."""
import json
import pathlib
import struct
import sys
import tempfile

from driver import check, failures, fails, run

SCENE = {
    "format": 1,
    "name": "bar",
    "bodies": [
        {
            "mesh": {"shape": "box", "kind": "tet4", "counts": [4, 2, 2], "low": [0, 0, 0], "high": [0.4, 0.2, 0.2]},
            "materials": [{"young": 2e4, "poisson": 0.4, "density": 1000}],
            "anchors": [{"name": "wall", "set": "left"}],
        }
    ],
    "gravity": [0, -2, 0],
    "method": {"name": "linear_fem", "options": {}},
    "step": 0.025,
    "duration": 0.25,
}
TILE = (
    "# mine\nmtllib tile.mtl\nv 0.10 0.05 0.20\nv 0.30 0.05 0.20\nv 0.30 0.15 0.20\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nusemtl red\ng front\nf 1/1 2/2 3/3\n"
)


def succeeds(*arguments):
    done = run(*arguments)
    check(done.returncode == 0, f"{arguments} succeeds: {done.stderr}")
    return done


def surfaces(folder, recording):
    tile = folder / "tile.obj"
    tile.write_text(TILE)
    done = succeeds("export", recording, "--to", "obj", "--match", tile, "-o", folder / "tiles")
    check("tile.mtl" in done.stderr, "the material library to keep beside the files is named")
    names = sorted(p.name for p in (folder / "tiles").glob("*.obj"))
    check(len(names) == 11 and names[0] == "frame_000000.obj", f"a file per frame: {names}")
    first, last = ((folder / "tiles" / name).read_text() for name in (names[0], names[-1]))
    check(
        first.startswith(TILE) and first[len(TILE) :].startswith("# written by limber"),
        "at rest the artist's text is kept, and a comment added",
    )
    kept = lambda words: [
        line for line in words.splitlines() if not line.startswith(("v ", "# written by"))
    ]  # noqa: E731
    check(kept(last) == kept(TILE) and last[: len(TILE)] != TILE, "later only v lines change")
    for kind in ("obj", "ply", "stl"):
        out = folder / f"one.{kind}"
        succeeds("export", recording, "--to", kind, "--time", 0.11, "-o", out)
        info = json.loads(succeeds("mesh", "info", out, "--json").stdout)
        check(info["vertices"] == 42, f"{kind}: the boundary's 42 vertices: {info}")
    fails("export", recording, "--to", "obj", "--match", tile, "-o", tile, "--time", 0, words=["tile.obj"])
    fails("export", recording, "--to", "obj", "-o", folder / "x.obj", "--time", 9, words=["9", "0.25"])
    fails("export", recording, "--to", "npz", "--match", tile, "-o", folder / "x.npz", words=["--match"])
    fails("export", recording, "--to", "obj", "--targets", 3, "-o", folder / "x", words=["glb"])
    fails("export", recording, "--to", "obj", "--match", folder / "none.obj", "-o", folder / "x", words=["none.obj"])
    check(not (folder / "x").exists() and not (folder / "x.obj").exists(), "nothing is left of what was refused")


def dirty_surface(folder):
    """A run is made of any surface, so the export says when the one that is shown looks torn; the doctor's cure works."""
    succeeds(
        "mesh", "asset", "duck", "--triangles", 1000, "--dirty", "combined", "--seed", 3, "-o", folder / "dirty.obj"
    )
    scene = json.loads(json.dumps(SCENE))
    scene["bodies"][0]["mesh"] = {"path": "dirty.obj", "cells": 500}
    scene["bodies"][0]["anchors"][0]["set"] = "bottom"
    (folder / "dirty.json").write_text(json.dumps(scene))
    succeeds("run", folder / "dirty.json", "-o", folder / "dirty.limber")
    for kind, times in (("glb", []), ("ply", ["--time", 0.1])):
        done = succeeds("export", folder / "dirty.limber", "--to", kind, *times, "-o", folder / f"dirty.{kind}")
        for words in ("turned the wrong way", "given before", "limber mesh doctor", "dirty.obj --fix"):
            check(words in done.stderr, f"{kind}: the note says {words!r}: {done.stderr}")
    succeeds("mesh", "doctor", folder / "dirty.obj", "--fix", "-o", folder / "mended.obj")
    mended = ["--set", "mesh.path=mended.obj"]
    succeeds("run", folder / "dirty.json", *mended, "-o", folder / "mended.limber")
    done = succeeds("export", folder / "mended.limber", "--to", "glb", "-o", folder / "mended.glb")
    check("doctor" not in done.stderr, f"of the mended one nothing is said: {done.stderr}")


def moved_away(folder):
    """The surface lies beside the recording, and somebody in another folder exports it."""
    here, there = folder / "here", folder / "there"
    here.mkdir()
    there.mkdir()
    succeeds("mesh", "asset", "duck", "--triangles", 1000, "-o", here / "duck.obj")
    scene = json.loads(json.dumps(SCENE))
    scene["bodies"][0]["mesh"] = {"path": "duck.obj", "cells": 500}
    scene["bodies"][0]["anchors"][0]["set"] = "bottom"
    (here / "duck.json").write_text(json.dumps(scene))
    done = run("run", "duck.json", "-o", "duck.limber", folder=here)
    check(done.returncode == 0, f"a run from its own folder: {done.stderr}")
    for name, place in (("above", folder), ("there", there)):
        done = run("export", here / "duck.limber", "--to", "glb", "-o", folder / f"{name}.glb", folder=place)
        check(done.returncode == 0 and "not there any more" not in done.stderr, f"from {name}: {done.stderr}")
    (here / "duck.obj").unlink()
    done = run("export", here / "duck.limber", "--to", "glb", "-o", folder / "gone.glb", folder=there)
    check("duck.obj is not there any more" in done.stderr, f"what is gone is gone: {done.stderr}")


def model(folder, recording):
    out = folder / "bar.glb"
    report = json.loads(succeeds("export", recording, "--to", "glb", "--targets", 2, "-o", out, "--json").stdout)
    check(
        any("2 morph targets" in remark and "within" in remark for remark in report["remarks"]),
        f"the error is stated: {report['remarks']}",
    )
    data = out.read_bytes()
    root = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    check(
        root["asset"]["version"] == "2.0" and report["scene_hash"] in root["asset"]["extras"]["about"],
        "the model names its scene",
    )
    check(
        len(root["meshes"][0]["primitives"][0]["targets"]) == 2 and len(root["animations"]) == 1,
        "two targets and an animation",
    )
    fails("export", recording, "--to", "glb", "--unit", "cm", "-o", out, words=["metres"])
    fails("export", recording, "--to", "glb", "--targets", 2, "--every-frame", "-o", out)


def deck(folder, recording, scene):
    succeeds("export", scene, "--to", "inp", "-o", folder / "bar.inp")
    words = (folder / "bar.inp").read_text()
    for card in (
        "*ELEMENT, TYPE=C3D4",
        "*ELASTIC\n20000., 0.4",
        "*DENSITY\n1000.",
        "*BOUNDARY\nLIMBER_ANCHOR_0, 1, 1",
        "GRAV, 2., 0., -1., 0.",
        "*END STEP",
        "written by limber",
    ):
        check(card in words, f"the deck has {card!r}")
    done = succeeds("export", recording, "--to", "inp", "-o", folder / "recorded.inp")
    check(
        "gravity and forces" in done.stderr and "GRAV" not in (folder / "recorded.inp").read_text(),
        "a recording's deck says that it has no loads",
    )
    succeeds("export", scene, "--to", "inp", "--unit", "cm", "--up", "z", "-o", folder / "y.inp")
    words = (folder / "y.inp").read_text()
    for card in ("*ELASTIC\n2., 0.4", "GRAV, 200., 0., 0., -1.", "lengths in cm"):
        check(card in words, f"the deck in cm, z up, has {card!r}")
    check(abs(float(words.split("*DENSITY\n")[1].split("\n")[0]) / 1e-5 - 1) < 1e-12, "and its density in N s^2/cm^4")
    fails("export", scene, "--to", "inp", "--rate", 5, "-o", folder / "y.inp", words=["--rate"])
    fails("export", scene, "--to", "inp", "--time", -1, "-o", folder / "y.inp", words=["--time"])


def missing_library(folder):
    """Verbs that read a scene say that a library its surface names is not there; --quiet says nothing."""
    (folder / "plain.obj").write_text("mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")
    scene = folder / "plain.json"
    scene.write_text(
        json.dumps(
            dict(SCENE, bodies=[dict(SCENE["bodies"][0], surface=dict(path="plain.obj"))], duration=SCENE["step"])
        )
    )
    for arguments in (
        ("check", scene),
        ("export", scene, "--to", "inp", "-o", folder / "plain.inp"),
        ("compare", scene, "--no-pictures", "-o", folder / "card"),
        ("sweep", scene, "--set", "material.young=1e4,2e4", "-o", folder / "swept"),
    ):
        done = run(*arguments)
        said = done.stdout + done.stderr
        check("gone.mtl" in said and "is not there" in said, f"{arguments[0]} names the missing library: {said[-300:]}")
    check(
        "gone.mtl" not in run("sweep", scene, "--set", "material.young=1e4,2e4", "-o", folder / "quiet", "-q").stderr,
        "--quiet says nothing of it",
    )


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        scene = folder / "bar.json"
        scene.write_text(json.dumps(SCENE))
        recording = folder / "bar.limber"
        succeeds("run", scene, "-o", recording, "--quiet")
        surfaces(folder, recording)
        model(folder, recording)
        deck(folder, recording, scene)
        missing_library(folder)
        dirty_surface(folder)
        moved_away(folder)
    print("FAILED" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
