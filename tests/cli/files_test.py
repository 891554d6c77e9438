#!/usr/bin/env python3
"""Nothing lost, nothing half-written: files_test.py LIMBER SCENES.

Used folders, inputs named as outputs, strangers' files, full disks, no ffmpeg."""
import json
import os
import pathlib
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from driver import LIMBER, as_json, check, failures, fails, run, wait_until
from whole_files import leftovers, wrong_with

SCENE = {
    "format": 1,
    "name": "block",
    "bodies": [
        {
            "mesh": {"shape": "box", "kind": "tet4", "counts": [4, 2, 2], "high": [1, 0.3, 0.3]},
            "materials": [{"young": 3e5, "poisson": 0.3, "density": 1000}],
            "anchors": [{"set": "left"}],
        }
    ],
    "gravity": [0, -9.81, 0],
    "method": {"name": "linear_fem"},
    "step": 0.01,
    "duration": 0.1,
    "output": {"probes": [{"name": "p", "vertex": 1}]},
}


def write_scene(path, **changes):
    path.write_text(json.dumps({**SCENE, **changes}))
    return path


def vtu_names(folder):
    return sorted(p.name for p in folder.glob("*.vtu"))


def test_used_vtu_folder(folder):
    """A killed second run leaves the first whole; a shorter one leaves nothing of the longer."""
    scene = write_scene(folder / "s.json", duration=0.5)
    check(run("run", scene, "-o", "a.limber", "--vtu", "v", "-q", folder=folder).returncode == 0, "a series is written")
    before = {p.name: p.read_bytes() for p in (folder / "v").iterdir()}
    process = subprocess.Popen(
        [LIMBER, "run", scene, "--set", "gravity.1=9.81", "--set", "duration=20", "-o", "b.limber", "--vtu", "v", "-q"],
        cwd=folder,
    )
    deadline = time.monotonic() + 30
    while (
        process.poll() is None
        and time.monotonic() < deadline
        and len(list((folder / "v").glob(".series.pvd.*.tmp/frame_*.vtu"))) < 5
    ):
        time.sleep(0.01)
    process.kill()
    process.wait()
    check(
        {p.name: p.read_bytes() for p in (folder / "v").iterdir() if not p.name.endswith(".tmp")} == before,
        "a killed run leaves the earlier series as it was",
    )
    check(not (folder / "b.limber").exists(), "and no recording under its final name")
    check(
        run("run", scene, "--duration", 0.2, "-o", "b.limber", "--vtu", "v", "-q", folder=folder).returncode == 0,
        "a shorter run works",
    )
    check(
        vtu_names(folder / "v") == [f"frame_{i:06}.vtu" for i in range(21)],
        f"stale frames are gone: {vtu_names(folder / 'v')}",
    )
    check(leftovers(folder) == ([], []), f"and temporaries too: {leftovers(folder)}")
    for out, stem in (("e", "frame"), ("deep/name.pvd", "name")):
        check(run("export", "a.limber", "--to", "vtu", "-o", out, folder=folder).returncode == 0, f"export to {out}")
        check(
            run("export", "b.limber", "--to", "vtu", "-o", out, folder=folder).returncode == 0,
            f"a shorter export to {out}",
        )
        place = folder / out if stem == "frame" else (folder / out).parent
        check(
            vtu_names(place) == [f"{stem}_{i:06}.vtu" for i in range(21)], f"stale frames are gone: {vtu_names(place)}"
        )
    (folder / "mine").mkdir()
    (folder / "mine" / "frame_000007.vtu").write_text("a stranger's")
    for arguments in (
        ["run", scene, "-o", "c.limber", "--vtu", "mine"],
        ["export", "a.limber", "--to", "vtu", "-o", "mine"],
        ["modes", scene, "--vtu", "mine"],
    ):
        fails(*arguments, words=["mine", "frame_000007.vtu"], folder=folder)
    check(not (folder / "c.limber").exists(), "refused before the work")
    check(
        run("modes", scene, "--count", 5, "--vtu", "m", folder=folder).returncode == 0
        and run("modes", scene, "--count", 2, "--vtu", "m", folder=folder).returncode == 0,
        "modes are written",
    )
    check(vtu_names(folder / "m") == ["mode_001.vtu", "mode_002.vtu"], "fewer modes leave nothing of the others")


