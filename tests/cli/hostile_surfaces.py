"""Small surface files that ask for much: OBJ, STL, PLY. See hostile_files.py."""
import math
import os
import random
import struct

from hostile_meshes import TET, write

BOX = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
CLOSED = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def obj_materials(folder):
    n = 60000
    write(folder, "q.mtl", "".join(f"newmtl m{i}\nKd 1 0 0\n" for i in range(n)))
    yield write(
        folder, "materials.obj", "mtllib q.mtl\n" + BOX + "".join(f"usemtl m{i}\nf 1 3 2\n" for i in range(n)) + CLOSED
    )


def obj_picture_under_many_names(folder):
    write(folder, "p.png", b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(5_000_000))
    write(folder, "p.mtl", "".join(f"newmtl m{i}\nmap_Kd {'./' * i}p.png\n" for i in range(700)))
    yield write(
        folder, "picture.obj", "mtllib p.mtl\n" + BOX + "".join(f"usemtl m{i}\nf 1 3 2\n" for i in range(700)) + CLOSED
    )
    for i in range(300):
        os.link(folder / "p.png", folder / f"hard{i}.png")
    write(folder, "hard.mtl", "".join(f"newmtl m{i}\nmap_Kd hard{i}.png\n" for i in range(300)))
    yield write(
        folder, "hard.obj", "mtllib hard.mtl\n" + BOX + "".join(f"usemtl m{i}\nf 1 3 2\n" for i in range(300)) + CLOSED
    )


def obj_libraries(folder):
    write(folder, "l.mtl", "newmtl a\n" + "Kd 1 0 0\n" * 200000)
    yield write(
        folder,
        "libraries.obj",
        "".join(f"mtllib {'./' * (i % 50)}l.mtl\n" for i in range(20000)) + BOX + "usemtl a\n" + CLOSED,
    )
    yield write(
        folder, "missing.obj", "".join(f"mtllib no{i}.mtl\n" for i in range(50000)) + BOX + "usemtl a\n" + CLOSED
    )
    write(folder, "m.mtl", "newmtl a\n" + "".join(f"map_Kd no{i}.png\n" for i in range(100000)))
    yield write(folder, "pictures.obj", "mtllib m.mtl\n" + BOX + "usemtl a\n" + CLOSED)


def polygon(n):
    return (
        "".join(f"v {i} {i * i % 1009} {i % 3}\n" for i in range(n))
        + "f "
        + " ".join(str(i + 1) for i in range(n))
        + "\n"
    )


def obj_one_polygon(folder):
    yield write(folder, "polygon.obj", polygon(300000))


def obj_fan(folder):
    n = 200000
    yield write(
        folder,
        "fan.obj",
        "v 0 0 0\n"
        + "".join(f"v 1 {i} {i % 17}\n" for i in range(n + 1))
        + "".join(f"f 1 {i + 2} {i + 3}\n" for i in range(n)),
    )


def obj_faces_on_one_edge(folder):
    n = 100000
    yield write(
        folder,
        "edge.obj",
        "v 0 0 0\nv 0 0 1\n"
        + "".join(f"v {1 + i % 300} {i // 300} 0.5\n" for i in range(n))
        + "".join(f"f 1 2 {i + 3}\n" for i in range(n)),
    )


def obj_equal_faces(folder):
    yield write(folder, "equal.obj", BOX + CLOSED * 60000)


def obj_crossing_faces(folder):
    r = random.Random(2)
    n = 30000
    yield write(
        folder,
        "crossing.obj",
        "".join(f"v {r.random()} {r.random()} {r.random()}\n" for _ in range(3 * n))
        + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n)),
    )


def obj_slivers(folder):
    n = 50000
    yield write(
        folder,
        "slivers.obj",
        "".join(f"v 0 {i} 0\nv 1e9 {i} 1e-9\nv 0 {i + 0.5} 0\n" for i in range(n))
        + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n)),
    )


def obj_continued_lines(folder):
    yield write(folder, "continued.obj", BOX + CLOSED + "f 1 2 3 " + "\\\n" * 2_000_000 + "4\n")


def obj_many_pieces(folder):
    n = 60000
    yield write(
        folder,
        "pieces.obj",
        "".join(f"v {i} 0 0\nv {i + .5} 0 0\nv {i} .5 0\nv {i} 0 .5\n" for i in range(n))
        + "".join(
            f"f {4*i+1} {4*i+3} {4*i+2}\nf {4*i+1} {4*i+2} {4*i+4}\nf {4*i+1} {4*i+4} {4*i+3}\nf {4*i+2} {4*i+3} {4*i+4}\n"
            for i in range(n)
        ),
    )


