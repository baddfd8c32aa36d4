"""Digest authentication."""

from __future__ import annotations

import hashlib
import hmac


def sign_request(
    *, path: str, timestamp: int, method: str, body: str | bytes, secret: str
) -> str:
    """The value of ``X-Digest-Signature``.

    ``path`` is without ``/api/v1`` and query, ``timestamp`` in Unix seconds, ``body`` the very bytes
    that are sent, or their text.
    """
    verb = method.upper()
    signed = f"{path.lower()}{timestamp}{verb}".encode()
    if verb != "GET":
        signed += body.encode() if isinstance(body, str) else body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def basic_value(key: str, secret: str) -> str:
    """The value of ``X-Basic``: for trying things out with a test key. The client does not use it."""
    return hashlib.sha256(f"{key}:{secret}".encode()).hexdigest()
