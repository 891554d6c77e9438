"""A run and an artist's surface for the clients that show things, and a reader of GLB files from the specification alone."""
import json
import math
import pathlib
import struct
import subprocess
import sys

SIZE = (0.4, 0.2, 0.2)


def limber(program, *arguments):
    done = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=250
    )
    if done.returncode != 0:
        sys.exit(f"FAILED: limber {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def scene(kind="tet4"):
    """A soft bar that sags and swings a little: displacements of a tenth of its length."""
    x, y, z = SIZE
    return {
        "format": 1,
        "name": "bar",
        "bodies": [
            {
                "mesh": {"shape": "box", "kind": kind, "counts": [8, 4, 4], "low": [0, 0, 0], "high": SIZE},
                "materials": [
                    {"young": 2e4, "poisson": 0.4, "density": 1000, "rayleigh_alpha": 1.0, "rayleigh_beta": 0.002}
                ],
                "anchors": [{"name": "wall", "set": "left"}],
            }
        ],
        "gravity": [0.3, -2.0, 0.8],
        "method": {"name": "linear_fem", "options": {}},
        "step": 0.0125,
        "duration": 0.5,
    }


def record(program, folder):
    path = pathlib.Path(folder) / "bar.json"
    path.write_text(json.dumps(scene()))
    limber(program, "run", path, "-o", path.with_suffix(".limber"), "--quiet")
    return path.with_suffix(".limber")


def jiggling(program, folder, figure, name, *options):
    """The humanoid with a soft thigh and belly."""
    path = pathlib.Path(folder) / f"{name}.glb"
    limber(
        program,
        "dyrt",
        figure,
        "--flesh",
        "belly=paint:_BELLY,thigh_l=bone:thigh_l",
        "--cells",
        3000,
        "--frequency",
        3,
        "--no-error",
        "--no-page",
        "-o",
        path,
        "--quiet",
        *options,
    )
    return path


def artist_surface(folder, with_normals=True, around=24, along=12):
    """An egg in the bar, a little too large in places: quads and triangles, a seam of texture coordinates, two materials."""
    folder = pathlib.Path(folder)
    (folder / "egg.mtl").write_text("newmtl shell\nKd 0.9 0.8 0.6\nnewmtl base\nKd 0.3 0.3 0.4\nd 1.0\n")
    lines = ["# an egg", "mtllib egg.mtl", "o egg"]
    points, number = [], {}
    for i in range(along + 1):
        for j in range(around if 0 < i < along else 1):
            a, b = math.pi * i / along, 2 * math.pi * j / around
            n = (-math.cos(a), math.sin(a) * math.cos(b), math.sin(a) * math.sin(b))
            number[i, j] = len(points) + 1
            points.append((tuple(0.5 * s * (1 + 1.02 * c) for s, c in zip(SIZE, n)), n))
    lines += ["v %.7f %.7f %.7f" % p for p, _ in points]
    lines += ["vt %.6f %.6f" % (j / around, i / along) for i in range(along + 1) for j in range(around + 1)]
    if with_normals:
        lines += ["vn %.6f %.6f %.6f" % n for _, n in points]
    vt = lambda i, j: i * (around + 1) + j + 1  # noqa: E731

    def corner(i, j):
        v = number[i, j % around if 0 < i < along else 0]
        return f"{v}/{vt(i, j)}/{v}" if with_normals else f"{v}/{vt(i, j)}"

    for i in range(along):
        lines.append("usemtl " + ("base" if i < along // 3 else "shell"))
        lines.append(f"g ring_{i}")
        for j in range(around):
            corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
            if i == 0:
                corners = corners[1:]
            if i == along - 1:
                corners = corners[:3]
            lines.append("f " + " ".join(corner(*c) for c in reversed(corners)))
    path = folder / ("egg.obj" if with_normals else "egg_plain.obj")
    path.write_text("\n".join(lines) + "\n")
    return path


def vertices_of(path):
    return [tuple(map(float, line.split()[1:4])) for line in open(path, encoding="utf-8") if line.startswith("v ")]


class Glb:
    KINDS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
    WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert magic == b"glTF" and version == 2 and length == len(data), "the head of a GLB file"
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json = json.loads(data[20 : 20 + size])
        self.bin = data[20 + size + 8 :]

    def values(self, accessor):
        a = self.json["accessors"][accessor]
        view = self.json["bufferViews"][a["bufferView"]]
        width, kind = self.WIDTHS[a["type"]], self.KINDS[a["componentType"]]
        flat = struct.unpack_from(
            f"<{a['count'] * width}{kind}", self.bin, view.get("byteOffset", 0) + a.get("byteOffset", 0)
        )
        return list(flat) if width == 1 else [flat[i : i + width] for i in range(0, len(flat), width)]

    def primitives(self):
        return self.json["meshes"][0]["primitives"]
