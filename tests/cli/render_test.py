#!/usr/bin/env python3
"""limber render as its users meet it: render_test.py LIMBER SCENES. Standard library only; movies where ffmpeg is."""
import json
import os
import pathlib
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import driver
from driver import as_json, check, failures, fails, run, wait_until

SCENES = pathlib.Path(sys.argv[2])
JELLY = SCENES / "jelly_cube.json"


def png(path):
    """Width, height, notes and rows of RGB(A) bytes."""
    data = path.read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path.name} is a PNG file")
    at, notes, packed, head = 8, {}, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        check(
            struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body),
            f"{path.name}: the checksum of {kind}",
        )
        if kind == b"IHDR":
            head = struct.unpack(">IIBB", body[:10])
        elif kind == b"tEXt":
            key, words = body.split(b"\0", 1)
            notes[key.decode()] = words.decode()
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    return head[0], head[1], notes, zlib.decompress(packed)


def nothing_but(folder, *names):
    left = sorted(p.name for p in folder.iterdir())
    check(left == sorted(names), f"only {sorted(names)} in the folder, not {left}")


def test_pictures(folder):
    """One picture, twice the same bytes, with provenance; the time is told."""
    record = folder / "jelly.limber"
    check(run("run", JELLY, "--duration", "0.2", "-o", record, "-q").returncode == 0, "a short run")
    told = as_json("render", record, "-o", folder / "a.png", "--size", "320x240")
    check(
        (told["width"], told["height"], told["frames"], told["encoder"]) == (320, 240, 1, None),
        f"what was made is told: {told}",
    )
    check(told["range"][0] == 0 and told["range"][1] > 0, f"colours have a range: {told['range']}")
    run("render", record, "-o", folder / "b.png", "--size", "320x240")
    check(
        (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes(),
        "a state rendered twice gives the same bytes",
    )
    width, height, notes, _ = png(folder / "a.png")
    check((width, height) == (320, 240), f"the size asked for: {width} x {height}")
    check(
        "limber" in notes["Software"] and "0x" in notes["Software"],
        f"the file says what made it and of which scene: {notes}",
    )
    words = run("render", record, "-o", folder / "c.png", "--size", "160x120").stdout
    check("t = " in words and "--time" in words, f"the chosen time is told: {words}")
    run("render", record, "-o", folder / "c.png", "--size", "320x240", "--time", "0")
    check((folder / "a.png").read_bytes() != (folder / "c.png").read_bytes(), "another time is another picture")
    for options in (
        ["--field", "von_mises"],
        ["--field", "principal_max"],
        ["--field", "principal_min"],
        ["--field", "von_mises_error", "--reference", record],
        ["--field", "material"],
        ["--field", "none", "--wireframe"],
        ["--camera", "top"],
        ["--camera", "30,20,1.5"],
        ["--no-ground"],
        ["--no-caption"],
        ["--caption", "µ"],
        ["--range", "0,1"],
        ["--reference", record],
        ["--no-glyphs"],
        ["--follow"],
    ):
        done = run("render", record, "-o", folder / "d.png", "--size", "320x240", *options)
        check(done.returncode == 0, f"{options}: {done.stderr}")
        check(
            (folder / "d.png").exists() and (folder / "d.png").read_bytes() != (folder / "c.png").read_bytes(),
            f"{options} makes a picture of its own",
        )
    strip = as_json("render", record, "-o", folder / "strip.png", "--filmstrip", "3")
    check(strip["frames"] == 3 and png(folder / "strip.png")[0] == strip["width"], f"a filmstrip: {strip}")
    pair = as_json("render", f"one={record}", f"two={record}", "-o", folder / "pair.png")
    check(pair["width"] > 1000, "two inputs stand side by side")
    scene = as_json(
        "render", JELLY, "-o", folder / "scene.png", "--size", "160x120", "--set", "duration=0.1", "--time", "0.1"
    )
    check(scene["times"] == [0.1, 0.1], "a scene is run first")
    stress = as_json(
        "render",
        JELLY,
        "-o",
        folder / "stress.png",
        "--size",
        "160x120",
        "--set",
        "duration=0.1",
        "--field",
        "principal_min",
    )
    check(stress["range"][0] == -stress["range"][1] < 0, f"signed fields have a range around zero: {stress['range']}")
    error = as_json("render", record, "--reference", record, "-o", folder / "error.png", "--size", "160x120")
    check(error["field"] == "error", "with a reference the colours are the error")


def test_models(folder):
    glb = folder / "humanoid.glb"
    check(run("mesh", "asset", "humanoid", "-o", glb, "--triangles", "2000").returncode == 0, "a character")
    check(run("mesh", "asset", "duck", "-o", folder / "duck.obj", "--triangles", "1000").returncode == 0, "a surface")
    for name, options in (
        ("rest", []),
        ("walk", ["--clip", "walk", "--time", "0.3"]),
        ("bones", ["--skeleton"]),
        ("wire", ["--wireframe"]),
    ):
        done = run("render", glb, "-o", folder / f"{name}.png", "--size", "200x200", *options)
        check(done.returncode == 0, f"{name}: {done.stderr}")
        when = "t = 0.3 s\n" if name == "walk" else "the rest pose (--time chooses another)"
        check(when in done.stdout, f"{name}: the moment is said: {done.stdout}")
    shots = {png(folder / f"{name}.png")[3] for name in ("rest", "walk", "bones", "wire")}
    check(len(shots) == 4, "rest, walk, bones and wires are four pictures")
    check(
        run("render", folder / "duck.obj", "-o", folder / "duck.png", "--size", "200x200").returncode == 0,
        "a surface is shown",
    )
    fails("render", glb, "--clip", "wlak", "-o", folder / "x.png", words=["did you mean 'walk'"])


def test_refusals(folder):
    record = folder / "jelly.limber"
    out = folder / "refused.png"
    for size in (
        "0x0",
        "20000x20000",
        "8x8",
        "100",
        "100x",
        "x100",
        "-5x20",
        "100x100x100",
        "1e3x100",
        "99999999999999999999x10",
    ):
        fails("render", record, "-o", out, "--size", size, words=["--size"])
    for options, words in (
        (["--camera", "sideways"], ["sideways"]),
        (["--camera", "1,2,0"], ["distance"]),
        (["--camera", "a,b,c"], ["--camera"]),
        (["--range", "1"], ["--range"]),
        (["--range", "2,1"], ["lower"]),
        (["--field", "von_misses"], ["von_mises"]),
        (["--field", "error"], ["--reference"]),
        (["--reference", folder / "none.limber"], ["none.limber"]),
        (["--from", "5"], ["--from"]),
    ):
        fails("render", record, "-o", out, *options, words=words)
    fails("render", record, "-o", folder / "x.bmp", words=[".png", ".mp4"])
    fails("render", record, "-o", folder / "no" / "such" / "x.png", words=["No such file"])
    fails("render", record, "-o", record, words=[".png"])
    fails("render", folder / "missing.limber", "-o", out, words=["missing.limber"])
    (folder / "empty.limber").write_bytes(b"")
    fails("render", folder / "empty.limber", "-o", out, words=["empty.limber"])
    (folder / "torn.limber").write_bytes(record.read_bytes()[:2000])
    fails("render", folder / "torn.limber", "-o", out)
    fails("render", record, "-o", folder / "x.mp4", "--fps", "240", "--speed", "1e-6", words=["frames"])
    check(not out.exists(), "nothing is left of what was refused")


def test_without_egl(folder):
    """No driver: one line, exit code 2, nothing behind."""
    place = folder / "no_egl"
    place.mkdir()
    before = os.environ.copy()
    os.environ["__EGL_VENDOR_LIBRARY_DIRS"] = "/nowhere"
    try:
        fails("render", folder / "jelly.limber", "-o", place / "x.png")
        fails("render", folder / "jelly.limber", "-o", place / "x.mp4")
        nothing_but(place)
        # A page is worth having without its pictures, and says what is missing.
        run(
            "compare",
            JELLY,
            "--set",
            "duration=0.05",
            "--reference",
            "linear_fem:scheme=bdf2",
            "--metric",
            "relative_l2",
            "-o",
            place / "card",
        )
    finally:
        os.environ.clear()
        os.environ.update(before)
    page = (place / "card" / "index.html").read_text()
    check(
        "pictures cannot be drawn: no EGL" in page and "<img" not in page and "<video" not in page,
        "the page is made and says why it shows no pictures",
    )


def without_ffmpeg(folder):
    """A PATH with everything but ffmpeg is a PATH with nothing: limber needs nothing else."""
    place = folder / "no_ffmpeg"
    place.mkdir()
    before = os.environ["PATH"]
    os.environ["PATH"] = str(folder / "nowhere")
    try:
        fails(
            "render",
            folder / "jelly.limber",
            "-o",
            place / "x.mp4",
            "--size",
            "96x96",
            "-q",
            words=["x.mp4", "ffmpeg is not installed", "folder"],
        )
    finally:
        os.environ["PATH"] = before
    nothing_but(place)
    first = as_json(
        "render",
        folder / "jelly.limber",
        "-o",
        str(place / "again") + "/",
        "--size",
        "96x96",
        "--fps",
        "20",
        "--to",
        "0.2",
        "--speed",
        "1",
    )
    check(first["frames"] == 5 and (place / "again" / "frame_000004.png").exists(), "a folder may be asked for")
    nothing_but(place / "again", ".folder.files", *[f"frame_{i:06}.png" for i in range(5)])
    (place / "again" / "mine.txt").write_text("x")
    fails("render", folder / "jelly.limber", "-o", str(place / "again") + "/", "--size", "96x96", words=["mine.txt"])


def test_movies(folder):
    without_ffmpeg(folder)
    if not shutil.which("ffmpeg"):
        print("no ffmpeg: movies are not tested")
        return
    record = folder / "jelly.limber"
    for name in ("a.mp4", "a.gif", "a.webp"):
        told = as_json("render", record, "-o", folder / name, "--size", "161x121", "--fps", "20", "--speed", "0.2")
        check(told["encoder"] == "ffmpeg" and told["frames"] == 21, f"{name}: {told}")
        check(b"limber" in (folder / name).read_bytes(), f"{name} says what made it")
    again = folder / "again.mp4"
    run("render", record, "-o", again, "--size", "161x121", "--fps", "20", "--speed", "0.2")
    check(again.read_bytes() == (folder / "a.mp4").read_bytes(), "the same movie has the same bytes")
    for name, size in (("a.mp4", [162, 122]), ("a.gif", [161, 121])):
        facts = json.loads(
            subprocess.run(
                [
                    "ffprobe",
                    "-v",
                    "error",
                    "-count_frames",
                    "-show_streams",
                    "-show_format",
                    "-of",
                    "json",
                    folder / name,
                ],
                capture_output=True,
                text=True,
            ).stdout
        )
        stream = facts["streams"][0]
        check([stream["width"], stream["height"]] == size, f"{name}: {stream['width']} x {stream['height']}")
        check(int(stream["nb_read_frames"]) == 21, f"{name}: {stream['nb_read_frames']} frames")
        check(abs(float(facts["format"]["duration"]) - 1.05) < 0.06, f"{name} lasts {facts['format']['duration']} s")
    check(
        "limber"
        in json.dumps(
            json.loads(
                subprocess.run(
                    ["ffprobe", "-v", "error", "-show_format", "-of", "json", folder / "a.mp4"],
                    capture_output=True,
                    text=True,
                ).stdout
            )["format"]["tags"]
        ),
        "ffprobe shows the provenance",
    )


def test_broken_ffmpeg(folder):
    """One that dies, one that complains, one that is killed, Ctrl-C: one line, nothing left, and an old file stays as it was."""
    place, tools = folder / "broken", folder / "tools"
    place.mkdir()
    tools.mkdir()
    (place / "x.mp4").write_text("old")
    before = os.environ["PATH"]
    for script, words in (
        ("exit 3", ["code 3"]),
        ("echo 'No space left on device' >&2; exit 1", ["No space left"]),
        ("kill -9 $$", ["signal 9"]),
        ("head -c 50000 >/dev/null; kill -9 $$", ["signal 9"]),
    ):
        program = tools / "ffmpeg"
        program.write_text("#!/bin/sh\n" + script + "\n")
        program.chmod(0o755)
        os.environ["PATH"] = f"{tools}:{before}"
        try:
            fails("render", folder / "jelly.limber", "-o", place / "x.mp4", "--size", "160x120", "-q", words=words)
        finally:
            os.environ["PATH"] = before
        nothing_but(place, "x.mp4")
        check((place / "x.mp4").read_text() == "old", "an old movie stays as it was")
    program.write_text("#!/bin/sh\ncat >/dev/null\nsleep 60\n")
    process = subprocess.Popen(
        [
            driver.LIMBER,
            "render",
            folder / "jelly.limber",
            "-o",
            place / "x.mp4",
            "--size",
            "640x480",
            "--speed",
            "0.0002",
            "-q",
        ],
        env={**os.environ, "PATH": f"{tools}:{before}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    check(wait_until(process, lambda: len(list(place.iterdir())) > 1), "it begins to write")
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=30)
    check(
        process.returncode == 1 and words.count("\n") == 1 and "stopped" in words,
        f"Ctrl-C ends it in one line: {process.returncode} {words!r}",
    )
    nothing_but(place, "x.mp4")


def test_stopped_while_encoding(folder):
    """A GIF is encoded after its last frame: Ctrl-C ends that too, at once."""
    place, tools = folder / "encoding", folder / "slow_tools"
    place.mkdir()
    tools.mkdir()
    (tools / "ffmpeg").write_text(
        f"#!/bin/sh\ncat >/dev/null\ntouch {shlex.quote(str(tools / 'encoding'))}\nexec sleep 60\n"
    )
    (tools / "ffmpeg").chmod(0o755)
    process = subprocess.Popen(
        [
            driver.LIMBER,
            "render",
            folder / "jelly.limber",
            "-o",
            place / "x.gif",
            "--size",
            "160x120",
            "--fps",
            "2",
            "-q",
        ],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    check(wait_until(process, (tools / "encoding").exists), "it begins to encode")
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=70)
    check(
        process.returncode == 1 and words.count("\n") == 1 and "stopped" in words,
        f"Ctrl-C ends the encoding in one line: {process.returncode} {words!r}",
    )
    check(time.monotonic() - begin < 5, f"and at once, not after {time.monotonic() - begin:.1f} s")
    nothing_but(place)


def test_full_disk(folder):
    """A file system of 8 kB; needs root, as the builders of this project have."""
    place = folder / "small"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8k", "limber_test", place], capture_output=True
        ).returncode
        != 0
    ):
        print("no small file system: a full disk is not tested")
        return
    try:
        for name in ("x.png", "x.mp4", "frames/"):
            if name == "x.mp4" and not shutil.which("ffmpeg"):
                continue
            fails(
                "render",
                folder / "jelly.limber",
                "-o",
                str(place) + "/" + name,
                "--size",
                "1280x960",
                "--fps",
                "4",
                "--speed",
                "0.1",
                "-q",
            )
            nothing_but(place)
    finally:
        subprocess.run(["umount", place])


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        test_pictures(folder)
        test_models(folder)
        test_refusals(folder)
        test_without_egl(folder)
        test_movies(folder)
        test_broken_ffmpeg(folder)
        test_stopped_while_encoding(folder)
        test_full_disk(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
