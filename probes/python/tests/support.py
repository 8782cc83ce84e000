"""What the tests share."""

import contextlib
import io
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
PROBES = os.path.dirname(os.path.dirname(HERE))
INJECT = os.path.join(os.path.dirname(HERE), "inject")
GOLDEN = os.path.join(os.path.dirname(PROBES), "crates", "probe", "golden")
for folder in (INJECT, os.path.join(os.path.dirname(HERE), "proof")):
    if folder not in sys.path:
        sys.path.insert(0, folder)

from fossick_probe import hooks, known, loader, recorder  # noqa: E402

for module_name, learn in known.MODULES.items():
    __import__(module_name)
    learn(sys.modules[module_name])
assert hooks.WATCHED


def names(path):
    return {"__name__": "snippet", "__file__": path, "__builtins__": __builtins__}


def output(code, path):
    """What a program prints, and where it fails if it does."""
    out = io.StringIO()
    space = names(path)
    with contextlib.redirect_stdout(out):
        try:
            exec(code, space)
        except BaseException as error:
            for frame in traceback.extract_tb(error.__traceback__)[1:]:
                # Until 3.10 a frame of the probe can be seen within the function that fails.
                if sys.version_info < (3, 11) and frame.filename.startswith(INJECT):
                    continue
                print(os.path.basename(frame.filename), frame.lineno, frame.name, file=out)
            print(type(error).__name__, error, file=out)
    visible = sorted(name for name in space if name != "__builtins__")
    return out.getvalue(), visible


def plain(source, path):
    return compile(source, path, "exec", dont_inherit=True)


def probed(source, path="/snippet.py", name="snippet.py"):
    data = source if isinstance(source, bytes) else source.encode()
    return loader.instrumented(data, path, name)


COUNT = iter(range(1, 1 << 30))


class Watched:
    """A snippet with sites, run in calls of its own."""

    def __init__(self, source):
        at = next(COUNT)
        self.file = "watched%d.py" % at
        self.space = names("/" + self.file)
        exec(probed(source, "/" + self.file, self.file), self.space)

    def call(self, name, *arguments):
        """What a call of a function reached, by line, kind and ordinal."""
        call = recorder.RECORDER.begin(next(COUNT))
        before = recorder.CURRENT.set(call)
        try:
            self.result = self.space[name](*arguments)
        except Exception as error:
            self.result = error
        finally:
            recorder.CURRENT.reset(before)
        hits, last, failures, observations = recorder.RECORDER.end(call.number)
        told = {}
        for target, value in hits:
            file, line, kind, ordinal, _ = recorder.RECORDER.descriptors[target]
            if file == self.file:
                told[line, kind, ordinal] = value
        self.last, self.failures, self.observations = last, failures, observations
        return told

    def seen(self, name, *arguments):
        """What was observed, without targets."""
        self.call(name, *arguments)
        return [observation[1:] for observation in self.observations]
