from __future__ import annotations

from django.db import models

from . import decide


class Checkout(models.Model):
    """One that was made for an order. Its row is the lock: who changes the order holds it."""

    order = models.ForeignKey(
        "order.Order", on_delete=models.CASCADE, related_name="quittance_checkouts"
    )
    checkout_id = models.CharField(max_length=32, unique=True)
    url = models.URLField(max_length=500)
    stage = models.CharField(max_length=16, default=decide.OPEN)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.checkout_id


class Refund(models.Model):
    checkout = models.ForeignKey(Checkout, on_delete=models.CASCADE, related_name="refunds")
    refund_id = models.CharField(max_length=32, unique=True)
    price = models.DecimalField(max_digits=12, decimal_places=2)
    coins = models.CharField(max_length=80)
    state = models.CharField(max_length=32)
    claim_url = models.URLField(max_length=500, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.refund_id}: {self.coins}, {self.state}"
