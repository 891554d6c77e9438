"""The JavaScript programs of package.json, installed once into a folder of the build."""
import base64
import fcntl
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


def skip(why):
    print(f"skipped: {why} (./test --clients installs it)")
    sys.exit(1 if os.environ.get("LIMBER_CLIENTS") else 77)


def install(folder):
    """The folder that holds node_modules; ends the test when that cannot be had."""
    folder = pathlib.Path(folder)
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    if not shutil.which("node"):
        skip("node is not here")

    def has(name):
        try:
            return json.loads((folder / "node_modules" / name / "package.json").read_text())["version"] == wanted[name]
        except OSError:
            return False

    if not all(map(has, wanted)):
        if not os.environ.get("LIMBER_CLIENTS"):
            skip("gltf-validator, three and playwright-core are not here")
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:  # several tests may want them at once
            fcntl.flock(lock, fcntl.LOCK_EX)
            for name in wanted:
                if not has(name):
                    fetch(folder, name, wanted[name])
    return folder


def fetch(folder, name, version):
    """None of the packages needs another one, so that the registry's archives do without npm, which Debian splits from node."""
    registry = os.environ.get("npm_config_registry", "https://registry.npmjs.org").rstrip("/")
    try:
        with urllib.request.urlopen(f"{registry}/{name}/-/{name}-{version}.tgz", timeout=60) as answer:
            data = answer.read()
    except OSError as problem:
        skip(f"{name} {version} cannot be fetched: {problem}")
    pins = json.loads((HERE / "package.json").read_text())["sha512"]
    found = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != pins[name]:
        sys.exit(f"FAILED: {name} {version} has the checksum {found}, expected {pins[name]}")
    shutil.rmtree(folder / "node_modules" / name, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            inside = pathlib.PurePosixPath(member.name)
            if not member.isfile() or inside.parts[0] != "package" or ".." in inside.parts:
                continue
            target = folder / "node_modules" / name / pathlib.Path(*inside.parts[1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.extractfile(member).read())


def node(folder, script, *arguments, timeout=240):
    """What a script of this folder prints, as JSON. It is copied beside node_modules: that is where imports are looked for."""
    copy = pathlib.Path(folder) / script
    shutil.copy(HERE / script, copy)
    done = subprocess.run(
        ["node", str(copy), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        sys.exit(f"FAILED: node {script}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)
