"""What the user's own code looks for in a request: headers, parameters, cookies, fields of forms.

The containers of the frameworks are asked by name. Whether it is the user's code that asks is
seen from where the call comes from.
"""

import sys
from functools import cache, wraps
from types import FunctionType, MappingProxyType

from fossick_probe import failures, known, observe, tracebacks, wire
from fossick_probe.calls import HEADER
from fossick_probe.recorder import CURRENT, RECORDER

MARKS = 16
# Python's own way from a `get` to a `[]`.
DETOUR = "_collections_abc"


def is_asked_by_user(frame, file, kind):
    """Whether the user's code asks, be it by way of the container's own code."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name in failures.FILES:
            return True
        if name != file and DETOUR not in name and frame.f_code not in methods_of(kind):
            return False
        frame = frame.f_back
    return False


@cache
def methods_of(kind):
    """The code of a class and of those that it is made from, in whichever files they stand."""
    everything = [one for base in kind.__mro__ for one in vars(base).values()]
    functions = [innermost(one) for one in everything if type(one) is FunctionType]
    return {one.__code__ for one in functions if type(one) is FunctionType}


def innermost(function):
    """What is below all that was put around it, by us or by others."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


# A name that was found so many times is covered as a branch would be, until a reset.
ENOUGH = 32
MOST_FOUND = 10_000


def is_worth_telling(name):
    return (
        RECORDER.recording and issubclass(type(name), str) and RECORDER.found.get(name, 0) < ENOUGH
    )


def asked(source):
    """A method that looks for a name; the source is a number or what finds it."""

    def make(before):
        file = before.__code__.co_filename

        @wraps(before)
        def ask(self, name, *rest, **named):
            if is_worth_telling(name) and is_asked_by_user(sys._getframe(1), file, type(self)):
                tell(source, self, name)
            try:
                return before(self, name, *rest, **named)
            except BaseException as error:
                tracebacks.trim(error)
                raise

        return ask

    return make


def tell(source, holder, name):
    try:
        call = CURRENT.get()
        kind = source(call, holder) if callable(source) else source
        told(call, kind, str.__str__(name), holder)
    except Exception:
        pass


def told(call, kind, name, holder):
    asked_for = name
    if kind == wire.HEADER:
        name = name.lower()
    all_names, clean = names_in(call, kind, holder)
    is_there = name in all_names
    if is_there and len(RECORDER.found) < MOST_FOUND:
        RECORDER.found[asked_for] = RECORDER.found.get(asked_for, 0) + 1
    observe.read(call, -1, kind, name, is_there, clean)


def names_in(call, kind, holder):
    """All names in a container, and those that may be told.

    In a call, the same container is asked again and again.
    """
    for one, found in call.names:
        if one is holder:
            return found
    # Some containers give pairs where others give names.
    ones = [one[0] if type(one) is tuple else one for one in holder]
    names = [str.__str__(one) for one in ones if issubclass(type(one), str)]
    if kind == wire.HEADER:
        # The tool knows of its own.
        names = [one.lower() for one in names if one.lower() != HEADER]
    found = names, observe.clean(names)
    call.names = (call.names + [(holder, found)])[-MARKS:]
    return found


# Which container holds what is not always seen from its class.


def mark(call, holder, source):
    call.queries = (call.queries + [(holder, source)])[-MARKS:]


def marked(call, holder):
    for one, source in call.queries:
        if one is holder:
            return source
    return by_class(call, holder)


def by_class(call, holder):
    return CLASSES.get(type(holder).__name__, wire.QUERY)


CLASSES = {"QueryParams": wire.QUERY, "FormData": wire.FORM}


class Marked:
    """A property whose value is remembered as what it is."""

    def __init__(self, before, source):
        self.before, self.source = before, source
        self.__doc__ = getattr(before, "__doc__", None)

    def __get__(self, holder, owner=None):
        value = self.before.__get__(holder, owner)
        if holder is None:
            return value
        call = CURRENT.get()
        if not any(one is value for one, _ in call.queries):
            mark(call, value, self.source)
        return value

    def __set__(self, holder, value):
        setter = getattr(self.before, "__set__", None)
        if setter is not None:
            setter(holder, value)
        else:
            holder.__dict__[self.before.__name__] = value

    def __delete__(self, holder):
        self.before.__delete__(holder)

    def __getattr__(self, name):
        return getattr(self.before, name)


def property_of(owner, name, source):
    before = owner.__dict__.get(name)
    if before is not None and not isinstance(before, Marked):
        setattr(owner, name, Marked(before, source))


def methods(owner, source, *names):
    for name in names:
        before = owner.__dict__.get(name)
        if before is not None and not hasattr(before, "__wrapped__"):
            setattr(owner, name, asked(source)(before))