def test_inputs_stay(folder):
    """By their own name, another path, a symbolic and a hard link; files that are named only inside other files."""
    run("mesh", "generate", "box", "--kind", "tet4", "--cells", 2, "-o", "mesh.vtu", folder=folder)
    scene = write_scene(folder / "s.json", bodies=[{**SCENE["bodies"][0], "mesh": {"path": "mesh.vtu"}}])
    (folder / "soft.limber").symlink_to("mesh.vtu")
    os.link(folder / "mesh.vtu", folder / "hard.csv")
    (folder / "sub").mkdir()
    os.link(folder / "mesh.vtu", folder / "sub" / "frame_000000.vtu")
    check(run("mesh", "asset", "duck", "--triangles", 500, "-o", "duck.obj", folder=folder).returncode == 0, "a duck")
    shown = write_scene(
        folder / "shown.json", bodies=[{**SCENE["bodies"][0], "mesh": {"path": "duck.obj", "cells": 500}}]
    )
    check(
        run("check", shown, folder=folder).returncode == 0,
        f"the shown scene is fine: {run('check', shown, folder=folder).stderr}",
    )
    check(run("run", "s.json", "-o", "r.limber", "--vtu", "v", "-q", folder=folder).returncode == 0, "a run")
    check(
        run("mesh", "asset", "humanoid", "--triangles", 2500, "-o", "h.glb", folder=folder).returncode == 0,
        "a humanoid",
    )
    kept = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    cases = [
        ["run", "s.json", "-o", "mesh.vtu"],
        ["run", "s.json", "-o", "./sub/../mesh.vtu"],
        ["run", "s.json", "-o", "soft.limber"],
        ["run", "s.json", "-o", "x.limber", "--csv", "hard.csv"],
        ["run", "s.json", "-o", "x.limber", "--csv", "s.json"],
        ["run", "s.json", "-o", "x.limber", "--vtu", "sub"],
        ["run", "shown.json", "-o", "x.limber", "--csv", "duck.mtl"],
        ["run", "shown.json", "-o", "duck.obj"],
        ["modes", "s.json", "-o", "mesh.vtu"],
        ["mesh", "convert", "mesh.vtu", "mesh.vtu"],
        ["mesh", "convert", "mesh.vtu", "sub/frame_000000.vtu"],
        ["metrics", "r.limber", "v/series.pvd", "--csv", "v/frame_000000.vtu"],
        ["export", "r.limber", "--to", "npz", "-o", "r.limber"],
        ["export", "s.json", "--to", "inp", "-o", "mesh.vtu"],
        [
            "compare",
            "s.json",
            "--candidate",
            "v/series.pvd",
            "--reference",
            "linear_fem:scheme=implicit_midpoint",
            "--csv",
            "v/frame_000001.vtu",
            "-o",
            "card",
        ],
        ["render", "shown.json", "-o", "duck.obj"],
        ["mesh", "doctor", "duck.obj", "--fix", "-o", "duck.obj"],
        ["rig", "pose", "h.glb", "-o", "h.glb"],
        ["dyrt", "h.glb", "--flesh", "thigh=bone:thigh_l", "-o", "h.glb"],
        ["reproduce", "jelly", "--quick", "-o", "s.json"],
    ]
    for arguments in cases:
        fails(*arguments, folder=folder)
    check(
        {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == kept,
        "no input was touched, and nothing was written",
    )


def test_strangers(folder):
    """A page takes nobody's index.html and no other verb's."""
    scene = write_scene(folder / "s.json")
    for name in ("index.html", "my.svg", "data.csv"):
        place = folder / ("with " + name)
        place.mkdir()
        (place / name).write_text("a stranger's")
        for arguments in (
            ["compare", scene, "--vary", "scheme=bdf2"],
            ["sweep", scene, "--set", "material.young=1e5,2e5"],
            ["sensitivity", scene],
            ["gallery", folder],
            ["reproduce", "accuracy"],
            ["reproduce", "strain"],
            ["reproduce", "dyrt"],
            ["reproduce", "clustered"],
            ["reproduce", "jelly"],
        ):
            fails(*arguments, "-o", place, words=[name], folder=folder)
        check(
            [p.name for p in place.iterdir()] == [name] and (place / name).read_text() == "a stranger's",
            f"{name} stays, alone",
        )
    out = folder / "out"
    (out / "gallery").mkdir(parents=True)
    (out / "gallery" / "index.html").write_text("another page")
    for _ in range(2):
        done = run("sensitivity", scene, "--parameter", "material.young", "-o", out, "-q", folder=folder)
        check(done.returncode == 0, f"a page beside a folder, twice: {done.stderr}")
    fails("sweep", scene, "--set", "material.young=1e5,2e5", "-o", out, words=["limber sensitivity"])
    fails("reproduce", "jelly", "--quick", "-o", out, words=["limber sensitivity"])
    check((out / "gallery" / "index.html").exists() and wrong_with(out / "index.html") is None, "both pages are there")
    check(
        run("mesh", "asset", "duck", "--triangles", 500, "-o", "duck.obj", folder=folder).returncode == 0
        and run("mesh", "asset", "duck", "--triangles", 500, "-o", "duck.obj", folder=folder).returncode == 0,
        "its own library is replaced",
    )
    (folder / "mine.mtl").write_text("newmtl mine\n")
    fails("mesh", "asset", "duck", "--triangles", 500, "-o", "mine.obj", words=["mine.mtl"], folder=folder)
    (folder / "frames").mkdir()
    (folder / "frames" / "frame_000000.png").write_text("a stranger's")
    fails("render", scene, "-o", str(folder / "frames") + "/", words=["frame_000000.png"], folder=folder)


def test_compare_interrupted_while_drawing(folder):
    """Exit 1, "interrupted": true, a page whose files are all there."""
    tools = folder / "tools"
    tools.mkdir()
    slow = tools / "ffmpeg"
    slow.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(folder / 'drawing'))}\nsleep 1\ncat > /dev/null\n")
    slow.chmod(0o755)
    scene = write_scene(folder / "s.json")
    words = [
        LIMBER,
        "compare",
        scene,
        "--vary",
        "scheme=newmark_implicit,bdf2",
        "--reference",
        "linear_fem:scheme=implicit_midpoint",
        "-o",
        folder / "card",
        "--json",
        "-q",
    ]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    wait_until(process, (folder / "drawing").exists)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    if "OpenGL" in errors or "EGL" in errors:
        print("nothing can be drawn here: not tested")
        return
    told = json.loads(output)
    check(
        process.returncode == 1 and told["interrupted"] and "interrupted" in errors,
        f"exit {process.returncode}, interrupted {told['interrupted']}: {errors}",
    )
    check(json.loads((folder / "card" / "compare.json").read_text())["interrupted"], "its file says so, too")
    check(leftovers(folder / "card") == ([], []), f"what is there is whole: {leftovers(folder / 'card')}")


