"""What the checks of the services share: a service of a folder, for as long as a `with` lasts."""

import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request
from typing import IO

START_SECONDS = 300  # the packages may have to be fetched, and the service be built


class Service:
    def __init__(
        self, folder: pathlib.Path, errors: IO | None = None, **environment: str
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.errors = errors
        self.environment = {**os.environ, **environment}

    def __enter__(self) -> "Service":
        command = [self.folder / "start.sh", str(self.port)]
        self.process = subprocess.Popen(command, stderr=self.errors, env=self.environment)
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()

    def wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"{self.folder} has ended instead of answering")
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{self.folder} does not answer")

    def send(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: str = ""
    ) -> tuple[int, str]:
        """The status of the answer, and its text."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            body.encode() or None,
            headers or {},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read().decode()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
