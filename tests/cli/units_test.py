#!/usr/bin/env python3
"""Every verb that reads a model doubts an unlikely size, and believes a unit that is given: units_test.py LIMBER SCENES.

Standard library only."""
import json
import pathlib
import struct
import sys
import tempfile

from driver import as_json, check, failures, humanoid_in, run

SCENES = pathlib.Path(sys.argv[2])
LARGE = "the longest side is 296 m: too large"
HIGH = "m high: probably made in centimetres"


def cube(side):
    corners = [f"v {(i & 1) * side} {(i >> 1 & 1) * side} {(i >> 2 & 1) * side}" for i in range(8)]
    return "\n".join([*corners, "f 1 3 4 2", "f 5 6 8 7", "f 1 2 6 5", "f 3 7 8 4", "f 1 5 7 3", "f 2 4 8 6"]) + "\n"


def scene(mesh, **more):
    return {
        "format": 1,
        "bodies": [
            {
                "mesh": mesh,
                "materials": [{"young": 2e7, "poisson": 0.3, "density": 1000}],
                "anchors": [{"set": "bottom"}],
                **more,
            }
        ],
        "gravity": [0, -9.81, 0],
        "method": {"name": "linear_fem"},
        "step": 0.02,
        "duration": 0.04,
    }


def in_centimetres(source, target):
    """The character a hundred times as large, as a program leaves it that takes centimetres for metres."""
    data = source.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf, rest = json.loads(data[20 : 20 + length]), data[20 + length :]
    for part in gltf["scenes"]:
        gltf["nodes"].append({"name": "exported", "children": part["nodes"], "scale": [100, 100, 100]})
        part["nodes"] = [len(gltf["nodes"]) - 1]
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    target.write_bytes(
        struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest
    )


def doubts(folder, *arguments, words=LARGE, code=0):
    name = " ".join(map(str, arguments))
    done = run(*arguments, folder=folder)
    check(done.returncode == code, f"'{name}' exits with {code}, not {done.returncode}: {done.stderr}")
    told = [line for line in done.stderr.splitlines() if words in line]
    check(
        len(told) == 1 and told[0].startswith(("limber: warning: ", "limber: note: ")),
        f"'{name}' doubts the size once: {done.stderr!r}",
    )


def believes(folder, *arguments, words=LARGE):
    name = " ".join(map(str, arguments))
    done = run(*arguments, folder=folder)
    check(done.returncode == 0, f"'{name}' succeeds: {done.stderr}")
    check(
        words not in done.stderr + done.stdout and "too large" not in done.stderr,
        f"'{name}' does not doubt: {done.stderr!r} {done.stdout!r}",
    )


def test_files(folder):
    (folder / "duck.obj").write_text(cube(296))
    (folder / "bead.obj").write_text(cube(0.0004))
    solid = ["mesh", "solid", "duck.obj", "--cells", 200, "-o", "duck.msh"]
    cage = ["mesh", "cage", "duck.obj", "--cells-across", 2, "-o", "cage.vtu"]
    for command in (solid, cage):
        doubts(folder, *command)
        believes(folder, *command, "--unit", "cm")
        believes(folder, *command, "--quiet")
        believes(folder, *command, "--unit", "m")
        notes = as_json(*command, "--quiet", folder=folder)["notes"]
        check(len(notes) == 1 and "--unit cm" in notes[0], f"JSON has the doubt, also with --quiet: {notes}")
    doubts(folder, "mesh", "solid", "bead.obj", "--cells", 200, "-o", "bead.msh", words="too small")
    doubts(folder, "mesh", "info", "duck.obj")
    doubts(folder, "mesh", "info", "duck.msh")
    check(len(as_json("mesh", "info", "duck.msh", folder=folder)["notes"]) == 1, "mesh info has the doubt in JSON")
    doubts(folder, "modes", "duck.msh", "--material", "rubber", "--count", 1)
    doubts(folder, "render", "duck.obj", "--size", "64x64", "-o", "duck.png")
    doubts(folder, "render", "duck.msh", "--size", "64x64", "-o", "duck.png")
    check(LARGE in run("mesh", "doctor", "duck.obj", folder=folder).stdout, "the doctor notes the size")
    believes(folder, "mesh", "doctor", "duck.obj", "--unit", "m")
    believes(folder, "mesh", "doctor", "duck.obj", "--unit", "cm")


