"""Tells a collector of the calls that a Django service answers.

MIDDLEWARE = ["harvest.harvest", ...] and HARVEST_COLLECTOR = "http://127.0.0.1:7070/" in the
settings. Where the collector is slow or gone, calls are dropped and counted; the service never
waits.
"""

import base64
import json
import os
import queue
import threading
import time
import urllib.request

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.utils.decorators import sync_and_async_middleware

SECRET = {"authorization", "proxy-authorization", "cookie", "x-api-key"}
LARGEST = 65536


@sync_and_async_middleware
def harvest(get_response):
    sender = Sender(settings.HARVEST_COLLECTOR)
    if iscoroutinefunction(get_response):

        async def middleware(request):
            call = begin(request, sender)
            response = await get_response(request)
            finish(call, response, sender)
            return response

    else:

        def middleware(request):
            call = begin(request, sender)
            response = get_response(request)
            finish(call, response, sender)
            return response

    return middleware


def begin(request, sender):
    """What is known before the answer; nothing where the body is too large to keep."""
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > LARGEST or request.headers.get("transfer-encoding"):
            sender.drop(1)
            return None
        # Django keeps a body that was read, and lets views and forms read it again.
        body = request.body if length else b""
        return {
            "at": time.time(),
            "began": time.perf_counter(),
            "method": request.method,
            "target": request.get_full_path(),
            "headers": {k: v for k, v in request.headers.items() if k.lower() not in SECRET},
            "client": request.META.get("REMOTE_ADDR"),
            **content("body", body),
        }
    except Exception:
        sender.drop(1)
        return None


def finish(call, response, sender):
    if call is None:
        return
    try:
        call["took_ms"] = (time.perf_counter() - call.pop("began")) * 1000
        call["status"] = response.status_code
        call["answer_type"] = response.get("content-type")
        whole = not response.streaming and "content-encoding" not in response
        if whole and len(response.content) <= LARGEST:
            call.update(content("answer", response.content))
        sender.keep(call)
    except Exception:
        sender.drop(1)


def content(name, body):
    if not body:
        return {}
    try:
        return {name: body.decode()}
    except UnicodeDecodeError:
        return {name + "_base64": base64.b64encode(body).decode()}


class Sender:
    """A queue and a thread of its own, in each process that serves."""

    def __init__(self, collector):
        self.collector = collector
        self.lock = threading.Lock()
        self.dropped = 0
        self.process = None

    def keep(self, call):
        if self.process != os.getpid():
            self.start()
        try:
            self.waiting.put_nowait(call)
        except queue.Full:
            self.drop(1)

    def drop(self, calls):
        with self.lock:
            self.dropped += calls

    def start(self):
        """On the first call of a process: threads do not come along when a server forks."""
        with self.lock:
            if self.process != os.getpid():
                self.waiting = queue.Queue(maxsize=1000)
                threading.Thread(target=self.run, name="harvest", daemon=True).start()
                self.process = os.getpid()

    def run(self):
        while True:
            calls = [self.waiting.get()]
            time.sleep(0.25)
            while len(calls) < 100 and not self.waiting.empty():
                calls.append(self.waiting.get())
            try:
                self.send(calls)
            except Exception:
                self.drop(len(calls))

    def send(self, calls):
        told = self.dropped
        lines = "".join(json.dumps(call) + "\n" for call in calls)
        headers = {"content-type": "application/x-ndjson", "x-dropped": str(told)}
        request = urllib.request.Request(self.collector, lines.encode(), headers)
        with urllib.request.urlopen(request, timeout=2):
            self.drop(-told)
