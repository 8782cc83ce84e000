"""Stands first among those who find modules, and takes those of the user's own.

Modules of others are found and loaded as ever; of a few it is noted that they are there.
"""

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader

from fossick_probe import settings
from fossick_probe.scope import Scope


class Finder:
    def __init__(self, scope, watched):
        self.scope = scope
        # What to do once a module of another is loaded, by its name.
        self.watched = watched

    def find_spec(self, name, path=None, target=None):
        spec = found_by_others(self, name, path, target)
        if spec is None:
            return None
        try:
            return self.taken(name, spec)
        except Exception:
            return spec

    def taken(self, name, spec):
        if name in self.watched and spec.loader is not None:
            spec.loader = Watching(spec.loader, self.watched[name])
        elif type(spec.loader) is SourceFileLoader and self.scope.owns(name, spec.origin):
            spec.loader = own_loader(self.scope, spec)
        return spec

    def invalidate_caches(self):
        """There are none."""


def found_by_others(finder, name, path, target):
    for other in list(sys.meta_path):
        find = getattr(other, "find_spec", None)
        if other is finder or find is None:
            continue
        spec = find(name, path, target)
        if spec is not None:
            return spec
    return None


def own_loader(scope, spec):
    # Rewriting needs modules that a program without code of the user's own need not load.
    from fossick_probe.loader import OwnLoader

    return OwnLoader(scope, spec)


class Watching:
    """A loader that steps aside when its module is loaded."""

    def __init__(self, plain, then):
        self.plain, self.then = plain, then

    def create_module(self, spec):
        create = getattr(self.plain, "create_module", None)
        return create(spec) if create else None

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.plain
        self.plain.exec_module(module)
        attempt(self.then, module)

    def __getattr__(self, name):
        return getattr(self.plain, name)


def attempt(then, module):
    """The program is not to suffer from what goes wrong here."""
    try:
        then(module)
    except Exception:
        if os.environ.get("FOSSICK_PROBE_LOUD"):
            raise


class Program:
    """Finds the program itself, `python app.py`.

    Python looks for somebody who can import from the path of its program, as it does for archives
    and folders, and if there is one, leaves running it to `runpy`. So all that happens before and
    after is Python's own doing.
    """

    def __init__(self, scope):
        self.scope = scope
        self.is_there = True

    def __call__(self, path):
        if not self.is_there or not os.path.isfile(path) or not self.is_program(path):
            raise ImportError
        self.is_there = False
        return ProgramFinder(self.scope, path)

    def is_program(self, path):
        return path.endswith(".py") and is_argument(path) and self.scope.owns(None, path)


def is_argument(path):
    arguments = getattr(sys, "argv", [""])
    return os.path.abspath(arguments[0]) == os.path.abspath(path)


class ProgramFinder:
    def __init__(self, scope, path):
        self.scope, self.path = scope, path

    def find_spec(self, name, target=None):
        if name != "__main__":
            return None
        from fossick_probe.program import ProgramLoader

        return ModuleSpec(name, ProgramLoader(self.scope, self.path), origin=self.path)


def install():
    from fossick_probe import hooks

    scope = Scope(settings.cover())
    sys.meta_path.insert(0, Finder(scope, hooks.WATCHED))
    sys.path_hooks.insert(0, Program(scope))
    for name, then in hooks.WATCHED.items():
        if name in sys.modules:
            attempt(then, sys.modules[name])
