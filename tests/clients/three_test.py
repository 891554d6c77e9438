#!/usr/bin/env python3
"""three.js in headless Chromium plays our GLB files and puts every vertex where the run has it: three_test.py LIMBER NODE_FOLDER."""
import json
import pathlib
import shutil
import sys
import tempfile

import numpy as np

import node_tools
import shown

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
BAR = 1e-6  # [m]; 32-bit floats of half a metre are good to 6e-8
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        failures.append(what)


def farthest(shot, expected):
    """Largest distance of any vertex three.js has from where it should be; 1e9 when some are missing."""
    worst, seen = 0.0, set()
    for mesh in shot["meshes"]:
        for number, p in zip(mesh["numbers"], mesh["positions"]):
            q = expected[int(number)]
            worst = max(worst, sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5)
            seen.add(int(number))
    return worst if len(seen) == len(expected) else 1e9


def play(tools, model, times):
    browser = shutil.which("chromium")
    if not browser:
        node_tools.skip("chromium is not here")
    out = node_tools.node(tools, "three_play.mjs", model, browser, *times)
    check(out["problems"] == [], f"{model.name}: three.js has nothing to complain about {out['problems'][:2]}")
    return out


def boundary(tools, folder, run):
    """The body's own boundary against the positions that NumPy reads."""
    shown.limber(LIMBER, "export", run, "--to", "npz", "-o", folder / "run.npz", "--quiet")
    data = np.load(folder / "run.npz")
    chosen = (0, 17, len(data["times"]) - 1)
    times = [data["times"][i] for i in chosen]
    outside = (np.abs(data["rest"]) < 1e-9) | (np.abs(data["rest"] - np.array(shown.SIZE)) < 1e-9)
    used = np.flatnonzero(outside.any(axis=1))
    for name, options, bar in (
        ("every_frame", ["--every-frame"], BAR),
        ("shapes", [], None),
        ("pairs", ["--blender"], None),
    ):
        model = folder / f"{name}.glb"
        words = json.loads(shown.limber(LIMBER, "export", run, "--to", "glb", "-o", model, "--json", *options))[
            "remarks"
        ]
        if bar is None:  # what limber says about its own approximation
            bar = float(next(w for w in words if "within" in w).split("within ")[1].split()[0]) * 1.01 + BAR
        out = play(tools, model, times)
        for shot, i, time in zip(out["shots"], chosen, times):
            worst = farthest(shot, data["positions"][i][used])
            check(worst <= bar, f"{name} at {time:.3f} s: every vertex within {worst:.2e} m, allowed {bar:.2e}")
        changed = sum(abs(a - b) > 40 for a, b in zip(out["shots"][0]["pixels"], out["shots"][1]["pixels"]))
        check(changed > 300, f"{name}: the picture moves ({changed} pixels)")


def artist(tools, folder, run):
    """An OBJ with texture coordinates and materials, against the OBJ files of the same frames."""
    egg = shown.artist_surface(folder)
    shown.limber(LIMBER, "export", run, "--to", "obj", "--match", egg, "-o", folder / "eggs", "--quiet")
    shown.limber(
        LIMBER, "export", run, "--to", "glb", "--match", egg, "-o", folder / "egg.glb", "--every-frame", "--quiet"
    )
    times = np.load(folder / "run.npz")["times"]
    out = play(tools, folder / "egg.glb", [times[0], times[20], times[-1]])
    check(
        sorted(m["material"] for m in out["shots"][0]["meshes"]) == ["base", "shell"], "the materials keep their names"
    )
    for shot, i in zip(out["shots"], (0, 20, len(times) - 1)):
        worst = farthest(shot, shown.vertices_of(folder / "eggs" / f"frame_{i:06}.obj"))
        check(worst <= BAR, f"the egg at {times[i]:.3f} s: every vertex within {worst:.2e} m, allowed {BAR:.0e}")


def parts_of(surface, counts):
    """The vertices of a PLY or OBJ file that holds one mesh after the other, as a list per mesh."""
    points, out = shown.vertices_of(surface), []
    for count in counts:
        out.append(points[:count])
        points = points[count:]
    return out if not points else None


