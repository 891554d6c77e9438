"""A shape, five lines of scene, any method of large strain: it hangs, it does not explode.

Forty surfaces (soft_shapes.py) x corotational, neo_hookean, stvk x Young's modulus 5 to 500 kPa x Poisson's ratio 0.3
to 0.49, held at the bottom, 2 s under gravity at 1/60 s, default options and 2000 cells. Per run: finished
or what stopped it, cut steps, steps with cells inside out, energy against the work of gravity (soft_energy.py: by a
second way), seconds of the processor. What stops has to name its cells and a cure, which is then applied and has to
work.

    soft_bodies.py LIMBER SCENES all       480 runs, a seeded choice of materials for each shape and method
    soft_bodies.py LIMBER SCENES sample    a few of them with 600 cells, and one that has to stop: some seconds

    LIMBER_SOFT_TABLE       a file of rows (JSON, one per line) that a later call goes on with
    LIMBER_SOFT_RUNS        only so many
    LIMBER_SOFT_CELLS       other than 2000, with which all runs take about an hour of the processor
    LIMBER_SOFT_STRANGERS   a folder with models of other people (default: ../shared/assets beside the repository)
    LIMBER_SOFT_JOBS        runs at a time (2)
    LIMBER_SOFT_KEEP        a folder that scenes and recordings stay in
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

from driver import LIMBER, check, failures, run
import soft_energy
from soft_shapes import limbs, make_shapes

YOUNG = (5e3, 2e4, 1e5, 5e5)
POISSON = (0.3, 0.4, 0.45, 0.49)
DENSITY, GRAVITY = 1000, (0.0, -9.81, 0.0)
LEAST_FINISHED = 0.98
MOST_GAIN = 0.01  # kinetic and elastic energy beyond the work of gravity, of that work
PER_SHAPE = {"corotational": 5, "neo_hookean": 5, "stvk": 2}
SAMPLE = (
    ("hand", "corotational", 5e3, 0.49),
    ("plate", "corotational", 2e4, 0.3),
    ("jelly_cube", "stvk", 1e5, 0.45),
    ("torus", "neo_hookean", 1e5, 0.49),
    ("jelly_cube", "neo_hookean", 5e3, 0.3),
)
CURE = r"--set (\S+=[^\s;,]+)"
SLOWEST = 900  # [s] of the processor, for one run


def scene_of(mesh, method, young, poisson, cells):
    return {
        "format": 1,
        "bodies": [
            {
                "mesh": {**mesh, "cells": cells},
                "materials": [{"young": young, "poisson": poisson, "density": DENSITY}],
                "anchors": [{"set": "bottom"}],
            }
        ],
        "gravity": GRAVITY,
        "method": {"name": method},
        "step": "1/60",
        "duration": 2,
    }


def tasks(shapes):
    """(shape, method, young, poisson), the same for the same shapes: a seeded choice of materials for each shape and method."""
    out = []
    for name in shapes:
        for method, count in PER_SHAPE.items():
            chance = random.Random(f"{name} {method}")
            out += [(name, method, *pair) for pair in chance.sample([(e, nu) for e in YOUNG for nu in POISSON], count)]
    random.Random(19).shuffle(out)
    return out


def timed(words):
    """(stdout, stderr, seconds of the processor); killed after SLOWEST of them."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(
            words,
            stdout=out,
            stderr=err,
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SLOWEST, SLOWEST)),
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return out.read(), err.read(), usage.ru_utime + usage.ru_stime


def one_run(task, shapes, folder, cells, more=()):
    name, method, young, poisson = task
    stem = f"{name}_{method}_{young:g}_{poisson:g}" + ("_cured" if more else "")
    scene, recording = folder / f"{stem}.json", folder / f"{stem}.limber"
    scene.write_text(json.dumps(scene_of(shapes[name], method, young, poisson, cells)))
    row = {"shape": name, "method": method, "young": young, "poisson": poisson}
    out, err, seconds = timed([LIMBER, "run", str(scene), "-o", str(recording), "--json", "--quiet", *more])
    row["seconds"] = round(seconds, 2)
    if seconds >= SLOWEST - 1:
        return {**row, "ok": False, "trouble": "time", "message": f"not done in {SLOWEST} s"}
    try:
        told = json.loads(out)
    except ValueError:
        return {**row, "ok": False, "trouble": "no answer", "message": err}
    if "error" in told:
        return {**row, "ok": False, "trouble": "refused", "message": err.strip()}
    for key in (
        "ok",
        "trouble",
        "message",
        "end_time",
        "cut_steps",
        "inverted_steps",
        "energy_gain",
        "linearisations",
        "iterations",
    ):
        row[key] = told[key]
    row["loose"] = any(
        "can move rigidly" in note for note in told["notes"]
    )  # parts of the solid that nothing holds: they fall
    row.update(soft_energy.balance(recording, DENSITY, GRAVITY))
    if not os.environ.get("LIMBER_SOFT_KEEP"):
        recording.unlink()
        scene.unlink()
    return row


def names_cells(message):
    return bool(re.search(r"\bcells? \d+", message)) and "\n" not in message


