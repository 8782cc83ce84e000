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
