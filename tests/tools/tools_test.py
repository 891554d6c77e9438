#!/usr/bin/env python3
"""The checks must be able to fail: each rule is broken in a tree of its own, and the breach must be named."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent.parent / "tools"


def run_on(tool, tree):
    """Writes {path: text} into a temporary tree and runs a tool on it: (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, str(TOOLS / tool), folder], capture_output=True, text=True)
        return done.returncode, done.stdout


class Layers(unittest.TestCase):
    def breach(self, path, include):
        return run_on("check_layers.py", {path: f"// comment\n#include {include}\n"})

    def assert_breach(self, path, include):
        code, output = self.breach(path, include)
        self.assertEqual(code, 1, f"{path} may include {include}: {output}")
        self.assertIn(f"{path}:2:", output)

    def assert_fine(self, path, include):
        code, output = self.breach(path, include)
        self.assertEqual(code, 0, output)

    def test_upward_includes_are_breaches(self):
        self.assert_breach("src/core/a.cpp", '"linalg/sparse.hpp"')
        self.assert_breach("src/kernels/a.cpp", '"core/text.hpp"')
        self.assert_breach("src/integrate/a.cpp", '"fem/assembly.hpp"')
        self.assert_breach("src/deform/a.cpp", '"fem/assembly.hpp"')
        self.assert_breach("src/scene/a.cpp", '"sim/run.hpp"')
        self.assert_breach("src/metrics/a.cpp", '"report/plot.hpp"')
        self.assert_breach("src/methods/linear_fem/a.cpp", '"io/mesh.hpp"')

    def test_public_headers_carry_their_layer(self):
        # Otherwise any layer could reach upwards by way of include/limber.
        self.assert_breach("src/geometry/a.cpp", "<limber/deformer.hpp>")
        self.assert_breach("include/limber/mesh.hpp", "<limber/body.hpp>")
        self.assert_fine("include/limber/body.hpp", "<limber/mesh.hpp>")
        self.assert_breach("src/io/a.cpp", "<limber/no_such_header.hpp>")

    def test_methods_are_strangers(self):
        self.assert_breach("src/methods/modal/a.cpp", '"methods/linear_fem/method.hpp"')
        self.assert_breach("src/methods/modal/a.cpp", '"methods/registry.hpp"')
        self.assert_fine("src/methods/modal/a.cpp", '"methods/modal/b.hpp"')
        self.assert_fine("src/methods/registry.cpp", '"methods/linear_fem/method.hpp"')
        self.assert_breach("src/sim/a.cpp", '"methods/linear_fem/method.hpp"')
        self.assert_fine("src/sim/a.cpp", '"methods/registry.hpp"')
        self.assert_breach("src/report/a.cpp", '"methods/linear_fem/method.hpp"')

    def test_outside_libraries_stay_in_their_layers(self):
        self.assert_fine("src/linalg/a.cpp", "<Eigen/Sparse>")
        self.assert_breach("src/geometry/a.cpp", "<Eigen/Dense>")
        self.assert_breach("src/fem/a.cpp", "<cholmod.h>")
        self.assert_breach("src/sim/a.cpp", "<nlohmann/json.hpp>")
        self.assert_fine("src/io/a.cpp", "<nlohmann/json.hpp>")
        self.assert_breach("src/io/a.cpp", "<CLI/CLI.hpp>")
        self.assert_breach("src/io/a.cpp", "<boost/any.hpp>")

    def test_public_headers_see_only_the_standard_library_and_limber(self):
        self.assert_breach("include/limber/mesh.hpp", "<Eigen/Dense>")
        self.assert_breach("include/limber/error.hpp", "<fmt/format.h>")
        self.assert_breach("include/limber/error.hpp", '"core/text.hpp"')
        self.assert_fine("include/limber/error.hpp", "<string>")

    def test_headers_of_the_engine_do_without_those_of_the_tools(self):
        self.assert_breach("include/limber/method.hpp", "<limber/tools/modes.hpp>")
        self.assert_fine("include/limber/tools/matrices.hpp", "<limber/tools/modes.hpp>")
        self.assert_fine("src/scene/a.cpp", "<limber/tools/scene.hpp>")

    def test_an_unknown_folder_or_an_empty_tree_is_a_fault(self):
        # A renamed layer must not pass because nobody looks at it.
        code, output = run_on("check_layers.py", {"src/newlayer/a.cpp": "\n"})
        self.assertEqual(code, 1, output)
        self.assertEqual(run_on("check_layers.py", {"README.md": ""})[0], 1)


