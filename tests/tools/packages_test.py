#!/usr/bin/env python3
"""./run and ./test read packages.txt: its groups must be the ones they ask for, and failing to install must say so."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def shell(script, path=None, preset="release", root=ROOT):
    """Runs bash with tools/setup.sh sourced; `path` replaces PATH."""
    environment = dict(os.environ, PRESET=preset)
    environment.pop("LIMBER_PRESET", None)
    if path:
        environment["PATH"] = str(path)
    return subprocess.run(
        [shutil.which("bash"), "-c", f'set -u; root="{root}"; . "$root/tools/setup.sh"; {script}'],
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
    )


def folder_with(folder, *commands):
    """A PATH folder that holds only the named commands."""
    for name in commands:
        os.symlink(shutil.which(name), pathlib.Path(folder) / name)
    return folder


class Packages(unittest.TestCase):
    def test_every_group_has_packages_and_none_has_one_twice(self):
        for group in (
            "core",
            "render",
            "pictures",
            "openblas",
            "cholmod",
            "tests",
            "tidy",
            "clang",
            "bench",
            "fuzz",
            "clients",
            "calculix",
        ):
            packages = shell(f"packages_of {group}").stdout.split()
            self.assertTrue(packages, group)
            self.assertEqual(len(packages), len(set(packages)), group)

    def test_only_the_yardstick_installs_gpl_parts(self):
        self.assertIn("libsuitesparse-dev", shell("packages_of $(base_groups)", preset="cholmod").stdout.split())
        for preset in ("release", "dev", "tidy", "clang"):
            self.assertNotIn("libsuitesparse-dev", shell("packages_of $(base_groups)", preset=preset).stdout.split())

    def test_an_unknown_preset_is_refused(self):
        done = shell("true", preset="relese")
        self.assertEqual(done.returncode, 2)
        self.assertIn("relese", done.stderr)

    def test_without_apt_it_prints_what_it_needs_and_stops(self):
        with tempfile.TemporaryDirectory() as folder:
            done = shell("install_groups core", folder_with(folder, "awk", "id", "sed", "grep"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("libeigen3-dev", done.stderr)

    def test_a_user_without_sudo_is_told_what_to_install(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"id": "echo 1000", "apt-get": "exit 1", "dpkg-query": "exit 1"}.items():
                path = pathlib.Path(folder) / name
                path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
                path.chmod(0o755)
            done = shell("install_groups bench", folder_with(folder, "awk", "sed", "grep"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("libbenchmark-dev", done.stderr)

    def test_nothing_is_installed_when_all_is_there(self):
        # apt-get is absent from this PATH: calling it would fail.
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "dpkg-query"
            path.write_text(f"#!{shutil.which('bash')}\nfor p in \"${{@:4}}\"; do echo \"installed $p\"; done\n")
            path.chmod(0o755)
            done = shell("install_groups core tests && echo fine", folder_with(folder, "awk", "sed", "grep"))
        self.assertEqual((done.returncode, done.stdout), (0, "fine\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
