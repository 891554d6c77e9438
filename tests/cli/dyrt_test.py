#!/usr/bin/env python3
"""limber dyrt as its users meet it: dyrt_test.py LIMBER SCENES. Standard library only."""
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

from driver import LIMBER, as_json, check, failures, fails, humanoid_in, run, wait_until


def gltf(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


def test_one_command(folder):
    rig, out = humanoid_in(folder), folder / "character_dyrt.glb"
    told = as_json(
        "dyrt",
        rig,
        "--flesh",
        "belly=paint:_BELLY,thigh_l=bone:thigh_l",
        "--flesh",
        "calf=capsule:0.11,0.45,0,0.11,0.2,-0.02,0.12",
        "--material",
        "fat",
        "--modes",
        5,
        "--cells",
        2400,
        "--clips",
        "walk",
        "-o",
        out,
    )
    check(
        [p["name"] for p in told["parts"]] == ["belly", "thigh_l", "calf"],
        f"three regions, commas in a capsule are its own: {told['parts']}",
    )
    for part in told["parts"]:
        modes = [o for o in part["oscillators"] if o["mode"]]
        check(
            len(modes) == 5 and all(o["residual"] < 1e-8 for o in modes) and part["orthonormality"] < 1e-8,
            f"modes are modes: {part['name']}",
        )
        check(part["clips"]["walk"]["looped"] and part["clips"]["walk"]["seam"] < 1e-6, "the walk repeats")
        check(
            "linear_fem" in part["error"]["reference"] and part["error"]["relative_l2"] < part["error"]["by_modes"][-1],
            f"the error has a name, and static answers help: {part['error']}",
        )
    doc = gltf(out)
    meshes = {m["name"]: m for m in doc["meshes"]}
    flesh = [m for m in meshes if m.startswith("flesh_")]
    check({"flesh_belly", "flesh_thigh_l", "flesh_calf"} <= set(flesh), f"one mesh per part: {list(meshes)}")
    for name in flesh:
        names = meshes[name]["extras"]["targetNames"]
        check(
            len(names) == len(meshes[name]["primitives"][0]["targets"]) <= 8 and all(":" in n for n in names),
            f"named targets, eight at most: {names}",
        )
    weights = [c for a in doc["animations"] for c in a["channels"] if c["target"]["path"] == "weights"]
    check(
        len(weights) == len(flesh),
        f"each mesh is animated in the clip that was asked for: {len(weights)} of {len(flesh)}",
    )
    check(
        any("left out" in n for n in told["notes"]) and all(p["left_out"] < 0.2 for p in told["parts"]),
        f"what was dropped is told: {told['notes']}",
    )
    data = (folder / "character_dyrt.dyrt").read_bytes()
    check(
        data[:8] == b"limbdyrt" and struct.unpack_from("<III", data, 8) == (1, len(data), 3), "the .dyrt lies beside it"
    )
    page = folder / "character_dyrt"
    html = (page / "index.html").read_text()
    files = json.loads((page / "dyrt.json").read_text())["files"]
    check(sorted(p.name for p in page.iterdir()) == files, f"the page's index names its files: {files}")
    check(
        "http://" not in html.replace("http://www.w3.org", "") and "Transfer matrix" in html and "linear_fem" in html,
        "a page that stands alone",
    )
    check("modes_belly.png" in files or "Pictures are missing" in html, "modes in colour, or why not")
    again = run(
        "dyrt",
        rig,
        "--flesh",
        "thigh_l=bone:thigh_l",
        "--cells",
        1200,
        "--modes",
        2,
        "--no-error",
        "--no-page",
        "--for",
        "blender",
        "--whole",
        "--frequency",
        3.5,
        "--settle",
        0.6,
        "--amount",
        1.5,
        "--clips",
        "0",
        "-o",
        out,
    )
    check(
        again.returncode == 0
        and "3.5 Hz: E = " in again.stdout
        and "alpha = " in again.stdout
        and "beta = " in again.stdout,
        f"an artist's words in moduli: {again.stdout} {again.stderr}",
    )
    names = [n for m in gltf(out)["meshes"] if "extras" in m for n in m["extras"]["targetNames"]]
    check(names[:2] == ["thigh_l:0+", "thigh_l:0-"], f"two sides for Blender: {names}")
    (page / "mine.txt").write_text("x")
    fails("dyrt", rig, "--flesh", "thigh_l=bone:thigh_l", "--cells", 1200, "--no-error", "-o", out, words=["mine.txt"])


def test_defaults_that_cannot_swell(folder):
    rig = humanoid_in(folder)
    done = run(
        "dyrt",
        rig,
        "--flesh",
        "head=bone:head",
        "--cells",
        1500,
        "--no-error",
        "--no-page",
        "--json",
        "-o",
        folder / "head.glb",
    )
    report = json.loads(done.stdout)
    check(
        done.returncode == 0 and "swollen" not in done.stderr and "no bone runs" not in done.stderr,
        f"a head has a bone, and nothing swells: {done.stderr}",
    )
    check(
        any(
            "head: " in line and "would move by" in line and "chosen instead: E = " in line for line in report["chosen"]
        ),
        f"what was chosen is said: {report['chosen']}",
    )
    check(report["parts"][0]["young"] > 10000, "the head was made stiffer")
    soft = run(
        "dyrt",
        rig,
        "--flesh",
        "head=bone:head",
        "--cells",
        1500,
        "--no-error",
        "--no-page",
        "--frequency",
        0.4,
        "--json",
        "-o",
        folder / "soft.glb",
    )
    report = json.loads(soft.stdout)
    check(
        report["chosen"] == [] and report["parts"][0]["amount"] < 0.9, "whoever names a frequency gets it, and a limit"
    )
    check(
        "all forces are taken times" in soft.stderr and "'jump'" in soft.stderr, f"and the limit is said: {soft.stderr}"
    )
    words = run(
        "dyrt", rig, "--flesh", "head=bone:head", "--cells", 1500, "--no-error", "--no-page", "-o", folder / "head.glb"
    ).stdout
    check("repeats" in words and "jump" in words and "walk" in words, f"motion is listed per clip: {words}")


def test_refusals(folder):
    rig, out = humanoid_in(folder), folder / "none.glb"

    def refuses(*arguments, words):
        fails("dyrt", *arguments, words=words)
        check(not list(folder.glob("none*")), f"nothing is left behind by {arguments}")

    refuses(rig, "--flesh", "a=bone:knee", "-o", out, words=["no bone matches"])
    refuses(rig, "--flesh", "a=bone:thigh_l,a=bone:shin_l", "-o", out, words=["two parts are named 'a'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--material", "fatt", "-o", out, words=["did you mean 'fat'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--for", "blendr", "-o", out, words=["did you mean 'blender'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--clips", "wolk", "-o", out, words=["did you mean 'walk'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--normals", "0,x", "-o", out, words=["--normals"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--poisson", "0.5", "-o", out, words=["poisson"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "-o", folder / "none.gltf", words=[".glb"])
    refuses(
        rig,
        "--flesh",
        "a=bone:thigh_l",
        "--frequency",
        0,
        "-o",
        out,
        words=["--frequency: '0'; expected a number above 0 ("],
    )
    refuses(
        rig,
        "--flesh",
        "a=bone:thigh_l",
        "--settle",
        -1,
        "-o",
        out,
        words=["--settle: '-1'; expected a number above 0 ("],
    )
    refuses(rig, "--flsh", "a=bone:thigh_l", "-o", out, words=["unknown option '--flsh'", "did you mean '--flesh'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--frequency", 3, "--young", 1000, "-o", out, words=["--frequency"])
    fails("dyrt", rig, "--flesh", "a=bone:thigh_l", "-o", rig, words=["overwritten"])


def test_interruption(folder):
    rig, out = humanoid_in(folder), folder / "stopped.glb"
    job = subprocess.Popen(
        [LIMBER, "dyrt", str(rig), "--flesh", "a=bone:thigh_l", "--cells", "60000", "-o", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    check(wait_until(job, lambda: list(folder.glob("stopped*"))), "it begins to write")
    job.send_signal(signal.SIGINT)
    _, told = job.communicate(timeout=60)
    check(job.returncode != 0 and "interrupted" in told, f"Ctrl-C ends it: {job.returncode} {told}")
    check(not list(folder.glob("stopped*")) and not list(folder.glob(".stopped*")), "and leaves nothing")


with tempfile.TemporaryDirectory() as name:
    for test in (test_one_command, test_defaults_that_cannot_swell, test_refusals, test_interruption):
        test(pathlib.Path(name))
print("ok" if not failures else f"{len(failures)} failures")
sys.exit(1 if failures else 0)
