"""Template strings, and annotations that wait."""

x = 3
template = t"{x == 3} {x!r:>{x}}"
print(template.strings, [one.value for one in template.interpolations])
print([one.expression for one in template.interpolations])


def late(a: undefined = 1):
    return a == 1


print(late())
