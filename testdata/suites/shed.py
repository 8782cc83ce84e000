"""A stand-in for the Shed that the sample suite is run against, in every framework.

It has the faults that the sample shows, a login, a GraphQL endpoint and odd corners (hostile
names, redirects, bytes) that a service would rarely have together. Needs Python 3.8 and nothing
else:

    python3 shed.py PORT [twin]

`twin` mends the faults. Tokens: staff is `Bearer shed-staff-demo`; bob logs in with `hammer-9`.
"""

import hashlib
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

STAFF = ("Bearer shed-staff-demo", "Bearer token-of-bob")
ODD = {
    'it\'s "quoted"': "'; DROP TABLE tools; -- \" \\ `",
    "a/b~c.d": "${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s",
    "$ref": "*/ // ?> --> <!-- ]]> </script> <?php",
    "": "line one\nline two\r\n\ttab\f\b\u0001\u007f\u0085\u2028\u2029end",
    "0": "\\u0022 \\x22 \\n \\' \\\" \\\\ \\",
    "unicode": "Zo\u00eb \u6728 \U0001f6e0 \u202e\ufeff e\u0301",
    "long": "A long sentence that no formatter can put on one line, " * 4,
    "numbers": [0, -1, 2.5, 1e-7, 1e300, 9007199254740993, 18446744073709551615],
    "scalars": [True, False, None, "", {}, []],
    "deep": [[{"deeper": [{"deepest": "here"}]}]],
}
TOOL_CODE = re.compile(r"[A-Z]{2}-[0-9]{4}\Z")


class Shed:
    """What the service remembers."""

    def __init__(self, faulty):
        self.faulty = faulty
        self.reset()

    def reset(self):
        self.tools, self.repairs, self.struck_off, self.last = {}, {}, set(), 0

    def next_id(self):
        self.last += 1
        return self.last


