"""What is told of conditions, comparisons, calls and failures."""

import datetime
import decimal
import enum
import unittest
import uuid

import support
from fossick_probe import distance, recorder, statements, wire
from fossick_probe.wire import FALSE, LINE, METHOD, TRUE
from support import Watched


def near(gap):
    return 1.0 / (1.0 + gap)


class Conditions(unittest.TestCase):
    def sides(self, condition, ordinal=0, **values):
        """What the two sides of a condition are worth."""
        names = ", ".join(values)
        watched = Watched("def f(%s):\n    if %s:\n        return 1\n" % (names, condition))
        told = watched.call("f", *values.values())
        return told.get((2, TRUE, ordinal)), told.get((2, FALSE, ordinal))

    def test_distances_are_those_of_the_protocol(self):
        cases = [
            ("a == b", dict(a=300, b=42), near(258), 1.0),
            ("a == b", dict(a=42, b=42), 1.0, near(1)),
            ("a != b", dict(a=42, b=42), near(1), 1.0),
            ("a != b", dict(a=40, b=42), 1.0, near(2)),
            ("a < b", dict(a=5, b=3), near(3), 1.0),
            ("a < b", dict(a=1, b=3), 1.0, near(2)),
            ("a <= b", dict(a=5, b=3), near(2), 1.0),
            ("a >= b", dict(a=5, b=3), 1.0, near(3)),
            ("a == b", dict(a="abc", b="abd"), near(1 / 65536), 1.0),
            ("a == b", dict(a="abc", b="ab"), near(1.0), 1.0),
            ("a in b", dict(a=5, b={1, 9, 100}), near(4), 1.0),
            ("a in b", dict(a=5, b=range(9, 20)), near(4), 1.0),
            ("a in b", dict(a="b", b={"a": 1}), near(1 / 65536), 1.0),
            ("a in b", dict(a="c", b="xyzd"), near(1 / 65536), 1.0),
            ("a not in b", dict(a=1, b=[1]), near(1), 1.0),
            ("a", dict(a=0), near(1), 1.0),
            ("a", dict(a=[1, 2, 3]), 1.0, near(3)),
            ("not a", dict(a=[1, 2, 3]), near(3), 1.0),
            ("not a == b", dict(a=1, b=3), 1.0, near(2)),
            ("a is None", dict(a=3), near(1), 1.0),
            ("a == b", dict(a=decimal.Decimal("1.5"), b=decimal.Decimal(4)), near(2.5), 1.0),
            (
                "a == b",
                dict(a=datetime.date(2024, 1, 3), b=datetime.date(2024, 1, 1)),
                near(2),
                1.0,
            ),
            ("a == b", dict(a=(1, "a"), b=(4, "a")), near(3), 1.0),
            ("a == b", dict(a="x", b=1), near(1), 1.0),
            ("0 < a < 10", dict(a=12), near(3), 1.0),
            ("0 < a < 10", dict(a=5), 1.0, near(5)),
            ("0 < a < 10", dict(a=-2), near(4), 1.0),
            ('a.startswith("pre-")', dict(a="prf-x"), near(1 / 65536), 1.0),
        ]
        for condition, values, yes, no in cases:
            with self.subTest(condition, **values):
                for told, expected in zip(self.sides(condition, **values), (yes, no)):
                    self.assertAlmostEqual(told, expected, places=12)

    def test_parts_add_up(self):
        cases = [
            ("a == 1 and b == 2", dict(a=4, b=2), near(3 + 1), 1.0),
            ("a == 1 and b == 2", dict(a=1, b=5), near(3), 1.0),
            ("a == 1 and b == 2", dict(a=1, b=2), 1.0, near(1)),
            ("a == 1 or b == 2", dict(a=4, b=7), near(3), 1.0),
            ("a == 1 or b == 2", dict(a=4, b=2), 1.0, near(1)),
            ("a < 1 or b < 1", dict(a=0, b=5), 1.0, near(1 + 1)),
            ("not (a == 1 and b == 2)", dict(a=1, b=2), near(1), 1.0),
            ("a == 1 and not b == 2", dict(a=1, b=2), near(1), 1.0),
            ("a == 1 and (b == 2 or b > 8)", dict(a=1, b=6), near(3), 1.0),
        ]
        for condition, values, yes, no in cases:
            with self.subTest(condition, **values):
                for told, expected in zip(self.sides(condition, **values), (yes, no)):
                    self.assertAlmostEqual(told, expected, places=12)

    def test_each_part_has_sides_of_its_own(self):
        self.assertEqual((1.0, near(1)), self.sides("a == 1 and b == 2", 1, a=1, b=9))
        self.assertEqual((near(7), 1.0), self.sides("a == 1 and b == 2", 2, a=1, b=9))
        self.assertEqual((None, None), self.sides("a == 1 and b == 2", 2, a=0, b=9))

    def test_values_are_above_nothing_and_below_one(self):
        for values in (dict(a=10**400, b=1), dict(a=float("inf"), b=1), dict(a=float("nan"), b=1),
                       dict(a=1.0, b=1.0 + 2**-52), dict(a="a" * 10**6, b="")):  # fmt: skip
            yes, no = self.sides("a == b", **values)
            self.assertTrue(0.0 < yes < 1.0 and no == 1.0, values.values())

    def test_a_slope_has_no_end(self):
        for far in (300, 70_000, 2 * 10**9):
            self.assertGreater(self.sides("a == 0", a=far - 1), self.sides("a == 0", a=far))


