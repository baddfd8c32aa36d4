"""x402 of PyPI, unmodified, from the command line, and a shop whose one route stands behind the middleware of
our library for Python: what x402-python-stories.ts asks of them, answered as JSON."""

import asyncio
import json
import os
import socket
import sys

import httpx
import uvicorn
from eth_account import Account
from x402 import x402Client
from x402.http.clients import x402_httpx_transport
from x402.http.utils import decode_payment_response_header
from x402.mechanisms.evm.exact import register_exact_evm_client

from quittance.x402 import X402, Paid, Price


async def weather(scope, receive, send):
    paid = scope["quittance.payment"]
    body = json.dumps({"weather": "rain", "checkoutId": paid.checkout_id}).encode()
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def serve():
    x402 = X402(
        base_url=os.environ["QUITTANCE_URL"],
        key=os.environ["QUITTANCE_KEY"],
        secret=os.environ["QUITTANCE_SECRET"],
        network="ETHEREUM",
        asset=os.environ["SHOP_ASSET"],
        webhook=os.environ["SHOP_WEBHOOK"],
    )
    app = Paid(weather, x402, Price("0.25", "USDC", "The weather of a day"))
    listening = socket.create_server(("127.0.0.1", 0))
    print(json.dumps({"port": listening.getsockname()[1]}), flush=True)
    config = uvicorn.Config(app, lifespan="off", log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])


class Watching(httpx.AsyncHTTPTransport):
    """The signature is read where any wire would show it."""

    signature = None

    async def handle_async_request(self, request):
        self.signature = request.headers.get("payment-signature") or self.signature
        return await super().handle_async_request(request)


async def pay(url, key):
    client = x402Client()
    register_exact_evm_client(client, Account.from_key(key))
    # Of tokens that the client does not know it pays none, and of a chain of one's own it knows none.
    client.set_spend_controls(False)
    wire = Watching()
    async with httpx.AsyncClient(transport=x402_httpx_transport(client, wire), timeout=60) as agent:
        response = await agent.get(url)
    told = response.headers.get("payment-response")
    settled = told and decode_payment_response_header(told).model_dump(by_alias=True, mode="json")
    said = {"status": response.status_code, "body": response.json()}
    print(json.dumps({**said, "settled": settled, "signature": wire.signature}))


if sys.argv[1] == "serve":
    serve()
else:
    asyncio.run(pay(*sys.argv[2:]))
