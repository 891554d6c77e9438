#!/usr/bin/env python3
"""Every block of the README and the tutorial is run: documents_test.py LIMBER SOURCE BUILD COMPILER [whole]. Standard library only.

A block is known by its language; one that is not known fails the test, and so does a command that is not.

  sh       each command by bash, in one folder per document; it must succeed and warn of nothing (WARNS: those that are there to warn)
  console  lines after "$ " are commands; what stands below each must be printed, numbers to 5 % (times in ms: any; "...": anything)
  json     written to the file that the sentence above names ("Save this as `shelf.json`"), else it must be JSON
  cpp      with the cmake block below it a project against the installed package: built, run, and what it prints must make sense

What takes minutes is done in part, unless the last argument is `whole` (./test --heavy):

  ADDED    a shorter run or smaller picture of the same command
  STARTED  the command is started, must still be at work when it writes and a second has passed, and is interrupted as Ctrl-C would
  LOOKED   only the script's syntax: ./test would run this test, and benchmarks are built by themselves
"""
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIMBER, SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COMPILER = sys.argv[4]
WHOLE = sys.argv[5:] == ["whole"]
SANITIZE = os.environ.get("LIMBER_SANITIZE", "")
FLAGS = f"-fsanitize={SANITIZE}" if SANITIZE else ""
DOCUMENTS = ["README.md", "docs/tutorial.md"]

# The beginning of a command, and what is added to it where it is not run whole.
ADDED = {
    "./run sweep ": "--set duration=0.02 --quiet",
    "./run render scenes/twist.json": "--set duration=0.02 --size 160x120 --speed 1",
    "./run render scenes/jelly_tilted.json": "--set duration=0.02 --size 160x120 --speed 1",
    "./run render small.limber large.limber": "--to 0.1 --size 320x120 --speed 1 --fps 5",
    "./run run scenes/droop.json": "--duration 0.2",
    "./run mesh asset humanoid": "--triangles 3000",
    "./run rig flesh ": "--cells 4000",
    "./run dyrt ": "--no-page --no-error --clips 0 --cells 4000",
}
STARTED = ["./run reproduce ", "./run gallery", "./run compare ", "./run sensitivity "]
LOOKED = ["./test", "./run bench"]
# Dirty and noisy on purpose: what the solid loses of it is told.
WARNS = ["duck.json", "dirty.obj"]
PROGRAMS = {"./run", "./test", "limber", "cat", "tail", "alias", "cmake"}

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED: " + what, flush=True)


