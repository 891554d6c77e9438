#!/usr/bin/env python3
"""limber rig flesh as its users meet it: flesh_test.py LIMBER SCENES. Standard library only."""
import json
import pathlib
import sys
import tempfile

from driver import as_json, check, failures, fails, humanoid_in, run


def test_parts(folder):
    rig, out = humanoid_in(folder), folder / "parts"
    told = as_json(
        "rig",
        "flesh",
        rig,
        "--flesh",
        "thigh_l=bone:thigh_l",
        "--flesh",
        "belly=ball:0,1.05,0.12,0.16",
        "--cells",
        2500,
        "-o",
        out,
    )
    check(
        sorted(p.name for p in out.iterdir())
        == [".folder.files", "belly.json", "belly.vtu", "flesh.json", "thigh_l.json", "thigh_l.vtu"],
        f"files per part and an index: {list(out.iterdir())}",
    )
    thigh, belly = told["parts"]
    check(
        abs(thigh["cells"] - 2500) < 500 and 0.004 < thigh["volume"] < 0.02, f"a thigh of the size asked for: {thigh}"
    )
    check(
        thigh["free"] + thigh["held"] == thigh["vertices"] and thigh["on_bones"] > 20,
        f"every vertex is free or held: {thigh}",
    )
    check(thigh["reference"] == "thigh_l" and thigh["bones"][0]["radius"] > 0, f"its bone is named: {thigh['bones']}")
    check(belly["on_seam"] > 100 and belly["on_bones"] < 30, f"the belly hangs on its seam: {belly}")
    check(
        "provenance" in told and "limber" in (out / "thigh_l.vtu").read_bytes()[:200].decode("latin1"),
        "the files say where they come from",
    )
    for scene in ("thigh_l", "belly"):
        done = run("run", out / f"{scene}.json", "-o", folder / f"run_{scene}", "--quiet")
        check(done.returncode == 0, f"the scene {scene} runs: {done.stderr}")
    words = run("rig", "flesh", rig, "--flesh", "calf=bone:shin_l", "--cells", 800, "-o", out)
    check(
        words.returncode == 0 and "calf" in words.stdout and "limber run" in words.stdout,
        f"words for people: {words.stdout} {words.stderr}",
    )
    check(
        sorted(p.name for p in out.iterdir()) == [".folder.files", "calf.json", "calf.vtu", "flesh.json"],
        "an earlier output is replaced as a whole",
    )
    (out / "mine.txt").write_text("x")
    fails("rig", "flesh", rig, "--flesh", "calf=bone:shin_l", "--cells", 800, "-o", out, words=["mine.txt"])
    check((out / "calf.vtu").exists(), "what was there is kept")


def test_refusals(folder):
    rig, out = humanoid_in(folder), folder / "none"

    def refuses(*arguments, words):
        fails("rig", "flesh", *arguments, "-o", out, words=words)
        check(not out.exists() and not list(folder.glob("none*")), f"nothing is left behind by {arguments}")

    refuses(rig, "--flesh", "a=bone:knee", words=["no bone matches"])
    refuses(rig, "--flesh", "a=ball:0,1,0.12,0.001", words=["no vertex lies within"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--cells", 1000000000, words=["--cells"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--cell-size", "1e-7", words=["larger or fewer cells"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--material", "fatt", words=["did you mean 'fat'"])
    refuses(rig, "--flesh", "a=bone:thigh_l", "--flesh", "a=bone:shin_l", words=["two parts are named 'a'"])
    refuses(rig, "--flesh", "a=bone:*", "--bone-radius", 0, "--cell-size", 0.06, words=["nothing holds it"])
    refuses(rig, words=["--flesh"])
    fails("rig", "flesh", rig, "--flesh", "a=bone:thigh_l", "-o", folder, words=["holds the rig itself"])
    bvh = folder / "walk.bvh"
    bvh.write_text(
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n"
        " End Site\n {\n  OFFSET 0 1.7 0\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n"
    )
    refuses(bvh, "--flesh", "a=bone:Hips", words=["no skin"])


def test_preview(folder):
    rig, png = humanoid_in(folder), folder / "flesh.png"
    done = run(
        "rig", "flesh", rig, "--flesh", "calf=bone:shin_l", "--cells", 800, "--preview", png, "-o", folder / "seen"
    )
    drawn = done.returncode == 0 and png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    check(drawn or "EGL" in done.stderr, f"a picture, or why not: {done.stderr}")
    fails(
        "rig",
        "flesh",
        rig,
        "--flesh",
        "calf=bone:shin_l",
        "--preview",
        folder / "flesh.jpg",
        "-o",
        folder / "unseen",
        words=[".png"],
    )
    fails(
        "dyrt",
        rig,
        "--flesh",
        "calf=bone:shin_l",
        "--cells",
        800,
        "--bone-radius",
        1,
        "-o",
        folder / "calf.glb",
        words=["'calf'", "bones take all of it", "--bone-share"],
    )
    fails(
        "dyrt",
        rig,
        "--flesh",
        "calf=bone:shin_l",
        "--cells",
        30,
        "-o",
        folder / "calf.glb",
        words=["'calf'", "--cells "],
    )


with tempfile.TemporaryDirectory() as name:
    for test in (test_parts, test_refusals, test_preview):
        test(pathlib.Path(name))
print("ok" if not failures else f"{len(failures)} failures")
sys.exit(1 if failures else 0)
