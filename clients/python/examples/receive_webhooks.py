"""A receiver of webhooks: it believes nothing that is not signed, and answers before it works."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from quittance import WebhookVerificationError, webhooks
from quittance.models import Event

SECRET = os.environ["WEBHOOK_SECRET"]
done: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # The bytes as they came: JSON that is parsed and written again is another text.
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhooks.verify(body, self.headers, SECRET)
        except WebhookVerificationError as error:
            self.send_error(400, error.code)
            return
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()
        # One event may come twice.
        if event.id not in done:
            done.add(event.id)
            handle(event)


def handle(event: Event) -> None:
    if event.eventType == "CHECKOUT_COMPLETED":
        checkout = event.data.checkout
        print(f"checkout {checkout.id} is paid: ship order {(checkout.meta or {}).get('order')}")


if __name__ == "__main__":
    address = ("127.0.0.1", int(os.environ.get("PORT", "3000")))
    ThreadingHTTPServer(address, Receiver).serve_forever()
