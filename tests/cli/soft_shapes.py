"""Forty surfaces for tests/cli/soft_bodies.py: the generated assets, dirty ones, limbs with thin parts, and (where they are
there) models of other people."""
import math
import pathlib

ASSETS = ("jelly_cube", "ball", "torus", "duck", "chain", "cucumber", "curl", "humanoid")
DIRTY = (
    ("duck", "holes"),
    ("duck", "combined"),
    ("humanoid", "holes"),
    ("humanoid", "soup"),
    ("curl", "gaps"),
    ("torus", "flipped"),
    ("cucumber", "noise"),
    ("ball", "doubled"),
    ("jelly_cube", "overlapped"),
    ("duck", "overlapped"),
    ("cucumber", "combined"),
    ("humanoid", "noise"),
    ("torus", "soup"),
    ("duck", "gaps"),
    ("humanoid", "flipped"),
    ("curl", "combined"),
)
STRANGERS = (
    "cow.obj",
    "spot.obj",
    "stanford-bunny.obj",
    "suzanne.obj",
    "teapot.obj",
    "cesium_man.glb",
    "RiggedSimple.glb",
)
# What stands in where there are no models of other people.
SPARE = (
    ("duck", "noise"),
    ("duck", "soup"),
    ("ball", "holes"),
    ("torus", "combined"),
    ("cucumber", "holes"),
    ("humanoid", "combined"),
    ("jelly_cube", "soup"),
)


class Surface:
    """Triangles of closed shells; where shells overlap, their union is meant."""

    def __init__(self):
        self.vertices, self.faces = [], []

    def tube(self, points, radii, sides=12):
        """A rod along a polygon, closed by a point at either end."""
        first = len(self.vertices)
        count = len(points)
        for i, (p, r) in enumerate(zip(points, radii)):
            a, b = points[max(i - 1, 0)], points[min(i + 1, count - 1)]
            along = normalised([b[k] - a[k] for k in range(3)])
            side = normalised(cross(along, [0, 0, 1] if abs(along[2]) < 0.9 else [1, 0, 0]))
            other = cross(along, side)
            for s in range(sides):
                angle = 2 * math.pi * s / sides
                self.vertices.append(
                    [p[k] + r * (math.cos(angle) * side[k] + math.sin(angle) * other[k]) for k in range(3)]
                )
        for i in range(count - 1):
            for s in range(sides):
                a, b = first + i * sides + s, first + i * sides + (s + 1) % sides
                self.faces += [(a, b, b + sides), (a, b + sides, a + sides)]
        for at, ring, turned in ((points[0], first, False), (points[-1], first + (count - 1) * sides, True)):
            tip = len(self.vertices)
            self.vertices.append(list(at))
            for s in range(sides):
                a, b = ring + s, ring + (s + 1) % sides
                self.faces.append((a, b, tip) if turned else (b, a, tip))
        return self

    def rod(self, a, b, ra, rb, parts=6):
        points = [[a[k] + (b[k] - a[k]) * i / parts for k in range(3)] for i in range(parts + 1)]
        return self.tube(points, [ra + (rb - ra) * i / parts for i in range(parts + 1)])

    def ball(self, centre, radii, rings=10):
        points = [
            [centre[0], centre[1] - radii[1] * math.cos(math.pi * (i + 0.5) / rings), centre[2]] for i in range(rings)
        ]
        first = len(self.vertices)
        self.tube(points, [math.sin(math.pi * (i + 0.5) / rings) for i in range(rings)], 16)
        for v in self.vertices[first:]:
            v[0] = centre[0] + (v[0] - centre[0]) * radii[0]
            v[2] = centre[2] + (v[2] - centre[2]) * radii[2]
        return self

    def box(self, low, high):
        first = len(self.vertices)
        self.vertices += [[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)]
        for a, b, c, d in ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)):
            self.faces += [(first + a, first + b, first + c), (first + a, first + c, first + d)]
        return self

    def write(self, path):
        lines = ["v %.9g %.9g %.9g" % tuple(v) for v in self.vertices] + [
            "f %d %d %d" % tuple(i + 1 for i in f) for f in self.faces
        ]
        path.write_text("\n".join(lines) + "\n")


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def normalised(a):
    length = math.sqrt(sum(x * x for x in a))
    return [x / length for x in a]


def hand(s):
    s.rod([0, 0, 0], [0, 0.08, 0], 0.035, 0.03).ball([0, 0.12, 0], [0.045, 0.06, 0.02])
    for i, (x, length) in enumerate(((-0.035, 0.07), (-0.012, 0.085), (0.012, 0.08), (0.035, 0.06))):
        s.rod([x, 0.15, 0], [x * 1.6, 0.16 + length, 0.005 * i], 0.011, 0.007)
    s.rod([0.035, 0.1, 0], [0.09, 0.15, 0.01], 0.013, 0.008)


