# Made from the OpenAPI document by test/clients; what is changed here is lost.
"""What is sent: mappings with the names of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

Numeric: TypeAlias = str | int | Decimal
"""An amount is a text as "12.50", an int or a Decimal. A float is refused."""


class LineItem(TypedDict):
    description: str
    """What it is, up to 200 characters."""
    netAmount: Numeric
    """Net price of one, in the billing currency; below zero for what is given back."""
    quantity: NotRequired[Numeric | None]
    """How many, 1 unless given; not below zero, may be a fraction."""
    productId: NotRequired[str | None]
    """Your own number of it, up to 20 characters."""


class DiscountItem(TypedDict):
    description: str
    """What for, up to 200 characters."""
    netAmount: Numeric
    """Taken off the sum, in the billing currency."""


class ShippingCostItem(TypedDict):
    description: str
    """How it is sent, up to 200 characters."""
    netAmount: Numeric
    """Net cost, in the billing currency."""
    taxable: NotRequired[bool | None]
    """Whether taxes are taken of it too; false unless given."""


class TaxItem(TypedDict):
    name: str
    """Such as `VAT`, up to 200 characters."""
    percent: Numeric
    """As a fraction from 0 to 1: 8.25 percent is `0.0825`."""


class Charge(TypedDict):
    customerId: NotRequired[str | None]
    """Customer that it is for, of `POST /customer`."""
    billingCurrency: NotRequired[str | None]
    """Code of a currency of `GET /currencies` with `billing`, in which all amounts are; needed unless `currency` is given."""
    currency: NotRequired[str | None]
    """Older name of `billingCurrency`; alone, it needs `settlementCurrency` or `settlementAsset`."""
    lineItems: Sequence[LineItem]
    """What is sold: 1 to 500 lines."""
    discountItems: NotRequired[Sequence[DiscountItem] | None]
    """What is taken off before tax, up to 100."""
    shippingCostItems: NotRequired[Sequence[ShippingCostItem] | None]
    """What sending costs, up to 100."""
    taxItems: NotRequired[Sequence[TaxItem] | None]
    """Taxes, up to 100: each a part of the taxable sum."""


JsonObject: TypeAlias = Mapping[str, Any]


class PageSettings(TypedDict):
    asks: NotRequired[Sequence[JsonObject] | None]
    """Asked from the payer first, up to 20: `key`, `label`, `labels` by language, `kind` (TEXT unless given, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`."""
    termsUrl: NotRequired[str | None]
    """Address, http or https, of terms that the payer has to accept; null without."""
    termsText: NotRequired[str | None]
    """What the payer ticks to accept terms, up to 500 characters; null: words of ours."""
    tipPercents: NotRequired[Sequence[str] | None]
    """Tips that are offered, up to 6, above 0 and up to 1: 0.1 is ten percent."""
    tipAmounts: NotRequired[Sequence[str] | None]
    """Tips that are offered, up to 6, in the billing currency."""
    tipOwn: NotRequired[bool | None]
    """Whether the payer may name a tip of his own."""
    returnMethod: NotRequired[Literal["GET", "POST"] | None]
    """`POST`: a signed form leads back; `GET` unless given."""
    returnUrl: NotRequired[str | None]
    """Where the customer goes after paying; `checkoutId` is appended to its query."""
    cancelUrl: NotRequired[str | None]
    """Where the customer goes who cancels; `checkoutId` is appended to its query."""
    shopName: NotRequired[str | None]
    """Name over the page, up to 200 characters."""
    displayBuyerInfo: NotRequired[bool | None]
    """Whether what is known of the customer is shown."""
    displaySellerInfo: NotRequired[bool | None]
    """Whether name and address of the seller are shown."""


class ReturnLinks(TypedDict):
    cancelUrl: NotRequired[str | None]
    """Where the customer goes who cancels; null where none was given."""
    returnUrl: NotRequired[str | None]
    """Where the customer goes after paying; null where none was given."""


class CheckoutRequest(TypedDict):
    charge: Charge
    """What the customer is charged."""
    settlementAsset: NotRequired[str | None]
    """Id of the asset that you are credited in, or `ORIGIN`: whatever is paid. `ORIGIN` unless given."""
    settlementCurrency: NotRequired[str | None]
    """Older name of `settlementAsset`; takes codes such as `BTC` too."""
    checkoutLanguage: NotRequired[Literal["auto", "en", "de", "pt", "es", "it", "tr", "pl", "fr", "nl", "pt-BR", "ru", "uk", "cs", "ro", "zh-Hans", "ja", "ko", "ar", "he", "hi"] | None]
    """Language of the payment page: a code of `GET /languages`, or `auto`, that of the browser; `auto` unless given, `en` with `charge.currency`."""
    webhook: NotRequired[str | None]
    """Address, http or https, that is told of everything that happens to the checkout."""
    anchors: NotRequired[Mapping[str, str] | None]
    """By network, the id of the asset that is preferred where one coin can come in two ways."""
    blockchainRelays: NotRequired[Mapping[str, str] | None]
    """Older form of `anchors`: by network, the issuer."""
    pageSettings: NotRequired[PageSettings | None]
    """Of the payment page; what is absent is as the account says."""
    links: NotRequired[ReturnLinks | None]
    """Older place of `returnUrl` and `cancelUrl`."""
    meta: NotRequired[JsonObject | None]
    """Your own data, up to 16 KiB of JSON: comes back in answers and webhooks."""


class CreateDepositAddressRequest(TypedDict):
    network: str
    """Id of a network, such as `LITECOIN`."""
    asset: NotRequired[str | None]
    """Id of the asset; the first of `assets` of the network unless given."""
    label: NotRequired[str | None]
    """Your own name for it, up to 200 characters."""
    webhook: NotRequired[str | None]
    """Address, http or https, that is told of its payments."""
    meta: NotRequired[JsonObject | None]
    """Your own data, up to 16 KiB of JSON: comes back in answers and webhooks."""


EventType: TypeAlias = Literal["CHECKOUT_COMPLETED",
    "CHECKOUT_PENDING",
    "CHECKOUT_UNDERPAID",
    "CHECKOUT_EXPIRED",
    "CHECKOUT_CANCELLED",
    "CHECKOUT_REVERSED",
    "CHECKOUT_RESTORED",
    "CHECKOUT_PENDING_WITHDRAWN",
    "CHECKOUT_MISDIRECTED",
    "CHECKOUT_PAID_AGAIN",
    "UNDERPAID_ACCEPTED",
    "REFUND_RESTS",
    "REFUND_COMPLETED",
    "REFUND_FAILED",
    "REFUND_REOPENED",
    "REFUND_RETURNED",
    "DEPOSIT_PENDING",
    "DEPOSIT_PENDING_WITHDRAWN",
    "DEPOSIT_COMPLETED",
    "DEPOSIT_REVERSED",
    "DEPOSIT_MISDIRECTED",
    "SUSPENSE_RESOLVED",
    "SWAP_COMPLETED",
    "SWAP_FAILED",
    "TRANSFER_COMPLETED",
    "TRANSFER_FAILED",
    "TRANSFER_REOPENED",
    "TRANSFER_RETURNED",
    "SETTLEMENT_SKIPPED"]


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """Address, http or https, that events are sent to."""
    eventTypes: NotRequired[Sequence[EventType] | None]
    """Which are sent; all unless given."""
    format: NotRequired[Literal["QUITTANCE", "GREENFIELD", "COMMERCE"] | None]
    """In whose words: ours unless given, of BTCPay Server, or of Coinbase Commerce."""
    apiVersion: NotRequired[Literal["2026-11-24", "2026-11-25"] | None]
    """Dated version that its events are told in; that of the key unless given."""


PageLanguage: TypeAlias = Literal["en",
    "de",
    "pt",
    "es",
    "it",
    "tr",
    "pl",
    "fr",
    "nl",
    "pt-BR",
    "ru",
    "uk",
    "cs",
    "ro",
    "zh-Hans",
    "ja",
    "ko",
    "ar",
    "he",
    "hi"]


class MailWords(TypedDict):
    kind: Literal["PAYMENT_SEEN", "PAID", "UNDERPAID", "EXPIRED", "REFUND_CLAIM", "REFUND_SENT", "BILL_SENT", "BILL_DUE_SOON", "BILL_DUE", "BILL_OVERDUE"]
    """Which mail."""
    language: PageLanguage
    """Code of a language of `GET /languages`."""
    opening: NotRequired[str | None]
    """What it begins with, up to 500 characters; null as it is by itself."""
    closing: NotRequired[str | None]
    """What it ends with, up to 500 characters; null as it is by itself."""


class UpdateAccountSettingsRequest(TypedDict):
    riskTolerance: NotRequired[Literal["LOW", "MEDIUM", "HIGH"]]
    """Assets above this risk are neither offered nor settled in."""
    preferredAuthentication: NotRequired[Literal["DIGEST", "BASIC"]]
    """`DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too."""
    customerMails: NotRequired[Sequence[Literal["PAYMENT_SEEN", "PAID", "UNDERPAID", "EXPIRED", "REFUND_CLAIM", "REFUND_SENT", "BILL_SENT", "BILL_DUE_SOON", "BILL_DUE", "BILL_OVERDUE"]]]
    """Mails that customers get; none unless switched on."""
    customerMailWords: NotRequired[Sequence[MailWords]]
    """Your own words in such mails."""
    payerMails: NotRequired[bool]
    """Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do."""
    pageLanguages: NotRequired[Sequence[PageLanguage]]
    """Languages that the pages of the account are offered in."""
    defaultPageLanguage: NotRequired[PageLanguage]
    """That of `pageLanguages` in which they are where the browser of a customer wants none."""
    embedOrigins: NotRequired[Sequence[str]]
    """Sites that may show pages of the account in a frame."""
    settlementAsset: NotRequired[str]
    """Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid."""
    methodOrder: NotRequired[Sequence[str]]
    """Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after."""
    methodsOff: NotRequired[Sequence[str]]
    """Ways to pay that new checkouts do not offer."""
    methodsRecommended: NotRequired[Sequence[str]]
    """Ways to pay that pages show first and mark."""
    confirmations: NotRequired[Mapping[str, Sequence[int]]]
    """By id of a network, blocks for small, medium and large amounts, each 1 to 1,000."""
    lateFloorPercent: NotRequired[Numeric]
    """Percent of the price that late money has to be worth, 50 to 100."""
    lateDays: NotRequired[int]
    """Days after its window in which a checkout can still complete."""
    underpaidPercent: NotRequired[Numeric]
    """Percent that may be missing from a payment, 0 to 2."""
    pageSettings: NotRequired[PageSettings]
    """What its pages ask, and how they lead back."""


class PageWords(TypedDict):
    place: Literal["HEADING", "PAY_NOTE", "PAID", "TERMS"]
    """`HEADING`: above all else; `PAY_NOTE`: under what is to be paid; `PAID`: after the payment; `TERMS`: your terms."""
    language: PageLanguage
    """Code of a language of `GET /languages`."""
    words: str
    """Plain text of up to 500 characters, in `HEADING` 120; empty is none."""


class UpdatePageLookRequest(TypedDict):
    font: NotRequired[Literal["system", "humanist", "rounded", "serif", "mono"]]
    """Families that devices have."""
    cornerRadius: NotRequired[int]
    """Of a card, in pixels, 0 to 24."""
    primaryColor: NotRequired[str | None]
    """Of buttons: `#rrggbb`, null: as we make it."""
    backgroundColor: NotRequired[str | None]
    """Behind the cards: `#rrggbb`, null: as we make it."""
    colors: NotRequired[Sequence[str]]
    """Of single things, `dark-surface=#1c2226`, readable on what they stand on."""
    blocks: NotRequired[Sequence[Literal["pay", "order", "note"]]]
    """Parts of a page, each once, in their order."""
    words: NotRequired[Sequence[PageWords]]
    """Your own words on your pages."""
    logo: NotRequired[str | None]
    """Beside your name: PNG, JPEG or WebP in Base64, null takes it away."""
    darkLogo: NotRequired[str | None]
    """The same where pages are dark: PNG, JPEG or WebP in Base64, null takes it away."""
    fontFile: NotRequired[str | None]
    """Your own font: WOFF2 in Base64, up to 100 KiB, null takes it away."""
    boldFontFile: NotRequired[str | None]
    """The same for bold text: WOFF2 in Base64, up to 100 KiB, null takes it away."""


class SpendingLimit(TypedDict):
    kind: Literal["DAY", "TWO_PEOPLE", "COOL_DOWN"]
    """What it bounds: `DAY` what leaves in 24 hours, `TWO_PEOPLE` and `COOL_DOWN` one payment."""
    measure: str
    """Id of an asset, of which so much; or a currency, of all assets so much in value."""
    amount: str
    """In whole coins of the asset, or in the currency."""
    left: NotRequired[str | None]
    """What may still be sent now: of a `DAY`; null of others, and where it has no price right now. Not in requests."""


class CustomerFields(TypedDict):
    email: str
    """E-mail address, up to 254 characters."""
    firstname: NotRequired[str | None]
    """First name, up to 200 characters."""
    lastname: NotRequired[str | None]
    """Last name, up to 200 characters."""
    company: NotRequired[str | None]
    """Company, up to 200 characters."""
    adr1: NotRequired[str | None]
    """First line of the address, up to 200 characters."""
    adr2: NotRequired[str | None]
    """Second line of the address, up to 200 characters."""
    zip: NotRequired[str | None]
    """Postal code, up to 20 characters."""
    city: NotRequired[str | None]
    """City, up to 200 characters."""
    countrycode: NotRequired[str | None]
    """Country: ISO 3166-1, two letters in either case."""
    phonenumber: NotRequired[str | None]
    """Telephone, up to 40 characters."""
    taxid: NotRequired[str | None]
    """Number for taxes, up to 50 characters."""
    note: NotRequired[str | None]
    """Your own note, up to 2,000 characters."""
    meta: NotRequired[JsonObject | None]
    """Your own data, up to 16 KiB of JSON."""


class CreateSwapRequest(TypedDict):
    sourceAsset: str
    """Id of the asset that is given."""
    targetAsset: str
    """Id of the asset that is got."""
    sourceAmount: NotRequired[Numeric | None]
    """What is given, in whole coins; either this or `targetAmount`."""
    targetAmount: NotRequired[Numeric | None]
    """What is got, in whole coins; either this or `sourceAmount`."""


class BeneficiaryAccount(TypedDict):
    address: NotRequired[str | None]
    """Address on the network; of SWIFT where the holder lives"""
    invoice: NotRequired[str | None]
    """LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount"""
    lightningAddress: NotRequired[str | None]
    """LIGHTNING: name@domain (LUD-16), or invoice, or lnurl"""
    lnurl: NotRequired[str | None]
    """LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress"""
    account: NotRequired[str | None]
    """STELLAR, XRP_LEDGER: the account"""
    memo: NotRequired[str | None]
    """STELLAR: what has to be given beside the account, with memoType"""
    memoType: NotRequired[str | None]
    """STELLAR: kind of the memo, text, id, hash, return"""
    iban: NotRequired[str | None]
    """SEPA: the IBAN; SWIFT: it, or accountNumber"""
    accountNumber: NotRequired[str | None]
    """SWIFT: number of the account, or iban"""
    bic: NotRequired[str | None]
    """SWIFT: BIC of the bank; SEPA: where it is known"""
    holder: NotRequired[str | None]
    """SEPA, SWIFT: whose account it is"""
    pixKey: NotRequired[str | None]
    """PIX: CPF, CNPJ, e-mail address, telephone or random key"""
    taxId: NotRequired[str | None]
    """PIX: CPF or CNPJ"""
    destinationTag: NotRequired[int | None]
    """XRP_LEDGER: what has to be given beside the account, as number or text"""


class BeneficiaryFields(TypedDict):
    label: str
    """Your own name for it, up to 200 characters; no two have the same."""
    network: str
    """Id of a network of `GET /networks` with `transfers`."""
    account: BeneficiaryAccount
    """Where to, by the fields that its network needs."""


class CreateTransferRequest(TypedDict):
    network: str
    """Id of a network, such as `LITECOIN`."""
    asset: NotRequired[str | None]
    """Id of the asset; the first of `assets` of the network unless given."""
    amount: Numeric
    """What is taken from the balance, in whole coins, above zero: the fee of the network goes off it."""
    targetAccount: str
    """Id or label of a beneficiary."""


class SettlementSchedule(TypedDict):
    every: Literal["DAY", "WEEK", "MONTH"]
    """Each day, week or month."""
    day: NotRequired[int | None]
    """Of a week 1 to 7 (1 is Monday), of a month 1 to 31 (its last day where it is shorter); null or absent of a day."""
    hour: int
    """From 0 to 23, in the time zone."""
    zone: str
    """Time zone, such as `Europe/Berlin`."""


class CreateSettlementRuleRequest(TypedDict):
    asset: str
    """Id of an asset, such as `LTC:NATIVE`."""
    threshold: NotRequired[Numeric | None]
    """Least of the balance with which it is followed, in whole coins, above `keep`; needed unless `schedule` is given."""
    keep: NotRequired[Numeric | None]
    """What stays in the balance, in whole coins; 0 unless given."""
    schedule: NotRequired[SettlementSchedule | None]
    """When it is followed; unless given, whenever `threshold` is reached."""
    convertTo: NotRequired[str | None]
    """Id of the asset that it is converted to; needed unless `targetAccount` is given."""
    network: NotRequired[str | None]
    """Id of the network that it is sent on; with `targetAccount` alone."""
    targetAccount: NotRequired[str | None]
    """Id or label of the beneficiary that gets it; with `network` alone."""


class CreateRefundRequest(TypedDict):
    checkoutId: str
    """Id of the checkout."""
    kind: Literal["full", "excess", "amount"]
    """`full`: what is left, of an underpaid checkout all of it, less the fee of the network; `amount`: so much; `excess`: what was paid too much."""
    amount: NotRequired[Numeric | None]
    """With `kind` amount only: in whole coins of what was paid."""
    address: NotRequired[str | None]
    """Where to; on Lightning an address, an LNURL, or an invoice for exactly what is refunded. Without it the payer gets a link to claim it."""
    memo: NotRequired[str | None]
    """What an exchange asks for beside its address, up to 64 characters."""
    memoType: NotRequired[Literal["text", "id", "hash", "return"] | None]
    """Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo."""
    destinationTag: NotRequired[int | None]
    """On the XRP Ledger: what has to be given beside the address."""
    holder: NotRequired[str | None]
    """Whose bank account it is, up to 200 characters."""
    network: NotRequired[str | None]
    """Where the customer paid in several ways: which; the last one unless given."""
    asset: NotRequired[str | None]
    """The same: id of the asset that was paid."""


class SandboxRequest(TypedDict):
    network: NotRequired[str | None]
    """Which simulated network: that of the payment where the checkout is not committed; blocks come on all of them unless given, and it is needed to undo some."""
    depth: NotRequired[int | None]
    """How many are undone, 1 to 30; 1 unless given."""
    checkoutId: NotRequired[str | None]
    """Test checkout that is paid, instead of `depositAddressId`; or whose payments alone are mined or undone."""
    depositAddressId: NotRequired[str | None]
    """Test deposit address that is paid, with `amount`; or whose payments alone are mined or undone."""
    blocks: NotRequired[int | None]
    """How many come, 1 to 100; 1 unless given."""
    asset: NotRequired[str | None]
    """What is paid, where a checkout is not committed or an address takes several: id of an asset of `GET /assets`."""
    inAsset: NotRequired[str | None]
    """Another asset of the network than the checkout asks for, sent to the same place; with `amount`"""
    amount: NotRequired[Numeric | None]
    """Of the payment, in whole coins; what is asked for unless given."""
    parts: NotRequired[int | None]
    """In so many payments, 1 to 20; 1 unless given."""


class CatalogueExchangeRateParameters(TypedDict):
    sourceAsset: str
    """Id of an asset, or code of a currency."""
    targetAsset: str
    """Id of an asset, or code of a currency."""
    sourceAmount: NotRequired[Numeric]
    """How much of the source; either this or `targetAmount`."""
    targetAmount: NotRequired[Numeric]
    """How much of the target; either this or `sourceAmount`."""
    amount: NotRequired[Numeric]
    """Older name of `sourceAmount`."""


class CheckoutGetParameters(TypedDict):
    wait: NotRequired[Numeric]
    """Seconds, up to 60, for which the answer is held until the state changes."""


class CheckoutCommitParameters(TypedDict):
    network: NotRequired[str | None]
    """Id of the network that the customer pays on: of one of the payment methods; needed where several fit."""
    asset: NotRequired[str | None]
    """Id of the asset; unless given the first of `assets` of the network, where it is offered."""
    depositNetwork: NotRequired[str | None]
    """Another name of `network`."""
    relatedAssetId: NotRequired[str | None]
    """Another name of `asset`."""
    assetCode: NotRequired[str | None]
    """Older way to name the payment method, by the code of its asset."""
    answers: NotRequired[JsonObject | None]
    """What the customer answered, by `key` of `asks`."""
    termsAccepted: NotRequired[bool | None]
    """That the customer accepts the terms: needed, true, where the checkout has some."""
    tip: NotRequired[Numeric | None]
    """What the customer adds, in the billing currency; nothing unless given."""


CheckoutListParameters = TypedDict(
    "CheckoutListParameters",
    {
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "state": "NotRequired[Literal['NEW', 'AWAITING_PAYMENT', 'PENDING', 'UNDERPAID', 'COMPLETED', 'EXPIRED', 'CANCELLED']]",
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "customerId": "NotRequired[str]",
        "meta": "NotRequired[Mapping[str, Numeric]]",
    },
)


class DepositAddressesListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class EventsListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""
    type: NotRequired[EventType]
    """Those of this type."""


class EventsFollowParameters(TypedDict):
    after: NotRequired[str]
    """`after` of the answer before, or `start` for all events that are kept"""
    limit: NotRequired[Numeric]
    """1 to 100, 50 unless given"""
    wait: NotRequired[Numeric]
    """Seconds, up to 30, for which the answer is held until there is one."""


class RequestsListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""
    status: NotRequired[Numeric]
    """`2xx`, `4xx`, `5xx`, or one status"""
    path: NotRequired[str]
    """How the path begins"""


class WebhookEndpointsUpdateParameters(TypedDict):
    overlapHours: NotRequired[int | None]
    """Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given."""
    apiVersion: NotRequired[Literal["2026-11-24", "2026-11-25"]]
    """Of a change alone: dated version that its events are told in from now on."""


class WebhookEndpointsRotateSecretParameters(TypedDict):
    overlapHours: NotRequired[int | None]
    """Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given."""
    apiVersion: NotRequired[Literal["2026-11-24", "2026-11-25"]]
    """Of a change alone: dated version that its events are told in from now on."""


class WebhookEndpointsListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class CustomersUpdateParameters(TypedDict):
    email: NotRequired[str]
    """E-mail address, up to 254 characters."""
    firstname: NotRequired[str | None]
    """First name, up to 200 characters."""
    lastname: NotRequired[str | None]
    """Last name, up to 200 characters."""
    company: NotRequired[str | None]
    """Company, up to 200 characters."""
    adr1: NotRequired[str | None]
    """First line of the address, up to 200 characters."""
    adr2: NotRequired[str | None]
    """Second line of the address, up to 200 characters."""
    zip: NotRequired[str | None]
    """Postal code, up to 20 characters."""
    city: NotRequired[str | None]
    """City, up to 200 characters."""
    countrycode: NotRequired[str | None]
    """Country: ISO 3166-1, two letters in either case."""
    phonenumber: NotRequired[str | None]
    """Telephone, up to 40 characters."""
    taxid: NotRequired[str | None]
    """Number for taxes, up to 50 characters."""
    note: NotRequired[str | None]
    """Your own note, up to 2,000 characters."""
    meta: NotRequired[JsonObject | None]
    """Your own data, up to 16 KiB of JSON."""


class CustomersListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class BeneficiariesListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class TransfersListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class SettlementRulesListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class RefundsListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


class SuspenseListParameters(TypedDict):
    limit: NotRequired[Numeric]
    """1 to 250, 50 unless given"""
    cursor: NotRequired[str]
    """`nextCursor` of the page before"""


ReportsBalancesParameters = TypedDict(
    "ReportsBalancesParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
    },
)


ReportsLedgerParameters = TypedDict(
    "ReportsLedgerParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv', 'beancount', 'hledger', 'xero', 'quickbooks', 'camt053']]",
        "asset": "NotRequired[str]",
    },
)


ReportsSettlementsParameters = TypedDict(
    "ReportsSettlementsParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
    },
)


ReportsFeesParameters = TypedDict(
    "ReportsFeesParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
    },
)


ReportsTaxesParameters = TypedDict(
    "ReportsTaxesParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
    },
)


ReportsConversionsParameters = TypedDict(
    "ReportsConversionsParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
        "currency": "str",
        "method": "NotRequired[Literal['fifo', 'average']]",
    },
)


ReportsGainsParameters = TypedDict(
    "ReportsGainsParameters",
    {
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "format": "NotRequired[Literal['json', 'csv']]",
        "currency": "str",
        "method": "NotRequired[Literal['fifo', 'average']]",
    },
)


class SandboxReorgParameters(TypedDict):
    depth: NotRequired[int | None]
    """How many are undone, 1 to 30; 1 unless given."""
    checkoutId: NotRequired[str | None]
    """Test checkout that is paid, instead of `depositAddressId`; or whose payments alone are mined or undone."""
    depositAddressId: NotRequired[str | None]
    """Test deposit address that is paid, with `amount`; or whose payments alone are mined or undone."""
    blocks: NotRequired[int | None]
    """How many come, 1 to 100; 1 unless given."""
    asset: NotRequired[str | None]
    """What is paid, where a checkout is not committed or an address takes several: id of an asset of `GET /assets`."""
    inAsset: NotRequired[str | None]
    """Another asset of the network than the checkout asks for, sent to the same place; with `amount`"""
    amount: NotRequired[Numeric | None]
    """Of the payment, in whole coins; what is asked for unless given."""
    parts: NotRequired[int | None]
    """In so many payments, 1 to 20; 1 unless given."""


class SandboxFreezeParameters(TypedDict):
    seconds: int
    """For how long its node is silent: 0 to 86,400."""


ReportDocumentParameters = TypedDict(
    "ReportDocumentParameters",
    {
        "format": "str",
        "from": "NotRequired[str | datetime]",
        "to": "NotRequired[str | datetime]",
        "limit": "NotRequired[Numeric]",
        "cursor": "NotRequired[str]",
        "asset": "NotRequired[str]",
        "currency": "NotRequired[str]",
        "method": "NotRequired[Literal['fifo', 'average']]",
    },
)


class PayAndConfirmParameters(TypedDict):
    network: NotRequired[str]
    """Chosen for a checkout that was not committed"""
    asset: NotRequired[str]
    amount: NotRequired[Numeric]
    """All that is missing unless given"""
