#!/usr/bin/env python3
"""Drives the limber program: cli_test.py LIMBER SCENES GROUP. Standard library only; every check says what it wanted."""
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from driver import LIMBER, as_json, check, failures, fails, run, wait_until

SCENES, GROUP = pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
BLOCK = str(SCENES / "block_needle_mp1.json")
ROD = str(SCENES / "rod_mp3.json")


def test_usage():
    for verb in ["check", "run", "modes", "metrics", "reproduce", "methods", "materials", "mesh", "schema"]:
        done = run(verb, "--help")
        check(done.returncode == 0 and "--help" in done.stdout and done.stderr == "", f"{verb} --help prints help")
        check(f"Usage: limber {verb} " in done.stdout, f"the usage is a line that can be typed: {done.stdout[:200]}")
    words = run("mesh", "doctor", "--help").stdout
    check("Usage: limber mesh doctor [OPTIONS] file" in words, f"also of a verb of a verb: {words[:200]}")
    check(verb_list_complete(), "limber --help names every verb")
    version = run("--version")
    for word in ["limber ", "commit", "compiler", "CPU", "ISA", "linked"]:
        check(word in version.stdout, f"--version tells {word}")
    check(as_json("--version")["version"], "--version --json has a version")
    fails(words=["no verb", "check"])
    fails("chekc", words=["unknown verb 'chekc'", "did you mean", "check"])
    fails("run", BLOCK, "--duraton", "1", words=["--duraton", "--duration"])
    fails("mesh", words=["info", "convert", "generate"])
    fails(
        "mesh",
        "solid",
        "x.obj",
        "--unit",
        "mmm",
        "-o",
        "x.vtu",
        words=["'mmm'", "did you mean 'mm'", "m, cm, mm, in, ft"],
    )
    check(all(c.isprintable() or c == "\n" for c in run("mesh", "solid", "--help").stdout), "help has no control bytes")
    fails("mesh", "inof", "x.msh", words=["unknown verb 'inof'", "info"])
    fails("run", words=["scene"])
    fails("modes", BLOCK, "--count", "many", words=["count"])
    fails("modes", BLOCK, "--count", "-3")
    fails("materials", "silicon", words=["silicone"])
    fails("methods", "linear_fen", words=["linear_fem"])
    fails("methods", "linear_fen", "--json")
    fails("nonsense", "--json")
    fails("run", "two\nlines\x1b.json")
    test_every_option_misspelt()


VERBS = [
    "check",
    "run",
    "modes",
    "static",
    "metrics",
    "compare",
    "export",
    "sweep",
    "sensitivity",
    "reproduce",
    "methods",
    "materials",
    "mesh info",
    "mesh convert",
    "mesh generate",
    "mesh doctor",
    "mesh solid",
    "mesh cage",
    "mesh asset",
    "render",
    "gallery",
    "rig info",
    "rig pose",
    "rig flesh",
    "dyrt",
    "schema",
    "cite",
]


def test_every_option_misspelt():
    """Help of printable letters only, and a suggestion for each option with a letter missing, whatever else is missing on the line."""
    for verb in VERBS:
        words = run(*verb.split(), "--help").stdout
        check(words and all(c.isprintable() or c == "\n" for c in words), f"help of {verb} has no control bytes")
        names = set(re.findall(r"^  (?:-\w,)?(--[a-z-]{4,})", words, re.MULTILINE)) - {"--help"}
        for name in sorted(names)[::4]:
            slip = name[:4] + name[5:]
            done = run(*verb.split(), slip)
            told = re.search(r"did you mean '(--[a-z-]+)'", done.stderr)
            check(
                done.returncode == 2 and (slip in names or told and told.group(1) in words),
                f"'{verb} {slip}' is answered with a suggestion: {done.stderr!r}",
            )


def verb_list_complete():
    words = run("--help").stdout
    return all(
        v in words for v in ["check", "run", "modes", "metrics", "reproduce", "methods", "materials", "mesh", "schema"]
    )


