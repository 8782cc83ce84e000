"""Coroutines, and what they await inside conditions."""

import asyncio
import contextlib


async def value(x):
    await asyncio.sleep(0)
    return x


async def numbers(n):
    for i in range(n):
        if await value(i) == 3:
            return
        yield i


@contextlib.asynccontextmanager
async def managed():
    print("enter")
    try:
        yield 1
    finally:
        print("exit")


async def main():
    if await value(1) < await value(2) < await value(3) and not await value(0):
        print("yes")
    print([x async for x in numbers(6) if x != await value(1)])
    async with managed() as one:
        print(one == 1)
    async for x in numbers(2):
        print(x)
    print(await value("a") or await value("b"), (await value({"k": 1}))["k"])
    results = await asyncio.gather(value(1), value(2), failing(3), return_exceptions=True)
    print(results)
    task = asyncio.ensure_future(asyncio.sleep(10))
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled")
    generator = numbers(5)
    print(await generator.__anext__())
    await generator.aclose()
    return await failing(4)


async def failing(x):
    """Raises."""
    if x > 2:
        raise ValueError(x)


asyncio.run(main())
