"""What a client is made with, and what a call may say of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import anyio
from typing_extensions import TypedDict


class Clock(Protocol):
    """For tests: what a client takes for the time, and how it waits."""

    def now(self) -> float:
        """Unix seconds, with their fraction."""

    def sleep(self, seconds: float) -> None: ...


class AsyncClock(Protocol):
    """For tests: what an asynchronous client takes for the time, and how it waits."""

    def now(self) -> float:
        """Unix seconds, with their fraction."""

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class AsyncSystemClock:
    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


class CallOptions(TypedDict, total=False):
    """Keyword arguments of every method."""

    idempotency_key: str | None
    """For a POST: the same key gives the same answer, however often it is sent. Made unless given."""
    timeout_seconds: float | None
    """For one attempt of this call."""
    max_retries: int | None
    """Attempts after the first."""


@dataclass(frozen=True)
class ClientOptions:
    key: str
    secret: str = field(repr=False)
    base_url: str
    timeout_seconds: float
    max_retries: int
    origin_url: str | None
    api_version: str
    random: Callable[[], float]

    def __post_init__(self) -> None:
        for name in ("key", "secret", "base_url"):
            value = getattr(self, name)
            if not isinstance(value, str) or value == "":
                raise TypeError(f"{name} is missing")
        if not self.base_url.startswith(("http://", "https://")):
            raise TypeError("base_url is no address as https://pay.example")
