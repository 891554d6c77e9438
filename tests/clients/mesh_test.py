#!/usr/bin/env python3
"""Gmsh and meshio read the MSH, VTU, INP and Medit files we write: same nodes, same cells, same groups: mesh_test.py LIMBER.

The meshes are made here, with numbers that no short decimal holds; limber converts them and the others read the result.
"""
import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import meshio
    import numpy as np
except ImportError as problem:
    print(f"skipped: {problem} (./test --clients installs it)")
    sys.exit(1 if os.environ.get("LIMBER_CLIENTS") else 77)

import scenes
import shown

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
COUNTS = {"tri3": [3, 2], "quad4": [3, 2], "tet4": [2, 1, 2], "tet10": [2, 1, 1], "hex8": [2, 2, 1]}
GMSH_TYPE = {**scenes.TYPES, "tet10": 11}
MESHIO_TYPE = {"tri3": "triangle", "quad4": "quad", "tet4": "tetra", "tet10": "tetra10", "hex8": "hexahedron"}
FORMATS = {
    "msh2_ascii": ".msh",
    "msh2_binary": ".msh",
    "msh4_ascii": ".msh",
    "msh4_binary": ".msh",
    "vtu": ".vtu",
    "inp": ".inp",
    "medit": ".mesh",
}
# INP has 20 characters for a number; the others hold a double whole.
BAR = {"inp": 1e-12}
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED  " + what)


def with_middles(points, corners):
    """Ten nodes per tetrahedron in Gmsh's order: the middles of 01 12 20 03 23 13 follow the corners."""
    points, number, out = list(points), {}, []
    for c in corners:
        cell = list(c)
        for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (2, 3), (1, 3)):
            key = tuple(sorted((c[a], c[b])))
            if key not in number:
                number[key] = len(points)
                points.append(tuple((x + y) / 2 for x, y in zip(points[key[0]], points[key[1]])))
            cell.append(number[key])
        out.append(cell)
    return points, out


def truth_of(kind):
    """Points and cells in Gmsh's order; every cell positive."""
    counts = COUNTS[kind]
    size = [1 / 3, 2 / 7, 1e-2 * np.pi][: len(counts)]
    points = [tuple(x + 0.1 for x in p) + (0.0,) * (3 - len(p)) for p in scenes.points(counts, size)]
    cells = list(scenes.cells("tet4" if kind == "tet10" else kind, counts))
    if kind in ("tri3", "tet4", "tet10"):  # paths from corner to corner turn either way
        p = np.array(points)
        for c in cells:
            edges = [p[k] - p[c[0]] for k in c[1:]]
            if (
                np.cross(edges[0], edges[1])[2] if len(edges) == 2 else np.dot(np.cross(edges[0], edges[1]), edges[2])
            ) < 0:
                c[-1], c[-2] = c[-2], c[-1]
    if kind == "tet10":
        points, cells = with_middles(points, cells)
    return np.array(points), np.array(cells)


def write_source(path, kind, points, cells):
    dimension = len(COUNTS[kind])
    lines = [
        "$MeshFormat",
        "2.2 0 8",
        "$EndMeshFormat",
        "$PhysicalNames",
        "2",
        f'{dimension} 1 "soft"',
        f'{dimension} 2 "stiff"',
        "$EndPhysicalNames",
        "$Nodes",
        str(len(points)),
    ]
    lines += [f"{i + 1} " + " ".join(repr(float(x)) for x in p) for i, p in enumerate(points)]
    lines += ["$EndNodes", "$Elements", str(len(cells))]
    lines += [
        f"{i + 1} {GMSH_TYPE[kind]} 2 {group_of(i)} {group_of(i)} " + " ".join(str(v + 1) for v in c)
        for i, c in enumerate(cells)
    ]
    path.write_text("\n".join(lines + ["$EndElements", ""]))


def group_of(cell):
    return 1 if cell % 3 else 2


def in_vtk_order(kind, cells):
    """meshio keeps VTK's order, in which the last two middles of ten change places."""
    return cells[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]] if kind == "tet10" else cells


def places(cells, found):
    """Which cell of ours each found one is; -1 = none. Groups are blocks in MSH 4, so that cells come in another order."""
    number = {tuple(c): i for i, c in enumerate(cells.tolist())}
    return [number.get(tuple(c), -1) for c in found.tolist()]


def compare(what, bar, points, cells, found_points, found_cells):
    check(found_points.shape == points.shape, f"{what}: {len(found_points)} points, expected {len(points)}")
    if found_points.shape == points.shape:
        worst = float(np.abs(found_points - points).max() / np.abs(points).max())
        check(worst <= bar, f"{what}: points differ by {worst:.1e}, allowed {bar:.0e}")
    check(sorted(places(cells, found_cells)) == list(range(len(cells))), f"{what}: the cells differ")


