"""One call of the API, without input and output of its own: a generator says what to send, how long to
sleep and when to ask for the time, and ``_transport`` does it, at once or asynchronously. So both
clients behave alike.

Every attempt of a call sends the same bytes and the same Idempotency-Key, and an attempt of the class
money is never signed as the one before it.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, urlencode

import httpx

from ._errors import QuittanceError, error_of_answer, malformed_answer
from ._exact_json import parse_exact, query_text, write_exact
from ._model import build
from ._options import CallOptions, ClientOptions
from ._retry import retry_delay
from ._sign import sign_request
from ._version import VERSION

_BASE_PATH = "/api/v1"
# Half of what the service lets a timestamp be ahead would do; seconds are rounded on both sides.
_CLOCK_OFF_SECONDS = 2
_OPTION_NAMES = frozenset(CallOptions.__annotations__)


@dataclass(frozen=True)
class Endpoint:
    """One endpoint as a method: clients/README.md says what each field means."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    auth: Literal["public", "read", "create", "idempotent", "money"]
    wrap: str | None
    returns: str | None
    pages: str | None


@dataclass(frozen=True)
class Exchange:
    """A step: send this once, and hand back the answer or the error."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes
    timeout_seconds: float


@dataclass(frozen=True)
class Sleep:
    """A step."""

    seconds: float


@dataclass(frozen=True)
class AskTime:
    """A step: ask for the time of the service, unless somebody did since ``seen``."""

    seen: int
    exchange: Exchange


@dataclass(frozen=True)
class Answered:
    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def request_id(self) -> str | None:
        request_id: str | None = self.headers.get("x-request-id")
        return request_id

    def text(self) -> str:
        return self.content.decode("utf-8", "replace")

    def json(self) -> dict[str, Any]:
        """Raises QuittanceError when the answer is no object of JSON."""
        try:
            value = parse_exact(self.content.decode("utf-8"))
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        raise malformed_answer(self.status, self.request_id)


Step: TypeAlias = Exchange | Sleep | AskTime
Steps: TypeAlias = Generator[Step, "Answered | QuittanceError | None", Any]


class Core:
    """What all calls of a client share: its options, and how far its clock is off."""

    def __init__(self, options: ClientOptions, now: Callable[[], float]) -> None:
        base_url = options.base_url.rstrip("/").removesuffix(_BASE_PATH)
        self.now = now
        self._options = options
        self._base_url = base_url + _BASE_PATH
        # How often the time was asked for, and what is added to the machine's clock since. One value:
        # threads read it while another writes.
        self.time = (0, 0.0)

    def call(
        self,
        endpoint: Endpoint,
        kind: Any,
        parameters: Mapping[str, Any],
        options: CallOptions,
    ) -> Steps:
        """Gives the part of the answer that the method hands back."""
        answered = yield from self.send(endpoint, parameters, options)
        answer = answered.json()
        if endpoint.returns is None:
            return build(kind, answer)
        return build(kind, _inside(answered, answer, endpoint.returns))

    def fetch_page(
        self,
        endpoint: Endpoint,
        kind: Any,
        parameters: Mapping[str, Any],
        options: CallOptions,
    ) -> Steps:
        """Gives entries, the next cursor and the id of the request."""
        answered = yield from self.send(endpoint, parameters, options)
        answer = part = answered.json()
        for name in (endpoint.pages or "").split("."):
            part = _inside(answered, part, name)
        items = build(list[kind], part)
        return items, _inside(answered, answer, "nextCursor"), answered.request_id

    def send(
        self, endpoint: Endpoint, parameters: Mapping[str, Any], options: CallOptions
    ) -> Generator[Step, Any, Answered]:
        """Gives the answer of a call that succeeded; raises QuittanceError."""
        request = self._request_of(endpoint, parameters, options)
        allowed = options.get("max_retries")
        max_retries = self._options.max_retries if allowed is None else allowed
        is_asked_again = False
        attempt = 0
        while True:
            exchange, asked, offset = yield from self._sign(request)
            outcome = yield exchange
            if isinstance(outcome, Answered):
                if outcome.status == 200:
                    return outcome
                outcome = error_of_answer(outcome.status, outcome.headers, outcome.content)
            if outcome.status == 401 and request.is_signed and not is_asked_again:
                is_asked_again = True
                yield self._ask_time(asked, request.timeout_seconds)
                if abs(self.time[1] - offset) >= _CLOCK_OFF_SECONDS:
                    continue
            delay = retry_delay(
                attempt=attempt,
                retry_after_seconds=outcome.retry_after_seconds,
                random=self._options.random(),
                is_money=endpoint.auth == "money",
            )
            if not outcome.retryable or attempt >= max_retries or delay is None:
                raise outcome
            yield Sleep(delay)
            attempt += 1

    def _request_of(
        self, endpoint: Endpoint, parameters: Mapping[str, Any], options: CallOptions
    ) -> _Request:
        unknown = set(options) - _OPTION_NAMES
        if unknown:
            raise TypeError(
                f"{', '.join(sorted(unknown))}: no option of a call. Parameters are given as one"
                " mapping: commit(checkout_id, {'network': 'LITECOIN'})"
            )
        if not isinstance(parameters, Mapping):
            raise TypeError("parameters are given as one mapping")
        headers = {
            "accept": "application/json",
            "user-agent": f"quittance-python/{VERSION}",
            "quittance-version": self._options.api_version,
        }
        if endpoint.method != "GET":
            headers["content-type"] = "application/json"
        if endpoint.method == "POST":
            headers["idempotency-key"] = _key_of(options.get("idempotency_key"))
        if self._options.origin_url is not None:
            headers["x-origin-url"] = self._options.origin_url
        given = options.get("timeout_seconds")
        timeout = self._options.timeout_seconds if given is None else given
        return _request_of(endpoint, dict(parameters), headers, timeout)

    def _sign(self, request: _Request) -> Generator[Step, Any, tuple[Exchange, int, float]]:
        """The next attempt, and by which look at the time and which offset it is signed."""
        headers = request.headers
        if request.is_signed:
            if self.time[0] == 0:
                yield self._ask_time(0, request.timeout_seconds)
            asked, offset = self.time
            timestamp = math.floor(self.now() + offset)
            signature = sign_request(
                path=request.path,
                timestamp=timestamp,
                method=request.method,
                body=request.content,
                secret=self._options.secret,
            )
            headers = {
                **headers,
                "x-digest-key": self._options.key,
                "x-digest-timestamp": str(timestamp),
                "x-digest-signature": signature,
            }
        else:
            asked, offset = 0, 0.0
        url = f"{self._base_url}{request.path}{request.query}"
        timeout = request.timeout_seconds + request.held_seconds
        return Exchange(request.method, url, headers, request.content, timeout), asked, offset

    def _ask_time(self, seen: int, timeout_seconds: float) -> AskTime:
        headers = {"accept": "application/json", "user-agent": f"quittance-python/{VERSION}"}
        return AskTime(seen, Exchange("GET", f"{self._base_url}/time", headers, b"", timeout_seconds))

    def take_time(self, answer: Answered | QuittanceError) -> None:
        """Where the time cannot be had, the machine's clock is taken."""
        offset = 0.0
        try:
            if isinstance(answer, Answered) and answer.status == 200:
                time = answer.json().get("time")
                if isinstance(time, int) and not isinstance(time, bool):
                    offset = time - self.now()
        except QuittanceError:
            pass  # What is none of the service's answers tells no time.
        self.time = (self.time[0] + 1, offset)


