"""Looks after orders that no webhook may have reached: run it every few minutes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from quittance import QuittanceError

from quittance_oscar.decide import SETTLED
from quittance_oscar.models import Checkout, Refund
from quittance_oscar.payments import settle
from quittance_oscar.refunds import follow

ENDED = ("COMPLETED", "CANCELLED")


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--days", type=int, default=14, help="late money still counts")

    def handle(self, *args: Any, **options: Any) -> None:
        since = timezone.now() - timedelta(days=options["days"])
        for noted in Checkout.objects.exclude(stage__in=SETTLED).filter(created__gte=since):
            self._try(settle, noted.checkout_id)
        for noted in Refund.objects.exclude(state__in=ENDED).filter(created__gte=since):
            self._try(follow, noted.refund_id)

    def _try(self, act: Any, name: str) -> None:
        try:
            self.stdout.write(f"{name}: {act(name)}")
        except QuittanceError as error:
            self.stderr.write(f"{name}: {error}")
