"""Who pays a test checkout by itself, by a word in its ``meta``. With a live key the word does nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

SimulatedPayer: TypeAlias = Literal[
    "paid",
    "underpaid",
    "overpaid",
    "parts",
    "wrong_asset",
    "late",
    "expired",
    "replaced",
    "reversed",
]


def simulated_payer(payer: SimulatedPayer, meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """``meta`` of a test checkout that this payer pays as soon as it is committed."""
    return {**(meta or {}), "sandbox": payer}