# The containers, by module.


def email(module):
    methods(module.Message, wire.HEADER, "get", "__getitem__", "get_all", "__contains__")


def starlette(module):
    methods(module.Headers, wire.HEADER, "__getitem__", "getlist", "__contains__")
    methods(module.ImmutableMultiDict, marked, "__getitem__", "getlist", "__contains__")


def starlette_requests(module):
    property_of(module.HTTPConnection, "cookies", wire.COOKIE)


def werkzeug_headers(module):
    methods(module.Headers, wire.HEADER, "get", "__getitem__", "getlist", "__contains__")
    methods(module.EnvironHeaders, wire.HEADER, "__getitem__", "__contains__")


def werkzeug_structures(module):
    methods(module.TypeConversionDict, marked, "get")
    methods(module.MultiDict, marked, "__getitem__", "getlist")


def werkzeug_sansio(module):
    property_of(module.Request, "args", wire.QUERY)
    property_of(module.Request, "cookies", wire.COOKIE)


def werkzeug_request(module):
    property_of(module.Request, "form", wire.FORM)


def django_structures(module):
    methods(module.MultiValueDict, marked, "get", "__getitem__", "getlist")
    methods(module.CaseInsensitiveMapping, wire.HEADER, "__getitem__")


def django_wsgi(module):
    for name, source in (("GET", wire.QUERY), ("POST", wire.FORM), ("COOKIES", wire.COOKIE)):
        property_of(module.WSGIRequest, name, source)


def django_asgi(module):
    for name, source in (("GET", wire.QUERY), ("POST", wire.FORM), ("COOKIES", wire.COOKIE)):
        property_of(module.ASGIRequest, name, source)


def tornado_headers(module):
    methods(module.HTTPHeaders, wire.HEADER, "__getitem__", "get_list")


def tornado_web(module):
    handler = module.RequestHandler
    for name, source, holder in (
        ("get_argument", wire.QUERY, "arguments"),
        ("get_arguments", wire.QUERY, "arguments"),
        ("get_query_argument", wire.QUERY, "query_arguments"),
        ("get_body_argument", wire.FORM, "body_arguments"),
        ("get_cookie", wire.COOKIE, "cookies"),
    ):
        setattr(handler, name, argument(source, holder)(getattr(handler, name)))


def argument(source, holder):
    """A method that looks into one of the maps of a request."""

    def make(before):
        file = before.__code__.co_filename

        @wraps(before)
        def ask(self, name, *rest, **named):
            if is_worth_telling(name) and is_asked_by_user(sys._getframe(1), file, type(self)):
                tell_argument(source, self, holder, name)
            return before(self, name, *rest, **named)

        return ask

    return make


def tell_argument(source, handler, holder, name):
    try:
        told(CURRENT.get(), source, name, getattr(handler.request, holder))
    except Exception:
        pass


# Containers that are not written in Python are seen where the user's code calls them.


def compiled_rule(source):
    def rule(call, site, function, arguments, named, result, worked):
        compiled_read(source)(call, function.__self__, arguments[0])

    return rule


def compiled_read(source):
    def read(call, holder, name):
        kind = source(call, holder) if callable(source) else source
        if kind is not None and issubclass(type(name), str):
            told(call, kind, str.__str__(name), holder)

    return read


def compiled(kind, source, *names):
    known.READERS[kind] = compiled_read(source)
    for name in names:
        known.METHODS[kind, name] = compiled_rule(source)


def multidict(module):
    for kind, source in (("CIMultiDict", wire.HEADER), ("MultiDict", marked)):
        for word in (kind, kind + "Proxy"):
            compiled(getattr(module, word), source, "get", "getone", "getall")


def aiohttp(module):
    property_of(module.BaseRequest, "cookies", wire.COOKIE)
    compiled(MappingProxyType, only_marked, "get")


def only_marked(call, holder):
    return next((source for one, source in call.queries if one is holder), None)


MODULES = {
    "email.message": email,
    "starlette.datastructures": starlette,
    "starlette.requests": starlette_requests,
    "werkzeug.datastructures.headers": werkzeug_headers,
    "werkzeug.datastructures.structures": werkzeug_structures,
    "werkzeug.sansio.request": werkzeug_sansio,
    "werkzeug.wrappers.request": werkzeug_request,
    "django.utils.datastructures": django_structures,
    "django.core.handlers.wsgi": django_wsgi,
    "django.core.handlers.asgi": django_asgi,
    "tornado.httputil": tornado_headers,
    "tornado.web": tornado_web,
    "multidict": multidict,
    "aiohttp.web_request": aiohttp,
}
