"""Small rigs that ask for much: BVH, glTF. See hostile_files.py."""
import base64
import json
import random
import struct
import zlib

from hostile_meshes import write


def bvh(joints, motion="MOTION\nFrames: 0\nFrame Time: 0.1\n"):
    return "HIERARCHY\n" + joints + motion


def bvh_deep(folder):
    for depth in (10000, 200000):
        yield write(
            folder,
            f"deep{depth}.bvh",
            bvh("".join(f"{'JOINT' if i else 'ROOT'} j\n{{\nOFFSET 0 1 0\n" for i in range(depth)) + "}\n" * depth),
        )


def bvh_wide(folder):
    yield write(
        folder,
        "wide.bvh",
        bvh(
            "ROOT r\n{\nOFFSET 0 0 0\n"
            + "JOINT j\n{\nOFFSET 1 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n" * 40000
            + "}\n"
        ),
    )
    yield write(folder, "roots.bvh", bvh("ROOT r\n{\nOFFSET 0 0 0\n}\n" * 100000))


def bvh_end_sites_of_a_long_name(folder):
    yield write(
        folder,
        "ends.bvh",
        bvh("ROOT " + "r" * 1_000_000 + "\n{\nOFFSET 0 0 0\n" + "End Site\n{\nOFFSET 0 1 0\n}\n" * 40000 + "}\n"),
    )


def bvh_frames(folder):
    yield write(
        folder,
        "frames.bvh",
        bvh(
            "ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n",
            "MOTION\nFrames: 1000000\nFrame Time: 1000\n" + "1\n" * 1000000,
        ),
    )
    yield write(
        folder,
        "long.bvh",
        bvh(
            "ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT j\n{\nOFFSET 0 1 0\n}\n}\n",
            "MOTION\nFrames: 2\nFrame Time: 3000\n1\n2\n",
        ),
    )


def bvh_claims(folder):
    yield write(
        folder,
        "frames.bvh",
        bvh("ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", "MOTION\nFrames: 2000000000\nFrame Time: 0.1\n1\n"),
    )
    yield write(
        folder,
        "channels.bvh",
        bvh("ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 2000000000 Xrotation\n}\n", "MOTION\nFrames: 1\nFrame Time: 0.1\n1\n"),
    )
    yield write(
        folder, "still.bvh", bvh("ROOT r\n{\nOFFSET 0 0 0\n}\n", "MOTION\nFrames: 2000000000\nFrame Time: 0.1\n")
    )
    joints = (
        "ROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
        + "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n" * 99
        + "}\n" * 100
    )
    yield write(
        folder, "long.bvh", bvh(joints, "MOTION\nFrames: 5000\nFrame Time: 0.01\n" + ("1 " * 300 + "\n") * 5000)
    )


def gltf(root, binary=b""):
    text = json.dumps({"asset": {"version": "2.0"}, **root}).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text
    if binary:
        binary += b"\0" * (-len(binary) % 4)
        chunks += struct.pack("<I", len(binary)) + b"BIN\0" + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


TRIANGLE = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + struct.pack(
    "<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3
)


def gltf_tet(**root):
    base = {
        "buffers": [{"byteLength": len(TRIANGLE)}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}],
    }
    base.update(root)
    return base


def glb_instances(folder):
    yield write(folder, "instances.glb", gltf(gltf_tet(nodes=[{"mesh": 0}] * 60000), TRIANGLE))
    named = [{"name": "m" * 1_000_000, "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]
    yield write(folder, "named.glb", gltf(gltf_tet(meshes=named, nodes=[{"mesh": 0}] * 60000), TRIANGLE))
    paints = {"POSITION": 0, **{f"_P{i}": 2 for i in range(900)}}
    accessors = gltf_tet()["accessors"] + [{"componentType": 5126, "count": 4, "type": "SCALAR"}]
    yield write(
        folder,
        "paints.glb",
        gltf(
            gltf_tet(
                accessors=accessors,
                meshes=[{"primitives": [{"attributes": paints, "indices": 1}]}],
                nodes=[{"mesh": 0}] * 60000,
            ),
            TRIANGLE,
        ),
    )
    yield write(
        folder,
        "primitives.glb",
        gltf(
            gltf_tet(
                meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}] * 300}],
                nodes=[{"mesh": 0}] * 300,
            ),
            TRIANGLE,
        ),
    )


def glb_materials(folder):
    n = 20000
    meshes = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": i} for i in range(n)]}]
    yield write(
        folder,
        "materials.glb",
        gltf(gltf_tet(materials=[{"name": f"m{i}"} for i in range(n)], meshes=meshes), TRIANGLE),
    )


def glb_chains(folder):
    n = 60000
    yield write(
        folder,
        "chain.glb",
        gltf(
            gltf_tet(nodes=[{"children": [i + 1], "translation": [0, 1, 0]} for i in range(n)] + [{"mesh": 0}]),
            TRIANGLE,
        ),
    )
    yield write(
        folder, "backwards.glb", gltf(gltf_tet(nodes=[{"mesh": 0}] + [{"children": [i]} for i in range(n)]), TRIANGLE)
    )


