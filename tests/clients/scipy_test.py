#!/usr/bin/env python3
"""K, M and C as limber exports them, solved by SciPy, give limber's answers to 1e-9: scipy_test.py LIMBER.

Statics, average acceleration with a handle that moves and turns, support forces, and natural frequencies; planar and solid
bodies, one and two materials (C = alpha M + beta K, and a C of its own). SciPy shares no code with limber: Matrix Market in,
SuperLU and ARPACK inside, and the recording is read by recording.py from its documentation.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import scipy.io
    import scipy.sparse
    import scipy.sparse.linalg as linalg
except ImportError as problem:
    print(f"skipped: {problem} (./test --clients installs it)")
    sys.exit(1 if os.environ.get("LIMBER_CLIENTS") else 77)

import recording
import scenes

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
BAR = 1e-9
MODES = 8


def limber(*arguments):
    done = subprocess.run(
        [LIMBER, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=250
    )
    if done.returncode != 0:
        sys.exit(f"FAILED: limber {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


class Exported:
    """What `limber export --to matrices` wrote."""

    def __init__(self, folder):
        self.folder = folder
        self.K, self.M, self.C = (
            scipy.sparse.csr_matrix(scipy.io.mmread(str(folder / f"{name}.mtx"))) for name in "KMC"
        )
        self.f = scipy.io.mmread(str(folder / "f.mtx")).ravel()
        self.x = scipy.io.mmread(str(folder / "x.mtx"))
        rows = [line.strip().split(",") for line in open(folder / "dofs.csv", encoding="utf-8") if line[0].isdigit()]
        self.vertex = np.array([int(r[1]) for r in rows])
        self.axis = np.array(["xyz".index(r[2]) for r in rows])
        self.free = np.array([r[6] == "free" for r in rows])
        self.handled = np.array([r[6] == "handled" for r in rows])
        self.support = np.array([r[7] for r in rows])
        self.rest = np.array([[float(value) for value in r[3:6]] for r in rows])

    def of_field(self, field):
        """A field per vertex as one vector over the unknowns."""
        return field[self.vertex, self.axis]


def share(motion, t):
    """How much of the handle's way is done at t, its rate and acceleration: straight, or the cubic at rest at both ends."""
    span = motion["until"]
    q = t / span
    if q >= 1 - 1e-9:
        return 1.0, 0.0, 0.0
    if motion["interpolation"] == "linear":
        return q, 1 / span, 0.0
    return q * q * (3 - 2 * q), 6 * q * (1 - q) / span, (6 - 12 * q) / span**2


def prescribed(e, motion, t):
    """Displacement, velocity and acceleration vectors with the handle's values and zeros elsewhere."""
    u, v, a = np.zeros(len(e.f)), np.zeros(len(e.f)), np.zeros(len(e.f))
    if not motion:
        return u, v, a
    s, rate, change = share(motion, t)
    shift, turn = np.array(motion["translation"], float), np.radians(motion["rotation"])
    members = np.unique(e.vertex[e.handled])
    arm = e.rest[e.handled] - e.x[members].mean(axis=0)
    angle = np.linalg.norm(turn)
    n = turn / angle if angle > 0 else np.array([0.0, 0.0, 1.0])
    cross = lambda w, p: np.cross(np.broadcast_to(w, p.shape), p)  # noqa: E731
    c, sn = np.cos(angle * s), np.sin(angle * s)
    turned = c * arm + sn * cross(n, arm) + (1 - c) * np.outer(arm @ n, n)
    w, alpha = angle * rate * n, angle * change * n
    pick = (np.arange(len(arm)), e.axis[e.handled])
    u[e.handled] = (s * shift + turned - arm)[pick]
    v[e.handled] = (rate * shift + cross(w, turned))[pick]
    a[e.handled] = (change * shift + cross(alpha, turned) + cross(w, cross(w, turned)))[pick]
    return u, v, a


def worst(found, wanted):
    """Largest difference over the largest value."""
    return float(np.abs(np.asarray(found) - np.asarray(wanted)).max() / np.abs(wanted).max())


def static(e, motion, t):
    u = prescribed(e, motion, t)[0]
    F = e.free
    u[F] = linalg.spsolve(e.K[F][:, F].tocsc(), (e.f - e.K @ u)[F])
    return u


def march(e, motion, step, count):
    """Average acceleration (the paper's beta = gamma = 1/2): u, v and the force of every support at each step."""
    F, h = e.free, step
    ff = lambda m: m[F][:, F].tocsc()  # noqa: E731
    balance = lambda u, v, a: e.M @ a + e.C @ v + e.K @ u  # noqa: E731
    u, v, a = prescribed(e, motion, 0.0)
    a[F] = linalg.spsolve(ff(e.M), (e.f - balance(u, v, a))[F])
    solve = linalg.splu(ff(e.M + h / 2 * e.C + h * h / 4 * e.K)).solve
    for i in range(count + 1):
        if i > 0:
            un, vn, an = prescribed(e, motion, i * h)
            un[F], vn[F] = (u + h * v + h * h / 4 * a)[F], (v + h / 2 * a)[F]
            an[F] = solve((e.f - balance(un, vn, an))[F])
            un[F] += h * h / 4 * an[F]
            vn[F] += h / 2 * an[F]
            u, v, a = un, vn, an
        yield u, v, balance(u, v, a) - e.f


