"""A shop on plain Python that was made from the manual alone.

It sells one book, refunds it, and shows each customer how far his order is.
"""

import hmac
import json
import os
import sqlite3
import sys
import uuid
from contextlib import closing
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from quittance import Quittance, WebhookVerificationError, webhooks

PORT = int(os.environ.get("PORT", "3000"))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
WEBHOOK_SECRET = os.environ.get("QUITTANCE_WEBHOOK_SECRET", "")
ADMIN_TOKEN = os.environ.get("SHOP_ADMIN_TOKEN", "")
PRICE = "19.90"

quittance = Quittance(
    base_url=os.environ["QUITTANCE_URL"],
    key=os.environ["QUITTANCE_KEY"],
    secret=os.environ["QUITTANCE_SECRET"],
)


def query(statement, *values):
    """Runs one statement; gives its rows, and how many it changed."""
    with closing(sqlite3.connect("shop.db", timeout=10)) as connection, connection:
        connection.row_factory = sqlite3.Row
        done = connection.execute(statement, values)
        return done.fetchall(), done.rowcount


def find(column, value):
    rows, _ = query(f"select * from orders where {column} = ?", value)
    return rows[0] if rows else None


def move(number, before, after):
    """Whether this call moved the order: of two at once only one does."""
    statement = "update orders set state = ? where number = ? and state = ?"
    _, changed = query(statement, after, number, before)
    return changed == 1


def buy():
    number = str(uuid.uuid4())
    query("insert into orders (number, state) values (?, 'open')", number)
    made = quittance.checkout.create_hosted(
        {
            "charge": {
                "billingCurrency": "EUR",
                "lineItems": [{"description": "A good book", "netAmount": PRICE, "quantity": "1"}],
            },
            "pageSettings": {
                "returnUrl": f"{SHOP_URL}/thanks?order={number}",
                "cancelUrl": SHOP_URL,
            },
            "webhook": f"{SHOP_URL}/quittance",
            "meta": {"order": number},
        },
        idempotency_key=f"order-{number}",
    )
    query("update orders set checkout = ? where number = ?", made.id, number)
    return made.url


def look(order):
    """Asks the service how far the order is: no webhook and no customer is believed."""
    number = order["number"]
    if order["state"] == "open" and order["checkout"]:
        checkout = quittance.checkout.get(order["checkout"])
        is_price = Decimal(checkout.total) == Decimal(PRICE) and checkout.billingCurrency == "EUR"
        if checkout.state == "COMPLETED" and is_price and move(number, "open", "paid"):
            print(f"ship order {number}", flush=True)
    if order["state"] == "refunding":
        end = quittance.refunds.get(order["refund"]).state
        if end == "COMPLETED":
            move(number, "refunding", "refunded")
        if end == "FAILED":
            move(number, "refunding", "paid")


def refund(order):
    """Twice is once: the key of the request is that of the order."""
    number = order["number"]
    made = quittance.refunds.create(
        {"checkoutId": order["checkout"], "kind": "full"},
        idempotency_key=f"refund-{number}",
    )
    statement = "update orders set refund = ?, claim_url = ? where number = ?"
    query(statement, made.id, made.claimUrl, number)
    move(number, "paid", "refunding")


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/":
            self.page('<form method="post" action="/buy"><button>A good book</button></form>')
        elif url.path == "/thanks":
            self.show(find("number", parse_qs(url.query).get("order", [""])[0]))
        elif url.path.startswith("/orders/"):
            self.tell(find("number", url.path.split("/")[2]))
        else:
            self.answer(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = urlsplit(self.path).path.split("/")
        if parts[1:] == ["buy"]:
            self.answer(303, location=buy())
        elif parts[1:] == ["quittance"]:
            self.take_webhook(body)
        elif parts[1] == "orders" and parts[3:] == ["refund"]:
            self.refund(find("number", parts[2]))
        else:
            self.answer(404)

    def take_webhook(self, body):
        try:
            event = webhooks.verify(body, self.headers, WEBHOOK_SECRET)
        except WebhookVerificationError as error:
            self.answer(400, error.code)
            return
        order = None
        if refund := getattr(event.data, "refund", None):
            order = find("refund", refund.id)
        elif checkout := getattr(event.data, "checkout", None):
            order = find("checkout", checkout.id)
        if order:
            look(order)
        self.answer(204)

    def show(self, order):
        if order is None:
            self.answer(404)
            return
        look(order)
        order = find("number", order["number"])
        self.page(
            {
                "open": '<meta http-equiv="refresh" content="5"><p>We wait for your payment.</p>',
                "paid": "<p>Thank you. Your book is on its way.</p>",
                "refunding": f'<p>Your money: <a href="{order["claim_url"]}">say where to</a>.</p>',
                "refunded": "<p>Your money was sent back.</p>",
            }[order["state"]]
        )

    def refund(self, order):
        given = self.headers.get("authorization", "")
        if not ADMIN_TOKEN or not hmac.compare_digest(given, f"Bearer {ADMIN_TOKEN}"):
            self.answer(403)
        elif order is None or order["state"] != "paid":
            self.answer(409)
        else:
            refund(order)
            self.tell(find("number", order["number"]))

    def tell(self, order):
        if order is None:
            self.answer(404)
            return
        text = json.dumps({"order": order["number"], "state": order["state"]})
        self.answer(200, text, content_type="application/json")

    def page(self, text):
        self.answer(200, text, content_type="text/html; charset=utf-8")

    def answer(self, status, text="", location=None, content_type="text/plain"):
        self.send_response(status)
        self.send_header("content-type", content_type)
        if location:
            self.send_header("location", location)
        if status != 204:
            self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format, *args):
        print(format % args, file=sys.stderr)


if __name__ == "__main__":
    query(
        "create table if not exists orders (number text primary key, checkout text unique,"
        " state text not null, refund text, claim_url text)"
    )
    ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
