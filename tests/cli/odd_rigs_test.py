#!/usr/bin/env python3
"""Every region that rig info offers becomes flesh, stays a natural share of its size, and closes where its clip does:
odd_rigs_test.py LIMBER SCENES [all [NAME...]]. A seeded sample with few cells; `all`: every region of every rig with default
options. Standard library only."""
import json
import pathlib
import random
import sys
import tempfile

import odd_rigs
from driver import as_json, check, failures, run
from glb_motion import flesh_motion

ALL = len(sys.argv) > 3 and sys.argv[3] == "all"
UNITS = {"centimetres": "cm", "huge": "mm", "tiny": "1000"}  # as rig info's own hint would have it
SAMPLE = ["one_bone", "bone_outside", "odd_names", "mirrored"]  # seconds; `all` has the rest
SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "assets"


def try_region(rig, unit, line, folder, more):
    out = folder / "out.glb"
    done = run("dyrt", rig, "--flesh", line, "-o", out, "--no-error", "--no-page", "--json", *unit, *more)
    name = f"{rig.stem}: {line}"
    check(done.returncode == 0, f"{name} becomes flesh: {done.stderr}")
    if done.returncode != 0:
        return
    warnings = [w for w in done.stderr.splitlines() if "warning" in w]
    check(not warnings, f"{name} needs no warning: {warnings}")
    looped = {clip: how["looped"] for clip, how in json.loads(done.stdout)["parts"][0]["clips"].items()}
    for m in flesh_motion(out):
        check(m["finite"] and m["most"] <= 1 / 3, f"{name} moves naturally in {m['clip']}: {m['most']:.3f} of its size")
        check(
            m["change"] <= 1,
            f"{name} does not fold in {m['clip']}: edges of its skin change by {m['change']:.2f} of their length",
        )
        if looped.get(m["clip"], False):
            check(m["frames"] > 1 and m["seam"] <= 1e-4, f"{name} closes with {m['clip']}: {m['seam']:.2g} of its size")


def rigs_in(folder):
    """Path, --unit, and the lines that rig info offers; of a sample one each, since most rigs have the same skin."""
    chance = random.Random(19)
    sample = SAMPLE if not ALL else sys.argv[4:] or list(odd_rigs.ODD)
    for name in [n for n in odd_rigs.ODD if n in sample]:
        make = odd_rigs.ODD[name]
        rig = make().write(folder / f"{name}.glb")
        unit = ["--unit", UNITS[name]] if name in UNITS else []
        told = as_json("rig", "info", rig, *unit)
        lines = told["region_lines"]
        check(lines, f"{name} is offered something: {told['no_flesh']}")
        yield rig, unit, lines if ALL else chance.sample(lines, 1)
    for name, unit in (("fox", ["--unit", "cm"]), ("cesium_man", []), ("RiggedSimple", ["--unit", "m"])):
        if ALL and (SHARED / f"{name}.glb").exists() and (len(sys.argv) <= 4 or name in sys.argv[4:]):
            yield SHARED / f"{name}.glb", unit, as_json("rig", "info", SHARED / f"{name}.glb", *unit)["region_lines"]
    if ALL and (len(sys.argv) <= 4 or "humanoid" in sys.argv[4:]):
        run("mesh", "asset", "humanoid", "-o", folder / "humanoid.glb")
        yield folder / "humanoid.glb", [], as_json("rig", "info", folder / "humanoid.glb")["region_lines"]


with tempfile.TemporaryDirectory() as place:
    for path, its_unit, offered in rigs_in(pathlib.Path(place)):
        for one in offered:
            try_region(path, its_unit, one, pathlib.Path(place), [] if ALL else ["--cells", 4500, "--modes", 3])
print("ok" if not failures else f"{len(failures)} failures")
sys.exit(1 if failures else 0)
