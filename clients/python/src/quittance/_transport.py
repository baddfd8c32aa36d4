"""Carries out the steps of calls: with httpx, at once or asynchronously. No redirect is followed, no
cookie is kept."""

from __future__ import annotations

import threading
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import anyio
import httpx

from ._call import Answered, AskTime, Core, Exchange, Sleep, Steps
from ._errors import NetworkError, QuittanceError, RequestTimeoutError
from ._options import AsyncClock, Clock


def _no_cookies() -> CookieJar:
    return CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))


class Transport:
    """Carries out steps at once. Threads may share it."""

    def __init__(self, core: Core, clock: Clock, transport: httpx.BaseTransport | None) -> None:
        self.core = core
        self._clock = clock
        self._time_lock = threading.Lock()
        self._client = httpx.Client(
            transport=transport, follow_redirects=False, cookies=_no_cookies()
        )

    def run(self, steps: Steps) -> Any:
        result: Answered | QuittanceError | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            result = None
            if isinstance(step, Sleep):
                self._clock.sleep(step.seconds)
            elif isinstance(step, AskTime):
                with self._time_lock:
                    if self.core.time[0] == step.seen:
                        self.core.take_time(self._exchange(step.exchange))
            else:
                result = self._exchange(step)

    def _exchange(self, exchange: Exchange) -> Answered | QuittanceError:
        try:
            return self._send(exchange)
        except httpx.TimeoutException as error:
            return _caused(_late(exchange), error)
        except httpx.RequestError as error:
            return _caused(_unanswered(error), error)

    def _send(self, exchange: Exchange) -> Answered:
        """httpx ends what does nothing for so long; what comes in drops is ended here."""
        ends_at = time.monotonic() + exchange.timeout_seconds
        request = _request(self._client, exchange)
        response = self._client.send(request, stream=True)
        try:
            parts = []
            for part in response.iter_bytes():
                parts.append(part)
                if time.monotonic() > ends_at:
                    raise httpx.ReadTimeout("the answer comes too slowly", request=request)
            return Answered(response.status_code, response.headers, b"".join(parts))
        finally:
            response.close()

    def close(self) -> None:
        self._client.close()


class AsyncTransport:
    """Carries out steps under asyncio or trio. Tasks may share it."""

    def __init__(
        self, core: Core, clock: AsyncClock, transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self.core = core
        self._clock = clock
        self._time_lock: anyio.Lock | None = None
        self._client = httpx.AsyncClient(
            transport=transport, follow_redirects=False, cookies=_no_cookies()
        )

    async def run(self, steps: Steps) -> Any:
        result: Answered | QuittanceError | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            result = None
            if isinstance(step, Sleep):
                await self._clock.sleep(step.seconds)
            elif isinstance(step, AskTime):
                await self._ask_time(step)
            else:
                result = await self._exchange(step)

    async def _ask_time(self, step: AskTime) -> None:
        # Made here: there is no event loop yet where the client is made.
        if self._time_lock is None:
            self._time_lock = anyio.Lock()
        async with self._time_lock:
            if self.core.time[0] == step.seen:
                self.core.take_time(await self._exchange(step.exchange))

    async def _exchange(self, exchange: Exchange) -> Answered | QuittanceError:
        try:
            with anyio.fail_after(exchange.timeout_seconds):
                response = await self._client.send(_request(self._client, exchange))
                return Answered(response.status_code, response.headers, response.content)
        except (TimeoutError, httpx.TimeoutException) as error:
            return _caused(_late(exchange), error)
        except httpx.RequestError as error:
            return _caused(_unanswered(error), error)

    async def close(self) -> None:
        await self._client.aclose()


def _request(client: httpx.Client | httpx.AsyncClient, exchange: Exchange) -> httpx.Request:
    return client.build_request(
        exchange.method,
        exchange.url,
        headers=exchange.headers,
        content=exchange.content or None,
        timeout=exchange.timeout_seconds,
    )


def _late(exchange: Exchange) -> QuittanceError:
    message = f"no answer within {exchange.timeout_seconds:g} s"
    return RequestTimeoutError(message, code="timeout", retryable=True)


def _unanswered(error: Exception) -> QuittanceError:
    return NetworkError(f"no answer: {error}", code="no_answer", retryable=True)


def _caused(error: QuittanceError, cause: Exception) -> QuittanceError:
    error.__cause__ = cause
    return error
