"""How far the morph targets of a GLB move its vertices in each clip, read from the file alone. Standard library only."""
import json
import math
import struct


def read_glb(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def numbers(doc, binary, index):
    """An accessor as a list of tuples."""
    accessor = doc["accessors"][index]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    letter, size = {5126: ("f", 4), 5123: ("H", 2), 5121: ("B", 1), 5125: ("I", 4), 5120: ("b", 1), 5122: ("h", 2)}[
        accessor["componentType"]
    ]
    out = [(0.0,) * width] * accessor["count"]
    if "bufferView" in accessor:
        view = doc["bufferViews"][accessor["bufferView"]]
        start, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", width * size)
        out = [struct.unpack_from(f"<{width}{letter}", binary, start + i * stride) for i in range(accessor["count"])]
    if "sparse" in accessor:
        sparse = dict(accessor["sparse"])
        for row, value in zip(
            raw(doc, binary, sparse["indices"], sparse["count"], "SCALAR"),
            raw(
                doc,
                binary,
                {**sparse["values"], "componentType": accessor["componentType"]},
                sparse["count"],
                accessor["type"],
            ),
        ):
            out[row[0]] = value
    return out


def raw(doc, binary, place, count, kind):
    stand_in = {
        "bufferView": place["bufferView"],
        "byteOffset": place.get("byteOffset", 0),
        "componentType": place["componentType"],
        "count": count,
        "type": kind,
    }
    return numbers({**doc, "accessors": [stand_in]}, binary, 0)


def flesh_primitives(doc, binary):
    """Of every piece of flesh: node number, mesh name, points, targets, the vertices that some target moves and the corners
    of triangles."""
    for number, node in enumerate(doc["nodes"]):
        mesh = doc["meshes"][node["mesh"]] if "mesh" in node else {}
        if not mesh.get("name", "").startswith("flesh_"):
            continue
        for primitive in mesh["primitives"]:
            points = numbers(doc, binary, primitive["attributes"]["POSITION"])
            targets = [numbers(doc, binary, t["POSITION"]) for t in primitive.get("targets", []) if "POSITION" in t]
            moving = [v for v in range(len(points)) if any(any(t[v]) for t in targets)]
            corners = (
                [i[0] for i in numbers(doc, binary, primitive["indices"])]
                if "indices" in primitive
                else list(range(len(points)))
            )
            if moving:
                yield number, mesh["name"], points, targets, moving, corners


def weights_of(doc, binary, animation, node, count):
    """The weights of each frame; none where the animation does not move the node's targets."""
    for channel in animation["channels"]:
        if channel["target"].get("path") == "weights" and channel["target"].get("node") == node:
            flat = [w[0] for w in numbers(doc, binary, animation["samplers"][channel["sampler"]]["output"])]
            return [flat[i : i + count] for i in range(0, len(flat), count)]
    return []


def flesh_motion(path):
    """Of a character with one part, per clip: its largest motion and how far its last frame is from the first, in sizes of the skin
    that moves; and `change`: how much all but 2 % of the skin's edges change at most, of their length."""
    doc, binary = read_glb(path)
    pieces = list(flesh_primitives(doc, binary))
    moved = [points[v] for _, _, points, _, moving, _ in pieces for v in moving]
    size = (
        math.dist([min(p[k] for p in moved) for k in range(3)], [max(p[k] for p in moved) for k in range(3)])
        if moved
        else 0.0
    )
    out = []
    for clip in doc.get("animations", []):
        told = {"clip": clip.get("name", ""), "most": 0.0, "seam": 0.0, "change": 0.0, "frames": 0, "finite": True}
        change = {}
        for node, _, points, targets, moving, corners in pieces:
            some, frames = moving[:: max(1, len(moving) // 200)], weights_of(doc, binary, clip, node, len(targets))

            def shape(weights):
                return [tuple(sum(w * t[v][k] for w, t in zip(weights, targets)) for k in range(3)) for v in some]

            if not frames:
                continue
            told["finite"] = told["finite"] and all(math.isfinite(w) for f in frames for w in f)
            told["frames"] = max(told["frames"], len(frames))
            told["most"] = max(
                [
                    told["most"],
                    *(math.dist(u, (0, 0, 0)) / size for f in frames[:: len(frames) // 150 + 1] for u in shape(f)),
                ]
            )
            for number, frame in enumerate(frames[:: len(frames) // 60 + 1]):
                change.setdefault(number, []).extend(edge_changes(points, targets, set(moving), corners, frame))
            told["seam"] = max(
                [told["seam"], *(math.dist(a, b) / size for a, b in zip(shape(frames[0]), shape(frames[-1])))]
            )
        told["change"] = max((sorted(c)[int(0.98 * (len(c) - 1))] for c in change.values() if c), default=0.0)
        out.append(told)
    return out


def edge_changes(points, targets, moving, corners, weights):
    """Of some edges with an end that moves: the difference of both ends' displacements over the edge's length."""
    sides = [(corners[i], corners[i - i % 3 + (i + 1) % 3]) for i in range(len(corners))]
    sides = [(a, b) for a, b in sides if (a in moving or b in moving) and points[a] != points[b]]
    for a, b in sides[:: len(sides) // 300 + 1]:
        d = [sum(w * (t[a][k] - t[b][k]) for w, t in zip(weights, targets)) for k in range(3)]
        yield math.dist(d, (0, 0, 0)) / math.dist(points[a], points[b])
