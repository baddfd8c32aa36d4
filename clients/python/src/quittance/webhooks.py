"""Whether a webhook comes from the service.

Two signatures: Standard Webhooks (``whsec_…``), which covers the time of the attempt, and
``X-Webhook-Auth`` (the API secret), which covers the body alone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from ._errors import WebhookVerificationError
from ._exact_json import parse_exact
from ._model import build
from .models import Event

_TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"
_SECRET_BYTES_LEAST = 24


class Headers(Protocol):
    """As a web framework has them: a mapping, or what gives pairs as one. Names in any letters."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


def verify(
    payload: str | bytes,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float | None = None,
    now: Callable[[], float] = time.time,
) -> Event:
    """Gives the event when one of the secrets signed it.

    ``payload`` is the body as it came: JSON that was parsed and written again is another text.
    ``tolerance_seconds`` is how old a webhook may be, or how far ahead of our clock; 300 unless given.

    Raises WebhookVerificationError with the fault of the first secret.
    """
    body = payload.encode("utf-8", "surrogatepass") if isinstance(payload, str) else bytes(payload)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    tolerance = _TOLERANCE_SECONDS if tolerance_seconds is None else tolerance_seconds
    first: WebhookVerificationError | None = None
    for one in secrets:
        try:
            if one.startswith(_PREFIX):
                _check_standard(body, headers, one, tolerance, now)
            else:
                _check_webhook_auth(body, headers, one)
        except WebhookVerificationError as error:
            first = first or error
        else:
            return _parse_event(body)
    raise first or _malformed_secret("there is no secret")


def _check_standard(
    body: bytes, headers: Headers, secret: str, tolerance: float, now: Callable[[], float]
) -> None:
    key = _from_base64(secret[len(_PREFIX) :])
    if key is None or len(key) < _SECRET_BYTES_LEAST:
        raise _malformed_secret("a webhook secret is whsec_ and base64 of at least 24 bytes")
    webhook_id = _require_header(headers, "webhook-id")
    timestamp = _require_header(headers, "webhook-timestamp")
    signatures = _require_header(headers, "webhook-signature")
    _check_age(timestamp, tolerance, now)
    signed = f"{webhook_id}.{timestamp}.".encode("utf-8", "replace") + body
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    given = [_from_base64(one[3:]) for one in signatures.split(" ") if one.startswith("v1,")]
    if not any(one is not None and hmac.compare_digest(one, expected) for one in given):
        raise _mismatch()


def _check_webhook_auth(body: bytes, headers: Headers, secret: str) -> None:
    if secret.strip() == "":
        raise _malformed_secret("the secret is empty")
    given = _require_header(headers, "x-webhook-auth")
    expected = hashlib.sha256(secret.encode() + body).hexdigest()
    if not hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode()):
        raise _mismatch()


def _check_age(text: str, tolerance: float, now: Callable[[], float]) -> None:
    if not re.fullmatch("[0-9]{1,12}", text):
        raise WebhookVerificationError(
            "webhook-timestamp is no Unix time", code="header_malformed"
        )
    age = math.floor(now()) - int(text)
    if age > tolerance:
        raise WebhookVerificationError(
            f"sent {age} s ago: it may be a replay", code="timestamp_too_old"
        )
    if -age > tolerance:
        raise WebhookVerificationError(
            f"sent {-age} s ahead of this machine's clock", code="timestamp_too_new"
        )


def _require_header(headers: Headers, name: str) -> str:
    for one, value in headers.items():
        if str(one).lower() != name:
            continue
        if not isinstance(value, str) and isinstance(value, Sequence):
            value = value[0] if value else ""
        if isinstance(value, str) and value != "":
            return value
    raise WebhookVerificationError(f"the header {name} is missing", code="header_missing")


def _parse_event(body: bytes) -> Event:
    try:
        parsed = parse_exact(body.decode("utf-8"))
    except ValueError:
        raise WebhookVerificationError("the body is no JSON", code="payload_malformed") from None
    event: Event = build(Event, parsed)
    return event


def _from_base64(text: str) -> bytes | None:
    digits = text.rstrip("=")
    if len(text) - len(digits) > 2 or not re.fullmatch("[A-Za-z0-9+/]*", digits):
        return None
    try:
        return base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
    except binascii.Error:
        return None


def _malformed_secret(message: str) -> WebhookVerificationError:
    return WebhookVerificationError(message, code="secret_malformed")


def _mismatch() -> WebhookVerificationError:
    return WebhookVerificationError(
        "the signature is not that of this body: check the secret, and verify the raw body",
        code="signature_mismatch",
    )
