"""The frames that a probe sends and receives are those of the golden files."""

import json
import os
import unittest

import support
from fossick_probe import wire

KINDS = ["line", "branch-true", "branch-false", "call", "method", "exception"]
SCALARS = {"text": 0, "whole": 1, "real": 2, "boolean": 3, "moment": 5}
OBSERVED = ["equal", "order", "prefix", "suffix", "contains", "same", "member", "pattern", "parse", "read"]  # fmt: skip
SOURCES = ["header", "query", "cookie", "form", "key"]


def golden(name):
    with open(os.path.join(support.GOLDEN, name + ".json"), encoding="utf-8") as words:
        message = json.load(words)
    with open(os.path.join(support.GOLDEN, name + ".hex"), encoding="ascii") as digits:
        return message, bytes.fromhex(digits.read())


def scalar(value):
    if value == "null":
        return 4, None
    ((kind, content),) = value.items()
    return SCALARS[kind], content


def observation(seen):
    seen = dict(seen)
    target = seen.pop("target", -1) + 1
    ((word, said),) = seen.items()
    kind = OBSERVED.index(word)
    return (target, kind) + fields(word, said)


def fields(word, said):
    if word in ("equal", "order"):
        return tuple(map(scalar, said))
    if word == "member":
        return scalar(said[0]), tuple(map(scalar, said[1]))
    if word == "pattern":
        how = ["anywhere", "from-start", "whole"].index(said["how"])
        return said["text"], said["pattern"], said["flags"], how
    if word == "parse":
        return said["text"], said["kind"], said["format"], said["worked"]
    if word == "read":
        return SOURCES.index(said["from"]), said["name"], said["found"], tuple(said["beside"])
    return tuple(said)


def delta(said):
    last = said["last_line"] and (said["last_line"]["file"], said["last_line"]["line"])
    failures = [
        (one["exception"], one["message"], one["place"]["file"], one["place"]["line"])
        for one in said["failures"]
    ]
    seen = [observation(one) for one in said["observations"]]
    return wire.delta(said["call"], said["hits"], last, failures, seen, said["died"])


def register(said):
    return wire.register(
        said["first_id"],
        [
            (one["file"], one["line"], KINDS.index(one["kind"]), one["ordinal"], one["label"])
            for one in said["descriptors"]
        ],
    )


def sql(said):
    return wire.sql(
        said["call"], said["statement"], said["parameters"], said["rows"], said["tables"]
    )


def hello(said):
    return wire.hello(said["process_id"], said["roots"], said["abilities"], said["language"])


class Golden(unittest.TestCase):
    def test_what_a_probe_sends(self):
        writers = {
            "hello": hello,
            "register": register,
            "begin": lambda said: wire.begin(said["call"]),
            "delta": delta,
            "sql": sql,
            "error": lambda said: wire.error(said["text"]),
        }
        for name in ("hello", "register", "begin", "delta", "delta-of-nothing", "sql", "error"):
            with self.subTest(name):
                message, frame = golden(name)
                ((word, said),) = message.items()
                self.assertEqual(frame, writers[word](said))
        self.assertEqual(golden("reset")[1], wire.reset())
        self.assertEqual(golden("pong")[1], wire.pong())

    def test_what_a_probe_receives(self):
        for name in ("hello", "begin", "end", "covered", "covered-none", "reset", "ping", "bye"):
            with self.subTest(name):
                message, frame = golden(name)
                self.assertEqual(len(frame) - 4, wire.length(frame[:4]))
                word, *told = wire.read(frame[4:])
                if isinstance(message, str):
                    self.assertEqual((message, []), (word, told))
                else:
                    ((expected, said),) = message.items()
                    self.assertEqual((expected, list(said.values())), (word, told))

    def test_broken_frames_are_refused(self):
        frames = ["", "63", "04", "0480", "048000", "04" + "ff" * 10 + "01", "0300ff", "0601",
                  "0605000000", "0902", "0a", "0101ff", "06ffffffff0f"]  # fmt: skip
        for frame in frames:
            with self.subTest(frame), self.assertRaises(wire.FrameError):
                wire.read(bytes.fromhex(frame))
        with self.assertRaises(wire.TooLong):
            wire.length(b"\1\0\x40\0")

    def test_a_frame_never_becomes_too_long(self):
        text = "x" * 1024
        seen = [(0, 6, (0, text), tuple((0, text + str(at)[:0]) for at in range(64)))] * 512
        self.assertLess(len(wire.delta(1, (), None, (), seen)), wire.LONGEST_FRAME)


if __name__ == "__main__":
    unittest.main()
