"""What the shop says in ``QUITTANCE`` of its settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from quittance import Quittance

NEEDED = ("address", "key", "secret", "webhook_secret")
USUAL_STATUSES = {"paid": "Being processed", "held": "On hold", "failed": "Cancelled"}


def get(name: str) -> str:
    said: dict[str, Any] = getattr(settings, "QUITTANCE", {})
    missing = [one for one in NEEDED if not said.get(one)]
    if missing:
        raise ImproperlyConfigured(f"QUITTANCE lacks {', '.join(missing)}")
    return str(said[name])


def status(name: str) -> str:
    """The status of Oscar's pipeline for ``paid``, ``held`` or ``failed``."""
    said: dict[str, Any] = getattr(settings, "QUITTANCE", {})
    return str({**USUAL_STATUSES, **said.get("statuses", {})}[name])


def client() -> Quittance:
    return Quittance(
        base_url=get("address"),
        key=get("key"),
        secret=get("secret"),
        timeout_seconds=15,
        max_retries=1,
    )