def blocks_of(document):
    """(language, lines, sentence above, line number) of each fenced block."""
    lines, above, at = document.read_text().splitlines(), "", 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```"))
            yield lines[at][3:].strip(), lines[at + 1 : end], above, at + 1
            at = end
        elif lines[at].strip():
            above = lines[at]
        at += 1


def commands_of(lines):
    """Commands of an sh block: a here-document belongs to the line that begins it."""
    at = 0
    while at < len(lines):
        text = lines[at]
        here = re.search(r"<<'(\w+)'", text)
        if here:
            end = lines.index(here.group(1), at)
            text, at = "\n".join(lines[at : end + 1]), end
        if text.strip() and not text.lstrip().startswith("#"):
            yield text
        at += 1


def without_comment(command):
    return command if "\n" in command else re.sub(r"\s+#.*$", "", command)


def begins(command, list_):
    return next((entry for entry in list_ if (command + " ").startswith(entry)), None)


class Folder:
    """Where one document is followed: with the repository's scenes, and ./run and limber that are the program which was built."""

    def __init__(self, path):
        self.path = path
        for name in ("scenes", "docs", "tests"):
            (path / name).symlink_to(SOURCE / name)
        (path / "build").mkdir()
        (path / "build" / "release").symlink_to(BUILD)
        (path / "bin").mkdir()
        for script in (path / "run", path / "bin" / "limber"):
            script.write_text(
                '#!/bin/sh\n[ "$*" = gallery ] && set -- gallery scenes -o out/gallery\n'
                f'[ $# = 0 ] && set -- reproduce accuracy -o out\nexec "{LIMBER}" "$@"\n'
            )
            script.chmod(0o755)
        (path / "test").symlink_to(SOURCE / "test")
        self.environment = {**os.environ, "PATH": f"{path}/bin:{os.environ['PATH']}", "LC_ALL": "C"}

    def run(self, command):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=3600 if WHOLE else 120,
        )
        return done.returncode, done.stdout

    def writing(self):
        """Files and folders that are being written."""
        return {
            os.path.join(at, name)
            for at, *both in os.walk(self.path)
            for name in sum(both, [])
            if name.endswith(".tmp")
        }

    def start(self, command):
        """Interrupted while it works: wrong arguments would have ended it before, with 2."""
        before, begun = self.writing(), time.monotonic()
        work = subprocess.Popen(
            ["bash", "-c", "exec " + command],
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        while work.poll() is None and time.monotonic() < begun + 100:
            if time.monotonic() > begun + 1 and self.writing() - before:
                break
            time.sleep(0.01)
        early = work.poll()
        if early is None:
            work.send_signal(signal.SIGINT)
        output = work.communicate(timeout=120)[0]
        return (early if early is not None else 0 if work.returncode == 1 else work.returncode), output


def looked_at(command, where):
    script = SOURCE / command.split()[0]
    check(subprocess.run(["bash", "-n", script]).returncode == 0, f"{where}: {script} is a script that bash reads")
    for word in shlex.split(command)[1:]:
        check(
            word in script.read_text() or word in (SOURCE / "docs" / "bench.md").read_text(),
            f"{where}: {script.name} knows {word}",
        )


def follow(folder, command, where):
    """Runs one command of an sh block."""
    command = without_comment(command)
    program = shlex.split(command.split("\n")[0])[0]
    check(program in PROGRAMS, f"{where}: '{program}' is a command that this test knows")
    if begins(command, LOOKED):
        return looked_at(command, where)
    if begins(command, ["cmake --install"]):
        return None  # cpp blocks install
    started = time.monotonic()
    extra = begins(command, ADDED)
    if not WHOLE and (command == "./run" or begins(command, STARTED)):
        code, output = folder.start(command)
    else:
        code, output = folder.run(f"{command} {ADDED[extra]}" if extra and not WHOLE else command)
    print(f"{time.monotonic() - started:6.2f} s  {where}: {command.splitlines()[0]}", flush=True)
    check(code == 0, f"{where}: '{command}' exits with 0, not {code}: {output[-2000:]}")
    warned = [line for line in output.splitlines() if line.startswith("limber: warning:")]
    check(not warned or any(word in command for word in WARNS), f"{where}: '{command}' warns: {warned}")
    return None


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def same_number(said, found, after):
    if after.lstrip().startswith("ms"):
        return True
    a, b = float(said), float(found)
    return math.isclose(a, b, rel_tol=0.05) or max(abs(a), abs(b)) < 1e-4  # rounding has no digits of its own


def same_line(said, found):
    """Words as they are, numbers nearly; a line that ends in ... goes on."""
    open_end = said.rstrip().endswith("...")
    said, found = " ".join(said.rstrip().removesuffix("...").split()), " ".join(found.split())
    words, other = NUMBER.split(said), NUMBER.split(found)
    if open_end:
        other = other[: len(words)]
        if len(other) < len(words) or not other[-1].startswith(words[-1].rstrip()):
            return False
        words, other = words[:-1], other[:-1]
    numbers, theirs = NUMBER.findall(said), NUMBER.findall(found)
    if words != other:
        return False
    afters = NUMBER.split(said)[1:]
    return all(same_number(a, b, after) for a, b, after in zip(numbers, theirs, afters))


def session(folder, lines, where):
    """A console block: what is shown below each command is what it prints, in this order; other lines may stand between."""
    shown = []
    for line in lines:
        if line.startswith("$ "):
            shown.append((line[2:], []))
        else:
            shown[-1][1].append(line)
    for command, expected in shown:
        started = time.monotonic()
        code, output = folder.run(without_comment(command))
        print(f"{time.monotonic() - started:6.2f} s  {where}: {command}", flush=True)
        refused = any(re.match(r"limber: (?!warning:|note:)", line) for line in expected)
        check((code != 0) == refused, f"{where}: '{command}' exits with {code}: {output}")
        rest = output.splitlines()
        for line in expected:
            if line.strip() in ("...", ""):
                continue
            at = next((i for i, found in enumerate(rest) if same_line(line, found)), None)
            check(at is not None, f"{where}: '{command}' prints {line!r}; it printed {output!r}")
            rest = rest[at + 1 :] if at is not None else rest


def build_example(folder, program, project, where):
    """The C++ block as a stranger's project; returns what it prints."""
    home = folder.path / "example"
    home.mkdir()
    name = re.search(r"add_executable\((\w+) (\S+)\)", project)
    (home / name.group(2)).write_text(program)
    (home / "CMakeLists.txt").write_text(project)
    for step in (
        ["cmake", "--install", BUILD, "--prefix", home / "prefix"],
        [
            "cmake",
            "-G",
            "Ninja",
            "-S",
            home,
            "-B",
            home / "build",
            f"-DCMAKE_PREFIX_PATH={home / 'prefix'}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_CXX_FLAGS={FLAGS}",
        ],
        ["cmake", "--build", home / "build"],
        [home / "build" / name.group(1)],
    ):
        started = time.monotonic()
        done = subprocess.run(step, capture_output=True, text=True, timeout=300)
        print(f"{time.monotonic() - started:6.2f} s  {where}: {' '.join(map(str, step))[:100]}", flush=True)
        check(done.returncode == 0, f"{where}: {step}: {done.stdout}{done.stderr}")
        if done.returncode != 0:
            return ""
    return done.stdout


def check_bar(output, where):
    """A bar of 0.3 m that hangs from a wall: its tip sinks, by less than its length, and stops."""
    sunk = [float(word) for word in re.findall(r"is (\S+) m lower", output)]
    check(
        len(sunk) == 5 and all(math.isfinite(s) and 0.05 < s < 0.3 for s in sunk),
        f"{where}: the bar's tip sinks by less than its length: {output!r}",
    )
    check(len(sunk) == 5 and abs(sunk[-1] - sunk[-2]) < 0.05, f"{where}: it comes to rest: {output!r}")


def follow_document(name, folder):
    program = ""
    for language, lines, above, line in blocks_of(SOURCE / name):
        where = f"{name}:{line}"
        if language == "sh":
            for command in commands_of(lines):
                follow(folder, command, where)
        elif language == "console":
            session(folder, lines, where)
        elif language == "json":
            file = re.search(r"Save this as `([^`]+)`", above)
            text = "\n".join(lines)
            json.loads(text)
            if file:
                (folder.path / file.group(1)).write_text(text)
        elif language == "cpp":
            program = "\n".join(lines) + "\n"
        elif language == "cmake" and program:
            check_bar(build_example(folder, program, "\n".join(lines) + "\n", where), where)
            program = ""
        else:
            check(False, f"{where}: a block of a kind that this test does not run: '{language}'")
    check(not program, f"{name}: a cpp block without a cmake block that builds it")


for document in DOCUMENTS:
    with tempfile.TemporaryDirectory() as temporary:
        follow_document(document, Folder(pathlib.Path(temporary).resolve()))
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
