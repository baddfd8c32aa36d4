"""Money of an order that goes back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction
from oscar.core.loading import get_model

from . import settings
from .decide import PAID, share
from .models import Checkout, Refund
from .payments import add_event, note, source_of

Order = get_model("order", "Order")


class NotRefundable(Exception):
    """Says why."""


def refund(order: Any, price: Decimal, before: int) -> Refund:
    """Gives back so much of the price of an order, once for each call that ends.

    Of the coins it is the same part, rounded down; what completes the price is all that is left. `before` is how
    many refunds whoever asks has seen: a form that is sent twice gives back once.
    """
    with transaction.atomic():
        order = Order.objects.select_for_update().get(pk=order.pk)
        paid = order.quittance_checkouts.filter(stage=PAID).last()
        if paid is None:
            raise NotRefundable("the order was not paid with Quittance")
        if paid.refunds.count() != before:
            raise NotRefundable("something was given back meanwhile: look again")
        source = source_of(order)
        left = source.amount_available_for_refund
        if not 0 < price <= left or price != round(price, 2):
            raise NotRefundable(f"of the order {left} {order.currency} are left to be refunded")
        with settings.client() as client:
            wish = {"kind": "full"}
            if price != left:
                coins = Decimal(client.checkout.get(paid.checkout_id).sourceAmountReceived or "0")
                wish = {"kind": "amount", "amount": str(share(coins, price, source.amount_debited))}
            # The number of refunds before names the request: asked again, it is the same one.
            key = f"oscar-{paid.checkout_id}-refund-{before}-{price}"
            made = client.refunds.create(
                {"checkoutId": paid.checkout_id, **wish}, idempotency_key=key
            )
        source.refund(price, reference=made.id, status=made.state)
        add_event(order, "Refunded", price, made.id)
        note(order, f"{made.amount} {made.amountAssetCode} are given back (refund {made.id})")
        return Refund.objects.create(
            checkout=paid,
            refund_id=made.id,
            price=price,
            coins=f"{made.amount} {made.amountAssetCode}",
            state=made.state,
            claim_url=made.claimUrl or "",
        )


def follow(refund_id: str) -> bool:
    """Asks how far it is; False where no order of this shop has it."""
    with transaction.atomic():
        noted = Refund.objects.filter(refund_id=refund_id).first()
        if noted is None:
            return False
        Checkout.objects.select_for_update().get(pk=noted.checkout_id)
        noted.refresh_from_db()
        with settings.client() as client:
            said = client.refunds.get(refund_id)
        if said.state != noted.state:
            note(noted.checkout.order, f"the refund {refund_id} is {said.state} now")
        noted.state = said.state
        noted.claim_url = said.claimUrl or ""
        noted.save()
        return True
