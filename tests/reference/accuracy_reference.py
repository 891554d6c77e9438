#!/usr/bin/env python3
"""Independent reference of the accuracy benchmarks (Alterovitz & Goldberg), by the paper and our stated corrections.

  accuracy_reference.py --cells N --plane strain|stress --integration full|bbar --out FILE.json

Writes the shape of `limber reproduce accuracy --json` (runs), plus "spectra". A run's frames are the step times from
t = 0 (rest); a run that diverges is cut before max|u| exceeds 1e6 m. The rod is always hex8 with 2x2x2 Gauss.
With --digest only some steps and ten digits are kept: those files are in data/ (remake_data.sh) and serve the tests.
Needs numpy and scipy; shares no code with the library.
"""
import argparse
import json
import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla

import fem
import metrics

STEP = 1.0 / 30.0
STEPS = 300
NEEDLE_STOPS = 60  # steps: 2 s
NEEDLE_SPEED = 0.08  # [m/s]
GRAVITY = 0.05  # [m/s^2]
DIVERGED = 1e6  # [m]
DIGEST_STEPS = [1, 2, 3, 15, 30, 45, 59, 60, 61, 75, 120, 180, 300]
ALPHA, BETA = 1.0, 0.1  # Rayleigh, the same in all three materials
MATERIALS = {
    "MP1": {"young": 200.0, "nu": 0.47, "density": 2000.0},
    "MP2": {"young": 60000.0, "nu": 0.495, "density": 1140.0},
    "MP3": {"young": 7000.0, "nu": 0.2, "density": 10000.0},
}
SCHEMES = ["implicit", "explicit", "implicit_lumped", "implicit_lumped_alpha", "explicit_lumped", "quasi_static"]
PROBES = {
    "block": {"center": [0.5, 0.5], "ahead": [0.8, 0.5], "edge": [1.0, 0.7]},
    "rod": {"tip": [0.5, 0.125, 0.125], "middle": [0.25, 0.125, 0.125], "corner": [0.5, 0.25, 0.25]},
}


class Model:
    """A meshed benchmark: matrices over all components, which are free, and how the prescribed ones move."""

    def __init__(self, scene, cells, material, plane, integration):
        self.scene, self.material, self.cells_across = scene, material, cells
        if scene == "block":
            self.counts, self.sizes, kind = [cells, cells], [1.0, 1.0], plane
        else:
            self.counts, self.sizes, kind = [6, 2, 2], [0.5, 0.25, 0.25], "solid"
        self.dim = len(self.counts)
        self.rest, self.cells = fem.grid(self.counts, self.sizes)
        bbar = scene == "block" and integration == "bbar"
        self.k, self.m = fem.assemble(self.rest, self.cells, MATERIALS[material], kind, bbar)
        self.lumped = fem.row_sum(self.m)
        held = self.held_vertices()
        self.needle = self.nearest([1.0, 0.5]) if scene == "block" else None
        moved = held.copy()
        if self.needle is not None:
            moved[self.needle] = True
        self.free = np.flatnonzero(np.repeat(~moved, self.dim))
        self.free_needle_loose = np.flatnonzero(np.repeat(~held, self.dim))
        self.weights = self.lumped.diagonal()[:: self.dim] / MATERIALS[material]["density"]

    def held_vertices(self):
        x, y = self.rest[:, 0], self.rest[:, 1]
        if self.scene == "rod":
            return x < 1e-9
        return (x < 1e-9) | (y < 1e-9) | (y > 1 - 1e-9)

    def nearest(self, point):
        distance = np.linalg.norm(self.rest - point, axis=1)
        if distance.min() > 1e-9:
            raise ValueError("the needle needs a vertex at (1, 0.5): use an even number of cells")
        return int(distance.argmin())

    def force(self):
        g = np.zeros_like(self.rest)
        if self.scene == "rod":
            g[:, 1] = -GRAVITY
        return self.m @ g.ravel()

    def prescribed(self, step):
        """Displacement and velocity of the whole body with zeros at free components; acceleration is zero."""
        u, v = np.zeros(self.rest.size), np.zeros(self.rest.size)
        if self.needle is not None:
            u[self.needle * self.dim] = -NEEDLE_SPEED * STEP * min(step, NEEDLE_STOPS)
            v[self.needle * self.dim] = -NEEDLE_SPEED if step < NEEDLE_STOPS else 0.0
        return u, v

    def boundary(self):
        n = self.cells_across
        index = lambda i, j: j * (n + 1) + i
        return (
            [index(i, 0) for i in range(n)]
            + [index(n, j) for j in range(n)]
            + [index(i, n) for i in range(n, 0, -1)]
            + [index(0, j) for j in range(n, 0, -1)]
        )

    def probe(self, u, point):
        """Multilinear interpolation inside the cell that holds the rest point."""
        spot = np.array(point) / self.sizes * self.counts
        cell = np.minimum(np.floor(spot + 1e-9).astype(int), np.array(self.counts) - 1)
        values, _ = fem.shapes(self.dim, 2 * (spot - cell) - 1)
        strides = np.cumprod([1] + [c + 1 for c in self.counts[:-1]])
        corners = [int((cell + bits) @ strides) for bits in np.array(fem.corner_bits(self.dim))]
        return values @ u.reshape(-1, self.dim)[corners]