def test_scenes(folder):
    for scene in sorted(SCENES.glob("*.json")):
        done = run("check", scene)
        warned = done.stderr.count("limber: warning: ")
        verdict = f": runs, with {warned} warning" if warned else ": fine;"
        check(
            done.returncode == 0 and verdict in done.stdout,
            f"check of {scene.name} says{verdict}: {done.stdout} {done.stderr}",
        )
    bad = folder / "bad.json"
    scene = json.loads(pathlib.Path(BLOCK).read_text())
    scene["bodies"][0]["materials"][0]["poisson"] = 0.7
    scene["bodies"][0]["anchors"][0]["set"] = "heldd"
    scene["durration"] = 3
    bad.write_text(json.dumps(scene))
    done = run("check", bad)
    lines = done.stderr.splitlines()
    check(done.returncode == 2 and len(lines) >= 3, f"check says every fault at once: {lines}")
    for word in ["poisson", "heldd", "durration", "duration"]:
        check(word in done.stderr, f"check mentions {word}")
    report = as_json("check", bad, code=2)
    check(not report["ok"] and len(report["faults"]) >= 3, "check --json lists every fault")
    check(all(f["file"] and f["field"] for f in report["faults"]), "every fault names its file and field")
    check(as_json("check", BLOCK)["scene"]["cells"] == 400, "check --json counts cells")
    fails("run", bad, folder=folder)
    fails("run", folder / "missing.json", words=["missing.json"])
    fails("run", BLOCK, "--set", "stepp=1", words=["step"], folder=folder)
    fails("run", BLOCK, "--set", "step", words=["step"], folder=folder)
    (folder / "garbage.json").write_bytes(bytes(range(256)))
    fails("run", folder / "garbage.json", "--json")
    check(not list(folder.glob("*.limber*")), "a run that never began leaves no file")
    modes = as_json("modes", BLOCK, "--count", "4")
    check(
        len(modes["omega"]) == 4 and abs(modes["omega"][0] / 1.132916 - 1) < 1e-5,
        f"modes finds the block's frequencies: {modes['omega']}",
    )
    check(len(modes["effective_mass"][0]) == 3, "modes gives effective masses per axis")
    run("modes", BLOCK, "--count", "2", "--vtu", folder / "modes")
    check((folder / "modes" / "mode_002.vtu").exists(), "modes writes shapes on request")


def test_run(folder):
    out = folder / "a.limber"
    report = as_json(
        "run",
        BLOCK,
        "-o",
        out,
        "--duration",
        "0.5",
        "--vtu",
        folder / "vtu",
        "--csv",
        folder / "a.csv",
        "--threads",
        "2",
    )
    check(report["ok"] and report["frames"] == 16 and report["steps"] == 15, f"run records every step: {report}")
    check(out.exists() and (folder / "vtu" / "series.pvd").exists(), "run writes recording and VTU series")
    check(len(list((folder / "vtu").glob("*.vtu"))) == 16, "one VTU per frame")
    table = [line for line in (folder / "a.csv").read_text().splitlines() if not line.startswith("#")]
    check(len(table) == 17 and table[0].startswith("t [s],"), "the table of probes has a title and a row per frame")
    check("nan" not in (folder / "a.csv").read_text(), "no NaN in the table")
    plain = run("run", ROD, "-o", folder / "b.limber", "--duration", "0.2")
    check(plain.returncode == 0 and "b.limber" in plain.stdout, "run says what it wrote")
    check(plain.stderr == "", f"a short run that is not on a terminal shows no progress: {plain.stderr!r}")
    # An explicit run beyond its stable step ends with trouble, keeps what was good, and holds no NaN.
    blown = folder / "c.limber"
    done = run(
        "run",
        str(SCENES / "block_needle_mp2.json"),
        "-o",
        blown,
        "--json",
        "--set",
        "method.options.scheme=newmark_explicit",
        "--set",
        "duration=60",
        "--quiet",
    )
    check(
        done.returncode == 1 and blown.exists(),
        f"a diverging run exits with 1 and keeps its frames ({done.returncode})",
    )
    check(len(done.stderr.splitlines()) == 1 and "diverged" in done.stderr, f"it names the cause: {done.stderr}")
    notes = " ".join(json.loads(done.stdout)["notes"])
    check("will lock" in notes and "will blow up" in notes, f"what could be known beforehand is told: {notes}")
    check(json.loads(done.stdout)["ok"] is False, "and says so in JSON")
    fails("run", BLOCK, "-o", folder / "no" / "such" / "place.limber")
    fails("run", BLOCK, "--csv", folder / "no" / "such.csv", "-o", folder / "d.limber", "--duration", "0.1")


