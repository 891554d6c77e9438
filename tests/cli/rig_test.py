#!/usr/bin/env python3
"""limber rig as its users meet it: rig_test.py LIMBER SCENES. Standard library only."""
import base64
import json
import pathlib
import struct
import sys
import tempfile

from driver import check, failures, fails, run


BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -170 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 90 0 0 0 0 0 0 0
0 95 0 0 0 0 10 0 0
0 90 0 0 0 0 0 0 0
"""


def gltf_in(folder):
    """A square on two bones, painted; 120 units high."""
    positions = struct.pack("<12f", 0, 0, 0, 60, 0, 0, 0, 120, 0, 60, 120, 0)
    joints = bytes([0, 1, 0, 0] * 4)
    weights = struct.pack("<16f", 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    belly = struct.pack("<4f", 0, 0, 0.5, 1)
    indices = struct.pack("<6H", 0, 1, 2, 1, 3, 2)
    parts = [positions, joints, weights, belly, indices]
    views, data = [], b""
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part
    kinds = [(5126, 4, "VEC3"), (5121, 4, "VEC4"), (5126, 4, "VEC4"), (5126, 4, "SCALAR"), (5123, 6, "SCALAR")]
    content = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": i, "componentType": c, "count": n, "type": t} for i, (c, n, t) in enumerate(kinds)
        ],
        "nodes": [
            {"name": "Hips", "children": [1]},
            {"name": "Spine", "translation": [0, 60, 0]},
            {"mesh": 0, "skin": 0},
        ],
        "skins": [{"joints": [0, 1]}],
        "meshes": [
            {
                "name": "square",
                "primitives": [
                    {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2, "_BELLY": 3}, "indices": 4}
                ],
            }
        ],
    }
    path = folder / "square.gltf"
    path.write_text(json.dumps(content))
    return path


def test_gltf(folder):
    path = gltf_in(folder)
    done = run("rig", "info", path)
    check(done.returncode == 0, f"rig info reads a glTF file: {done.stderr}")
    for word in ("3 bones", "Spine", "square", "_BELLY", "belly=bone:Spine+paint:_BELLY", "--unit cm"):
        check(word in done.stdout, f"rig info tells {word!r}: {done.stdout}")
    told = json.loads(run("rig", "info", path, "--json", "--unit", "cm", "--region", "b=paint:_BELLY").stdout)
    check(
        abs(told["height"] - 1.8) < 1e-6,
        f"the second bone is moved up by its rest place and centimetres are metres now: {told['height']}",
    )
    check(
        told["regions"] == [{"name": "b", "free": 1, "between": 1, "held": 2}],
        f"a painted region is counted: {told['regions']}",
    )
    check(
        "provenance" in told and told["likely_unit"]["name"] == "metres",
        "JSON has provenance and the unit is now plausible",
    )
    check(
        told["region_lines"] == [] and any("belly=" in r["line"] and r["why"] for r in told["no_flesh"]),
        f"a square is no flesh, and that is said: {told['region_lines']} {told['no_flesh']}",
    )
    fails("rig", "info", path, "--region", "a=bone:Spien", words=["did you mean 'Spine'"])
    fails("rig", "info", path, "--region", "a=bone:pin", words=["did you mean '*pin*'"])
    fails("rig", "info", path, "--region", "a=skin:x", words=["bone:GLOB"])
    fails("rig", "info", path, "--unit", "parsec", words=["--unit", "cm"])


def test_pose(folder):
    path, figure = gltf_in(folder), folder / "figure.glb"
    done = run("rig", "pose", path, "-o", folder / "rest.obj")
    lines = [line for line in (folder / "rest.obj").read_text().splitlines() if line.startswith("v ")]
    check(
        done.returncode == 0 and [float(w) for w in lines[3].split()[1:]] == [60, 180, 0],
        f"the upper bone lifts its corners: {lines}",
    )
    check(run("mesh", "asset", "humanoid", "--triangles", "3000", "-o", figure).returncode == 0, "a figure is made")
    walked = json.loads(
        run("rig", "pose", figure, "--clip", "walk", "--time", "0.3", "-o", folder / "walk.ply", "--json").stdout
    )
    run("rig", "pose", figure, "-o", folder / "rest.ply")
    check(
        walked["faces"] > 1000 and (folder / "walk.ply").read_bytes() != (folder / "rest.ply").read_bytes(),
        f"the figure moves: {walked}",
    )
    duration = next(
        c["duration"] for c in json.loads(run("rig", "info", figure, "--json").stdout)["clips"] if c["name"] == "walk"
    )

    def points(name, *more):
        run("rig", "pose", figure, "--clip", "walk", *more, "-o", folder / name)
        return [
            [float(w) for w in line.split()[1:]]
            for line in (folder / name).read_text().splitlines()
            if line.startswith("v ")
        ]

    once, later, end = (
        points("a.obj", "--time", "0.3"),
        points("b.obj", "--time", repr(0.3 + duration), "--loop"),
        points("c.obj", "--time", repr(duration)),
    )
    apart = lambda p, q: max(abs(x - y) for u, v in zip(p, q) for x, y in zip(u, v))  # noqa: E731
    check(
        apart(once, later) < 1e-9 < 1e-3 < apart(once, end),
        f"a loop goes on where the clip ends: {apart(once, later)}, {apart(once, end)}",
    )
    past = ("rig", "pose", figure, "--clip", "walk", "-o", folder / "x.obj")
    fails(*past, "--time", repr(0.3 + duration), words=["--time", "--loop"])
    fails(*past, "--time", "-0.1", words=["--time"])
    fails(*past, "--time", "nan", words=["--time"])
    fails("rig", "pose", figure, "--time", "1", "-o", folder / "x.obj", words=["--clip"])
    fails("rig", "pose", figure, "--clip", "wlak", "-o", folder / "x.obj", words=["walk"])
    fails("rig", "pose", figure, "-o", folder / "x.msh", words=[".obj, .ply or .stl"])


def test_bvh(folder):
    path = folder / "walk.bvh"
    path.write_text(BVH)
    told = json.loads(run("rig", "info", path, "--json").stdout)
    check(
        told["unit"] == 0.01 and any("centimetres" in note for note in told["notes"]),
        f"the unit is guessed and told: {told['notes']}",
    )
    check([bone["name"] for bone in told["bones"]] == ["Hips", "LeftUpLeg", "LeftUpLeg_end"], "bones in order")
    clip = told["clips"][0]
    check(
        len(told["clips"]) == 1
        and (clip["name"], clip["duration"], clip["curves"], clip["repeats"]) == ("", 1.0, 3, True),
        f"one clip of a second: {told['clips']}",
    )
    speeds = {m["bone"]: (m["speed"], m["degrees_per_second"]) for m in clip["moves"]}
    check(
        abs(speeds["Hips"][0] - 0.1) < 1e-9 and abs(speeds["LeftUpLeg"][1] - 20) < 1e-6,
        f"5 cm and 10 degrees in half a second: {speeds}",
    )
    path.write_text(BVH.replace("Frames: 3", "Frames: 3000000"))
    fails("rig", "info", path, words=["walk.bvh:17"])


def test_usage(folder):
    (folder / "x.txt").write_text("x")
    fails("rig", "info", folder / "x.txt", words=[".glb, .gltf or .bvh"])
    fails("rig", "info", folder / "none.glb", words=["none.glb"])
    fails("rig", words=["info"])


with tempfile.TemporaryDirectory() as name:
    for test in (test_gltf, test_pose, test_bvh, test_usage):
        test(pathlib.Path(name))
print("ok" if not failures else f"{len(failures)} failures")
sys.exit(1 if failures else 0)
