"""A shop on Oscar, bought from over HTTP over a fresh service, and what somebody tries who wants not to pay."""

import base64
import hashlib
import hmac
import json
import os
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import serve
import httpx
from oscar.core.loading import get_model
from quittance import Quittance

from quittance_oscar import payments, refunds

SECRET = os.environ["QUITTANCE_SECRET"]
WEBHOOK_SECRET = os.environ["QUITTANCE_WEBHOOK_SECRET"]
Order = get_model("order", "Order")
quittance = Quittance(base_url=os.environ["QUITTANCE_URL"], key=os.environ["QUITTANCE_KEY"], secret=SECRET)
BOOK = serve.set_up()
ORIGIN = serve.serve()


def buy(quantity=1):
    """An order that is placed, and its checkout."""
    url = serve.Customer(ORIGIN).buy(BOOK, quantity)
    order = Order.objects.latest("pk")
    checkout = order.quittance_checkouts.get()
    assert checkout.url == url, (checkout.url, url)
    return order, quittance.checkout.get(checkout.checkout_id)


def pay(checkout, amount=None):
    wish = {"network": "LITECOIN", **({} if amount is None else {"amount": amount})}
    quittance.checkout.commit(checkout.id, {"network": "LITECOIN"})
    quittance.sandbox.pay({"checkoutId": checkout.id, **wish})
    quittance.sandbox.mine({"network": "LITECOIN", "blocks": 12})
    return quittance.checkout.wait_until(checkout.id, ["COMPLETED"] if amount is None else ["UNDERPAID"])