def spider(s):
    s.ball([0, 0.25, 0], [0.12, 0.09, 0.14])
    for i in range(8):
        angle = 2 * math.pi * (i + 0.5) / 8
        c, d = math.cos(angle), math.sin(angle)
        s.tube(
            [
                [0.08 * c, 0.25, 0.08 * d],
                [0.25 * c, 0.35, 0.25 * d],
                [0.38 * c, 0.15, 0.38 * d],
                [0.42 * c, 0, 0.42 * d],
            ],
            [0.02, 0.018, 0.015, 0.02],
        )


def rabbit(s):
    s.ball([0, 0.12, 0], [0.09, 0.12, 0.1]).ball([0, 0.28, 0.04], [0.06, 0.06, 0.07])
    for x in (-0.03, 0.03):
        s.rod([x, 0.31, 0.03], [2 * x, 0.5, 0], 0.014, 0.008)


def tree(s):
    s.rod([0, 0, 0], [0, 0.6, 0], 0.06, 0.03)
    for i in range(6):
        angle, height = 2.4 * i, 0.25 + 0.06 * i
        s.rod([0, height, 0], [0.3 * math.cos(angle), height + 0.15, 0.3 * math.sin(angle)], 0.02, 0.008)


def mug(s):
    inner, outer, high = 0.034, 0.04, 0.1
    rings = [
        (outer, 0),
        (outer, high / 3),
        (outer, 2 * high / 3),
        (outer, high),
        (inner, high),
        (inner, 2 * high / 3),
        (inner, high / 3),
        (inner, 0.008),
    ]
    s.tube([[0, y, 0] for _, y in rings], [r for r, _ in rings], 32)
    s.tube([[outer - 0.003, 0.03, 0], [0.065, 0.035, 0], [0.068, 0.065, 0], [outer - 0.003, 0.075, 0]], [0.006] * 4)


def plate(s):
    s.box([-0.2, 0, -0.01], [0.2, 0.3, 0.01])


def octopus(s):
    s.ball([0, 0.3, 0], [0.1, 0.13, 0.1])
    for i in range(8):
        angle = 2 * math.pi * i / 8
        c, d = math.cos(angle), math.sin(angle)
        s.tube(
            [[(0.05 + 0.05 * k) * c, 0.22 - 0.045 * k, (0.05 + 0.05 * k) * d] for k in range(6)],
            [0.028, 0.024, 0.02, 0.016, 0.013, 0.012],
        )


def fork(s):
    s.box([-0.01, 0, -0.004], [0.01, 0.12, 0.004]).box([-0.025, 0.115, -0.004], [0.025, 0.135, 0.004])
    for x in (-0.021, -0.007, 0.007, 0.021):
        s.box([x - 0.003, 0.13, -0.003], [x + 0.003, 0.19, 0.003])


def two_legs(s):
    s.ball([0, 0.75, 0], [0.2, 0.25, 0.15])
    for x in (-0.1, 0.1):
        s.tube([[x, 0.6, 0], [x, 0.3, 0.02], [x, 0, 0]], [0.06, 0.05, 0.045])
        s.rod([2 * x, 0.85, 0], [4.5 * x, 0.6, 0.05], 0.04, 0.025)


LIMBS = {
    "hand": hand,
    "spider": spider,
    "rabbit": rabbit,
    "tree": tree,
    "mug": mug,
    "plate": plate,
    "octopus": octopus,
    "fork": fork,
    "two_legs": two_legs,
}


def limbs(folder, names):
    """The surfaces drawn here, as files in `folder`: name and "mesh" of a scene."""
    out = {}
    for name in names:
        surface = Surface()
        LIMBS[name](surface)
        surface.write(folder / f"{name}.obj")
        out[name] = {"path": str(folder / f"{name}.obj")}
    return out


def make_shapes(run, folder, strangers):
    """Forty names, each with the "mesh" of a scene; files go to `folder`.

    `strangers`: a folder with models of other people, which need not exist."""
    shapes = {name: {"asset": name} for name in ASSETS}
    theirs = [pathlib.Path(strangers) / name for name in STRANGERS]
    dirty = list(DIRTY)
    if all(path.exists() for path in theirs):
        shapes.update((path.stem, {"path": str(path)}) for path in theirs)
    else:
        dirty += SPARE
    for i, (asset, dirt) in enumerate(dirty):
        path = folder / f"{asset}_{dirt}.obj"
        if (
            not path.exists()
            and run("mesh", "asset", asset, "--dirty", dirt, "--seed", i + 1, "-o", path).returncode != 0
        ):
            raise SystemExit(f"no {asset} with {dirt} was made")
        shapes[path.stem] = {"path": str(path)}
    return {**shapes, **limbs(folder, LIMBS)}
