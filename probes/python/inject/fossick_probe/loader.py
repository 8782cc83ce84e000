"""Code of the user's own with sites in it."""

import marshal
import os
import sys
import zlib
from functools import cache
from importlib.machinery import SourceFileLoader
from types import CodeType

from fossick_probe import failures, known, link, rewrite, settings, sites
from fossick_probe.scope import real

# What was loaded before, by path: a digest of the source, and the code.
LOADED = {}


class OwnLoader(SourceFileLoader):
    """Loads a module of the user's own, and writes no bytecode where plain code is looked for.

    Once it has done so it steps aside, and the module knows its ordinary loader only.
    """

    def __init__(self, scope, spec):
        super().__init__(spec.loader.name, spec.loader.path)
        self.scope, self.spec, self.plain = scope, spec, spec.loader

    def exec_module(self, module):
        module.__loader__ = self.plain
        super().exec_module(module)

    def get_code(self, fullname):
        self.spec.loader = self.plain
        path = self.get_filename(fullname)
        code = own_code(self.scope, self.get_data(path), path)
        return self.plain.get_code(fullname) if code is None else code


def own_code(scope, source, path):
    """The code with sites, or nothing if it can't be made; the plain code tells what is wrong."""
    digest = zlib.crc32(source), len(source)
    found = LOADED.get(path)
    if found is not None and found[0] == digest:
        return found[1]
    if not link.ensure(scope):
        return None
    try:
        code = instrumented(source, path, scope.name(path))
    except Exception:
        return None
    LOADED[path] = digest, code
    return code


def instrumented(source, path, name):
    marked, specs = marked_code(source, path)
    failures.FILES[path] = failures.FILES[real(path)] = name
    return placed(marked, made(name, specs))


def marked_code(source, path):
    folder = settings.cache_folder()
    if folder is None:
        return rewrite.rewrite(source, path, known.NAMES)
    import hashlib

    key = hashlib.sha256(repr((edition(), sys.version, sys.flags.optimize, path)).encode() + source)
    file = os.path.join(folder, "python-" + key.hexdigest())
    try:
        with open(file, "rb") as cached:
            return marshal.load(cached)
    except (OSError, ValueError, EOFError, TypeError):
        made = rewrite.rewrite(source, path, known.NAMES)
    keep(file, made)
    return made


@cache
def edition():
    """Another one whenever rewriting changes."""
    digest = 0
    for module in (rewrite, known):
        with open(module.__file__, "rb") as file:
            digest = zlib.crc32(file.read(), digest)
    return digest


def keep(file, made):
    """Puts it there as a whole or not at all."""
    partial = "%s.%d" % (file, os.getpid())
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(partial, "wb") as out:
            marshal.dump(made, out)
        os.replace(partial, file)
    except (OSError, ValueError):
        pass


# From what the rewriter says to sites.


def made(file, specs):
    """The sites, by number. Those that others refer to come before them."""
    built = []
    for word, *fields in specs:
        built.append(MAKERS[word](file, built, *fields))
    return built


def make_branch(file, built, line, ordinal, label, inverted, operator, hint, inner):
    inner = None if inner is None else built[inner]
    return sites.Branch(file, line, ordinal, label, inverted, operator, hint, inner)


def make_whole(file, built, line, ordinal, label, tree):
    return sites.Whole(file, line, ordinal, label, grown(tree, built))


def grown(tree, built):
    if type(tree) is tuple:
        return tree[:1] + tuple(grown(part, built) for part in tree[1:])
    return built[tree]


MAKERS = {
    "line": lambda file, built, *fields: sites.Line(file, *fields),
    "function": lambda file, built, *fields: sites.Function(file, *fields),
    "method": lambda file, built, *fields: sites.Method(file, *fields),
    "match": lambda file, built, cases: sites.Match(file, cases),
    "branch": make_branch,
    "whole": make_whole,
}


def placed(code, built):
    """The code with sites where there were marks."""
    constants = tuple(replaced(one, built) for one in code.co_consts)
    return code.replace(co_consts=constants)


def replaced(constant, built):
    if isinstance(constant, CodeType):
        return placed(constant, built)
    if type(constant) is bytes and constant.startswith(rewrite.MARK):
        rest = constant[len(rewrite.MARK) :]
        return sites.Exit if rest == b"exit" else built[int(rest)]
    return constant
