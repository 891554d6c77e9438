#!/usr/bin/env python3
"""From a surface file to a moving GLB without a mesh in between: own_object_test.py LIMBER SCENES. Standard library only."""
import json
import pathlib
import struct
import sys
import tempfile

from driver import as_json, check, failures, fails, run

SCENES = pathlib.Path(sys.argv[2])
SCENE = {
    "format": 1,
    "bodies": [
        {
            "mesh": {"path": "cube.obj", "cells": 600},
            "materials": [{"young": 2e4, "poisson": 0.4, "density": 1000}],
            "anchors": [{"set": "bottom"}],
        }
    ],
    "gravity": [0, -9.81, 0],
    "method": {"name": "linear_fem"},
    "step": 0.02,
    "duration": 0.2,
}


def cube(side):
    lines = ["mtllib cube.mtl"] + [f"v {(i & 1) * side} {(i >> 1 & 1) * side} {(i >> 2 & 1) * side}" for i in range(8)]
    return (
        "\n".join(
            lines
            + [
                "vt 0 0",
                "vt 1 0",
                "vt 1 1",
                "vt 0 1",
                "usemtl red",
                "f 1/1 3/2 4/3 2/4",
                "usemtl grey",
                "f 5 6 8 7",
                "f 1 2 6 5",
                "f 3 7 8 4",
                "f 1 5 7 3",
                "f 2 4 8 6",
            ]
        )
        + "\n"
    )


def write_scene(folder, name, **mesh):
    scene = json.loads(json.dumps(SCENE))
    if mesh:
        scene["bodies"][0]["mesh"] = mesh
    (folder / name).write_text(json.dumps(scene))
    return folder / name


