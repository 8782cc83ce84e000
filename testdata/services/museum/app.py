"""A museum, by GraphQL: rooms with paintings and sculptures, artists, visits.

    python3 app.py PORT [FAULT ...]

FAULTs choose what is wrong with it: `none` (the default), `all`, or some of these names. Each makes
its answers break the schema in `schema.graphql` in a way of its own, without a word of `errors`:

    null          Artist.name is null, though it is `String!`
    scalar        Painting.width is a text, though it is `Float!`
    missing       Room.name is not there, though it was asked for
    enum          the era of a sculpture is none of Era
    typename      a painting says that it is a Picture
    falsy         values of a visit are 0, "", false and [], each where another type is promised:
                  singly `zero`, `empty-text`, `false`, `empty-list`
    id            the identifier of a sculpture is 2.5
    format        Artist.born is a date as people write it
    null-in-list  a tag of a painting is null, though the list is `[String!]!`
    list          a room's guide is a list with the guide
    extra         a visit that tells when it was has a key that nobody asked for
    union         a search finds a room, which is none of Found

Without faults it keeps to its schema, so whatever a test reports of it is a false alarm. It takes
what recorded calls need of GraphQL: variables, aliases, fragments, @skip and @include, and nothing
more. Needs Python 3.8 and nothing else; where graphql-core is installed it tells its schema, and
refuses operations and variables that this does not allow, as services do. GET /__stats tells how
often each fault was met; POST /__reset begins anew.
"""

import json
import pathlib
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

try:
    import graphql
    from graphql.execution.values import get_variable_values

    SCHEMA = graphql.build_schema(pathlib.Path(__file__).with_name("schema.graphql").read_text())
except ImportError:
    SCHEMA = None

FALSY = ("zero", "empty-text", "false", "empty-list")
FAULTS = (
    "null", "scalar", "missing", "enum", "typename", *FALSY, "id", "format", "null-in-list",
    "list", "extra", "union",
)  # fmt: skip

TOKEN = re.compile(
    r'[\s,]+|(?P<name>[_A-Za-z]\w*)|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)'
    r'|(?P<text>"(?:\\.|[^"\\])*")|(?P<mark>\.\.\.|[{}()\[\]:$!=@])'
)
EXHIBITS = ("Painting", "Sculpture")
INTERFACES = {"Exhibit": EXHIBITS, "Found": (*EXHIBITS, "Artist")}


class Refused(Exception):
    """What the client did wrong."""


def allowed(text, variables):
    """The variables as the schema wants them; refused where it does not allow the operation."""
    if SCHEMA is None:
        return variables
    try:
        document = graphql.parse(text)
    except graphql.GraphQLError as wrong:
        raise Refused(wrong.message) from wrong
    wrong = graphql.validate(SCHEMA, document)
    kinds = (d for d in document.definitions if hasattr(d, "variable_definitions"))
    operation = next((d for d in kinds if hasattr(d, "operation")), None)
    if operation and not wrong:
        told = get_variable_values(SCHEMA, operation.variable_definitions or (), variables)
        if not isinstance(told, list):
            return getattr(told, "coerced", told)
        wrong = told
    raise Refused(wrong[0].message if wrong else "there is no operation")