def with_cure(task, shapes, folder, cells):
    """The run; where it stopped, whether its one line names cells and a cure that works."""
    row = one_run(task, shapes, folder, cells)
    if row["ok"] or row["trouble"] in ("time", "no answer", "refused"):
        return row
    row["names_cells"] = names_cells(row["message"])
    cure = re.findall(CURE, row["message"])
    row["cure"] = " ".join(cure)
    if cure:
        again = one_run(task, shapes, folder, cells, [word for c in cure for word in ("--set", c)])
        row["cured"] = again["ok"] and again["over"] <= MOST_GAIN
        row["cured_message"] = again["message"]
    return row


def key_of(row):
    return (row["shape"], row["method"], row["young"], row["poisson"])


def run_all(todo, shapes, folder, cells, table):
    rows = {}
    if table and pathlib.Path(table).exists():
        rows = {key_of(row): row for row in map(json.loads, pathlib.Path(table).read_text().splitlines())}
    todo_now = [task for task in todo if task not in rows]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("LIMBER_SOFT_JOBS", "2"))) as pool:
        for row in concurrent.futures.as_completed(
            [pool.submit(with_cure, task, shapes, folder, cells) for task in todo_now]
        ):
            row = row.result()
            rows[key_of(row)] = row
            if table:
                with open(table, "a") as file:
                    file.write(json.dumps(row) + "\n")
            print(
                f"{row['shape']:22} {row['method']:13} E {row['young']:<7g} nu {row['poisson']:<5g} "
                f"{'ok ' if row['ok'] else row['trouble']:14} {row['seconds']:7.1f} s  "
                f"cut {row.get('cut_steps', 0):3} inverted {row.get('inverted_steps', 0):3} energy over work {row.get('over', 0):.1e}",
                flush=True,
            )
    return [rows[task] for task in todo if task in rows]


def judge(rows):
    for method in PER_SHAPE:
        mine = [row for row in rows if row["method"] == method]
        if not mine:
            continue
        good = [row for row in mine if row["ok"]]
        gained = [row for row in mine if row.get("over", 0.0) > MOST_GAIN]
        times = sorted(row["seconds"] for row in mine)
        print(
            f"{method}: {len(good)} of {len(mine)} finished ({100 * len(good) / len(mine):.1f} %), "
            f"{len(gained)} with energy beyond the work of gravity by more than 1 %, worst "
            f"{max(row.get('over', 0.0) for row in mine):.2e}; seconds: median {times[len(times) // 2]:.1f}, "
            f"90 % {times[len(times) * 9 // 10]:.1f}, most {times[-1]:.1f}"
        )
        print(
            f"    {sum(row.get('loose', False) for row in mine)} of them with parts that nothing holds (told), "
            f"{sum(row.get('inverted_steps', 0) > 0 for row in mine)} with cells inside out on the way"
        )
        check(
            not gained,
            f"{method}: {len(gained)} runs with more energy than gravity gave: {[key_of(row) for row in gained[:5]]}",
        )
        if method != "stvk":
            check(
                len(good) >= LEAST_FINISHED * len(mine),
                f"{method}: {len(good)} of {len(mine)} finish: {[(key_of(r), r['message']) for r in mine if not r['ok']][:5]}",
            )
        for row in mine:
            check(
                row.get("kinetic_off", 0.0) < 1e-6,
                f"{key_of(row)}: kinetic energy is what the velocities have, not {row.get('kinetic_off')} off",
            )
            if not row["ok"]:
                check(
                    row.get("names_cells") and row.get("cured"),
                    f"{key_of(row)}: what stops names its cells and a cure that works: {row['message']}",
                )


def stopped(shapes, folder):
    """A run that may neither cut steps nor correct them often stops; its one line names cells and a cure, and with that it
    does not stop."""
    meek = ["--set", "max_newton=6", "--set", "max_sub_steps=1", "--set", "tolerance=1e-4"]
    task = ("hand", "neo_hookean", 5e3, 0.4)
    row = one_run(task, shapes, folder, 600, meek)
    check(not row["ok"] and row["trouble"] == "not converged", f"a run that may do little stops, not: {row}")
    check(names_cells(row["message"]) and "near (" in row["message"], f"it names cells and place: {row['message']}")
    cure = re.findall(CURE, row["message"])
    check(
        len(cure) == 1 and cure[0].startswith("material.young="),
        f"it names the stiffness that would do: {row['message']}",
    )
    again = one_run(task, shapes, folder, 600, [*meek, "--set", *cure])
    check(again["ok"] and again["inverted_steps"] == 0, f"with that stiffness it runs: {again}")


def main():
    which = sys.argv[3] if len(sys.argv) > 3 else "sample"
    beside = pathlib.Path(__file__).resolve().parents[3] / "shared" / "assets"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(os.environ.get("LIMBER_SOFT_KEEP") or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if which == "sample":
            shapes, todo, cells = {name: {"asset": name} for name in ("jelly_cube", "torus")}, list(SAMPLE), 600
            shapes.update(limbs(folder, ("hand", "plate")))
            stopped(shapes, folder)
        else:
            shapes = make_shapes(run, folder, os.environ.get("LIMBER_SOFT_STRANGERS", beside))
            check(len(shapes) == 40, f"forty shapes, not {len(shapes)}")
            todo, cells = tasks(shapes), int(os.environ.get("LIMBER_SOFT_CELLS", "2000"))
        limit = os.environ.get("LIMBER_SOFT_RUNS")
        rows = run_all(
            todo[: int(limit)] if limit else todo, shapes, folder, cells, os.environ.get("LIMBER_SOFT_TABLE")
        )
        judge(rows)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
