"""The two clients."""

from __future__ import annotations

import random as machine_random
from collections.abc import Callable
from types import TracebackType

import httpx

from . import webhooks
from ._async_methods import AsyncResources
from ._call import Core
from ._caller import AsyncCaller, Caller
from ._methods import Resources
from ._options import AsyncClock, AsyncSystemClock, ClientOptions, Clock, SystemClock
from ._resources import (
    AsyncCheckoutResource,
    AsyncReportsResource,
    AsyncSandboxResource,
    CheckoutResource,
    ReportsResource,
    SandboxResource,
)
from ._transport import AsyncTransport, Transport
from ._version import API_VERSION


class Quittance(Resources):
    """The API of one account, in the environment of the key: test or live.

    ``timeout_seconds`` is for one attempt; ``max_retries`` counts attempts after the first;
    ``origin_url`` is sent as ``X-Origin-URL``: the shop that asks, for display. ``api_version`` is
    the dated version that each call names; in another than that of this library, answers have
    attributes that their types do not know. ``transport`` takes
    the place of httpx's own, as one with a proxy; ``clock`` and ``random`` are for tests.

    Threads may share a client. ``close()``, or the end of ``with``, closes its connections.
    """

    checkout: CheckoutResource
    reports: ReportsResource
    sandbox: SandboxResource

    def __init__(
        self,
        *,
        key: str,
        secret: str,
        base_url: str,
        timeout_seconds: float = 30,
        max_retries: int = 2,
        origin_url: str | None = None,
        api_version: str = API_VERSION,
        clock: Clock | None = None,
        random: Callable[[], float] = machine_random.random,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        options = ClientOptions(
            key, secret, base_url, timeout_seconds, max_retries, origin_url, api_version, random
        )
        clock = clock or SystemClock()
        self._transport = Transport(Core(options, clock.now), clock, transport)
        caller = Caller(self._transport)
        super().__init__(caller)
        self.checkout = CheckoutResource(caller)
        self.reports = ReportsResource(caller)
        self.sandbox = SandboxResource(caller)
        self.webhooks = webhooks
        """Needs no client: ``quittance.webhooks`` is the same."""

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Quittance:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncQuittance(AsyncResources):
    """The API of one account, as :class:`Quittance`, for asyncio and trio.

    Tasks may share a client. ``await close()``, or the end of ``async with``, closes its connections.
    """

    checkout: AsyncCheckoutResource
    reports: AsyncReportsResource
    sandbox: AsyncSandboxResource

    def __init__(
        self,
        *,
        key: str,
        secret: str,
        base_url: str,
        timeout_seconds: float = 30,
        max_retries: int = 2,
        origin_url: str | None = None,
        api_version: str = API_VERSION,
        clock: AsyncClock | None = None,
        random: Callable[[], float] = machine_random.random,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        options = ClientOptions(
            key, secret, base_url, timeout_seconds, max_retries, origin_url, api_version, random
        )
        clock = clock or AsyncSystemClock()
        self._transport = AsyncTransport(Core(options, clock.now), clock, transport)
        caller = AsyncCaller(self._transport)
        super().__init__(caller)
        self.checkout = AsyncCheckoutResource(caller)
        self.reports = AsyncReportsResource(caller)
        self.sandbox = AsyncSandboxResource(caller)
        self.webhooks = webhooks
        """Needs no client: ``quittance.webhooks`` is the same."""

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncQuittance:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