class Statements(unittest.TestCase):
    SOURCE = """
def f(n):
    g(n)
    return g(n + 1)

def g(n):
    if n == 7:
        raise ValueError("broken: %d" % n)
    x = 1
"""

    def test_calls_are_entered_and_return(self):
        watched = Watched(self.SOURCE)
        told = watched.call("f", 1)
        self.assertEqual((1.0, 1.0), (told[3, wire.CALL, 0], told[4, wire.CALL, 0]))
        self.assertEqual((watched.file, 9), watched.last)
        told = watched.call("f", 6)
        self.assertEqual((1.0, 0.5), (told[3, wire.CALL, 0], told[4, wire.CALL, 0]))
        self.assertEqual(1.0, told[8, LINE, 0])
        self.assertEqual((watched.file, 8), watched.last)

    def test_a_failure_is_told_once(self):
        watched = Watched(self.SOURCE)
        watched.call("f", 7)
        self.assertEqual((("ValueError", "broken: 7", watched.file, 8),), watched.failures)
        kinds = [key for key in watched.call("f", 7) if key[1] == wire.EXCEPTION]
        self.assertEqual([8], [line for line, _, _ in kinds])

    def test_the_end_of_an_iteration_is_no_failure(self):
        source = (
            "def f():\n    return next(iter([]))\n"
            "def g():\n    def h():\n        yield 1\n    x = h(); next(x); x.close()\n"
            "def i():\n    try:\n        return {}['k']\n    except KeyError:\n        return 1\n"
        )
        for name in "fgi":
            watched = Watched(source)
            watched.call(name)
            self.assertEqual((), watched.failures, name)

    @unittest.skipIf(support.sys.version_info < (3, 10), "there is no match")
    def test_cases_of_a_match(self):
        watched = Watched(
            "def f(x):\n  match x:\n    case 'admin' | 'root':\n      return 1\n"
            "    case 5 if x:\n      return 2\n    case [y]:\n      return y\n"
        )
        told = watched.call("f", "admim")
        self.assertAlmostEqual(near(1 / 65536), told[3, TRUE, 0])
        self.assertEqual(1.0, told[3, FALSE, 0])
        told = watched.call("f", 5)
        self.assertEqual((1.0, 1.0), (told[3, FALSE, 0], told[5, TRUE, 0]))
        self.assertIn((0, (0, "guest"), (0, "root")), watched.seen("f", "guest"))


class Color(enum.Enum):
    RED = "red"


