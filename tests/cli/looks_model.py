"""A rigged character with every material feature of glTF 2.0 in it, many extensions, own targets and a scene around it, made by hand.
Standard library only: looks_model.make(path, ...) writes a .glb, or a .gltf with files beside it."""
import base64
import json
import math
import struct
import zlib

SIDES, RINGS = 16, 20
WRAPS, MAGS, MINS = (10497, 33071, 33648), (9728, 9729), (9728, 9729, 9984, 9985, 9986, 9987)


def png(pixel, size=8):
    """`pixel(x, y)` gives red, green, blue, alpha from 0 to 255."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(size)) for y in range(size))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Buffer:
    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []

    def view(self, data, target=None):
        self.data += b"\0" * (-len(self.data) % 4)
        self.views.append(
            {
                "buffer": 0,
                "byteOffset": len(self.data),
                "byteLength": len(data),
                **({"target": target} if target else {}),
            }
        )
        self.data += data
        return len(self.views) - 1

    def add(self, rows, kind, code="f", target=34962, bounds=False, normalized=False):
        flat = [x for row in rows for x in (row if isinstance(row, (tuple, list)) else (row,))]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        component = {"f": 5126, "B": 5121, "H": 5123}[code]
        out = {
            "bufferView": self.view(struct.pack(f"<{len(flat)}{code}", *flat), target),
            "componentType": component,
            "count": len(flat) // width,
            "type": kind,
        }
        if normalized:
            out["normalized"] = True
        if bounds:
            floats = struct.unpack(f"<{len(flat)}f", struct.pack(f"<{len(flat)}f", *flat))
            out["min"] = [min(floats[k::width]) for k in range(width)]
            out["max"] = [max(floats[k::width]) for k in range(width)]
        self.accessors.append(out)
        return len(self.accessors) - 1


def limb():
    """A closed limb 1.2 m high, radius 0.12 m to 0.2 m, on two bones: positions, normals, texture coordinates, weights, corners."""
    places, normals, uvs, weights, corners = [], [], [], [], []
    for i in range(RINGS + 1):
        t = i / RINGS
        y, r = 1.2 * t, 0.02 + 0.18 * math.sin(math.pi * min(max(t, 0.02), 0.98)) ** 0.5
        for j in range(SIDES + 1):
            a = 2 * math.pi * (j % SIDES) / SIDES
            places.append((r * math.sin(a), y, r * math.cos(a)))
            normals.append((math.sin(a), 0.0, math.cos(a)))
            uvs.append((j / SIDES, 1 - t))
            w = min(max((y - 0.5) / 0.2, 0.0), 1.0)
            weights.append((1 - w, w, 0.0, 0.0))
    for i in range(RINGS):
        for j in range(SIDES):
            a, b = i * (SIDES + 1) + j, i * (SIDES + 1) + j + 1
            corners += [(a, b, b + SIDES + 1), (a, b + SIDES + 1, a + SIDES + 1)]
    for ring in (0, RINGS):
        first = ring * (SIDES + 1)
        places.append((0.0, 1.2 * ring / RINGS, 0.0)), normals.append(
            (0.0, -1.0 if ring == 0 else 1.0, 0.0)
        ), uvs.append((0.5, 0.5)), weights.append((1.0, 0.0, 0.0, 0.0) if ring == 0 else (0.0, 1.0, 0.0, 0.0))
        for j in range(SIDES):
            triangle = (first + j, first + j + 1, len(places) - 1)
            corners.append(triangle if ring else (triangle[1], triangle[0], triangle[2]))
    return places, normals, uvs, weights, corners


def textures():
    """Every wrap with every filter, so that no sampler is like another; the last textures have other forms of their picture beside it."""
    samplers = [
        {
            "name": f"s{i}",
            "wrapS": WRAPS[i % 3],
            "wrapT": WRAPS[(i // 3) % 3],
            "magFilter": MAGS[i % 2],
            "minFilter": MINS[i % 6],
        }
        for i in range(18)
    ]
    samplers += [{}, {"extras": {"mine": 1}}]
    out = [{"name": f"t{i}", "sampler": i, "source": i % 5} for i in range(len(samplers))]
    out += [
        {"source": 1},
        {"source": 0, "extras": {"note": ["a", 2.5, None]}},
        {"source": 1, "extensions": {"KHR_texture_basisu": {"source": 5}}},
        {"source": 2, "extensions": {"EXT_texture_webp": {"source": 6}}},
    ]
    return samplers, out


def transform(offset, rotation, scale, **more):
    return {"KHR_texture_transform": {"offset": offset, "rotation": rotation, "scale": scale, **more}}


def materials():
    everything = {
        "name": "everything",
        "doubleSided": True,
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "emissiveFactor": [1.0, 0.9, 0.25],
        "extras": {"painter": {"layer": 3}},
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.8, 0.7, 0.6, 0.9],
            "metallicFactor": 0.3,
            "roughnessFactor": 0.65,
            "baseColorTexture": {"index": 0, "extensions": transform([0.1, 0.2], 0.3, [2.0, 1.5])},
            "metallicRoughnessTexture": {"index": 1, "texCoord": 1, "extras": {"baked": True}},
        },
        "normalTexture": {"index": 2, "scale": 0.7},
        "occlusionTexture": {
            "index": 3,
            "texCoord": 1,
            "strength": 0.6,
            "extensions": transform([0.0, 0.5], 0.0, [1.0, 1.0], texCoord=0),
        },
        "emissiveTexture": {"index": 4},
        "extensions": {
            "KHR_materials_emissive_strength": {"emissiveStrength": 1.5},
            "KHR_materials_ior": {"ior": 1.4},
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 0.5,
                "clearcoatTexture": {"index": 5},
                "clearcoatNormalTexture": {"index": 6, "scale": 0.5},
            },
            "KHR_materials_sheen": {
                "sheenColorFactor": [0.1, 0.2, 0.3],
                "sheenColorTexture": {"index": 7},
                "sheenRoughnessFactor": 0.4,
            },
            "KHR_materials_specular": {
                "specularFactor": 0.9,
                "specularColorTexture": {"index": 8, "extensions": transform([0.5, 0.0], 1.5, [1.0, 3.0])},
            },
        },
    }
    glass = {
        "name": "glass",
        "alphaMode": "BLEND",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.2, 0.4, 0.9, 0.35],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.05,
        },
        "extensions": {
            "KHR_materials_transmission": {"transmissionFactor": 0.8, "transmissionTexture": {"index": 9}},
            "KHR_materials_volume": {"thicknessFactor": 0.1, "attenuationColor": [0.9, 1.0, 0.9]},
        },
    }
    drawn = {
        "name": "drawn",
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 10}},
        "extensions": {"KHR_materials_unlit": {}},
    }
    compressed = {
        "name": "compressed",
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 22}, "metallicRoughnessTexture": {"index": 23}},
        "extensions": {"KHR_materials_iridescence": {"iridescenceFactor": 0.2}},
    }
    return [everything, glass, drawn, compressed, {}, {"emissiveFactor": [0.0, 0.5, 0.0]}]


def pictures(buffer, beside):
    """Bytes by image; in buffer views, as a data URI, and in a file where there may be one beside."""
    made = [
        png(
            lambda x, y, k=k: (
                (37 * (k + 1) + 20 * x) % 256,
                (80 * k + 15 * y) % 256,
                128 + 10 * k,
                255 if k != 1 else 60 + 20 * x,
            )
        )
        for k in range(5)
    ]
    made += [
        b"\xabKTX 20\xbb\r\n\x1a\n" + b"\1" * 68,
        b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0",
    ]
    kinds = ["image/png"] * 5 + ["image/ktx2", "image/webp"]
    out = []
    for k, (data, kind) in enumerate(zip(made, kinds)):
        if k == 3:
            out.append(
                {
                    "name": "in a URI",
                    "uri": "data:image/png;base64," + base64.b64encode(data).decode(),
                    "extras": {"from": "memory"},
                }
            )
        elif k == 4 and beside:
            out.append({"uri": "pictures/side%20by%20side.png", "extras": {"kept": True}})
            (beside / "pictures").mkdir(exist_ok=True)
            (beside / "pictures" / "side by side.png").write_bytes(data)
        else:
            out.append(
                {"mimeType": kind, "bufferView": buffer.view(data), **({"name": f"picture {k}"} if k % 2 else {})}
            )
    return made, out


def weight_curve(curve, rate, seconds, count):
    """Keys of own targets; cubic ones with tangents that are not those of any smooth curve."""
    times = [k / rate for k in range(int(seconds * rate) + 1)]
    values = []
    for t in times:
        now = [0.5 + 0.4 * math.sin(3.1 * t + m) for m in range(count)]
        values += (
            [math.cos(t + m) for m in range(count)] + now + [-math.sin(t + m) for m in range(count)]
            if curve == "CUBICSPLINE"
            else now
        )
    return times, values


def clips(buffer, curve, rate, odd, meshes):
    """A swing of the first bone at 30 keys a second, and own targets at `rate`."""
    times = [k / 30 + (0.0007 * math.sin(5 * k) if odd and 0 < k < 30 else 0.0) for k in range(31)]
    turns = [
        (0.0, 0.0, math.sin(0.25 * math.sin(2 * math.pi * t)), math.cos(0.25 * math.sin(2 * math.pi * t)))
        for t in times
    ]
    bones = {
        "input": buffer.add(times, "SCALAR", target=None, bounds=True),
        "output": buffer.add(turns, "VEC4", target=None),
        "interpolation": "LINEAR",
    }
    own_times, own = weight_curve(curve, rate, 1.0, 2)
    weights = {
        "input": buffer.add(own_times, "SCALAR", target=None, bounds=True),
        "output": buffer.add(own, "SCALAR", target=None),
        "interpolation": curve,
    }
    lamp = {"input": bones["input"], "output": buffer.add([(0.1 * t, 1.0, 2.0) for t in times], "VEC3", target=None)}
    channels = [
        {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
        {"sampler": 2, "target": {"node": 4, "path": "translation"}},
    ]
    channels += [{"sampler": 1, "target": {"node": n, "path": "weights"}} for n in meshes]
    swing = {"name": "swing", "samplers": [bones, weights, lamp], "channels": channels, "extras": {"loop": True}}
    return [
        swing,
        {
            "name": "lamp only",
            "samplers": [lamp],
            "channels": [{"sampler": 0, "target": {"node": 4, "path": "translation"}}],
        },
    ]


def document(buffer, beside, curve="LINEAR", rate=30, odd=False):
    places, normals, uvs, weights, corners = limb()
    n = len(places)
    lower = [c for c in corners if max(places[v][1] for v in c) <= 0.66]
    upper = [c for c in corners if max(places[v][1] for v in c) > 0.66]
    tangents = [(nz, 0.0, -nx, 1.0) if abs(ny) < 0.5 else (1.0, 0.0, 0.0, 1.0) for nx, ny, nz in normals]

    # Each mesh has accessors of its own, as exporters write them; numbers in bytes where glTF allows them.
    def attributes(colour_code):
        colours = [(255, 200 + v % 56, 180 + v % 70, 255) for v in range(n)]
        return {
            "POSITION": buffer.add(places, "VEC3", bounds=True),
            "NORMAL": buffer.add(normals, "VEC3"),
            "TANGENT": buffer.add(tangents, "VEC4"),
            "TEXCOORD_0": buffer.add(uvs, "VEC2"),
            "TEXCOORD_1": buffer.add(
                [(65535 - 60000 * v // n, 40000 * v // n) for v in range(n)], "VEC2", "H", normalized=True
            ),
            "TEXCOORD_2": buffer.add([(0.5, v / n) for v in range(n)], "VEC2"),
            "COLOR_0": buffer.add(colours, "VEC4", colour_code, normalized=True),
            "JOINTS_0": buffer.add([(0, 1 if w[1] else 0, 0, 0) for w in weights], "VEC4", "B"),
            "WEIGHTS_0": buffer.add(weights, "VEC4"),
            "_WIND": buffer.add([(0.1, v / n) for v in range(n)], "VEC2"),
            "_SOFT": buffer.add([1.0 if 0.15 < p[1] < 0.5 else 0.0 for p in places], "SCALAR"),
        }

    targets = [
        {
            "POSITION": buffer.add([(0.02 * p[0] * (m + 1), 0.0, 0.01 * p[2]) for p in places], "VEC3", bounds=True),
            "NORMAL": buffer.add([(0.0, 0.0, 0.01)] * n, "VEC3"),
        }
        for m in range(2)
    ]

    def primitive(triangles, material, **more):
        return {
            "attributes": attributes("B"),
            "indices": buffer.add([v for c in triangles for v in c], "SCALAR", "H", 34963),
            "material": material,
            "targets": targets,
            **more,
        }

    variants = {
        "KHR_materials_variants": {"mappings": [{"material": 5, "variants": [0]}, {"material": 2, "variants": [1]}]}
    }
    meshes = [
        {
            "name": "body",
            "weights": [0.25, 0.0],
            "extras": {"targetNames": ["smile", "frown"], "rigger": "me"},
            "primitives": [primitive(lower, 0, extensions=variants, extras={"lod": 0}), primitive(upper, 3)],
        },
        {"name": "shell", "weights": [0.0, 0.5], "primitives": [primitive(lower, 1)]},
        {
            "name": "stone",
            "primitives": [
                {
                    "attributes": {
                        k: v for k, v in attributes("B").items() if k not in ("JOINTS_0", "WEIGHTS_0", "_SOFT")
                    },
                    "indices": buffer.add([v for c in corners for v in c], "SCALAR", "H", 34963),
                    "material": 2,
                }
            ],
        },
    ]
    bind = [(1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, -y, 0, 1.0) for y in (0.0, 0.6)]
    samplers, texture_list = textures()
    made, images = pictures(buffer, beside)
    nodes = [
        {"name": "lower", "children": [1], "extras": {"hinge": "x"}},
        {"name": "upper", "translation": [0.0, 0.6, 0.0]},
        {"name": "body", "mesh": 0, "skin": 0},
        {"name": "shell", "mesh": 1, "skin": 0},
        {"name": "lamp", "translation": [0.0, 1.0, 2.0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"name": "eye", "camera": 0, "translation": [0.0, 0.6, 3.0]},
        {"name": "stone", "mesh": 2, "translation": [1.0, 0.0, 0.0], "extras": {"heavy": True}},
    ]
    doc = {
        "asset": {
            "version": "2.0",
            "generator": "looks_model.py",
            "copyright": "nobody",
            "extras": {"author": "a test"},
        },
        "scene": 0,
        "scenes": [{"name": "all", "nodes": [0, 2, 3, 4, 5, 6], "extras": {"sky": "grey"}}],
        "nodes": nodes,
        "skins": [
            {
                "name": "limb",
                "joints": [0, 1],
                "skeleton": 0,
                "inverseBindMatrices": buffer.add(bind, "MAT4", target=None),
            }
        ],
        "meshes": meshes,
        "materials": materials(),
        "textures": texture_list,
        "samplers": samplers,
        "images": images,
        "cameras": [{"type": "perspective", "name": "front", "perspective": {"yfov": 0.7, "znear": 0.1}}],
        "animations": clips(buffer, curve, rate, odd, [2, 3]),
        "extras": {"version": 7},
        "extensions": {
            "KHR_lights_punctual": {
                "lights": [{"type": "point", "color": [1.0, 0.9, 0.8], "intensity": 30.0, "name": "bulb"}]
            },
            "KHR_materials_variants": {"variants": [{"name": "green"}, {"name": "flat"}]},
        },
    }
    doc["extensionsUsed"] = [
        "KHR_lights_punctual",
        "KHR_materials_variants",
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "EXT_texture_webp",
    ] + [
        "KHR_materials_" + k
        for k in (
            "emissive_strength",
            "ior",
            "clearcoat",
            "sheen",
            "specular",
            "transmission",
            "volume",
            "unlit",
            "iridescence",
        )
    ]
    doc["extensionsRequired"] = ["KHR_texture_transform"]
    return doc, made


def make(path, **how):
    """Writes a .glb, or a .gltf with a buffer and a picture beside it. Returns the JSON and the bytes of each image."""
    buffer = Buffer()
    beside = path.parent if path.suffix == ".gltf" else None
    doc, made = document(buffer, beside, **how)
    buffer.data += b"\0" * (-len(buffer.data) % 4)
    doc.update(accessors=buffer.accessors, bufferViews=buffer.views, buffers=[{"byteLength": len(buffer.data)}])
    if beside:
        doc["buffers"][0]["uri"] = path.stem + ".bin"
        (beside / (path.stem + ".bin")).write_bytes(buffer.data)
        path.write_text(json.dumps(doc))
        return doc, made
    words = json.dumps(doc).encode()
    words += b" " * (-len(words) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(words) + len(buffer.data))
    path.write_bytes(
        head
        + struct.pack("<I4s", len(words), b"JSON")
        + words
        + struct.pack("<I4s", len(buffer.data), b"BIN\0")
        + buffer.data
    )
    return doc, made


def read(path):
    """The JSON of a GLB and its binary part."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def image_bytes(doc, binary, image):
    if "uri" in image:
        return base64.b64decode(image["uri"].split(",", 1)[1])
    view = doc["bufferViews"][image["bufferView"]]
    return binary[view.get("byteOffset", 0) : view.get("byteOffset", 0) + view["byteLength"]]


def numbers(doc, binary, index):
    """Rows of an accessor that is neither sparse nor interleaved."""
    a = doc["accessors"][index]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
    code, most = {5126: ("f", 1), 5121: ("B", 255), 5123: ("H", 65535), 5125: ("I", 1)}[a["componentType"]]
    start = doc["bufferViews"][a["bufferView"]].get("byteOffset", 0) + a.get("byteOffset", 0)
    flat = struct.unpack_from(f"<{width * a['count']}{code}", binary, start)
    factor = most if a.get("normalized") else 1
    return [tuple(x / factor for x in flat[i : i + width]) for i in range(0, len(flat), width)]
