//! A small service in Python. What it answers is for each test to say.

const SERVING: &str = r#"
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, body = answer(self.path)
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print("listening", flush=True)
server.serve_forever()
"#;

/// The program, from a text that defines `answer(path)`: a status and a body. It takes its port.
pub(crate) fn small(answer: &str) -> String {
    answer.to_owned() + SERVING
}

/// A small service that dies over one value. `NAME` is what it calls itself.
pub(crate) const MORTAL: &str = r#"
import os
from urllib.parse import parse_qs, urlsplit

number = {"name": "code", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 9}}
default = {"default": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}
document = {
    "openapi": "3.0.3",
    "info": {"title": os.environ.get("NAME", "small"), "version": "1"},
    "paths": {
        "/codes": {"get": {"parameters": [number], "responses": default}},
        "/health": {"get": {"responses": default}},
    },
}

def answer(path):
    url = urlsplit(path)
    if url.path != "/codes":
        return 200, document if url.path == "/openapi.json" else {"path": url.path}
    code = parse_qs(url.query).get("code", ["0"])[0]
    if code == "7":
        print("seven is too much", flush=True)
        os._exit(3)
    return (200 if code in list("012345689") else 400), {"path": url.path}
"#;
