"""What a checkout, as the service says it now, makes of an order. Pure.

An order is paid by the checkout that was noted with it alone, for its own total in its own currency. What
is settled is never undone by what came before it. The same again changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext

OPEN = "open"
SEEN = "seen"
UNDERPAID = "underpaid"
EXPIRED = "expired"
CANCELLED = "cancelled"
PAID = "paid"
MISMATCH = "mismatch"
"""Paid, but not what the order asks for."""
REVERSED = "reversed"
"""Paid, and taken back by the network."""

SETTLED = (PAID, MISMATCH, REVERSED)

_STAGES = {
    "PENDING": SEEN,
    "UNDERPAID": UNDERPAID,
    "EXPIRED": EXPIRED,
    "CANCELLED": CANCELLED,
}


@dataclass(frozen=True)
class Said:
    state: str
    is_asked: bool
    """Total and currency of the checkout are those of the order."""
    is_reversed: bool = False


def decide(noted: str, said: Said) -> str | None:
    """The stage that the order goes to; None where nothing is to be done."""
    stage = _stage_of(said)
    if stage == noted:
        return None
    if noted in SETTLED and stage not in SETTLED:
        return None
    return stage


def share(coins: Decimal, part: Decimal, whole: Decimal) -> Decimal:
    """So much of the coins as the part is of the whole, rounded down to the digits that they have."""
    if not 0 <= part <= whole or whole <= 0:
        raise ValueError("a share is from nothing to all of it")
    exponent = coins.as_tuple().exponent
    step = Decimal(1).scaleb(min(int(exponent), 0))
    with localcontext(prec=80, rounding=ROUND_DOWN):
        return (coins * part / whole).quantize(step)


def _stage_of(said: Said) -> str:
    if said.state == "COMPLETED":
        if said.is_reversed:
            return REVERSED
        return PAID if said.is_asked else MISMATCH
    # A state of a later version changes no order.
    return _STAGES.get(said.state, OPEN)
