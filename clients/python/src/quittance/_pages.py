"""Lists, asked for page by page while they are walked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ._errors import QuittanceError

Item = TypeVar("Item")
Fetched: TypeAlias = "tuple[list[Item], str | None, str | None]"


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None
    """For the next page; None on the last one."""


class Pages(Generic[Item]):
    """A list: ``for one in client.customers.list()``. Nothing is asked for before it is walked."""

    def __init__(self, fetch: Callable[[str | None], Fetched[Item]]) -> None:
        self._fetch = fetch

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[Item]]:
        """Whole pages, one after the other."""
        seen: set[str] = set()
        cursor: str | None = None
        while True:
            items, cursor, request_id = self._fetch(cursor)
            yield Page(items, cursor)
            if cursor is None:
                return
            _see(seen, cursor, request_id)

    def first(self) -> Page[Item]:
        """The first page alone."""
        items, cursor, _ = self._fetch(None)
        return Page(items, cursor)

    def all(self, limit: int | None = None) -> list[Item]:
        """All entries, ``limit`` of them at most."""
        found: list[Item] = []
        if limit is not None and limit <= 0:
            return found
        for item in self:
            found.append(item)
            if len(found) == limit:
                break
        return found


class AsyncPages(Generic[Item]):
    """A list: ``async for one in client.customers.list()``. Nothing is asked for before it is walked."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[Fetched[Item]]]) -> None:
        self._fetch = fetch

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Whole pages, one after the other."""
        seen: set[str] = set()
        cursor: str | None = None
        while True:
            items, cursor, request_id = await self._fetch(cursor)
            yield Page(items, cursor)
            if cursor is None:
                return
            _see(seen, cursor, request_id)

    async def first(self) -> Page[Item]:
        """The first page alone."""
        items, cursor, _ = await self._fetch(None)
        return Page(items, cursor)

    async def all(self, limit: int | None = None) -> list[Item]:
        """All entries, ``limit`` of them at most."""
        found: list[Item] = []
        if limit is not None and limit <= 0:
            return found
        async for item in self:
            found.append(item)
            if len(found) == limit:
                break
        return found


def _see(seen: set[str], cursor: str, request_id: str | None) -> None:
    """Following a cursor that was there before would never end."""
    if cursor in seen:
        raise QuittanceError(
            "the service gave the same cursor twice",
            status=200,
            code="cursor_repeated",
            request_id=request_id,
        )
    seen.add(cursor)
