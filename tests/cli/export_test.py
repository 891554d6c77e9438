#!/usr/bin/env python3
"""limber export of recordings: export_test.py LIMBER SCENES. Standard library only: files are taken apart by hand here."""
import ast
import csv
import json
import pathlib
import struct
import sys
import tempfile
import zipfile

from driver import as_json, check, failures, fails, run

SCENES = pathlib.Path(sys.argv[2]).resolve()
BLOCK = SCENES / "block_needle_mp1.json"


def arrays_of(path):
    """name -> (type, shape, values) of an npz file, by zipfile and struct alone."""
    out = {}
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, "checksums of the archive are right")
        for name in archive.namelist():
            data = archive.read(name)
            length = struct.unpack("<H", data[8:10])[0]
            header = ast.literal_eval(data[10 : 10 + length].decode("latin1"))
            body, kind = data[10 + length :], header["descr"]
            if kind.startswith("<U"):
                values = body.decode("utf-32-le")
            else:
                values = [v[0] for v in struct.iter_unpack({"<f8": "<d", "<i4": "<i"}[kind], body)]
            check(not header["fortran_order"] and data[:8] == b"\x93NUMPY\x01\x00", f"{name} is a plain array")
            out[name.removesuffix(".npy")] = (kind, header["shape"], values)
    return out