def gltf_of(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def ran(*arguments, folder=None):
    done = run(*arguments, folder=folder)
    check(done.returncode == 0, f"{arguments} succeeds: {done.stderr}")
    return done


def whole_way(folder):
    scene = write_scene(folder, "own.json")
    words = ran("check", scene).stdout
    check("tet4 cells" in words and "made of a surface: cell size" in words, f"check says what was made: {words}")
    report = as_json("check", scene)
    check(
        report["scene"]["solid"]["volume"] > 0.0078 and report["scene"]["shown_vertices"] == 8,
        f"and so does --json: {report['scene']}",
    )
    recording = folder / "own.limber"
    ran("run", scene, "-o", recording)
    done = ran("export", recording, "--to", "glb", "-o", folder / "own.glb")
    check("of 8 vertices" in done.stdout, f"the count is the surface's: {done.stdout}")
    model = gltf_of(folder / "own.glb")
    check({m["name"] for m in model["materials"]} == {"red", "grey"}, "materials are kept without --match")
    check(any("TEXCOORD_0" in p["attributes"] for p in model["meshes"][0]["primitives"]), "and texture coordinates")
    check(len(model["animations"]) == 1, "it plays")
    # --boundary is the body itself; pc2 follows the surface.
    body = as_json("export", recording, "--to", "glb", "--boundary", "-o", folder / "body.glb")
    check(body["vertices"] > 50, f"the boundary of the solid: {body['vertices']}")
    check(
        as_json("export", recording, "--to", "pc2", "-o", folder / "own.pc2")["vertices"] == 8,
        "a cache of the artist's vertices",
    )
    check(
        as_json("export", recording, "--to", "pc2", "--boundary", "-o", folder / "all.pc2")["vertices"]
        == report["scene"]["vertices"],
        "or of all of the body's",
    )
    # The file may go: the recording keeps a copy, and one line says so.
    (folder / "cube.obj").unlink()
    done = ran("export", recording, "--to", "glb", "-o", folder / "again.glb")
    notes = [line for line in done.stderr.splitlines() if "cube.obj" in line]
    check(len(notes) == 1 and "copy in the recording" in notes[0], f"one line: {done.stderr}")
    check(
        {m["name"] for m in gltf_of(folder / "again.glb")["materials"]} == {"red", "grey"}, "looks come from the copy"
    )
    (folder / "cube.obj").write_text(cube(0.2))
    return recording


def on_the_surface(folder, recording):
    coarse = folder / "coarse.limber"
    ran("run", folder / "own.json", "--set", "mesh.cells=1500", "-o", coarse)
    own = {m["name"]: m for m in as_json("metrics", recording, coarse, "--surface")["metrics"]}
    check(
        set(own) == {"shown_l2", "shown_mean", "shown_max", "shown_normal"},
        f"measures on the recording's surface: {sorted(own)}",
    )
    first_swing = own["shown_l2"]["value"][1:8]  # later both are near rest, and any phase looks like much
    check(all(0 < v < 0.1 for v in first_swing), f"another mesh differs, and not wildly: {first_swing}")
    same = {m["name"]: m for m in as_json("metrics", recording, coarse, "--surface", folder / "cube.obj")["metrics"]}
    check(
        same["shown_max"]["value"] == own["shown_max"]["value"], "the file gives what the recording's own surface gives"
    )
    every = [m["name"] for m in as_json("metrics", recording, coarse)["metrics"]]
    check("relative_l2" in every and "shown_l2" in every, "without --surface both kinds are listed")
    check(
        as_json("metrics", recording, recording, "--metric", "shown_max")["metrics"][0]["value"][-1] == 0,
        "a run is at no distance from itself",
    )
    # Series of other programs stand on the recording's body.
    ran("export", coarse, "--to", "npz", "-o", folder / "coarse.npz")
    fails("metrics", folder / "coarse.npz", folder / "coarse.npz", words=["at least one recording"])
    npz = as_json("metrics", coarse, folder / "coarse.npz", "--metric", "max_distance")["metrics"][0]["value"]
    check(max(npz) < 1e-12, f"an exported series is at no distance from its recording: {npz}")
    fails("metrics", recording, coarse, "--surface", folder / "none.obj", words=["none.obj"])
    card = as_json(
        "compare",
        folder / "own.json",
        "--vary",
        "step=0.02,0.01",
        "--reference",
        recording,
        "--metric",
        "shown_l2",
        "--no-pictures",
        "-o",
        folder / "card",
    )
    check("shown_l2" in json.dumps(card), "compare ranks by the shown surface")


def refusals(folder):
    done = fails(
        "run",
        write_scene(folder, "hollow.json", path="cube.obj"),
        "-o",
        folder / "x.limber",
        words=["/bodies/0/mesh/path", '"cells" beside it'],
    )
    check("did you" not in done.stderr, "a plain sentence")
    for mesh, word in (
        ({"path": "cube.obj", "cells": 0}, "at least 1"),
        ({"path": "cube.obj", "cells": 1000000000}, "5000000"),
        ({"path": "cube.obj", "cell_size": 1e-9}, "5000000"),
        ({"path": "none.obj", "cells": 9}, "none.obj"),
        ({"asset": "dukc", "cells": 9}, "duck"),
    ):
        bad = write_scene(folder, "bad.json", **mesh)
        done = run("check", bad)
        check(
            done.returncode == 2 and word in done.stderr and len(done.stderr.splitlines()) == 1,
            f"{mesh}: {done.stderr}",
        )
    check(not (folder / "x.limber").exists(), "nothing is left of what was refused")


def shipped(folder):
    for name in ("duck", "organ"):
        scene = SCENES / "objects" / f"{name}.json"
        recording = folder / f"{name}.limber"
        report = as_json("run", scene, "-o", recording, "--duration", 0.1)
        check(report["ok"], f"{name} runs: {report['message']}")
        glb = as_json("export", recording, "--to", "glb", "-o", folder / f"{name}.glb")
        check(
            glb["vertices"] > 2000 and len(gltf_of(folder / f"{name}.glb")["materials"]) > 1,
            f"{name} is exported as it looks: {glb['vertices']}",
        )
    sets = run("check", SCENES / "objects" / "organ.json").stdout
    check("cell set liver" in sets and "cell set vessel" in sets, f"the organ's parts: {sets}")


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "cube.obj").write_text(cube(0.2))
        (folder / "cube.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl grey\nKd 0.5 0.5 0.5\n")
        on_the_surface(folder, whole_way(folder))
        refusals(folder)
        shipped(folder)
    print("FAILED" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
