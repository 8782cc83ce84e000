"""What to do when a module of others has been loaded.

A server or a framework tells of each request which call it belongs to; threads carry their call
on. All of it is done by putting a method in the place of another, which is called in turn.
"""

from contextvars import Context
from functools import wraps

from fossick_probe import calls, known, reads, statements
from fossick_probe.recorder import CURRENT


def around(owner, name, make):
    """Puts what `make` makes of a method in its place."""
    before = getattr(owner, name, None)
    if before is not None and not hasattr(before, "fossick_before"):
        after = wraps(before)(make(before))
        after.fossick_before = before
        setattr(owner, name, after)


def method(kind, name, make):
    """The same, once the module is loaded; without a class, of the module itself."""

    def then(module):
        owner = module
        for part in kind.split(".") if kind else ():
            owner = getattr(owner, part, None)
        if owner is not None:
            around(owner, name, make)

    return then


def several(*thens):
    def then(module):
        for one in thens:
            one(module)

    return then


# Servers and frameworks, by how they hand over a request.


# Servers ask whether a function is a coroutine's, so what takes its place must be one too.


def asgi(before):
    async def handle(self, scope, *rest):
        with calls.bind(asgi_header(scope)):
            return await before(self, scope, *rest)

    return handle


def asgi_header(scope):
    wanted = calls.HEADER.encode()
    return next((value for name, value in scope.get("headers", ()) if name.lower() == wanted), None)


def asgi_application(application):
    """An application that tells of its requests."""

    async def handle(scope, receive, send):
        with calls.bind(asgi_header(scope)):
            return await application(scope, receive, send)

    return handle


ENVIRON = "HTTP_" + calls.HEADER.upper().replace("-", "_")


def wsgi(before):
    def handle(self, environ, *rest):
        with calls.bind(environ.get(ENVIRON)):
            return before(self, environ, *rest)

    return handle


def of_request(read):
    """A method that handles a request as long as it runs."""

    def make(before):
        def handle(self, *arguments, **named):
            with calls.bind(word_of(read, self, arguments)):
                return before(self, *arguments, **named)

        return handle

    return make


def of_async_request(read):
    def make(before):
        async def handle(self, *arguments, **named):
            with calls.bind(word_of(read, self, arguments)):
                return await before(self, *arguments, **named)

        return handle

    return make


def word_of(read, self, arguments):
    try:
        return read(self, *arguments)
    except Exception:
        return None


# Python's own server, and all that are made of it.


def begin_request(before):
    """From here to the end of the connection or the next request."""

    def parse_request(self):
        is_fine = before(self)
        end_of_request(self)
        if is_fine:
            self.fossick = calls.bind(self.headers.get(calls.HEADER))
        return is_fine

    return parse_request


def end_of_request(handler):
    binding = handler.__dict__.pop("fossick", None)
    if binding is not None:
        binding.end()


def end_request(before):
    def handle(self, *arguments):
        try:
            return before(self, *arguments)
        finally:
            end_of_request(self)

    return handle


def http_server(module):
    handler = module.BaseHTTPRequestHandler
    around(handler, "parse_request", begin_request)
    around(handler, "handle_one_request", end_request)
    around(handler, "finish", end_request)


# Servers that are given an application.


def uvicorn(before):
    def load(self):
        before(self)
        # Middleware of the server's own stays outside.
        self.loaded_app = asgi_application(self.loaded_app)

    return load


def gunicorn_request(self, *arguments):
    request = next(one for one in arguments if hasattr(one, "headers"))
    return next(value for name, value in request.headers if name.lower() == calls.HEADER)


def waitress_request(self):
    return self.request.headers.get(calls.HEADER.upper().replace("-", "_"))


def header_of_argument(self, request, *rest):
    return request.headers.get(calls.HEADER)


def header_of_request(self, *rest):
    return self.request.headers.get(calls.HEADER)


def environ_of_self(self, *rest):
    return self.environ.get(ENVIRON)


# Threads.


