"""Shed: what the tests share.

Written by: fossick test openapi.json --seed 1
"""

import json
import os
import random
import re
import string
from functools import partialmethod
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import httpx
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry

DEFAULT_BASE_URL = "http://127.0.0.1:8460"
BASE_URL = os.environ.get("FOSSICK_BASE_URL", DEFAULT_BASE_URL).rstrip("/")
SCHEMAS = json.loads(Path(__file__).with_name("schemas.json").read_text("utf-8"))


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

    def problems(self, schema):
        """Where the body does not fit a schema of schemas.json."""
        validator = Draft202012Validator(SCHEMAS[schema], registry=Registry())
        errors = validator.iter_errors(self.body())
        return sorted(f"{error.json_path}: {error.message}" for error in errors)


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
NOTHING = object()
STEPS = [0]


class Client:
    """Sends requests as one user. Redirects are not followed, cookies are not kept."""

    def __init__(self, headers=()):
        self.headers = list(headers)
        # After an error a service may hang up while the next request is under way.
        once = httpx.Limits(max_keepalive_connections=0)
        self.http = httpx.Client(timeout=30, limits=once)

    def send(
        self,
        method,
        path,
        *,
        json=NOTHING,
        content=None,
        media_type="application/json",
        headers=(),
        **variables,
    ):
        """Variables stand in the path as {name} and are escaped when they are put in."""
        if json is not NOTHING:
            content = as_json(json)
        sent = list(headers.items() if isinstance(headers, dict) else headers)
        if content is not None:
            sent.append(("Content-Type", media_type))
        escaped = {name: escape(value) for name, value in variables.items()}
        path = path.format_map(escaped)
        STEPS[0] += 1
        self.http.cookies.clear()
        response = self.http.request(
            method,
            BASE_URL,
            content=content,
            headers=[(name, value.encode()) for name, value in self.headers + sent],
            # The path as it is written: httpx would tidy up what a test needs untidy.
            extensions={"target": (urlsplit(BASE_URL).path + path).encode()},
        )
        return Answer(f"step {STEPS[0]}: {method} {path}", response)

    get = partialmethod(send, "GET")
    post = partialmethod(send, "POST")
    put = partialmethod(send, "PUT")
    patch = partialmethod(send, "PATCH")
    delete = partialmethod(send, "DELETE")
    head = partialmethod(send, "HEAD")
    options = partialmethod(send, "OPTIONS")
    trace = partialmethod(send, "TRACE")
    query = partialmethod(send, "QUERY")


def escape(value):
    return quote(to_text(value), safe="")


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def to_text(value):
    return value if isinstance(value, str) else as_json(value)


def renewed(like):
    """A text of the same make: its last five letters and digits are others."""
    letters = list(like)
    places = [i for i, letter in enumerate(letters) if letter in string.printable[:62]]
    for place in places[-5:]:
        alphabets = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
        alphabet = next(kind for kind in alphabets if letters[place] in kind)
        letters[place] = random.choice(alphabet)
    return "".join(letters)


def secret(variable):
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"the environment variable {variable} is not set")
    return value


@pytest.fixture(autouse=True)
def steps():
    STEPS[0] = 0


@pytest.fixture
def fresh():
    return renewed


@pytest.fixture
def as_text():
    return to_text


@pytest.fixture(scope="session")
def anybody():
    """Somebody without credentials."""
    return Client()


@pytest.fixture(scope="session")
def alice():
    return Client([("Authorization", secret("ALICE_AUTHORIZATION"))])


@pytest.fixture(scope="session")
def bob():
    bob_password = secret("BOB_PASSWORD")
    client = Client()
    answer = client.post("/login", json={"name": "bob", "password": bob_password})
    assert answer.status < 300
    token = to_text(answer.take("/token"))
    return Client([("Authorization", "Bearer " + token)])
