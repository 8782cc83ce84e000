"""A service for the tests: threads, tasks, pools and forks, each asked with a number."""

import asyncio
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(4)


def marked(n):
    """Has a branch for each number."""
    if n == 0:
        return "zero"
    if n == 1:
        return "one"
    if n == 2:
        return "two"
    if n == 3:
        return "three"
    return "many"


def in_thread(n):
    thread = threading.Thread(target=marked, args=(n,))
    thread.start()
    thread.join()


def in_pool(n):
    POOL.submit(marked, n).result()


def later(n):
    """The thread goes on when the call has been answered."""
    threading.Thread(target=lambda: (time.sleep(0.005), marked(n))).start()


async def in_task(n):
    await asyncio.sleep(0.001 * (n % 3))
    await asyncio.get_running_loop().run_in_executor(None, marked, n)
    await asyncio.to_thread(marked, n)
    await asyncio.gather(asyncio.sleep(0), asyncio.create_task(slowly(n)))


async def slowly(n):
    await asyncio.sleep(0.001)
    return marked(n)


if __name__ == "__main__":
    print(os.getpid(), sys.argv[1:], flush=True)
    if "fork" in sys.argv:
        child = os.fork()
        if child == 0:
            marked(3)
            time.sleep(0.5)
            os._exit(0)
        os.waitpid(child, 0)
    if "sleep" in sys.argv:
        time.sleep(30)
    if "fail" in sys.argv:
        marked(None) and int("x")
    sys.exit(5 if "exit" in sys.argv else 0)
