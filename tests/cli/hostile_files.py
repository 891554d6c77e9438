"""Small files that ask for much: each maker writes some into a folder and yields the paths that verbs should be given."""
import base64
import io
import json
import math
import os
import random
import struct
import subprocess
import zipfile
import zlib


def write(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


TET = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"


# Gmsh ------------------------------------------------------------------------------------------------------------------------
def msh4(tags, elements, names="", entity_tags=None):
    listed = " ".join(map(str, tags))
    return (
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        + names
        + f"$Entities\n0 0 0 1\n1 0 0 0 1 1 1 {len(tags)} {listed} 0\n$EndEntities\n"
        f"$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n{TET}$EndNodes\n$Elements\n1 {elements} 1 {elements}\n3 1 4 {elements}\n"
        + "".join(f"{i + 1} 1 2 3 4\n" for i in range(elements))
        + "$EndElements\n"
    )


def msh2(elements, names=""):
    return (
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names + "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        f"$Elements\n{len(elements)}\n" + "".join(f"{i + 1} {e}\n" for i, e in enumerate(elements)) + "$EndElements\n"
    )


def msh_tags_times_elements(folder):
    yield write(folder, "distinct.msh", msh4(range(1, 20001), 20000))
    yield write(folder, "equal.msh", msh4([1] * 20000, 20000))


def msh_cell_in_many_groups(folder):
    yield write(folder, "groups.msh", msh2([f"4 2 {i + 1} 1 1 2 3 4" for i in range(200000)]))


def msh_many_groups_then_many_cells(folder):
    yield write(
        folder,
        "groups.msh",
        msh2([f"4 2 {i + 1} 1 1 2 3 4" for i in range(60000)] + [f"4 2 1 {i + 2} 1 2 3 4" for i in range(60000)]),
    )


def msh_long_names(folder):
    name = "a" * 1_000_000
    yield write(
        folder,
        "name.msh",
        msh2([f"4 2 1 {i} 1 2 3 4" for i in range(100000)], f'$PhysicalNames\n1\n3 1 "{name}"\n$EndPhysicalNames\n'),
    )


def msh_names_on_one_line(folder):
    names = " ".join(f'3 {i + 1} "g"' for i in range(400000))
    yield write(folder, "line.msh", msh2(["4 2 1 1 1 2 3 4"], f"$PhysicalNames\n400000\n{names}\n$EndPhysicalNames\n"))


def msh_points_in_groups(folder):
    tags = " ".join(str(i + 1) for i in range(20000))
    yield write(
        folder,
        "points.msh",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        f"$Entities\n1 0 0 1\n1 0 0 0 20000 {tags}\n1 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n{TET}$EndNodes\n"
        "$Elements\n2 20001 1 20001\n3 1 4 1\n1 1 2 3 4\n0 1 15 20000\n"
        + "".join(f"{i + 2} 1\n" for i in range(20000))
        + "$EndElements\n",
    )


def msh_absurd_tags(folder):
    low, high = -(2**63), 2**63 - 1
    yield write(
        folder,
        "low.msh",
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n{low} 0 0 0\n{high} 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n{low} 4 2 1 {high} {low} {high} 3 4\n$EndElements\n",
    )


def msh_cells_on_one_edge(folder):
    n = 60000
    nodes = "1 0 0 0\n2 0 0 1\n" + "".join(f"{i + 3} {1 + i % 300} {i // 300} 0\n" for i in range(n + 1))
    cells = "".join(f"{i + 1} 4 2 1 1 1 2 {i + 3} {i + 4}\n" for i in range(n))
    yield write(
        folder,
        "edge.msh",
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n + 3}\n{nodes}$EndNodes\n$Elements\n{n}\n{cells}$EndElements\n",
    )


def msh_unused_nodes(folder):
    n = 300000
    nodes = (
        "".join(f"{i + 1} 0 0 0\n" for i in range(n)) + f"{n + 1} 0 0 0\n{n + 2} 1 0 0\n{n + 3} 0 1 0\n{n + 4} 0 0 1\n"
    )
    yield write(
        folder,
        "unused.msh",
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n + 4}\n{nodes}$EndNodes\n$Elements\n1\n1 4 2 1 1 {n + 1} {n + 2} {n + 3} {n + 4}\n$EndElements\n",
    )


