"""The checkout of an order: made once, read under its lock, and what follows from it."""

from __future__ import annotations

import hashlib
import json
import logging
from decimal import Decimal
from typing import Any

from django.core import signing
from django.db import transaction
from django.urls import reverse
from oscar.apps.order.exceptions import InvalidOrderStatus
from oscar.core.loading import get_model
from quittance import QuittanceError

from . import settings
from .decide import CANCELLED, EXPIRED, MISMATCH, PAID, REVERSED, SEEN, UNDERPAID, Said, decide
from .models import Checkout

log = logging.getLogger("quittance_oscar")
SALT = "quittance_oscar.order"
SOURCE = "Quittance"

Order = get_model("order", "Order")
Source = get_model("payment", "Source")
SourceType = get_model("payment", "SourceType")
PaymentEvent = get_model("order", "PaymentEvent")
PaymentEventType = get_model("order", "PaymentEventType")
OrderNote = get_model("order", "OrderNote")

NOTES = {
    SEEN: "a payment is seen and not final yet",
    UNDERPAID: "too little came; wait for the rest, accept it or give it back",
    EXPIRED: "not paid in time; money that comes later still counts",
    CANCELLED: "the checkout was cancelled",
    PAID: "paid",
    MISMATCH: "a checkout over another amount was paid; look at it before you ship",
    REVERSED: "the network took the money back; do not ship",
}
STATUSES = {PAID: "paid", UNDERPAID: "held", MISMATCH: "held", REVERSED: "held"}


def token_of(order: Any) -> str:
    """Names an order in an address that only the shop can have made."""
    return signing.dumps(order.number, salt=SALT)


def order_of(token: str) -> Any:
    """The order, or None where nobody of this shop made the token."""
    try:
        number = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Order.objects.filter(number=number).first()


def open_checkout(order: Any, origin: str) -> str:
    """The address of the payment page: the same as long as it can be paid."""
    with transaction.atomic():
        order = Order.objects.select_for_update().get(pk=order.pk)
        newest = order.quittance_checkouts.last()
        with settings.client() as client:
            if newest is not None and client.checkout.get(newest.checkout_id).state != "CANCELLED":
                return str(newest.url)
            request = _request_of(order, origin)
            # What is asked for names the request: the same again is the same checkout.
            body = json.dumps([order.quittance_checkouts.count(), request], sort_keys=True)
            key = f"oscar-{hashlib.sha256(body.encode()).hexdigest()}"
            made = client.checkout.create_hosted(request, idempotency_key=key)
        Checkout.objects.create(order=order, checkout_id=made.id, url=made.url)
        return str(made.url)


def settle(checkout_id: str) -> str | None:
    """Asks the service and brings the order to where its checkout is; answers the stage.

    None where no order of this shop has it. The row of the order is locked meanwhile: of a webhook, a return and
    a command at the same moment one changes the order, and the others find it changed.
    """
    with transaction.atomic():
        noted = Checkout.objects.filter(checkout_id=checkout_id).first()
        if noted is None:
            return None
        order = Order.objects.select_for_update().get(pk=noted.order_id)
        noted = Checkout.objects.select_for_update().get(pk=noted.pk)
        with settings.client() as client:
            said = client.checkout.get(checkout_id)
        stage = decide(noted.stage, _said_of(order, said))
        if stage is not None:
            noted.stage = stage
            noted.save(update_fields=["stage"])
            _carry_out(order, stage, said)
        return str(noted.stage)


def settle_order(order: Any) -> None:
    """Every checkout of an order, where the service can be asked."""
    for noted in order.quittance_checkouts.all():
        try:
            settle(noted.checkout_id)
        except QuittanceError as error:
            log.error("order %s cannot be looked at: %s", order.number, error)


def source_of(order: Any) -> Any:
    kind, _ = SourceType.objects.get_or_create(code="quittance", defaults={"name": SOURCE})
    source, _ = Source.objects.get_or_create(
        order=order, source_type=kind, defaults={"currency": order.currency}
    )
    return source


def note(order: Any, text: str) -> None:
    OrderNote.objects.create(order=order, note_type=OrderNote.SYSTEM, message=f"Quittance: {text}")


def add_event(order: Any, name: str, amount: Decimal, reference: str) -> None:
    kind, _ = PaymentEventType.objects.get_or_create(name=name)
    PaymentEvent.objects.create(order=order, event_type=kind, amount=amount, reference=reference)


def _said_of(order: Any, said: Any) -> Said:
    flags = said.flags
    restored = getattr(flags, "restored", None)
    taken = getattr(flags, "reversed", None)
    is_reversed = taken is not None and (restored is None or restored.at < taken.at)
    meta = said.meta or {}
    is_asked = (
        said.billingCurrency == order.currency
        and Decimal(said.total) == order.total_incl_tax
        and meta.get("order") == order.number
    )
    return Said(said.state, is_asked, is_reversed)


def _carry_out(order: Any, stage: str, said: Any) -> None:
    note(order, f"{NOTES.get(stage, 'nothing is seen any more')} (checkout {said.id})")
    total = Decimal(said.total)
    source = source_of(order)
    if stage == PAID and source.amount_debited < order.total_incl_tax:
        source.debit(total, reference=said.id, status=said.state)
        add_event(order, "Settled", total, said.id)
    elif stage == REVERSED:
        source.refund(total, reference=said.id, status="REVERSED")
        add_event(order, "Reversed", total, said.id)
    wanted = STATUSES.get(stage)
    if wanted is not None:
        _set_status(order, settings.status(wanted))
    log.info("order %s: %s by checkout %s", order.number, stage, said.id)


def _set_status(order: Any, status: str) -> None:
    """A status that the pipeline of the shop does not allow is told, and the money stays booked."""
    try:
        order.set_status(status)
    except InvalidOrderStatus:
        note(order, f"the order stays {order.status}: it cannot become {status} from there")


def _request_of(order: Any, origin: str) -> dict[str, Any]:
    lines = [
        {"description": _describe(line), "netAmount": str(line.line_price_incl_tax)}
        for line in order.lines.all()
    ]
    if order.shipping_incl_tax:
        lines.append({"description": "Shipping", "netAmount": str(order.shipping_incl_tax)})
    rest = order.total_incl_tax - sum(Decimal(line["netAmount"]) for line in lines)
    if rest:
        lines.append({"description": "Discounts and surcharges", "netAmount": str(rest)})
    back = f"{origin}{reverse('quittance_oscar:return', args=[token_of(order)])}"
    return {
        "charge": {"billingCurrency": order.currency, "lineItems": lines},
        "settlementAsset": "ORIGIN",
        "webhook": f"{origin}{reverse('quittance_oscar:webhook')}",
        "pageSettings": {"returnUrl": back, "cancelUrl": back},
        "meta": {"order": order.number},
    }


def _describe(line: Any) -> str:
    text = f"{line.quantity} × {line.title}" if line.quantity > 1 else line.title
    return str(text)[:200] or "–"
