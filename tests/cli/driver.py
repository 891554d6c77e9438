"""What tests of the command line share: the program (first argument), a run of it, checks that are counted, a refusal in one line."""
import json
import pathlib
import subprocess
import sys
import time

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED: " + what)


def run(*arguments, folder=None):
    return subprocess.run(
        [LIMBER, *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        timeout=250,
    )


def fails(*arguments, words=(), code=2, folder=None):
    """Exit code, exactly one line on stderr besides warnings, nothing on stdout; with --json an error object on stdout."""
    name = " ".join(map(str, arguments))
    done = run(*arguments, folder=folder)
    check(done.returncode == code, f"'{name}' exits with {code}, not {done.returncode}: {done.stderr}")
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("limber: warning: ", "limber: note: "))]
    check(
        len(lines) == 1 and lines[0].startswith("limber: "),
        f"'{name}' says one line beginning with limber:, not {lines}",
    )
    for word in words:
        check(word in done.stderr, f"'{name}' mentions {word!r}: {done.stderr!r}")
    if "--json" in arguments:
        error = json.loads(done.stdout)["error"]
        check(error["message"] and error["fault"], f"'{name}' explains itself in JSON")
    else:
        check(done.stdout == "", f"'{name}' prints nothing on stdout")
    return done


def wait_until(process, happened, seconds=200):
    """Waits for what a process does (a file that appears, a word it says); False when it ended before, or after `seconds`."""
    deadline = time.monotonic() + seconds
    while not happened():
        if process.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return process.poll() is None


def humanoid_in(folder):
    """A small rigged character, made once per folder."""
    path = folder / "character.glb"
    if not path.exists():
        check(run("mesh", "asset", "humanoid", "--triangles", 2500, "-o", path).returncode == 0, "a humanoid is made")
    return path


def as_json(*arguments, folder=None, code=0):
    done = run(*arguments, "--json", folder=folder)
    check(
        done.returncode == code,
        f"'{' '.join(map(str, arguments))}' exits with {code}, not {done.returncode}: {done.stderr}",
    )

    def refuse(word):
        raise ValueError(word + " in JSON")

    return json.loads(done.stdout, parse_constant=refuse)
