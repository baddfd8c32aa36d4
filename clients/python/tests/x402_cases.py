"""Routes that are paid for by HTTP 402, against a service of two mappings."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx

from check import Case, check
from quittance.x402 import X402, Paid, Payment, Price

ROUTE = "https://shop.example/weather?day=monday"
PRICE = Price("0.25", "USDC")


class Clock:
    seconds = 0.0

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        pass


class Service:
    """Answers as the service does, without chain and money."""

    def __init__(self) -> None:
        self.metas: dict[str, Any] = {}
        self.settled: list[Any] = []
        self.state = "AWAITING_PAYMENT"
        self.outcome: dict[str, Any] = {
            **{"success": True, "transaction": "0xabc"},
            **{"network": "eip155:1", "payer": "0xdef"},
        }

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else {}
        told = self._tell(request.url.path, request.url.params.get("id"), body)
        if told is None:
            return httpx.Response(404, json={"errors": ["missing"]})
        return httpx.Response(200, json=told)

    def _tell(self, path: str, checkout_id: str | None, body: Any) -> Any:
        if path == "/api/v1/time":
            return {"time": 0}
        if path == "/x402/settle":
            self.settled.append(body["paymentRequirements"])
            return self.outcome
        if path == "/api/v1/checkout/commit":
            return {"checkoutId": body["checkoutId"]}
        if path == "/api/v1/checkout" and checkout_id is None:
            made = f"checkout{1000 + len(self.metas)}"
            self.metas[made] = body["meta"]
            return {"id": made}
        known = checkout_id or path.rsplit("/", 1)[-1]
        if known not in self.metas:
            return None
        if path == "/api/v1/checkout":
            return {"checkout": {"id": known, "state": self.state, "meta": self.metas[known]}}
        return {"accepts": [accepts_of(known)]}


def accepts_of(checkout_id: str) -> Any:
    return {
        **{"scheme": "exact", "network": "eip155:1", "asset": "0xa", "amount": "250000"},
        **{"payTo": f"0x{checkout_id}", "maxTimeoutSeconds": 3600},
        "extra": {"checkoutId": checkout_id},
    }


def encoded(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


def decoded(text: str) -> Any:
    return json.loads(base64.b64decode(text))


def signature_for(response: httpx.Response) -> str:
    """As an agent does: what was asked for comes back as ``accepted``."""
    [accepted] = response.json()["accepts"]
    return encoded({"x402Version": 2, "accepted": accepted, "payload": {"signature": "0x"}})


async def serve(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    payment: Payment = scope["quittance.payment"]
    told = {"checkout": payment.checkout_id, "asked": message["body"].decode()}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


class Shop:
    def __init__(self, service: Service, price: Price = PRICE, **options: Any) -> None:
        self.clock = Clock()
        given = {
            **{"key": "abcdefghijkl", "secret": "a-secret", "base_url": "https://pay.example"},
            **{"network": "ETHEREUM", "asset": "USDC:0xa", "clock": self.clock},
            **{"transport": httpx.MockTransport(service), **options},
        }
        app: Any = Paid(serve, X402(**given), price)
        self._transport = httpx.ASGITransport(app=app)

    def ask(
        self, signature: str | None = None, url: str = ROUTE, body: bytes = b"a"
    ) -> httpx.Response:
        headers = {} if signature is None else {"payment-signature": signature}

        async def send() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport) as client:
                return await client.post(url, content=body, headers=headers)

        return anyio.run(send)


def tell_price() -> None:
    response = Shop(Service()).ask()
    check(response.status_code, 402)
    told = response.json()
    check([told["error"], told["resource"]], ["payment required", {"url": ROUTE}])
    check(told["accepts"], [accepts_of("checkout1000")])
    check(decoded(response.headers["payment-required"]), told)


def serve_paid() -> None:
    service = Service()
    shop = Shop(service)
    signature = signature_for(shop.ask())
    response = shop.ask(signature)
    check(response.json(), {"checkout": "checkout1000", "asked": "a"})
    check(response.headers["cache-control"], "private")
    check(decoded(response.headers["payment-response"]), service.outcome)
    check(service.settled, [accepts_of("checkout1000")])
    service.state = "COMPLETED"
    check(shop.ask(signature).status_code, 200)


def refuse_other_request() -> None:
    service = Service()
    shop = Shop(service)
    signature = signature_for(shop.ask())
    for refused in (
        shop.ask(signature, "https://shop.example/weather?day=tuesday"),
        shop.ask(signature, body=b"b"),
        Shop(service, Price("0.26", "USDC")).ask(signature),
        Shop(service, secret="another").ask(signature),
        shop.ask(encoded({"x402Version": 2, "accepted": accepts_of("nothing00000")})),
    ):
        check(refused.status_code, 402)
        check(refused.json()["error"], "this was signed for another resource")
    for strange in ("%", "aGVsbG8=", encoded([]), encoded({"x402Version": 1})):
        check(shop.ask(strange).json()["error"], "invalid_payload")
    check(service.settled, [])


def tell_failure() -> None:
    service = Service()
    shop = Shop(service)
    signature = signature_for(shop.ask())
    service.outcome = {**service.outcome, "success": False, "errorReason": "insufficient_funds"}
    response = shop.ask(signature)
    check([response.status_code, response.json()["error"]], [402, "insufficient_funds"])
    check(response.json()["accepts"], [accepts_of("checkout1000")])
    service.state = "CANCELLED"
    check(shop.ask(signature).json()["accepts"], [accepts_of("checkout1001")])
    service.outcome["errorReason"] = "settlement_pending"
    waiting = shop.ask(signature)
    check([waiting.status_code, waiting.headers["retry-after"]], [503, "5"])


def limit_unpaid() -> None:
    service = Service()
    shop = Shop(service, checkouts_per_minute=2)
    check([shop.ask().status_code for _ in range(3)], [402, 402, 503])
    shop.clock.seconds += 30
    check([shop.ask().status_code for _ in range(2)], [402, 503])
    check(len(service.metas), 3)


def limit_body() -> None:
    service = Service()
    check(Shop(service).ask(body=b"a" * 1_100_000).status_code, 413)
    check(service.metas, {})


CASES: dict[str, Callable[[], None]] = {
    "a request that is not paid for is told what it costs": tell_price,
    "what is signed is settled and then served, again to who lost the answer": serve_paid,
    "it pays for no other address, body, price or account": refuse_other_request,
    "a payment that fails is told why, and one that waits is sent again": tell_failure,
    "those who never pay get so many checkouts in a minute": limit_unpaid,
    "a body without end is not read": limit_body,
}


def x402_cases() -> Iterator[Case]:
    for about, run in CASES.items():
        yield f"x402: {about}", run