def send(checkout_id, *, secret=SECRET, webhook_secret=WEBHOOK_SECRET, at=None, body=None, without=()):
    """As the service sends it: both signatures."""
    event = {"id": "abcdefgh0123", "eventType": "CHECKOUT_COMPLETED", "sequence": 9, "apiVersion": "1",
             "created": "2026-01-01T00:00:00Z", "data": {"checkout": {"id": checkout_id, "state": "COMPLETED"}}}
    signed = json.dumps(event)
    moment = str(at or int(time.time()))
    key = base64.b64decode(webhook_secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{event['id']}.{moment}.{signed}".encode(), hashlib.sha256).digest()
    headers = {
        "webhook-id": event["id"],
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
        "x-webhook-auth": hashlib.sha256((secret + signed).encode()).hexdigest(),
    }
    sent = {name: value for name, value in headers.items() if name not in without}
    return httpx.post(f"{ORIGIN}/quittance/webhook/", content=body or signed, headers=sent, timeout=60)


def status(order):
    return Order.objects.get(pk=order.pk).status


def notes(order, part):
    return order.notes.filter(message__contains=part).count()


class Buying(unittest.TestCase):
    def test_a_purchase_is_paid_once_whoever_comes_first(self):
        order, checkout = buy(2)
        self.assertEqual(status(order), "Pending")
        self.assertEqual(Decimal(checkout.total), order.total_incl_tax)
        self.assertEqual(checkout.billingCurrency, "EUR")
        back = checkout.payload.links.returnUrl
        self.assertIn("not paid yet", httpx.get(back, timeout=60).text)
        pay(checkout)
        with ThreadPoolExecutor(10) as pool:
            tries = [pool.submit(send, checkout.id) for _ in range(5)]
            tries += [pool.submit(httpx.get, back, timeout=60) for _ in range(5)]
        self.assertEqual({one.result().status_code for one in tries}, {200})
        self.assertEqual(status(order), "Being processed")
        self.assertEqual(notes(order, "Quittance: paid"), 1)
        source = order.sources.get()
        self.assertEqual((source.amount_allocated, source.amount_debited), (order.total_incl_tax,) * 2)
        self.assertEqual(source.transactions.filter(txn_type="Debit").count(), 1)
        self.assertEqual(order.payment_events.filter(event_type__name="Settled").count(), 1)
        self.assertIn("Thank you", httpx.get(back, timeout=60).text)

    def test_the_webhook_of_the_service_itself_pays(self):
        order, checkout = buy()
        pay(checkout)
        ends_at = time.monotonic() + 60
        while status(order) != "Being processed" and time.monotonic() < ends_at:
            time.sleep(0.2)
        self.assertEqual(status(order), "Being processed")

    def test_the_button_pressed_again_opens_the_same_checkout(self):
        order, checkout = buy()
        again = httpx.get(f"{ORIGIN}/quittance/pay/{payments.token_of(order)}/", timeout=60)
        self.assertEqual(again.headers["location"], checkout.hostedCheckoutUrl)
        self.assertEqual(order.quittance_checkouts.count(), 1)

    def test_a_token_that_nobody_made_leads_nowhere(self):
        for token in ("x", f"{payments.token_of(buy()[0])}x"):
            self.assertEqual(httpx.get(f"{ORIGIN}/quittance/pay/{token}/").status_code, 404)


class Forging(unittest.TestCase):
    def test_what_is_not_signed_by_both_secrets_in_time_is_refused(self):
        order, checkout = buy()
        wrong = "whsec_" + base64.b64encode(b"x" * 32).decode()
        for change in (
            {"webhook_secret": wrong}, {"secret": "another"}, {"body": "{}"},
            {"at": int(time.time()) - 3600}, {"at": int(time.time()) + 3600},
            {"without": ("webhook-signature",)}, {"without": ("x-webhook-auth",)},
        ):
            self.assertEqual(send(checkout.id, **change).status_code, 400, change)
        self.assertEqual(httpx.get(f"{ORIGIN}/quittance/webhook/").status_code, 405)
        self.assertEqual(send(checkout.id).status_code, 200)
        self.assertEqual(status(order), "Pending")

    def test_a_checkout_of_another_shop_is_nothing_of_this_one(self):
        self.assertEqual(send("zzzzzzzzzzzz").text, "nothing of this shop")
        order, _ = buy()
        for currency, amount in (("EUR", "1.00"), ("USD", "19.90")):
            made = quittance.checkout.create({
                "charge": {"billingCurrency": currency, "lineItems": [{"description": "Less", "netAmount": amount}]},
                "meta": {"order": order.number},
            })
            pay(made)
            self.assertEqual(send(made.id).text, "nothing of this shop")
        self.assertEqual(status(order), "Pending")

    def test_a_checkout_over_less_than_the_order_pays_nothing(self):
        order, checkout = buy()
        order.total_incl_tax += 1
        order.save()
        pay(checkout)
        send(checkout.id)
        self.assertEqual(status(order), "On hold")
        self.assertEqual(order.sources.get().amount_debited, 0)


class NotAsAsked(unittest.TestCase):
    def test_too_little_waits_and_is_paid_when_it_is_accepted(self):
        order, checkout = buy()
        pay(checkout, "0.001")
        send(checkout.id)
        self.assertEqual(status(order), "On hold")
        quittance.checkout.accept_underpaid(checkout.id)
        send(checkout.id)
        self.assertEqual(status(order), "Being processed")

    def test_late_money_pays(self):
        order, checkout = buy()
        quittance.checkout.commit(checkout.id, {"network": "LITECOIN"})
        quittance.sandbox.expire(checkout.id)
        quittance.checkout.wait_until(checkout.id, ["EXPIRED"])
        self.assertEqual(payments.settle(checkout.id), "expired")
        self.assertEqual(status(order), "Pending")
        quittance.sandbox.pay({"checkoutId": checkout.id, "network": "LITECOIN"})
        quittance.sandbox.mine({"network": "LITECOIN", "blocks": 12})
        quittance.checkout.wait_until(checkout.id, ["COMPLETED"])
        serve.call_command("quittance_settle", stdout=open(os.devnull, "w"))
        self.assertEqual(status(order), "Being processed")


class Refunding(unittest.TestCase):
    def test_a_part_and_the_rest_once_each(self):
        # What the network takes of a refund is paid by the shop, of what it sold before.
        pay(buy()[1])
        order, checkout = buy()
        pay(checkout)
        payments.settle(checkout.id)
        owner = serve.Customer(ORIGIN)
        owner.sign_in()
        path = f"/quittance/refunds/{order.number}/"
        page = owner.post(path, {"price": "5.00", "before": "0"})
        self.assertIn("Link for the customer", page.text)
        self.assertEqual(owner.post(path, {"price": "5.00", "before": "0"}).status_code, 400)
        for price in ("x", "-1", "0", "0.001", "100", "NaN", ""):
            self.assertEqual(owner.post(path, {"price": price, "before": "1"}).status_code, 400, price)
        rest = refunds.refund(order, order.total_incl_tax - 5, 1)
        self.assertEqual(rest.state, "AWAITING_ADDRESS")
        source = order.sources.get()
        self.assertEqual(source.amount_refunded, order.total_incl_tax)
        coins = sum(Decimal(one.coins.split()[0]) for one in order.quittance_checkouts.get().refunds.all())
        self.assertEqual(coins, Decimal(quittance.checkout.get(checkout.id).sourceAmountReceived))
        with self.assertRaises(refunds.NotRefundable):
            refunds.refund(order, Decimal("1"), 2)
        self.assertIn("Say where", httpx.get(checkout.payload.links.returnUrl, timeout=60).text)

    def test_a_stranger_gives_nothing_back(self):
        answer = httpx.get(f"{ORIGIN}/quittance/refunds/100001/")
        self.assertEqual(answer.status_code, 302)
        self.assertIn("login", answer.headers["location"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
