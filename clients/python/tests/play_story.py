"""A story of the vectors, played to a client: a service that answers what the story says, and a clock
that stands still but for what is slept and waited."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import httpx

import quittance
from check import check


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def method_of(client: Any, name: str) -> Any:
    resource, short = name.split(".")
    return getattr(getattr(client, snake_case(resource)), snake_case(short))


class PlayedService:
    def __init__(self, story: dict[str, Any], known: dict[str, str]) -> None:
        self.story = story
        self.known = known
        self.elapsed = self.jumped = 0.0
        self.count = self.time_requests = 0
        self.slept: list[float] = []
        self.keys: list[str | None] = []
        # A check that failed while the client took it for a broken connection.
        self.failed: BaseException | None = None

    def now(self) -> float:
        return float(self.story["clock"]["local"] + self.elapsed + self.jumped)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.elapsed += seconds

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/time":
            self.time_requests += 1
            if self.story["isTimeAway"]:
                return httpx.Response(503, json={"errors": ["away"]})
            time = math.floor(self.story["clock"]["service"] + self.elapsed)
            return httpx.Response(200, json={"time": time})
        try:
            exchange = self.story["exchanges"][self.count]
            self.count += 1
            self._check(exchange["request"], request)
        except Exception as error:
            self.failed = self.failed or error
            raise
        return self._play(exchange, request)

    def _play(self, exchange: dict[str, Any], request: httpx.Request) -> httpx.Response:
        self.elapsed += exchange.get("takesSeconds", 0)
        self.jumped += exchange.get("clockJumpsSeconds", 0)
        answer = exchange["answer"]
        if answer.get("failure") == "connection":
            raise httpx.ConnectError("connection reset", request=request)
        if answer.get("failure") == "timeout":
            raise httpx.ReadTimeout("", request=request)
        return httpx.Response(answer["status"], headers=answer["headers"], content=answer["body"])

    def _check(self, wanted: dict[str, Any], request: httpx.Request) -> None:
        content = request.content
        check(request.method, wanted["method"])
        check(request.url.path, f"/api/v1{wanted['path']}")
        check(dict(parse_qsl(request.url.query.decode())), wanted["query"])
        check(json.loads(content) if content else None, wanted["body"])
        check(request.headers["quittance-version"], self.story["version"])
        check(request.headers["x-digest-key"], self.known["key"])
        timestamp = int(request.headers["x-digest-timestamp"])
        check(timestamp, wanted.get("timestamp", timestamp))
        signature = quittance.sign_request(
            path=wanted["path"],
            timestamp=timestamp,
            method=wanted["method"],
            body=content,
            secret=self.known["secret"],
        )
        check(request.headers["x-digest-signature"], signature)
        self.keys.append(request.headers.get("idempotency-key"))

    def check_keys(self) -> None:
        kind = self.story["idempotencyKey"]
        check(len(set(self.keys)), 1)
        first = self.keys[0]
        if kind == "none":
            check(first, None)
        elif kind == "given":
            check(first, self.story["call"]["idempotencyKey"])
        else:
            check(bool(re.fullmatch("[!-~]{16,255}", first or "")), True)


def play_story(
    make_client: Callable[..., Any],
    story: dict[str, Any],
    methods: list[dict[str, Any]],
    known: dict[str, str],
) -> None:
    played = PlayedService(story, known)
    client = make_client(
        **known,
        base_url="https://pay.example",
        max_retries=story["maxRetries"],
        **({} if story["apiVersion"] is None else {"api_version": story["apiVersion"]}),
        clock=played,
        random=lambda: 0.0,
        transport=httpx.MockTransport(played.answer),
    )
    outcome: dict[str, Any]
    try:
        answer = _call(client, story["call"], methods)
        outcome = {"items" if "items" in story["outcome"] else "value": answer}
    except quittance.QuittanceError as error:
        outcome = {"error": _shown(error)}
    client.close()
    if played.failed is not None:
        raise played.failed
    check(outcome, story["outcome"])
    check([float(one) for one in played.slept], [float(one) for one in story["sleeps"]])
    check(played.count, len(story["exchanges"]))
    check(played.time_requests, story["timeRequests"])
    played.check_keys()


def _call(client: Any, call: dict[str, Any], methods: list[dict[str, Any]]) -> Any:
    given = dict(call["arguments"])
    if call["method"] == "checkout.waitUntil":
        options = {snake_case(name): given[name] for name in given if name == "timeoutSeconds"}
        return client.checkout.wait_until(given["id"], given["states"], **options)
    route = next(one for one in methods if one["name"] == call["method"])
    alone = [given.pop(route["argument"])] if route["argument"] in given else []
    options = {"idempotency_key": call["idempotencyKey"]} if "idempotencyKey" in call else {}
    answer = method_of(client, call["method"])(*alone, *([given] if given else []), **options)
    return answer.all() if route["pages"] is not None else answer


def _shown(error: quittance.QuittanceError) -> dict[str, Any]:
    return {
        "class": type(error).__name__,
        "status": error.status,
        "code": error.code,
        "errors": error.errors,
        "requestId": error.request_id,
        "retryAfterSeconds": error.retry_after_seconds,
        "retryable": error.retryable,
    }
