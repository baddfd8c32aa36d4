"""Routes that agents pay for by HTTP 402 (x402, version 2, scheme exact), as ASGI middleware: for
Starlette, FastAPI and what else speaks ASGI.

What was signed pays for one request, by its method, address, body and price, and for no other. It is
settled before anything is served, and what an agent says about its checkout is never believed: the service
is asked. A paid request is not carried out once: sent again with the same signature it is let through
again, for the payer who lost the answer has paid. What must happen once is to be kept by ``checkout_id``.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from ._client import AsyncQuittance
from ._errors import NetworkError, NotFoundError, QuittanceError
from ._options import AsyncClock, AsyncSystemClock

__all__ = ["X402", "Admission", "Paid", "Payment", "Price"]

_VERSION = 2
_HEADER_LETTERS_MOST = 32 * 1024
_BODY_BYTES_MOST = 1024 * 1024
# The service waits up to half a minute for a block.
_TIMEOUT_SECONDS = 60
_RETRY_SECONDS = 5

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Price:
    amount: str
    """As ``"0.01"``."""
    currency: str
    """Billing currency, as ``USD`` or ``USDC``."""
    description: str | None = None
    """Of the resource; stands on the bill too."""
    mime_type: str | None = None


@dataclass(frozen=True)
class Payment:
    checkout_id: str
    """The checkout that was paid: what must happen once is kept by it."""
    payer: str
    transaction: str
    network: str


@dataclass(frozen=True)
class Admission:
    """``payment`` is None where the request is refused with this status and this object of JSON."""

    headers: dict[str, str]
    payment: Payment | None = None
    status: int = 200
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class _Wanted:
    price: Price
    resource: dict[str, str]
    mark: str


class X402:
    """What keeps routes until they are paid for.

    ``network`` is the one that agents pay on, as ``BASE``, and ``asset`` the id of a token there that has
    EIP-3009, as USDC. ``checkouts_per_minute``: unpaid requests that get a checkout each, in one process.
    """

    def __init__(
        self,
        *,
        key: str,
        secret: str,
        base_url: str,
        network: str,
        asset: str,
        webhook: str | None = None,
        checkouts_per_minute: int = 60,
        clock: AsyncClock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._clock = clock or AsyncSystemClock()
        self._quittance = AsyncQuittance(
            key=key, secret=secret, base_url=base_url, clock=self._clock, transport=transport
        )
        self._facilitator = httpx.AsyncClient(
            transport=transport, follow_redirects=False, timeout=_TIMEOUT_SECONDS
        )
        self._base = base_url.rstrip("/").removesuffix("/api/v1") + "/x402/"
        self._secret = secret.encode()
        self._way = {"network": network, "asset": asset}
        self._webhook = webhook
        self._most = checkouts_per_minute
        self._left = float(checkouts_per_minute)
        self._filled_at = self._clock.now()

    async def close(self) -> None:
        """Closes the connections."""
        await self._quittance.close()
        await self._facilitator.aclose()

    async def admit(
        self, *, method: str, url: str, body: bytes, signature: str | None, price: Price
    ) -> Admission:
        """Whether a request is paid for. ``signature`` is its header ``PAYMENT-SIGNATURE``.

        Raises QuittanceError for what trying again does not help, as a token that cannot be paid so.
        """
        told = {"url": url, "description": price.description, "mimeType": price.mime_type}
        resource = {name: value for name, value in told.items() if value is not None}
        wanted = _Wanted(price, resource, self._mark_of(method, url, body, price))
        try:
            if signature is None:
                return await self._offer(wanted, "payment required")
            return await self._take(wanted, _decode(signature))
        except QuittanceError as error:
            if not error.retryable:
                raise
            return _unavailable("the payment service does not answer", error.retry_after_seconds)

    async def _take(self, wanted: _Wanted, signed: Mapping[str, Any] | None) -> Admission:
        checkout_id, pay_to = _named_in(signed)
        if checkout_id is None:
            return await self._offer(wanted, "invalid_payload")
        try:
            checkout = await self._quittance.checkout.get(checkout_id)
        except NotFoundError:
            checkout = None
        if checkout is None or (checkout.meta or {}).get("x402") != wanted.mark:
            return await self._offer(wanted, "this was signed for another resource")
        accepts, reason = await self._ask_requirements(checkout_id)
        chosen = next((one for one in accepts if one["payTo"].lower() == pay_to), None)
        if chosen is None:
            return await self._offer(wanted, reason or "invalid_payment_requirements")
        settled = await self._settle(signed, chosen)
        headers = {"payment-response": _encode(settled)}
        if settled["success"] is True:
            payer, network = settled.get("payer", ""), settled["network"]
            return Admission(headers, Payment(checkout_id, payer, settled["transaction"], network))
        reason = settled.get("errorReason", "unexpected_settle_error")
        if reason == "settlement_pending":
            refused = _unavailable("the payment is on its way: send the same again")
            return Admission({**refused.headers, **headers}, None, refused.status, refused.body)
        if checkout.state != "AWAITING_PAYMENT" or reason == "duplicate_settlement":
            return await self._offer(wanted, reason)
        return _payment_required(wanted.resource, reason, accepts, headers)

    async def _offer(self, wanted: _Wanted, error: str) -> Admission:
        """Each has a checkout of its own, for each is paid at an address of its own."""
        if not self._take_one():
            return _unavailable("too many requests that are not paid for")
        price, resource = wanted.price, wanted.resource
        description = price.description or urlsplit(resource["url"]).path or "/"
        line: Any = {"description": description, "netAmount": price.amount, "quantity": 1}
        made = await self._quittance.checkout.create(
            {
                "charge": {"billingCurrency": price.currency, "lineItems": [line]},
                "webhook": self._webhook,
                "meta": {"x402": wanted.mark, "resource": resource["url"]},
            }
        )
        way: Any = self._way
        await self._quittance.checkout.commit(made.id, way)
        accepts, reason = await self._ask_requirements(made.id)
        if not accepts:
            raise QuittanceError(reason, code="x402_not_possible")
        return _payment_required(resource, error, accepts, {})

    async def _ask_requirements(self, checkout_id: str) -> tuple[list[dict[str, Any]], str]:
        """What a checkout asks for; nothing where it cannot be paid so (any more), and why not."""
        status, body = await self._ask("GET", f"requirements/{checkout_id}")
        if status == 200:
            return body["accepts"], ""
        if status in (404, 409):
            return [], str(body.get("details"))
        raise _failed(status)

    async def _settle(self, payment: Any, requirements: Any) -> dict[str, Any]:
        """Asked again with the same payment it gives the same answer, and sends nothing twice."""
        asked = {
            "x402Version": _VERSION,
            "paymentPayload": payment,
            "paymentRequirements": requirements,
        }
        status, body = await self._ask("POST", "settle", asked)
        if not isinstance(body.get("success"), bool):
            raise _failed(status)
        return body

    async def _ask(self, method: str, path: str, asked: Any = None) -> tuple[int, dict[str, Any]]:
        try:
            response = await self._facilitator.request(method, self._base + path, json=asked)
            body = response.json()
        except (httpx.RequestError, ValueError) as error:
            message = "no answer of the facilitator"
            raise NetworkError(message, code="no_answer", retryable=True) from error
        return response.status_code, body if isinstance(body, dict) else {}

    def _take_one(self) -> bool:
        """Whether one more checkout may be made."""
        now = self._clock.now()
        self._left = min(self._most, self._left + (now - self._filled_at) * self._most / 60)
        self._filled_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _mark_of(self, method: str, url: str, body: bytes, price: Price) -> str:
        """By the secret of the account, so that nobody else can say what a checkout was for."""
        facts = [method, url, price.amount, price.currency, *self._way.values()]
        signed = f"{json.dumps(facts)}\n".encode() + body
        return hmac.new(self._secret, signed, hashlib.sha256).hexdigest()


class Paid:
    """ASGI middleware: each HTTP request that reaches ``app`` costs ``price``.

    It stands around one route or one mounted app, behind the routing, so that no other spelling of an
    address goes round it. The app finds the :class:`Payment` as ``scope["quittance.payment"]``.
    """

    def __init__(self, app: App, x402: X402, price: Price) -> None:
        self._app = app
        self._x402 = x402
        self._price = price

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} cannot be paid for by HTTP 402")
        body = await _read_body(receive)
        if body is None:
            return await _answer(send, Admission({}, status=413, body={"error": "too large"}))
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        admission = await self._x402.admit(
            method=scope["method"],
            url=_url_of(scope, headers.get(b"host", "localhost")),
            body=body,
            signature=headers.get(b"payment-signature"),
            price=self._price,
        )
        if admission.payment is None:
            return await _answer(send, admission)
        scope["quittance.payment"] = admission.payment
        return await self._app(scope, _given(body, receive), _with(admission.headers, send))


def _url_of(scope: Scope, host: str) -> str:
    path = scope.get("raw_path")
    text = path.decode("latin-1") if path else quote(scope["path"])
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{scope.get('scheme', 'http')}://{host}{text}" + (f"?{query}" if query else "")


async def _read_body(receive: Receive) -> bytes | None:
    """None where it is too large."""
    body = b""
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > _BODY_BYTES_MOST:
            return None
        if message["type"] != "http.request" or not message.get("more_body", False):
            return body


def _given(body: bytes, receive: Receive) -> Receive:
    """The body once more, and then what comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _with(headers: Mapping[str, str], send: Send) -> Send:
    """What is paid for is nobody else's: no cache may hand it on."""

    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            if not any(name.lower() == b"cache-control" for name, _ in given):
                given.append((b"cache-control", b"private"))
            message = {**message, "headers": given + _raw(headers)}
        await send(message)

    return send_with


