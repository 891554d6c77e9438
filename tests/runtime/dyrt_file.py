"""A .dyrt file made by hand from docs/dyrt_format.md, for tests of the example and of the ES module."""
import math
import struct


def numbers(count, seed):
    """-1 to 1, without a pattern; the same on every machine."""
    out = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        out.append((seed >> 8) / 8388608 - 1)
    return out


def part(name, bone, hertz, ratio, vertices=0, seed=1, bind=(0, 0, 0, 1), coriolis=False, residuals=0):
    """Oscillators of these frequencies and damping ratios, pushed by everything."""
    transfer = [[v * (1 if i < 3 else 0.1) for i, v in enumerate(numbers(12, seed + 7 * k))] for k in range(len(hertz))]
    oscillators = [
        (2 * math.pi * f, r * 2 * math.pi * f, 0.5 + 0.25 * k, 0) for k, (f, r) in enumerate(zip(hertz, ratio))
    ]
    return {
        "name": name,
        "bone": bone,
        "oscillators": oscillators,
        "transfer": transfer,
        "vertices": vertices,
        "seed": seed,
        "bind": bind,
        "coriolis": numbers(3 * len(hertz) ** 2, seed + 99) if coriolis else [],
        "residuals": residuals,
        "limits": (200, 2000, 60),
    }


def file_bytes(parts, mesh_vertices, gravity=(0, -9.81, 0), shapes=None):
    """`shapes(part, mode, vertex)` gives a displacement; without it they are some numbers."""
    head = bytearray(64 + 128 * len(parts) + 8)
    strings = bytearray(b"a test\0")

    def string(text):
        strings.extend(text.encode() + b"\0")
        return len(strings) - len(text.encode()) - 1

    def add(kind, values):
        at = len(head)
        head.extend(struct.pack(f"<{len(values)}{kind}", *values))
        return at

    for i, p in enumerate(parts):
        m, n, at = len(p["oscillators"]), p["vertices"], 64 + 128 * i
        flat = [v for o in p["oscillators"] for v in o], [v for row in p["transfer"] for v in row]
        made = (
            [c for k in range(m) for v in range(n) for c in shapes(i, k, v)]
            if shapes
            else numbers(3 * n * m, p["seed"] + 2)
        )
        tables = [
            add("f", flat[0]),
            add("f", flat[1]),
            add("f", p["coriolis"]) if p["coriolis"] else 0,
            add("I", [w for v in range(n) for w in (0, v)]),
            add("f", numbers(3 * n, p["seed"] + 1)),
            add("f", [0, 1, 0] * n),
            add("f", made),
            len(head),
            0,
        ]
        struct.pack_into(
            "<8I", head, at, string(p["name"]), string(p["bone"]), m, p["residuals"], n, 1 if p["coriolis"] else 0, 0, 0
        )
        struct.pack_into("<8f", head, at + 32, 0, 0, 0, *p["bind"], 1)
        struct.pack_into("<9I3f", head, at + 64, *tables, *p["limits"])
    struct.pack_into("<2I", head, 64 + 128 * len(parts), string("skin"), mesh_vertices)
    at = len(head)
    strings.extend(b"\0" * (-len(strings) % 4))
    head.extend(strings)
    struct.pack_into("<8s4I4f3I", head, 0, b"limbdyrt", 1, len(head), len(parts), 1, 1, *gravity, at, len(strings), 0)
    return bytes(head)


def usual_file():
    """Two parts: modes from 1 Hz to beyond the frame rate, damped little to much, one bone bound askew."""
    half = math.sqrt(0.5)
    return file_bytes(
        [
            part(
                "belly",
                "Spine",
                (1.0, 2.3, 5.0, 10.0, 70.0),
                (0.03, 0.1, 0.6, 0.02, 1.4),
                12,
                seed=3,
                coriolis=True,
                residuals=1,
            ),
            part(
                "thigh_l",
                "UpLeg_L",
                (3.0, 6.5),
                (0.1, 0.05),
                5,
                seed=8,
                bind=(0.6 * half, -0.8 * half, 0, half),
                coriolis=True,
            ),
        ],
        12,
    )