def test_metrics(folder):
    for name, scheme in [("a", "newmark_implicit"), ("b", "newmark_explicit")]:
        run(
            "run",
            BLOCK,
            "-o",
            folder / f"{name}.limber",
            "--duration",
            "0.5",
            "--set",
            f"method.options.scheme={scheme}",
        )
    report = as_json("metrics", folder / "a.limber", folder / "b.limber", "--csv", folder / "m.csv")
    values = {m["name"]: m for m in report["metrics"]}
    check(max(values["relative_l2"]["value"]) > 0, "different runs are at a distance")
    check((folder / "m.csv").read_text().count("\n") > 16, "metrics writes a row per time")
    same = as_json("metrics", folder / "a.limber", folder / "a.limber", "--metric", "interior")
    check(
        [m["name"] for m in same["metrics"]] == ["interior"] and max(same["metrics"][0]["value"]) == 0,
        "a run is at no distance from itself",
    )
    run("run", BLOCK, "-o", folder / "large.limber", "--duration", "0.5", "--set", "mesh.high=[1.5,1]")
    check(
        "fills another box" in run("metrics", folder / "a.limber", folder / "large.limber").stderr,
        "bodies of another size are told apart",
    )
    fails("metrics", folder / "a.limber", folder / "b.limber", "--metric", "interiour", words=["interior"])
    fails("metrics", folder / "a.limber", folder / "none.limber", words=["none.limber"])
    fails("metrics", folder / "a.limber", BLOCK, "--json")
    # A recording cut in the middle of a frame is read up to there, with a warning.
    cut = folder / "cut.limber"
    cut.write_bytes((folder / "a.limber").read_bytes()[:-100])
    done = run("metrics", folder / "a.limber", cut)
    check(done.returncode == 0 and "cut short" in done.stderr, f"a cut recording is read and reported: {done.stderr}")


