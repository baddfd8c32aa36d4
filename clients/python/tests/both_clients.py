"""The asynchronous client behind the methods of the other one, so that one suite tests both."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

import quittance


class LoopThread:
    """An event loop of its own, which other threads hand coroutines to."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


LOOP = LoopThread()


class BlockingPages:
    def __init__(self, pages: quittance.AsyncPages[Any]) -> None:
        self._pages = pages

    def __iter__(self) -> Iterator[Any]:
        return iter(self.all())

    def first(self) -> Any:
        return LOOP.run(self._pages.first())

    def all(self, limit: int | None = None) -> Any:
        return LOOP.run(self._pages.all(limit))


class BlockingResource:
    def __init__(self, resource: Any) -> None:
        self.inner = resource

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.inner, name)

        def call(*given: Any, **options: Any) -> Any:
            answer = method(*given, **options)
            if inspect.iscoroutine(answer):
                return LOOP.run(answer)
            return BlockingPages(answer) if isinstance(answer, quittance.AsyncPages) else answer

        return call


class AsyncClockOf:
    def __init__(self, clock: Any) -> None:
        self.now = clock.now
        self._sleep = clock.sleep

    async def sleep(self, seconds: float) -> None:
        self._sleep(seconds)


class BlockingQuittance:
    def __init__(self, **options: Any) -> None:
        if "clock" in options:
            options["clock"] = AsyncClockOf(options["clock"])
        self.inner = quittance.AsyncQuittance(**options)

    def __getattr__(self, name: str) -> Any:
        return BlockingResource(getattr(self.inner, name))

    def close(self) -> None:
        LOOP.run(self.inner.close())


CLIENTS: dict[str, Callable[..., Any]] = {
    "Quittance": quittance.Quittance,
    "AsyncQuittance": BlockingQuittance,
}