def groups_in(mesh, name, format_name):
    """The cells of a named group as meshio numbers them; None where meshio keeps no names for this format."""
    if format_name.startswith("msh"):
        number = mesh.field_data[name][0]
        return np.flatnonzero(np.concatenate(mesh.cell_data["gmsh:physical"]) == number)
    if format_name == "inp":
        return mesh.cell_sets[name][0]
    if format_name == "vtu" and f"set:{name}" in mesh.cell_data:
        return np.flatnonzero(mesh.cell_data[f"set:{name}"][0])
    return None


def meshio_reads(path, kind, format_name, points, cells):
    words = io.StringIO()
    try:
        with contextlib.redirect_stdout(words), contextlib.redirect_stderr(words):
            mesh = meshio.read(path)
    except (Exception, SystemExit) as problem:  # meshio leaves the program when no reader of an ending succeeds
        return check(False, f"meshio {kind} {format_name}: {problem!r} {words.getvalue()[:300]}")
    check("warning" not in words.getvalue().lower(), f"meshio warns about {path.name}: {words.getvalue()[:200]}")
    blocks = [np.asarray(b.data) for b in mesh.cells if b.type == MESHIO_TYPE[kind]]
    found = np.concatenate(blocks) if blocks else np.zeros((0, 0))
    at = np.asarray(mesh.points, float)
    if at.shape[1] == 2:
        at = np.column_stack([at, np.zeros(len(at))])
    what = f"meshio {kind} {format_name}"
    cells = in_vtk_order(kind, cells)
    compare(what, BAR.get(format_name, 0.0), points, cells, at, found)
    place = places(cells, found)
    for number, name in ((1, "soft"), (2, "stiff")):
        members = groups_in(mesh, name, format_name)
        members = None if members is None else sorted(place[m] for m in members)
        check(
            members is None or members == [i for i in range(len(cells)) if group_of(i) == number],
            f"{what}: the group {name} is {members}",
        )


def gmsh_reads(path, kind, format_name, points, cells):
    """Gmsh loads the file and saves it as ASCII 2.2, which is read here."""
    out = path.with_suffix(".by_gmsh.msh")
    # Medit has numbers, not names: there Gmsh saves what is in no group only when told to.
    every = ["-save_all"] if format_name == "medit" else []
    done = subprocess.run(
        ["gmsh", str(path), "-save", *every, "-format", "msh22", "-o", str(out), "-v", "2"],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    what = f"gmsh {kind} {format_name}"
    check(
        done.returncode == 0 and not done.stdout.strip() and not done.stderr.strip(),
        f"{what}: {(done.stdout + done.stderr)[:300]}",
    )
    if not out.exists():
        return
    lines = out.read_text().splitlines()
    nodes, elements = lines.index("$Nodes") + 2, lines.index("$Elements") + 2
    # Gmsh numbers nodes anew by entity, so that they are known by where they are; it prints 16 digits.
    rows = [row.split() for row in lines[nodes : nodes + int(lines[nodes - 1])]]
    at = np.array([[float(x) for x in row[1:]] for row in rows])
    nearest = [int(np.abs(points - p).max(axis=1).argmin()) for p in at]
    number = dict(zip((int(row[0]) for row in rows), nearest))
    rows = [list(map(int, row.split())) for row in lines[elements : elements + int(lines[elements - 1])]]
    rows = [row for row in rows if row[1] == GMSH_TYPE[kind]]
    found = np.array([[number[v] for v in row[3 + row[2] :]] for row in rows])
    at = at[np.argsort(nearest)]
    compare(what, 1e-15, points, cells, at, found)
    if format_name.startswith("msh"):
        names = {
            int(r.split()[1]): r.split('"')[1]
            for r in lines[lines.index("$PhysicalNames") + 2 : lines.index("$EndPhysicalNames")]
        }
        wrong = [
            i
            for row, i in zip(rows, places(cells, found))
            if names.get(row[3]) != ("soft" if group_of(i) == 1 else "stiff")
        ]
        check(not wrong, f"{what}: the cells {wrong} are in other groups, of {sorted(names.values())}")


def main():
    if not shutil.which("gmsh"):
        print("skipped: gmsh is not here (./test --clients installs it)")
        return 1 if os.environ.get("LIMBER_CLIENTS") else 77
    read = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for kind in COUNTS:
            points, cells = truth_of(kind)
            write_source(folder / f"{kind}.msh", kind, points, cells)
            for format_name, ending in FORMATS.items():
                path = folder / f"{kind}_{format_name}{ending}"
                shown.limber(LIMBER, "mesh", "convert", folder / f"{kind}.msh", path, "--format", format_name)
                if (kind, format_name) != ("tet10", "medit"):  # meshio's Medit has no quadratic cells
                    meshio_reads(path, kind, format_name, points, cells)
                    read += 1
                if ending == ".msh" or (
                    ending == ".mesh" and len(COUNTS[kind]) == 3
                ):  # Gmsh takes planar Medit points for spatial ones
                    gmsh_reads(path, kind, format_name, points, cells)
                    read += 1
    print(f"{read} readings of {len(COUNTS) * len(FORMATS)} files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
