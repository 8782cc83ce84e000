"""The probe in programs of their own: how it is loaded, forks, and what goes wrong."""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import support
from listener import Listener

SERVICE = os.path.join(support.HERE, "service.py")


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.socket = os.path.join(self.folder, "socket")
        self.listener = None

    def tearDown(self):
        if self.listener is not None:
            self.listener.close()

    def listen(self):
        self.listener = Listener(self.socket, pause=0.02)

    def run_python(self, *arguments, **environment):
        said = {
            "PYTHONPATH": support.INJECT,
            "FOSSICK_PROBE": self.socket,
            "FOSSICK_COVER": SERVICE,
            **environment,
        }
        environment = {**os.environ, **said}
        environment = {key: word for key, word in environment.items() if word is not None}
        return subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            cwd=self.folder,
            timeout=60,
            check=False,
        )

    def without(self, *arguments):
        return self.run_python(*arguments, FOSSICK_PROBE=None, PYTHONPATH=None)

    def same(self, *arguments, **environment):
        """What a program does with the probe, which is what it does without."""
        expected = self.without(*arguments)
        found = self.run_python(*arguments, **environment)
        self.assertEqual(expected.returncode, found.returncode, found.stderr)
        self.assertEqual(expected.stderr, found.stderr)
        # A number of the process comes first; addresses of objects are nobody's business.
        told = [re.sub("0x[0-9a-f]+", "", one.stdout).split()[1:] for one in (expected, found)]
        self.assertEqual(*told)
        return found

    def test_a_program_is_looked_into(self):
        self.listen()
        self.same(SERVICE)
        self.assertEqual(1, self.listener.processes)

    def test_a_program_ends_as_it_did(self):
        self.listen()
        self.assertEqual(5, self.same(SERVICE, "exit").returncode)
        found = self.same(SERVICE, "fail")
        self.assertIn('int("x")', found.stderr)
        self.assertNotIn("fossick", found.stderr)
        self.assertNotIn("runpy", found.stderr)

    def test_what_a_program_knows_of_itself(self):
        program = os.path.join(self.folder, "program.py")
        with open(program, "w") as out:
            out.write(
                "import sys\nprint('-', __name__, __file__, __spec__, __package__, __doc__,"
                " type(__loader__).__name__, sys.argv, sys.path[0], sorted(globals()))\n"
                "import neighbour\n"
            )
        with open(os.path.join(self.folder, "neighbour.py"), "w") as out:
            out.write("import inspect, sys\nprint(__file__, __spec__.name, __cached__ and 1,"
                      " inspect.getsource(sys.modules[__name__]), sorted(globals()))\n")  # fmt: skip
        self.listen()
        self.same(program, "x", FOSSICK_COVER=self.folder)
        self.same("program.py", FOSSICK_COVER=self.folder)
        self.same("-m", "program", FOSSICK_COVER=self.folder)
        self.assertEqual(3, self.listener.processes)

    def test_a_package_is_named_by_its_name(self):
        package = os.path.join(self.folder, "shop", "tests")
        os.makedirs(package)
        for name in ("__init__.py", "app.py", "__main__.py", "tests/__init__.py"):
            with open(os.path.join(self.folder, "shop", name), "w") as out:
                out.write("if __name__ == 'x':\n    pass\n")
        self.listen()
        program = (
            "import shop.app, shop.tests, fossick_probe.failures as f; print(*f.FILES.values())"
        )
        found = self.run_python("-c", program, FOSSICK_COVER="shop")
        self.assertEqual("shop/__init__.py shop/app.py", found.stdout.strip(), found.stderr)
        self.same("-m", "shop", FOSSICK_COVER="shop")

    def test_programs_of_others_are_left_alone(self):
        self.listen()
        self.same("-c", "print(0, 'x' in 'xy')")
        self.same("-m", "json.tool", "--help")
        self.assertEqual(0, self.listener.processes)

    def test_without_a_tool_the_program_goes_on(self):
        self.same(SERVICE)
        self.same(SERVICE, FOSSICK_PROBE="/nonexistent/socket")
        self.same(SERVICE, FOSSICK_PROBE="")

    def test_a_tool_that_leaves_is_not_missed(self):
        self.listen()
        environment = dict(os.environ, PYTHONPATH=support.INJECT, FOSSICK_COVER=self.folder)
        environment["FOSSICK_PROBE"] = self.socket
        program = os.path.join(self.folder, "waits.py")
        with open(program, "w") as out:
            out.write("print('begun', flush=True)\ninput()\nx = 1\nprint(x == 1)\n")
        process = subprocess.Popen(
            [sys.executable, program], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.assertEqual("begun\n", process.stdout.readline())
        time.sleep(0.1)
        self.listener.is_closed.set()
        out, _ = process.communicate("\n", timeout=30)
        self.assertEqual(("True\n", 0), (out, process.returncode))

    def test_a_forked_process_has_a_connection_of_its_own(self):
        self.listen()
        self.same(SERVICE, "fork")
        self.assertEqual(2, self.listener.processes)
        self.assertEqual([], self.listener.failures)

    def test_processes_of_a_pool_are_looked_into(self):
        program = os.path.join(self.folder, "pool.py")
        with open(program, "w") as out:
            out.write(
                # Each waits for the other: one alone could do all the work.
                "import multiprocessing as m\ndef begin(b):\n    global both\n    both = b\n"
                "def f(x):\n    both.wait(30)\n    return x == 1\n"
                "if __name__ == '__main__':\n    spawn = m.get_context('spawn')\n"
                "    with spawn.Pool(2, begin, [spawn.Barrier(2)]) as pool:\n"
                "        print(0, pool.map(f, [1, 2], 1))\n"
            )
        self.listen()
        self.same(program, FOSSICK_COVER=self.folder)
        self.assertGreaterEqual(self.listener.processes, 3)

    def test_another_sitecustomize_is_run_as_well(self):
        with open(os.path.join(self.folder, "sitecustomize.py"), "w") as out:
            out.write("import builtins\nbuiltins.customized = __name__, __file__\n")
        path = os.pathsep.join([support.INJECT, self.folder])
        found = self.run_python("-c", "print(customized)", PYTHONPATH=path)
        other = os.path.join(self.folder, "sitecustomize.py")
        self.assertEqual(str(("sitecustomize", other)), found.stdout.strip(), found.stderr)
        found = self.run_python("-c", "print(customized)", PYTHONPATH=path, FOSSICK_PROBE=None)
        self.assertEqual(str(("sitecustomize", other)), found.stdout.strip(), found.stderr)

    def test_nothing_is_loaded_without_the_variable(self):
        program = "import sys; print([n for n in sys.modules if 'fossick' in n or n == 'ast'])"
        self.assertEqual("[]", self.run_python("-c", program, FOSSICK_PROBE=None).stdout.strip())

    def test_no_bytecode_is_left_and_the_cache_is_used(self):
        module = os.path.join(self.folder, "module.py")
        with open(module, "w") as out:
            out.write("def f(x):\n    return x == 1 and x > 0\nprint(0, f(1))\n")
        cache = os.path.join(self.folder, "cache")
        self.listen()
        for _ in range(2):
            environment = dict(FOSSICK_COVER=self.folder, FOSSICK_PROBE_CACHE=cache)
            found = self.run_python("-c", "import module", **environment)
            self.assertEqual("0 True", found.stdout.strip(), found.stderr)
        self.assertEqual(1, len(os.listdir(cache)))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "__pycache__")))

    def test_a_version_that_is_not_known_is_refused(self):
        self.listen()
        program = (
            "import fossick_probe as f; f.NEWEST = (3, 8); f.begin(); import time; time.sleep(0.5)"
        )
        self.run_python("-c", program)
        self.assertEqual(1, self.listener.processes)
        self.assertEqual(1, len(self.listener.failures))
        self.assertIn("is not supported", self.listener.failures[0])


if __name__ == "__main__":
    unittest.main()
