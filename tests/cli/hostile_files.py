"""Small files that ask for much: each maker writes some into a folder and yields the paths that verbs should be given.

Here: series, recordings and scenes, and MAKERS, which lists the makers of every kind of file."""
import io
import json
import random
import struct
import subprocess
import sys
import zipfile

import hostile_meshes
import hostile_rigs
import hostile_surfaces
from hostile_meshes import write
from hostile_rigs import glb_instances, glb_materials, glb_pictures
from hostile_surfaces import (
    BOX,
    CLOSED,
    obj_fan,
    obj_materials,
    obj_one_polygon,
    obj_picture_under_many_names,
    polygon,
)


# Series ----------------------------------------------------------------------------------------------------------------------
def npy(shape, data, kind="<f8"):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}\n".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + data


def npz(arrays, packed=True):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, content in arrays:
            archive.writestr(name + ".npy", content)
    return out.getvalue()


def npz_of_zeros(folder):
    frames, points = 200, 60000
    yield write(folder, "zeros.npz", npz([("displacements", npy((frames, points, 3), bytes(8 * frames * points * 3)))]))
    yield write(
        folder,
        "floats.npz",
        npz([("displacements", npy((4 * frames, points // 4, 3), bytes(4 * frames * points * 3), "<f4"))]),
    )
    yield write(folder, "members.npz", npz([(f"a{i}", b"") for i in range(40000)]))
    yield write(folder, "frames.npz", npz([("positions", npy((1000000, 1, 3), bytes(24000000)))]))


def npz_bomb(folder):
    """Three gigabytes of zeros in three megabytes."""
    with zipfile.ZipFile(folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive, archive.open(
        "displacements.npy", "w", force_zip64=True
    ) as member:
        member.write(npy((125000, 1000, 3), b""))
        for _ in range(300):
            member.write(bytes(10_000_000))
    yield folder / "bomb.npz"
    claims = npy((2**40, 2**20, 3), bytes(240))
    yield write(folder, "shape.npz", npz([("displacements", claims)]))
    yield write(
        folder, "title.npz", npz([("displacements", b"\x93NUMPY\2\0" + struct.pack("<I", 2**32 - 1) + b"{" * 1000)])
    )


def caches_of_tiny_frames(folder):
    n = 400000
    yield write(folder, "tiny.pc2", b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 1, 0, 1, n) + b"\0" * (12 * n))
    yield write(
        folder,
        "tiny.mdd",
        struct.pack(">ii", n, 1) + b"".join(struct.pack(">f", i) for i in range(n)) + b"\0" * (12 * n),
    )
    yield write(folder, "claims.pc2", b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 2**31 - 1, 0, 1, 2**31 - 1))


# Scenes ----------------------------------------------------------------------------------------------------------------------
def scene(**changes):
    body = dict(
        mesh=dict(shape="box", kind="tet4", counts=[1, 1, 1]),
        materials=[dict(preset="fat")],
        anchors=[dict(set="left")],
    )
    body.update(changes.pop("body", {}))
    return dict(dict(format=1, bodies=[body], method=dict(name="linear_fem"), step=0.01, duration=0.02), **changes)


def scene_shapes(folder):
    for kind in ("hex8", "tet10"):
        yield write(
            folder,
            f"box_{kind}.json",
            json.dumps(scene(body=dict(mesh=dict(shape="box", kind=kind, counts=[10000, 10000, 10000])))),
        )


def scene_all_shapes(folder):
    """Every generator with as many cells as it can be asked for."""
    shapes = {
        "box": [1000, 1000, 1000],
        "rod": [1000, 1000, 1000],
        "grid": [100000, 100000],
        "rectangle": [100000, 100000],
        "disc": [100000, 100000],
        "ellipse": [100000, 100000],
        "ring": [100000, 100000],
        "cylinder": [1000, 1000, 1000],
        "tube": [1000, 1000, 1000],
        "ball": [1000, 1000],
        "sphere": [1000, 1000],
        "ellipsoid": [1000, 1000],
        "shell": [1000, 1000],
        "frustum": [1000, 1000, 1000],
    }
    for shape, counts in shapes.items():
        for kind in ("tet10", "hex8") if len(counts) == 3 or shape in ("ball", "ellipsoid", "shell") else ("quad4",):
            yield write(
                folder,
                f"{shape}_{kind}.json",
                json.dumps(scene(body=dict(mesh=dict(shape=shape, kind=kind, counts=counts), anchors=[]))),
            )


def scene_cells(folder):
    write(folder, "box.obj", BOX + CLOSED)
    for cells in (10**9, 10**15):
        yield write(
            folder,
            f"cells{cells}.json",
            json.dumps(scene(body=dict(mesh=dict(path="box.obj", cells=cells), anchors=[]))),
        )


def scene_steps(folder):
    yield write(folder, "steps.json", json.dumps(scene(step=1e-9, duration=1e9)))
    yield write(folder, "frames.json", json.dumps(scene(step=1e-9, duration=1.0, output=dict(rate=1e9))))
    live = [dict(vertex=0, kind="point", at=[0, 0, 0])] * 1000
    yield write(folder, "live.json", json.dumps(scene(body=dict(constraints=live))))


def scene_sets(folder):
    doubled = [dict(name="s0", box=[[-1, -1, -1], [2, 2, 2]])] + [
        dict(name=f"s{i + 1}", union=[f"s{i}"] * 100) for i in range(900)
    ]
    yield write(folder, "unions.json", json.dumps(scene(body=dict(sets=doubled, anchors=[dict(set="s900")]))))
    many = [dict(name=f"s{i}", vertices=[j % 8 for j in range(900)]) for i in range(1000)]
    yield write(folder, "vertices.json", json.dumps(scene(body=dict(sets=many))))
    boxes = [dict(name=f"s{i}", box=[[-1, -1, -1], [2, 2, 2]]) for i in range(1000)]
    yield write(
        folder,
        "boxes.json",
        json.dumps(scene(body=dict(sets=boxes, mesh=dict(shape="box", kind="tet4", counts=[3, 3, 3])))),
    )


def scene_lists(folder):
    keys = [dict(t=i, translation=[0, 0, 0]) for i in range(90000)]
    yield write(
        folder, "keys.json", json.dumps(scene(body=dict(handles=[dict(name="h", set="right", keyframes=keys)])))
    )
    yield write(folder, "forces.json", json.dumps(scene(body=dict(forces=[dict(set="right", total=[0, 1, 0])] * 1001))))
    yield write(
        folder,
        "anchors.json",
        json.dumps(scene(body=dict(anchors=[dict(name=f"a{i}", set="left") for i in range(1000)]))),
    )
    yield write(folder, "faults.json", json.dumps(scene(**{f"field{i}": 0 for i in range(990)})))
    yield write(folder, "long.json", json.dumps(scene(name="n" * 5_000_000)))
    yield write(
        folder,
        "probes.json",
        json.dumps(scene(output=dict(probes=[dict(name=f"p{i}", point=[0.5, 0.5, 0.5]) for i in range(1000)]))),
    )


def scene_texts(folder):
    yield write(folder, "deep.json", "[" * 1_000_000)
    yield write(folder, "values.json", "[" + "0," * 4_000_000 + "0]")
    yield write(folder, "objects.json", '{"format":1,"x":[' + "{}," * 900000 + "{}]}")
    yield write(folder, "one_list.json", '{"format":1,"bodies":[' + "0," * 990000 + "0]}")


def scene_surfaces(folder):
    write(folder, "p.obj", polygon(2000) + "".join(f"v {i} 0 0\n" for i in range(150000)))
    parts = [dict(name=f"s{i}", path="p.obj") for i in range(100)]
    yield write(folder, "surfaces.json", json.dumps(scene(body=dict(mesh=dict(surfaces=parts, cells=500)))))


def scene_shown(folder):
    """Surfaces that a body is shown by: what reads them, runs, records and exports."""
    for maker in (
        obj_materials,
        obj_picture_under_many_names,
        obj_one_polygon,
        obj_fan,
        glb_materials,
        glb_instances,
        glb_pictures,
    ):
        inner = folder / maker.__name__
        inner.mkdir()
        for path in maker(inner):
            yield write(inner, path.stem + "_scene.json", json.dumps(scene(body=dict(surface=dict(path=path.name)))))


def recordings_that_claim_much(folder):
    """One that limber made, with counts in its head that are beyond all measure."""
    from driver import LIMBER

    source, made = write(folder, "source.json", json.dumps(scene())), folder / "made.limber"
    subprocess.run([LIMBER, "run", source, "-o", made, "-q"], stdin=subprocess.DEVNULL, check=True)
    whole, r = made.read_bytes(), random.Random(5)
    for i in range(12):
        at, count = r.randrange(16, min(len(whole) - 8, 1500)), r.choice((2**63 - 1, 2**31 - 1, 2**40, 2**24))
        yield write(folder, f"claims{i}.limber", whole[:at] + struct.pack("<Q", count) + whole[at + 8 :])
    yield write(folder, "repeated.limber", whole[:-16] * 3)


def makers_in(module):
    """The functions of one argument, the folder, that are defined there, in order."""
    return [
        value
        for value in vars(module).values()
        if getattr(value, "__module__", None) == module.__name__
        and getattr(value, "__code__", None) is not None
        and value.__code__.co_varnames[:1] == ("folder",)
        and value.__code__.co_argcount == 1
    ]


# The order counts: hostile_test.py draws its sample from it.
MAKERS = [
    maker
    for module in (hostile_meshes, hostile_surfaces, hostile_rigs, sys.modules[__name__])
    for maker in makers_in(module)
]