def damping(model, scheme):
    """C over all components, and the mass that goes with it."""
    if scheme in ("implicit", "explicit"):
        return ALPHA * model.m + BETA * model.k, model.m
    if scheme == "implicit_lumped":
        return ALPHA * model.lumped + BETA * model.k, model.lumped
    return ALPHA * model.lumped, model.lumped


def simulate(model, scheme):
    """Displacements of the whole body, one row per step time."""
    if scheme == "quasi_static":
        return simulate_static(model)
    free = model.free
    c, m = damping(model, scheme)
    implicit = scheme.startswith("implicit")
    stiff = (STEP * STEP / 4) * model.k if implicit else 0 * model.k
    left = (m + (STEP / 2) * c + stiff)[free][:, free].tocsc()
    solve = spla.splu(left).solve
    force = model.force()
    u, v = model.prescribed(0)
    a = np.zeros_like(u)
    a[free] = spla.splu(m[free][:, free].tocsc()).solve((force - c @ v - model.k @ u)[free])
    frames = [u.copy()]
    for step in range(1, STEPS + 1):
        share = 0.25 if implicit else 0.5
        u_next, v_next = model.prescribed(step)
        u_next[free] = (u + STEP * v + share * STEP * STEP * a)[free]
        v_next[free] = (v + (STEP / 2) * a)[free]
        a[free] = solve((force - c @ v_next - model.k @ u_next)[free])
        v_next[free] += (STEP / 2) * a[free]
        if implicit:
            u_next[free] += 0.25 * STEP * STEP * a[free]
        u, v = u_next, v_next
        if not np.abs(u).max() <= DIVERGED:
            break
        frames.append(u.copy())
    return np.array(frames)


def simulate_static(model):
    free = model.free
    solve = spla.splu(model.k[free][:, free].tocsc()).solve
    frames = [np.zeros(model.rest.size)]
    for step in range(1, STEPS + 1):
        u, _ = model.prescribed(step)
        u[free] = solve((model.force() - model.k @ u)[free])
        frames.append(u)
    return np.array(frames)


def compare_runs(model, frames, reference):
    """The three measures per frame both runs have; no surface measure in 3D."""
    count = min(len(frames), len(reference))
    outline = model.boundary() if model.dim == 2 else None
    result = {"relative_l2": [], "surface": [], "interior": []}
    for mine, other in zip(frames[:count], reference[:count]):
        result["relative_l2"].append(metrics.relative_l2(other, mine))
        result["interior"].append(metrics.interior(other, mine, model.weights, model.dim))
        if outline is not None:
            result["surface"].append(
                metrics.surface(
                    (model.rest + other.reshape(-1, 2))[outline], (model.rest + mine.reshape(-1, 2))[outline]
                )
            )
    return result


def run_entry(model, labels, scheme, frames, reference_name, reference):
    count = min(len(frames), len(reference))
    probes = {
        name: [model.probe(u, point).tolist() for u in frames[:count]] for name, point in PROBES[model.scene].items()
    }
    return {
        **labels,
        "material": model.material,
        "scheme": scheme,
        "reference": reference_name,
        "diverged": len(frames) <= STEPS,
        "t": [i * STEP for i in range(count)],
        **compare_runs(model, frames, reference),
        "probes": probes,
    }