def wrenches(e, force, names):
    """Force and torque about the origin of each support, a row each."""
    out = []
    for name in names:
        mine = e.support == name
        vectors = np.zeros((mine.sum(), 3))
        vectors[np.arange(len(vectors)), e.axis[mine]] = force[mine]
        out.append(np.concatenate([vectors.sum(axis=0), np.cross(e.rest[mine], vectors).sum(axis=0)]))
    return np.array(out)


def frequencies(e):
    F = e.free
    values = linalg.eigsh(
        e.K[F][:, F].tocsc(), k=MODES, M=e.M[F][:, F].tocsc(), sigma=0.0, which="LM", tol=0, return_eigenvectors=False
    )
    return np.sqrt(np.sort(values))


def snippet_of_the_readme(e):
    """What README.txt tells people to type must work as it stands."""
    words = (e.folder / "README.txt").read_text()
    code = "\n".join(line[4:] for line in words.split("in this folder:")[1].splitlines() if line.startswith("    "))
    here, names = os.getcwd(), {}
    os.chdir(e.folder)
    try:
        exec(code, names)  # noqa: S102
    finally:
        os.chdir(here)
    return names["u"]


def examine(folder, scene, motion):
    """{what: relative difference}"""
    path = scenes.save(folder, scene, "newmark_implicit")
    out = folder / f"{scene['name']}_matrices"
    limber("export", path, "--to", "matrices", "-o", out, "--quiet")
    e = Exported(out)
    differences = {}

    limber("run", path, "-o", folder / "moving.limber", "--quiet")
    moving = recording.read(folder / "moving.limber")
    steps = list(march(e, motion, moving["step"], len(moving["times"]) - 1))
    names = ["wall", "grip"] if motion else ["wall"]
    differences["moving u"] = worst([s[0] for s in steps], [e.of_field(u) for u in moving["u"]])
    differences["moving v"] = worst([s[1] for s in steps], [e.of_field(v) for v in moving["v"]])
    differences["support forces"] = worst([wrenches(e, s[2], names) for s in steps], moving["reactions"])

    limber("run", scenes.save(folder, scene, "quasi_static"), "-o", folder / "still.limber", "--quiet")
    still = recording.read(folder / "still.limber")
    differences["static u"] = max(
        worst(static(e, motion, still["times"][i]), e.of_field(still["u"][i])) for i in (1, 25, -1)
    )
    if not motion:
        differences["README's u"] = worst(snippet_of_the_readme(e), e.of_field(still["u"][-1]))

    ours = json.loads(limber("modes", path, "--count", MODES, "--json", "--quiet"))["omega"]
    differences["frequencies"] = worst(frequencies(e) / ours, np.ones(MODES))
    return differences


def cases(folder):
    turning = {"interpolation": "smooth", "until": 0.3, "translation": [0.01, 0.02, 0.0], "rotation": [0, 0, 8]}
    twisting = {"interpolation": "smooth", "until": 0.3, "translation": [0.02, 0.0, 0.01], "rotation": [10, 5, 0]}
    pulled = {"interpolation": "linear", "until": 0.2, "translation": [0.03, 0.0, 0.0], "rotation": [0, 0, 0]}
    yield scenes.make(folder, "quads_two_materials", "quad4", [12, 6], [0.4, 0.2], turning), turning
    yield scenes.make(folder, "triangles_one_material", "tri3", [10, 5], [0.4, 0.2], pulled, two=False), pulled
    yield scenes.make(folder, "hexahedra_two_materials", "hex8", [6, 3, 3], [0.4, 0.2, 0.2], twisting), twisting
    yield scenes.make(folder, "tetrahedra_two_materials", "tet4", [6, 3, 3], [0.4, 0.2, 0.2], pulled), pulled
    yield scenes.make(
        folder, "quadratic_under_load", "tet10", [4, 2, 2], [0.4, 0.2, 0.2], two=False, force=[0, 0.5, -1.0]
    ), None
    yield scenes.make(
        folder,
        "lumped_mass_only",
        "tet4",
        [6, 3, 3],
        [0.4, 0.2, 0.2],
        twisting,
        options={"mass": "lumped", "damping": "mass_only"},
    ), twisting


def main():
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for scene, motion in cases(folder):
            differences = examine(folder, scene, motion)
            print(f"{scene['name']:26}" + "  ".join(f"{what} {value:.1e}" for what, value in differences.items()))
            failed += [
                f"{scene['name']}: {what} differs by {value:.3e}, allowed {BAR}"
                for what, value in differences.items()
                if not value < BAR
            ]
            comments = (folder / f"{scene['name']}_matrices" / "C.mtx").read_text()[:2000]
            if not re.search(r"^% scene \S+, hash 0x[0-9a-f]{16}$", comments, re.M):
                failed.append(f"{scene['name']}: C.mtx does not name its scene")
    return scenes.verdict(failed)


if __name__ == "__main__":
    sys.exit(main())
