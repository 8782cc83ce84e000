"""Proves on real packages that the probe changes nothing.

Each package's own tests run as they are and with the probe in the package, once measuring
everything and once with what was hit being covered; the outcomes must be the same, test by test.

    python proof.py [--all] [--keep FOLDER] [PACKAGE...]

Needs pytest. The sources are fetched as `requirements.txt` pins them.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from listener import HERE, Listener

INJECT = os.path.abspath(os.path.join(HERE, "..", "inject"))

# Where a package's code is, and its tests.
PACKAGES = {
    "jmespath": ("jmespath", "tests"),
    "sqlparse": ("sqlparse", "tests"),
    "more-itertools": ("more_itertools", "tests"),
    "attrs": ("src/attr", "tests"),
    "click": ("src/click", "tests"),
    "jinja2": ("src/jinja2", "tests"),
    "parso": ("parso", "test"),
    "werkzeug": ("src/werkzeug", "tests"),
}
# Enough for every change; the others with --all.
SHORT = ["jmespath", "sqlparse", "click", "jinja2"]
# Tests that look at a clock, or wait for servers that reload themselves.
UNSTEADY = ["test_performance", "test_serving"]


def fetched(package, folder):
    """The unpacked source of a package, its archive checked against its hash."""
    archives = os.path.join(folder, "archives")
    found = archive_of(package, archives)
    if found is None:
        pinned = os.path.join(folder, package + ".txt")
        with open(pinned, "w") as out:
            out.write(requirement(package))
        download(pinned, archives)
        found = archive_of(package, archives)
    name = os.path.basename(found)[: -len(".tar.gz")]
    if not os.path.isdir(os.path.join(folder, name)):
        with tarfile.open(os.path.join(archives, found)) as archive:
            archive.extractall(folder)
    return os.path.join(folder, name)


def requirement(package):
    with open(os.path.join(HERE, "requirements.txt")) as pinned:
        return next(line for line in pinned if line.startswith(package + "=="))


def archive_of(package, folder):
    wanted = package.replace("-", "_"), package
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return next((name for name in names if name.startswith(wanted) and name.endswith(".gz")), None)


def download(pinned, folder):
    command = "-m pip download -q --no-deps --no-binary :all: --require-hashes".split()
    subprocess.run([sys.executable, *command, "-d", folder, "-r", pinned], check=True)


def outcomes(source, package, environment, report):
    """What became of each test."""
    code, tests = PACKAGES[package]
    paths = [os.path.dirname(os.path.join(source, code)), source]
    if "PYTHONPATH" in environment:
        paths.insert(0, environment["PYTHONPATH"])
    environment = dict(os.environ, PYTHONHASHSEED="0", **environment)
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    options = ["-q", "-p", "no:cacheprovider", "--junitxml", report]
    options += ["-k", " and ".join("not " + name for name in UNSTEADY)]
    began = time.monotonic()
    with open(report + ".log", "w") as log:
        subprocess.run(
            [sys.executable, "-m", "pytest", tests, *options],
            cwd=source, env=environment, stdout=log, stderr=log, check=False,
        )  # fmt: skip
    return read_report(report), time.monotonic() - began


def read_report(report):
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        key = "%s::%s" % (case.get("classname"), case.get("name"))
        found[key] = kinds[0] if kinds else "passed"
    return found


def with_probe(source, package, report, covers):
    socket = tempfile.mktemp(prefix="fossick-proof-")
    listener = Listener(socket, covers)
    environment = {
        "PYTHONPATH": INJECT,
        "FOSSICK_PROBE": socket,
        "FOSSICK_COVER": os.path.join(source, PACKAGES[package][0]),
        "FOSSICK_PROBE_LOUD": "1",
    }
    try:
        found, seconds = outcomes(source, package, environment, report)
    finally:
        listener.close()
    return found, seconds, listener


def prove(package, folder, modes):
    """Whether all is the same."""
    source = fetched(package, folder)
    report = os.path.join(folder, package + "-%s.xml")
    plain, seconds = outcomes(source, package, {}, report % "plain")
    passed = sum(one == "passed" for one in plain.values())
    print("%s: %d tests, %d pass, %.1f s" % (package, len(plain), passed, seconds))
    is_same = bool(passed)
    for mode in modes:
        probed, slower, listener = with_probe(source, package, report % mode, mode == "covered")
        wrong = different(plain, probed) + listener.failures
        is_same = is_same and not wrong and listener.targets > 0
        said = "%d targets, %.1f s, %d differ" % (listener.targets, slower, len(wrong))
        print("  %s: %s" % (mode, said))
        print("".join("    %s\n" % line for line in wrong[:20]), end="", flush=True)
    return is_same


def different(plain, probed):
    names = sorted(set(plain) | set(probed))
    return [
        "%s: %s, with the probe %s" % (name, plain.get(name), probed.get(name))
        for name in names
        if plain.get(name) != probed.get(name)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    parser.add_argument("--all", action="store_true", help="every package, in both modes")
    parser.add_argument("--keep", metavar="FOLDER", help="where sources and reports are kept")
    words = parser.parse_args()
    names = words.packages or (list(PACKAGES) if words.all else SHORT)
    modes = ["measuring", "covered"] if words.all else ["measuring"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(words.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        results = [prove(name, folder, modes) for name in names]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
