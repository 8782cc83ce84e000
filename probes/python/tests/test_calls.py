"""Hits go to the call that a thread or task works on."""

import asyncio
import os
import threading
import unittest

import support
from fossick_probe import calls, hooks, link, wire
from fossick_probe.recorder import CURRENT, RECORDER, STRAY

for name in ("threading", "concurrent.futures.thread"):
    hooks.WATCHED[name](__import__(name, fromlist=["x"]))

SOURCE = os.path.join(support.HERE, "service.py")


def service():
    with open(SOURCE, "rb") as file:
        code = support.probed(file.read(), SOURCE, "service.py")
    space = support.names(SOURCE)
    exec(code, space)
    return space


def taken(number):
    """The numbers whose branch was taken in a call."""
    link.wait_for_quiet(number)
    hits, _, _, _ = RECORDER.end(number)
    full = [target for target, value in hits if value == 1.0]
    told = [RECORDER.descriptors[target] for target in full]
    return [word for file, _, kind, _, word in told if kind == wire.TRUE and file == "service.py"]


class Calls(unittest.TestCase):
    space = service()

    def setUp(self):
        RECORDER.reset()

    def many(self, name):
        """Many calls of a function at once, in a thread each."""
        function = self.space[name]

        def one(number):
            with calls.bind(str(number)):
                function(number % 4)

        threads = [threading.Thread(target=one, args=(n,)) for n in range(1000, 1200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def check(self, first=1000):
        for number in range(first, first + 200):
            self.assertEqual(["n == %d" % (number % 4)], taken(number), number)

    def test_threads_carry_a_call_on(self):
        for name in ("marked", "in_thread", "in_pool", "later"):
            with self.subTest(name):
                self.many(name)
                self.check()

    def test_tasks_carry_a_call_on(self):
        async def one(number):
            with calls.bind(str(number)):
                await self.space["in_task"](number % 4)

        async def main():
            await asyncio.gather(*(one(number) for number in range(2000, 2200)))

        asyncio.run(main())
        self.check(2000)
        self.assertIs(STRAY, CURRENT.get())

    def test_a_worker_of_a_pool_belongs_to_no_call(self):
        with calls.bind("7"):
            self.space["in_pool"](1)
        self.space["POOL"].submit(self.space["marked"], 2).result()
        self.assertEqual(["n == 1"], taken(7))
        self.assertEqual(["n == 2"], taken(0))

    def test_what_comes_too_late_belongs_to_no_call(self):
        marked = self.space["marked"]
        with calls.bind("8"):
            marked(0)
            self.assertEqual(["n == 0"], taken(8))
            marked(1)
        self.assertEqual(["n == 1"], taken(0))
        self.assertEqual([], taken(8))

    def test_a_call_that_is_begun_twice_starts_empty(self):
        with calls.bind("9"):
            self.space["marked"](0)
        with calls.bind("9"):
            with calls.bind("9"):
                self.space["marked"](1)
        self.assertEqual(["n == 1"], taken(9))

    def test_the_oldest_of_too_many_is_dropped(self):
        for number in range(1, 4098):
            RECORDER.begin(number)
        self.assertNotIn(1, RECORDER.calls)
        self.assertEqual(4096, len(RECORDER.calls))

    def test_a_header_that_is_no_number_is_none(self):
        for word in (None, "", "x", "-1", "1.5", "0", str(1 << 64), "²", b"\xff", object()):
            self.assertIsNone(calls.number(word), word)
        self.assertEqual(17, calls.number(b"17"))


class Servers(unittest.TestCase):
    """What servers hand over, without the servers."""

    def test_asgi(self):
        async def application(scope, receive, send):
            return CURRENT.get().number

        async def main(headers):
            scope = {"type": "http", "headers": headers}
            return await hooks.asgi_application(application)(scope, None, None)

        self.assertEqual(5, asyncio.run(main([(b"x-fossick-call", b"5")])))
        self.assertEqual(0, asyncio.run(main([])))

    def test_wsgi(self):
        class Framework:
            def __call__(self, environ, start):
                return CURRENT.get().number

        hooks.around(Framework, "__call__", hooks.wsgi)
        hooks.around(Framework, "__call__", hooks.wsgi)
        self.assertEqual(6, Framework()({"HTTP_X_FOSSICK_CALL": "6"}, None))
        self.assertEqual(0, Framework()({}, None))


if __name__ == "__main__":
    unittest.main()
