"""Statements that a call sends to a database, where they pass through Python.

The cursors of `sqlite3` are seen where the user's code calls them, those that are written in
Python wherever they are called from. Django and SQLAlchemy hand over theirs in one place.
"""

from functools import cache

from fossick_probe import known, observe
from fossick_probe.recorder import RECORDER

LONGEST = 64 << 10
MOST_PARAMETERS = 64


@cache
def table():
    # Not every program needs patterns.
    import re

    optional = r"(?:\s+if(?:\s+not)?\s+exists)?"
    return re.compile(
        r"\b(?:from|into|update|join|table" + optional + r")\s+[\"`\[]?([\w.]+)", re.I
    )


def tables(statement):
    """The names of the tables, each once."""
    found = (name for name in table().findall(statement) if name.lower() != "select")
    return list(dict.fromkeys(found))


def tell(statement, parameters, rows):
    try:
        if RECORDER.recording and type(statement) is str:
            statement = statement[:LONGEST]
            RECORDER.statement(statement, texts(parameters), max(rows, 0), tables(statement))
    except Exception:
        pass


def texts(parameters):
    """Parameters as texts; of those that are no plain values, nothing."""
    if type(parameters) is dict:
        parameters = list(parameters.values())
    if type(parameters) not in (list, tuple):
        return []
    scalars = [observe.scalar(one) for one in parameters[:MOST_PARAMETERS]]
    return ["" if one is None or one[1] is None else str(one[1]) for one in scalars]


def executed(call, site, function, arguments, named, result, worked):
    parameters = arguments[1] if len(arguments) > 1 else ()
    tell(arguments[0], parameters, getattr(result, "rowcount", 0) if worked else 0)


def sqlite(module):
    for kind in (module.Connection, module.Cursor):
        known.METHODS[kind, "execute"] = executed
        known.METHODS[kind, "executemany"] = executed


def with_cursor(before):
    """A method that is given a cursor, a statement and its parameters."""

    def execute(self, cursor, statement, parameters=(), *rest, **named):
        result = before(self, cursor, statement, parameters, *rest, **named)
        tell(statement, parameters, getattr(cursor, "rowcount", 0))
        return result

    return execute


def of_django(before):
    def execute(self, statement, parameters, *rest):
        result = before(self, statement, parameters, *rest)
        tell(statement, parameters, getattr(self.cursor, "rowcount", 0))
        return result

    return execute


def of_cursor(before):
    """A cursor that is written in Python."""

    def execute(self, statement, parameters=None, *rest, **named):
        result = before(self, statement, parameters, *rest, **named)
        tell(statement, parameters, getattr(self, "rowcount", 0))
        return result

    return execute
