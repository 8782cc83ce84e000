"""Scopes, closures, generators and what functions know of themselves."""

from __future__ import annotations

import inspect
import sys


def documented(a, b: "not evaluated" = 2) -> undefined:
    "The doc."
    return a == b


print(documented.__doc__, documented.__annotations__, documented(2), documented.__code__.co_varnames)
print(inspect.signature(documented), documented.__code__.co_firstlineno)


def only_doc():
    """Nothing else."""


print(only_doc(), only_doc.__doc__)


def outer():
    count = 0

    def inner():
        nonlocal count
        count += 1
        if count > 2:
            return sorted(locals()), count
        return inner()

    return inner()


print(outer())


def local_names(a):
    if a > 1 and (b := a):
        c = b
    return sorted(locals())


print(local_names(2), local_names(0))


def executed():
    space = {}
    exec("x = 1 if 2 > 1 else 0", space)
    return space["x"], eval("3 > 2")


print(executed())

total = 0


def counted():
    global total
    total += 1
    return total


print(counted(), counted(), total)


def generator(n):
    """Yields."""
    for i in range(n):
        got = yield i
        if got == "stop":
            return "stopped"
    return "done"


g = generator(5)
print(next(g), g.send(None), g.gi_code.co_name, inspect.isgeneratorfunction(generator))
try:
    g.send("stop")
except StopIteration as stop:
    print("stop", stop.value)


def closing():
    try:
        if (yield 1) == 2:
            yield 3
        yield 4
    except GeneratorExit:
        print("closed")
        raise
    finally:
        print("finally")


c = closing()
next(c)
c.close()
c = closing()
print(next(c), c.send(2))
del c


def delegating():
    result = yield from generator(2)
    return result if result == "done" else None


print(list(delegating()))


def recursion(n):
    return 1 if n == 0 else n * recursion(n - 1)


print(recursion(20))


def finally_return():
    try:
        raise ValueError("lost")
    finally:
        return "kept"  # noqa: B012


print(finally_return())


def contexts():
    try:
        try:
            raise KeyError("first")
        except KeyError as error:
            raise ValueError("second") from error
    except ValueError as error:
        return repr(error.__cause__), repr(error.__context__), sys.exc_info()[0].__name__


print(contexts(), sys.exc_info())


def caller():
    return sys._getframe(1).f_code.co_name


def called():
    return caller()


print(called(), caller())
print(called.__name__)


def defaults(x, *, items=[1 if 2 > 1 else 0], **rest):
    return items, rest, x


print(defaults(1, y=2))


def decorate(function):
    print("decorating", function.__name__)
    return function


@decorate
@(lambda f: f if f else None)
def decorated():
    return not None


print(decorated())


def deep():
    if 1:
        for x in ():
            pass
        else:
            while True:
                try:
                    with open("/dev/null") as file:
                        if file:
                            break
                finally:
                    print("out")
    print("end")


print(deep())


def fails(x):
    if x == 1:
        return inner_failure(x)
    return x


def inner_failure(x):
    y = x < "text" and x
    return y


try:
    fails(1)
except TypeError as error:
    tb, lines = error.__traceback__, []
    while tb:
        lines.append((tb.tb_lineno, tb.tb_frame.f_code.co_name))
        tb = tb.tb_next
    print(lines)
fails({} == {} and 1)
