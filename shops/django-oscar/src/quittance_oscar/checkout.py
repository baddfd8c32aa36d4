"""For the view of the shop that places orders.

    class PaymentDetailsView(QuittancePayment, CorePaymentDetailsView): ...
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseRedirect
from django.urls import reverse
from oscar.core.loading import get_model

from .payments import SOURCE, token_of

Source = get_model("payment", "Source")
SourceType = get_model("payment", "SourceType")


class QuittancePayment:
    """The order is placed first, unpaid, and then the customer pays it: who pays and never comes back has an
    order, and an order that is not paid is one more of its status.
    """

    def handle_payment(self, order_number: str, total: Any, **kwargs: Any) -> None:
        kind, _ = SourceType.objects.get_or_create(code="quittance", defaults={"name": SOURCE})
        source = Source(source_type=kind, currency=total.currency, amount_allocated=total.incl_tax)
        source.create_deferred_transaction("Authorise", total.incl_tax, order_number)
        self.add_payment_source(source)
        self.add_payment_event("Asked for", total.incl_tax, order_number)

    def handle_successful_order(self, order: Any) -> HttpResponseRedirect:
        # It sends mails and remembers the order for the page of thanks; where to is ours.
        super().handle_successful_order(order)
        return HttpResponseRedirect(reverse("quittance_oscar:pay", args=[token_of(order)]))
