#!/usr/bin/env python3
"""SIGINT, SIGTERM and SIGKILL at random moments over every verb that writes: what is left is whole or absent, and the exit code tells.
signals_test.py LIMBER SCENES [SEED]. LIMBER_SIGNAL_TRIALS says how many (12 unless told; fewer than there are verbs:
cheap ones only), LIMBER_SIGNAL_VERB names one verb only.
Every trial begins in a folder of its own, half of them with a whole earlier output in it."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from driver import LIMBER, check, failures, humanoid_in, run
from whole_files import leftovers

TRIALS = int(os.environ.get("LIMBER_SIGNAL_TRIALS", "12"))
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 18
SCENE = """{"format": 1, "name": "block", "bodies": [{"mesh": {"shape": "box", "kind": "tet4", "counts": [8, 3, 3], "high": [1, 0.3, 0.3]},
 "materials": [{"young": 3e5, "poisson": 0.3, "density": 1000}], "anchors": [{"set": "left"}]}], "gravity": [0, -9.81, 0],
 "method": {"name": "linear_fem"}, "step": 0.01, "duration": 1.5, "output": {"probes": [{"name": "tip", "vertex": 1}]}}"""

# Name: arguments, and what is there when it is done. {in} is the folder of the inputs.
VERBS = {
    "run": (
        ["run", "{in}/s.json", "-o", "r.limber", "--vtu", "v", "--csv", "p.csv", "-q"],
        ["r.limber", "v/series.pvd", "p.csv"],
    ),
    "compare": (
        [
            "compare",
            "{in}/short.json",
            "--vary",
            "scheme=newmark_implicit,bdf2",
            "--reference",
            "linear_fem:scheme=implicit_midpoint",
            "-o",
            "c",
            "--csv",
            "c.csv",
            "-q",
        ],
        ["c/index.html", "c/compare.json", "c.csv"],
    ),
    "sweep": (
        ["sweep", "{in}/short.json", "--set", "material.young=1e5:1e6:6", "-o", "w", "-q"],
        ["w/index.html", "w/sweep.csv"],
    ),
    "sensitivity": (
        ["sensitivity", "{in}/short.json", "--parameter", "material.young", "-o", "n", "-q"],
        ["n/index.html", "n/sensitivity.json"],
    ),
    "reproduce": (
        ["reproduce", "accuracy", "--cells", "4", "--no-pictures", "-o", "a", "--json", "a.json", "-q"],
        ["a/index.html", "a.json"],
    ),
    "gallery": (["gallery", "{in}/few", "-o", "g", "--no-movies", "-q"], ["g/index.html"]),
    "render": (["render", "{in}/r.limber", "-o", "m.mp4", "--size", "160x120", "--fps", "10", "-q"], ["m.mp4"]),
    "picture": (["render", "{in}/r.limber", "-o", "m.png", "--size", "160x120", "-q"], ["m.png"]),
    "frames": (
        ["render", "{in}/r.limber", "-o", "f/", "--size", "160x120", "--fps", "10", "-q"],
        ["f/frame_000000.png"],
    ),
    "export vtu": (["export", "{in}/r.limber", "--to", "vtu", "-o", "e.pvd"], ["e.pvd"]),
    "export npz": (["export", "{in}/r.limber", "--to", "npz", "-o", "e.npz"], ["e.npz"]),
    "export mdd": (["export", "{in}/r.limber", "--to", "mdd", "-o", "e.mdd"], ["e.mdd"]),
    "export csv": (["export", "{in}/r.limber", "--to", "csv", "-o", "e.csv"], ["e.csv"]),
    "export obj": (["export", "{in}/r.limber", "--to", "obj", "-o", "o"], ["o/frame_000000.obj"]),
    "export glb": (["export", "{in}/r.limber", "--to", "glb", "-o", "e.glb"], ["e.glb"]),
    "export inp": (["export", "{in}/s.json", "--to", "inp", "-o", "e.inp"], ["e.inp"]),
    "export matrices": (["export", "{in}/s.json", "--to", "matrices", "-o", "k"], ["k/K.mtx"]),
    "modes": (
        ["modes", "{in}/s.json", "--count", "6", "-o", "m.vtu", "--vtu", "mv", "-q"],
        ["m.vtu", "mv/mode_006.vtu"],
    ),
    "metrics": (["metrics", "{in}/r.limber", "{in}/r.limber", "--csv", "t.csv"], ["t.csv"]),
    "generate": (["mesh", "generate", "box", "--kind", "tet4", "--cells", "24", "-o", "b.vtu"], ["b.vtu"]),
    "convert": (["mesh", "convert", "{in}/b.vtu", "b.msh"], ["b.msh"]),
    "asset": (["mesh", "asset", "duck", "-o", "d.obj"], ["d.obj", "d.mtl"]),
    "solid": (["mesh", "solid", "{in}/d.obj", "--cells", "3000", "-o", "d.vtu", "-q"], ["d.vtu"]),
    "doctor": (
        ["mesh", "doctor", "{in}/d.obj", "--fix", "-o", "fixed.obj", "--picture", "f.png", "-q"],
        ["fixed.obj", "f.png"],
    ),
    "flesh": (
        ["rig", "flesh", "{in}/character.glb", "--flesh", "thigh=bone:thigh_l", "--cells", "2500", "-o", "fl", "-q"],
        ["fl/flesh.json"],
    ),
    "pose": (["rig", "pose", "{in}/character.glb", "-o", "p.ply"], ["p.ply"]),
    "dyrt": (
        [
            "dyrt",
            "{in}/character.glb",
            "--flesh",
            "thigh=bone:thigh_l",
            "--cells",
            "2500",
            "--no-error",
            "--modes",
            "3",
            "--clips",
            "0",
            "-o",
            "y.glb",
            "-q",
        ],
        ["y.glb", "y.dyrt", "y/index.html"],
    ),
    "schema": (["schema", "-o", "schema.json"], ["schema.json"]),
}
SLOW = {
    "reproduce",
    "gallery",
    "dyrt",
    "flesh",
    "render",
    "picture",
    "frames",
    "doctor",
    "compare",
    "solid",
}  # left to the whole battery
if not shutil.which("ffmpeg"):
    del VERBS["render"]


def make_inputs(folder, used):
    """Those that the verbs tried need."""
    (folder / "few").mkdir(parents=True)
    (folder / "s.json").write_text(SCENE)
    (folder / "short.json").write_text(SCENE.replace('"duration": 1.5', '"duration": 0.3'))
    (folder / "few" / "one.json").write_text(SCENE.replace('"duration": 1.5', '"duration": 0.3'))
    if "character.glb" in used:
        humanoid_in(folder)
    for name, arguments in (
        ("r.limber", ["run", folder / "s.json", "-q"]),
        ("b.vtu", ["mesh", "generate", "box", "--kind", "tet4", "--cells", "12"]),
        ("d.obj", ["mesh", "asset", "duck", "--triangles", "4000"]),
    ):
        if name in used:
            done = run(*arguments, "-o", folder / name)
            check(done.returncode == 0, f"the inputs are made: {done.stderr}")


def words_of(name, inputs):
    return [LIMBER] + [word.replace("{in}", str(inputs)) for word in VERBS[name][0]]


def start(name, inputs, folder):
    return subprocess.Popen(
        words_of(name, inputs),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


class Whole:
    """One undisturbed run of each verb that is tried: how long it takes, and its output to begin other trials with."""

    def __init__(self, place, inputs):
        self.place, self.inputs, self.known = place, inputs, {}

    def of(self, name):
        if name not in self.known:
            folder = self.place / ("whole " + name)
            folder.mkdir()
            begin = time.monotonic()
            errors = start(name, self.inputs, folder).communicate()[1]
            self.known[name] = (folder, time.monotonic() - begin)
            wrong, temporary = leftovers(folder)
            missing = [path for path in VERBS[name][1] if not (folder / path).exists()]
            check(
                not (wrong or temporary or missing),
                f"{name}, undisturbed: {wrong} {temporary} missing {missing} {errors}",
            )
        return self.known[name]


def children_in(folder):
    """Processes that work in that folder."""
    out = []
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name.isdigit() and os.readlink(process / "cwd") == str(folder):
                out.append((process / "cmdline").read_bytes().replace(b"\0", b" "))
        except OSError:
            continue
    return out


def trial(number, name, number_of_signal, moment, whole, place):
    earlier, duration = whole.of(name)
    folder = place / f"trial {number}"
    used = number % 2 == 1
    if used:
        shutil.copytree(earlier, folder)
    else:
        folder.mkdir()
    process = start(name, whole.inputs, folder)
    time.sleep(moment * duration)
    process.send_signal(number_of_signal)
    errors = process.communicate(timeout=120)[1]
    code, what = (
        process.returncode,
        f"trial {number}: {name}, {signal.Signals(number_of_signal).name} at {moment * duration:.3f} s of "
        f"{duration:.3f} s, {'used' if used else 'new'} folder",
    )
    wrong, temporary = leftovers(folder)
    check(not wrong, f"{what}: exit {code}, left {wrong}")
    check(
        code in (0, -number_of_signal) + (() if number_of_signal == signal.SIGKILL else (1,)),
        f"{what}: exit {code}: {errors}",
    )
    if code == 0:
        missing = [path for path in VERBS[name][1] if not (folder / path).exists()]
        check(not missing, f"{what}: exit 0, but {missing} are missing")
    if code == 1:
        check("interrupted" in errors or "stopped" in errors, f"{what}: exit 1 with {errors!r}")
    if number_of_signal != signal.SIGKILL:
        check(not temporary, f"{what}: exit {code}, temporaries {temporary}")
    deadline = time.monotonic() + 5
    while children_in(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    check(not children_in(folder), f"{what}: still running {children_in(folder)}")
    if temporary and not failures:
        errors = start(name, whole.inputs, folder).communicate()[1]
        wrong, temporary = leftovers(folder)
        check(not (wrong or temporary), f"{what}: the next run leaves {wrong} {temporary} {errors}")
    shutil.rmtree(folder)
    return code


def main():
    dice = random.Random(SEED)
    names = [os.environ["LIMBER_SIGNAL_VERB"]] if "LIMBER_SIGNAL_VERB" in os.environ else list(VERBS)
    codes, by_verb = {}, {}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place).resolve()
        inputs = place / "inputs"
        order = (
            [names[i % len(names)] for i in range(TRIALS)]
            if TRIALS >= len(names)
            else dice.sample([name for name in names if name not in SLOW], TRIALS)
        )
        make_inputs(inputs, {word.removeprefix("{in}/") for name in order for word in VERBS[name][0]})
        whole = Whole(place, inputs)
        for number, name in enumerate(order):
            how = dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
            code = trial(number, name, how, dice.uniform(0.05, 1.05), whole, place)
            codes[how.name, code] = codes.get((how.name, code), 0) + 1
            by_verb[name] = by_verb.get(name, 0) + 1
    print(
        "by verb: "
        + ", ".join(f"{name} {count} ({whole.known[name][1]:.1f} s whole)" for name, count in by_verb.items())
    )
    print(
        f"{TRIALS} trials, seed {SEED}: "
        + ", ".join(f"{name} exit {code}: {count}" for (name, code), count in sorted(codes.items()))
        + f"; {len(failures)} failures"
    )
    sys.exit(1 if failures else 0)


main()
