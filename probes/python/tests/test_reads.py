"""What the user's code looks for in containers of frameworks."""

import unittest
from collections.abc import Mapping

import support
from fossick_probe import reads, wire

# The containers of a framework are made from one another, each in a file of its own.
SIMPLE = """
class Simple(Mapping):
    def __init__(self, store):
        self.store = store
    def __getitem__(self, key):
        return self.store[key.lower()]
    def __iter__(self):
        return iter(self.store)
    def __len__(self):
        return len(self.store)
"""
LENIENT = """
class Lenient(Simple):
    def __getitem__(self, key):
        return super().__getitem__(key.replace("_", "-"))
def length_of(headers):
    return headers["content-length"]
"""
ASKING = """
def get(headers):
    return headers.get("x-tenant", "nobody")
def item(headers):
    return headers["x_tenant"]
def by_itself(headers, ask):
    return ask(headers)
"""


def containers():
    space = {"Mapping": Mapping, "__name__": "containers"}
    for file, source in (("/simple.py", SIMPLE), ("/lenient.py", LENIENT)):
        exec(compile(source, file, "exec"), space)
        if file == "/simple.py":
            reads.methods(space["Simple"], wire.HEADER, "__getitem__")
    return space


class Reads(unittest.TestCase):
    def setUp(self):
        self.space = containers()
        self.headers = self.space["Lenient"]({"x-tenant": "acme", "content-length": "3"})
        self.asking = support.Watched(ASKING)

    def names(self, *call):
        seen = self.asking.seen(*call)
        return [one[2] for one in seen if one[:2] == (wire.READ, wire.HEADER)]

    def test_a_header_is_told_by_whichever_class_it_is_looked_up(self):
        self.assertEqual(["x-tenant"], self.names("get", self.headers))
        self.assertEqual("acme", self.asking.result)
        self.assertEqual(["x-tenant"], self.names("item", self.headers))

    def test_what_a_framework_looks_for_is_not_told(self):
        self.assertEqual([], self.names("by_itself", self.headers, self.space["length_of"]))
        self.assertEqual("3", self.asking.result)


if __name__ == "__main__":
    unittest.main()
