"""A shop on FastAPI. It sells one book, sends the customer to a hosted page, and ships when the service says
that this checkout of this order is paid.
"""

import os
from contextlib import asynccontextmanager
from decimal import Decimal

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from quittance import AsyncQuittance, WebhookVerificationError
from quittance.webhooks import verify

from orders import Order, find_by_checkout, find_order, mark_paid, note_checkout, open_order

PORT = int(os.environ.get("PORT", "3000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://127.0.0.1:{PORT}")
quittance = AsyncQuittance(
    base_url=os.environ["QUITTANCE_URL"],
    key=os.environ["QUITTANCE_KEY"],
    secret=os.environ["QUITTANCE_SECRET"],
)


@asynccontextmanager
async def lifespan(_app: FastAPI):
    async with quittance:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/", response_class=HTMLResponse)
async def show_book() -> str:
    return '<form method="post" action="/buy"><button>A good book, 19.90 EUR</button></form>'


@app.post("/buy")
async def buy() -> RedirectResponse:
    number = open_order("19.90", "EUR")
    made = await quittance.checkout.create_hosted(
        {
            "charge": {
                "billingCurrency": "EUR",
                "lineItems": [{"description": "A good book", "netAmount": "19.90"}],
            },
            "pageSettings": {
                "returnUrl": f"{SHOP_URL}/thanks?order={number}",
                "cancelUrl": SHOP_URL,
            },
            "webhook": f"{SHOP_URL}/quittance",
            "meta": {"order": number},
        },
        # A request that is sent twice makes one checkout.
        idempotency_key=f"order-{number}",
    )
    note_checkout(number, made.id)
    return RedirectResponse(made.url, status_code=303)


@app.post("/quittance", status_code=204)
async def receive_webhook(request: Request) -> Response:
    # The bytes as they came: JSON that is parsed and written again is another text.
    body = await request.body()
    try:
        event = verify(body, request.headers, os.environ["QUITTANCE_WEBHOOK_SECRET"])
    except WebhookVerificationError as error:
        return Response(error.code, status_code=400)
    checkout = getattr(event.data, "checkout", None)
    order = None if checkout is None else find_by_checkout(checkout.id)
    if order is not None:
        await settle(order)
    return Response(status_code=204)


@app.get("/thanks")
async def thank(order: str) -> Response:
    """Anybody can open this address: what it says is what the service says."""
    found = find_order(order)
    if found is None:
        raise HTTPException(404, "There is no such order.")
    await settle(found)
    now = find_order(order)
    is_paid = now is not None and now.state == "paid"
    return Response("Thank you. Your book is on its way." if is_paid else "We wait for your payment.")


@app.get("/orders/{number}")
async def show_order(number: str) -> dict[str, str]:
    found = find_order(number)
    if found is None:
        raise HTTPException(404, "no such order")
    return {"order": found.number, "state": found.state}


async def settle(order: Order) -> None:
    """Asks the service about the checkout that the shop itself noted: a webhook is only a hint."""
    if order.state == "paid" or order.checkout_id is None:
        return
    checkout = await quittance.checkout.get(order.checkout_id)
    # The service writes 19.90 as 19.9: as decimals both are the same.
    is_for_this = (
        Decimal(checkout.total) == Decimal(order.total)
        and checkout.billingCurrency == order.currency
    )
    if checkout.state == "COMPLETED" and is_for_this and mark_paid(order.number):
        print(f"ship order {order.number}", flush=True)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
