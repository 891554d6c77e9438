#!/usr/bin/env python3
"""Compiles each header alone and twice: what it needs it includes. Precompiled headers and unity builds hide what is missing.

    check_headers.py [--sources] [--compiler CXX] [--jobs N] [ROOT [NAME...]]     exit code 1 when one does not compile

Nothing is made: the compiler only reads (-fsyntax-only, about a second each). With --sources every .cpp too, which takes four
times as long. NAMEs, files or folders below ROOT, limit it to those.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

FOLDERS = ("include", "src", "apps", "tests")
FLAGS = ("-x", "c++", "-std=c++20", "-fsyntax-only", "-fmax-errors=3", "-DLIMBER_WITH_OPENBLAS")
OUTSIDE = ("-isystem", "/usr/include/eigen3")
# fuzz needs libFuzzer's flags, outside an installed limber; the other two include what CMake makes.
APART = ("tests/fuzz", "tests/outside", "src/core/version.cpp", "src/dyrt/live_page.cpp")
# What a kernel does, in words that each instruction set defines before it includes them.
BODIES = ("src/kernels/front_body.hpp", "src/kernels/half_clusters_body.hpp")


def paths_to_compile(root, names, sources):
    for name in names:
        place = root / name
        for path in [place] if place.is_file() else sorted(place.rglob("*.[ch]pp")):
            inside = path.relative_to(root).as_posix()
            if (path.suffix == ".hpp" or sources) and not inside.startswith(APART + BODIES):
                yield inside


def compile_alone(root, compiler, inside):
    """The compiler's words; empty when it compiles."""
    line = f'#include "{root / inside}"\n'
    done = subprocess.run(
        [compiler, *FLAGS, *(f"-I{root / folder}" for folder in (*FOLDERS, "runtime")), *OUTSIDE, "-"],
        input=2 * line if inside.endswith(".hpp") else line,
        capture_output=True,
        text=True,
    )
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", action="store_true", help="every .cpp too")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).parent.parent, type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    a = parser.parse_args()
    root = a.root.resolve()
    missing = [name for name in a.names if not any(paths_to_compile(root, [name], a.sources))]
    todo = list(paths_to_compile(root, a.names or FOLDERS, a.sources))
    if missing or not todo:
        what = "sources" if a.sources else "headers"
        for name in missing or [""]:
            print(f"{root / name}: no {what} found: expected one, or a folder that holds some")
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for inside, said in zip(todo, pool.map(lambda inside: compile_alone(root, a.compiler, inside), todo)):
            if said:
                failed += 1
                print(f"{inside} does not compile alone:\n{said}", flush=True)
    print(f"{len(todo)} compiled alone, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
