"""The vectors that every client library passes; clients/README.md says what they are."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx

import quittance
from both_clients import CLIENTS
from check import Case, check
from play_story import method_of, play_story, snake_case
from quittance._retry import retry_delay

# Methods that stand for no endpoint.
BESIDE = ["checkout.wait_until", "reports.document", "sandbox.pay_and_confirm", "webhooks.verify"]


def conformance_cases(folder: Path) -> Iterator[Case]:
    vectors = {file.stem: json.loads(file.read_text("utf-8")) for file in folder.glob("*.json")}
    yield from signing_cases(vectors["signing"])
    yield from webhook_cases(vectors["webhooks"]["webhooks"])
    yield from delay_cases(vectors["retries"]["delays"])
    for name, make_client in CLIENTS.items():
        cases = [
            *number_cases(make_client, vectors["numbers"]),
            *method_cases(make_client, vectors["methods"]["methods"]),
            *error_cases(make_client, vectors["errors"]["codes"]),
            *story_cases(make_client, vectors),
        ]
        yield from ((f"{name}: {about}", run) for about, run in cases)


def signing_cases(signing: dict[str, Any]) -> Iterator[Case]:
    for one in signing["requests"]:

        def sign(one: dict[str, Any] = one) -> None:
            body = one["body"] if "body" in one else bytes.fromhex(one["bodyHex"])
            signature = quittance.sign_request(
                path=one["path"],
                timestamp=one["timestamp"],
                method=one["method"],
                body=body,
                secret=one["secret"],
            )
            check(signature, one["signature"])

        yield f"signing: {one['name']}", sign
    for one in signing["basic"]:
        value = quittance.basic_value(one["key"], one["secret"])
        yield f"signing: X-Basic of {one['key']}", partial(check, value, one["value"])


def webhook_cases(webhooks: list[dict[str, Any]]) -> Iterator[Case]:
    for one in webhooks:
        for is_bytes in (False, True):

            def verify(one: dict[str, Any] = one, is_bytes: bool = is_bytes) -> None:
                headers = one["headers"]
                try:
                    event = quittance.webhooks.verify(
                        one["payload"].encode() if is_bytes else one["payload"],
                        httpx.Headers(headers) if is_bytes else headers,
                        one["secret"],
                        tolerance_seconds=one["toleranceSeconds"],
                        now=lambda: float(one["now"]),
                    )
                    check(event, json.loads(one["payload"]))
                    seen: str | None = "good"
                except quittance.WebhookVerificationError as error:
                    seen = error.code
                check(seen, one["outcome"])

            yield f"webhooks: {one['name']}{' (bytes)' if is_bytes else ''}", verify


def delay_cases(delays: list[dict[str, Any]]) -> Iterator[Case]:
    for one in delays:

        def delay(one: dict[str, Any] = one) -> None:
            seen = retry_delay(
                attempt=one["attempt"],
                retry_after_seconds=one["retryAfterSeconds"],
                random=one["random"],
                is_money=one["isMoney"],
            )
            wanted = one["delaySeconds"]
            check(seen is None, wanted is None)
            if seen is not None:
                check(math.isclose(seen, wanted), True)

        yield f"retries: {one}", delay


class Answering:
    """A client whose service answers the same to everything, and what was sent to it."""

    def __init__(
        self,
        make_client: Callable[..., Any],
        body: str = "{}",
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.sent: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/api/v1/time":
                return httpx.Response(200, json={"time": 1_700_000_000})
            self.sent.append(request)
            return httpx.Response(status, content=body, headers=headers)

        self.client = make_client(
            key="k3y0fth3sh0p",
            secret="secret",
            base_url="https://pay.example/api/v1/",
            max_retries=0,
            transport=httpx.MockTransport(answer),
        )


def number_cases(make_client: Callable[..., Any], numbers: dict[str, Any]) -> Iterator[Case]:
    for one in numbers["answers"]:

        def answered(one: dict[str, Any] = one) -> None:
            played = Answering(make_client, f'{{"meta":{{"value":{one["json"]}}}}}')
            value = played.client.service.openapi()["meta"]["value"]
            check(isinstance(value, (int, float, Decimal)), True)
            if isinstance(value, float):
                check(one["isDouble"], True)
            exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
            check(exact == Decimal(one["decimal"]), True)

        yield f"numbers: {one['json']} in an answer", answered
    for amount in numbers["amounts"]:

        def stays(amount: str = amount) -> None:
            played = Answering(make_client, json.dumps({"amount": amount}))
            check(played.client.service.openapi(), {"amount": amount})

        yield f"numbers: the amount {amount} stays as it is", stays
    kinds = {"text": str, "integer": int, "decimal": Decimal, "float": float}
    for one in numbers["requests"]:

        def requested(one: dict[str, Any] = one) -> None:
            value, in_meta = kinds[one["kind"]](one["text"]), one["inMeta"]
            played = Answering(make_client)
            item = {"description": "Book", "netAmount": "1" if in_meta else value}
            request = {
                "charge": {"billingCurrency": "EUR", "lineItems": [item]},
                "meta": {"value": value if in_meta else 1},
            }
            try:
                played.client.checkout.create(request)
            except TypeError:
                check(one["sent"], None)
                check(len(played.sent), 0)
                return
            field = "value" if in_meta else "netAmount"
            text = played.sent[0].content.decode()
            check(f'"{field}":{one["sent"]}}}' in text, True)

        yield f"numbers: {one['name']} in a request", requested


def method_cases(make_client: Callable[..., Any], methods: list[dict[str, Any]]) -> Iterator[Case]:
    def these_and_no_others() -> None:
        client = Answering(make_client).client
        inner = getattr(client, "inner", client)
        found = [
            f"{resource}.{method}"
            for resource, value in vars(inner).items()
            if not resource.startswith("_")
            for method in (["verify"] if resource == "webhooks" else dir(value))
            if not method.startswith("_")
        ]
        names = [snake_case(one["name"]) for one in methods]
        check(sorted(found), sorted([*names, *BESIDE]))

    yield "methods: these and no others", these_and_no_others
    for one in methods:
        yield f"methods: {one['name']}", partial(call_one, make_client, one)


def call_one(make_client: Callable[..., Any], one: dict[str, Any]) -> None:
    pages, returns, argument = one["pages"], one["returns"], one["argument"]
    body: dict[str, Any] = {pages or returns or "whole": ["a row"], "nextCursor": None}
    if pages == "report.rows":
        body = {"report": {"rows": ["a row"]}, "nextCursor": None}
    played = Answering(make_client, json.dumps(body))
    method = method_of(played.client, one["name"])
    resource, short = snake_case(one["name"]).split(".")
    inner = getattr(played.client, "inner", played.client)
    written = getattr(getattr(inner, resource), short)
    check(bool(written.__doc__), True)
    takes_parameters = "parameters" in inspect.signature(written).parameters
    parameters = [{} if argument else {"a": "1"}] if takes_parameters else []
    answer = method(*(["abcdefghijkl"] if argument else []), *parameters)
    if one["name"] == "service.time":
        # The client itself asks for it too, and is answered apart.
        check(answer, 1_700_000_000)
        return
    check(answer.all() if pages else answer, ["a row"] if pages or returns else body)
    (sent,) = played.sent
    check(sent.method, one["method"])
    check(sent.url.path, f"/api/v1{one['path'].replace('{id}', 'abcdefghijkl')}")
    wanted = {"a": "1"} if parameters and not argument else {}
    if argument and "{id}" not in one["path"]:
        wanted = {argument: "abcdefghijkl"}
    if one["method"] == "GET":
        check(dict(parse_qsl(sent.url.query.decode())), wanted)
    else:
        check(json.loads(sent.content), {one["wrap"]: wanted} if one["wrap"] else wanted)
    check("idempotency-key" in sent.headers, one["idempotencyKey"])


def error_cases(make_client: Callable[..., Any], codes: list[dict[str, Any]]) -> Iterator[Case]:
    for one in codes:

        def refuse(one: dict[str, Any] = one) -> None:
            headers = {"x-error-code": one["code"]}
            played = Answering(make_client, '{"errors":["Text."]}', one["status"], headers)
            try:
                played.client.service.auth_test()
            except quittance.QuittanceError as error:
                seen = [type(error).__name__, error.code, error.retryable]
                check(seen, [one["class"], one["code"], one["retryable"]])
            else:
                raise AssertionError("not refused")

        yield f"errors: {one['status']} {one['code']}", refuse


def story_cases(make_client: Callable[..., Any], vectors: dict[str, Any]) -> Iterator[Case]:
    methods = vectors["methods"]["methods"]
    known = {name: vectors["signing"][name] for name in ("key", "secret")}
    for file, content in vectors.items():
        for story in content.get("stories", []):
            yield (
                f"{file}: {story['name']}",
                partial(play_story, make_client, story, methods, known),
            )
