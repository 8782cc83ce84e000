"""Runs the program as if nobody had come between."""

import os
import sys

from fossick_probe import tracebacks
from fossick_probe.loader import own_code


class ProgramLoader:
    def __init__(self, scope, path):
        self.scope, self.path = scope, path

    def get_code(self, name):
        with open(self.path, "rb") as file:
            source = file.read()
        self.restore_path()
        self.own = own_code(self.scope, source, self.path) or plain_code(source, self.path)
        sys.excepthook = Reporter(sys.excepthook)
        PROGRAM.append(self)
        return compile(
            "from fossick_probe.program import PROGRAM as _; _[0].run(globals())", PROLOGUE, "exec"
        )

    def restore_path(self):
        """Python has put the program itself where its folder belongs."""
        sys.path_importer_cache.pop(self.path, None)
        if sys.path and sys.path[0] == self.path:
            folder = os.path.dirname(os.path.realpath(self.path))
            sys.path[:1] = [] if getattr(sys.flags, "safe_path", False) else [folder]

    def run(self, names):
        from importlib.machinery import SourceFileLoader

        del names["_"]
        names["__spec__"] = names["__package__"] = names["__cached__"] = None
        names["__file__"] = self.path
        names["__loader__"] = SourceFileLoader("__main__", self.path)
        exec(self.own, names)


PROGRAM = []
PROLOGUE = tracebacks.FOLDER + "prologue"


def plain_code(source, path):
    return compile(source, path, "exec", dont_inherit=True)


class Reporter:
    """Tells of an exception that ends the program, without what came between."""

    def __init__(self, before):
        self.before = before

    def __call__(self, kind, error, traceback):
        traceback = below_the_program(traceback)
        tracebacks.splice(traceback)
        if error is not None:
            error.__traceback__ = traceback
        self.before(kind, error, traceback)


def below_the_program(traceback):
    at = traceback
    while at is not None and not tracebacks.is_ours(at):
        at = at.tb_next
    while at is not None and tracebacks.is_ours(at):
        at = at.tb_next
    return at or traceback
