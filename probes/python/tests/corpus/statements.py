"""Loops, handlers, context managers, and several statements on a line."""

import contextlib

x = 3; y = 4; print(x == y); z = x if x > y else y
if x: print("x")
elif y: print("y")
for i in range(3):
    if i == 1: continue
    if i == 5: break
    print(i)
else:
    print("else")
while x > 0 and y:
    x -= 1
    if x == 1:
        break
else:
    print("never")
while not x == 0: x -= 1


@contextlib.contextmanager
def managed(name):
    print("enter", name)
    try:
        yield name
    except KeyError:
        print("swallowed")
    finally:
        print("exit", name)


with managed("a") as a, managed("b" if a == "a" else "c") as b:
    raise KeyError(b)

for error in (ValueError, TypeError, KeyError):
    try:
        raise error("x")
    except (ValueError if error == ValueError else TypeError) as caught:
        print(type(caught).__name__)
    except Exception:
        print("other")
    else:
        print("none")
    finally:
        print("finally")

values = {"a": 1}
values["b" if x == 0 else "c"] = x
values["b"] += 1
del values["a"]
first, *rest = [1, 2, 3]
annotated: int = 5 if x else 6
only: int
print(values, first, rest, annotated)
assert x == 0 and True
assert (x, "always true")
if 0:
    print("constant")
if __debug__:
    print("debug")
"just a text"
...
print([*range(3), *(v for v in range(3) if v > 1)], {**values, "k": 1}, "%s" % (x == 0))
lines = """a
b""".split("\n")
long = (
    x == 0
    and lines[0] == "a"
    and not (
        y < 0
        or lines
        == []
    )
)
print(long)
raise (ValueError if (
    x == 0
) else KeyError)("at the end")
