#!/usr/bin/env python3
"""Compares two accuracy files run by run: compare.py A.json REFERENCE.json [--tolerance 1e-4]

Prints the largest relative difference per run and measure (at equal times, relative to the reference's value there, and
no less than 1e-6 of its largest: a value that small is rounding, not an answer). Exit code 1 above the tolerance, or
when a run, a measure or a probe of the reference is missing (one last time may be: where a diverging run is cut).
Frequencies are held to 1e-5, critical steps to 1e-3. Standard library only.
"""
import argparse
import json
import re
import sys

MEASURES = ["relative_l2", "surface", "interior"]
FLOOR = 1e-6


def reference_key(run):
    """'MP2 implicit', 'implicit/MP2', 'implicit' (same material) all mean the same run."""
    found = re.search(r"MP\d", str(run.get("reference", "")))
    return found.group(0) if found else run["material"]


def run_key(run):
    cells = run["cells"] if run["scene"] == "block" else "-"
    plane = run["plane"] if run["scene"] == "block" else "-"
    integration = run["integration"] if run["scene"] == "block" else "-"
    return (run["scene"], str(cells), plane, integration, run["material"], run["scheme"], reference_key(run))


def by_time(run, values):
    return {round(t * 1e6): v for t, v in zip(run["t"], values)}


def worst(mine, theirs):
    """Largest relative difference over the shared times of two {time: number}; what is no number is infinitely off."""
    shared = [t for t in theirs if t in mine]
    if not shared or any(not isinstance(mine[t], (int, float)) for t in shared):
        return float("inf")
    floor = FLOOR * max(abs(theirs[t]) for t in shared)
    result = 0.0
    for t in shared:
        gap = abs(mine[t] - theirs[t])
        if gap > 1e-15:
            result = max(result, gap / max(abs(theirs[t]), floor, 1e-300))
    return result


def probe_series(run, name):
    """One {time: number} per component; a planar body may carry a zero z."""
    samples = run["probes"][name]
    if isinstance(samples, dict):
        samples = samples.get("u") or samples.get("displacement")
    return [by_time(run, [s[axis] for s in samples]) for axis in range(min(len(samples[0]), 3))]


def probe_gap(a, b, name):
    """Relative to the length of the probe's displacement: a component may be zero by symmetry."""
    mine, theirs = probe_series(a, name), probe_series(b, name)
    times = [t for t in theirs[0] if t in mine[0]]
    lengths = {t: sum(c[t] ** 2 for c in theirs) ** 0.5 for t in times}
    floor = FLOOR * max(lengths.values(), default=0.0)
    result = 0.0
    for x, y in zip(mine, theirs):
        for t in times:
            gap = abs(x[t] - y[t])
            if gap > 1e-15:
                result = max(result, gap / max(lengths[t], floor, 1e-300))
    return result


def compare_run(a, b):
    gaps = {}
    for measure in MEASURES:
        if b.get(measure):
            gaps[measure] = worst(by_time(a, a.get(measure, [])), by_time(b, b[measure]))
    for name in b.get("probes", {}):
        gaps["probe " + name] = probe_gap(a, b, name) if name in a.get("probes", {}) else float("inf")
    missing = len([t for t in by_time(b, b["t"]) if t not in by_time(a, a["t"]) and t > 0])
    return gaps, missing


def compare_spectra(a, b):
    key = lambda s: (
        s["scene"],
        str(s["cells"]) if s["scene"] == "block" else "-",
        s["material"],
        s["integration"] if s["scene"] == "block" else "-",
    )
    mine = {key(s): s for s in a.get("spectra", [])}
    for other in b.get("spectra", []):
        if key(other) not in mine:
            continue
        one = mine[key(other)]
        gap = max(abs(x / y - 1) for x, y in zip(one["lowest"], other["lowest"]))
        yield " ".join(key(other)) + " frequencies", gap, 1e-5
        for mass in ("consistent", "lumped"):
            if mass in one.get("critical_step", {}):
                gap = abs(one["critical_step"][mass] / other["critical_step"][mass] - 1)
                yield " ".join(key(other)) + f" critical step, {mass}", gap, 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("reference")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    args = parser.parse_args()
    ours, reference = json.load(open(args.ours)), json.load(open(args.reference))
    mine = {run_key(run): run for run in ours["runs"]}
    bad = 0
    for run in reference["runs"]:
        name = " ".join(run_key(run)[:-1]) + " vs " + run_key(run)[-1]
        if run_key(run) not in mine:
            print(f"MISSING  {name}")
            bad += 1
            continue
        gaps, missing = compare_run(mine[run_key(run)], run)
        worst_gap = max(gaps.values(), default=0.0)
        failed = not worst_gap <= args.tolerance or missing > 1 or not gaps
        bad += failed
        print(
            ("FAIL     " if failed else "ok       ")
            + name
            + ": "
            + ", ".join(f"{k} {v:.1e}" for k, v in gaps.items())
            + (f"; {missing} times missing" if missing else "")
        )
    for name, gap, tolerance in compare_spectra(ours, reference):
        bad += gap > tolerance
        print(("FAIL     " if gap > tolerance else "ok       ") + f"{name}: {gap:.1e}")
    print(f"{bad} of {len(reference['runs'])} runs differ" if bad else "all runs agree")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
