#!/usr/bin/env python3
"""The ES module against the C library, number by number, and in three.js in headless Chromium: dyrt_test.py SOURCE COMPILER NODE_FOLDER."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import node_tools

SOURCE, COMPILER = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path.insert(0, str(SOURCE / "tests/runtime"))
import dyrt_file  # noqa: E402
import dyrt_character  # noqa: E402

BAR = 1e-5  # of the largest amplitude: the C library counts in floats
failures = []


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        failures.append(what)


def frame_time(frame, uneven):
    """A 60th of a second; or about that; or anything from nothing to a hitch."""
    if uneven == "any":
        return (1 / 60, 1 / 60, 1e-3, 1 / 60, 0, 2e-4, 1e-6, 3e-5, 0.3, 1 / 60, 0.05)[frame % 11]
    return (1 + 0.4 * math.sin(2.1 * frame)) / 60 if uneven else 1 / 60


def bones(uneven, spoiled=False):
    """Two bones that sway, swing and spin; one jumps far away, one frame has no number for it, and one a number beyond all measure."""
    lines, t = [], 0.0
    for frame in range(150):
        dt = frame_time(frame, uneven)
        t += dt
        words = [dt]
        for part in range(2):
            a, b = 0.4 * math.sin(9 * t + part), 3.0 * t * (1 - part)
            place = [
                0.1 * math.sin(12 * t),
                0.05 * math.cos(10 * t + part),
                0.2 * t + (50 if spoiled and frame > 60 else 0),
            ]
            spin = [0.0, 0.0, 0.0] if spoiled else [3 * math.sin(7 * t), 0.5 * part, 2 * math.cos(5 * t)]
            turn = [math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), 0.1 * math.sin(4 * t), math.cos(a)]
            words += place + turn + [1.2 * math.cos(12 * t), -0.5 * math.sin(10 * t + part), 0.2] + spin
        if spoiled and frame == 90:
            words[3] = math.nan
        if spoiled and frame == 100:
            words[1] = 3e37
        lines.append(" ".join(f"{w:.9g}" for w in words))
    return "\n".join(lines) + "\n"


def numbers(folder):
    replay = folder / "replay"
    sources = [SOURCE / "tests/runtime/replay.c", *sorted((SOURCE / "runtime/dyrt").glob("*.c"))]
    subprocess.run(
        [COMPILER, "-std=c99", "-O1", "-I", SOURCE / "runtime/dyrt", *sources, "-o", replay, "-lm"], check=True
    )
    module = folder / "limber_dyrt.mjs"
    shutil.copy(SOURCE / "web/limber_dyrt.js", module)
    asset = folder / "a.dyrt"
    asset.write_bytes(dyrt_file.usual_file())
    for drive, coriolis, uneven, spoiled in (
        ("transforms", 0, False, False),
        ("transforms", 1, True, False),
        ("transforms", 0, True, True),
        ("velocities", 0, False, False),
        ("velocities", 1, True, False),
        ("velocities", 0, False, True),
        ("transforms", 0, "any", False),
        ("velocities", 0, "any", False),
        ("velocities", 1, "any", False),
    ):
        (folder / "bones.txt").write_text(bones(uneven, spoiled))
        run = subprocess.run(
            [replay, asset, folder / "bones.txt", str(int(drive == "velocities")), "0", str(coriolis)],
            capture_output=True,
            text=True,
            check=True,
        )
        expected = [[float(w) for w in line.split()] for line in run.stdout.splitlines()]
        done = subprocess.run(
            [
                "node",
                pathlib.Path(__file__).parent / "dyrt_numbers.mjs",
                module,
                asset,
                folder / "bones.txt",
                drive,
                str(coriolis),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"FAILED: node: {done.stderr[-2000:]}")
        out = json.loads(done.stdout)
        size = max(abs(v) for line in expected for v in line)
        worst = max(abs(a - b) for x, y in zip(out["frames"], expected) for a, b in zip(x, y))
        check(
            len(out["frames"]) == len(expected) == 150 and size > 0.01 and worst <= BAR * size,
            f"{drive}, coriolis {coriolis}, uneven {uneven}, spoiled {spoiled}: "
            f"amplitudes up to {size:.3g}, largest difference {worst / size:.1e} of that",
        )
        check(out["skipped"] == 2 * int(spoiled), f"{out['skipped']} skipped")
        check(
            (out["limited"] > 0) == (spoiled and drive == "transforms" or coriolis and uneven == "any"),
            f"{out['limited']} limited",
        )
    check(out["names"] == [["belly", "Spine"], ["thigh_l", "UpLeg_L"]], "names are read")
    check(out["refused"] > 50, f"{out['refused']} spoiled words are refused by an Error in words")
    check(
        all(out["extremes"].values()),
        f"numbers that would overflow are refused, a table that pumps comes to rest: {out['extremes']}",
    )
    turn = out["halfTurn"]
    check(
        [abs(v) for v in turn["rotation"]] == [0, 1, 0, 0] and turn["position"] == [2.5, 3, 3.5],
        "a matrix gives place and rotation without scale",
    )
    check(len((SOURCE / "web/limber_dyrt.js").read_text().splitlines()) <= 330, "the module is short")


def live(folder, tools):
    """The demo page plays a character made by hand; the C library is given the bones that three.js had."""
    browser = shutil.which("chromium")
    if not browser:
        node_tools.skip("chromium is not here")
    points = dyrt_character.write(folder)
    shots = os.environ.get("LIMBER_SHOTS")
    picture = pathlib.Path(shots or folder) / "dyrt_demo.png"
    out = node_tools.node(tools, "dyrt_live.mjs", SOURCE / "web", folder, browser, 100, picture)
    check(
        out["problems"] == [] and out["words"] == "",
        f"the page has nothing to complain about {out['problems'][:2]} {out['words']}",
    )
    frames = out["frames"]
    (folder / "bones.txt").write_text(
        "".join(" ".join(f"{v:.9g}" for v in [1 / 60, *f["bone"], *[0] * 6]) + "\n" for f in frames)
    )
    run = subprocess.run(
        [folder / "replay", folder / "jumper.dyrt", folder / "bones.txt", "0", "0", "0"],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [[float(w) for w in line.split()] for line in run.stdout.splitlines()]
    size = max(abs(v) for line in expected for v in line)
    worst = max(
        abs(a * dyrt_character.SCALE - b) for f, line in zip(frames, expected) for a, b in zip(f["weights"], line)
    )
    check(
        len(expected) == 100 and size > 0.03 and worst <= BAR * size,
        f"morph target weights: amplitudes up to {size:.3g}, largest difference {worst / size:.1e} of that",
    )
    # That vertex hangs on the upper bone alone: place + turn (rest + sum of amplitude times shape - bind place).
    moves = [dyrt_character.displacement(points, mode, out["front"]) for mode in range(3)]
    far = 0.0
    for f, q in zip(frames, expected):
        local = [
            p + sum(a * m[c] for a, m in zip(q, moves)) - (0, 0.5, 0)[c] for c, p in enumerate(points[out["front"]])
        ]
        x, y, z, w = f["bone"][3:]
        t = [2 * v for v in (y * local[2] - z * local[1], z * local[0] - x * local[2], x * local[1] - y * local[0])]
        turned = [
            local[0] + w * t[0] + y * t[2] - z * t[1],
            local[1] + w * t[1] + z * t[0] - x * t[2],
            local[2] + w * t[2] + x * t[1] - y * t[0],
        ]
        far = max(far, math.dist(f["at"], [a + b for a, b in zip(turned, f["bone"])]))
    check(far < 1e-4 * 1.7, f"the foremost vertex in three.js is within {far:.1e} of where the C library has it")
    check(picture.stat().st_size > 20000, f"a picture of {picture.stat().st_size} bytes")


if not shutil.which("node"):
    node_tools.skip("node is not here")
with tempfile.TemporaryDirectory() as made:
    numbers(pathlib.Path(made))
    if failures:  # not to be lost when the rest is skipped
        sys.exit(f"{len(failures)} failed")
    live(pathlib.Path(made), node_tools.install(sys.argv[3]))
sys.exit(f"{len(failures)} failed" if failures else 0)