@dataclass(frozen=True)
class _Request:
    """What is sent, the same at each attempt."""

    method: str
    path: str
    query: str
    content: bytes
    headers: dict[str, str]
    is_signed: bool
    timeout_seconds: float
    # The answer may be held for so long.
    held_seconds: float


def _request_of(
    endpoint: Endpoint, given: dict[str, Any], headers: dict[str, str], timeout_seconds: float
) -> _Request:
    path, parameters = endpoint.path, given
    if "{id}" in path:
        path = path.replace("{id}", quote(str(given["id"]), safe=""))
        parameters = {name: value for name, value in given.items() if name != "id"}
    query, content, held = "", b"", 0.0
    if endpoint.method == "GET":
        query = _query_of(parameters)
        held = _seconds_of(parameters.get("wait"))
    else:
        body = parameters if endpoint.wrap is None else {endpoint.wrap: parameters}
        content = write_exact(body).encode()
    is_signed = endpoint.auth != "public"
    return _Request(
        endpoint.method, path, query, content, headers, is_signed, timeout_seconds, held
    )


def _key_of(given: str | None) -> str:
    if given is None:
        return str(uuid.uuid4())
    if not re.fullmatch("[ -~]{1,255}", given):
        raise TypeError("idempotency_key: 1 to 255 letters of ASCII")
    return given


def _query_of(parameters: Mapping[str, Any]) -> str:
    """A mapping as ``meta`` becomes one parameter for each of its names: ``meta.order``."""
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            pairs += [(f"{name}.{one}", query_text(f"{name}.{one}", value[one])) for one in value]
        else:
            pairs.append((name, query_text(name, value)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _seconds_of(wait: object) -> float:
    try:
        return float(str(wait)) if wait is not None else 0.0
    except ValueError:
        return 0.0


def _inside(answered: Answered, value: Any, name: str) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    raise malformed_answer(answered.status, answered.request_id)