def catches_sigabrt(process):
    """METIS does while it works, nothing else here."""
    try:
        caught = next(
            line
            for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
            if line.startswith("SigCgt:")
        )
    except (OSError, StopIteration):
        return False
    return int(caught.split()[1], 16) >> (signal.SIGABRT - 1) & 1 == 1


def test_sigterm_while_metis_works(folder):
    """METIS has a handler of its own: the signal was lost, or the program crashed."""
    scene = write_scene(
        folder / "s.json",
        bodies=[{**SCENE["bodies"][0], "mesh": {"shape": "box", "kind": "tet4", "counts": [24, 24, 24]}}],
    )
    for words in (
        [LIMBER, "modes", scene, "--count", "3", "-q"],
        [LIMBER, "sensitivity", scene, "--parameter", "material.young", "-o", folder / "n", "-q"],
    ):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
        deadline = time.monotonic() + 60
        while process.poll() is None and not catches_sigabrt(process) and time.monotonic() < deadline:
            pass
        if process.poll() is not None:
            print("METIS was not met at work: not tested")
            continue
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=120)[1]
        check(
            process.returncode == 1 and "interrupted" in errors or process.returncode == -signal.SIGTERM,
            f"{words[1]}: SIGTERM while METIS works: exit {process.returncode}: {errors}",
        )
        check(leftovers(folder) == ([], []), f"{words[1]} leaves {leftovers(folder)}")


