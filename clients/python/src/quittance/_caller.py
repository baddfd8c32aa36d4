"""What the classes of resources are made over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._call import Endpoint, Steps
from ._options import CallOptions
from ._pages import AsyncPages, Pages
from ._transport import AsyncTransport, Transport


def _with_cursor(parameters: Mapping[str, Any], cursor: str | None) -> Mapping[str, Any]:
    return parameters if cursor is None else {**parameters, "cursor": cursor}


class Caller:
    def __init__(self, transport: Transport) -> None:
        self.core = transport.core
        self._transport = transport

    def run(self, steps: Steps) -> Any:
        return self._transport.run(steps)

    def call(
        self, endpoint: Endpoint, kind: Any, parameters: Mapping[str, Any], options: CallOptions
    ) -> Any:
        return self.run(self.core.call(endpoint, kind, parameters, options))

    def list(
        self, endpoint: Endpoint, kind: Any, parameters: Mapping[str, Any], options: CallOptions
    ) -> Pages[Any]:
        def fetch(cursor: str | None) -> Any:
            given = _with_cursor(parameters, cursor)
            return self.run(self.core.fetch_page(endpoint, kind, given, options))

        return Pages(fetch)


class AsyncCaller:
    def __init__(self, transport: AsyncTransport) -> None:
        self.core = transport.core
        self._transport = transport

    async def run(self, steps: Steps) -> Any:
        return await self._transport.run(steps)

    async def call(
        self, endpoint: Endpoint, kind: Any, parameters: Mapping[str, Any], options: CallOptions
    ) -> Any:
        return await self.run(self.core.call(endpoint, kind, parameters, options))

    def list(
        self, endpoint: Endpoint, kind: Any, parameters: Mapping[str, Any], options: CallOptions
    ) -> AsyncPages[Any]:
        async def fetch(cursor: str | None) -> Any:
            given = _with_cursor(parameters, cursor)
            return await self.run(self.core.fetch_page(endpoint, kind, given, options))

        return AsyncPages(fetch)