def test_mesh(folder):
    for shape, kind in [
        ("grid", "quad4"),
        ("grid", "tri3"),
        ("box", "hex8"),
        ("box", "tet10"),
        ("ball", "tet4"),
        ("cylinder", "hex8"),
        ("torus", "hex8"),
        ("disc", "tri3"),
        ("ellipse", "quad4"),
        ("ring", "quad4"),
        ("ellipsoid", "tet4"),
        ("shell", "tet10"),
    ]:
        path = folder / f"{shape}_{kind}.msh"
        done = run("mesh", "generate", shape, "--kind", kind, "--cells", "4", "-o", path)
        check(done.returncode == 0 and path.exists(), f"generates {shape} of {kind}: {done.stderr}")
        info = as_json("mesh", "info", path)
        check(info["kind"] == kind and info["cells"] > 0 and not info["findings"], f"{path.name} is sound: {info}")
    box = folder / "box_hex8.msh"
    for ending in ["vtu", "stl", "obj", "ply"]:
        done = run("mesh", "convert", box, folder / f"box.{ending}")
        check(done.returncode == 0, f"converts to {ending}: {done.stderr}")
        check(as_json("mesh", "info", folder / f"box.{ending}")["vertices"] > 0, f"reads its own {ending}")
    for name in ["msh2_ascii", "msh2_binary", "msh4_ascii", "msh4_binary"]:
        run("mesh", "convert", box, folder / f"{name}.msh", "--format", name)
        check(abs(as_json("mesh", "info", folder / f"{name}.msh")["volume"] - 1) < 1e-12, f"{name} keeps the volume")
    fails("mesh", "info", folder / "none.msh", words=["none.msh"])
    fails("mesh", "convert", box, folder / "box.step", words=[".step", ".vtu"])
    fails("mesh", "convert", folder / "box.stl", folder / "box2.msh", words=["surface"])
    fails("mesh", "generate", "box", "--kind", "hexa8", "-o", folder / "x.msh", words=["hex8"])
    fails("mesh", "generate", "box", "--cells", "4000", "-o", folder / "x.msh", words=["cells"])
    fails("mesh", "generate", "grid", "--kind", "tet10", "--cells", "2", "-o", folder / "x.msh", words=["tet10"])
    fails("mesh", "convert", box, folder / "wrong.vtu", "--format", "msh4_ascii", words=[".vtu", ".msh"])
    fails("mesh", "generate", "grid", "--kind", "hex8", "--cells", "2", "2", "2", "-o", folder / "x.msh")
    fails("mesh", "convert", folder / "grid_quad4.msh", folder / "flat.stl", words=["planar"])
    check(not (folder / "x.msh").exists(), "a refused mesh leaves no file")


def test_lists(folder):
    methods = as_json("methods")["methods"]
    linear = next(m for m in methods if m["name"] == "linear_fem")
    check(
        {o["name"] for o in linear["options"]} >= {"step", "scheme", "mass", "integration", "solver"},
        "methods lists options",
    )
    check("hex8" in linear["traits"]["cells"], "methods lists traits")
    materials = as_json("materials")["materials"]
    check(all(m["source"] and m["young"] > 0 for m in materials) and len(materials) >= 6, "every material has a source")
    check("prostate" in run("materials").stdout, "materials prints a table")
    check("$schema" in json.loads(run("schema").stdout), "schema is JSON")
    check(
        run("schema", "-o", folder / "s.json").returncode == 0 and json.loads((folder / "s.json").read_text()),
        "schema goes to a file",
    )
    check("#" in run("schema", "--reference").stdout, "schema --reference is a page")


