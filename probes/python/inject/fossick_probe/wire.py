"""Messages as bytes, as `probes/protocol` specifies them.

Only what a probe sends is written here and only what it receives is read. Messages that come are
plain tuples, their name first.
"""

import struct

VERSION = 3
LONGEST_FRAME = 4 << 20
LONGEST_TEXT = 1 << 20
LENGTH = struct.Struct("<I")
REAL = struct.Struct("<d")

HELLO, REGISTER, BEGIN, END, DELTA, COVERED, RESET, SQL, PING, PONG, BYE, ERROR = range(1, 13)

LINE, TRUE, FALSE, CALL, METHOD, EXCEPTION = range(6)

EQUAL, ORDER, PREFIX, SUFFIX, CONTAINS, SAME, MEMBER, PATTERN, PARSE, READ = range(10)
HEADER, QUERY, COOKIE, FORM, KEY = range(5)

TEXT, WHOLE, FLOAT, FLAG, NOTHING, MOMENT = range(6)

# Observations are cut off before a frame could become too long.
ROOM = LONGEST_FRAME - (64 << 10)


class FrameError(ValueError):
    """A frame that can't be understood; the next one may be fine."""


class TooLong(FrameError):
    """The stream is lost: where the next frame begins can't be known."""


# Writing.


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value):
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def text(value):
    data = value.encode("utf-8", "replace")[:LONGEST_TEXT]
    return number(len(data)) + data


def texts(values):
    return number(len(values)) + b"".join(map(text, values))


def flag(value):
    return b"\1" if value else b"\0"


def share(value):
    return b"\1" if value >= 1.0 else b"\0" + REAL.pack(value)


def scalar(value):
    tag, content = value
    return bytes((tag,)) + SCALARS[tag](content)


SCALARS = {
    TEXT: text,
    WHOLE: signed,
    FLOAT: REAL.pack,
    FLAG: flag,
    NOTHING: lambda _: b"",
    MOMENT: text,
}


def scalars(values):
    return number(len(values)) + b"".join(map(scalar, values))


def byte(value):
    return bytes((value,))


# The fields of an observation, by its kind.
FIELDS = {
    EQUAL: (scalar, scalar),
    ORDER: (scalar, scalar),
    PREFIX: (text, text),
    SUFFIX: (text, text),
    CONTAINS: (text, text),
    SAME: (text, text),
    MEMBER: (scalar, scalars),
    PATTERN: (text, text, text, byte),
    PARSE: (text, text, text, flag),
    READ: (byte, text, flag, texts),
}


def observation(seen):
    target, kind, *fields = seen
    written = [write(field) for write, field in zip(FIELDS[kind], fields)]
    return number(target) + byte(kind) + b"".join(written)


def frame(kind, payload=b""):
    return LENGTH.pack(len(payload) + 1) + bytes((kind,)) + payload


def hello(process, roots, abilities, language="python"):
    fields = text(language), number(process), number(VERSION), texts(roots), texts(abilities)
    return frame(HELLO, b"".join(fields))


def register(first, descriptors):
    files, out = {}, [number(first), number(len(descriptors))]
    for file, *rest in descriptors:
        out += [file_number(files, file), descriptor(*rest)]
    return frame(REGISTER, b"".join(out))


def file_number(files, file):
    """Where the file stands among those named so far; a new one is followed by its name."""
    if file in files:
        return number(files[file])
    files[file] = len(files)
    return number(files[file]) + text(file)


def descriptor(line, kind, ordinal, label):
    return number(line) + byte(kind) + number(ordinal) + text(label)


def begin(call):
    return frame(BEGIN, number(call))


def delta(call, hits, last, failures, observations, died=False):
    """Hits are pairs in ascending order of ids."""
    head = number(call) + ids_with(hits) + place(last)
    head += number(len(failures)) + b"".join(map(failure, failures))
    seen = within(map(observation, observations), ROOM - len(head))
    return frame(DELTA, head + number(len(seen)) + b"".join(seen) + flag(died))


def ids_with(hits):
    out, following = [number(len(hits))], 0
    for target, value in hits:
        out += [number(target - following), share(value)]
        following = target + 1
    return b"".join(out)


def place(where):
    return b"\0" if where is None else b"\1" + text(where[0]) + number(where[1])


def failure(raised):
    exception, message, file, line = raised
    return text(exception) + text(message) + text(file) + number(line)


def within(parts, room):
    """As many of the parts as there is room for."""
    taken = []
    for part in parts:
        room -= len(part)
        if room < 0:
            break
        taken.append(part)
    return taken


def reset():
    return frame(RESET)


def sql(call, statement, parameters, rows, tables):
    fields = number(call), text(statement), texts(parameters), number(rows), texts(tables)
    return frame(SQL, b"".join(fields))


def pong():
    return frame(PONG)


def error(words):
    return frame(ERROR, text(words))


# Reading.


class Payload:
    """The fields of a payload, taken one after the other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise FrameError("a message ends in the middle of a field")
        self.at += count
        return taken

    def number(self, bits=64):
        value = shift = 0
        while True:
            (low,) = self.take(1)
            value |= (low & 0x7F) << shift
            if low < 0x80:
                break
            shift += 7
            if shift >= 70:
                raise FrameError("a number is too large")
        if value >> bits or (low == 0 and shift):
            raise FrameError("a number is too large or not written in its shortest form")
        return value

    def text(self):
        length = self.number()
        if length > LONGEST_TEXT:
            raise FrameError("a text of %d bytes is too long" % length)
        try:
            return str(self.take(length), "utf-8")
        except UnicodeDecodeError:
            raise FrameError("a text is not UTF-8") from None

    def count(self):
        """How many follow. Each takes a byte at least, so it can be checked first."""
        count = self.number()
        if count > len(self.data) - self.at:
            raise FrameError("a message ends in the middle of a field")
        return count

    def texts(self):
        return [self.text() for _ in range(self.count())]

    def ids(self):
        ids, following = [], 0
        for _ in range(self.count()):
            one = following + self.number()
            if one >> 32:
                raise FrameError("a number is too large")
            ids.append(one)
            following = one + 1
        return ids

    def finish(self):
        left = len(self.data) - self.at
        if left:
            raise FrameError("a message is followed by %d bytes that belong to nothing" % left)


def read_hello(payload):
    language, process, version = payload.text(), payload.number(32), payload.number(32)
    return "hello", language, process, version, payload.texts(), payload.texts()


READERS = {
    HELLO: read_hello,
    BEGIN: lambda payload: ("begin", payload.number()),
    END: lambda payload: ("end", payload.number()),
    COVERED: lambda payload: ("covered", payload.ids()),
    RESET: lambda payload: ("reset",),
    PING: lambda payload: ("ping",),
    BYE: lambda payload: ("bye",),
}


def read(data):
    """The message of a frame without its length."""
    if not data:
        raise FrameError("a frame is empty")
    reader = READERS.get(data[0])
    if reader is None:
        if REGISTER <= data[0] <= ERROR:
            raise FrameError("this is for the probe to say")
        raise FrameError("there is no message of type %d" % data[0])
    payload = Payload(data[1:])
    message = reader(payload)
    payload.finish()
    return message


def length(head):
    (size,) = LENGTH.unpack(head)
    if size > LONGEST_FRAME:
        raise TooLong("a frame of %d bytes is too long" % size)
    return size
