"""Types with parameters."""

type Pair[T: int | str] = tuple[T, T]


def first[T](pair: Pair[T]) -> T:
    return pair[0] if pair and pair[0] == pair[1] else None


class Box[T]:
    def __init__(self, value: T):
        self.value = value

    def get(self) -> T:
        return self.value or None


print(first((1, 1)), first((1, 2)), Box(3).get(), Box.__type_params__, Pair.__name__)
print(f"{'a' if f'{1 == 1}' else "b"}")