async def _answer(send: Send, admission: Admission) -> None:
    body = json.dumps(admission.body).encode()
    more = {"content-type": "application/json", "content-length": str(len(body))}
    start = {"type": "http.response.start", "status": admission.status}
    await send({**start, "headers": _raw({**admission.headers, **more})})
    await send({"type": "http.response.body", "body": body})


def _raw(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def _encode(value: Mapping[str, Any]) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


def _decode(header: str) -> Mapping[str, Any] | None:
    if len(header) > _HEADER_LETTERS_MOST:
        return None
    try:
        value = json.loads(base64.b64decode(header.strip(), validate=True))
    except (ValueError, RecursionError):
        return None
    is_ours = isinstance(value, dict) and value.get("x402Version") == _VERSION
    return value if is_ours else None


def _named_in(signed: Mapping[str, Any] | None) -> tuple[str | None, str]:
    """The checkout and the address that it says it pays; None where it names no checkout."""
    accepted = None if signed is None else signed.get("accepted")
    extra = accepted.get("extra") if isinstance(accepted, dict) else None
    checkout_id = extra.get("checkoutId") if isinstance(extra, dict) else None
    if not isinstance(checkout_id, str) or not re.fullmatch("[a-z0-9]{12}", checkout_id):
        return None, ""
    return checkout_id, str(accepted.get("payTo")).lower() if accepted else ""


def _payment_required(
    resource: Mapping[str, str],
    error: str,
    accepts: list[dict[str, Any]],
    headers: Mapping[str, str],
) -> Admission:
    body = {"x402Version": _VERSION, "error": error, "resource": resource, "accepts": accepts}
    more = {"payment-required": _encode(body), "cache-control": "no-store"}
    return Admission({**headers, **more}, None, 402, body)


def _unavailable(error: str, seconds: int | None = None) -> Admission:
    after = str(_RETRY_SECONDS if seconds is None else seconds)
    return Admission({"retry-after": after, "cache-control": "no-store"}, None, 503, {"error": error})


def _failed(status: int) -> NetworkError:
    message = f"the facilitator answered {status}"
    return NetworkError(message, code="facilitator_failed", retryable=True)