def listed(tool):
    if shed.faulty and "size" in tool:
        return {**tool, "size": str(tool["size"])}
    return tool


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def route(self):
        size = int(self.headers.get("content-length") or 0)
        self.sent = self.rfile.read(size)
        url = urlsplit(self.path)
        self.query = parse_qs(url.query, keep_blank_values=True)
        for method, pattern, action in ROUTES:
            match = re.fullmatch(pattern, url.path)
            if match and method == self.command:
                return action(self, *map(unquote, match.groups()))
        return self.problem(404, "there is no such path")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = route

    def answer(self, status, body=None, media_type="application/json", **headers):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if body is not None:
            self.send_header("content-type", media_type)
        if status not in (204, 304):
            self.send_header("content-length", str(len(raw) if body is not None else 0))
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(raw)

    def problem(self, status, detail, **headers):
        body = {"status": status, "detail": detail}
        self.answer(status, body, "application/problem+json", **headers)

    def json(self):
        try:
            return json.loads(self.sent)
        except ValueError:
            return None

    def media_type(self):
        return (self.headers.get("content-type") or "").split(";")[0].strip()

    def is_staff(self):
        return self.headers.get("authorization") in STAFF

    def log_message(self, *arguments):
        pass

    # Tools

    def add_tool(self):
        body = self.json()
        if not isinstance(body, dict) or not TOOL_CODE.match(str(body.get("code"))):
            return self.problem(400, "in the body, /code is missing or odd")
        if any(tool["name"] == body.get("name") for tool in shed.tools.values()):
            return self.problem(409, "there is a tool of that name")
        tool = {"id": shed.next_id(), **body}
        shed.tools[str(tool["id"])] = tool
        tag = '"' + hashlib.sha256(self.sent).hexdigest()[:12] + '"'
        tool_path = f"/tools/{tool['id']}"
        return self.answer(201, tool, location=tool_path, etag=tag)

    def list_tools(self):
        if self.query.get("limit") == ["73"] and shed.faulty:
            return self.problem(500, "something went wrong in here")
        wanted = self.query.get("name")
        tools = [t for t in shed.tools.values() if wanted in (None, [t["name"]])]
        return self.answer(200, [listed(tool) for tool in tools])

    def catalogue(self):
        edges = [{"node": tool} for tool in shed.tools.values()]
        names = [tool["name"] for tool in shed.tools.values()]
        return self.answer(200, {"catalogue": {"edges": edges, "names": names}})

    def get_tool(self, tool_id):
        tool = shed.tools.get(tool_id)
        if tool is None:
            return self.problem(404, "there is no such tool")
        if self.headers.get("if-none-match"):
            return self.answer(304, etag=self.headers["if-none-match"])
        return self.answer(200, tool)

    def named_tool(self, name):
        for tool in shed.tools.values():
            if tool["name"] == name:
                return self.answer(200, tool)
        return self.problem(404, "there is no such tool")

    def former_tool(self, name):
        return self.answer(
            301, location="/named/" + quote(name, safe="") + "/?from=former"
        )

    # Repairs

    def add_repair(self, tool_id):
        body = self.json()
        if tool_id not in shed.tools:
            return self.problem(404, "there is no such tool")
        repair = {"id": shed.next_id(), "tool": shed.tools[tool_id]["id"], **body}
        shed.repairs[str(repair["id"])] = repair
        return self.answer(201, repair)

    def get_repair(self, tool_id, repair_id):
        gone = repair_id in shed.struck_off and not shed.faulty
        if repair_id not in shed.repairs or gone:
            return self.problem(404, "there is no such repair")
        return self.answer(200, shed.repairs[repair_id])

    def delete_repair(self, tool_id, repair_id):
        if repair_id not in shed.repairs or repair_id in shed.struck_off:
            return self.problem(404, "there is no such repair")
        shed.struck_off.add(repair_id)
        return self.answer(204)

    # The rest

    def log_in(self):
        if self.json() != {"name": "bob", "password": "hammer-9"}:
            return self.problem(401, "nobody of that name and password")
        return self.answer(200, {"token": "token-of-bob"})

    def list_loans(self):
        if not self.is_staff():
            return self.problem(401, "this is staff work", www_authenticate="Bearer")
        return self.answer(200, {"loans": [], "by": self.headers["authorization"][-4:]})

    def open_ledger(self):
        if not self.is_staff() and not shed.faulty:
            return self.problem(401, "this is staff work", www_authenticate="Bearer")
        return self.answer(200, {"loans": [], "fee": "12" if shed.faulty else 12})

    def echo(self):
        return self.answer(200, self.sent, self.media_type() or "text/plain")

    def measure(self):
        body = {
            "method": self.command,
            "media_type": self.media_type(),
            "size": len(self.sent),
            "hex": self.sent.hex(),
            "note": self.headers.get("x-note"),
        }
        return self.answer(200, body)

    def graphql(self):
        body = self.json()
        name = body["variables"]["name"]
        found = [t for t in shed.tools.values() if t["name"] == name]
        if "tool(name: $name)" not in body["query"]:
            return self.answer(200, {"errors": [{"message": "Syntax Error"}]})
        tool = {"id": found[0]["id"], "name": name} if found else None
        return self.answer(200, {"data": {"tool": tool}})

    def reset(self):
        shed.reset()
        return self.answer(204)


ROUTES = [
    ("POST", r"/tools", Handler.add_tool),
    ("GET", r"/tools", Handler.list_tools),
    ("GET", r"/catalogue", Handler.catalogue),
    ("GET", r"/tools/([^/]+)", Handler.get_tool),
    ("HEAD", r"/tools/([^/]+)", Handler.get_tool),
    ("GET", r"/named/([^/]+)", Handler.named_tool),
    ("GET", r"/former/([^/]+)", Handler.former_tool),
    ("POST", r"/tools/([^/]+)/repairs", Handler.add_repair),
    ("GET", r"/tools/([^/]+)/repairs/([^/]+)", Handler.get_repair),
    ("DELETE", r"/tools/([^/]+)/repairs/([^/]+)", Handler.delete_repair),
    ("POST", r"/login", Handler.log_in),
    ("GET", r"/staff/loans", Handler.list_loans),
    ("GET", r"/staff/ledger", Handler.open_ledger),
    ("POST", r"/echo", Handler.echo),
    ("POST", r"/measure", Handler.measure),
    ("PUT", r"/measure", Handler.measure),
    ("PATCH", r"/measure", Handler.measure),
    ("GET", r"/odd", lambda handler: handler.answer(200, ODD)),
    ("GET", r"/categories", lambda handler: handler.answer(200, ["hand", "power"])),
    ("GET", r"/count", lambda handler: handler.answer(200, 3)),
    ("POST", r"/graphql", Handler.graphql),
    ("POST", r"/reset", Handler.reset),
]

if __name__ == "__main__":
    shed = Shed(faulty=sys.argv[2:] != ["twin"])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
