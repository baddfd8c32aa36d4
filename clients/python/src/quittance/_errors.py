"""What goes wrong, as exceptions: clients/README.md says which comes when."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx


class QuittanceError(Exception):
    """Every error of this library is one."""

    status: int | None
    """Of the answer; None where there was none."""
    code: str | None
    """The stable code: of the service (``X-Error-Code``), or of this library."""
    errors: list[str]
    """One text for each fault, as the service gave them."""
    request_id: str | None
    retry_after_seconds: int | None
    retryable: bool
    """The same again may succeed."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        errors: list[str] | None = None,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.errors = errors or []
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.retryable = retryable


class InvalidRequestError(QuittanceError):
    """400, 405, 408, 413, 422, 431: the request is wrong; ``errors`` has an entry for each fault."""


class AuthenticationError(QuittanceError):
    """401: key, secret or time are wrong."""


class ForbiddenError(QuittanceError):
    """403: the key or the address may not do this."""


class NotFoundError(QuittanceError):
    """404: there is no such thing in this account and environment."""


class ConflictError(QuittanceError):
    """409: the state of the thing forbids it; ``code`` says which."""


class RateLimitError(QuittanceError):
    """429: too many calls; ``retry_after_seconds`` says when the next is welcome."""


class ServerError(QuittanceError):
    """500 and above: the fault of the service, or something it needs is away."""


class NetworkError(QuittanceError):
    """No answer came; whether the request arrived is not known."""


class RequestTimeoutError(QuittanceError):
    """No answer came in time; whether the request arrived is not known."""


class WaitTimeoutError(QuittanceError):
    """A checkout did not reach the state that was waited for in time."""


class WebhookVerificationError(QuittanceError):
    """What came is no webhook of the service: answer 400 and do nothing."""


_BY_STATUS: dict[int, type[QuittanceError]] = {
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}
_RETRIED_STATUSES = (408, 429, 500, 502, 503, 504)
_RETRIED_CODES = ("idempotency_key_running", "signature_used")


def error_of_answer(status: int, headers: httpx.Headers, content: bytes) -> QuittanceError:
    """The error for an answer that is no success. ``content`` is its body."""
    request_id = headers.get("x-request-id")
    errors = _errors_of(content)
    if errors is None or status < 400:
        return malformed_answer(status, request_id)
    code = headers.get("x-error-code")
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else InvalidRequestError)
    mark = str(status) if code is None else f"{status} {code}"
    return kind(
        f"{'; '.join(errors)} ({mark})",
        status=status,
        code=code,
        errors=errors,
        request_id=request_id,
        retry_after_seconds=_retry_after_of(headers),
        retryable=status in _RETRIED_STATUSES or code in _RETRIED_CODES,
    )


def malformed_answer(status: int, request_id: str | None) -> QuittanceError:
    """The body is not what the service writes: a proxy in between, or another server."""
    kind = ServerError if status >= 500 else QuittanceError
    return kind(
        f"the answer ({status}) is none of the service: check base_url and proxies",
        status=status,
        code="answer_malformed",
        request_id=request_id,
        retryable=status in _RETRIED_STATUSES,
    )


def _errors_of(content: bytes) -> list[str] | None:
    try:
        body: Any = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    errors = body.get("errors") if isinstance(body, dict) else None
    if not isinstance(errors, list) or not all(isinstance(one, str) for one in errors):
        return None
    return errors


def _retry_after_of(headers: httpx.Headers) -> int | None:
    text = headers.get("retry-after", "")
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None
