"""Class bodies: mangled names, `super`, enumerations, dataclasses."""

import enum
from dataclasses import dataclass, field, fields
from typing import ClassVar, Generic, NamedTuple, Optional, TypeVar

T = TypeVar("T")
print(T.__module__)


class Base:
    """Doc of the base."""

    __secret = 1 if 2 > 1 else 0
    kind = "base"
    if kind == "base":
        extra = kind.startswith("b")

    def __init__(self, value):
        self.__value = value
        self.__map = {"key": value}

    def get(self, key):
        return self.__map[key] if key in self.__map else self.__map.get(key, self.__secret)

    def __eq__(self, other):
        return isinstance(other, Base) and self.__value == other.__value

    def __hash__(self):
        return hash(self.__value)

    @property
    def value(self):
        return self.__value

    @classmethod
    def made(cls, value):
        return cls(value)

    def startswith(self, what):
        return "mine", what


class Derived(Base):
    def __init__(self, value):
        super().__init__(value)
        if super().get("key") == value and __class__ is Derived:
            self.seen = True

    def get(self, key):
        found = super().get(key)
        return found or None


d = Derived(3)
print(d.get("key"), d.get("none"), d.value, d.seen, sorted(vars(d)), d == Base(3), d != Base(4))
print(sorted(n for n in vars(Base) if not n.startswith("__")), Base.__doc__, Base.extra)
print(d.startswith("x"), Base.made(1).value, hash(d) == hash(Base(3)))


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue" if 1 == 1 else "x"

    def is_red(self):
        return self is Color.RED


print(list(Color), Color("red").is_red(), Color["BLUE"], Color.BLUE == Color.BLUE)
name = "BLUE"
print(Color[name], Color.RED in (Color.RED,))
try:
    Color("green")
except ValueError as error:
    print(error)


@dataclass(order=True)
class Item:
    name: str
    price: float = 1.0 if True else 2.0
    tags: list = field(default_factory=list)
    count: ClassVar[int] = 0
    other: Optional[int] = None


print(Item("a"), Item("a") == Item("a"), Item("a") < Item("b"), [f.name for f in fields(Item)])


class Box(Generic[T]):
    def __class_getitem__(cls, item):
        print("getitem", getattr(item, "__name__", item))
        return super().__class_getitem__(item)


class IntBox(Box[int]):
    pass


class Point(NamedTuple):
    x: int
    y: int = 1 if 3 > 2 else 0


print(Point(1), Point(1) == (1, 1), IntBox.__name__, IntBox.__qualname__, Point.__module__)


class Meta(type):
    def __contains__(cls, item):
        return item == 1

    def __new__(mcs, name, bases, space, **named):
        print(name, sorted(key for key in space if not key.startswith("__")), named)
        return super().__new__(mcs, name, bases, space)


class WithMeta(metaclass=Meta, flag=1 > 0):
    x = [y for y in range(3) if y]
    z = (lambda: 4)() == 4


print(1 in WithMeta, 2 in WithMeta, WithMeta.z)


class Slots:
    __slots__ = ("a",)

    def __init__(self):
        self.a = 1


print(hasattr(Slots(), "__dict__"))


class Descriptor:
    def __set_name__(self, owner, name):
        print("set name", name)

    def __get__(self, holder, owner=None):
        return 5


class Holder:
    d = Descriptor()
    if d:
        e = d


print(Holder.d == 5, Holder().d > 4)