class Parser:
    """Reads an operation and its fragments: names, arguments and selections as plain lists."""

    def __init__(self, text):
        self.tokens = [m for m in TOKEN.finditer(text) if m.lastgroup]
        if sum(len(m.group()) for m in TOKEN.finditer(text)) != len(text):
            raise Refused("there are characters that GraphQL does not have")
        self.at = 0
        self.fragments, self.operation, self.defaults = {}, None, {}

    def peek(self):
        return self.tokens[self.at].group() if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if not token or wanted not in (None, token):
            raise Refused(f"expected {wanted or 'more'}, found {token or 'the end'}")
        self.at += 1
        return token

    def eat(self, mark):
        if self.peek() == mark:
            self.at += 1
            return True
        return False

    def document(self):
        while self.peek():
            if self.eat("fragment"):
                name, _, on = self.take(), self.take("on"), self.take()
                self.fragments[name] = (on, self.selection())
            else:
                self.operation = (self.head(), self.selection())
        if self.operation is None:
            raise Refused("there is no operation")
        return self

    def head(self):
        if self.peek() == "{":
            return "query"
        kind = self.take()
        if self.peek() not in ("(", "{", "@"):
            self.take()
        if self.eat("("):
            while not self.eat(")"):
                self.variable()
        return kind

    def variable(self):
        self.take("$")
        name = self.take()
        self.take(":")
        while self.peek() in ("[", "]", "!") or self.tokens[self.at].lastgroup == "name":
            self.take()
        if self.eat("="):
            self.defaults[name] = self.value()

    def selection(self):
        self.take("{")
        members = []
        while not self.eat("}"):
            members.append(self.member())
        return members

    def member(self):
        if self.eat("..."):
            if self.peek() not in ("on", "{", "@"):
                return ("spread", self.take(), self.directives())
            on = self.take() and self.take() if self.peek() == "on" else None
            return ("part", on, self.directives(), self.selection())
        key = name = self.take()
        if self.eat(":"):
            name = self.take()
        arguments = self.arguments()
        directives = self.directives()
        below = self.selection() if self.peek() == "{" else None
        return ("field", key, name, arguments, directives, below)

    def arguments(self):
        found = {}
        if self.eat("("):
            while not self.eat(")"):
                name, _ = self.take(), self.take(":")
                found[name] = self.value()
        return found

    def directives(self):
        found = []
        while self.eat("@"):
            found.append((self.take(), self.arguments()))
        return found

    def value(self):
        if self.eat("$"):
            name = self.take()
            return lambda variables: variables.get(name)
        if self.eat("["):
            items = []
            while not self.eat("]"):
                items.append(self.value())
            return items
        token = self.tokens[self.at]
        text = self.take()
        if token.lastgroup in ("number", "text"):
            return json.loads(text)
        return {"true": True, "false": False, "null": None}.get(text, text)


class Museum:
    """What there is. A thing is its type and its fields; a field may be a function."""

    def __init__(self, faults):
        self.faults = faults
        self.stats = dict.fromkeys(FAULTS, 0)
        artist = lambda id, name, born: ("Artist", {"id": id, "name": name, "born": born})
        self.artists = [
            artist("a1", "Artemisia Gentileschi", "1593-07-08"),
            artist("a2", "Hilma af Klint", None),
        ]
        self.exhibits = {
            "p1": self.painting("p1", "Judith", "MEDIEVAL", 0, 125.5, ["oil", ""]),
            "p2": self.painting("p2", "The Swan", "MODERN", 1, 150, []),
            "s1": self.sculpture("s1", "Torso", "ANTIQUE", "marble", 0),
            "s2": self.sculpture("s2", "Fountain", "MODERN", None, 40),
        }
        self.rooms = [
            self.room(1, "Hall", ["p1", "s1"], "Ada"),
            self.room(2, "", ["p2", "s2"], None),
        ]

    def has(self, fault):
        self.stats[fault] += fault in self.faults
        return fault in self.faults

    def painting(self, id, title, era, artist, width, tags):
        fields = {"id": id, "title": title, "era": era, "artist": self.artists[artist]}
        return ("Painting", {**fields, "width": width, "tags": tags})

    def sculpture(self, id, title, era, material, weight):
        fields = {"id": id, "title": title, "era": era}
        return ("Sculpture", {**fields, "material": material, "weight": weight})

    def room(self, number, name, exhibits, guide):
        things = [self.exhibits[id] for id in exhibits]
        person = guide and ("Guide", {"name": guide, "languages": ["en", "sv"]})
        return ("Room", {"number": number, "name": name, "exhibits": things, "guide": person})

    def visits(self, first=2):
        def visit(number):
            fields = {
                "key": f"9f8e7d6c-1234-4a5b-8c7d-00112233445{number}",
                "at": f"2024-05-1{number}T10:30:00Z",
                "note": None if number else "",
                "tickets": number,
                "members": [] if number else None,
                "paid": bool(number),
            }
            return ("Visit", fields)

        return [visit(number) for number in range(min(2 if first is None else first, 5))]

    def root(self, kind):
        if kind == "mutation":
            return ("Mutation", {"rename": self.rename})
        return ("Query", {
            "room": lambda number: next((r for r in self.rooms if r[1]["number"] == number), None),
            "rooms": self.rooms,
            "exhibit": lambda id: self.exhibits.get(id),
            "artist": lambda id: next((a for a in self.artists if a[1]["id"] == id), None),
            "artists": self.artists,
            "search": self.search,
            "visits": self.visits,
        })  # fmt: skip

    def search(self, text):
        found = [*self.exhibits.values(), *self.artists]
        name = lambda fields: fields.get("title", fields.get("name"))
        found = [thing for thing in found if text in name(thing[1])]
        return found + [self.rooms[0]] if self.has("union") else found

    def rename(self, id, title):
        if id in self.exhibits:
            self.exhibits[id][1]["title"] = title
        return self.exhibits.get(id)

    def field(self, kind, name, value):
        """A value as the service writes it: the place where the faults are."""
        wrong = {
            ("Artist", "name"): ("null", None),
            ("Painting", "width"): ("scalar", str(value)),
            ("Sculpture", "era"): ("enum", "FUTURE"),
            ("Painting", "__typename"): ("typename", "Picture"),
            ("Visit", "note"): ("zero", 0),
            ("Visit", "tickets"): ("empty-text", ""),
            ("Visit", "members"): ("false", False),
            ("Visit", "paid"): ("empty-list", []),
            ("Sculpture", "id"): ("id", 2.5),
            ("Artist", "born"): ("format", "8 July 1593"),
        }.get((kind, name))
        if wrong and self.has(wrong[0]):
            return wrong[1]
        if (kind, name) == ("Painting", "tags") and self.has("null-in-list"):
            return [*value, None]
        if (kind, name) == ("Room", "guide") and self.has("list"):
            return [value]
        return value