def test_reproduce(folder):
    fails("reproduce", words=["accuracy"])
    done = run(
        "reproduce", "clustered", "--quick", "--no-pictures", "-o", folder / "clusters", "--json", folder / "c.json"
    )
    check(done.returncode == 0, f"reproduce clustered works: {done.stderr}")
    told = json.loads((folder / "c.json").read_text(), parse_constant=lambda word: check(False, word + " in JSON"))
    holds = {c["id"]: c["holds"] for c in told["claims"]}
    check(
        holds["lossless"] and holds["growth"] and holds["warping"] and holds["modal-shape"],
        f"what does not depend on the machine holds: {holds}",
    )
    check(
        [len(o["runs"]) for o in told["objects"]] == [3, 3, 3] and len(told["warping"]) == 10,
        "three methods on three objects, five on two bars",
    )
    check((folder / "clusters" / "index.html").exists(), "the page is there")
    fails("reproduce", "accuracy", "--cells", "7", words=["even"])
    fails("reproduce", "accuracy", "--plane", "strian", words=["strian"])
    fails("reproduce", "accuracy", "--plane", "stress", "--integration", "bbar", words=["bbar"])
    # Its pictures take as long as its numbers: cli.documents.whole has them.
    done = run(
        "reproduce", "accuracy", "--cells", "6", "--no-pictures", "-o", folder / "out", "--json", folder / "a.json"
    )
    check(done.returncode == 0, f"reproduce accuracy works: {done.stderr}")

    def refuse(word):
        raise ValueError(word + " in JSON")

    data = json.loads((folder / "a.json").read_text(), parse_constant=refuse)
    run_keys = {
        "scene",
        "cells",
        "plane",
        "integration",
        "material",
        "scheme",
        "reference",
        "t",
        "relative_l2",
        "surface",
        "interior",
        "probes",
    }
    claim_keys = {"id", "paper", "measured", "unit", "expected", "tolerance", "holds", "why"}
    check(all(run_keys <= set(r) for r in data["runs"]), "every run has the agreed keys")
    check(all(claim_keys <= set(c) for c in data["claims"]), "every claim has the agreed keys")
    check(data["provenance"] == as_json("--version"), "the reproduction tells all that --version does")
    check(len({c["id"] for c in data["claims"]}) == len(data["claims"]), "claims have different ids")
    check(len(data["runs"]) == 24, f"6 schemes on 3 materials and 6 across: {len(data['runs'])}")
    for r in data["runs"]:
        lengths = {len(r[k]) for k in ("t", "relative_l2", "surface", "interior")} | {
            len(p["u"]) for p in r["probes"].values()
        }
        check(len(lengths) == 1, f"arrays of {r['material']} {r['scheme']} are equally long: {lengths}")
        check(
            r["diverged_at"] > r["t"][-1] if "diverged_at" in r else len(r["t"]) == 301,
            f"{r['material']} {r['scheme']} runs to the end or says when it diverged",
        )
    check(any("diverged_at" in r for r in data["runs"] if r["material"] == "MP2"), "explicit MP2 diverges")
    names = {p.name for p in (folder / "out").iterdir()}
    for figure in ["fig5", "fig6", "fig7", "fig8", "fig9", "fig10", "fig11", "critical-step", "locking", "rod-tip"]:
        check({figure + ".svg", figure + ".csv"} <= names, f"{figure} is drawn")
        check(
            "# command: limber reproduce accuracy --cells 6" in (folder / "out" / f"{figure}.csv").read_text(),
            f"{figure}.csv carries its command",
        )
    page = (folder / "out" / "index.html").read_text()
    check(page.count("<svg") == page.count("</svg>") >= 10, "the page holds its plots")
    shown = re.findall(r'(?:src|href|poster)="([^"#]*)"', page)
    check(
        all((folder / "out" / name).is_file() for name in shown if not name.startswith(("data:", "http"))),
        f"pictures and movies are beside the page: {shown}",
    )
    check(
        not any(name.startswith("http") for name in re.findall(r'(?:src|poster)="([^"]*)"', page)),
        "the page loads nothing from elsewhere",
    )
    check("nan" not in "".join(p.read_text() for p in (folder / "out").glob("*.csv")).lower(), "no NaN in any table")


def test_interrupt(folder):
    out = folder / "long.limber"
    process = subprocess.Popen(
        [LIMBER, "run", ROD, "-o", str(out), "--set", "duration=100000"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    begun = lambda: any(path.stat().st_size > 100000 for path in folder.glob("long.limber.*"))
    check(wait_until(process, begun), "frames are written")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    check(process.returncode == 1, f"Ctrl-C ends with 1, not {process.returncode}")
    check("interrupted" in errors, f"and says so: {errors!r}")
    check(as_json("metrics", out, out, "--metric", "max_distance")["metrics"][0]["t"], "what was computed can be read")
    process = subprocess.Popen(
        [LIMBER, "reproduce", "accuracy", "-o", str(folder / "out"), "--json", str(folder / "r.json")],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    check(wait_until(process, lambda: list(folder.glob("out/.*.tmp"))), "reproduce begins to write")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    check(
        process.returncode == 1 and "interrupted" in errors,
        f"reproduce stops on Ctrl-C: {process.returncode} {errors!r}",
    )
    check(not (folder / "r.json").exists() and not (folder / "out").exists(), "and leaves nothing half-written")


with tempfile.TemporaryDirectory() as place:
    test = globals()["test_" + GROUP]
    test(pathlib.Path(place)) if test.__code__.co_argcount else test()
print(f"{GROUP}: {len(failures)} failures")
sys.exit(1 if failures else 0)