def msh_claims(folder):
    """Counts and tags in the heads that are far beyond what follows."""
    many = 2**40
    yield write(
        folder,
        "nodes4.msh",
        f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {many} 1 {many}\n3 1 0 {many}\n1\n$EndNodes\n",
    )
    yield write(
        folder,
        "tags4.msh",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 1000000000000\n3 1 0 4\n1\n2\n3\n1000000000000\n"
        + TET
        + "$EndNodes\n$Elements\n1 1 1 1000000000000\n3 1 4 1\n1000000000000 1 2 3 1000000000000\n$EndElements\n",
    )
    yield write(folder, "nodes2.msh", f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{many}\n1 0 0 0\n$EndNodes\n")
    yield write(
        folder,
        "element_tags.msh",
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 {2**31} 1 1 1 2 3 4\n$EndElements\n",
    )
    yield write(
        folder,
        "binary.msh",
        b"$MeshFormat\n4.1 1 8\n"
        + struct.pack("<i", 1)
        + b"\n$EndMeshFormat\n$Nodes\n"
        + struct.pack("<4Q", 1, many, 1, many)
        + struct.pack("<3iQ", 3, 1, 0, many)
        + b"\0" * 1000,
    )
    yield write(
        folder,
        "entities.msh",
        f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 {many}\n1 0 0 0 1 1 1 {many} 1\n$EndEntities\n",
    )


# Medit, INP, TetGen ----------------------------------------------------------------------------------------------------------
def medit(names, vertices=50000):
    return (
        "MeshVersionFormatted 2\n"
        + names
        + f"Dimension 3\nVertices {vertices}\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n"
        + "0 0 0 1\n" * (vertices - 4)
        + "Tetrahedra 1\n1 2 3 4 1\nEnd\n"
    )


def medit_names_times_vertices(folder):
    yield write(folder, "equal.mesh", medit("# limber set vertices 1 a\n" * 20000))
    yield write(folder, "distinct.mesh", medit("".join(f"# limber set vertices 1 a{i}\n" for i in range(20000))))


def medit_long_name(folder):
    yield write(
        folder,
        "long.mesh",
        medit("# limber set vertices 1 " + "a" * 1_000_000 + "\n# limber set cells 1 " + "b" * 1_000_000 + "\n"),
    )


def medit_names_times_cells(folder):
    names = "".join(f"# limber set cells 1 a{i}\n" for i in range(20000))
    yield write(
        folder,
        "cells.mesh",
        "MeshVersionFormatted 2\n"
        + names
        + f"Dimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 20000\n"
        + "1 2 3 4 1\n" * 20000
        + "End\n",
    )


def inp(rest, nodes=100000):
    listed = "".join(f"{i + 5},0,0,0\n" for i in range(nodes))
    return f"*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n{listed}*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n" + rest


def inp_ranges(folder):
    yield write(folder, "ranges.inp", inp("".join(f"*NSET,NSET=s{i},GENERATE\n1,100000,1\n" for i in range(20000))))
    yield write(folder, "steps.inp", inp("".join(f"*NSET,NSET=s{i},GENERATE\n1,100000,99999\n" for i in range(20000))))


def inp_ranges_of_nothing(folder):
    yield write(
        folder,
        "nothing.inp",
        inp("*NSET,NSET=a,GENERATE\n1,9000000000000000000,1\n*ELSET,ELSET=b,GENERATE\n1,2000000000,1\n", 10),
    )
    yield write(folder, "backwards.inp", inp("*NSET,NSET=a,GENERATE\n4,1,-1\n*NSET,NSET=b,GENERATE\n1,4,0\n", 10))
    yield write(
        folder, "many.inp", inp("".join(f"*NSET,NSET=s{i},GENERATE\n1,2000000000,1\n" for i in range(1000)), 10)
    )


def inp_sets_within_sets(folder):
    yield write(
        folder,
        "sets.inp",
        inp(
            "*NSET,NSET=s0\n"
            + "1,2,3,4\n"
            + "".join(f"*NSET,NSET=s{i + 1}\n" + f"s{i}," * 100 + "\n" for i in range(200)),
            10,
        ),
    )


def inp_long_name(folder):
    name = "a" * 1_000_000
    yield write(
        folder,
        "long.inp",
        f"*NODE,NSET={name}\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
        + "".join(f"{i + 5},0,0,0\n" for i in range(100000))
        + f"*ELEMENT,TYPE=C3D4,ELSET={name}\n"
        + "".join(f"{i + 1},1,2,3,4\n" for i in range(50000)),
    )


def inp_surface_sets(folder):
    yield write(
        folder,
        "surfaces.inp",
        inp(
            "*ELEMENT,TYPE=S3,ELSET=skin\n"
            + "".join(f"{i + 2},1,2,3\n" for i in range(50000))
            + "".join(f"*ELSET,ELSET=s{i}\nskin\n" for i in range(2000)),
            10,
        ),
    )


def tetgen(folder, name, nodes, elements):
    write(folder, name + ".node", nodes)
    return write(folder, name + ".ele", elements)


def tetgen_regions_and_markers(folder):
    n = 100000
    nodes = f"{n} 3 0 1\n" + "".join(f"{i + 1} {i % 7} {i % 11} {i % 13} {i + 1}\n" for i in range(n))
    yield tetgen(
        folder, "regions", nodes, f"{n} 4 1\n" + "".join(f"{i + 1} 1 2 3 {4 + i % 90000} {i + 1}\n" for i in range(n))
    )


def tetgen_absurd_numbers(folder):
    nodes = "10 3 0 0\n" + "".join(
        f"{i + 1} {x} {y} {z}\n"
        for i, (x, y, z) in enumerate(
            [
                (0, 0, 0),
                (1, 0, 0),
                (0, 1, 0),
                (0, 0, 1),
                (0.5, 0, 0),
                (0.5, 0.5, 0),
                (0, 0.5, 0),
                (0, 0, 0.5),
                (0.5, 0, 0.5),
                (0, 0.5, 0.5),
            ]
        )
    )
    for i, tag in enumerate((-(2**63), 2**63 - 1)):
        yield tetgen(folder, f"element{i}", nodes, f"1 10 0\n1 {tag} 2 3 4 5 6 7 8 9 10\n")
        yield tetgen(folder, f"node{i}", f"2 3 0 0\n{tag} 0 0 0\n{tag} 0 0 0\n", "1 4 0\n1 1 2 3 4\n")


# VTK -------------------------------------------------------------------------------------------------------------------------
def vtu(pieces, appended=b"", encoding="raw"):
    head = f'<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid>{pieces}</UnstructuredGrid>'
    tail = f'<AppendedData encoding="{encoding}">_'.encode() + appended + b"</AppendedData>" if appended else b""
    return head.encode() + tail + b"</VTKFile>"


ONE_TET = (
    '<Piece NumberOfPoints="4" NumberOfCells="1"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>'
    '<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray><DataArray type="Int64" Name="offsets" format="ascii">4</DataArray>'
    '<DataArray type="UInt8" Name="types" format="ascii">10</DataArray></Cells>{}</Piece>'
)


def vtu_arrays_that_share_bytes(folder):
    n = 100000
    data = struct.pack("<Q", n) + b"\1" * n
    sets = "".join(f'<DataArray type="UInt8" Name="set:s{i}" format="appended" offset="0"/>' for i in range(5000))
    points = struct.pack("<Q", 24 * n) + b"\0" * (24 * n)
    piece = (
        f'<Piece NumberOfPoints="{n}" NumberOfCells="0"><Points><DataArray type="Float64" NumberOfComponents="3" format="appended" offset="{len(data)}"/></Points><Cells>'
        '<DataArray type="Int64" Name="connectivity" format="ascii"/><DataArray type="Int64" Name="offsets" format="ascii"/><DataArray type="UInt8" Name="types" format="ascii"/></Cells>'
        f"<PointData>{sets}</PointData></Piece>"
    )
    yield write(folder, "shared.vtu", vtu(piece + ONE_TET.format(""), data + points))


def vtu_blanks_before_every_array(folder):
    arrays = "".join(f'<DataArray type="UInt8" Name="set:s{i}" format="appended" offset="{i}"/>' for i in range(40000))
    blanks = b" " * 4_000_000 + base64.b64encode(struct.pack("<Q", 4) + b"\1\1\1\1")
    yield write(folder, "blanks.vtu", vtu(ONE_TET.format(f"<PointData>{arrays}</PointData>"), blanks, "base64"))
    zeros = base64.b64encode(struct.pack("<Q", 0)) * 400000
    yield write(folder, "zeros.vtu", vtu(ONE_TET.format(f"<PointData>{arrays}</PointData>"), zeros, "base64"))


def vtu_attributes_and_elements(folder):
    yield write(folder, "attributes.vtu", vtu("<Piece " + 'a="" ' * 1_000_000 + "/>"))
    yield write(folder, "elements.vtu", vtu("<a/>" * 199000 + ONE_TET.format("")))
    yield write(folder, "deep.vtu", vtu("<a>" * 100000))
    yield write(
        folder,
        "pieces.vtu",
        vtu(
            ONE_TET.format(
                '<PointData><DataArray type="UInt8" Name="set:a" format="ascii">1 1 1 1</DataArray></PointData>'
            )
            * 15000
        ),
    )


def vtu_long_set_name(folder):
    n = 60000
    name = "a" * 1_000_000
    piece = (
        f'<Piece NumberOfPoints="4" NumberOfCells="{n}"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>'
        f'<DataArray type="Int64" Name="connectivity" format="ascii">{"0 1 2 3 " * n}</DataArray><DataArray type="Int64" Name="offsets" format="ascii">{" ".join(str(4 * i + 4) for i in range(n))}</DataArray>'
        f'<DataArray type="UInt8" Name="types" format="ascii">{"10 " * n}</DataArray></Cells><CellData><DataArray type="UInt8" Name="set:{name}" format="ascii">{"1 " * n}</DataArray></CellData></Piece>'
    )
    yield write(folder, "name.vtu", vtu(piece))


def pvd_of_one_file(folder):
    n = 100000
    piece = f'<Piece NumberOfPoints="{n}" NumberOfCells="0"><Points><DataArray type="Float64" NumberOfComponents="3" format="appended" offset="0"/></Points></Piece>'
    write(folder, "big.vtu", vtu(piece, struct.pack("<Q", 24 * n) + b"\0" * (24 * n)))

    def listed(names):
        return (
            '<VTKFile type="Collection" version="0.1"><Collection>'
            + "".join(f'<DataSet timestep="{i}" file="{name}"/>' for i, name in enumerate(names))
            + "</Collection></VTKFile>"
        )

    yield write(folder, "dots.pvd", listed("./" * i + "big.vtu" for i in range(1000)))
    for i in range(300):
        os.link(folder / "big.vtu", folder / f"hard{i}.vtu")
        (folder / f"soft{i}.vtu").symlink_to("big.vtu")
    yield write(folder, "hard.pvd", listed(f"hard{i}.vtu" for i in range(300)))
    yield write(folder, "soft.pvd", listed(f"soft{i}.vtu" for i in range(300)))
    yield write(folder, "missing.pvd", listed(f"no{i}.vtu" for i in range(150000)))


# Surfaces --------------------------------------------------------------------------------------------------------------------
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
    head = b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nelement face %d\nproperty list uint int vertex_indices\nend_header\n"
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


# Rigs ------------------------------------------------------------------------------------------------------------------------
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


MAKERS = [
    value
    for name, value in list(globals().items())
    if callable(value)
    and getattr(value, "__code__", None) is not None
    and value.__code__.co_varnames[:1] == ("folder",)
    and value.__code__.co_argcount == 1
    and name != "write"
]
