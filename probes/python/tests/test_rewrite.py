"""Code with sites in it does what it did."""

import ast
import glob
import os
import re
import subprocess
import sys
import unittest

import support


def needs(path):
    """The version of Python that a file of the corpus is for."""
    found = re.search(r"_3(\d+)\.py$", path)
    return (3, int(found.group(1))) if found else (3, 9)


def corpus():
    files = sorted(glob.glob(os.path.join(support.HERE, "corpus", "*.py")))
    return [path for path in files if sys.version_info >= needs(path)]


def source_of(path):
    with open(path) as file:
        return file.read()


class Corpus(unittest.TestCase):
    def test_the_output_is_the_same_measuring(self):
        for path in corpus():
            with self.subTest(path):
                self.same(path, covered=False)

    def test_the_output_is_the_same_when_all_is_covered(self):
        for path in corpus():
            with self.subTest(path):
                self.same(path, covered=True)

    def same(self, path, covered):
        source = source_of(path)
        # One path, since it is part of what is printed.
        expected = support.output(support.plain(source, path), path)
        code = support.probed(source, path, os.path.basename(path))
        records = support.recorder.RECORDER
        try:
            if covered:
                records.cover(range(len(records.descriptors)))
            self.assertEqual(expected, support.output(code, path))
        finally:
            records.reset()

    def test_large_conditions_that_are_there_once_are_the_same(self):
        from fossick_probe import rewrite

        limit = rewrite.LARGEST_TWICE
        try:
            rewrite.LARGEST_TWICE = 0
            for path in corpus():
                with self.subTest(path):
                    self.same(path, covered=False)
        finally:
            rewrite.LARGEST_TWICE = limit


class StandardLibrary(unittest.TestCase):
    def test_all_of_it_can_be_rewritten(self):
        from fossick_probe import known, rewrite

        folder = os.path.dirname(os.__file__)
        for path in sorted(glob.glob(os.path.join(folder, "*.py")))[::4]:
            with open(path, "rb") as file:
                code, specs = rewrite.rewrite(file.read(), path, known.NAMES)
            self.assertTrue(code is not None and specs is not None, path)


class Syntax(unittest.TestCase):
    def test_the_probe_itself_needs_no_more_than_python_3_9(self):
        for path in glob.glob(os.path.join(support.INJECT, "**", "*.py"), recursive=True):
            ast.parse(source_of(path), path, feature_version=(3, 9))

    def test_what_is_no_python_is_left_to_python(self):
        with self.assertRaises(SyntaxError):
            support.probed("if:\n")

    def test_names_of_the_users_code_stay_as_they_are(self):
        space = {}
        exec(support.probed("x = 1 if 2 > 1 else 3\ndef f(): return x == 1\n"), space)
        self.assertEqual({"__builtins__", "x", "f"}, set(space))
        self.assertEqual((), space["f"].__code__.co_varnames)

    def test_warnings_of_the_compiler_are_the_users_own(self):
        source = "def f(x):\n    return x is 1\nassert (f, 'always')\n"
        told = [
            subprocess.run(
                [sys.executable, "-c", program, source],
                capture_output=True,
                text=True,
                cwd=support.HERE,
                check=False,
            ).stderr.count("SyntaxWarning")
            for program in (
                "import sys; compile(sys.argv[1], 'x', 'exec')",
                "import sys, support; support.probed(sys.argv[1])",
            )
        ]
        self.assertEqual(told[0], 2)
        self.assertLessEqual(told[1], 2)


if __name__ == "__main__":
    unittest.main()
