"""Odd rigs as strangers export them: a creature of tubes on a skeleton, written as GLB in ways that are legal and unusual.

Standard library only."""
import json
import math
import struct

# ---- small linear algebra: quaternions are x, y, z, w; a pose is (translation, rotation, scale) ----


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    length = math.sqrt(sum(a * a for a in axis))
    return tuple(a / length * math.sin(half) for a in axis) + (math.cos(half),)


def matrix_of(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1)):
    """Rows of a 3 x 4 matrix."""
    x, y, z, w = rotation
    r = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return [[r[i][j] * scale[j] for j in range(3)] + [translation[i]] for i in range(3)]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) + (a[i][3] if j == 3 else 0) for j in range(4)] for i in range(3)]


def inverse(m):
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    r = [
        [(e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det],
        [(f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det],
        [(d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det],
    ]
    return [r[k] + [-sum(r[k][j] * m[j][3] for j in range(3))] for k in range(3)]


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def back(q):
    return (-q[0], -q[1], -q[2], q[3])


def moved(m, p):
    return tuple(sum(m[i][k] * p[k] for k in range(3)) + m[i][3] for i in range(3))


class Writer:
    """Accessors in one buffer, and the GLB around them."""

    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def add(self, rows, kind, component=5126, normalized=False, bounds=False):
        letter = {5126: "f", 5123: "H", 5121: "B", 5125: "I"}[component]
        flat = [v for row in rows for v in row] if kind != "SCALAR" else list(rows)
        raw = struct.pack(f"<{len(flat)}{letter}", *flat)
        self.data += b"\0" * (-len(self.data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)})
        self.data += raw
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(rows), "type": kind}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            real = struct.unpack(f"<{len(flat)}{letter}", raw)
            width = {"SCALAR": 1, "VEC3": 3}[kind]
            accessor["min"] = [min(real[k::width]) for k in range(width)]
            accessor["max"] = [max(real[k::width]) for k in range(width)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def glb(self, doc):
        doc = {
            "asset": {"version": "2.0", "generator": "odd_rigs.py"},
            **doc,
            "buffers": [{"byteLength": len(self.data)}],
            "bufferViews": self.views,
            "accessors": self.accessors,
        }
        words = json.dumps(doc, ensure_ascii=False).encode()
        words += b" " * (-len(words) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        return (
            struct.pack("<4sIIII", b"glTF", 2, 28 + len(words) + len(data), len(words), 0x4E4F534A)
            + words
            + struct.pack("<II", len(data), 0x004E4942)
            + data
        )


class Creature:
    """Joints stand in world places at first (no rotation, no scale); skin is tubes along them. Variants bend the fields before write()."""

    def __init__(self):
        self.names, self.parents, self.places = [], [], []  # joints, parents first
        self.axes = (
            {}
        )  # joint: (rotation, mirrored in x) of its frame in the world; skin and places stay where they are
        self.rest = {}  # joint: rotation at rest, away from the pose in which the skin was bound
        self.meshes = (
            []
        )  # name, positions, weights ([(joint, weight)] per vertex), triangles, skin number (None: rigid on `joint`), joint
        self.clips = {}  # name: [(joint, path, times, values, interpolation)]
        self.above = []  # nodes over the first joint: (name, translation, rotation, scale)
        self.unit = 1.0  # everything is written times this
        self.skins = 1
        self.flags = set()

    def joint(self, name, parent, place):
        self.names.append(name)
        self.parents.append(parent)
        self.places.append(place)
        return len(self.names) - 1

    def tube(self, name, path, around=14, skin=0, capped=True):
        """`path`: (place, radius, joint). Weights go over from joint to joint between the points; ends are rounded."""
        axis = [tuple(q - p for p, q in zip(a[0], b[0])) for a, b in zip(path, path[1:])]
        points = []
        for k, (a, b) in enumerate(zip(path, path[1:])):
            for s in range(6):
                points.append((a, b, s / 6, axis[k]))
        points.append((path[-2], path[-1], 1.0, axis[-1]))
        rings = []
        for a, b, s, d in points:
            centre = tuple(p + s * (q - p) for p, q in zip(a[0], b[0]))
            blend = min(max((s - 0.25) / 0.5, 0), 1)
            weight = {a[2]: 1 - blend}
            weight[b[2]] = weight.get(b[2], 0) + blend
            rings.append((centre, a[1] + s * (b[1] - a[1]), [(j, w) for j, w in weight.items() if w > 0], d))
        for at, sign in ((0, -1), (-1, 1)):  # round ends: smaller rings beyond
            centre, radius, weight, d = rings[at]
            length = math.sqrt(sum(x * x for x in d))
            more = [
                (
                    tuple(c + sign * x / length * radius * math.sin(t) for c, x in zip(centre, d)),
                    radius * math.cos(t),
                    weight,
                    d,
                )
                for t in (0.5, 1.0, 1.4)
            ]
            if capped:
                rings = (list(reversed(more)) + rings) if sign < 0 else rings + more
        positions, weights, triangles = [], [], []
        for centre, radius, weight, d in rings:
            length = math.sqrt(sum(x * x for x in d))
            d = tuple(x / length for x in d)
            side = (1, 0, 0) if abs(d[0]) < 0.8 else (0, 0, 1)
            dot = sum(x * y for x, y in zip(side, d))
            u = tuple(x - dot * y for x, y in zip(side, d))
            length = math.sqrt(sum(x * x for x in u))
            u = tuple(x / length for x in u)
            v = (d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0])
            for i in range(around):
                t = 2 * math.pi * i / around
                positions.append(
                    tuple(c + radius * (math.cos(t) * x + math.sin(t) * y) for c, x, y in zip(centre, u, v))
                )
                weights.append(weight)
        for r in range(len(rings) - 1):
            for i in range(around):
                a, b = r * around + i, r * around + (i + 1) % around
                triangles += [(a, b, b + around), (a, b + around, a + around)]
        if capped:
            for ring, flip in ((0, True), (len(rings) - 1, False)):
                for i in range(1, around - 1):
                    t = (ring * around, ring * around + i, ring * around + i + 1)
                    triangles.append((t[0], t[2], t[1]) if flip else t)
        self.meshes.append([name, positions, weights, triangles, skin, 0])

    def swing(self, clip, joint, axis, degrees, seconds=1.0, phase=0.0, keys=13, wave=None, interpolation="LINEAR"):
        wave = wave or (lambda u: math.sin(2 * math.pi * (u + phase)))
        when = [seconds * i / (keys - 1) for i in range(keys)]
        values = [turn(axis, degrees * wave(t / seconds)) for t in when]
        self.clips.setdefault(clip, []).append((joint, "rotation", when, values, interpolation))

    def slide(self, clip, joint, way, metres, seconds=1.0, keys=13, wave=None, interpolation="LINEAR"):
        wave = wave or (lambda u: math.sin(4 * math.pi * u))
        when = [seconds * i / (keys - 1) for i in range(keys)]
        start = self.local(joint)
        values = [tuple(s + metres * wave(t / seconds) * w for s, w in zip(start, way)) for t in when]
        self.clips.setdefault(clip, []).append((joint, "translation", when, values, interpolation))

    def local(self, joint):
        parent = self.parents[joint]
        return (
            self.places[joint]
            if parent is None
            else tuple(a - b for a, b in zip(self.places[joint], self.places[parent]))
        )

    # ---- writing: a joint's frame is its place, turned (and mirrored) by `axes` ----

    def frame(self, joint):
        turned, mirror = self.axes.get(joint, ((0, 0, 0, 1), False)) if joint is not None else ((0, 0, 0, 1), False)
        return turned, mirror

    def in_parent(self, joint, way):
        """A difference of places in the axes of the joint's parent."""
        turned, mirror = self.frame(self.parents[joint])
        x = moved(matrix_of((0, 0, 0), back(turned)), way)
        return (-x[0], x[1], x[2]) if mirror else x

    def own_turn(self, joint, turned):
        """A rotation about world axes as the joint's curve has it. Mirrored frames are not turned."""
        (up, flip), (own, _) = self.frame(self.parents[joint]), self.frame(joint)
        q = product(back(up), product(turned, own))
        return (q[0], -q[1], -q[2], q[3]) if flip else q

    def nodes(self):
        out = []
        for j, name in enumerate(self.names):
            node = {
                "name": name,
                "translation": [self.unit * x for x in self.in_parent(j, self.local(j))],
                "rotation": list(self.own_turn(j, self.rest.get(j, (0, 0, 0, 1)))),
            }
            if self.frame(j)[1] != self.frame(self.parents[j])[1]:
                node["scale"] = [-1, 1, 1]
            children = [c for c, p in enumerate(self.parents) if p == j]
            if children:
                node["children"] = children
            if name is None:
                del node["name"]
            out.append(node)
        return out

    def bind(self, joint):
        turned, mirror = self.frame(joint)
        return matrix_of([self.unit * x for x in self.places[joint]], turned, (-1 if mirror else 1, 1, 1))

    def write(self, path):
        w, nodes = Writer(), self.nodes()
        bound = [self.bind(j) for j in range(len(self.names))]
        roots = [j for j, p in enumerate(self.parents) if p is None]
        scene = roots
        for name, t, r, s in reversed(self.above):
            nodes.append(
                {
                    "name": name,
                    "translation": [self.unit * x for x in t],
                    "rotation": list(r),
                    "scale": list(s),
                    "children": scene,
                }
            )
            scene = [len(nodes) - 1]
        doc = {"nodes": nodes, "meshes": [], "skins": [], "scene": 0, "scenes": [{"nodes": scene}]}
        joints = list(range(len(self.names)))
        used = joints if "skinless" not in self.flags else sorted({j for m in self.meshes for v in m[2] for j, _ in v})
        for s in range(self.skins):
            binds = []
            for j in used:
                m = inverse(bound[j])
                binds.append(
                    [
                        m[0][0],
                        m[1][0],
                        m[2][0],
                        0,
                        m[0][1],
                        m[1][1],
                        m[2][1],
                        0,
                        m[0][2],
                        m[1][2],
                        m[2][2],
                        0,
                        m[0][3],
                        m[1][3],
                        m[2][3],
                        1,
                    ]
                )
            doc["skins"].append({"joints": used, "inverseBindMatrices": w.add(binds, "MAT4")})
        for name, positions, weights, triangles, skin, joint in self.meshes:
            self.add_mesh(doc, w, used, (name, positions, weights, triangles, skin, joint), bound)
        doc["animations"] = [self.animation(w, name) for name in self.clips]
        if not doc["animations"]:
            del doc["animations"]
        if not doc["skins"]:
            del doc["skins"]
        path.write_bytes(w.glb(doc))
        return path

    def add_mesh(self, doc, w, used, mesh, bound):
        name, positions, weights, triangles, skin, joint = mesh
        at = [tuple(self.unit * x for x in p) for p in positions]
        if skin is None:
            at = [moved(inverse(bound[joint]), p) for p in at]
        if "flat" in self.flags:  # every triangle has its own corners
            at, weights = [at[i] for t in triangles for i in t], [weights[i] for t in triangles for i in t]
            triangles = [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(triangles))]
        attributes = {"POSITION": w.add(at, "VEC3", bounds=True)}
        node = {"name": name, "mesh": len(doc["meshes"])}
        if skin is not None:
            rows = [[(used.index(j), wt) for j, wt in v] + [(0, 0.0)] * (4 - len(v)) for v in weights]
            attributes["JOINTS_0"] = w.add([[j for j, _ in r] for r in rows], "VEC4", 5123)
            attributes["WEIGHTS_0"] = w.add(
                [[wt * (0.5 if "unnormalised" in self.flags else 1) for _, wt in r] for r in rows], "VEC4"
            )
            node["skin"] = skin
        doc["meshes"].append(
            {
                "name": name,
                "primitives": [
                    {"attributes": attributes, "indices": w.add([i for t in triangles for i in t], "SCALAR", 5125)}
                ],
            }
        )
        doc["nodes"].append(node)
        if skin is not None:
            doc["scenes"][0]["nodes"] = doc["scenes"][0]["nodes"] + [len(doc["nodes"]) - 1]
        else:
            doc["nodes"][joint].setdefault("children", []).append(len(doc["nodes"]) - 1)

    def animation(self, w, name):
        channels, samplers = [], []
        for joint, path, when, values, how in self.clips[name]:
            if path == "rotation":
                values = [self.own_turn(joint, q) for q in values]
            else:
                values = [tuple(self.unit * x for x in self.in_parent(joint, v)) for v in values]
            if how == "CUBICSPLINE":
                slopes = []
                for i in range(len(values)):
                    a, b = max(i - 1, 0), min(i + 1, len(values) - 1)
                    slopes.append(tuple((q - p) / (when[b] - when[a]) for p, q in zip(values[a], values[b])))
                values = [row for s, v in zip(slopes, values) for row in (s, v, s)]
            samplers.append(
                {
                    "input": w.add(when, "SCALAR", bounds=True),
                    "output": w.add(values, "VEC4" if path == "rotation" else "VEC3"),
                    "interpolation": how,
                }
            )
            channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": path}})
        out = {"channels": channels, "samplers": samplers}
        return out if name is None else {"name": name, **out}


# ---- the creature and what strangers do to it ----


def creature(tail=4, names=None):
    """A biped with a tail, 1.75 m: 11 joints and the tail's; three clips.

    Of these `walk` repeats, `bow` does not, and `stand` moves nothing."""
    c = Creature()
    hips = c.joint("hips", None, (0, 1.0, 0))
    spine = c.joint("spine", hips, (0, 1.2, 0))
    chest = c.joint("chest", spine, (0, 1.38, 0))
    head = c.joint("head", chest, (0, 1.58, 0))
    limbs = {}
    for side, x in (("l", 0.13), ("r", -0.13)):
        thigh = c.joint(f"thigh_{side}", hips, (x, 0.92, 0))
        shin = c.joint(f"shin_{side}", thigh, (x, 0.5, 0.02))
        foot = c.joint(f"foot_{side}", shin, (x, 0.1, 0))
        limbs[side] = (thigh, shin, foot)
        c.tube(
            f"leg_{side}",
            [
                ((x, 0.9, 0), 0.11, thigh),
                ((x, 0.5, 0.02), 0.075, shin),
                ((x, 0.1, 0), 0.05, foot),
                ((x, 0.04, 0.12), 0.04, foot),
            ],
        )
    c.tube(
        "body",
        [
            ((0, 0.92, 0), 0.17, hips),
            ((0, 1.2, 0), 0.16, spine),
            ((0, 1.38, 0), 0.18, chest),
            ((0, 1.5, 0), 0.08, chest),
            ((0, 1.64, 0), 0.11, head),
        ],
        around=18,
    )
    last, path = hips, [((0, 0.98, -0.1), 0.06, hips)]
    for k in range(tail):
        place = (0, 0.98, -0.14 - 0.7 * k / tail)
        last = c.joint(f"tail_{k + 1}", last, place)
        path.append((place, 0.06 - 0.03 * k / tail, last))
    c.tube("tail", path + [((0, 0.98, -0.9), 0.03, last)])
    if names:
        c.names = [names(i, n) for i, n in enumerate(c.names)]
    for side, sign in (("l", 1), ("r", -1)):
        c.swing("walk", limbs[side][0], (1, 0, 0), 25 * sign)
        c.swing("walk", limbs[side][1], (1, 0, 0), 15, wave=lambda u, s=sign: 1 - s * math.cos(2 * math.pi * u))
    c.slide("walk", hips, (0, 1, 0), 0.03)
    for j in range(len(c.names) - tail, len(c.names)):
        c.swing("walk", j, (0, 1, 0), 40 / tail, phase=0.1)
    c.swing("bow", spine, (1, 0, 0), 35, seconds=0.8, wave=lambda u: u)
    c.swing("bow", head, (1, 0, 0), 20, seconds=0.8, wave=lambda u: u * u)
    c.swing("stand", hips, (1, 0, 0), 0.0, keys=2)
    return c


def scaled():
    c = creature()
    c.above, c.unit = [("Armature", (0, 0, 0), (0, 0, 0, 1), (0.01, 0.01, 0.01))], 100.0
    return c


def z_up():
    c = creature()
    c.above = [("Z_UP", (0, 0, 0), turn((1, 0, 0), -90), (1, 1, 1))]
    quarter = matrix_of((0, 0, 0), turn((1, 0, 0), 90))
    reshape(c, quarter)
    return c


def reshape(c, m):
    """Everything moved by a rotation, curves included."""
    c.places = [moved(m, p) for p in c.places]
    for mesh in c.meshes:
        mesh[1] = [moved(m, p) for p in mesh[1]]
    for clip in c.clips.values():
        for i, (joint, path, when, values, how) in enumerate(clip):
            if path == "rotation":
                clip[i] = (joint, path, when, [moved(m, q[:3]) + (q[3],) for q in values], how)
            else:
                clip[i] = (joint, path, when, [moved(m, v) for v in values], how)


def centimetres():
    c = creature()
    c.unit = 100.0
    return c


def mirrored():
    c = creature()
    c.above = [("mirror", (0, 0, 0), (0, 0, 0, 1), (-1, 1, 1))]
    return c


def extra_root():
    c = creature()
    c.above = [
        ("Scene", (3, 0, -2), turn((0, 1, 0), 70), (1, 1, 1)),
        ("Armature", (0, 0.5, 0), (0, 0, 0, 1), (1.2, 1.2, 1.2)),
    ]
    return c


def mirrored_bone():
    """The right leg is a mirrored copy: its bones have a scale of -1."""
    c = creature()
    for name in ("thigh_r", "shin_r", "foot_r"):
        c.axes[c.names.index(name)] = ((0, 0, 0, 1), True)
    return c


def zero_bones():
    """Twist bones at the same place as the bone they twist."""
    c = creature()
    for name in ("thigh_l", "chest"):
        j = c.names.index(name)
        twist = c.joint(name + "_twist", j, c.places[j])
        for mesh in c.meshes:
            mesh[2] = [
                [(k, 0.5 * w) for k, w in v if k == j]
                + [(twist, 0.5 * w) for k, w in v if k == j]
                + [(k, w) for k, w in v if k != j]
                for v in mesh[2]
            ]
    return c


def without_skin():
    """Controls and targets that move nothing, far away and within."""
    c = creature()
    for k in range(6):
        c.joint(f"ik_target_{k}", None if k < 3 else k - 3, (2.0 * k, 0.3 * k, -1.0))
    c.flags.add("skinless")
    return c


def several_skins():
    c = creature()
    c.skins = 3
    for i, mesh in enumerate(c.meshes):
        mesh[4] = i % 3
    c.tube(
        "trousers",
        [((0.13, 0.85, 0), 0.125, c.names.index("thigh_l")), ((0.13, 0.55, 0.02), 0.09, c.names.index("shin_l"))],
        skin=1,
        capped=False,
    )
    return c


def root_only():
    c = creature()
    for mesh in c.meshes:
        mesh[2] = [[(0, 1.0)] for _ in mesh[2]]
    return c


def one_bone():
    c = Creature()
    root = c.joint("root", None, (0, 0.5, 0))
    c.tube("blob", [((0, 0.2, 0), 0.3, root), ((0, 0.9, 0), 0.3, root)], around=24)
    c.slide("bounce", root, (0, 1, 0), 0.2)
    return c


def one_bone_at_foot():
    """The bone is outside of the skin."""
    c = one_bone()
    c.places[0] = (0, -0.6, 0)
    c.clips = {}
    c.slide("bounce", 0, (1, 0, 0), 0.3)
    return c


def in_unit(unit):
    def made():
        c = creature()
        c.unit = unit
        return c

    return made


def turned_joints():
    """Every joint has axes of its own, as riggers' tools make them."""
    c = creature()
    c.axes = {j: (turn((j % 3 + 1, j % 2, 1), 35 * j + 10), False) for j in range(len(c.names))}
    return c


def other_rest():
    """Bound in one pose, at rest in another."""
    c = creature()
    c.rest = {c.names.index("thigh_l"): turn((1, 0, 0), -40), c.names.index("spine"): turn((0, 0, 1), 15)}
    return c


def robot():
    """Meshes that hang on nodes, without a skin."""
    c = creature()
    c.skins = 0
    for mesh in c.meshes:
        joints = [max(v, key=lambda x: x[1])[0] for v in mesh[2]]
        mesh[4], mesh[5] = None, joints[len(joints) // 2]
    return c


def cubic():
    c = creature()
    c.clips = {
        name: [(j, p, t, v, "CUBICSPLINE" if i % 3 else "STEP") for i, (j, p, t, v, _) in enumerate(rows)]
        for name, rows in c.clips.items()
        if name == "walk"
    }
    return c


def flagged(flag):
    def made():
        c = creature()
        c.flags.add(flag)
        return c

    return made


def holes():
    c = creature()
    for mesh in c.meshes:
        mesh[3] = [t for i, t in enumerate(mesh[3]) if i % 41]
    return c


def no_clip():
    c = creature()
    c.clips = {}
    return c


def one_key():
    c = creature()
    c.clips = {
        "pose": [(0, "rotation", [0.0], [(0, 0, 0, 1)], "LINEAR")],
        None: [(1, "rotation", [0.0, 0.3], [turn((0, 0, 1), 5), turn((0, 0, 1), -5)], "LINEAR")],
    }
    return c


def shaken():
    """Steps of a quarter turn from key to key: what no flesh would survive."""
    c = creature()
    for j in range(len(c.names)):
        c.swing(
            "shaken",
            j,
            (j % 2, 1, 0.3),
            45,
            keys=31,
            interpolation="STEP" if j % 2 else "LINEAR",
            wave=lambda u, k=j: math.cos(97 * u + k),
        )
    return c


ODD = {
    "plain": creature,
    "scaled_root": scaled,
    "z_up": z_up,
    "centimetres": centimetres,
    "mirrored": mirrored,
    "extra_root": extra_root,
    "long_chain": lambda: creature(tail=40),
    "unnamed": lambda: creature(names=lambda i, n: None),
    "no_clip": no_clip,
    "one_bone": one_bone,
    "bone_outside": one_bone_at_foot,
    "same_names": lambda: creature(names=lambda i, n: "Bone"),
    "odd_names": lambda: creature(
        names=lambda i, n: [
            "Hüfte",
            "骨盤 2",
            "a=b+bone:c",
            "kopf,links",
            "*",
            "?x?",
            " ",
            "l'os\"2",
            "-o",
            "плечо_L",
            "x" * 200,
            "tab\there",
            "ñ+",
            "eins:zwei",
            "#1",
        ][i % 15]
        + ("" if i < 15 else str(i))
    ),
    "zero_bones": zero_bones,
    "joints_without_skin": without_skin,
    "several_skins": several_skins,
    "weights_on_root": root_only,
    "tiny": in_unit(1e-3),
    "huge": in_unit(1e3),
    "unnormalised": flagged("unnormalised"),
    "turned_joints": turned_joints,
    "other_rest": other_rest,
    "mirrored_bone": mirrored_bone,
    "cubic_and_step": cubic,
    "flat_shaded": flagged("flat"),
    "holes": holes,
    "robot": robot,
    "one_key": one_key,
    "shaken": shaken,
}

if __name__ == "__main__":
    import pathlib
    import sys

    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in ODD.items():
        make().write(folder / f"{name}.glb")
