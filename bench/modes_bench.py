#!/usr/bin/env python3
"""Prepare time and memory of 20 modes: limber, Spectra + CHOLMOD and CalculiX, one thread and one process each, in turn.

    bench/modes_bench.py BUILD [--rounds N] [--out FILE]       BUILD: a build folder with limber and bench/limber_bench_modes

Times are CPU seconds (user + system), so a busy machine disturbs them little; memory is the process' peak. CalculiX (calculix-ccx) reads
the deck that `limber export --to inp --modes` writes; its time includes reading it, ours and Spectra's the making of the mesh.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

SIZES = {"10k": (34, 7, 7), "30k": (42, 11, 11)}
MODES = 20


def scene(counts):
    return {
        "format": 1,
        "name": "beam",
        "bodies": [
            {
                "mesh": {
                    "shape": "box",
                    "kind": "tet10",
                    "counts": list(counts),
                    "low": [0, 0, 0],
                    "high": [1, 0.25, 0.25],
                },
                "materials": [{"young": 1e5, "poisson": 0.3, "density": 1000}],
                "anchors": [{"name": "wall", "set": "left"}],
            }
        ],
        "method": {"name": "linear_fem", "options": {}},
        "step": 0.01,
        "duration": 0.1,
    }


def measured(command, folder):
    """(CPU seconds, peak bytes, stdout) of one process."""
    with open(folder / "stdout", "w+") as out:
        process = subprocess.Popen(
            [str(c) for c in command],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, command))}: {text[-800:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text


def ccx_omega(path):
    """The angular frequencies of a .dat file."""
    rows = [line.split() for line in path.read_text().splitlines()]
    found = [float(r[2]) for r in rows if len(r) == 5 and r[0].isdigit()]
    return found[:MODES]


def one_size(build, counts, folder, rounds):
    (folder / "beam.json").write_text(json.dumps(scene(counts)))
    measured([build / "limber", "export", "beam.json", "--to", "inp", "--modes", MODES, "-o", "beam.inp"], folder)
    ways = {
        "ours": [build / "bench" / "limber_bench_modes", "ours", *counts, MODES],
        "spectra": [build / "bench" / "limber_bench_modes", "spectra", *counts, MODES],
        "ccx": ["ccx", "beam"],
    }
    times, peaks, reports = {w: [] for w in ways}, {w: [] for w in ways}, {}
    for turn in range(rounds):
        for way, command in ways.items():
            if way == "ccx" and turn > 0 and sum(times["ccx"]) > 60:
                continue  # minutes each: once is enough
            seconds, peak, text = measured(command, folder)
            times[way].append(seconds)
            peaks[way].append(peak)
            reports[way] = {"omega": ccx_omega(folder / "beam.dat")} if way == "ccx" else json.loads(text)
            print(f"  {way:8} {seconds:8.2f} s  {peak / 1e6:7.0f} MB", file=sys.stderr)
    ours = reports["ours"]["omega"]
    result = {"counts": list(counts), "cells": reports["ours"]["cells"]}
    for way in ways:
        result[way] = {
            "cpu_seconds": statistics.median(times[way]),
            "runs": times[way],
            "peak_bytes": max(peaks[way]),
            "frequency_difference": max(abs(a / b - 1) for a, b in zip(ours, reports[way]["omega"])),
        }
        result[way].update({k: reports[way][k] for k in ("residual", "orthonormality", "solves") if k in reports[way]})
    result["times_faster_than_ccx"] = result["ccx"]["cpu_seconds"] / result["ours"]["cpu_seconds"]
    result["times_faster_than_spectra"] = result["spectra"]["cpu_seconds"] / result["ours"]["cpu_seconds"]
    result["memory_over_ccx"] = result["ours"]["peak_bytes"] / result["ccx"]["peak_bytes"]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not shutil.which("ccx") or not (build / "bench" / "limber_bench_modes").exists():
        sys.exit("modes_bench: needs ccx (calculix-ccx), libspectra-dev and the target limber_bench_modes")
    results = {
        "what": f"{MODES} modes of a tet10 beam, one thread each, CPU seconds",
        "date": datetime.date.today().isoformat(),
        "machine": platform.machine(),
        "provenance": json.loads(
            subprocess.run([build / "limber", "--version", "--json"], capture_output=True, text=True).stdout or "{}"
        ),
        "sizes": {},
    }
    for name in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(f"modes/{name}", file=sys.stderr)
            results["sizes"][name] = r = one_size(build, SIZES[name], pathlib.Path(folder), arguments.rounds)
        print(
            f"modes/{name}: ours {r['ours']['cpu_seconds']:.2f} s, {r['ours']['peak_bytes'] / 1e6:.0f} MB; "
            f"{r['times_faster_than_spectra']:.2f} x faster than Spectra, "
            f"{r['times_faster_than_ccx']:.2f} x faster than CalculiX, {r['memory_over_ccx']:.2f} of its memory; "
            f"{r['ours']['solves']} solves, residual {r['ours']['residual']:.1e}, "
            f"frequencies within {r['ccx']['frequency_difference']:.1e} of CalculiX"
        )
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