def limited(arguments, folder, most):
    """Files of at most so many bytes: to a writer this is a full disk."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [LIMBER, *map(str, arguments)], capture_output=True, text=True, cwd=folder, preexec_fn=limit, timeout=250
    )


def test_full_disk(folder):
    scene = write_scene(
        folder / "s.json", output={"probes": [{"name": f"p{i}", "vertex": i % 45} for i in range(1000)]}
    )
    check(run("run", scene, "-o", "good.limber", "-q", folder=folder).returncode == 0, "a recording")
    place = folder / "full"
    place.mkdir()
    done = limited(["run", scene, "-o", "r.limber", "--csv", "p.csv", "-q"], place, 200000)
    check(
        done.returncode == 2 and "p.csv" in done.stderr,
        f"a table that does not fit: exit {done.returncode}: {done.stderr}",
    )
    check(not (place / "p.csv").exists() and leftovers(place) == ([], []), f"nothing is cut: {leftovers(place)}")
    check(
        as_json("metrics", "r.limber", "r.limber", "--metric", "max_distance", folder=place)["metrics"][0]["t"],
        "the recording is kept up to there",
    )
    for arguments in (
        ["run", scene, "-o", "s.limber", "-q"],
        ["run", scene, "-o", "t.limber", "--vtu", "v", "-q"],
        ["export", "../good.limber", "--to", "vtu", "-o", "v"],
        ["export", "../good.limber", "--to", "npz", "-o", "a.npz"],
        ["export", "../good.limber", "--to", "glb", "-o", "a.glb"],
        ["export", "../good.limber", "--to", "csv", "-o", "a.csv"],
        ["export", scene, "--to", "matrices", "-o", "k"],
        ["mesh", "generate", "box", "-o", "b.vtu"],
        ["mesh", "asset", "duck", "-o", "d.obj"],
        ["sensitivity", scene, "--parameter", "material.young", "-o", "page", "-q"],
        ["render", scene, "-o", "x.png", "-q"],
        ["schema", "-o", "schema.json"],
    ):
        done = limited(arguments, place, 2000)
        check(
            done.returncode == 2 and len([line for line in done.stderr.splitlines() if "warning" not in line]) == 1,
            f"{arguments[0]} {arguments[-1]}: exit {done.returncode}: {done.stderr}",
        )
    check(leftovers(place) == ([], []), f"nothing is cut: {leftovers(place)}")


def test_a_table_of_nothing(folder):
    """A table without probes is refused before the work, by check too."""
    scene = write_scene(folder / "s.json", output={})
    fails("check", scene, "--set", "output.csv=true", words=["/output/probes", "at least one"], folder=folder)
    fails("run", scene, "--set", "output.csv=true", words=["/output/probes", "at least one"], folder=folder)
    fails("run", scene, "--csv", "p.csv", words=["/output/probes", "at least one"], folder=folder)
    check([p.name for p in folder.iterdir()] == ["s.json"], f"nothing is written: {[p.name for p in folder.iterdir()]}")


def test_full_disk_at_the_end(folder):
    """Only the end of the recording does not fit: nothing is there, and nothing is said to be."""
    scene = write_scene(folder / "s.json")
    check(run("run", scene, "-o", "r.limber", "-q", folder=folder).returncode == 0, "a recording")
    size = (folder / "r.limber").stat().st_size
    for missing in (1, 20):
        done = limited(["run", scene, "-o", "u.limber", "-q"], folder, size - missing)
        check(
            done.returncode == 2
            and len(done.stderr.splitlines()) == 1
            and "u.limber: cannot be written" in done.stderr,
            f"{missing} bytes too few: exit {done.returncode}: {done.stderr}",
        )
        check(
            not (folder / "u.limber").exists() and leftovers(folder) == ([], []),
            f"{missing} bytes too few for its end: nothing is there",
        )


def test_full_disk_at_the_start(folder):
    """Not even the list of its own files can be written: nothing is left, no folder under a temporary name either."""
    scene = write_scene(folder / "s.json")
    for arguments in (
        ["sweep", scene, "--set", "material.young=1e5,2e5"],
        ["sensitivity", scene, "--parameter", "material.young"],
        ["compare", scene, "--vary", "scheme=bdf2", "--csv", "out/c.csv"],
    ):
        done = limited([*arguments, "-o", "out", "-q"], folder, 10)
        check(
            done.returncode == 2 and "out" in done.stderr and ".tmp" not in done.stderr,
            f"{arguments[0]}: exit {done.returncode}: {done.stderr}",
        )
        check(
            not (folder / "out").exists() and leftovers(folder) == ([], []),
            f"{arguments[0]} leaves {[str(p) for p in folder.rglob('*')]}",
        )


def test_messages_name_the_users_files(folder):
    """Never those under temporary names."""
    scene = write_scene(folder / "s.json", duration=0.3)
    check(run("run", scene, "-o", "r.limber", "-q", folder=folder).returncode == 0, "a recording")
    for arguments, name in (
        (["export", "r.limber", "--to", "obj", "-o", "o"], "o/frame_000000.obj"),
        (["export", "r.limber", "--to", "vtu", "-o", "e"], "e/frame_000000.vtu"),
        (["modes", scene, "--vtu", "m", "-q"], "m/mode_001.vtu"),
        (["sensitivity", scene, "--parameter", "material.young", "-o", "page", "-q"], "page/"),
        (["export", scene, "--to", "matrices", "-o", "k"], "k/"),
    ):
        done = limited(arguments, folder, 1500)
        said = [line for line in done.stderr.splitlines() if "warning" not in line]
        check(
            done.returncode == 2 and len(said) == 1 and name in said[0] and ".tmp" not in said[0],
            f"{arguments[0]}: exit {done.returncode}: {said}",
        )


def test_empty_names(folder):
    """-o '' is a slip (an unset variable), not a wish for the default."""
    scene = write_scene(folder / "s.json")
    for arguments in (
        ["run", scene, "-o", ""],
        ["run", scene, "--out="],
        ["run", scene, "-o", "x.limber", "--csv", ""],
        ["run", scene, "-o", "x.limber", "--vtu", ""],
        ["compare", scene, "-o", ""],
        ["sweep", scene, "--set", "material.young=1e5,2e5", "-o", ""],
        ["sensitivity", scene, "-o", ""],
        ["modes", scene, "-o", ""],
        ["schema", "-o", ""],
        ["gallery", folder, "-o", ""],
        ["reproduce", "accuracy", "--json", ""],
        ["mesh", "asset", "duck", "-o", ""],
        ["run", ""],
        ["static", scene, "--picture", ""],
    ):
        fails(*arguments, folder=folder)
    fails("run", scene, "-o", "", words=["--out", "without a value"], folder=folder)
    check([p.name for p in folder.iterdir()] == ["s.json"], f"nothing is written: {[p.name for p in folder.iterdir()]}")


def test_inputs_without_an_end(folder):
    """Pipes, devices, sockets, folders and files of holes are refused at once."""
    os.mkfifo(folder / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "socket"))
    (folder / "folder").mkdir()
    with open(folder / "holes", "wb") as holes:
        holes.truncate(3_000_000_000)
    kinds = {
        "pipe": folder / "pipe",
        "device": "/dev/zero",
        "socket": folder / "socket",
        "folder": folder / "folder",
        "holes": folder / "holes",
    }
    for kind, target in kinds.items():
        for ending, verb in (
            (".json", ["check"]),
            (".limber", ["render", "-o", "x.png"]),
            (".obj", ["mesh", "info"]),
            (".msh", ["mesh", "info"]),
            (".ele", ["mesh", "info"]),
            (".glb", ["rig", "info"]),
            (".bvh", ["rig", "info"]),
            (".npz", ["metrics", "a.limber"]),
            (".pvd", ["metrics", "a.limber"]),
        ):
            name = folder / (kind + "_link" + ending)
            name.symlink_to(target)
            begin = time.monotonic()
            words = [kind] if "metrics" not in verb else []
            fails(verb[0], *verb[1:2], name, *verb[2:], words=words, folder=folder) if verb[0] != "render" else fails(
                "render", name, *verb[1:], words=words, folder=folder
            )
            check(time.monotonic() - begin < 10, f"{name.name} is refused at once")
    scene = write_scene(folder / "s.json")
    for name in ("points.jsonl", ".index.html.files"):
        place = folder / ("with" + name)
        place.mkdir()
        os.mkfifo(place / name)
        fails("sweep", scene, "--set", "material.young=1e5,2e5", "-o", place, words=[name], folder=folder)


def test_outputs_within_outputs(folder):
    """Found before the work."""
    scene = write_scene(folder / "s.json", duration=1e6)
    cases = (
        (["run", scene, "-o", "v", "--vtu", "v"], "v"),
        (["run", scene, "-o", "r", "--vtu", "r/v"], "r"),
        (["run", scene, "-o", "v/series.pvd", "--vtu", "v"], "series.pvd"),
        (["run", scene, "-o", "a.limber", "--csv", "v/frame_000003.vtu", "--vtu", "v"], "frame_000003.vtu"),
        (["run", scene, "-o", "a.limber", "--csv", "a.limber/p.csv"], "a.limber"),
        (["run", scene, "-o", "none/a.limber"], "none"),
        (["modes", scene, "-o", "m/x.vtu", "--vtu", "m"], "m/x.vtu"),
        (["modes", scene, "-o", "m", "--vtu", "m/"], "m"),
        (["compare", scene, "--vary", "scheme=bdf2", "-o", "c/d", "--csv", "c"], "c"),
        (["compare", scene, "--vary", "scheme=bdf2", "-o", "c", "--csv", "c/errors.svg"], "errors.svg"),
        (["compare", scene, "--vary", "scheme=bdf2", "-o", "c", "--csv", "c/none/x.csv"], "c/none"),
        (["reproduce", "accuracy", "-o", "a", "--json", "a/index.html"], "index.html"),
    )
    for arguments, word in cases:
        begin = time.monotonic()
        fails(*arguments, words=[word], folder=folder)
        check(time.monotonic() - begin < 20, f"{arguments} is refused at once")
    check([p.name for p in folder.iterdir()] == ["s.json"], f"nothing is written: {[p.name for p in folder.iterdir()]}")
    scene = write_scene(folder / "s.json")
    check(
        run("run", scene, "-o", "v/a.limber", "--vtu", "v", "--csv", "v/p.csv", "-q", folder=folder).returncode == 0
        and (folder / "v" / "p.csv").exists(),
        "a recording and a table beside the frames are fine",
    )


def test_no_ffmpeg(folder):
    """A movie that cannot be made is a failure before the work, also with -q."""
    scene = write_scene(folder / "s.json")
    before = {p.name for p in folder.iterdir()}
    for name in ("x.mp4", "x.gif", "x.webp"):
        done = subprocess.run(
            [LIMBER, "render", scene, "-o", name, "-q"],
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PATH": "/nowhere"},
        )
        check(
            done.returncode == 2 and "ffmpeg is not installed" in done.stderr and len(done.stderr.splitlines()) == 1,
            f"{name}: exit {done.returncode}: {done.stderr}",
        )
    check({p.name for p in folder.iterdir()} == before, "nothing is written instead")


for name, test in [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]:
    with tempfile.TemporaryDirectory() as place:
        test(pathlib.Path(place).resolve())
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