def test_npz(folder, recording):
    report = as_json("export", recording, "--to", "npz", "-o", folder / "a.npz")
    check(
        report["frames"] == 16 and report["format"] == "npz" and report["scene_hash"].startswith("0x"),
        f"the report tells what was written: {report}",
    )
    arrays = arrays_of(folder / "a.npz")
    n, vertices = report["frames"], report["vertices"]
    for name in ["positions", "displacements", "velocities"]:
        check(
            arrays[name][1] == (n, vertices, 3) and arrays[name][0] == "<f8",
            f"{name} has a vector per frame and vertex",
        )
    check(
        arrays["times"][1] == (n,) and arrays["energies"][1] == (n, 2) and arrays["step_ms"][1] == (n,),
        "one time, two energies and a cost per frame",
    )
    check(arrays["reactions"][1][0] == n and arrays["reactions"][1][2] == 6, "a force and a torque per support")
    rest, u, x = arrays["rest"][2], arrays["displacements"][2], arrays["positions"][2]
    check(
        all(abs(x[i] - (rest[i % len(rest)] + u[i])) < 1e-15 for i in range(len(x))),
        "positions are rest plus displacement",
    )
    check(max(map(abs, u)) > 0, "something moves")
    facts = json.loads(arrays["provenance"][2])
    check(
        facts["scene_hash"] == report["scene_hash"] and facts["written_by"]["version"] and facts["recorded_by"]["cpu"],
        f"provenance is there: {facts}",
    )
    run("export", recording, "--to", "npz", "-o", folder / "mm.npz", "--unit", "mm", "--up", "z")
    turned = arrays_of(folder / "mm.npz")["displacements"][2]
    check(
        all(
            abs(turned[3 * i + 2] - 1000 * u[3 * i + 1]) < 1e-9 and turned[3 * i + 1] == -1000 * u[3 * i + 2]
            for i in range(len(u) // 3)
        ),
        "mm and z up put y into z",
    )
    run("export", recording, "--to", "npz", "-o", folder / "b.npz")
    check((folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes(), "the same recording gives the same bytes")
    return arrays


def test_caches(folder, recording, arrays):
    report = as_json("export", recording, "--to", "pc2", "-o", folder / "a.pc2")
    data = (folder / "a.pc2").read_bytes()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    check(
        (magic, version, points, start, rate, samples) == (b"POINTCACHE2\0", 1, report["vertices"], 0.0, 1.0, 16),
        "PC2's header is as Blender reads it",
    )
    check(
        abs(report["frame_rate"] - 30) < 1e-9 and any("30 frames per second" in r for r in report["remarks"]),
        f"the rate is told: {report}",
    )
    values = struct.unpack(f"<{points * samples * 3}f", data[32:])
    check(max(abs(a - b) for a, b in zip(values, arrays["positions"][2])) < 1e-6, "PC2 holds the positions")
    as_json("export", recording, "--to", "mdd", "-o", folder / "a.mdd")
    data = (folder / "a.mdd").read_bytes()
    frames, points = struct.unpack(">ii", data[:8])
    times = struct.unpack(f">{frames}f", data[8 : 8 + 4 * frames])
    check(frames == 16 and all(abs(a - b) < 1e-7 for a, b in zip(times, arrays["times"][2])), "MDD holds the times")
    check(
        struct.unpack(f">{points * frames * 3}f", data[8 + 4 * frames :]) == values,
        "MDD holds the same positions, big-endian",
    )
    check(
        as_json("export", recording, "--to", "mdd", "-o", folder / "b.mdd", "--rate", "24")["frames"] == 13,
        "half a second at 24 frames per second, blended",
    )


def test_others(folder, recording):
    report = as_json("export", recording, "--to", "vtu", "-o", folder / "series")
    check(
        report["written"].endswith("series.pvd") and len(list((folder / "series").glob("*.vtu"))) == 16,
        "one VTU per frame and a list",
    )
    done = run("export", recording, "--to", "csv", "-o", folder / "a.csv")
    lines = (folder / "a.csv").read_text().splitlines()
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    check(
        done.returncode == 0 and len(rows) == 17 and len({len(row) for row in rows}) == 1,
        "one row per frame, all of one length",
    )
    check(
        rows[0][0] == "t [s]" and any("Fx [N]" in cell for cell in rows[0]), f"columns have names and units: {rows[0]}"
    )
    check(any("scene 0x" in line for line in lines if line.startswith("#")), "the table tells its scene")


# A bar of two cubes in millimetres with z up; each cube is six tets around its diagonal.
BAR_POINTS = [[12.7 + 31.3 * (i % 3), -7.1 + 29.9 * (i // 3 % 2), 100.1 + 33.3 * (i // 6)] for i in range(12)]
BAR_CELLS = [[c, c + a, c + a + b, c + 10] for c in (0, 1) for a, b in ((1, 3), (3, 6), (6, 1), (3, 1), (6, 3), (1, 6))]
BAR_CELLS = [cell if k % 6 < 3 else [cell[0], cell[2], cell[1], cell[3]] for k, cell in enumerate(BAR_CELLS)]


def surface_points(path):
    return [list(map(float, line.split()[1:4])) for line in path.read_text().splitlines() if line.startswith("v ")]


def off(found, wanted):
    """The largest difference, of the largest coordinate."""
    if len(found) != len(wanted):
        return float("inf")
    return max(abs(a - b) for p, q in zip(found, wanted) for a, b in zip(p, q)) / 134


def by_three(values):
    return [list(values[i : i + 3]) for i in range(0, len(values), 3)]


def test_own_frame(folder):
    lines = [f"{x!r} {y!r} {z!r} 0" for x, y, z in BAR_POINTS]
    cells = [" ".join(str(v + 1) for v in (*cell, 1)) for cell in BAR_CELLS]
    (folder / "bar.mesh").write_text(
        "\n".join(
            ["MeshVersionFormatted 2", "Dimension 3", "Vertices", "12", *lines, "Tetrahedra", "12", *cells, "End", ""]
        )
    )
    scene = {
        "format": 1,
        "name": "bar",
        "bodies": [
            {
                "mesh": {"path": "bar.mesh", "unit": "mm", "up": "z"},
                "materials": [{"young": 2e5, "poisson": 0.4, "density": 1000}],
                "sets": [{"name": "foot", "box": [[-1, 0.1, -1], [1, 0.1002, 1]]}],
                "anchors": [{"set": "foot"}],
            }
        ],
        "gravity": [0, -9.81, 0],
        "method": {"name": "linear_fem"},
        "step": 0.02,
        "duration": 0.1,
    }
    (folder / "bar.json").write_text(json.dumps(scene))
    recording = folder / "bar.limber"
    done = run("run", folder / "bar.json", "-o", recording, "--vtu", folder / "run_vtu", "-q")
    check(done.returncode == 0, f"the bar runs: {done.stderr}")
    # The frame at rest is what its owner wrote.
    words = run("export", recording, "--to", "obj", "--time", 0, "-o", folder / "bar.obj").stdout
    check("lengths in mm, z up" in words, f"what was taken for granted is said: {words}")
    check(off(surface_points(folder / "bar.obj"), BAR_POINTS) < 1e-12, "obj has the source's own coordinates")
    for kind, place in (("ply", "bar.ply"), ("stl", "bar.stl")):
        run("export", recording, "--to", kind, "--time", 0, "-o", folder / place)
        run("mesh", "convert", folder / place, folder / f"{kind}.obj")
        points = surface_points(folder / f"{kind}.obj")
        check(
            off(sorted(points) if kind == "stl" else points, sorted(BAR_POINTS) if kind == "stl" else BAR_POINTS)
            < (1e-7 if kind == "stl" else 1e-12),
            f"{kind} too",
        )
    report = as_json("export", recording, "--to", "npz", "-o", folder / "bar.npz")
    check(report["unit"] == "mm" and report["up"] == "z", f"the report says which: {report}")
    arrays = arrays_of(folder / "bar.npz")
    rest, end = by_three(arrays["rest"][2]), by_three(arrays["positions"][2])[-12:]
    facts = json.loads(arrays["provenance"][2])
    check(off(rest, BAR_POINTS) < 1e-12 and facts["unit"] == "mm" and facts["up"] == "z", "npz too, and it says so")
    drop = [p[2] - q[2] for p, q in zip(end, rest)]
    check(min(drop[6:]) < -0.01 and max(map(abs, drop[:6])) == 0.0, f"it sinks along z, in millimetres: {drop}")
    for kind, code in (("pc2", "<"), ("mdd", ">")):
        as_json("export", recording, "--to", kind, "-o", folder / f"bar.{kind}")
        data = (folder / f"bar.{kind}").read_bytes()
        check(
            off(by_three(struct.unpack(code + "36f", data[-144:])), end) < 1e-6, f"{kind} has the last frame there too"
        )
    run("run", folder / "bar.json", "-o", folder / "tense.limber", "--stress", "--vtu", folder / "tense_vtu", "-q")
    run("export", folder / "tense.limber", "--to", "vtu", "-o", folder / "tense_again")
    tense = sorted((folder / "tense_vtu").glob("*.vtu"))[-1]
    check(
        all(
            word in tense.read_bytes()
            for word in (
                b'Name="stress" NumberOfComponents="6"',
                b'Name="von_mises"',
                b'Name="principal" NumberOfComponents="3"',
            )
        ),
        "stress of each cell in VTU files",
    )
    check((folder / "tense_again" / tense.name).read_bytes() == tense.read_bytes(), "stress by run and by export alike")
    run("export", recording, "--to", "vtu", "-o", folder / "bar_vtu")
    for place in ("bar_vtu", "run_vtu"):  # `limber run --vtu` writes as export does
        name = sorted((folder / place).glob("*.vtu"))[-1]
        run("mesh", "convert", name, folder / "vtu.mesh")
        lines = (folder / "vtu.mesh").read_text().splitlines()
        first = lines.index("Vertices") + 2
        check(
            off([list(map(float, line.split()[:3])) for line in lines[first : first + 12]], BAR_POINTS) < 1e-12,
            f"{place}: vtu too",
        )
        check(b"lengths in mm, z up" in name.read_bytes(), f"{place}: and its comment says so")
    check((folder / "bar_vtu" / name.name).read_bytes() == name.read_bytes(), "the same file from both")
    for input_ in (recording, folder / "bar.json"):
        run("export", input_, "--to", "inp", "-o", folder / "bar.inp")
        words = (folder / "bar.inp").read_text()
        nodes = words[words.index("*NODE\n") + 6 : words.index("*ELEMENT")].splitlines()
        check(
            off([list(map(float, line.split(",")[1:])) for line in nodes], BAR_POINTS) < 1e-12
            and "*ELASTIC\n0.2," in words,
            "inp too, with moduli in MPa",
        )
    csv_words = run("export", recording, "--to", "csv", "-o", folder / "bar.csv").stdout
    rows = list(csv.reader(line for line in (folder / "bar.csv").read_text().splitlines() if not line.startswith("#")))
    up = [float(row[rows[0].index("foot Fz [N]")]) for row in rows[1:]]
    check(
        "z up" in csv_words
        and max(up) > 0.1
        and max(abs(float(row[rows[0].index("foot Fy [N]")])) for row in rows[1:]) < 0.5 * max(up),
        f"the table has the weight in z, in newtons: {up}",
    )
    # Asked otherwise.
    run("export", recording, "--to", "obj", "--time", 0, "--unit", "m", "--up", "y", "-o", folder / "m.obj")
    check(
        off(surface_points(folder / "m.obj"), [[x / 1000, z / 1000, -y / 1000] for x, y, z in BAR_POINTS]) < 1e-15,
        "--unit m --up y is what limber has",
    )
    fails("export", folder / "bar.json", "--to", "matrices", "-o", folder / "k", "--unit", "mm", words=["--unit", "SI"])


def test_refusals(folder, recording):
    before = sorted(folder.iterdir())
    out = folder / "no"
    fails("export", recording, "--to", "abc", "-o", out, words=["abc"])
    fails("export", recording, "--to", "npz", words=["--out"])
    fails("export", recording, "--to", "npz", "-o", recording, words=["overwritten"])
    fails("export", recording, "--to", "npz", "-o", out, "--set", "step=1", words=["--set"])
    fails("export", recording, "--to", "npz", "-o", out, "--rate", "24", words=["frame rate"])
    fails("export", recording, "--to", "csv", "-o", out, "--unit", "mm", words=["--unit"])
    fails("export", recording, "--to", "npz", "-o", out, "--unit", "parsec", words=["parsec"])
    fails("export", folder / "missing.limber", "--to", "npz", "-o", out, words=["missing.limber"])
    fails("export", BLOCK, "--to", "npz", "-o", out, words=["no recording"])
    fails("export", recording, "--to", "npz", "-o", folder / "nowhere" / "a.npz", words=["nowhere"])
    check(sorted(folder.iterdir()) == before, "what is refused leaves nothing behind")


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    rec = place / "run.limber"
    done_run = run("run", BLOCK, "-o", rec, "--duration", "0.5", "-q")
    check(done_run.returncode == 0, f"the scene runs: {done_run.stderr}")
    found = test_npz(place, rec)
    test_caches(place, rec, found)
    test_others(place, rec)
    test_refusals(place, rec)
    test_own_frame(place)
print("failed" if failures else "passed")
sys.exit(1 if failures else 0)
