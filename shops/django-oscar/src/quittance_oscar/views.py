from __future__ import annotations

import logging
from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib.auth.decorators import user_passes_test
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse, reverse_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from oscar.core.loading import get_model
from quittance import QuittanceError, WebhookVerificationError
from quittance.webhooks import verify

from . import refunds, settings
from .decide import PAID
from .models import Refund
from .payments import open_checkout, order_of, settle, settle_order, token_of

log = logging.getLogger("quittance_oscar")
BODY_MAX = 1_000_000

Order = get_model("order", "Order")


@require_GET
def pay(request: HttpRequest, token: str) -> HttpResponse:
    """To the payment page; an order that is paid is shown as such."""
    order = _order(token)
    settle_order(order)
    if order.quittance_checkouts.filter(stage=PAID).exists():
        return HttpResponseRedirect(_return_path(order))
    try:
        return HttpResponseRedirect(open_checkout(order, request.build_absolute_uri("/")[:-1]))
    except QuittanceError as error:
        log.error("order %s cannot be paid: %s", order.number, error)
        return _show(request, order, status=503, is_closed=True)


@require_GET
def come_back(request: HttpRequest, token: str) -> HttpResponse:
    """Who comes back has not paid: the service is asked."""
    order = _order(token)
    settle_order(order)
    return _show(request, order)


@csrf_exempt
@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """Both signatures are those of the raw body, or nothing is read of it; then the service is asked."""
    if int(request.headers.get("content-length") or 0) > BODY_MAX:
        return HttpResponse("too long", status=413)
    body = request.body
    try:
        event = verify(body, request.headers, settings.get("webhook_secret"))
        verify(body, request.headers, settings.get("secret"))
    except WebhookVerificationError as error:
        log.error("a webhook was refused: %s", error.code)
        return HttpResponse(error.code, status=400, content_type="text/plain")
    try:
        is_ours = _act(event)
    except QuittanceError as error:
        log.error("a webhook waits: %s", error)
        return HttpResponse("later", status=503, content_type="text/plain")
    return HttpResponse("ok" if is_ours else "nothing of this shop", content_type="text/plain")


@user_passes_test(lambda user: user.is_staff, login_url=reverse_lazy("dashboard:login"))
@require_http_methods(["GET", "POST"])
def give_back(request: HttpRequest, number: str) -> HttpResponse:
    """A form for the people of the shop: so much of the price, and what was given back before."""
    order = get_object_or_404(Order, number=number)
    fault = ""
    if request.method == "POST":
        try:
            price = Decimal(request.POST.get("price", ""))
            refunds.refund(order, price, int(request.POST.get("before", "-1")))
            return HttpResponseRedirect(request.path)
        except (InvalidOperation, ValueError):
            fault = "Write an amount, such as 5.00."
        except (refunds.NotRefundable, QuittanceError) as error:
            fault = str(error)
    listed = Refund.objects.filter(checkout__order=order)
    context = {"order": order, "refunds": listed, "fault": fault}
    status = 400 if fault else 200
    return render(request, "quittance_oscar/refunds.html", context, status=status)


def _act(event: Any) -> bool:
    data = getattr(event, "data", None)
    refund_id = getattr(getattr(data, "refund", None), "id", None)
    checkout_id = getattr(getattr(data, "checkout", None), "id", None)
    if isinstance(refund_id, str):
        return refunds.follow(refund_id)
    return isinstance(checkout_id, str) and settle(checkout_id) is not None


def _order(token: str) -> Any:
    order = order_of(token)
    if order is None:
        raise Http404
    return order


def _return_path(order: Any) -> str:
    return reverse("quittance_oscar:return", args=[token_of(order)])


def _show(request: HttpRequest, order: Any, status: int = 200, is_closed: bool = False) -> HttpResponse:
    newest = order.quittance_checkouts.last()
    context = {
        "order": order,
        "stage": newest.stage if newest is not None else "open",
        "is_paid": order.quittance_checkouts.filter(stage=PAID).exists(),
        "is_closed": is_closed,
        "token": token_of(order),
        "refunds": Refund.objects.filter(checkout__order=order).exclude(claim_url=""),
    }
    return render(request, "quittance_oscar/return.html", context, status=status)
