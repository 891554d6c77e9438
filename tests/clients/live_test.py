#!/usr/bin/env python3
"""The live page in headless Chromium, opened as a file: live_test.py LIMBER NODE_FOLDER SOURCE COMPILER.

LIMBER_SHOTS: a folder for its pictures."""
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import node_tools

LIMBER, TOOLS, SOURCE, COMPILER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve(), sys.argv[4]
PARTS = ["belly", "thigh_l", "thigh_r"]
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        failures.append(what)


def displacement(dyrt, part, vertex, amplitudes):
    """What the .dyrt file says about one vertex, read by hand."""
    at = 64 + 128 * part
    n, table = (struct.unpack_from("<I", dyrt, at + o)[0] for o in (16, 88))
    rows = [struct.unpack_from("<3f", dyrt, table + 12 * (k * n + vertex)) for k in range(len(amplitudes))]
    return [sum(q * row[c] for q, row in zip(amplitudes, rows)) for c in range(3)]


def test_skin(out, dyrt):
    far = most = 0.0
    for part, amplitudes in enumerate(out["skin"]["amplitudes"]):
        for vertex, *moved in out["skin"]["moved"][part]:
            expected = displacement(dyrt, part, vertex, amplitudes)
            far, most = max(far, math.dist(moved, expected)), max(most, math.hypot(*expected))
    check(
        most > 1e-3 and far < 1e-3 * most + 3e-7,
        f"skin moves as the .dyrt file says: up to {most:.2e}, largest difference {far:.1e}",
    )


def test_motion(out, folder):
    """The page's oscillators against the C library under the same bones."""
    replay = folder / "replay"
    sources = [SOURCE / "tests/runtime/replay.c", *sorted((SOURCE / "runtime/dyrt").glob("*.c"))]
    subprocess.run(
        [COMPILER, "-std=c99", "-O1", "-I", SOURCE / "runtime/dyrt", *sources, "-o", replay, "-lm"], check=True
    )
    (folder / "bones.txt").write_text(
        "".join(
            " ".join(
                f"{v:.9g}"
                for v in [f["dt"], *(w for b in f["bones"] for w in [*b["position"], *b["rotation"], *[0] * 6])]
            )
            + "\n"
            for f in out["follow"]
        )
    )
    run = subprocess.run(
        [replay, folder / "h.dyrt", folder / "bones.txt", "0", "0", "0"], capture_output=True, text=True, check=True
    )
    expected = [[float(w) for w in line.split()] for line in run.stdout.splitlines()]
    size = max(abs(v) for line in expected for v in line)
    for name, bar in (("rounded", 1e-4), ("own", 1e-2)):
        worst = max(abs(a - b) for f, line in zip(out["follow"], expected) for a, b in zip(f[name], line))
        check(
            len(expected) > 400 and size > 1e-3 and worst < bar * size,
            f"page and C library, bones {name}: amplitudes up to {size:.3g}, largest difference {worst / size:.1e} of that",
        )


def test_page(out):
    check(out["problems"] == [] and out["words"] == "", f"nothing on the console: {out['problems'][:3]} {out['words']}")
    check(out["asked"] == [], f"nothing is asked of a network: {out['asked']}")
    check(0.01 < out["first"]["body"] < 0.4, f"the character is in the picture: {out['first']['body']:.3f} of it")
    check(out["first"]["sum"] != out["later"]["sum"], "it moves")
    check(
        len({out["painted"]["sum"], out["bare"]["sum"], out["later"]["sum"]}) == 3 and max(out["bare"]["reach"]) == 0,
        "flesh and colour can be switched",
    )
    check(
        out["typed"] == "--frequency 3.2 --settle 0.5 --amount 1.2"
        and out["command"].endswith(out["typed"])
        and "--draft" not in out["command"],
        f"what to type: {out['command']}",
    )
    check(out["before"]["typed"] == out["reset"] == "nothing", "sliders begin as made, and go back")
    check(
        max(out["resting"]) < 1e-6 and max(out["shaken"]) > 1e-3 and max(out["calm"]) < 1e-4,
        f"shaking shakes, and it settles: {out['shaken']} {out['calm']}",
    )
    kinds = {p["kind"]: p for p in out["pulls"]}
    check(set(kinds) == {"body", *PARTS}, f"a hand finds flesh and body: {set(kinds)}")
    for name, pull in kinds.items():
        moved = pull["held"][PARTS.index(name)] if name in PARTS else max(pull["held"])
        check(
            pull["holds"] == ("soft" if name in PARTS else "whole") and 1e-3 < moved < 0.3,
            f"pulled at {name}: {moved:.3g}",
        )
    check(
        out["running"]["time"] > 0 and all(math.isfinite(v) for v in out["running"]["reach"]),
        f"it runs by itself: {out['running']}",
    )
    check("WebGL2" in out["without"], "a browser without WebGL2 is told so")


browser = shutil.which("chromium")
if not browser:
    node_tools.skip("chromium is not here")
tools = node_tools.install(TOOLS)
with tempfile.TemporaryDirectory() as made:
    place = pathlib.Path(made)
    for words in (
        ["mesh", "asset", "humanoid", "-o", "h_in.glb"],
        [
            "dyrt",
            "h_in.glb",
            "--flesh",
            "belly=paint:_BELLY,thigh_l=bone:thigh_l,thigh_r=bone:thigh_r",
            "--draft",
            "-o",
            "h.glb",
        ],
    ):
        subprocess.run([LIMBER, *words], cwd=place, check=True, capture_output=True)
    told = node_tools.node(
        tools, "live_page.mjs", place / "h_live.html", browser, os.environ.get("LIMBER_SHOTS", ""), "humanoid"
    )
    test_page(told)
    test_skin(told, (place / "h.dyrt").read_bytes())
    test_motion(told, place)
sys.exit(f"{len(failures)} failed" if failures else 0)
