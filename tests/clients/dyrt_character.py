"""A small character with a belly, as GLB and .dyrt, made by hand: two bones, three morph targets, one clip in which it jumps and turns."""
import json
import math
import struct

import dyrt_file

RINGS, SIDES, SCALE = 40, 36, 0.15


def profile(y):
    """Radius at height y: feet, belly, neck, head."""
    belly = 0.26 * math.exp(-(((y - 0.75) / 0.33) ** 2))
    head = 0.17 * math.sqrt(max(0.0, 1 - ((y - 1.5) / 0.19) ** 2))
    return max(head, (0.10 + belly) * min(1.0, 8 * y + 0.3) if y < 1.36 else 0.0)


def vertices():
    out = []
    for i in range(RINGS + 1):
        y = 1.69 * i / RINGS
        for j in range(SIDES):
            a, r = 2 * math.pi * j / SIDES, profile(y)
            forward = 0.10 * math.exp(-(((y - 0.7) / 0.28) ** 2)) * max(0.0, math.cos(a))
            out.append((r * math.sin(a), y, r * math.cos(a) + forward))
    return out


def faces():
    out = []
    for i in range(RINGS):
        for j in range(SIDES):
            a, b = i * SIDES + j, i * SIDES + (j + 1) % SIDES
            out += [a, b, b + SIDES, a, b + SIDES, a + SIDES]
    return out


def normals(points, corners):
    sums = [[0.0, 0.0, 0.0] for _ in points]
    for k in range(0, len(corners), 3):
        p, q, r = (points[c] for c in corners[k : k + 3])
        u, v = [b - a for a, b in zip(p, q)], [b - a for a, b in zip(p, r)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        for c in corners[k : k + 3]:
            sums[c] = [a + b for a, b in zip(sums[c], n)]
    return [tuple(x / max(1e-12, math.hypot(*s)) for x in s) for s in sums]


def displacement(points, mode, vertex):
    x, y, z = points[vertex]
    bump = math.exp(-(((y - 0.68) / 0.25) ** 2)) * max(0.0, min(1.0, 0.35 + 1.6 * z))
    return tuple(bump if axis == (1, 2, 0)[mode] else 0.0 for axis in range(3))


class Glb:
    def __init__(self):
        self.data, self.views, self.accessors = bytearray(), [], []

    def add(self, values, kind, component, **more):
        size = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        flat = [v for row in values for v in row] if size > 1 else list(values)
        self.data.extend(b"\0" * (-len(self.data) % 4))
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": 0})
        self.data.extend(struct.pack(f"<{len(flat)}" + {5126: "f", 5125: "I", 5121: "B"}[component], *flat))
        self.views[-1]["byteLength"] = len(self.data) - self.views[-1]["byteOffset"]
        self.accessors.append(
            {
                "bufferView": len(self.views) - 1,
                "componentType": component,
                "count": len(flat) // size,
                "type": kind,
                **more,
            }
        )
        return len(self.accessors) - 1

    def write(self, path, document):
        document |= {
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": len(self.data)}],
            "bufferViews": self.views,
            "accessors": self.accessors,
        }
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        path.write_bytes(
            struct.pack("<4s2I", b"glTF", 2, 28 + len(text) + len(data))
            + struct.pack("<I4s", len(text), b"JSON")
            + text
            + struct.pack("<I4s", len(data), b"BIN\0")
            + data
        )


def write(folder):
    """folder/jumper.glb and .dyrt."""
    points, corners = vertices(), faces()
    low, high = [min(c) for c in zip(*points)], [max(c) for c in zip(*points)]
    glb = Glb()
    position = glb.add(points, "VEC3", 5126, min=low, max=high)
    normal = glb.add(normals(points, corners), "VEC3", 5126)
    joints = glb.add([(0, 1, 0, 0)] * len(points), "VEC4", 5121)
    upper = [min(1.0, max(0.0, (y - 0.25) / 0.3)) for _, y, _ in points]
    weights = glb.add([(1 - u, u, 0, 0) for u in upper], "VEC4", 5126)
    targets = []
    for mode in range(3):
        moved = [tuple(SCALE * c for c in displacement(points, mode, v)) for v in range(len(points))]
        targets.append(
            {
                "POSITION": glb.add(
                    moved, "VEC3", 5126, min=[min(c) for c in zip(*moved)], max=[max(c) for c in zip(*moved)]
                )
            }
        )
    index = glb.add(corners, "SCALAR", 5125)
    bind = glb.add([[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -h, 0, 1] for h in (0.0, 0.5)], "MAT4", 5126)
    times = [i / 60 for i in range(61)]
    clock = glb.add(times, "SCALAR", 5126, min=[0], max=[1])
    jump = glb.add([(0, 0.35 * max(0.0, math.sin(2 * math.pi * t)) ** 1.5, 0) for t in times], "VEC3", 5126)
    turn = glb.add(
        [(0, math.sin(a), 0, math.cos(a)) for a in (0.25 * math.sin(2 * math.pi * t) for t in times)], "VEC4", 5126
    )
    primitive = {
        "attributes": {"POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights},
        "indices": index,
        "targets": targets,
        "material": 0,
    }
    glb.write(
        folder / "jumper.glb",
        {
            "scene": 0,
            "scenes": [{"nodes": [0, 2]}],
            "nodes": [
                {"name": "Root", "children": [1]},
                {"name": "Spine.01", "translation": [0, 0.5, 0]},
                {"name": "Body", "mesh": 0, "skin": 0},
            ],
            "materials": [
                {
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [0.85, 0.55, 0.42, 1],
                        "metallicFactor": 0,
                        "roughnessFactor": 0.55,
                    }
                }
            ],
            "meshes": [
                {
                    "name": "Body",
                    "primitives": [primitive],
                    "weights": [0, 0, 0],
                    "extras": {"targetNames": ["belly:0", "belly:1", "belly:2"]},
                }
            ],
            "skins": [{"joints": [0, 1], "inverseBindMatrices": bind}],
            "animations": [
                {
                    "name": "jump",
                    "samplers": [{"input": clock, "output": jump}, {"input": clock, "output": turn}],
                    "channels": [
                        {"sampler": 0, "target": {"node": 0, "path": "translation"}},
                        {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
                    ],
                }
            ],
        },
    )
    belly = dyrt_file.part("belly", "Spine.01", (2.6, 3.1, 3.4), (0.12, 0.12, 0.12), len(points))
    belly["oscillators"] = [(w, d, SCALE, 0) for w, d, _, _ in belly["oscillators"]]
    belly["transfer"] = [
        [0, -1] + [0] * 10,
        [0, 0, -1, -0.2] + [0] * 2 + [0.4, 0.4] + [0] * 4,
        [-1, 0, 0, 0, -0.4] + [0] * 7,
    ]
    belly["limits"] = (400, 4000, 100)
    (folder / "jumper.dyrt").write_bytes(
        dyrt_file.file_bytes([belly], len(points), shapes=lambda _, mode, v: displacement(points, mode, v))
    )
    return points