def spectrum(model, labels, count=20):
    """Angular frequencies with the needle held; the highest gives the explicit limit 2/omega_max."""
    dense = lambda matrix, free: matrix[free][:, free].toarray()
    k, free = model.k, model.free
    consistent = np.sqrt(scipy.linalg.eigh(dense(k, free), dense(model.m, free), eigvals_only=True))
    lumped = np.sqrt(scipy.linalg.eigh(dense(k, free), dense(model.lumped, free), eigvals_only=True))
    loose = model.free_needle_loose
    no_needle = np.sqrt(scipy.linalg.eigh(dense(k, loose), dense(model.m, loose), eigvals_only=True))
    return {
        **labels,
        "material": model.material,
        "lowest": consistent[:count].tolist(),
        "lowest_lumped": lumped[:count].tolist(),
        "lowest_without_needle": no_needle[:count].tolist(),
        "omega_max": {"consistent": consistent[-1], "lumped": lumped[-1]},
        "critical_step": {"consistent": 2 / consistent[-1], "lumped": 2 / lumped[-1]},
    }


def needle_force(model, frames):
    """Static x force the needle feels at the last quasi-static frame [N per unit thickness]."""
    return float((model.k @ frames[-1])[model.needle * model.dim])


def block_runs(cells, plane, integration):
    labels = {"scene": "block", "cells": cells, "plane": plane, "integration": integration}
    models = {name: Model("block", cells, name, plane, integration) for name in ("MP1", "MP2")}
    frames = {(name, s): simulate(models[name], s) for name in models for s in SCHEMES}
    runs = []
    for name in models:
        for s in SCHEMES:
            runs.append(
                run_entry(models[name], labels, s, frames[name, s], f"{name} implicit", frames[name, "implicit"])
            )
    for s in SCHEMES:
        runs.append(run_entry(models["MP1"], labels, s, frames["MP1", s], "MP2 implicit", frames["MP2", "implicit"]))
    spectra = [spectrum(models[name], labels) for name in models]
    for entry in spectra:
        entry["static_needle_force"] = needle_force(
            models[entry["material"]], frames[entry["material"], "quasi_static"]
        )
    return runs, spectra


def rod_runs():
    labels = {"scene": "rod", "cells": [6, 2, 2], "plane": "solid", "integration": "full"}
    model = Model("rod", None, "MP3", None, "full")
    frames = {s: simulate(model, s) for s in SCHEMES}
    runs = [run_entry(model, labels, s, frames[s], "MP3 implicit", frames["implicit"]) for s in SCHEMES]
    return runs, [spectrum(model, labels)]


def digest(result):
    """Fewer frames and digits, for files that are kept."""
    short = lambda values: [
        [float(f"{c:.10g}") if abs(c) > 1e-14 else 0.0 for c in v] if isinstance(v, list) else float(f"{v:.10g}")
        for v in values
    ]
    for run in result["runs"]:
        kept = [i for i in DIGEST_STEPS if i < len(run["t"])]
        pick = lambda values: short([values[i] for i in kept] if values else [])
        for name in ("t", "relative_l2", "surface", "interior"):
            run[name] = pick(run[name])
        run["probes"] = {name: pick(values) for name, values in run["probes"].items()}
    for entry in result["spectra"]:
        for name in ("lowest", "lowest_lumped", "lowest_without_needle"):
            entry[name] = short(entry[name][:10])
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=20)
    parser.add_argument("--plane", choices=["strain", "stress"], default="strain")
    parser.add_argument("--integration", choices=["full", "bbar"], default="full")
    parser.add_argument("--out", required=True)
    parser.add_argument("--digest", action="store_true")
    args = parser.parse_args()
    if args.cells < 2 or args.cells % 2:
        parser.error("--cells must be even, so that the needle's point is a vertex")
    if args.plane == "stress" and args.integration == "bbar":
        parser.error("B-bar is defined for plane strain only")
    block, block_spectra = block_runs(args.cells, args.plane, args.integration)
    rod, rod_spectra = rod_runs()
    with open(args.out, "w") as file:
        result = {"runs": block + rod, "spectra": block_spectra + rod_spectra}
        json.dump(digest(result) if args.digest else result, file)
        file.write("\n")


if __name__ == "__main__":
    main()
