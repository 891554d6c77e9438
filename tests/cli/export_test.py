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
            header = ast.literal_eval(data[10:10 + length].decode("latin1"))
            body, kind = data[10 + length:], header["descr"]
            if kind.startswith("<U"):
                values = body.decode("utf-32-le")
            else:
                values = [v[0] for v in struct.iter_unpack({"<f8": "<d", "<i4": "<i"}[kind], body)]
            check(not header["fortran_order"] and data[:8] == b"\x93NUMPY\x01\x00", f"{name} is a plain array")
            out[name.removesuffix(".npy")] = (kind, header["shape"], values)
    return out


def test_npz(folder, recording):
    report = as_json("export", recording, "--to", "npz", "-o", folder / "a.npz")
    check(report["frames"] == 16 and report["format"] == "npz" and report["scene_hash"].startswith("0x"), f"the report tells what was written: {report}")
    arrays = arrays_of(folder / "a.npz")
    n, vertices = report["frames"], report["vertices"]
    for name in ["positions", "displacements", "velocities"]:
        check(arrays[name][1] == (n, vertices, 3) and arrays[name][0] == "<f8", f"{name} has a vector per frame and vertex")
    check(arrays["times"][1] == (n,) and arrays["energies"][1] == (n, 2) and arrays["step_ms"][1] == (n,), "one time, two energies and a cost per frame")
    check(arrays["reactions"][1][0] == n and arrays["reactions"][1][2] == 6, "a force and a torque per support")
    rest, u, x = arrays["rest"][2], arrays["displacements"][2], arrays["positions"][2]
    check(all(abs(x[i] - (rest[i % len(rest)] + u[i])) < 1e-15 for i in range(len(x))), "positions are rest plus displacement")
    check(max(map(abs, u)) > 0, "something moves")
    facts = json.loads(arrays["provenance"][2])
    check(facts["scene_hash"] == report["scene_hash"] and facts["written_by"]["version"] and facts["recorded_by"]["cpu"], f"provenance is there: {facts}")
    run("export", recording, "--to", "npz", "-o", folder / "mm.npz", "--unit", "mm", "--up", "z")
    turned = arrays_of(folder / "mm.npz")["displacements"][2]
    check(all(abs(turned[3 * i + 2] - 1000 * u[3 * i + 1]) < 1e-9 and turned[3 * i + 1] == -1000 * u[3 * i + 2] for i in range(len(u) // 3)), "mm and z up put y into z")
    run("export", recording, "--to", "npz", "-o", folder / "b.npz")
    check((folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes(), "the same recording gives the same bytes")
    return arrays


def test_caches(folder, recording, arrays):
    report = as_json("export", recording, "--to", "pc2", "-o", folder / "a.pc2")
    data = (folder / "a.pc2").read_bytes()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    check((magic, version, points, start, rate, samples) == (b"POINTCACHE2\0", 1, report["vertices"], 0.0, 1.0, 16), "PC2's header is as Blender reads it")
    check(abs(report["frame_rate"] - 30) < 1e-9 and any("30 frames per second" in r for r in report["remarks"]), f"the rate is told: {report}")
    values = struct.unpack(f"<{points * samples * 3}f", data[32:])
    check(max(abs(a - b) for a, b in zip(values, arrays["positions"][2])) < 1e-6, "PC2 holds the positions")
    as_json("export", recording, "--to", "mdd", "-o", folder / "a.mdd")
    data = (folder / "a.mdd").read_bytes()
    frames, points = struct.unpack(">ii", data[:8])
    times = struct.unpack(f">{frames}f", data[8:8 + 4 * frames])
    check(frames == 16 and all(abs(a - b) < 1e-7 for a, b in zip(times, arrays["times"][2])), "MDD holds the times")
    check(struct.unpack(f">{points * frames * 3}f", data[8 + 4 * frames:]) == values, "MDD holds the same positions, big-endian")
    check(as_json("export", recording, "--to", "mdd", "-o", folder / "b.mdd", "--rate", "24")["frames"] == 13, "half a second at 24 frames per second, blended")


def test_others(folder, recording):
    report = as_json("export", recording, "--to", "vtu", "-o", folder / "series")
    check(report["written"].endswith("series.pvd") and len(list((folder / "series").glob("*.vtu"))) == 16, "one VTU per frame and a list")
    done = run("export", recording, "--to", "csv", "-o", folder / "a.csv")
    lines = (folder / "a.csv").read_text().splitlines()
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    check(done.returncode == 0 and len(rows) == 17 and len({len(row) for row in rows}) == 1, "one row per frame, all of one length")
    check(rows[0][0] == "t [s]" and any("Fx [N]" in cell for cell in rows[0]), f"columns have names and units: {rows[0]}")
    check(any("scene 0x" in line for line in lines if line.startswith("#")), "the table tells its scene")


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
print("failed" if failures else "passed")
sys.exit(1 if failures else 0)
