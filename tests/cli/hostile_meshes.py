"""Small mesh files that ask for much: Gmsh, Medit, INP, TetGen, VTK. See hostile_files.py."""
import base64
import os
import struct


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
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n{low} 0 0 0\n{high} 1 0 0\n3 0 1 0\n4 0 0 1\n"
        f"$EndNodes\n$Elements\n1\n{low} 4 2 1 {high} {low} {high} 3 4\n$EndElements\n",
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
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n + 4}\n{nodes}$EndNodes\n"
        f"$Elements\n1\n1 4 2 1 1 {n + 1} {n + 2} {n + 3} {n + 4}\n$EndElements\n",
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
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
        f"$EndNodes\n$Elements\n1\n1 4 {2**31} 1 1 1 2 3 4\n$EndElements\n",
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
    head = (
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
        f"<UnstructuredGrid>{pieces}</UnstructuredGrid>"
    )
    tail = f'<AppendedData encoding="{encoding}">_'.encode() + appended + b"</AppendedData>" if appended else b""
    return head.encode() + tail + b"</VTKFile>"


ONE_TET = (
    '<Piece NumberOfPoints="4" NumberOfCells="1">'
    '<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>'
    '<Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray>'
    '<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray>'
    '<DataArray type="UInt8" Name="types" format="ascii">10</DataArray></Cells>{}</Piece>'
)


def vtu_arrays_that_share_bytes(folder):
    n = 100000
    data = struct.pack("<Q", n) + b"\1" * n
    sets = "".join(f'<DataArray type="UInt8" Name="set:s{i}" format="appended" offset="0"/>' for i in range(5000))
    points = struct.pack("<Q", 24 * n) + b"\0" * (24 * n)
    piece = (
        f'<Piece NumberOfPoints="{n}" NumberOfCells="0"><Points>'
        f'<DataArray type="Float64" NumberOfComponents="3" format="appended" offset="{len(data)}"/></Points><Cells>'
        '<DataArray type="Int64" Name="connectivity" format="ascii"/>'
        '<DataArray type="Int64" Name="offsets" format="ascii"/><DataArray type="UInt8" Name="types" format="ascii"/></Cells>'
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
        f'<Piece NumberOfPoints="4" NumberOfCells="{n}"><Points>'
        '<DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>'
        f'<DataArray type="Int64" Name="connectivity" format="ascii">{"0 1 2 3 " * n}</DataArray>'
        '<DataArray type="Int64" Name="offsets" format="ascii">'
        f'{" ".join(str(4 * i + 4) for i in range(n))}</DataArray>'
        f'<DataArray type="UInt8" Name="types" format="ascii">{"10 " * n}</DataArray></Cells>'
        f'<CellData><DataArray type="UInt8" Name="set:{name}" format="ascii">{"1 " * n}</DataArray></CellData></Piece>'
    )
    yield write(folder, "name.vtu", vtu(piece))


def pvd_of_one_file(folder):
    n = 100000
    piece = (
        f'<Piece NumberOfPoints="{n}" NumberOfCells="0"><Points>'
        '<DataArray type="Float64" NumberOfComponents="3" format="appended" offset="0"/></Points></Piece>'
    )
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
