"""How long to wait before the next attempt."""

from __future__ import annotations

_FIRST_SECONDS = 0.5
_MOST_SECONDS = 8.0
# Whoever is told to come back later than that is told so, and decides.
_RETRY_AFTER_MOST_SECONDS = 30


def retry_delay(
    *, attempt: int, retry_after_seconds: int | None, random: float, is_money: bool
) -> float | None:
    """Seconds; None: there is no next attempt. ``attempt`` is 0 before the first repeat.

    A signature of the class money is good for one request: the next needs a later second.
    """
    asked = retry_after_seconds or 0
    if asked > _RETRY_AFTER_MOST_SECONDS:
        return None
    back_off = min(_MOST_SECONDS, _FIRST_SECONDS * 2.0 ** min(attempt, 10)) * (0.5 + random / 2)
    return max(back_off, asked, 1 if is_money else 0)