class Observations(unittest.TestCase):
    def check(self, expression, expected, *values, more=""):
        names = "abc"[: len(values)]
        source = "%s\ndef f(%s):\n    return %s\n" % (more, ", ".join(names), expression)
        self.assertIn(expected, Watched(source).seen("f", *values), expression)

    def test_comparisons(self):
        self.check("a == 5", (0, (1, 7), (1, 5)), 7)
        self.check("a < 5.5", (1, (1, 7), (2, 5.5)), 7)
        self.check("a is None", (0, (0, "x"), (4, None)), "x")
        self.check("a == True", (0, (1, 7), (3, True)), 7)
        self.check("a in (1, 2)", (6, (1, 7), ((1, 1), (1, 2))), 7)
        self.check("a in 'text'", (4, "text", "x"), "x")
        self.check("a in {'k': 1}", (6, (0, "x"), ((0, "k"),)), "x")
        self.check("a.lower() == 'x'", (5, "y", "x"), "Y")
        self.check("a == b", (0, (5, "2024-01-02"), (5, "2024-01-03")),
                   datetime.date(2024, 1, 2), datetime.date(2024, 1, 3))  # fmt: skip
        self.check("a == b", (0, (0, "red"), (0, "blue")), Color.RED, "blue")
        self.check("a == b", (0, (0, str(uuid.UUID(int=1))), (0, "x")), uuid.UUID(int=1), "x")
        self.check("a == (1, 'x')", (0, (0, "y"), (0, "x")), (1, "y"))
        self.check("1 < a < 9", (1, (1, 12), (1, 9)), 12)

    def test_methods_of_texts(self):
        self.check("a.startswith('pre')", (2, "abc", "pre"), "abc")
        self.check("a.startswith(('x', 'y'))", (2, "abc", "y"), "abc")
        self.check("a.endswith('.txt')", (3, "abc", ".txt"), "abc")
        self.check("a.find('b') > 1", (4, "abc", "b"), "abc")
        self.check("a.split('@')", (4, "abc", "@"), "abc")
        self.check("a.isdigit()", (7, "abc", "[0-9]+", "", 2), "abc")

    def test_patterns(self):
        self.check("re.match('^a', a)", (7, "abc", "^a", "", 1), "abc", more="import re")
        self.check("p.search(a)", (7, "abc", "X", "i", 0), "abc", more="import re\np = re.compile('X', re.I)")  # fmt: skip
        self.check("full('X', a, 2)", (7, "abc", "X", "i", 2), "abc", more="from re import fullmatch as full")  # fmt: skip

    def test_parsing(self):
        self.check("int(a)", (8, "12", "integer", "", True), "12")
        self.check("int(a)", (8, "x", "integer", "", False), "x")
        self.check("parse(a)", (8, "{}", "json", "", True), "{}", more="from json import loads as parse")  # fmt: skip
        self.check("date.fromisoformat(a)", (8, "x", "date", "", False), "x", more="from datetime import date")  # fmt: skip
        self.check("d.datetime.strptime(a, '%Y')", (8, "2024", "moment", "%Y", True), "2024", more="import datetime as d")  # fmt: skip
        self.check("UUID(a)", (8, "x", "uuid", "", False), "x", more="from uuid import UUID")
        self.check("Decimal(a)", (8, "1", "decimal", "", True), "1", more="from decimal import Decimal")  # fmt: skip
        self.check("b64(a)", (8, "!", "base64", "", True), "!", more="from base64 import b64decode as b64")  # fmt: skip

    def test_reading_keys(self):
        self.check("a['role']", (9, 4, "role", True, ("x",)), {"role": 1, "x": 2})
        self.check("a['role']", (9, 4, "role", False, ("x",)), {"x": 2})
        self.check("a.get('role')", (9, 4, "role", False, ("x",)), {"x": 2})
        self.check("'role' in a", (9, 4, "role", False, ("x",)), {"x": 2})
        self.check("b in a", (6, (0, "role"), ((0, "x"),)), {"x": 2}, "role")
        self.check("a[b]", (6, (0, "k"), ((0, "x"),)), {"x": 2}, "k")
        self.check("a.pop('role', None)", (9, 4, "role", False, ()), {})

    def test_enumerations(self):
        more = "import enum\nclass Color(enum.Enum):\n    RED = 'red'\n"
        self.check("Color(a)", (6, (0, "x"), ((0, "red"),)), "x", more=more)

    def test_digests_and_operators(self):
        more = "import hmac, operator"
        self.check("hmac.compare_digest(a, 'x')", (0, (0, "y"), (0, "x")), "y", more=more)
        self.check("operator.lt(a, 3)", (1, (1, 5), (1, 3)), 5, more=more)

    def test_long_and_odd_texts_are_left_out(self):
        watched = Watched("def f(a):\n    return a == 'x' or a == b\nb = '\\ud800'\n")
        self.assertEqual([], watched.seen("f", "y" * 1025))
        self.assertEqual([(0, (0, "z"), (0, "x"))], watched.seen("f", "z"))

    def test_there_are_no_more_than_512(self):
        watched = Watched("def f(n):\n" + "".join("    n == %d\n" % at for at in range(600)))
        self.assertEqual(512, len(watched.seen("f", -1)))

    def test_classes_of_the_users_are_left_alone(self):
        source = """
class Mine(str):
    count = 0
    def startswith(self, what):
        Mine.count += 1
        return "mine"
    def __eq__(self, other):
        Mine.count += 1
        return True
    __hash__ = None
def f():
    m = Mine("x")
    return m.startswith("y"), m == "z", Mine.count
"""
        watched = Watched(source)
        watched.call("f")
        self.assertEqual(("mine", True, 2), watched.result)


class Databases(unittest.TestCase):
    SOURCE = """
import sqlite3
def f(name):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE IF NOT EXISTS orders (name TEXT)")
    cursor = connection.cursor()
    cursor.execute("INSERT INTO orders VALUES (?)", (name,))
    return cursor.execute("SELECT * FROM orders JOIN [orders] USING (name)").fetchall()
"""

    def test_of_sqlite_they_are_told_with_their_tables(self):
        import sqlite3

        statements.sqlite(sqlite3)
        watched = Watched(self.SOURCE)
        recorder.RECORDER.statements.clear()
        watched.call("f", "x")
        self.assertEqual([("x",)], watched.result)
        told = [statement[2:] for statement in recorder.RECORDER.statements]
        expected = [([], 0, ["orders"]), (["x"], 1, ["orders"]), ([], 0, ["orders"])]
        self.assertEqual(expected, told)


class Methods(unittest.TestCase):
    def value(self, expression, *values):
        watched = Watched("def f(a):\n    return %s\n" % expression)
        return watched.call("f", *values).get((2, METHOD, 0))

    def test_what_decides_nothing_has_a_distance_too(self):
        self.assertEqual(near(3), self.value("a == 4", 7))
        self.assertEqual(1.0, self.value("a == 4", 4))
        self.assertAlmostEqual(near(1 / 65536), self.value("a.endswith('c')", "abd"))
        self.assertEqual(near(2), self.value("int(a)", "xx1"))
        self.assertEqual(None, self.value("print", 1))

    def test_of_a_text_the_best_piece_counts(self):
        self.assertEqual(0.0, distance.containing("abcdef", "cd"))
        self.assertAlmostEqual(1 / 65536, distance.containing("abcdef", "ce"))


if __name__ == "__main__":
    unittest.main()
