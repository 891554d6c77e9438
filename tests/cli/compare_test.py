#!/usr/bin/env python3
"""limber compare as its users meet it: compare_test.py LIMBER SCENES. Standard library only."""
import csv
import json
import os
import pathlib
import pty
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

import driver
from driver import LIMBER, check, failures, wait_until

SCENES = pathlib.Path(sys.argv[2]).resolve()
ROD = str(SCENES / "rod_mp3.json")
COARSE = ["--set", "mesh.counts=[3,1,1]"]  # its references take most of the time


def run(*arguments, folder):
    return driver.run("compare", *arguments, folder=folder)


def fails(*arguments, words, folder):
    driver.fails("compare", *arguments, words=words, folder=folder)


def test_card(folder):
    short = ["--set", "duration=0.5", *COARSE]
    done = run(
        ROD,
        *short,
        "--vary",
        "scheme=newmark_explicit,bdf2",
        "--vary",
        "step=1/30,1/60",
        "--metric",
        "relative_l2",
        "--metric",
        "surface",
        "-o",
        "card",
        folder=folder,
    )
    check(done.returncode == 0, f"the card is made: {done.stderr}")
    check(
        "newmark_explicit, step 1/60" in done.stdout and "index.html" in done.stdout,
        f"the table names every candidate: {done.stdout}",
    )
    card = folder / "card"
    for name in [
        "index.html",
        "compare.json",
        "compare.csv",
        "series.csv",
        "error-over-step-cost-relative_l2.svg",
        "error-over-time-surface-2.csv",
        "error-over-second-cost-same-mesh-relative_l2.svg",
    ]:
        check((card / name).exists(), f"{name} is there")
    data = json.loads((card / "compare.json").read_text(), parse_constant=lambda word: check(False, word + " in JSON"))
    check(
        len(data["candidates"]) == 4 and data["command"].startswith("limber compare "),
        "JSON lists every candidate and the command",
    )
    check(all(e["error"] > 0 for e in data["reference"]["own_error"]), "the reference's own error is stated")
    rows = [r for r in csv.reader(l for l in (card / "compare.csv").read_text().splitlines() if not l.startswith("#"))]
    check(len(rows) == 5 and len({len(r) for r in rows}) == 1, "CSV has a row per candidate and even columns")
    check((card / "motions.png").exists(), "pictures are part of the card")
    # The command of the card makes the card again; its pictures have been seen.
    again = subprocess.run(
        data["command"].replace("limber", shlex.quote(LIMBER), 1) + " -o again --json --no-pictures",
        shell=True,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=250,
    )
    check(again.returncode == 0, f"the command in the card works: {again.stderr}")
    twin = json.loads(again.stdout)
    check(
        [c["metrics"] for c in twin["candidates"]] == [c["metrics"] for c in data["candidates"]],
        "and gives the same errors to the last digit",
    )


def test_file(folder):
    subprocess.run(
        [LIMBER, "run", ROD, *COARSE, "--duration", "0.5", "-o", "mine.limber"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    done = run(
        ROD,
        *COARSE,
        "--set",
        "duration=0.5",
        "--candidate",
        "mine=mine.limber",
        "--reference",
        "mine.limber",
        "--json",
        folder=folder,
    )
    data = json.loads(done.stdout)
    check(
        done.returncode == 0 and [c["name"] for c in data["candidates"]] == ["linear_fem", "mine"],
        f"a file is a candidate: {done.stderr}",
    )
    for c in data["candidates"]:
        check(all(m["overall"] == 0 for m in c["metrics"]), f"{c['name']} is at no distance from the same run")


def test_usage(folder):
    fails(ROD, "--vary", "shceme=all", words=["shceme", "scheme"], folder=folder)
    fails(ROD, "--vary", "scheme=bdf3", words=["bdf3", "bdf2"], folder=folder)
    fails(ROD, "--methods", "linear_fen", words=["linear_fem"], folder=folder)
    fails(ROD, "--reference", "refinde", words=["refined"], folder=folder)
    fails(ROD, "--reference", "none.limber", words=["none.limber"], folder=folder)
    fails(ROD, "--metric", "surfcae", words=["surface"], folder=folder)
    fails(folder / "missing.json", words=["missing.json"], folder=folder)
    fails(
        pathlib.Path(ROD).parent / "static" / "lame_ring.json",
        "-o",
        "ring",
        words=["/static", "limber static"],
        folder=folder,
    )
    check(not (folder / "ring").exists(), "a refused comparison leaves no folder")
    fails(ROD, "-o", ROD, words=["rod_mp3.json"], folder=folder)
    # What is compared is never overwritten, and a bad place is told before the work.
    mine = folder / "mine.npz"
    mine.write_bytes(b"mine")
    fails(ROD, "--candidate", "a=mine.npz", "--csv", "mine.npz", words=["mine.npz", "overwritten"], folder=folder)
    fails(ROD, "--reference", "mine.npz", "--csv", "mine.npz", words=["mine.npz", "overwritten"], folder=folder)
    (folder / "card").mkdir()
    (folder / "card" / "compare.csv").write_bytes(b"mine")
    fails(
        ROD, "--candidate", "a=card/compare.csv", "-o", "card", words=["card/compare.csv", "overwritten"], folder=folder
    )
    check(mine.read_bytes() == b"mine", "and is still there")
    fails(ROD, "--csv", "nowhere/a.csv", words=["nowhere/a.csv", "no directory"], folder=folder)
    fails(ROD, "--vary", "step=1/30,,1/60", words=["step=1/30,,1/60", "empty"], folder=folder)
    # A candidate's missing file is its row; the comparison goes on.
    done = run(
        ROD,
        *COARSE,
        "--set",
        "duration=0.2",
        "--candidate",
        "gone=gone.npz",
        "--reference",
        "refined:1",
        "--json",
        folder=folder,
    )
    rows = {c["name"]: c for c in json.loads(done.stdout)["candidates"]}
    check(
        done.returncode == 0 and rows["gone"]["outcome"] == "failed" and "gone.npz" in rows["gone"]["cause"],
        f"a missing file is a row: {done.stderr}",
    )


def listen(terminal, said):
    """Appends what a process writes to its terminal, until it ends."""
    try:
        while piece := os.read(terminal, 4096):
            said.append(piece.decode(errors="replace"))
    except OSError:  # Linux tells the end by an error
        pass


def test_interrupt(folder):
    # Only on a terminal does it say which candidate it is at.
    ours, its = pty.openpty()
    steps = ",".join(f"1/{n}" for n in range(3000, 30000, 3000))
    work = subprocess.Popen(
        [LIMBER, "compare", ROD, "--vary", f"step={steps}", "--reference", "linear_fem:step=1/30", "-o", "cut"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
    )
    os.close(its)
    said = []
    listener = threading.Thread(target=listen, args=(ours, said))
    listener.start()
    check(wait_until(work, lambda: "step 1/6000" in "".join(said)), f"it comes to the second candidate: {said[-3:]}")
    work.send_signal(signal.SIGINT)
    work.communicate(timeout=120)
    listener.join()
    os.close(ours)
    err = "".join(said)
    check(work.returncode == 1 and "interrupted" in err, f"Ctrl-C ends it with 1: {work.returncode} {err}")
    data = json.loads((folder / "cut" / "compare.json").read_text())
    check(data["interrupted"] and data["candidates"][-1]["outcome"] == "not run", "and keeps what was done")


for test in [test_usage, test_card, test_file, test_interrupt]:
    with tempfile.TemporaryDirectory() as name:
        test(pathlib.Path(name))
sys.exit(1 if failures else 0)
