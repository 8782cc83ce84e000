"""Loads the probe when fossick has started this program; else it is not there.

The folder of this file stands first in PYTHONPATH, so Python runs it before anything of the
user's. Another `sitecustomize` that would have been loaded is run as if this one did not exist.
"""


def _begin():
    import os

    if not os.environ.get("FOSSICK_PROBE"):
        return
    try:
        import fossick_probe

        fossick_probe.begin()
    except Exception:
        if os.environ.get("FOSSICK_PROBE_LOUD"):
            raise


def _chain():
    """Runs the next `sitecustomize` on the path, in place of this module."""
    import os
    import sys
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))
    others = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _begin()
finally:
    _chain()
