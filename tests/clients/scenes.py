"""Scenes for the clients' tests: planar and solid, one and two materials, every kind of cell, handles that move and turn."""
import itertools
import json

STIFF = {"young": 4e4, "poisson": 0.3, "density": 1100, "rayleigh_alpha": 0.4, "rayleigh_beta": 0.003}
SOFT = {"young": 1e4, "poisson": 0.45, "density": 900, "rayleigh_alpha": 1.5, "rayleigh_beta": 0.02}
TYPES = {"tri3": 2, "quad4": 3, "tet4": 4, "hex8": 5}  # Gmsh's numbers


def verdict(failed):
    """Tells what failed; the exit code."""
    for line in failed:
        print("FAILED: " + line)
    return 1 if failed else 0


def points(counts, size):
    axes = [[s * i / n for i in range(n + 1)] for n, s in zip(counts, size)]
    return [tuple(reversed(p)) for p in itertools.product(*reversed(axes))]


def cells(kind, counts):
    """Corner indices of every cell; simplices are cut along the paths from the low corner to the high one."""
    strides = [1, counts[0] + 1, (counts[0] + 1) * (counts[1] + 1)][: len(counts)]
    for at in itertools.product(*(range(n) for n in reversed(counts))):
        low = sum(i * s for i, s in zip(reversed(at), strides))
        if kind in ("tri3", "tet4"):
            for path in itertools.permutations(strides):
                yield list(itertools.accumulate(path, initial=low))
        else:
            square = [0, 1, 1 + strides[1], strides[1]]
            yield [low + c for c in (square if kind == "quad4" else square + [c + strides[2] for c in square])]


def write_mesh(path, kind, counts, size):
    """A box in Gmsh's format 2.2 whose left half is the group 1 "stiff" and whose right half is 2 "soft"."""
    vertices, elements = points(counts, size), list(cells(kind, counts))
    dimension = len(counts)
    lines = [
        "$MeshFormat",
        "2.2 0 8",
        "$EndMeshFormat",
        "$PhysicalNames",
        "2",
        f'{dimension} 1 "stiff"',
        f'{dimension} 2 "soft"',
        "$EndPhysicalNames",
        "$Nodes",
        str(len(vertices)),
    ]
    lines += [" ".join(map(repr, (i + 1, *p, *([0.0] * (3 - dimension))))) for i, p in enumerate(vertices)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    for i, corners in enumerate(elements):
        middle = sum(vertices[c][0] for c in corners) / len(corners)
        group = 1 if middle < size[0] / 2 else 2
        lines.append(" ".join(map(str, (i + 1, TYPES[kind], 2, group, group, *(c + 1 for c in corners)))))
    path.write_text("\n".join(lines + ["$EndElements", ""]))


def body(mesh, materials, size, motion):
    far = 1e3
    sets = [
        {"name": "near", "box": [[-far, -far, -far], [1e-9, far, far]]},
        {"name": "end", "box": [[size[0] - 1e-9, -far, -far], [far, far, far]]},
    ]
    out = {
        "name": "bar",
        "mesh": mesh,
        "materials": materials,
        "sets": sets,
        "anchors": [{"name": "wall", "set": "near"}],
    }
    if motion:
        out["handles"] = [
            {
                "name": "grip",
                "set": "end",
                "interpolation": motion["interpolation"],
                "keyframes": [
                    {"t": 0},
                    {"t": motion["until"], "translation": motion["translation"], "rotation": motion["rotation"]},
                ],
            }
        ]
    return out


def make(folder, name, kind, counts, size, motion=None, two=True, options=None, force=None):
    """Writes the mesh and returns the scene as a dictionary; `two`: two materials and so a C that is no sum of M and K."""
    if kind == "tet10":
        mesh = {"shape": "box", "kind": kind, "counts": counts, "low": [0, 0, 0], "high": size}
        materials = [dict(STIFF)]
    else:
        write_mesh(folder / f"{name}.msh", kind, counts, size)
        mesh = {"path": f"{name}.msh"}
        materials = [dict(STIFF, cells="stiff"), dict(SOFT if two else STIFF, cells="soft")]
    scene = {
        "format": 1,
        "name": name,
        "bodies": [body(mesh, materials, size, motion)],
        "gravity": [0.3, -2.0, 0.0],
        "method": {"name": "linear_fem", "options": dict(options or {})},
        "step": 0.01,
        "duration": 0.5,
        "output": {"every": 1},
    }
    if len(counts) == 2:
        scene["bodies"][0].update(plane="strain", thickness=0.2)
    if force:
        scene["bodies"][0]["forces"] = [{"set": "end", "total": force}]
    return scene


def save(folder, scene, scheme):
    scene = json.loads(json.dumps(scene))
    scene["method"]["options"]["scheme"] = scheme
    path = folder / f"{scene['name']}_{scheme}.json"
    path.write_text(json.dumps(scene, indent=1))
    return path
