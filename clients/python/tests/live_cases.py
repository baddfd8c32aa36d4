"""The library over a real service: QUITTANCE_URL, QUITTANCE_KEY and QUITTANCE_SECRET say which. Every
endpoint is called; the last case says so."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlsplit

import httpx

import quittance
from check import Case, check
from quittance import API_VERSION

MISSING = "aaaaaaaaaaaa"


def charge(amount: str) -> dict[str, Any]:
    line_items = [{"description": "Book", "netAmount": amount}]
    return {"billingCurrency": "EUR", "lineItems": line_items}


class Counting(httpx.HTTPTransport):
    """httpx's own transport, which tells what was called: ``METHOD path``."""

    def __init__(self, called: set[str]) -> None:
        super().__init__()
        self._called = called

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        note(self._called, request)
        return super().handle_request(request)


class AsyncCounting(httpx.AsyncHTTPTransport):
    def __init__(self, called: set[str]) -> None:
        super().__init__()
        self._called = called

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        note(self._called, request)
        return await super().handle_async_request(request)


def note(called: set[str], request: httpx.Request) -> None:
    path = re.sub("/[a-z0-9]{12}/", "/{id}/", request.url.path.removeprefix("/api/v1"))
    called.add(f"{request.method} {path}")


class Suite:
    def __init__(
        self, make_client: Callable[..., Any], access: dict[str, str], methods: list[dict[str, Any]]
    ) -> None:
        self.called: set[str] = set()
        self.access = access
        self.methods = methods
        self.make_client = make_client
        is_sync = make_client is quittance.Quittance
        transport = Counting(self.called) if is_sync else AsyncCounting(self.called)
        self.client = make_client(**access, transport=transport)

    def cases(self) -> Iterator[Case]:
        yield "the service and its catalogue", self.ask_catalogue
        yield "a clock that is two minutes off makes no difference", self.sign_with_wrong_clock
        yield "wrong credentials are an AuthenticationError", self.fail_to_sign_in
        yield "customers are made, changed, walked and deleted", self.keep_customers
        yield "one key makes one customer", self.repeat_once
        yield "every fault of a request is told", self.tell_faults
        yield "a checkout is paid, waited for, and told by webhooks that verify", self.sell
        yield "checkouts expire, are cancelled, and accepted underpaid", self.end_checkouts
        yield "deposit addresses are paid", self.pay_deposit_address
        yield "money leaves after quotes, by digest alone", self.move_money
        yield "refunds are made and cancelled", self.refund
        yield "reports come as rows and as documents", self.report
        yield "settings are read and changed", self.change_settings
        yield "a simulated payer pays by itself", self.pay_by_simulation
        yield "simulated networks replace, reorganise and freeze", self.drive_sandbox
        yield "every endpoint was called", self.all_called

    def all_called(self) -> None:
        routes = {f"{one['method']} {one['path']}" for one in self.methods}
        check(sorted(routes - self.called), [])

    def refused(self, code: str, call: Callable[[], Any]) -> quittance.QuittanceError:
        try:
            call()
        except quittance.QuittanceError as error:
            if error.code != code:
                raise
            return error
        raise AssertionError("not refused")

    def ask_catalogue(self) -> None:
        client = self.client
        check(isinstance(client.service.time(), int), True)
        check(client.service.auth_test().method, "digest")
        check(len(client.service.languages()) > 5, True)
        check(client.service.openapi()["openapi"], "3.1.0")
        networks = client.catalogue.networks()
        check(any(network.id == "LITECOIN" for network in networks), True)
        check(len(client.catalogue.assets()) > 5, True)
        check(len(client.catalogue.currencies()) > 20, True)
        check(len(client.catalogue.fiat_currencies()) > 20, True)
        check(len(client.catalogue.blockchains()) > 3, True)
        check(len(client.catalogue.asset_issuers()) > 0, True)
        pair = {"sourceAsset": "LTC:NATIVE", "targetAsset": "EUR", "sourceAmount": "0.1"}
        check(isinstance(client.catalogue.exchange_rate(pair).targetAmount, str), True)

    def sign_with_wrong_clock(self) -> None:
        class Late:
            def now(self) -> float:
                return time.time() - 120

            def sleep(self, seconds: float) -> None:
                raise AssertionError("nothing is to be waited for")

        late = self.make_client(**self.access, clock=Late())
        check(late.service.auth_test().authenticated, True)
        late.close()

    def fail_to_sign_in(self) -> None:
        stranger = self.make_client(**{**self.access, "secret": "wrong"})
        error = self.refused("authentication_failed", stranger.service.auth_test)
        check(isinstance(error, quittance.AuthenticationError), True)
        stranger.close()

    def keep_customers(self) -> None:
        customers = self.client.customers
        meta = {"exact": 9_007_199_254_740_993, "share": 0.5}
        names = ("ada", "ben", "cem")
        ids = [
            customers.create({"email": f"{name}@shop.example", "meta": meta}).customerId
            for name in names
        ]
        check(customers.update(ids[0], {"city": "Bern"}).city, "Bern")
        check(customers.get(ids[0]).meta == meta, True)
        walked = [customer.id for customer in customers.list({"limit": 2})]
        check(sorted(walked), sorted(ids))
        check(len(customers.list({"limit": 2}).first().items), 2)
        check(customers.delete(ids[0]).customerId, ids[0])
        self.refused("customer_missing", lambda: customers.get(ids[0]))

    def repeat_once(self) -> None:
        create = self.client.customers.create
        body = {"email": "once@shop.example"}
        made = create(body, idempotency_key="the same")
        check(create(body, idempotency_key="the same"), made)
        other = {"email": "twice@shop.example"}
        self.refused("idempotency_key_reused", lambda: create(other, idempotency_key="the same"))

    def tell_faults(self) -> None:
        checkout = self.client.checkout
        items = [{"description": "", "netAmount": "x"}]
        wrong = {"charge": {"billingCurrency": "EUR", "lineItems": items}}
        error = self.refused("validation_failed", lambda: checkout.create(wrong))
        check(isinstance(error, quittance.InvalidRequestError) and len(error.errors) > 0, True)
        check(bool(re.fullmatch("[a-z0-9]{12}", error.request_id or "")), True)
        check(checkout.validate_charge(charge("12.50")).total, "12.50")
        self.refused("checkout_missing", lambda: checkout.get(MISSING))

    def sell(self) -> None:
        client = self.client
        receiver = Receiver()
        endpoint = client.webhook_endpoints
        registered = endpoint.create({"url": receiver.url})
        request = {"charge": charge("23"), "settlementAsset": "ORIGIN", "meta": {"order": "7"}}
        made = client.checkout.create(request)
        check(any(method.network == "LITECOIN" for method in made.paymentMethods), True)
        committed = client.checkout.commit(made.id, {"network": "LITECOIN"})
        check(isinstance(committed.depositInstructions.address, str), True)
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(
                client.checkout.wait_until, made.id, ["COMPLETED"], timeout_seconds=60
            )
            paid = client.sandbox.pay_and_confirm(made.id)
            check([paid.state, waiting.result().state], ["COMPLETED", "COMPLETED"])
        check(paid.blockchainTransactions[0].confirmations > 0, True)
        listed = client.checkout.list({"meta": {"order": "7"}}).all()
        check([one.id for one in listed], [made.id])
        told = receiver.next(lambda body: b"CHECKOUT_COMPLETED" in body)
        for right in (registered.secret, self.access["secret"], [MISSING, registered.secret]):
            event = quittance.webhooks.verify(told.body, told.headers, right)
            check(event.eventType, "CHECKOUT_COMPLETED")
            check(isinstance(event, quittance.models.CheckoutEvent), True)
            if isinstance(event, quittance.models.CheckoutEvent):
                check(event.data.checkout.id, made.id)
        self.refused(
            "signature_mismatch",
            lambda: quittance.webhooks.verify(told.body + b" ", told.headers, registered.secret),
        )
        (listed_event,) = client.events.list({"type": "CHECKOUT_COMPLETED"}).all(1)
        check(client.events.redeliver(listed_event.id).id, listed_event.id)
        check(client.events.get(listed_event.id).id, listed_event.id)
        check(isinstance(client.events.follow().after, str), True)
        (asked,) = client.requests.list().all(1)
        check(client.requests.get(asked.id).id, asked.id)
        endpoint_id = registered.webhookEndpoint.id
        check(endpoint.rotate_secret(endpoint_id).secret == registered.secret, False)
        told = endpoint.update(endpoint_id, {"apiVersion": API_VERSION})
        check([told.id, told.apiVersion], [endpoint_id, API_VERSION])
        endpoint.delete(endpoint_id)
        check(isinstance(endpoint.list().all()[0].disabledTime, str), True)
        receiver.close()

    def end_checkouts(self) -> None:
        client = self.client
        hosted = client.checkout.create_hosted({"charge": charge("5")})
        check("/checkout/" in urlsplit(hosted.url).path, True)
        check(client.checkout.cancel(hosted.id).state, "CANCELLED")
        unpaid = client.checkout.create_hosted({"charge": charge("5")})
        client.checkout.commit(unpaid.id, {"network": "LITECOIN"})
        wait_until = client.checkout.wait_until
        self.refused(
            "wait_timeout", lambda: wait_until(unpaid.id, "COMPLETED", timeout_seconds=1)
        )
        client.sandbox.expire(unpaid.id)
        wait_until(unpaid.id, "EXPIRED", timeout_seconds=30)
        under = client.checkout.create({"charge": charge("23")})
        paid = {"network": "LITECOIN", "amount": "0.2"}
        check(client.sandbox.pay_and_confirm(under.id, paid).state, "UNDERPAID")
        check(client.checkout.accept_underpaid(under.id).state, "COMPLETED")

    def pay_deposit_address(self) -> None:
        client = self.client
        made = client.deposit_addresses.create({"network": "LITECOIN", "label": "till"})
        check(client.deposit_addresses.get(made.id).address, made.address)
        listed = [address.id for address in client.deposit_addresses.list()]
        check(made.id in listed, True)
        payments = client.sandbox.pay({"depositAddressId": made.id, "amount": "1.5"})
        check([payment.amount for payment in payments], ["1.5"])
        client.sandbox.mine({"network": "LITECOIN", "blocks": 10})
        for _ in range(200):
            wallets = client.wallets.get("LTC")
            # 1.5 and what checkouts brought, as text.
            if wallets and float(wallets[0].available) >= 1.5:
                return
            time.sleep(0.05)
        raise AssertionError("the deposit was not credited")

    def move_money(self) -> None:
        client = self.client
        check(len(client.wallets.list()) > 0, True)
        pair = {"sourceAsset": "LTC:NATIVE", "targetAsset": "BTC:NATIVE", "sourceAmount": "0.1"}
        swap = client.swaps.create(pair)
        done = client.swaps.commit(swap.id)
        check([done.id, client.swaps.get(swap.id).state], [swap.id, done.state])
        account = {"address": "tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0"}
        new = {"label": "cold", "network": "LITECOIN", "account": account}
        beneficiary_id = client.beneficiaries.create(new).beneficiaryId
        check(client.beneficiaries.get(beneficiary_id).label, "cold")
        check(beneficiary_id in [one.id for one in client.beneficiaries.list()], True)
        wish = {"network": "LITECOIN", "amount": "0.5", "targetAccount": "cold"}
        transfer = client.transfers.create(wish)
        check(client.transfers.commit(transfer.id).id, transfer.id)
        check(client.transfers.get(transfer.id).amount, "0.5")
        check(transfer.id in [one.id for one in client.transfers.list()], True)
        self.refused("transfer_missing", lambda: client.transfers.cancel(MISSING))
        asked = {"asset": "LTC:NATIVE", "threshold": "100", "keep": "1", "convertTo": "BTC:NATIVE"}
        rule = client.settlement_rules.create(asked)
        check(client.settlement_rules.pause(rule.id).id, rule.id)
        check(client.settlement_rules.resume(rule.id).id, rule.id)
        check(client.settlement_rules.get(rule.id).settlementRule.id, rule.id)
        check(rule.id in [one.id for one in client.settlement_rules.list()], True)
        client.settlement_rules.delete(rule.id)
        check(client.approvals.list(), [])
        self.refused("approval_missing", lambda: client.approvals.approve("transfer:none"))
        client.beneficiaries.delete(beneficiary_id)

    def refund(self) -> None:
        client = self.client
        made = client.checkout.create({"charge": charge("23")})
        client.sandbox.pay_and_confirm(made.id, {"network": "LITECOIN"})
        refund = client.refunds.create({"checkoutId": made.id, "kind": "full"})
        check(client.refunds.get(refund.id).checkoutId, made.id)
        check(refund.id in [one.id for one in client.refunds.list()], True)
        check(client.refunds.cancel(refund.id).id, refund.id)

    def report(self) -> None:
        reports = self.client.reports
        check(len(reports.ledger({"limit": 5}).all(8)), 8)
        for report in (reports.balances, reports.settlements, reports.fees, reports.taxes):
            report().all()
        reports.conversions({"currency": "EUR"}).all()
        reports.gains({"currency": "EUR"}).all()
        table = reports.document("ledger", {"format": "csv", "limit": 3})
        check(table.content_type.startswith("text/csv"), True)
        check([len(table.text.strip().split("\n")), table.next_cursor is not None], [4, True])

    def change_settings(self) -> None:
        client = self.client
        client.account_settings.get()
        look = client.account_settings.get_page_look()
        # It is of test and live together, and a live key sets it.
        changed_look = {"cornerRadius": look.cornerRadius}
        update_look = client.account_settings.update_page_look
        self.refused("validation_failed", lambda: update_look(changed_look))
        changed = client.account_settings.update({"riskTolerance": "LOW"})
        check(changed.riskTolerance, "LOW")
        check(isinstance(client.spending_limits.get(), list), True)
        wish = {"kind": "DAY", "measure": "nothing", "amount": "1"}
        try:
            client.spending_limits.update(wish)
        except quittance.InvalidRequestError:
            pass
        check(client.suspense.list().all(), [])

    def replace_payment(self) -> bool:
        """False: a block was faster, after which nothing can be replaced."""
        client = self.client
        made = client.checkout.create({"charge": charge("9")})
        client.checkout.commit(made.id, {"network": "LITECOIN"})
        client.sandbox.pay({"checkoutId": made.id})
        client.checkout.wait_until(made.id, ["PENDING", "COMPLETED"], timeout_seconds=30)
        try:
            check(len(client.sandbox.replace(made.id)), 1)
        except quittance.ConflictError as error:
            if error.code != "transaction_not_replaceable":
                raise
            return False
        return True

    def pay_by_simulation(self) -> None:
        client = self.client
        meta = quittance.simulated_payer("underpaid", {"order": "8"})
        made = client.checkout.create({"charge": charge("9"), "meta": meta})
        client.checkout.commit(made.id, {"network": "LITECOIN"})
        paid = client.checkout.wait_until(made.id, "UNDERPAID", timeout_seconds=90)
        check(paid.meta, {"order": "8", "sandbox": "underpaid"})

    def drive_sandbox(self) -> None:
        client = self.client
        for _ in range(10):
            if self.replace_payment():
                break
        else:
            raise AssertionError("blocks were faster each time")
        client.sandbox.mine({"network": "LITECOIN"})
        check(client.sandbox.reorg("LITECOIN", {"depth": 1}).network, "LITECOIN")
        check(client.sandbox.freeze("LITECOIN", {"seconds": 0}).seconds, 0)
        made = client.checkout.create_hosted({"charge": charge("5")})
        client.checkout.commit(made.id, {"network": "LITECOIN"})
        moved = client.sandbox.advance(24 * 60)
        check([moved.minutes, (moved.checkouts or 0) > 0], [24 * 60, True])
        check(client.checkout.wait_until(made.id, "EXPIRED").state, "EXPIRED")


class Received:
    def __init__(self, headers: dict[str, str], body: bytes) -> None:
        self.headers = headers
        self.body = body


class Receiver:
    """A receiver of webhooks, on loopback."""

    def __init__(self) -> None:
        received: list[Received] = []
        self._received = received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                received.append(Received(dict(self.headers.items()), body))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *given: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def next(self, is_it: Callable[[bytes], bool]) -> Received:
        for _ in range(600):
            found = [one for one in self._received if is_it(one.body)]
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError("no such webhook came")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def live_cases(
    make_client: Callable[..., Any], access: dict[str, str], methods: list[dict[str, Any]]
) -> Iterator[Case]:
    return Suite(make_client, access, methods).cases()
