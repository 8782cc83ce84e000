"""The conformance service: what each request does is said in `probes/protocol`."""

import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(None)

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("content-length", 0))))

    def answer(self, body):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        handle = HANDLERS.get(url.path)
        if handle is None:
            self.respond(404, "nothing here")
            return
        try:
            words = handle(self, query, body)
        except Exception:
            self.respond(500, "something went wrong")
            return
        self.respond(200 if words else 204, words)

    def respond(self, status, words):
        data = words.encode()
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


def ready(request, query, body):
    return ""


def number(request, query, body):
    n = int(query["n"][0])
    if n == 42:
        return "yes"
    return "no"


def in_range(request, query, body):
    n = int(query["n"][0])
    if n > 1000 and n < 1010:
        return "yes"
    return "no"


def text(request, query, body):
    s = query["s"][0]
    if s == "let-me-in":
        return "yes"
    if s.startswith("pre-"):
        return "prefix"
    if re.search("^[a-c]{3}[0-9]{2}$", s):
        return "pattern"
    return "no"


def member(request, query, body):
    s = query["s"][0]
    if s in {"alpha", "beta", "gamma"}:
        return "yes"
    return "no"


def header(request, query, body):
    secret = request.headers.get("x-secret")
    debug = query.get("debug")
    if secret == "open":
        return "yes"
    return "no" if debug is None else "no, but there is more to say"


def role(request, query, body):
    order = json.loads(body)
    if order["role"] == "admin":
        return "yes"
    return "no"


def fail(request, query, body):
    return break_on_seven(int(query["n"][0]))


def break_on_seven(n):
    if n == 7:
        raise ValueError(f"broken: {n}")
    return "no"


def slow(request, query, body):
    n = int(query["n"][0])
    time.sleep(0.02)
    if n == 0:
        return "zero"
    if n == 1:
        return "one"
    if n == 2:
        return "two"
    if n == 3:
        return "three"
    if n == 4:
        return "four"
    if n == 5:
        return "five"
    if n == 6:
        return "six"
    if n == 7:
        return "seven"
    if n == 8:
        return "eight"
    if n == 9:
        return "nine"
    return "no"


def leave(request, query, body):
    os._exit(3)


HANDLERS = {
    "/ready": ready,
    "/number": number,
    "/range": in_range,
    "/text": text,
    "/member": member,
    "/header": header,
    "/json": role,
    "/fail": fail,
    "/slow": slow,
    "/exit": leave,
}


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[-1])), Handler).serve_forever()