def test_scenes(folder):
    given = {"path": "duck.obj", "cells": 200}
    (folder / "duck.json").write_text(json.dumps(scene(given)))
    (folder / "meant.json").write_text(json.dumps(scene({**given, "unit": "m"})))
    (folder / "mesh.json").write_text(
        json.dumps(scene({"path": "duck.msh"}, sets=[{"name": "bottom", "box": [[-1, -1, -1], [300, 10, 300]]}]))
    )
    (folder / "shown.json").write_text(
        json.dumps(
            scene(
                {"shape": "box", "kind": "hex8", "counts": [2, 2, 2], "high": [296, 296, 296]},
                surface={"path": "duck.obj"},
            )
        )
    )
    (folder / "own.json").write_text(
        json.dumps(scene({"shape": "box", "kind": "hex8", "counts": [2, 2, 2], "high": [296, 296, 296]}))
    )
    for name in ("duck.json", "mesh.json", "shown.json"):
        doubts(folder, "check", name)
    believes(folder, "check", "meant.json")
    believes(folder, "check", "own.json")
    believes(folder, "check", "duck.json", "--set", "bodies.0.mesh.unit=cm")
    believes(folder, "check", "shown.json", "--set", "bodies.0.surface.unit=m")
    warnings = as_json("check", "duck.json", folder=folder)["warnings"]
    check(
        any(w["field"] == "/bodies/0/mesh" and LARGE in w["found"] and '"unit": "cm"' in w["found"] for w in warnings),
        f"check has it in JSON: {warnings}",
    )
    check(
        any(LARGE in note for note in as_json("run", "duck.json", "--quiet", "-o", "a.limber", folder=folder)["notes"]),
        "run has it in JSON",
    )
    small = ["--set", "duration=0.02"]
    for command in (
        ["run", "duck.json", "-o", "duck.limber"],
        ["modes", "duck.json", "--count", 1],
        ["render", "duck.json", "--size", "64x64", "-o", "duck.png"],
        ["export", "duck.json", "--to", "inp", "-o", "duck.inp"],
        ["export", "duck.json", "--to", "matrices", "-o", "matrices"],
        ["compare", "duck.json", *small, "--reference", "linear_fem", "--no-pictures", "-o", "card"],
        ["sweep", "duck.json", "--set", "material.young=1e7,2e7", "--fresh", "-o", "sweep"],
        ["sensitivity", "duck.json", "--parameter", "material.young", "-o", "sensitivity"],
    ):
        doubts(folder, *command)
        believes(folder, *[word if word != "duck.json" else "meant.json" for word in command])


def test_characters(folder):
    in_centimetres(humanoid_in(folder), folder / "large.glb")
    flesh = ["rig", "flesh", "large.glb", "--flesh", "thigh=bone:thigh_l", "--cells", 4000, "-o", "parts"]
    doubts(folder, *flesh, words=HIGH)
    believes(folder, *flesh, "--unit", "cm", words=HIGH)
    check(any(HIGH in note for note in as_json(*flesh, "--quiet", folder=folder)["notes"]), "rig flesh has it in JSON")
    doubts(folder, "rig", "pose", "large.glb", "-o", "pose.obj", words=HIGH)
    doubts(folder, "render", "large.glb", "--size", "64x64", "-o", "large.png", words=HIGH)
    check(
        "probably made in centimetres" in run("rig", "info", "large.glb", folder=folder).stdout, "rig info has the hint"
    )
    check(
        "probably made" not in run("rig", "info", "large.glb", "--unit", "m", folder=folder).stdout,
        "rig info believes --unit",
    )
    mesh = {"path": "large.glb", "flesh": "bone:thigh_l", "cells": 4000}
    (folder / "flesh.json").write_text(
        json.dumps({**scene(mesh), "bodies": [{**scene(mesh)["bodies"][0], "anchors": [{"set": "held"}]}]})
    )
    doubts(folder, "check", "flesh.json", words=HIGH)
    believes(folder, "check", "flesh.json", "--set", "bodies.0.mesh.unit=cm", words=HIGH)
    # The unit counts: the same flesh as that of the character in metres.
    solids = [
        as_json("check", "flesh.json", *more, folder=folder)["scene"]
        for more in ([], ["--set", "bodies.0.mesh.unit=cm"])
    ]
    check(solids[0]["cells"] == solids[1]["cells"], f"the unit scales flesh, and nothing else: {solids}")
    (folder / "skin.json").write_text(json.dumps(scene({"path": "large.glb", "unit": "cm", "cells": 800})))
    believes(folder, "run", "skin.json", "-o", "skin.limber")
    as_glb = as_json("export", "skin.limber", "--to", "glb", "-o", "skin.glb", folder=folder)
    check(as_glb["unit"] == "m", f"a GLB is in metres: {as_glb}")
    height = as_json("rig", "info", "skin.glb", folder=folder)["height"]
    check(1.0 < height < 2.5, f"and so is what is written of a character in centimetres: {height}")
    as_obj = as_json("export", "skin.limber", "--to", "obj", "--time", 0, "-o", "skin.obj", folder=folder)
    tall = max(
        float(line.split()[2]) for line in (folder / "skin.obj").read_text().splitlines() if line.startswith("v ")
    )
    check(as_obj["unit"] == "cm" and 100 < tall < 250, f"an OBJ goes back to the file's own unit: {as_obj} {tall}")


def test_own_scenes_are_believed():
    for path in sorted(SCENES.rglob("*.json")):
        if '"path"' in path.read_text():
            done = run("check", path)
            check(
                "too large" not in done.stderr and "too small" not in done.stderr,
                f"{path} is not doubted: {done.stderr}",
            )


with tempfile.TemporaryDirectory() as temporary:
    here = pathlib.Path(temporary)
    test_files(here)
    test_scenes(here)
    test_characters(here)
    test_own_scenes_are_believed()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
