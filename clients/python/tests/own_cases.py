"""What the vectors cannot tell, because it is Python's own."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx

import quittance
from both_clients import CLIENTS
from check import Case, check
from conformance import Answering
from quittance._model import build


def own_cases() -> Iterator[Case]:
    for name, make_client in CLIENTS.items():
        for about, run in CASES.items():
            yield f"{name}: {about}", partial(run, make_client)
    yield "an event of a later version is given as it came", take_unknown_event
    yield "an event is typed in whichever dated version it is told", take_dated_events
    yield "answers keep what is not known", keep_unknown_fields
    yield "trio works as asyncio does", call_under_trio
    yield "a cancelled task ends its call", cancel_call
    yield "the receiver of the examples believes what is signed", receive_webhooks


def fails_with_type_error(call: Callable[[], Any], part: str) -> None:
    try:
        call()
    except TypeError as error:
        check(part in str(error), True)
    else:
        raise AssertionError("no TypeError")


def refuse_misplaced_parameters(make_client: Callable[..., Any]) -> None:
    played = Answering(make_client)
    commit = played.client.checkout.commit
    fails_with_type_error(lambda: commit("abcdefghijkl", network="LITECOIN"), "network")
    fails_with_type_error(lambda: make_client(key="", secret="b", base_url="http://c"), "key")
    fails_with_type_error(lambda: make_client(key="a", secret="b", base_url="c"), "base_url")
    create = played.client.customers.create
    for key in ("", "a\nb", "schlüssel"):
        fails_with_type_error(lambda: create({}, idempotency_key=key), "idempotency_key")
    check(len(played.sent), 0)


def send_answers_back(make_client: Callable[..., Any]) -> None:
    """A part of an answer may stand in a request."""
    rule = '{"settlementRule":{"id":"a","schedule":{"every":"DAY","hour":7,"zone":"UTC"}},"runs":[]}'
    played = Answering(make_client, rule)
    found = played.client.settlement_rules.get("a").settlementRule
    played.client.settlement_rules.create({"asset": "LTC:NATIVE", "schedule": found.schedule})
    check(b'"schedule":{"every":"DAY","hour":7,"zone":"UTC"}' in played.sent[1].content, True)


def keep_exact_numbers(make_client: Callable[..., Any]) -> None:
    text = '{"meta":{"big":9007199254740993,"fine":0.100000000000000001,"half":0.5}}'
    meta = Answering(make_client, text).client.service.openapi()["meta"]
    check([type(one) is kind for one, kind in zip(meta.values(), (int, Decimal, float))], [True] * 3)
    played = Answering(make_client)
    played.client.customers.create({"email": "ada@shop.example", "meta": meta})
    check(text[1:-1].encode() in played.sent[0].content, True)


def write_times(make_client: Callable[..., Any]) -> None:
    played = Answering(make_client, '{"checkouts":[],"nextCursor":null}')
    since = datetime(2026, 1, 2, tzinfo=timezone.utc)
    played.client.checkout.list({"from": since, "state": None}).all()
    check(str(played.sent[0].url.query, "ascii"), "from=2026-01-02T00%3A00%3A00%2B00%3A00")
    naive = played.client.checkout.list({"from": datetime(2026, 1, 2)})
    fails_with_type_error(naive.all, "time zone")


def keep_no_cookies(make_client: Callable[..., Any]) -> None:
    played = Answering(make_client, headers={"set-cookie": "a=b; Path=/"})
    for _ in range(2):
        played.client.service.openapi()
    check("cookie" in played.sent[1].headers, False)


def tell_origin(make_client: Callable[..., Any]) -> None:
    seen: list[httpx.Headers] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers)
        return httpx.Response(200, json={})

    client = make_client(
        key="k3y0fth3sh0p",
        secret="secret",
        base_url="https://pay.example",
        origin_url="https://shop.example",
        transport=httpx.MockTransport(answer),
    )
    client.service.openapi()
    check(seen[0]["x-origin-url"], "https://shop.example")
    check("secret" in f"{client!r}{vars(client)!r}", False)


def ask_time_once(make_client: Callable[..., Any]) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        time.sleep(0.01)
        is_time = request.url.path.endswith("/time")
        body: dict[str, Any] = {"time": 1_700_000_000} if is_time else {"assets": []}
        return httpx.Response(200, json=body)

    client = make_client(
        key="k3y0fth3sh0p",
        secret="secret",
        base_url="https://pay.example",
        transport=httpx.MockTransport(answer),
    )
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: client.catalogue.assets(), range(16)))
    check([asked.count("/api/v1/time"), asked.count("/api/v1/assets")], [1, 16])


def end_slow_answers(make_client: Callable[..., Any]) -> None:
    """One byte after the other, each in time: the whole is not."""
    with Dripping() as url:
        client = make_client(
            key="k3y0fth3sh0p", secret="secret", base_url=url, timeout_seconds=0.3, max_retries=0
        )
        started = time.monotonic()
        try:
            client.service.openapi()
        except quittance.RequestTimeoutError as error:
            check([error.code, error.retryable], ["timeout", True])
        else:
            raise AssertionError("it was waited for")
        check(time.monotonic() - started < 3, True)
        client.close()


def tell_refused_connections(make_client: Callable[..., Any]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        client = make_client(key="k3y0fth3sh0p", secret="b", base_url=url, max_retries=0)
        try:
            client.service.openapi()
        except quittance.NetworkError as error:
            check([error.code, error.status], ["no_answer", None])
            check(isinstance(error.__cause__, httpx.ConnectError), True)
        else:
            raise AssertionError("nobody answers there")
        client.close()


CASES: dict[str, Callable[[Callable[..., Any]], None]] = {
    "parameters that are no mapping, and keys that are none, are a TypeError": refuse_misplaced_parameters,
    "what was answered can be sent": send_answers_back,
    "numbers of meta are read exactly and go back as they came": keep_exact_numbers,
    "a time needs its zone": write_times,
    "no cookie is kept": keep_no_cookies,
    "the shop is told, the secret is not": tell_origin,
    "calls at once ask for the time once": ask_time_once,
    "an answer that comes too slowly is a RequestTimeoutError": end_slow_answers,
    "a connection that is refused is a NetworkError": tell_refused_connections,
}


class Dripping:
    """Sends a byte of an endless body every tenth of a second."""

    def __enter__(self) -> str:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._is_over = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def _serve(self) -> None:
        try:
            connection, _ = self._socket.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n")
                while not self._is_over.wait(0.1):
                    connection.sendall(b" ")
        except OSError:
            pass  # The client is gone, as it should be.

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._socket.close()


def take_unknown_event() -> None:
    value = {"eventType": "MOON_LANDED", "data": {"moon": {"id": "m"}}, "id": "e", "sequence": 1}
    event: Any = build(quittance.models.Event, value)
    check([event.eventType, event.data["moon"]["id"]], ["MOON_LANDED", "m"])
    check(event, value)


def take_dated_events() -> None:
    for version in ("1", "2026-11-24", "2030-01-01"):
        value = {
            "eventType": "CHECKOUT_COMPLETED",
            "apiVersion": version,
            "data": {"checkout": {"id": "c"}},
        }
        event: Any = build(quittance.models.Event, value)
        check([event.apiVersion, event.data.checkout.id], [version, "c"])


def keep_unknown_fields() -> None:
    value = {"id": "a", "state": "DREAMING", "colour": "red", "refunds": [{"id": "r", "new": 1}]}
    checkout: Any = build(quittance.models.Checkout, value)
    check([checkout.state, checkout.colour, checkout.refunds[0].new], ["DREAMING", "red", 1])
    check(checkout.meta, None)
    check(checkout, value)


def answering_async() -> quittance.AsyncQuittance:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/time"):
            return httpx.Response(200, json={"time": 1_700_000_000})
        return httpx.Response(200, json={"customers": [{"id": "a"}], "nextCursor": None})

    return quittance.AsyncQuittance(
        key="k3y0fth3sh0p",
        secret="secret",
        base_url="https://pay.example",
        transport=httpx.MockTransport(answer),
    )


def call_under_trio() -> None:
    async def walk() -> list[str]:
        async with answering_async() as client:
            return [customer.id async for customer in client.customers.list()]

    check(anyio.run(walk, backend="trio"), ["a"])


def cancel_call() -> None:
    async def wait() -> bool:
        async def answer(request: httpx.Request) -> httpx.Response:
            await anyio.sleep(60)
            return httpx.Response(200)

        client = quittance.AsyncQuittance(
            key="k3y0fth3sh0p",
            secret="secret",
            base_url="https://pay.example",
            transport=httpx.MockTransport(answer),
        )
        with anyio.move_on_after(0.05) as scope:
            await client.service.openapi()
        return scope.cancelled_caught

    check(anyio.run(wait), True)


def receive_webhooks() -> None:
    program = Path(__file__).parent.parent / "examples" / "receive_webhooks.py"
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    env = {**os.environ, "WEBHOOK_SECRET": "the API secret", "PORT": str(port)}
    receiver = subprocess.Popen(
        [sys.executable, "-u", str(program)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    data = {"checkout": {"id": "abcdefghijkl", "meta": {"order": "7"}}}
    body = json.dumps({"eventType": "CHECKOUT_COMPLETED", "data": data, "id": "e"}).encode()
    signed = hashlib.sha256(b"the API secret" + body).hexdigest()
    try:
        statuses = [
            send(port, body, signature) for signature in (signed, signed.upper(), "", signed)
        ]
    finally:
        receiver.terminate()
        told, _ = receiver.communicate()
    check(statuses, [200, 400, 400, 200])
    check(told, "checkout abcdefghijkl is paid: ship order 7\n")


def send(port: int, body: bytes, signature: str) -> int:
    """Tries until somebody listens."""
    for _ in range(200):
        try:
            headers = {"x-webhook-auth": signature}
            url = f"http://127.0.0.1:{port}/"
            return httpx.post(url, content=body, headers=headers, timeout=30).status_code
        except httpx.ConnectError:
            time.sleep(0.1)
    raise AssertionError("nobody listens")
