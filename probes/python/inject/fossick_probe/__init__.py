"""The probe of fossick for Python: says what a call reached of the user's own code.

It is loaded by `sitecustomize` beside it and does nothing until a module of the user's own is
imported; then it rewrites that module, connects to the tool and answers its questions.
"""

import sys

OLDEST = (3, 9)
NEWEST = (3, 14)


def begin():
    """Waits for modules of the user's own, or tells the tool why that is of no use."""
    if sys.implementation.name != "cpython" or not OLDEST <= sys.version_info[:2] <= NEWEST:
        from fossick_probe import refusal

        refusal.refuse_in_background()
        return
    from fossick_probe import finder

    finder.install()
