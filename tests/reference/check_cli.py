#!/usr/bin/env python3
"""Runs `LIMBER reproduce accuracy OPTIONS --json FILE` and compares it: check_cli.py LIMBER REFERENCE.json OPTIONS..."""
import pathlib
import subprocess
import sys
import tempfile


def main():
    limber, reference, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        ours = pathlib.Path(folder) / "accuracy.json"
        done = subprocess.run(
            [limber, "reproduce", "accuracy", "-o", folder, "--json", str(ours), "--no-pictures"] + options,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if not ours.exists():
            print(f"limber wrote no {ours.name}; exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
            return 1
        compare = pathlib.Path(__file__).with_name("compare.py")
        return subprocess.run([sys.executable, str(compare), str(ours), reference]).returncode


if __name__ == "__main__":
    sys.exit(main())
