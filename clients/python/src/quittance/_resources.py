"""Resources that do more than ask one endpoint, written once for both clients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from typing_extensions import Unpack

from ._async_methods import AsyncCheckoutMethods, AsyncReportsMethods, AsyncSandboxMethods
from ._call import Answered, Core, Steps
from ._endpoints import ENDPOINTS
from ._errors import WaitTimeoutError
from ._methods import CheckoutMethods, ReportsMethods, SandboxMethods
from ._options import CallOptions
from .models import Checkout, CheckoutState, SandboxPayment
from .parameters import PayAndConfirmParameters, ReportDocumentParameters

# The service holds an answer for so long at most.
_HELD_SECONDS = 25
_WAIT_SECONDS = 3600.0
# Deeper than any simulated network asks for.
_BLOCKS = 100
_SEEN_SECONDS = 60.0

ReportName: TypeAlias = Literal[
    "balances", "ledger", "settlements", "fees", "taxes", "conversions", "gains"
]


@dataclass(frozen=True)
class ReportDocument:
    """A report in one of its formats beside JSON."""

    text: str
    content_type: str
    """``text/csv; charset=utf-8`` and others."""
    next_cursor: str | None
    """For the next part of it; None with the last one."""


class CheckoutResource(CheckoutMethods):
    def wait_until(
        self,
        id: str,
        states: CheckoutState | Sequence[CheckoutState] = "COMPLETED",
        /,
        *,
        timeout_seconds: float = _WAIT_SECONDS,
        max_retries: int | None = None,
    ) -> Checkout:
        """The checkout as soon as its state is one of ``states``.

        Raises WaitTimeoutError when it is not within ``timeout_seconds``.
        """
        options: CallOptions = {"max_retries": max_retries}
        steps = _wait_until(self._caller.core, id, states, timeout_seconds, options)
        checkout: Checkout = self._caller.run(steps)
        return checkout


class AsyncCheckoutResource(AsyncCheckoutMethods):
    async def wait_until(
        self,
        id: str,
        states: CheckoutState | Sequence[CheckoutState] = "COMPLETED",
        /,
        *,
        timeout_seconds: float = _WAIT_SECONDS,
        max_retries: int | None = None,
    ) -> Checkout:
        """The checkout as soon as its state is one of ``states``.

        Raises WaitTimeoutError when it is not within ``timeout_seconds``.
        """
        options: CallOptions = {"max_retries": max_retries}
        steps = _wait_until(self._caller.core, id, states, timeout_seconds, options)
        checkout: Checkout = await self._caller.run(steps)
        return checkout


class SandboxResource(SandboxMethods):
    def pay_and_confirm(
        self,
        checkout_id: str,
        parameters: PayAndConfirmParameters | None = None,
        /,
        **options: Unpack[CallOptions],
    ) -> Checkout:
        """Pays a test checkout and mines the blocks that it needs; gives it as it is then:
        ``COMPLETED``, or ``UNDERPAID`` when ``amount`` is too small."""
        steps = _pay_and_confirm(self._caller.core, checkout_id, parameters or {}, options)
        checkout: Checkout = self._caller.run(steps)
        return checkout


class AsyncSandboxResource(AsyncSandboxMethods):
    async def pay_and_confirm(
        self,
        checkout_id: str,
        parameters: PayAndConfirmParameters | None = None,
        /,
        **options: Unpack[CallOptions],
    ) -> Checkout:
        """Pays a test checkout and mines the blocks that it needs; gives it as it is then:
        ``COMPLETED``, or ``UNDERPAID`` when ``amount`` is too small."""
        steps = _pay_and_confirm(self._caller.core, checkout_id, parameters or {}, options)
        checkout: Checkout = await self._caller.run(steps)
        return checkout


class ReportsResource(ReportsMethods):
    def document(
        self,
        name: ReportName,
        parameters: ReportDocumentParameters,
        /,
        **options: Unpack[CallOptions],
    ) -> ReportDocument:
        """A report as a document: ``format`` says which, as ``csv``."""
        steps = self._caller.core.send(ENDPOINTS[f"reports.{name}"], parameters, options)
        return _document(self._caller.run(steps))


class AsyncReportsResource(AsyncReportsMethods):
    async def document(
        self,
        name: ReportName,
        parameters: ReportDocumentParameters,
        /,
        **options: Unpack[CallOptions],
    ) -> ReportDocument:
        """A report as a document: ``format`` says which, as ``csv``."""
        steps = self._caller.core.send(ENDPOINTS[f"reports.{name}"], parameters, options)
        return _document(await self._caller.run(steps))


def _document(answered: Answered) -> ReportDocument:
    return ReportDocument(
        text=answered.text(),
        content_type=answered.headers.get("content-type", ""),
        next_cursor=answered.headers.get("x-next-cursor"),
    )


def _wait_until(
    core: Core,
    id: str,
    states: CheckoutState | Sequence[CheckoutState],
    timeout_seconds: float,
    options: CallOptions,
) -> Steps:
    wanted: Sequence[str] = [states] if isinstance(states, str) else states
    ends_at = core.now() + timeout_seconds
    parameters: dict[str, Any] = {"id": id}
    while True:
        checkout = yield from core.call(ENDPOINTS["checkout.get"], Checkout, parameters, options)
        if checkout.state in wanted:
            return checkout
        left = math.floor(ends_at - core.now())
        if left < 1:
            raise WaitTimeoutError(
                f"checkout {id} is {checkout.state} after {timeout_seconds:g} s",
                code="wait_timeout",
            )
        parameters = {"id": id, "wait": min(_HELD_SECONDS, left)}


def _pay_and_confirm(
    core: Core, checkout_id: str, parameters: PayAndConfirmParameters, options: CallOptions
) -> Steps:
    named = {"checkoutId": checkout_id}
    given: dict[str, Any] = {**parameters}
    chosen = {name: value for name, value in given.items() if name != "amount"}
    before = yield from core.call(
        ENDPOINTS["checkout.get"], Checkout, {"id": checkout_id}, options
    )
    if before.state == "NEW" and "network" in chosen:
        yield from core.call(ENDPOINTS["checkout.commit"], Any, {**named, **chosen}, options)
    payments = yield from core.call(
        ENDPOINTS["sandbox.pay"], list[SandboxPayment], {**named, **given}, options
    )
    seen: Sequence[CheckoutState] = ("PENDING", "COMPLETED", "UNDERPAID")
    yield from _wait_until(core, checkout_id, seen, _SEEN_SECONDS, options)
    if payments:
        blocks = {"network": payments[0].network, "blocks": _BLOCKS}
        yield from core.call(ENDPOINTS["sandbox.mine"], Any, blocks, options)
    done: Sequence[CheckoutState] = ("COMPLETED", "UNDERPAID")
    return (yield from _wait_until(core, checkout_id, done, _SEEN_SECONDS, options))