def glb_shared_accessors(folder):
    n = 100000
    data = b"\0" * (12 * n)
    base = gltf_tet(
        buffers=[{"byteLength": len(data)}],
        bufferViews=[{"buffer": 0, "byteLength": len(data)}],
        accessors=[{"bufferView": 0, "componentType": 5126, "count": n, "type": "VEC3"}],
    )
    targets = [{"POSITION": 0}] * 500
    yield write(
        folder,
        "morphs.glb",
        gltf({**base, "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": targets}]}]}, data),
    )
    base["accessors"] += [
        {"componentType": 5126, "count": n, "type": "SCALAR"},
        {"componentType": 5126, "count": n, "type": "VEC4"},
    ]
    channels = [{"sampler": 0, "target": {"node": 0, "path": "translation"}}] * 2000
    yield write(
        folder,
        "channels.glb",
        gltf({**base, "animations": [{"samplers": [{"input": 1, "output": 0}], "channels": channels}]}, data),
    )
    yield write(
        folder,
        "zeros.glb",
        gltf(gltf_tet(accessors=[{"componentType": 5126, "count": 2000000000, "type": "VEC3"}]), TRIANGLE),
    )


def glb_skin(folder):
    n = 30000
    base = gltf_tet(nodes=[{"mesh": 0, "skin": 0}] + [{} for _ in range(n)], skins=[{"joints": list(range(1, n + 1))}])
    base["accessors"] += [
        {"componentType": 5121, "count": 4, "type": "VEC4"},
        {"componentType": 5126, "count": 4, "type": "VEC4"},
    ]
    base["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1}]}]
    yield write(folder, "skin.glb", gltf(base, TRIANGLE))
    base["skins"] = [{"joints": list(range(1, 1001))}] * 300
    base["nodes"] = [{"mesh": 0, "skin": i % 300} for i in range(1000)] + [{} for _ in range(1000)]
    yield write(folder, "skins.glb", gltf(base, TRIANGLE))


def glb_odd_documents(folder):
    sparse = [
        {
            "componentType": 5126,
            "count": 2000000000,
            "type": "VEC3",
            "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}},
        }
    ]
    yield write(folder, "sparse.glb", gltf(gltf_tet(accessors=sparse), TRIANGLE))
    yield write(folder, "circle.glb", gltf(gltf_tet(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}]), TRIANGLE))
    yield write(
        folder,
        "shared.glb",
        gltf(gltf_tet(nodes=[{"children": [i + 1, i + 1]} for i in range(40)] + [{"mesh": 0}]), TRIANGLE),
    )
    yield write(folder, "deep.gltf", '{"asset":{"version":"2.0"},"extras":' + "[" * 200000 + "]" * 200000 + "}")
    uri = "data:application/octet-stream;base64," + base64.b64encode(TRIANGLE + b"\0" * 10_000_000).decode()
    yield write(
        folder,
        "uri.gltf",
        json.dumps({"asset": {"version": "2.0"}, **gltf_tet(buffers=[{"byteLength": len(TRIANGLE), "uri": uri}])}),
    )
    times = struct.pack("<2f", 0, 1e9)
    animated = gltf_tet(buffers=[{"byteLength": len(TRIANGLE + times)}])
    animated["bufferViews"] += [{"buffer": 0, "byteOffset": len(TRIANGLE), "byteLength": 8}]
    animated["accessors"] += [
        {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR"},
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3"},
    ]
    animated["animations"] = [
        {
            "samplers": [{"input": 2, "output": 3}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        }
    ]
    yield write(folder, "years.glb", gltf(animated, TRIANGLE + times))


def png_of_one_colour(side):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"\0" * ((side // 8 + 1) * side), 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def glb_pictures(folder):
    picture = png_of_one_colour(8192)
    for name, count in (("one", 1), ("many", 30)):
        binary = TRIANGLE + b"".join(picture for _ in range(count))
        base = gltf_tet(buffers=[{"byteLength": len(binary)}])
        base["bufferViews"] += [
            {"buffer": 0, "byteOffset": len(TRIANGLE) + i * len(picture), "byteLength": len(picture)}
            for i in range(count)
        ]
        base["accessors"] += [{"componentType": 5126, "count": 4, "type": "VEC2"}]
        base["images"] = [{"bufferView": 2 + i, "mimeType": "image/png"} for i in range(count)]
        base["textures"] = [{"source": i} for i in range(count)]
        base["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(count)]
        base["meshes"] = [
            {
                "primitives": [
                    {"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 1, "material": i} for i in range(count)
                ]
            }
        ]
        yield write(folder, f"{name}.glb", gltf(base, binary))
    shared = random.Random(3).randbytes(3_000_000)
    binary = TRIANGLE + shared
    base = gltf_tet(buffers=[{"byteLength": len(binary)}], images=[{"bufferView": 2, "mimeType": "image/png"}] * 2000)
    base["bufferViews"] += [{"buffer": 0, "byteOffset": len(TRIANGLE), "byteLength": len(shared)}]
    yield write(folder, "shared.glb", gltf(base, binary))


def gltf_values(folder):
    yield write(folder, "values.gltf", '{"asset":{"version":"2.0"},"x":[' + "0," * 990000 + "0]}")
    yield write(folder, "objects.gltf", '{"asset":{"version":"2.0"},"x":[' + '{"a":{}},' * 300000 + "0]}")
