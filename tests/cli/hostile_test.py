"""Hostile files through every verb that takes them: none takes more than 1 GB or 10 s, each ends with exit code 0, 1 or 2 and says why.

hostile_test.py LIMBER SCENES [all | NAME]: a seeded sample, all of them (./test --heavy), or those of one maker."""
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from driver import LIMBER, check, failures
import hostile_files

SLOWER = 5 if os.environ.get("LIMBER_SANITIZE") else 1  # and larger: the sanitizers' own share
MOST_BYTES, MOST_SECONDS = SLOWER * 10**9, SLOWER * 10.0
# The sample of every run: a maker of each kind and one of these calls, which read and do no more. Drawing and geometry take
# seconds on some.
KINDS = (
    "msh_",
    "medit_",
    "inp_",
    "tetgen_",
    "vtu_",
    "pvd_",
    "obj_",
    "ply_",
    "stl_",
    "bvh_",
    "gl",
    "npz_",
    "caches_",
    "scene_",
    "recordings",
)
QUICK = ("mesh info", "rig info", "metrics", "check", "cite")


def measured(arguments, folder):
    """Exit code, what it said, seconds of processor time, largest memory. Threads and other work on the machine do not count."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (30 * SLOWER, 30 * SLOWER))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with open(folder / "said", "wb") as said:
        process = subprocess.Popen(
            [LIMBER, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            cwd=folder,
            preexec_fn=limit,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (
        process.returncode,
        (folder / "said").read_text(errors="replace"),
        used.ru_utime + used.ru_stime,
        used.ru_maxrss * 1024,
    )


def verbs_for(path, folder):
    """Every verb that takes such a file."""
    out = folder / "out"
    mesh = path.suffix in (".msh", ".mesh", ".vtu", ".inp", ".ele")
    surface = path.suffix in (".obj", ".ply", ".stl", ".glb", ".gltf")
    rig = path.suffix in (".glb", ".gltf", ".bvh")
    if mesh:
        yield "mesh", "info", path
        yield "mesh", "info", path, "--json"
        yield "mesh", "convert", path, out / "mesh.vtu"
        yield "mesh", "convert", path, out / "mesh.msh"
        yield "render", path, "-o", out / "mesh.png", "--size", "160x120", "-q"
        yield "check", scene_around(folder, mesh=dict(path=path.name))
        if path.suffix != ".ele":
            yield "modes", path, "--count", 1, "--material", "fat", "-q"
    if surface:
        yield "mesh", "info", path
        yield "mesh", "convert", path, out / "surface.ply"
        yield "mesh", "doctor", path, "-q"
        yield "mesh", "doctor", path, "--fix", "-o", out / (
            "mended" + (".glb" if path.suffix == ".gltf" else path.suffix)
        ), "-q"
        yield "mesh", "solid", path, "--cells", 200, "-o", out / "solid.vtu", "-q"
        yield "mesh", "cage", path, "--cells-across", 4, "-o", out / "cage.vtu", "-q"
        yield "render", path, "-o", out / "surface.png", "--size", "160x120", "-q"
        yield "check", scene_around(folder, surface=dict(path=path.name))
        yield "check", scene_around(folder, mesh=dict(path=path.name, cells=200))
    if rig:
        yield "rig", "info", path
        yield "rig", "pose", path, "-o", out / "pose.obj"
        yield "render", path, "-o", out / "rig.png", "--size", "160x120", "-q"
        if path.suffix != ".bvh":
            yield "rig", "flesh", path, "--flesh", "a=ball:0,0,0,1", "--cells", 200, "-o", out / "flesh", "-q"
            yield "dyrt", path, "--flesh", "a=ball:0,0,0,1", "--cells", 200, "--no-page", "-o", out / "dyrt.glb", "-q"
    if path.suffix in (".npz", ".pc2", ".mdd", ".pvd", ".vtu"):
        yield "metrics", reference_in(folder), path
        yield "compare", folder / "reference.json", "--candidate", f"x={path}", "--reference", reference_in(
            folder
        ), "--no-pictures", "-o", out / "compare", "-q"
    if path.suffix == ".limber":
        yield "metrics", path, path
        yield "render", path, "-o", out / "recording.png", "--size", "160x120", "-q"
        for form in ("npz", "vtu", "obj", "glb", "csv"):
            yield "export", path, "--to", form, "-o", out / f"exported_{form}"
    if path.suffix == ".json":
        recording = out / "run.limber"
        yield "check", path
        yield "cite", path
        yield "run", path, "-o", recording, "-q", "--duration", 0.01
        yield "export", recording, "--to", "glb", "-o", out / "run.glb"
        yield "export", recording, "--to", "obj", "-o", out / "run_obj"
        yield "render", recording, "-o", out / "run.png", "--size", "160x120", "-q"
        yield "compare", path, "--no-pictures", "-o", out / "compare", "-q"
        yield "sweep", path, "--set", "step=0.01,0.02", "-o", out / "sweep", "-q"
        yield "sensitivity", path, "--parameter", "material.young", "-o", out / "sensitivity", "-q"
        yield "static", path, "-q"
        yield "modes", path, "--count", 1, "-q"
        yield "export", path, "--to", "inp", "-o", out / "scene.inp"


def scene_around(folder, **body):
    name = "scene_" + "_".join(sorted(body)) + ("_solid" if "cells" in body.get("mesh", {}) else "") + ".json"
    if "mesh" in body:
        body["anchors"] = []
    return hostile_files.write(folder, name, hostile_files.json.dumps(hostile_files.scene(body=body)))


def reference_in(folder):
    path = folder / "reference.limber"
    if not path.exists():
        source = hostile_files.write(folder, "reference.json", hostile_files.json.dumps(hostile_files.scene()))
        check(
            subprocess.run(
                [LIMBER, "run", source, "-o", path, "-q"], stdin=subprocess.DEVNULL, capture_output=True
            ).returncode
            == 0,
            "a reference is recorded",
        )
    return path


def examine(arguments, folder, table):
    (folder / "out").mkdir(exist_ok=True)
    code, said, seconds, size = measured(arguments, folder)
    name = " ".join(str(a).replace(str(folder) + "/", "") for a in arguments)
    last = said.strip().splitlines()[-1][:200] if said.strip() else ""
    table.append((seconds, size, folder.name, name, code, last))
    where = f"{folder.name}: '{name}'"
    check(code in (0, 1, 2), f"{where} ends with {code}: {last}")
    check(seconds <= MOST_SECONDS, f"{where} takes {seconds:.1f} s")
    check(size <= MOST_BYTES, f"{where} takes {size / 1e6:.0f} MB")
    check(len(said) < 100_000, f"{where} says {len(said)} characters")
    check(code == 0 or last.startswith("limber: "), f"{where} says why: {last}")


def main():
    asked = sys.argv[3] if len(sys.argv) > 3 else ""
    makers = [m for m in hostile_files.MAKERS if asked in ("", "all") or asked == m.__name__]
    if not asked:
        makers = [random.Random(18).choice([m for m in makers if m.__name__.startswith(kind)]) for kind in KINDS]
    table = []
    with tempfile.TemporaryDirectory() as top:
        for maker in makers:
            folder = pathlib.Path(top) / maker.__name__
            folder.mkdir()
            for path in list(maker(folder)) if asked else [next(maker(folder))]:
                commands = list(verbs_for(path, path.parent))
                if not asked:
                    commands = random.Random(maker.__name__).sample(
                        [c for c in commands if " ".join(map(str, c)).startswith(QUICK)], 1
                    )
                for arguments in commands:
                    examine(arguments, path.parent, table)
    for seconds, size, folder, name, code, last in sorted(table, reverse=True):
        print(f"{seconds:7.2f} s {size / 1e6:7.0f} MB  exit {code}  {folder}: {name}: {last}")
    print(
        f"{len(table)} commands; at most {max(t[0] for t in table):.1f} s and "
        f"{max(t[1] for t in table) / 1e6:.0f} MB; {len(failures)} failures"
    )
    sys.exit(1 if failures else 0)


main()