class Execution:
    """One operation, carried out."""

    def __init__(self, museum, document, variables):
        self.museum, self.document = museum, document
        self.variables = {**document.defaults, **variables}

    def run(self):
        kind, selection = self.document.operation
        return self.object(self.museum.root(kind), [selection])

    def object(self, thing, selections):
        kind, fields = thing
        answer = {}
        for key, (name, arguments, below) in self.collected(kind, selections).items():
            if name == "__typename":
                answer[key] = self.museum.field(kind, name, kind)
                continue
            if name not in fields:
                raise Refused(f"{kind} has no field {name}")
            value = fields[name]
            if callable(value):
                value = value(**{name: self.filled(told) for name, told in arguments.items()})
            answer[key] = self.value(self.museum.field(kind, name, value), below)
        if kind == "Room" and self.museum.has("missing"):
            answer.pop("name", None)
        if "at" in answer and self.museum.has("extra"):
            answer["internal"] = True
        return answer

    def value(self, value, below):
        if isinstance(value, list):
            return [self.value(item, below) for item in value]
        return self.object(value, below) if isinstance(value, tuple) else value

    def collected(self, kind, selections):
        found = {}
        for selection in selections:
            self.collect(kind, selection, found)
        return found

    def collect(self, kind, selection, found):
        for member in selection:
            if member[0] == "field":
                _, key, name, arguments, directives, below = member
                if self.included(directives):
                    known = found.setdefault(key, (name, arguments, []))
                    known[2].extend([below] if below else [])
                continue
            if member[0] == "spread":
                on, inner = self.document.fragments[member[1]]
                directives = member[2]
            else:
                _, on, directives, inner = member
            if self.included(directives) and (on in (None, kind) or kind in INTERFACES.get(on, ())):
                self.collect(kind, inner, found)

    def included(self, directives):
        flags = {name: self.filled(told.get("if")) for name, told in directives}
        return flags.get("include", True) and not flags.get("skip", False)

    def filled(self, value):
        return value(self.variables) if callable(value) else value


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/__stats":
            return self.answer({"stats": self.server.museum.stats})
        self.answer({"errors": [{"message": "only POST is understood"}]}, 404)

    def do_POST(self):
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path == "/__reset":
            self.server.museum = Museum(self.server.museum.faults)
            return self.answer({})
        try:
            asked = json.loads(sent)
            if SCHEMA and "__schema" in asked["query"]:
                return self.answer({"data": graphql.graphql_sync(SCHEMA, asked["query"]).data})
            variables = allowed(asked["query"], asked.get("variables") or {})
            document = Parser(asked["query"]).document()
            data = Execution(self.server.museum, document, variables).run()
            self.answer({"data": data})
        except (Refused, KeyError, TypeError, ValueError) as wrong:
            self.answer({"errors": [{"message": str(wrong)}]})

    def answer(self, body, status=200):
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


def chosen(names):
    found = set()
    for name in names:
        found.update({"all": FAULTS, "none": (), "falsy": FALSY}.get(name, (name,)))
    unknown = found - set(FAULTS)
    if unknown:
        raise SystemExit(f"no such fault: {', '.join(sorted(unknown))}")
    return frozenset(found)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.museum = Museum(chosen(sys.argv[2:]))
    server.serve_forever()
