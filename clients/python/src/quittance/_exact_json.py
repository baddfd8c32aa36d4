"""JSON without rounding. Amounts are texts on the wire; what else is a number keeps its exact value:
one that a float does not hold is read as ``Decimal``, and a float is not written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, NoReturn

from pydantic import BaseModel

_LARGEST_SAFE = 2**53 - 1


def parse_exact(text: str) -> Any:
    """The value of a text of JSON. Raises ValueError when it is none."""
    try:
        return json.loads(
            text, parse_int=_read_int, parse_float=_read_fraction, parse_constant=_refuse_constant
        )
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _read_int(token: str) -> int | Decimal:
    try:
        return int(token)
    except ValueError:  # Python refuses to read thousands of digits as an int.
        return Decimal(token)


def _read_fraction(token: str) -> float | Decimal:
    held = float(token)
    exact = Decimal(token)
    return held if math.isfinite(held) and Decimal(repr(held)) == exact else exact


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"{token} is no JSON")


def write_exact(value: object) -> str:
    """The JSON of a request.

    Raises TypeError for a float that is not whole, except inside of ``meta``, which belongs to the
    caller: as a float 0.1 + 0.2 is another amount than 0.3.
    """
    return _write(value, "", False)


def _write(value: object, path: str, is_meta: bool) -> str:
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _write_float(value, path, is_meta)
    if isinstance(value, Decimal):
        # What was read as a number of `meta` goes back as one.
        return _plain(value, path) if is_meta else json.dumps(_plain(value, path))
    if isinstance(value, datetime):
        return json.dumps(_time_text(value, path))
    if isinstance(value, BaseModel):
        value = value.model_dump(by_alias=True, exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return _write_object(value, path, is_meta)
    if isinstance(value, (list, tuple)):
        parts = [_write(one, f"{path}[{at}]", is_meta) for at, one in enumerate(value)]
        return f"[{','.join(parts)}]"
    raise TypeError(f"{path or 'parameters'}: {type(value).__name__} cannot be sent as JSON")


def _write_object(value: Mapping[Any, Any], path: str, is_meta: bool) -> str:
    parts = []
    for name, one in value.items():
        if not isinstance(name, str):
            raise TypeError(f"{path or 'parameters'}: the name {name!r} is no text")
        inside = f"{path}.{name}" if path else name
        parts.append(f"{json.dumps(name)}:{_write(one, inside, is_meta or name == 'meta')}")
    return f"{{{','.join(parts)}}}"


def _write_float(value: float, path: str, is_meta: bool) -> str:
    if value.is_integer() and abs(value) <= _LARGEST_SAFE:
        return str(int(value))
    if is_meta and math.isfinite(value):
        return repr(value)
    raise _float_refused(path)


def _plain(value: Decimal, path: str) -> str:
    if not value.is_finite():
        raise TypeError(f"{path}: {value} is no amount")
    return format(value, "f")


def query_text(name: str, value: object) -> str:
    """The text of a parameter of a query. Raises TypeError as ``write_exact`` does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _write_float(value, name, False)
    if isinstance(value, Decimal):
        return _plain(value, name)
    if isinstance(value, datetime):
        return _time_text(value, name)
    if isinstance(value, (str, int)):
        return str(value)
    raise TypeError(f"{name}: {type(value).__name__} cannot be sent in a query")


def _time_text(value: datetime, path: str) -> str:
    if value.tzinfo is None:
        raise TypeError(f"{path}: a time without a time zone may be any")
    return value.isoformat()


def _float_refused(path: str) -> TypeError:
    return TypeError(f"{path}: an amount is a text, as '12.50', an int or a Decimal, never a float")
