from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

Case = tuple[str, Callable[[], None]]


def plain(value: Any) -> Any:
    """What was answered, as JSON has it."""
    if isinstance(value, BaseModel):
        return plain(value.model_dump(by_alias=True, exclude_unset=True, warnings=False))
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, Decimal) else value


def check(seen: Any, wanted: Any) -> None:
    """Fails with both values when they are not the same JSON."""
    one = json.dumps(plain(seen), sort_keys=True)
    other = json.dumps(plain(wanted), sort_keys=True)
    if one != other:
        raise AssertionError(f"\nseen:   {one}\nwanted: {other}")
