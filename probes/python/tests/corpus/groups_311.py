"""Groups of exceptions."""


def grouped(errors):
    try:
        raise ExceptionGroup("several", errors)
    except* ValueError as group:
        if len(group.exceptions) == 1:
            print("one value", group.exceptions)
    except* (TypeError, KeyError) as group:
        print("others", group.exceptions)
    return "done"


print(grouped([ValueError(1), TypeError(2)]))
print(grouped([ValueError(1), ValueError(3)]))
grouped([OSError("left")])
