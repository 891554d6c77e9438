#!/usr/bin/env python3
"""./test with stand-ins for cmake, ninja and ctest, and ./test --presets with one for ./test: nothing is built."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLOSING = "100% tests passed, 0 tests failed out of 12"
# Writes its arguments, and a report of twelve tests of 1 to 12 s besides one that was not run.
CTEST = f"""
printf '%s\\n' "$@" > "$CTEST_SAW"
while [ $# -gt 0 ]; do [ "$1" = --output-junit ] && report=$2; shift; done
mkdir -p "$(dirname "$report")"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo "<testcase name=\\"Some/Test.number/$i\\" classname=\\"x\\" time=\\"$i.25\\" status=\\"run\\">"
done > "$report"
echo '<testcase name="not.run" classname="x" time="99" status="disabled">' >> "$report"
echo "{CLOSING}"
exit $CTEST_EXITS
"""
STAND_INS = {
    "dpkg-query": 'for p in "${@:4}"; do echo "installed $p"; done',
    "cmake": "exit 0",
    "ninja": "exit 0",
    "ctest": CTEST,
}


def stand_in(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(f"#!{shutil.which('bash')}\n{text}\n")
    path.chmod(0o755)


class TestCommand(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name) / "a folder with spaces"
        (self.root / "tools").mkdir(parents=True)
        (self.root / "bin").mkdir()
        for name in ("test", "packages.txt", "tools/setup.sh"):
            shutil.copy(ROOT / name, self.root / name)
        for name, text in STAND_INS.items():
            stand_in(self.root / "bin", name, text)

    def run_test(self, *arguments, exits=0, preset="release"):
        self.saw = self.root / "saw"
        environment = dict(
            os.environ,
            PATH=f"{self.root / 'bin'}:{os.environ['PATH']}",
            PRESET=preset,
            CTEST_SAW=str(self.saw),
            CTEST_EXITS=str(exits),
        )
        environment.pop("LIMBER_PRESET", None)
        return subprocess.run(
            [self.root / "test", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            stdin=subprocess.DEVNULL,
        )

    def test_it_ends_with_the_ten_slowest_and_the_time(self):
        done = self.run_test()
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], CLOSING)
        self.assertEqual(lines[2].split(), ["12.25", "s", "Some/Test.number/12"])
        self.assertEqual(lines[11].split(), ["3.25", "s", "Some/Test.number/3"])
        self.assertEqual(len(lines), 13)
        self.assertRegex(lines[12], r"^limber: \d+ s in all: \d+ s to build, \d+ s to test$")

    def test_the_exit_code_is_ctests_and_arguments_arrive(self):
        done = self.run_test("-R", "two words", exits=8)
        self.assertEqual(done.returncode, 8)
        self.assertIn("in all", done.stdout)
        self.assertEqual(self.saw.read_text().splitlines()[-4:], ["-LE", "clients|heavy", "-R", "two words"])

    def test_cholmod_runs_what_links_it_unless_told_otherwise(self):
        self.run_test(preset="cholmod")
        self.assertEqual(self.saw.read_text().splitlines()[-4:], ["-LE", "clients|heavy", "-L", "linalg|yardstick"])
        self.run_test("-R", "io", preset="cholmod")
        self.assertEqual(self.saw.read_text().splitlines()[-4:], ["-LE", "clients|heavy", "-R", "io"])

    def test_tidy_runs_the_checks_of_the_source_unless_told_otherwise(self):
        self.run_test(preset="tidy")
        self.assertEqual(self.saw.read_text().splitlines()[-4:], ["-LE", "clients|heavy", "-R", "^tools"])
        self.run_test("-R", "io", preset="tidy")
        self.assertEqual(self.saw.read_text().splitlines()[-2:], ["-R", "io"])  # ctest takes the last one


def git(folder, *arguments):
    """Without the settings of whoever runs the tests, and whatever git set when a hook runs them."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    person = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    subprocess.run(["git", *person, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Presets(unittest.TestCase):
    """A repository whose ./test notes the preset and its arguments, and fails for the preset named in build/fails."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name) / "a folder with spaces"
        (self.root / "tools").mkdir(parents=True)
        (self.root / "build").mkdir()
        shutil.copy(ROOT / "tools/every_preset.sh", self.root / "tools")
        (self.root / ".gitignore").write_text("/build/\n")
        stand_in(
            self.root,
            "test",
            'cd "$(dirname "$0")"; echo "$LIMBER_PRESET $*" >> build/ran; [ "$LIMBER_PRESET" != "$(cat build/fails)" ]',
        )
        git(self.root, "init", "-q")
        self.commit("first")

    def commit(self, subject):
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", subject)

    def presets(self, *arguments, fails=""):
        """Which presets ran, what was printed, and the exit code."""
        (self.root / "build/fails").write_text(fails)
        (self.root / "build/ran").write_text("")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            [self.root / "tools/every_preset.sh", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        return (self.root / "build/ran").read_text().splitlines(), done.stdout, done.returncode

    def test_all_run_once_and_are_skipped_on_the_same_commit(self):
        ran, said, code = self.presets()
        self.assertEqual(ran, ["release ", "dev ", "tidy ", "clang ", "cholmod "])
        self.assertEqual(code, 0, said)
        ran, said, code = self.presets()
        self.assertEqual((ran, code), ([], 0))
        self.assertIn("dev passed on this commit before: skipped", said)

    def test_a_failure_is_told_in_the_table_and_run_again(self):
        ran, said, code = self.presets(fails="tidy")
        self.assertEqual((len(ran), code), (5, 1))
        self.assertRegex(said, r"(?m)^tidy +failed \(exit code 1\) +\d+ s$")
        self.assertRegex(said, r"(?m)^cholmod +passed +\d+ s$")
        self.assertEqual(self.presets()[0], ["tidy "])

    def test_another_commit_or_a_changed_file_or_other_arguments_run_all(self):
        self.presets()
        self.assertEqual(len(self.presets("-R", "io")[0]), 5)
        (self.root / "new.txt").write_text("new")
        self.assertEqual(len(self.presets()[0]), 5)
        self.assertEqual(len(self.presets()[0]), 5)
        self.commit("second")
        self.assertEqual(len(self.presets()[0]), 5)
        self.assertEqual(self.presets()[0], [])

    def test_arguments_with_spaces_are_others_than_the_same_words_apart(self):
        self.presets("-R", "a", "b")
        self.assertEqual(len(self.presets("-R", "a b")[0]), 5)
        self.assertEqual(self.presets("-R", "a b")[0], [])

    def test_without_a_commit_the_reason_is_told(self):
        self.assertNotIn("none is noted as passed", self.presets()[1])
        shutil.rmtree(self.root / ".git")
        said = self.presets()[1]
        self.assertIn("there is no commit here", said)
        self.assertNotIn("files differ", said)


if __name__ == "__main__":
    unittest.main()
