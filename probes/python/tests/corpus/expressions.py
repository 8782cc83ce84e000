"""Order, short circuits and single evaluation."""

trace = []


def say(value, name=None):
    print("say", value if name is None else name)
    return value


if say(0) and say(1) or say(2) and not say(3) or say(0, "zero"):
    print("yes")
else:
    print("no")

print(say(1) < say(5) < say(3) < say(9))
print(say(1) < say(2) <= say(3) != say(4))
if say(1) < say(2) > say(0):
    print("chain")
print(say([]) or say({}) or say("last"))
print(say("a") and say("") and say("b"))
print(not say(0), not not say(3), not (say(1) == say(2)))
print("t" if say(1) == 1 and not say(0) else "f")
print([x for x in range(10) if x % 2 if x > 3 and x != 7 or x == 1])
print({x: y for x in range(3) for y in range(3) if x < y <= 2})
print(sum(x for x in range(10) if x not in (1, 2, 3)))


class Odd:
    """Compares with anything but as it likes."""

    def __init__(self, name):
        self.name = name
        self.counted = 0

    def __eq__(self, other):
        self.counted += 1
        print("eq", self.name)
        return [] if other == 1 else ["full"]

    def __lt__(self, other):
        print("lt", self.name)
        return NotImplemented

    def __gt__(self, other):
        print("gt", self.name)
        return "greater"

    def __bool__(self):
        print("bool", self.name)
        return self.name == "truthy"

    def __contains__(self, one):
        print("contains", one)
        return one == 3

    __hash__ = None


odd = Odd("odd")
print(odd == 1, odd == 2, odd != 3)
if odd == 1:
    print("unreachable")
if odd == 2 and 5 < odd:
    print("compared")
print(1 < odd < 3)
print(odd and 1, odd or 2, Odd("truthy") and 3)
print(3 in odd, 4 not in odd, (3 in odd) is True)
print(odd.counted)
print(not odd)
while odd:
    break
assert Odd("truthy"), "message is not said"
try:
    assert odd, say("message")
except AssertionError as error:
    print("assert", error)
try:
    if odd < 3:
        pass
except TypeError as error:
    print(error)

if (n := say(10)) > 5 and (m := n - 3):
    print(n, m)
print([y for x in range(5) if (y := x * 2) > 4], y)
print(any((found := x) > 3 for x in range(10)), found)
print(1 if None is None else 2, None is not None, 1 is True)
print(f"{say(1) == 1!r:>8} {'a' if say(0) else 'b'}")
print((lambda x, y=say(4): x < y and x)(3))
print([say(1), say(2)][say(0)], {"a": {"b": 1}}["a"]["b"], {"x": 1}.get("y", say(7)))
key = "role"
print({"role": 1}[key], "abc"[1], "abc"[0:2])
print(max(1, 2) == 2, "abc".startswith(("x", "a")), "x".upper().lower() == "x")
print(-1 in range(5), 3 in range(5), "b" in "abc", 5 in {5: 1}, b"a" in b"abc")
print(float("nan") == float("nan"), 0.1 + 0.2 == 0.3, 10**400 == 10**400 + 1, 10**400 > 1.0)