class Style(unittest.TestCase):
    @staticmethod
    def function(lines):
        return "int f(int a) {\n" + "    a += 1;\n" * (lines - 2) + "}\n"

    def test_a_function_over_80_lines_is_named(self):
        self.assertEqual(run_on("check_style.py", {"src/core/a.cpp": self.function(80)})[0], 0)
        code, output = run_on("check_style.py", {"src/core/a.cpp": "namespace limber {\n" + self.function(81) + "}\n"})
        self.assertEqual(code, 1)
        self.assertIn("src/core/a.cpp:2: function f has 81 lines", output)

    def test_methods_constructors_and_tests_are_functions_too(self):
        body = "    x();\n" * 90
        for head in (
            "A::A(int a)\n    : a_(a) {\n",
            "TEST(Suite, Claim) {\n",
            "auto f() const noexcept -> int {\n",
            "class A {\n    void f() {\n",
            "struct B f() {\n",
            "std::vector<int> f(std::span<const int> x = {}) {\n",
        ):
            closing = "}\n};\n" if head.startswith("class") else "}\n"
            code, output = run_on("check_style.py", {"src/core/a.cpp": head + body + closing})
            self.assertEqual(code, 1, head + output)

    def test_a_long_class_of_short_functions_is_fine(self):
        text = "class A {\n" + "    int f() { return 1; }\n" * 100 + "};\n"
        self.assertEqual(run_on("check_style.py", {"src/core/a.cpp": text})[0], 0)

    def test_braces_in_comments_and_literals_do_not_count(self):
        short = 'void f() {\n    g("{", \'{\');  // {\n    /* { */ g(R"x({)x");\n}\n'
        text = short + "int a;\n" * 100 + short
        code, output = run_on("check_style.py", {"src/core/a.cpp": text})
        self.assertEqual(code, 0, output)

    def test_a_file_over_800_lines_is_named(self):
        self.assertEqual(run_on("check_style.py", {"src/core/a.cpp": "int a;\n" * 800})[0], 0)
        self.assertEqual(run_on("check_style.py", {"src/core/a.cpp": "int a;\n" * 801})[0], 1)


class Unity(unittest.TestCase):
    @staticmethod
    def unnamed(text):
        return "namespace limber {\nnamespace {\n" + text + "\n}\n}\n"

    def outcome(self, one, other, header=""):
        """Two sources of a layer, the first of which includes a header."""
        return run_on(
            "check_unity.py",
            {
                "src/io/a.cpp": '#include "io/a.hpp"\n' + self.unnamed(one),
                "src/io/b.cpp": self.unnamed(other),
                "src/io/a.hpp": f"namespace limber {{\n{header}\n}}\n",
            },
        )

    def test_a_second_meaning_of_a_name_is_named(self):
        for one, other in (
            ("int f(int a) { return a; }", "int f(int b) { return b; }"),
            ("int f() { return 1; }", "double f() { return 1; }"),
            ("constexpr int kMost = 3;", "constexpr int kLeast = 1, kMost = 4;"),
            ("struct A { int x; };", "class A {};"),
            ("using A = int;", "using A = double;"),
            ("template <class T>\nvoid f(T x) {}", "template <class T>\nvoid f(T y) {}"),
            ("using testing::f;", "int f() { return 1; }"),
            ("int f(const V& v = {}) { return 1; }", "int f(const V& w) { return 1; }"),
        ):
            code, output = self.outcome(one, other)
            self.assertEqual(code, 1, f"{one} / {other}: {output}")
            self.assertIn("src/io/b.cpp:", output)

    def test_overloads_and_repeated_aliases_are_fine(self):
        for one, other in (
            ("int f(int a) { return a; }", "int f(double a) { return 1; }"),
            ("using A = int;", "using A = int;"),
            (
                "int f() {\n    constexpr int k = 1;\n    return k;\n}",
                "int g() {\n    constexpr int k = 1;\n    return k;\n}",
            ),
        ):
            code, output = self.outcome(one, other)
            self.assertEqual(code, 0, f"{one} / {other}: {output}")

    def test_a_name_that_an_included_header_has_is_named(self):
        # The source alone does not include it: its neighbour does.
        for header in ("struct Cost {\n    int x;\n};", "inline constexpr int Cost = 3;"):
            code, output = self.outcome("int g() { return 1; }", "struct Cost { double y; };", header)
            self.assertEqual(code, 1, output)
            self.assertIn("src/io/a.hpp:2", output)
        self.assertEqual(
            self.outcome("int g() { return 1; }", "struct Price { double y; };", "struct Cost { int x; };")[0], 0
        )

    def test_layers_do_not_meet(self):
        tree = {f"src/{layer}/a.cpp": self.unnamed("int f() { return 1; }") for layer in ("io", "core")}
        self.assertEqual(run_on("check_unity.py", tree)[0], 0)

    def test_a_folder_without_sources_is_named(self):
        self.assert_nothing_found("check_unity.py", {})
        self.assert_nothing_found("check_unity.py", {"docs/a.md": "text"})

    def assert_nothing_found(self, tool, tree):
        code, output = run_on(tool, tree)
        self.assertEqual(code, 1, output)
        self.assertIn("no sources found: expected", output)


@unittest.skipUnless(shutil.which("c++"), "there is no compiler")
class Headers(unittest.TestCase):
    def test_a_header_that_leans_on_its_neighbours_is_named(self):
        tree = {"src/a/a.hpp": "inline std::string a();\n", "src/a/b.hpp": "#pragma once\nint b();\n"}
        code, output = run_on("check_headers.py", tree)
        self.assertEqual(code, 1)
        self.assertIn("src/a/a.hpp does not compile alone", output)
        self.assertIn("2 compiled alone, 1 failed", output)

    def test_one_that_includes_what_it_needs_and_any_source_are_fine(self):
        tree = {"src/a/a.hpp": "#pragma once\n#include <string>\nstd::string a();\n", "src/a/a.cpp": "wrong"}
        self.assertEqual(run_on("check_headers.py", tree)[0], 0)

    def test_a_folder_or_a_name_without_headers_is_named(self):
        self.assertEqual(run_on("check_headers.py", {})[0], 1)
        root = TOOLS.parent
        for root_and_names in ([root / "no_such"], [root, "no_such"], [root, "src/core/assert.hpp", "docs"]):
            done = subprocess.run(
                [sys.executable, str(TOOLS / "check_headers.py"), *map(str, root_and_names)],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("no headers found: expected one", done.stdout)


if __name__ == "__main__":
    unittest.main()
