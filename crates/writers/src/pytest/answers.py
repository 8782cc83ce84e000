

class Absent:
    """What stands where nothing is."""

    def __init__(self, why=None):
        self.why = why

    def __repr__(self):
        return f"ABSENT ({self.why})" if self.why else "ABSENT"


ABSENT = Absent()


class Answer:
    """What the service answered; pytest shows it when an assert about it fails."""

    def __init__(self, step, response):
        self.step = step
        self.status = response.status_code
        self.headers = response.headers
        self.content = response.content
        self.text = response.content.decode(errors="replace")
        content_type = response.headers.get("content-type", "")
        self.media_type = content_type.partition(";")[0].strip().lower()

    def __repr__(self):
        said = f"{self.status} {self.media_type} {self.text[:500]}"
        return f"<{self.step} answered {said.strip()}>"

    def body(self):
        try:
            return json.loads(self.content)
        except ValueError:
            raise AssertionError(f"the body is not JSON: {self!r}") from None

    def at(self, *path):
        """What stands at a path of the JSON body, or ABSENT."""
        value = self.body()
        for key in path:
            value = inside(value, key)
        return value

    def number(self, *path):
        """The number at a path. Python takes True for 1, JSON does not."""
        value = self.at(*path)
        return None if isinstance(value, bool) else value

    def same(self, other, *path):
        """Whether the value at a path is this one, type and all."""
        return alike(self.at(*path), other)

    def kind(self, *path):
        return kind_of(self.at(*path))

    def size(self, *path):
        """The number of items, of a list only."""
        value = self.at(*path)
        return len(value) if isinstance(value, list) else None

    def lacks(self, *path):
        """Whether an object has no such property, or a list no such place or item."""
        if not path:
            return not self.content
        *above, key = path
        parent = self.at(*above)
        kind = dict if isinstance(key, str) else list
        return isinstance(parent, kind) and isinstance(inside(parent, key), Absent)

    def take(self, pointer):
        """The value at a JSON pointer."""
        value = self.body()
        try:
            for token in pointer.split("/")[1:]:
                key = token.replace("~1", "/").replace("~0", "~")
                value = value[int(key) if isinstance(value, list) else key]
        except (IndexError, KeyError, TypeError, ValueError):
            raise AssertionError(f"nothing at {pointer}: {self!r}") from None
        return value

    def header(self, name):
        assert name in self.headers, f"no header {name}: {self!r}"
        return self.headers[name]

    def location(self):
        """The last segment of the path that the Location header names."""
        path = re.split("[?#]", self.header("Location"))[0]
        return unquote(path.rstrip("/").rpartition("/")[2])

    # SCHEMAS


def inside(value, key):
    """What a list or an object has under a key."""
    if isinstance(key, (dict, list)) and isinstance(value, list):
        found = (item for item in value if carries(item, key))
        return next(found, Absent(f"no item with {key}"))
    if isinstance(key, int) and isinstance(value, list) and key < len(value):
        return value[key]
    if isinstance(key, str) and isinstance(value, dict) and key in value:
        return value[key]
    return value if isinstance(value, Absent) else ABSENT


def carries(item, wanted):
    """Whether an item has {"id": 7}, or is 7 where [7] is wanted."""
    if isinstance(wanted, dict):
        names = isinstance(item, dict) and wanted.keys() <= item.keys()
        return names and all(carries(item[name], wanted[name]) for name in wanted)
    return alike(item, wanted[0] if isinstance(wanted, list) else wanted)


def alike(one, other):
    """Equality of JSON: 1 is 1.0, but neither is true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    return one == other


def kind_of(value):
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return KINDS.get(type(value), "absent")


KINDS = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}