def start_thread(before):
    def start(self):
        if not is_worker(self):
            self._fossick_call = CURRENT.get()
        return before(self)

    return start


def is_worker(thread):
    """A thread of a pool works on many calls, one after the other."""
    return getattr(getattr(thread, "_target", None), "__name__", "") == "_worker"


def run_thread(before):
    def run(self):
        call = self.__dict__.pop("_fossick_call", None)
        if call is None:
            return before(self)
        carry_into(getattr(self, "_context", None), call)
        with calls.join(call):
            return before(self)

    return run


def carry_into(context, call):
    """Since 3.14 a thread enters a context of its own when it runs."""
    if type(context) is Context:
        try:
            context.run(CURRENT.set, call)
        except RuntimeError:
            # It is shared with a thread that runs already, and this one will fail as it would.
            pass


def submit(before):
    def hand_over(self, function, /, *arguments, **named):
        call = CURRENT.get()
        if call is calls.STRAY:
            return before(self, function, *arguments, **named)
        return before(self, carried, call, function, *arguments, **named)

    return hand_over


def carried(call, function, /, *arguments, **named):
    with calls.join(call):
        return function(*arguments, **named)


WATCHED = {
    "threading": several(
        method("Thread", "start", start_thread), method("Thread", "_bootstrap_inner", run_thread)
    ),
    "concurrent.futures.thread": method("ThreadPoolExecutor", "submit", submit),
    "http.server": http_server,
    "uvicorn.config": method("Config", "load", uvicorn),
    "hypercorn.app_wrappers": several(
        method("ASGIWrapper", "__call__", asgi), method("WSGIWrapper", "__call__", asgi)
    ),
    "starlette.applications": method("Starlette", "__call__", asgi),
    "quart.app": method("Quart", "__call__", asgi),
    "litestar.app": method("Litestar", "__call__", asgi),
    "django.core.handlers.asgi": method("ASGIHandler", "__call__", asgi),
    "django.core.handlers.base": several(
        method("BaseHandler", "get_response", of_request(header_of_argument)),
        method("BaseHandler", "get_response_async", of_async_request(header_of_argument)),
    ),
    "sanic.app": method("Sanic", "handle_request", of_async_request(header_of_argument)),
    "flask.app": method("Flask", "__call__", wsgi),
    "bottle": method("Bottle", "__call__", wsgi),
    "falcon.app": method("App", "__call__", wsgi),
    "pyramid.router": method("Router", "__call__", wsgi),
    "cherrypy._cptree": method("Tree", "__call__", wsgi),
    "gunicorn.workers.sync": method("SyncWorker", "handle_request", of_request(gunicorn_request)),
    "gunicorn.workers.gthread": method(
        "ThreadWorker", "handle_request", of_request(gunicorn_request)
    ),
    "gunicorn.workers.base_async": method(
        "AsyncWorker", "handle_request", of_request(gunicorn_request)
    ),
    "waitress.task": method("WSGITask", "execute", of_request(waitress_request)),
    "gevent.pywsgi": method("WSGIHandler", "run_application", of_request(environ_of_self)),
    "cheroot.wsgi": method("Gateway", "respond", of_request(environ_of_self)),
    "aiohttp.web_protocol": method(
        "RequestHandler", "_handle_request", of_async_request(header_of_argument)
    ),
    "tornado.web": method("RequestHandler", "_execute", of_async_request(header_of_request)),
    "sqlite3": statements.sqlite,
    "sqlalchemy.engine.default": several(
        method("DefaultDialect", "do_execute", statements.with_cursor),
        method("DefaultDialect", "do_executemany", statements.with_cursor),
    ),
    "django.db.backends.utils": method("CursorWrapper", "_execute", statements.of_django),
    "pymysql.cursors": method("Cursor", "execute", statements.of_cursor),
    "psycopg.cursor": method("Cursor", "execute", statements.of_cursor),
}

for more in (known.MODULES, reads.MODULES):
    for name, then in more.items():
        WATCHED[name] = several(WATCHED[name], then) if name in WATCHED else then
