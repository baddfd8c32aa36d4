"""What the types accept, for mypy alone, which is strict: it refuses to compare what can never be equal."""

from quittance.models import CheckoutEvent, RefundEvent


def is_of_first_version(event: CheckoutEvent | RefundEvent) -> bool:
    """A receiver is told in its own version: an older one than this package's, or a later one."""
    return event.apiVersion == "1" or event.apiVersion == "2026-11-24"