def figure(tools, folder):
    """Skin: bones and weights as three.js blends them, against limber's own skinning of the same file."""
    model = folder / "humanoid.glb"
    shown.limber(LIMBER, "mesh", "asset", "humanoid", "-o", model)
    clips = json.loads(shown.limber(LIMBER, "rig", "info", model, "--json"))["clips"]
    check(len(clips) >= 2, f"the figure has clips: {[c['name'] for c in clips]}")
    when = [(c, share * clips[c]["duration"]) for c in range(len(clips)) for share in (0.0, 0.31, 0.77, 1.0)]
    out = play(tools, model, [f"{c}:{t!r}" for c, t in when])
    check(all(m["skinned"] for m in out["shots"][0]["meshes"]), "three.js takes every mesh for a skinned one")
    counts = [len(m["positions"]) for m in out["shots"][0]["meshes"]]
    shown.limber(LIMBER, "rig", "pose", model, "-o", folder / "rest.obj")
    rest = np.array(shown.vertices_of(folder / "rest.obj"))
    for shot, (c, t) in zip(out["shots"], when):
        shown.limber(LIMBER, "rig", "pose", model, "--clip", c, "--time", repr(t), "-o", folder / "posed.obj")
        ours = parts_of(folder / "posed.obj", counts)
        check(ours is not None, f"{sum(counts)} vertices")
        worst = max(float(np.abs(np.array(m["positions"]) - np.array(o)).max()) for m, o in zip(shot["meshes"], ours))
        moved = float(np.linalg.norm(np.concatenate(ours) - rest, axis=1).max())
        check(
            worst <= BAR,
            f"{clips[c]['name']} at {t:.3f} s: every vertex within {worst:.2e} m, allowed {BAR:.0e} "
            f"(the farthest is {moved:.2f} m from rest)",
        )
    changed = sum(abs(a - b) > 40 for a, b in zip(out["shots"][1]["pixels"], out["shots"][2]["pixels"]))
    check(changed > 100, f"the figure's picture moves ({changed} pixels)")


def flesh(tools, folder):
    """Morph targets under skin: limber's own morphing and skinning of the file, which its tests hold against the oscillators."""
    plain = folder / "small_humanoid.glb"
    shown.limber(LIMBER, "mesh", "asset", "humanoid", "--triangles", 4000, "-o", plain)
    model = shown.jiggling(LIMBER, folder, plain, "dyrt_three", "--for", "three")
    duration = json.loads(shown.limber(LIMBER, "rig", "info", model, "--json"))["clips"][0]["duration"]
    times = [duration * i / 19 for i in range(20)]
    out = play(tools, model, [f"0:{t!r}" for t in times])
    size, moved = 1.8, 0.0
    for shot, t in zip(out["shots"], times):
        for source, name in ((model, "with"), (plain, "without")):
            shown.limber(LIMBER, "rig", "pose", source, "--clip", 0, "--time", repr(t), "-o", folder / f"{name}.obj")
        ours, base = np.array(shown.vertices_of(folder / "with.obj")), np.array(
            shown.vertices_of(folder / "without.obj")
        )
        theirs = np.array([p for m in shot["meshes"] for p in m["positions"]])
        check(theirs.shape == ours.shape, f"{len(theirs)} vertices, {len(ours)} of them ours")
        # Meshes come in another order: every vertex of one must be near one of the other's.
        worst = max(far_from(theirs, ours), far_from(ours, theirs))
        moved = max(moved, far_from(ours, base))
        check(worst <= 1e-4 * size, f"flesh at {t:.3f} s: every vertex within {worst:.2e} m, allowed {1e-4 * size:.1e}")
    check(moved > 5e-3, f"the flesh moves: {moved:.4f} m away from the skin without it")


def far_from(some, others):
    """The largest distance of a point to the nearest of the others."""
    return max(float(np.sqrt(((others - p) ** 2).sum(axis=1).min())) for p in some)


def main():
    tools = node_tools.install(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        run = shown.record(LIMBER, folder)
        boundary(tools, folder, run)
        artist(tools, folder, run)
        figure(tools, folder)
        flesh(tools, folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
