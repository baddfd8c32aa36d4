# Made from the OpenAPI document by test/clients; what is changed here is lost.
from __future__ import annotations

from decimal import Decimal
from typing import Any, List

from typing_extensions import Unpack

from . import models, parameters as sent
from ._caller import AsyncCaller
from ._endpoints import ENDPOINTS
from ._options import CallOptions
from ._pages import AsyncPages


class AsyncServiceMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def time(
        self, **options: Unpack[CallOptions]
    ) -> int:
        """Current Unix timestamp of the service (``GET /time``)."""
        answer: int = await self._caller.call(
            ENDPOINTS["service.time"], int, {}, options
        )
        return answer

    async def auth_test(
        self, **options: Unpack[CallOptions]
    ) -> models.Authentication:
        """Verify credentials (``GET /auth-test``)."""
        answer: models.Authentication = await self._caller.call(
            ENDPOINTS["service.authTest"], models.Authentication, {}, options
        )
        return answer

    async def languages(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Language]:
        """Languages of hosted pages (``GET /languages``)."""
        answer: List[models.Language] = await self._caller.call(
            ENDPOINTS["service.languages"], List[models.Language], {}, options
        )
        return answer

    async def openapi(
        self, **options: Unpack[CallOptions]
    ) -> models.JsonObject:
        """This document (``GET /openapi.json``)."""
        answer: models.JsonObject = await self._caller.call(
            ENDPOINTS["service.openapi"], models.JsonObject, {}, options
        )
        return answer


class AsyncCatalogueMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def networks(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Network]:
        """Networks that payments can come from and transfers can go to (``GET /networks``)."""
        answer: List[models.Network] = await self._caller.call(
            ENDPOINTS["catalogue.networks"], List[models.Network], {}, options
        )
        return answer

    async def assets(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Asset]:
        """Assets and what they can be used for (``GET /assets``)."""
        answer: List[models.Asset] = await self._caller.call(
            ENDPOINTS["catalogue.assets"], List[models.Asset], {}, options
        )
        return answer

    async def currencies(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Currency]:
        """Currencies of charges, settlements and payments (``GET /currencies``)."""
        answer: List[models.Currency] = await self._caller.call(
            ENDPOINTS["catalogue.currencies"], List[models.Currency], {}, options
        )
        return answer

    async def fiat_currencies(
        self, **options: Unpack[CallOptions]
    ) -> List[models.FiatCurrency]:
        """Currencies of states that a charge may be in (older catalogue) (``GET /fiat-currencies``)."""
        answer: List[models.FiatCurrency] = await self._caller.call(
            ENDPOINTS["catalogue.fiatCurrencies"], List[models.FiatCurrency], {}, options
        )
        return answer

    async def blockchains(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Blockchain]:
        """Blockchains and their native assets (older catalogue) (``GET /blockchains``)."""
        answer: List[models.Blockchain] = await self._caller.call(
            ENDPOINTS["catalogue.blockchains"], List[models.Blockchain], {}, options
        )
        return answer

    async def asset_issuers(
        self, **options: Unpack[CallOptions]
    ) -> List[models.AssetIssuer]:
        """Issuers and the ids of their assets (older catalogue) (``GET /asset-issuers``)."""
        answer: List[models.AssetIssuer] = await self._caller.call(
            ENDPOINTS["catalogue.assetIssuers"], List[models.AssetIssuer], {}, options
        )
        return answer

    async def exchange_rate(
        self, parameters: sent.CatalogueExchangeRateParameters, /, **options: Unpack[CallOptions]
    ) -> models.ExchangeRate:
        """What an amount of one asset or currency is in another, now and without commitment (``GET /exchange-rate``)."""
        answer: models.ExchangeRate = await self._caller.call(
            ENDPOINTS["catalogue.exchangeRate"], models.ExchangeRate, {**parameters}, options
        )
        return answer


class AsyncCheckoutMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CheckoutRequest, /, **options: Unpack[CallOptions]
    ) -> models.CreatedCheckout:
        """Create a self-hosted checkout (``POST /checkout``)."""
        answer: models.CreatedCheckout = await self._caller.call(
            ENDPOINTS["checkout.create"], models.CreatedCheckout, {**parameters}, options
        )
        return answer

    async def get(
        self, id: str, parameters: sent.CheckoutGetParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.Checkout:
        """State of a checkout; `wait` holds the answer until the state changes (``GET /checkout``)."""
        answer: models.Checkout = await self._caller.call(
            ENDPOINTS["checkout.get"], models.Checkout, {**(parameters or {}), "id": id}, options
        )
        return answer

    async def commit(
        self, checkout_id: str, parameters: sent.CheckoutCommitParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.CheckoutCommitment:
        """Choose the payment method; a repeat changes nothing until the window is over (``POST /checkout/commit``)."""
        answer: models.CheckoutCommitment = await self._caller.call(
            ENDPOINTS["checkout.commit"], models.CheckoutCommitment, {**(parameters or {}), "checkoutId": checkout_id}, options
        )
        return answer

    async def create_hosted(
        self, parameters: sent.CheckoutRequest, /, **options: Unpack[CallOptions]
    ) -> models.CreatedHostedCheckout:
        """Create a checkout with a hosted payment page (``POST /checkout/hosted``)."""
        answer: models.CreatedHostedCheckout = await self._caller.call(
            ENDPOINTS["checkout.createHosted"], models.CreatedHostedCheckout, {**parameters}, options
        )
        return answer

    async def validate_charge(
        self, parameters: sent.Charge, /, **options: Unpack[CallOptions]
    ) -> models.ChargeTotals:
        """Check a charge and compute its total without creating anything (``POST /checkout/validate-checkout-charge``)."""
        answer: models.ChargeTotals = await self._caller.call(
            ENDPOINTS["checkout.validateCharge"], models.ChargeTotals, {**parameters}, options
        )
        return answer

    async def cancel(
        self, checkout_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Checkout:
        """Cancel a checkout that no money was seen for; what still arrives is still credited (``POST /checkout/cancel``)."""
        answer: models.Checkout = await self._caller.call(
            ENDPOINTS["checkout.cancel"], models.Checkout, {"checkoutId": checkout_id}, options
        )
        return answer

    async def accept_underpaid(
        self, checkout_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Checkout:
        """Complete an underpaid checkout with what arrived (``POST /checkout/accept-underpaid``)."""
        answer: models.Checkout = await self._caller.call(
            ENDPOINTS["checkout.acceptUnderpaid"], models.Checkout, {"checkoutId": checkout_id}, options
        )
        return answer

    def list(
        self, parameters: sent.CheckoutListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Checkout]:
        """Checkouts, newest first; created from `from` on and before `to`; `meta.<key>=` finds those with this text or number at the top of their `meta` (``GET /checkouts``)."""
        return self._caller.list(
            ENDPOINTS["checkout.list"], models.Checkout, {**(parameters or {})}, options
        )


class AsyncDepositAddressesMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateDepositAddressRequest, /, **options: Unpack[CallOptions]
    ) -> models.DepositAddress:
        """A dedicated address that may be paid any number of times, watched for ever (``POST /deposit-address``)."""
        answer: models.DepositAddress = await self._caller.call(
            ENDPOINTS["depositAddresses.create"], models.DepositAddress, {**parameters}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.DepositAddress:
        """A deposit address (``GET /deposit-address``)."""
        answer: models.DepositAddress = await self._caller.call(
            ENDPOINTS["depositAddresses.get"], models.DepositAddress, {"id": id}, options
        )
        return answer

    def list(
        self, parameters: sent.DepositAddressesListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.DepositAddress]:
        """Deposit addresses, newest first (``GET /deposit-addresses``)."""
        return self._caller.list(
            ENDPOINTS["depositAddresses.list"], models.DepositAddress, {**(parameters or {})}, options
        )


class AsyncEventsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self, parameters: sent.EventsListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.ListedEvent]:
        """The events of the account as they were sent, newest first, with their deliveries; a key with scopes sees those it may ask for. What every receiver has got goes after 60 days (``GET /events``)."""
        return self._caller.list(
            ENDPOINTS["events.list"], models.ListedEvent, {**(parameters or {})}, options
        )

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.ListedEvent:
        """One event as it was sent, with the exact text of its webhook and its deliveries (``GET /event``)."""
        answer: models.ListedEvent = await self._caller.call(
            ENDPOINTS["events.get"], models.ListedEvent, {"id": id}, options
        )
        return answer

    async def follow(
        self, parameters: sent.EventsFollowParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.FollowedEvents:
        """The events of the account after one, oldest first, for a program without an address that webhooks reach. `wait` holds the answer until there is one. Go on with `after` of the answer: each event comes once, and none is left out. Without `after` it begins now (``GET /events/follow``)."""
        answer: models.FollowedEvents = await self._caller.call(
            ENDPOINTS["events.follow"], models.FollowedEvents, {**(parameters or {})}, options
        )
        return answer

    async def redeliver(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.ListedEvent:
        """Send an event again to each of its receivers, as it was (``POST /events/{id}/redeliver``)."""
        answer: models.ListedEvent = await self._caller.call(
            ENDPOINTS["events.redeliver"], models.ListedEvent, {"id": id}, options
        )
        return answer


class AsyncRequestsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self, parameters: sent.RequestsListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.ListedRequest]:
        """Requests of the last seven days to the API, newest first, a second after they were answered; a key with scopes sees those it may make itself. A page may hold fewer than asked for (``GET /requests``)."""
        return self._caller.list(
            ENDPOINTS["requests.list"], models.ListedRequest, {**(parameters or {})}, options
        )

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.ListedRequest:
        """One request of the last seven days with what was sent and answered, without secrets (``GET /request``)."""
        answer: models.ListedRequest = await self._caller.call(
            ENDPOINTS["requests.get"], models.ListedRequest, {"id": id}, options
        )
        return answer


class AsyncWebhookEndpointsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateWebhookEndpointRequest, /, **options: Unpack[CallOptions]
    ) -> models.WebhookEndpointWithSecret:
        """Register a receiver of the events of the whole account, of all types unless some are named; the secret that signs them is told here only (``POST /webhook-endpoint``)."""
        answer: models.WebhookEndpointWithSecret = await self._caller.call(
            ENDPOINTS["webhookEndpoints.create"], models.WebhookEndpointWithSecret, {**parameters}, options
        )
        return answer

    async def update(
        self, webhook_endpoint_id: str, parameters: sent.WebhookEndpointsUpdateParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.WebhookEndpoint:
        """The dated version that an account-wide receiver is told in of what happens from now on; what has happened is told again as it was (``PUT /webhook-endpoint``)."""
        answer: models.WebhookEndpoint = await self._caller.call(
            ENDPOINTS["webhookEndpoints.update"], models.WebhookEndpoint, {**(parameters or {}), "webhookEndpointId": webhook_endpoint_id}, options
        )
        return answer

    async def delete(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.WebhookEndpointReference:
        """Send nothing more to an account-wide receiver (``DELETE /webhook-endpoint``)."""
        answer: models.WebhookEndpointReference = await self._caller.call(
            ENDPOINTS["webhookEndpoints.delete"], models.WebhookEndpointReference, {"id": id}, options
        )
        return answer

    async def rotate_secret(
        self, webhook_endpoint_id: str, parameters: sent.WebhookEndpointsRotateSecretParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.WebhookEndpointWithSecret:
        """A new secret for an account-wide receiver, told here only; the old one signs beside it for `overlapHours` (0 to 24, 24 unless given) (``POST /webhook-endpoint/rotate-secret``)."""
        answer: models.WebhookEndpointWithSecret = await self._caller.call(
            ENDPOINTS["webhookEndpoints.rotateSecret"], models.WebhookEndpointWithSecret, {**(parameters or {}), "webhookEndpointId": webhook_endpoint_id}, options
        )
        return answer

    def list(
        self, parameters: sent.WebhookEndpointsListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.WebhookEndpoint]:
        """Account-wide receivers of events, newest first, deleted ones included (``GET /webhook-endpoints``)."""
        return self._caller.list(
            ENDPOINTS["webhookEndpoints.list"], models.WebhookEndpoint, {**(parameters or {})}, options
        )


class AsyncAccountSettingsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self, **options: Unpack[CallOptions]
    ) -> models.AccountSettings:
        """Settings of the account for the environment of the key (``GET /account-settings``)."""
        answer: models.AccountSettings = await self._caller.call(
            ENDPOINTS["accountSettings.get"], models.AccountSettings, {}, options
        )
        return answer

    async def update(
        self, parameters: sent.UpdateAccountSettingsRequest | None = None, /, **options: Unpack[CallOptions]
    ) -> models.AccountSettings:
        """Change settings of the account; what is absent stays, and new checkouts follow: assets above `riskTolerance` are neither offered nor settled in; lists are all there is afterwards; what is of both environments is set with a live key (``PUT /account-settings``)."""
        answer: models.AccountSettings = await self._caller.call(
            ENDPOINTS["accountSettings.update"], models.AccountSettings, {**(parameters or {})}, options
        )
        return answer

    async def get_page_look(
        self, **options: Unpack[CallOptions]
    ) -> models.PageLook:
        """How the hosted pages of the account look (``GET /page-look``)."""
        answer: models.PageLook = await self._caller.call(
            ENDPOINTS["accountSettings.getPageLook"], models.PageLook, {}, options
        )
        return answer

    async def update_page_look(
        self, parameters: sent.UpdatePageLookRequest | None = None, /, **options: Unpack[CallOptions]
    ) -> models.PageLook:
        """Change how the hosted pages look, with a live key; what is absent stays, null takes back, and lists are all there is afterwards (``PUT /page-look``)."""
        answer: models.PageLook = await self._caller.call(
            ENDPOINTS["accountSettings.updatePageLook"], models.PageLook, {**(parameters or {})}, options
        )
        return answer


class AsyncSpendingLimitsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self, **options: Unpack[CallOptions]
    ) -> List[models.SpendingLimit]:
        """How much may be sent out by transfers, refunds and swaps: DAY in any 24 hours, TWO_PEOPLE without a second approver, COOL_DOWN to a free address at once (``GET /spending-limits``)."""
        answer: List[models.SpendingLimit] = await self._caller.call(
            ENDPOINTS["spendingLimits.get"], List[models.SpendingLimit], {}, options
        )
        return answer

    async def update(
        self, parameters: sent.SpendingLimit, /, **options: Unpack[CallOptions]
    ) -> List[models.SpendingLimit]:
        """Lower a limit of the account, or set one where there is none; the operator raises it (``PUT /spending-limit``)."""
        answer: List[models.SpendingLimit] = await self._caller.call(
            ENDPOINTS["spendingLimits.update"], List[models.SpendingLimit], {**parameters}, options
        )
        return answer


class AsyncWalletsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Wallet]:
        """Balances of every asset the account ever had, and where each can be paid to (``GET /wallets``)."""
        answer: List[models.Wallet] = await self._caller.call(
            ENDPOINTS["wallets.list"], List[models.Wallet], {}, options
        )
        return answer

    async def get(
        self, asset_code: str, /, **options: Unpack[CallOptions]
    ) -> List[models.Wallet]:
        """Balances of the assets with one code (several networks issue USDC), or of one asset id (``GET /wallet``)."""
        answer: List[models.Wallet] = await self._caller.call(
            ENDPOINTS["wallets.get"], List[models.Wallet], {"assetCode": asset_code}, options
        )
        return answer


class AsyncCustomersMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CustomerFields, /, **options: Unpack[CallOptions]
    ) -> models.CustomerReference:
        """Create a customer (``POST /customer``)."""
        answer: models.CustomerReference = await self._caller.call(
            ENDPOINTS["customers.create"], models.CustomerReference, {**parameters}, options
        )
        return answer

    async def update(
        self, id: str, parameters: sent.CustomersUpdateParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.Customer:
        """Change a customer: absent fields stay, null clears (``PUT /customer``)."""
        answer: models.Customer = await self._caller.call(
            ENDPOINTS["customers.update"], models.Customer, {**(parameters or {}), "id": id}, options
        )
        return answer

    async def delete(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.CustomerReference:
        """Delete a customer: `{ id }` or `{ customer: { id } }` (``DELETE /customer``)."""
        answer: models.CustomerReference = await self._caller.call(
            ENDPOINTS["customers.delete"], models.CustomerReference, {"id": id}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.Customer:
        """A customer by its id (``GET /customer``)."""
        answer: models.Customer = await self._caller.call(
            ENDPOINTS["customers.get"], models.Customer, {"id": id}, options
        )
        return answer

    def list(
        self, parameters: sent.CustomersListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Customer]:
        """Customers, newest first (``GET /customers``)."""
        return self._caller.list(
            ENDPOINTS["customers.list"], models.Customer, {**(parameters or {})}, options
        )


class AsyncSwapsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateSwapRequest, /, **options: Unpack[CallOptions]
    ) -> models.Swap:
        """Quote a conversion of the balance for 60 seconds (``POST /swap``)."""
        answer: models.Swap = await self._caller.call(
            ENDPOINTS["swaps.create"], models.Swap, {**parameters}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.Swap:
        """State of a swap (``GET /swap``)."""
        answer: models.Swap = await self._caller.call(
            ENDPOINTS["swaps.get"], models.Swap, {"id": id}, options
        )
        return answer

    async def commit(
        self, swap_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Swap:
        """Carry out a swap at its quote; repeats change nothing (``POST /swap/commit``)."""
        answer: models.Swap = await self._caller.call(
            ENDPOINTS["swaps.commit"], models.Swap, {"swapId": swap_id}, options
        )
        return answer


class AsyncBeneficiariesMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.BeneficiaryFields, /, **options: Unpack[CallOptions]
    ) -> models.BeneficiaryReference:
        """Create a beneficiary: somebody money may be sent to (``POST /beneficiary``)."""
        answer: models.BeneficiaryReference = await self._caller.call(
            ENDPOINTS["beneficiaries.create"], models.BeneficiaryReference, {**parameters}, options
        )
        return answer

    async def delete(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.BeneficiaryReference:
        """Delete a beneficiary: `{ id }` or `{ beneficiary: { id } }` (``DELETE /beneficiary``)."""
        answer: models.BeneficiaryReference = await self._caller.call(
            ENDPOINTS["beneficiaries.delete"], models.BeneficiaryReference, {"id": id}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.Beneficiary:
        """A beneficiary by its id (``GET /beneficiary``)."""
        answer: models.Beneficiary = await self._caller.call(
            ENDPOINTS["beneficiaries.get"], models.Beneficiary, {"id": id}, options
        )
        return answer

    def list(
        self, parameters: sent.BeneficiariesListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Beneficiary]:
        """Beneficiaries, newest first (``GET /beneficiaries``)."""
        return self._caller.list(
            ENDPOINTS["beneficiaries.list"], models.Beneficiary, {**(parameters or {})}, options
        )


class AsyncTransfersMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateTransferRequest, /, **options: Unpack[CallOptions]
    ) -> models.Transfer:
        """Quote a transfer to a beneficiary; nothing moves before it is committed (``POST /transfer``)."""
        answer: models.Transfer = await self._caller.call(
            ENDPOINTS["transfers.create"], models.Transfer, {**parameters}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.Transfer:
        """State of a transfer (``GET /transfer``)."""
        answer: models.Transfer = await self._caller.call(
            ENDPOINTS["transfers.get"], models.Transfer, {"id": id}, options
        )
        return answer

    async def commit(
        self, transfer_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Transfer:
        """Send a quoted transfer; a repeat answers with it as it stands (``POST /transfer/commit``)."""
        answer: models.Transfer = await self._caller.call(
            ENDPOINTS["transfers.commit"], models.Transfer, {"transferId": transfer_id}, options
        )
        return answer

    async def cancel(
        self, transfer_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Transfer:
        """Take back a transfer that a person has to send and nobody was told of yet (``POST /transfer/cancel``)."""
        answer: models.Transfer = await self._caller.call(
            ENDPOINTS["transfers.cancel"], models.Transfer, {"transferId": transfer_id}, options
        )
        return answer

    def list(
        self, parameters: sent.TransfersListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Transfer]:
        """Transfers, newest first (``GET /transfers``)."""
        return self._caller.list(
            ENDPOINTS["transfers.list"], models.Transfer, {**(parameters or {})}, options
        )


class AsyncSettlementRulesMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateSettlementRuleRequest, /, **options: Unpack[CallOptions]
    ) -> models.SettlementRule:
        """Settle a balance by itself: at an hour of a schedule or above a threshold, by conversion (`convertTo`), to a beneficiary, or both; `keep` stays (``POST /settlement-rule``)."""
        answer: models.SettlementRule = await self._caller.call(
            ENDPOINTS["settlementRules.create"], models.SettlementRule, {**parameters}, options
        )
        return answer

    async def delete(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.SettlementRuleReference:
        """Delete a settlement rule; what it did stays (``DELETE /settlement-rule``)."""
        answer: models.SettlementRuleReference = await self._caller.call(
            ENDPOINTS["settlementRules.delete"], models.SettlementRuleReference, {"id": id}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.SettlementRuleAnswer:
        """A settlement rule, and what it did in its last 50 periods, newest first (``GET /settlement-rule``)."""
        answer: models.SettlementRuleAnswer = await self._caller.call(
            ENDPOINTS["settlementRules.get"], models.SettlementRuleAnswer, {"id": id}, options
        )
        return answer

    async def pause(
        self, settlement_rule_id: str, /, **options: Unpack[CallOptions]
    ) -> models.SettlementRule:
        """Do nothing by a rule from now on (``POST /settlement-rule/pause``)."""
        answer: models.SettlementRule = await self._caller.call(
            ENDPOINTS["settlementRules.pause"], models.SettlementRule, {"settlementRuleId": settlement_rule_id}, options
        )
        return answer

    async def resume(
        self, settlement_rule_id: str, /, **options: Unpack[CallOptions]
    ) -> models.SettlementRule:
        """Follow a rule again, from the period that comes next (``POST /settlement-rule/resume``)."""
        answer: models.SettlementRule = await self._caller.call(
            ENDPOINTS["settlementRules.resume"], models.SettlementRule, {"settlementRuleId": settlement_rule_id}, options
        )
        return answer

    def list(
        self, parameters: sent.SettlementRulesListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.SettlementRule]:
        """Settlement rules, newest first (``GET /settlement-rules``)."""
        return self._caller.list(
            ENDPOINTS["settlementRules.list"], models.SettlementRule, {**(parameters or {})}, options
        )


class AsyncApprovalsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self, **options: Unpack[CallOptions]
    ) -> List[models.Approval]:
        """What waits for a second approver, because it is above the limit TWO_PEOPLE (``GET /approvals``)."""
        answer: List[models.Approval] = await self._caller.call(
            ENDPOINTS["approvals.list"], List[models.Approval], {}, options
        )
        return answer

    async def approve(
        self, subject: str, /, **options: Unpack[CallOptions]
    ) -> models.Approval:
        """Approve what another key made; it is sent soon after, and not before (``POST /approval``)."""
        answer: models.Approval = await self._caller.call(
            ENDPOINTS["approvals.approve"], models.Approval, {"subject": subject}, options
        )
        return answer


class AsyncRefundsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self, parameters: sent.CreateRefundRequest, /, **options: Unpack[CallOptions]
    ) -> models.Refund:
        """Send money of a checkout back; without `address` the payer gets a link to claim it (``POST /refund``)."""
        answer: models.Refund = await self._caller.call(
            ENDPOINTS["refunds.create"], models.Refund, {**parameters}, options
        )
        return answer

    async def get(
        self, id: str, /, **options: Unpack[CallOptions]
    ) -> models.Refund:
        """State of a refund (``GET /refund``)."""
        answer: models.Refund = await self._caller.call(
            ENDPOINTS["refunds.get"], models.Refund, {"id": id}, options
        )
        return answer

    async def cancel(
        self, refund_id: str, /, **options: Unpack[CallOptions]
    ) -> models.Refund:
        """Take back a refund that is not sent yet, and that nobody was told how to send (``POST /refund/cancel``)."""
        answer: models.Refund = await self._caller.call(
            ENDPOINTS["refunds.cancel"], models.Refund, {"refundId": refund_id}, options
        )
        return answer

    def list(
        self, parameters: sent.RefundsListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Refund]:
        """Refunds, newest first (``GET /refunds``)."""
        return self._caller.list(
            ENDPOINTS["refunds.list"], models.Refund, {**(parameters or {})}, options
        )


class AsyncSuspenseMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self, parameters: sent.SuspenseListParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[models.Suspense]:
        """Money that came for your checkouts and addresses and is not credited, newest first (``GET /suspense``)."""
        return self._caller.list(
            ENDPOINTS["suspense.list"], models.Suspense, {**(parameters or {})}, options
        )


class AsyncReportsMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def balances(
        self, parameters: sent.ReportsBalancesParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Balances at the beginning and the end of the period, and what moved between; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/balances``)."""
        return self._caller.list(
            ENDPOINTS["reports.balances"], dict[str, str | None], {**(parameters or {})}, options
        )

    def ledger(
        self, parameters: sent.ReportsLedgerParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Every movement on the accounts of the merchant; oldest first, as JSON or CSV, or as programs of accounting read it (then X-Next-Cursor is a header) (``GET /reports/ledger``)."""
        return self._caller.list(
            ENDPOINTS["reports.ledger"], dict[str, str | None], {**(parameters or {})}, options
        )

    def settlements(
        self, parameters: sent.ReportsSettlementsParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Every payment that became available, with what was paid, credited and kept as a fee; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/settlements``)."""
        return self._caller.list(
            ENDPOINTS["reports.settlements"], dict[str, str | None], {**(parameters or {})}, options
        )

    def fees(
        self, parameters: sent.ReportsFeesParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Every fee: of the service, and of networks on transfers (a page may hold fewer than asked for); oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/fees``)."""
        return self._caller.list(
            ENDPOINTS["reports.fees"], dict[str, str | None], {**(parameters or {})}, options
        )

    def taxes(
        self, parameters: sent.ReportsTaxesParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Net, taxes and total of the checkouts completed in the period, in their billing currencies, and less (below zero) what of any was refunded in it; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/taxes``)."""
        return self._caller.list(
            ENDPOINTS["reports.taxes"], dict[str, str | None], {**(parameters or {})}, options
        )

    def conversions(
        self, parameters: sent.ReportsConversionsParameters, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """Every exchange of one asset for another, with its worth at receipt and at disposal; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/conversions``)."""
        return self._caller.list(
            ENDPOINTS["reports.conversions"], dict[str, str | None], {**parameters}, options
        )

    def gains(
        self, parameters: sent.ReportsGainsParameters, /, **options: Unpack[CallOptions]
    ) -> AsyncPages[dict[str, str | None]]:
        """What was received, exchanged and sent, each with its worth then, its cost and the gain; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (``GET /reports/gains``)."""
        return self._caller.list(
            ENDPOINTS["reports.gains"], dict[str, str | None], {**parameters}, options
        )


class AsyncSandboxMethods:
    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def pay(
        self, parameters: sent.SandboxRequest | None = None, /, **options: Unpack[CallOptions]
    ) -> List[models.SandboxPayment]:
        """Pay a test checkout or a test deposit address on a simulated network (``POST /sandbox/pay``)."""
        answer: List[models.SandboxPayment] = await self._caller.call(
            ENDPOINTS["sandbox.pay"], List[models.SandboxPayment], {**(parameters or {})}, options
        )
        return answer

    async def mine(
        self, parameters: sent.SandboxRequest | None = None, /, **options: Unpack[CallOptions]
    ) -> List[models.SandboxTip]:
        """Mine your payments on one simulated network, or on all, so many blocks deep (``POST /sandbox/mine``)."""
        answer: List[models.SandboxTip] = await self._caller.call(
            ENDPOINTS["sandbox.mine"], List[models.SandboxTip], {**(parameters or {})}, options
        )
        return answer

    async def replace(
        self, checkout_id: str, /, **options: Unpack[CallOptions]
    ) -> List[models.SandboxPayment]:
        """Replace the unconfirmed payments of a test checkout (``POST /sandbox/replace``)."""
        answer: List[models.SandboxPayment] = await self._caller.call(
            ENDPOINTS["sandbox.replace"], List[models.SandboxPayment], {"checkoutId": checkout_id}, options
        )
        return answer

    async def reorg(
        self, network: str, parameters: sent.SandboxReorgParameters | None = None, /, **options: Unpack[CallOptions]
    ) -> models.SandboxTip:
        """Undo blocks of a simulated network together with your payments in them (``POST /sandbox/reorg``)."""
        answer: models.SandboxTip = await self._caller.call(
            ENDPOINTS["sandbox.reorg"], models.SandboxTip, {**(parameters or {}), "network": network}, options
        )
        return answer

    async def advance(
        self, minutes: int, /, **options: Unpack[CallOptions]
    ) -> models.SandboxAnswer:
        """Let time pass for your test data: blocks come, windows end, webhooks and rules fall due (``POST /sandbox/advance``)."""
        answer: models.SandboxAnswer = await self._caller.call(
            ENDPOINTS["sandbox.advance"], models.SandboxAnswer, {"minutes": minutes}, options
        )
        return answer

    async def expire(
        self, checkout_id: str, /, **options: Unpack[CallOptions]
    ) -> models.SandboxAnswer:
        """End the payment window of a test checkout now (``POST /sandbox/expire``)."""
        answer: models.SandboxAnswer = await self._caller.call(
            ENDPOINTS["sandbox.expire"], models.SandboxAnswer, {"checkoutId": checkout_id}, options
        )
        return answer

    async def freeze(
        self, network: str, parameters: sent.SandboxFreezeParameters, /, **options: Unpack[CallOptions]
    ) -> models.SandboxFreeze:
        """Let the node of a simulated network fall silent for you for a while; 0 wakes it (``POST /sandbox/freeze``)."""
        answer: models.SandboxFreeze = await self._caller.call(
            ENDPOINTS["sandbox.freeze"], models.SandboxFreeze, {**parameters, "network": network}, options
        )
        return answer


class AsyncResources:
    service: AsyncServiceMethods
    catalogue: AsyncCatalogueMethods
    checkout: AsyncCheckoutMethods
    deposit_addresses: AsyncDepositAddressesMethods
    events: AsyncEventsMethods
    requests: AsyncRequestsMethods
    webhook_endpoints: AsyncWebhookEndpointsMethods
    account_settings: AsyncAccountSettingsMethods
    spending_limits: AsyncSpendingLimitsMethods
    wallets: AsyncWalletsMethods
    customers: AsyncCustomersMethods
    swaps: AsyncSwapsMethods
    beneficiaries: AsyncBeneficiariesMethods
    transfers: AsyncTransfersMethods
    settlement_rules: AsyncSettlementRulesMethods
    approvals: AsyncApprovalsMethods
    refunds: AsyncRefundsMethods
    suspense: AsyncSuspenseMethods
    reports: AsyncReportsMethods
    sandbox: AsyncSandboxMethods

    def __init__(self, caller: AsyncCaller) -> None:
        self.service = AsyncServiceMethods(caller)
        self.catalogue = AsyncCatalogueMethods(caller)
        self.checkout = AsyncCheckoutMethods(caller)
        self.deposit_addresses = AsyncDepositAddressesMethods(caller)
        self.events = AsyncEventsMethods(caller)
        self.requests = AsyncRequestsMethods(caller)
        self.webhook_endpoints = AsyncWebhookEndpointsMethods(caller)
        self.account_settings = AsyncAccountSettingsMethods(caller)
        self.spending_limits = AsyncSpendingLimitsMethods(caller)
        self.wallets = AsyncWalletsMethods(caller)
        self.customers = AsyncCustomersMethods(caller)
        self.swaps = AsyncSwapsMethods(caller)
        self.beneficiaries = AsyncBeneficiariesMethods(caller)
        self.transfers = AsyncTransfersMethods(caller)
        self.settlement_rules = AsyncSettlementRulesMethods(caller)
        self.approvals = AsyncApprovalsMethods(caller)
        self.refunds = AsyncRefundsMethods(caller)
        self.suspense = AsyncSuspenseMethods(caller)
        self.reports = AsyncReportsMethods(caller)
        self.sandbox = AsyncSandboxMethods(caller)
