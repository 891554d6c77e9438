#!/usr/bin/env python3
"""limber sweep and limber sensitivity as their users meet them: sweep_test.py LIMBER SCENES GROUP. Standard library only."""
import csv
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from driver import LIMBER, check, failures, fails, run

GROUP = sys.argv[3]
SCENES = pathlib.Path(sys.argv[2]).resolve()

TINY = {
    "format": 1,
    "name": "tiny",
    "bodies": [
        {
            "mesh": {"shape": "grid", "kind": "quad4", "counts": [4, 2], "high": [2, 1]},
            "materials": [
                {"young": 1000, "poisson": 0.3, "density": 100, "rayleigh_alpha": 0.1, "rayleigh_beta": 0.01}
            ],
            "anchors": [{"name": "wall", "set": "left"}],
            "forces": [{"set": "right", "total": [0, -5, 0]}],
        }
    ],
    "method": {"name": "linear_fem"},
    "step": 0.01,
    "duration": 3.0,
    "output": {"probes": [{"name": "tip", "point": [2, 1]}]},
}
GRID = [
    "--set",
    "material.poisson_ratio=0.1:0.6:20",
    "--set",
    "scheme=newmark_implicit,backward_euler",
    "--set",
    "young=1e3:1e5:5:log",
]


def scene_in(folder, **changes):
    path = folder / "tiny.json"
    path.write_text(json.dumps(dict(TINY, **changes)))
    return path


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def kill_half_way(scene, out, how, jobs):
    """Starts the sweep and ends it when about half of its 200 points are on disk; tells how many were."""
    points = out / "points.jsonl"
    work = subprocess.Popen(
        [LIMBER, "sweep", str(scene), *GRID, "-o", str(out), "--jobs", str(jobs), "-q"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while work.poll() is None and time.monotonic() < deadline:
        if points.exists() and points.read_bytes().count(b"\n") > 100:
            break
        time.sleep(0.002)
    work.send_signal(how)
    said = work.communicate(timeout=60)[1]
    done = points.read_bytes().count(b"\n") - 1
    check(50 <= done < 200, f"the sweep was caught half-way, not at {done} of 200 points")
    check(not (out / "sweep.csv").exists(), "half a sweep leaves no table that looks whole")
    return work.returncode, said, done


def test_resume(folder):
    scene = scene_in(folder)
    whole = run("sweep", scene, *GRID, "-o", folder / "whole", "--jobs", 2, folder=folder)
    check(whole.returncode == 0, f"a sweep of 200 points ends: {whole.stderr}")
    expected = (folder / "whole" / "sweep.csv").read_bytes()
    check(len(rows_of(folder / "whole" / "sweep.csv")) == 200, "the table has 200 rows")
    for how, jobs in ((signal.SIGKILL, 2), (signal.SIGINT, 2), (signal.SIGTERM, 1)):
        out = folder / how.name
        code, said, done = kill_half_way(scene, out, how, jobs)
        if how is not signal.SIGKILL:
            check(
                code == 1 and "interrupted after" in said and len(said.splitlines()) == 1,
                f"{how.name} ends with one line and 1: {code} {said!r}",
            )
        resumed = run("sweep", scene, *GRID, "-o", out, "--jobs", 3, folder=folder)
        check(
            resumed.returncode == 0 and f"({done} of them from before)" in resumed.stdout,
            f"after {how.name} it goes on: {resumed.stdout[-200:]} {resumed.stderr}",
        )
        check((out / "sweep.csv").read_bytes() == expected, f"after {how.name} the table has the same bytes")
    # A line cut off in the middle, as a crash of the whole machine leaves it.
    points = folder / "SIGKILL" / "points.jsonl"
    points.write_bytes(points.read_bytes()[:-37])
    (folder / "SIGKILL" / "sweep.csv").unlink()
    run("sweep", scene, *GRID, "-o", folder / "SIGKILL", folder=folder)
    check((folder / "SIGKILL" / "sweep.csv").read_bytes() == expected, "after a torn line the table has the same bytes")


def test_sweep(folder):
    scene = scene_in(folder, duration=0.05)
    done = run("sweep", scene, *GRID, "-o", "out", folder=folder)
    check(
        done.returncode == 0 and "warning" in done.stderr and "poisson" in done.stderr,
        f"points that fail are a warning, not an end: {done.stderr}",
    )
    rows = rows_of(folder / "out" / "sweep.csv")
    bad = [row for row in rows if row["status"] != "done"]
    check(
        0 < len(bad) < 200 and all(row["cause"] and row["tip end uy [m]"] == "" for row in bad),
        "failures are rows with a cause and no numbers",
    )
    check([int(row["point"]) for row in rows] == list(range(200)), "rows are in the order of the grid")
    check(
        all(float(row["tip end uy [m]"]) < 0 for row in rows if row["status"] == "done"),
        "the others have their numbers",
    )
    page = (folder / "out" / "index.html").read_text()
    check(
        "http://" not in page.replace("http://www.w3.org", "") and "<svg" in page and "limber sweep" in page,
        "the page needs nothing from outside and tells its command",
    )
    for name in ["timings.csv", "tip_end_uy.svg", "tip_end_uy.csv", "points.jsonl"]:
        check((folder / "out" / name).exists(), f"a sweep writes {name}")
    report = run("sweep", scene, *GRID, "-o", "out", "--json", "-q", folder=folder)
    check(
        json.loads(report.stdout)["resumed"] == 200 and report.stderr == "",
        "the same command again takes all points from before",
    )
    fails(
        "sweep", scene, "--set", "young=1,2", "-o", "out", words=["another sweep", "the grid", "--fresh"], folder=folder
    )
    check(
        run("sweep", scene, "--set", "young=1,2", "-o", "out", "--fresh", folder=folder).returncode == 0,
        "--fresh starts over",
    )
    run("run", scene, "-o", "truth.limber", folder=folder)
    done = run("sweep", scene, "--set", "young=1000,2000", "--reference", "truth.limber", "-o", "errors", folder=folder)
    errors = rows_of(folder / "errors" / "sweep.csv")
    check(
        float(errors[0]["relative_l2 max"]) == 0.0 < float(errors[1]["relative_l2 max"]),
        f"errors against a recording: {done.stderr}",
    )
    none = run("sweep", scene, "--set", "young=-1,-2", "-o", "none", "-q", folder=folder)
    check(
        none.returncode == 1 and "2 points of 2 failed" in none.stderr,
        f"a sweep without one good point ends with 1 and says why, --quiet or not: {none.stderr}",
    )
    fails("sweep", scene, "-o", "x", folder=folder)
    fails("sweep", scene, "--set", "materail.young=1,2", "-o", "x", words=["material"], folder=folder)
    fails("sweep", scene, "--set", "young=1:2", "-o", "x", words=["low:high:count"], folder=folder)
    fails(
        "sweep", scene, "--set", "young=1,2", "--quantity", "frequancy", "-o", "x", words=["frequency"], folder=folder
    )
    fails(
        "sweep",
        scene,
        "--set",
        "young=1,2",
        "--reference",
        "missing.limber",
        "-o",
        "x",
        words=["missing.limber"],
        folder=folder,
    )
    fails("sweep", folder / "missing.json", "--set", "young=1,2", words=["missing.json"], folder=folder)


def test_sensitivity(folder):
    scene = scene_in(folder, duration=0.05)
    done = run(
        "sensitivity",
        scene,
        "-o",
        "out",
        "--parameter",
        "young",
        "--parameter",
        "density",
        "--parameter",
        "h",
        "--json",
        "-q",
        folder=folder,
    )
    check(done.returncode == 0, f"sensitivity ends: {done.stderr}")
    report = json.loads(done.stdout)
    at = {(row["parameter"], row["quantity"]): row for row in report["sensitivities"]}
    check(
        abs(at["young", "frequency"]["value"] - 0.5) <= at["young", "frequency"]["bar"] < 1e-6,
        f"a frequency goes with the root of stiffness: {at['young', 'frequency']}",
    )
    check(
        abs(at["density", "frequency"]["value"] + 0.5) <= at["density", "frequency"]["bar"],
        "and against the root of density",
    )
    for name in ["index.html", "sensitivity.csv", "sensitivity.json", "tornado_frequency.svg"]:
        check((folder / "out" / name).exists(), f"sensitivity writes {name}")
    done = run("sensitivity", scene, "-o", "short", "--parameter", "mesh.high.x", "-q", folder=folder)
    check(
        "not known: mesh.high.x: " in done.stdout and "outside the body" in done.stdout,
        f"a dash is explained: {done.stdout}",
    )
    fails("sensitivity", scene, "--parameter", "scheme", "-o", "x", words=["number"], folder=folder)
    fails("sensitivity", scene, "--method", "linear_fen", "-o", "x", words=["linear_fem"], folder=folder)
    fails("sensitivity", scene, "--parameter", "yuong", "-o", "x", words=["young"], folder=folder)


def main():
    with tempfile.TemporaryDirectory() as name:
        {"resume": test_resume, "sweep": test_sweep, "sensitivity": test_sensitivity}[GROUP](pathlib.Path(name))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