def obj_nested_shells(folder):
    n = 3000
    yield write(
        folder,
        "nested.obj",
        "".join(
            f"v {-s} {-s} {-s}\nv {3 * s} {-s} {-s}\nv {-s} {3 * s} {-s}\nv {-s} {-s} {3 * s}\n"
            for s in range(1, n + 1)
        )
        + "".join(
            f"f {4*i+1} {4*i+3} {4*i+2}\nf {4*i+1} {4*i+2} {4*i+4}\nf {4*i+1} {4*i+4} {4*i+3}\nf {4*i+2} {4*i+3} {4*i+4}\n"
            for i in range(n)
        ),
    )


def tube(n, rings=2):
    """Open at both ends: two holes with n corners each."""
    points = "".join(
        f"v {math.cos(2 * math.pi * i / n)} {math.sin(2 * math.pi * i / n)} {k}\n"
        for k in range(rings)
        for i in range(n)
    )
    return points + "".join(
        f"f {k * n + i + 1} {k * n + (i + 1) % n + 1} {(k + 1) * n + (i + 1) % n + 1} {(k + 1) * n + i + 1}\n"
        for k in range(rings - 1)
        for i in range(n)
    )


def obj_holes(folder):
    yield write(folder, "rims.obj", tube(40000))
    n = 40000
    yield write(
        folder,
        "many.obj",
        "".join(
            f"v {i % 200} {i // 200} 0\nv {i % 200 + .5} {i // 200} 0\nv {i % 200} {i // 200 + .5} 0\n"
            for i in range(n)
        )
        + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n)),
    )


def obj_odd_coordinates(folder):
    yield write(folder, "far.obj", BOX + "v 1e30 0 0\nv 1e30 1 0\nv 1e30 0 1\n" + CLOSED + "f 5 6 7\n")
    yield write(folder, "huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nv 0 0 1e300\n" + CLOSED)
    yield write(folder, "tiny.obj", "v 0 0 0\nv 1e-300 0 0\nv 0 1e-300 0\nv 0 0 1e-300\n" + CLOSED)
    yield write(folder, "thread.obj", "v 0 0 0\nv 1e9 0 0\nv 0 1e-6 0\nv 0 0 1e-6\n" + CLOSED)
    yield write(folder, "none.obj", "v nan 0 0\nv inf 0 0\nv 0 1e999 0\nv 0 0 1\n" + CLOSED)


def obj_long_lines(folder):
    yield write(folder, "blanks.obj", BOX + "f 1 " + " " * 20_000_000 + "3 2\n" + CLOSED)
    yield write(folder, "comment.obj", "#" * 20_000_000 + "\n" + BOX + CLOSED)
    yield write(folder, "digits.obj", "v 0." + "1" * 5_000_000 + " 0 0\n" + BOX + CLOSED)
    yield write(folder, "groups.obj", BOX + "".join(f"g a{i} b{i} c{i}\nf 1 3 2\n" for i in range(60000)) + CLOSED)


def obj_spikes(folder):
    """Every face crosses the boxes of all others."""
    n = 20000
    yield write(
        folder,
        "spikes.obj",
        "".join(
            f"v {math.sin(i)} {math.cos(i)} -1\nv {-math.sin(i)} {-math.cos(i)} 1\nv {math.sin(i + 1e-4)} {math.cos(i + 1e-4)} -1\n"
            for i in range(n)
        )
        + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(n)),
    )


def stl_claims(folder):
    yield write(folder, "claims.stl", b"\0" * 80 + struct.pack("<I", 2**32 - 1) + b"\0" * 500)


def ply_claims(folder):
    head = (
        b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
        b"element face %d\nproperty list uint int vertex_indices\nend_header\n"
    )
    yield write(folder, "vertices.ply", head % (2**62, 1) + b"\0" * 1000)
    yield write(folder, "faces.ply", head % (4, 2**62) + b"\0" * 1000)
    yield write(folder, "corners.ply", head % (4, 1) + b"\0" * 48 + struct.pack("<I", 2**32 - 1) + b"\0" * 100)


def ply_lists(folder):
    head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
    yield write(
        folder,
        "properties.ply",
        head
        + "property list uchar int a\n" * 100000
        + "element face 4\nproperty list int int vertex_indices\nend_header\n"
        + TET
        + "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    )
    yield write(
        folder,
        "elements.ply",
        head
        + "element face 4\nproperty list int int vertex_indices\n"
        + "".join(f"element e{i} 1000000000000\n" for i in range(100000))
        + "end_header\n"
        + TET
        + "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    )
    yield write(
        folder,
        "corners.ply",
        head
        + "element face 1\nproperty list int int vertex_indices\nend_header\n"
        + TET
        + "1000000 "
        + "0 1 2 3 " * 250000
        + "\n",
    )


def stl_degenerate(folder):
    n = 60000
    yield write(
        folder, "points.stl", b"\0" * 80 + struct.pack("<I", n) + (struct.pack("<12f", *([0.0] * 12)) + b"\0\0") * n
    )
    facet = "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
    yield write(folder, "text.stl", "solid a\n" + facet * 30000 + "endsolid a\n")
