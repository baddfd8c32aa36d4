# Made from the OpenAPI document by test/clients; what is changed here is lost.
"""What the service answers. Attributes have the names of the API."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypeAlias

from ._model import Model


class Authentication(Model):
    authenticated: bool
    """Always true: other answers are errors."""
    method: Literal["digest", "basic"]
    """How the request was signed."""
    environment: Literal["test", "live"]
    """`test` or `live`: that of the key."""


class Language(Model):
    languageCode: str
    """Such as `en`."""
    name: str
    """In the language itself."""


JsonObject: TypeAlias = dict[str, Any]


class Network(Model):
    id: str
    """Such as `LITECOIN`."""
    name: str
    """Name, to be shown."""
    type: Literal["BLOCKCHAIN", "BANK"]
    """Blockchain, or money of banks."""
    imageSrc: str
    """Path of its picture on this server."""
    deposits: bool
    """Whether payments can be received on it now."""
    transfers: bool
    """Whether money can be sent on it now."""
    bridged: bool
    """Whether an anchor brings its coins."""
    assets: list[str]
    """Ids of the assets that are on it."""


class Asset(Model):
    id: str
    """Code and issuer, such as `LTC:NATIVE`."""
    assetCode: str
    """Code of the asset, such as `LTC`; not unique: several networks issue `USDC`."""
    assetIssuer: str
    """`NATIVE`, `FIAT`, or the account or contract that issues it."""
    name: str
    """Name, to be shown."""
    group: str
    """Assets of one group are worth the same."""
    groupImageSrc: str
    """Path of the picture of the group on this server."""
    issuerName: str
    """Who issues it; empty where nobody does."""
    issuerDomain: str
    """Domain of the issuer; empty where there is none."""
    issuerAddress: str
    """Address of the issuer on its network; empty where there is none."""
    imageSrc: str
    """Path of its picture on this server."""
    checkouts: bool
    """Whether checkouts of the account offer it now."""
    deposits: bool
    """Whether deposit addresses of the account take it now."""
    settlement: bool
    """Whether you can be credited in it."""
    swaps: bool
    """Whether it can be converted."""
    transfers: bool
    """Whether it can be sent now."""
    hexColor: str
    """Colour of the brand, `#` and six hex digits."""
    riskLevel: Literal["LOW", "MEDIUM", "HIGH"]
    """How much can go wrong with it: held against `riskTolerance` of the account."""
    bridge: bool
    """Whether it stands for a coin of another network."""
    networks: list[str]
    """Ids of the networks that it is on."""


class Currency(Model):
    assetCode: str
    """Such as `EUR`."""
    name: str
    """Name, to be shown."""
    type: Literal["CRYPTO", "FIAT"]
    """`FIAT`: of states; `CRYPTO`: of networks."""
    billing: bool
    """Whether charges can be in it."""
    settlement: bool
    """Whether you can be credited in it."""
    payment: bool
    """Whether customers can pay in it now."""


class FiatCurrency(Model):
    assetCode: str
    """Such as `EUR`."""
    assetName: str
    """Name, to be shown."""


class Blockchain(Model):
    id: str
    """Such as `LITECOIN`."""
    nativeAssetCode: str
    """Code of its own coin."""
    nativeAssetName: str
    """Name of its own coin."""


class AssetIssuer(Model):
    id: str
    """Account or contract that issues."""
    name: str
    """Name, to be shown."""
    domain: str
    """Domain of the issuer; empty where there is none."""
    assets: list[str]
    """Ids of the assets that it issues."""


class ExchangeRate(Model):
    sourceAsset: str
    """What was asked for: an asset or a currency."""
    sourceAmount: str
    """In whole coins, or in the currency; rounded up where `targetAmount` was asked for."""
    targetAsset: str
    """What it is told in: an asset or a currency."""
    targetAmount: str
    """What the source amount is worth, rounded down to what the target can hold."""
    pair: str
    """Codes of both, such as `LTC/EUR`."""
    exchangeRate: str
    """How much of the target one of the source is."""
    deviation: str
    """How far sources differ, as a fraction of the price: of both assets together."""
    time: str
    """When the older of both prices was seen, UTC."""
    sources: list[str]
    """Which sources of prices said so."""


class Settlement(Model):
    assetId: str
    """Id of the asset that you are credited in."""
    amount: str
    """Before the fee: in whole coins, as a decimal text."""
    netAmount: str
    """What you are credited: `amount` less `fee`."""
    fee: str
    """What the service keeps, in the same asset."""


class PaymentMethod(Model):
    assetCode: str
    """Code of the asset, such as `LTC`; not unique: several networks issue `USDC`."""
    blockchain: str
    """Name of the network, such as `Litecoin`, read by older clients."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    relatedAssetId: str
    """Id of the asset that is paid."""
    paymentAmount: str
    """What the customer sends, in whole coins of that asset."""
    settlement: Settlement
    """What you are credited for this payment."""
    anchorFee: str | None = None
    """How much of it an anchor keeps; absent where none is in between."""


class CreatedCheckout(Model):
    id: str
    """Its id: 12 characters."""
    paymentMethods: list[PaymentMethod]
    """Every way to pay it, of which one is chosen by `POST /checkout/commit`."""
    quoteExpirationTime: str
    """Until then these amounts are kept, UTC."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""
    warnings: list[str] | None = None
    """Sentences: what was asked for and cannot be done, as far as it stops no sale."""


CheckoutState: TypeAlias = Literal["NEW",
    "AWAITING_PAYMENT",
    "PENDING",
    "UNDERPAID",
    "COMPLETED",
    "EXPIRED",
    "CANCELLED"]


class CheckoutTransaction(Model):
    type: Literal["CHECKOUT_ORIGIN", "CHECKOUT_BRIDGE", "CHECKOUT_SETTLEMENT"]
    """What it did: the payment itself, or a step of an anchor or of the settlement."""
    typeDescription: str
    """The same, in words."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    networkName: str
    """Name of the network, to be shown."""
    timestamp: str
    """When its block was made, UTC; before it is in one, when it was seen first."""
    tx: str
    """Hash of the transaction on the network."""
    amount: str
    """In whole coins of the asset, as a decimal text."""
    amountAssetCode: str
    """Code of the asset that `amount` is in."""
    exception: str | None
    """`REVERSED`: taken back by the network; `REPLACED`: it will not come; `WRONG_ASSET`; `HELD`: it waits for a person; null otherwise."""
    confirmations: int
    """Blocks that confirm it now."""
    confirmationsRequired: int | None
    """Blocks after which it is final; null while that is not known."""


class ReturnLinks(Model):
    cancelUrl: str | None = None
    """Where the customer goes who cancels; null where none was given."""
    returnUrl: str | None = None
    """Where the customer goes after paying; null where none was given."""


class CheckoutPayload(Model):
    charge: JsonObject
    """What the customer is charged."""
    settlementAsset: str
    """Id of the asset that is credited, or `ORIGIN`: whatever is paid."""
    webhook: str | None
    """Address that is told; null where none was given."""
    links: ReturnLinks
    """Where the customer goes afterwards."""


class CheckoutStateChange(Model):
    state: CheckoutState
    """The state it came to."""
    timestamp: str
    """When, UTC."""


class CheckoutFlag(Model):
    at: str | None = None
    """Since when, UTC; with `late`, `reversed`, `restored`, `acceptedUnderpaid`, `manual`."""
    amount: str | None = None
    """In whole coins of `assetCode`; with `overpaid`, `reversed`, `restored`."""
    assetCode: str | None = None
    """Code of the asset that `amount` is in."""
    count: int | None = None
    """How many payments were credited after it was completed; with `multiple`."""


class MisdirectedPayment(Model):
    network: str
    """Id of the network that it came on."""
    amount: str
    """In whole coins of the asset, as a decimal text."""
    assetCode: str
    """Code of the asset that came."""
    tx: str
    """Hash of the transaction on the network."""
    reason: Literal["WRONG_ASSET", "WRONG_NETWORK"] | None = None
    """What was wrong; with `misdirected` alone."""


class CheckoutFlags(Model):
    late: CheckoutFlag | None = None
    """Money came after the window was over."""
    overpaid: CheckoutFlag | None = None
    """More came than was asked for: so much more."""
    multiple: CheckoutFlag | None = None
    """It was paid again after it was completed."""
    reversed: CheckoutFlag | None = None
    """The network took back money that had been credited."""
    restored: CheckoutFlag | None = None
    """Money that the network had taken back is here again."""
    misdirected: list[MisdirectedPayment] | None = None
    """Payments in another asset or on another network than asked."""
    acceptedUnderpaid: CheckoutFlag | None = None
    """It was underpaid, and accepted with what arrived."""
    wrongNetwork: MisdirectedPayment | None = None
    """A payment came on another network than asked."""
    manual: CheckoutFlag | None = None
    """A person decided about its money."""


class DepositInstructions(Model):
    assetCode: str
    """Code of the asset, such as `LTC`; not unique: several networks issue `USDC`."""
    blockchain: str
    """Name of the network, such as `Litecoin`, read by older clients."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    amount: str
    """What the customer sends, in whole coins."""
    address: str
    """Where to: an address, a Lightning invoice, or an account of a bank."""
    memo: str | None
    """What has to be given beside the address, or null."""
    memoType: str | None
    """Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo."""
    paymentUri: str | None
    """Link that opens a wallet with everything filled in; null where there is none."""
    anchorFee: str | None = None
    """How much of the amount an anchor keeps; absent where none is in between."""
    destinationTag: int | None = None
    """On the XRP Ledger: what has to be given beside the address."""
    holder: str | None = None
    """Banks: whose account it is."""
    bic: str | None = None
    """Banks: its BIC, where it has one."""


class GasFee(Model):
    assetId: str
    """Id of the asset that the network takes it in."""
    amount: str
    """In whole coins of that asset."""


class ClaimableBalance(Model):
    id: str
    """Id of the claimable balance on Stellar."""
    reclaimableFrom: str | None
    """From then on it may be taken back, UTC; null where never."""


class Refund(Model):
    id: str
    """Its id: 12 characters."""
    checkoutId: str
    """Id of the checkout."""
    state: Literal["AWAITING_ADDRESS", "UNDER_WAY", "COMPLETED", "FAILED", "RETURNED"]
    """How far it is."""
    kind: Literal["full", "excess", "amount"]
    """How much of what came: all, a part, or what was too much."""
    context: Literal["COMPLETED_CHECKOUT", "UNDERPAID_CHECKOUT", "OVERPAID_TRANSACTION"]
    """What it gives back of: a completed checkout, an underpaid one, or what was paid too much."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    amount: str
    """What the payer gets, in whole coins of the asset."""
    amountAssetCode: str
    """Code of the asset that `amount` is in."""
    address: str | None
    """Where to; null while its payer has not said."""
    tx: str | None
    """Hash of the transaction on the network; null while there is none."""
    payment: Literal["STANDING", "UNCERTAIN", "TAKEN_BACK"]
    """Whether the payment that it gives back stands."""
    failure: str | None
    """Why it failed, as far as that is known; null otherwise."""
    timestamp: str
    """When it ended, UTC; before that when it was made."""
    networkFee: str | None = None
    """The most that the network may take, and what it took once that is known."""
    gasFee: GasFee | None = None
    """What the network takes in another asset, which you do not pay; null where nothing."""
    claimableBalance: ClaimableBalance | None = None
    """Where on Stellar a receiver without a trust line claims it; null otherwise."""
    claimUrl: str | None = None
    """Link for the payer to say where to; null once that is known."""
    claimableUntil: str | None = None
    """Until then the link works, UTC; null without one."""
    restsUntil: str | None = None
    """It is not sent before, and can be cancelled until then; null where it does not rest."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""


class Checkout(Model):
    id: str
    """Its id: 12 characters."""
    timestamp: str
    """When it came to this state, UTC."""
    state: CheckoutState
    """How far it is."""
    type: Literal["HOSTED", "SELF_HOSTED"]
    """`HOSTED`: paid on our page; `SELF_HOSTED`: on yours."""
    origin: Literal["API", "DASHBOARD", "PAYMENT_LINK"]
    """What made it: a key, a person in the dashboard, or a payment link."""
    settlementAssetId: str | None
    """Id of the asset that is credited; null while nothing was chosen for ORIGIN."""
    settlementAmountRequired: str | None
    """What a full payment settles to, before the fee, in that asset; null before a commit."""
    settlementAmountReceived: str
    """What was settled so far, before the fee, in that asset; 0 before a commit."""
    settlementAmountFeePaid: str
    """Fees of that, in that asset; 0 before a commit."""
    sourceAssetId: str | None
    """Id of the asset that money came in last, else of the one chosen last; null before a commit."""
    sourceAmountRequired: str | None
    """What has to arrive of the customer, in that asset, without what an anchor keeps; null before a commit."""
    sourceAmountReceived: str
    """What came and is final, in that asset; 0 before a commit."""
    sourceNetwork: str | None
    """Network of the same; null before a commit."""
    sourceNetworkName: str | None
    """Its name, to be shown; null before a commit."""
    depositAddress: str | None
    """Where the customer pays to by it; null before a commit."""
    blockchainTransactions: list[CheckoutTransaction]
    """Every transaction that belongs to it: first those of anchors, then its payments, oldest first."""
    payload: CheckoutPayload
    """The request as it came, with what is always there in the current layout."""
    hostedCheckoutUrl: str
    """Address of its payment page."""
    total: str
    """What the customer is charged, in the billing currency."""
    billingCurrency: str
    """Code of the currency of the charge."""
    stateHistory: list[CheckoutStateChange]
    """Every state it had, oldest first."""
    flags: CheckoutFlags
    """What one state cannot say; each only when it holds."""
    paymentMethods: list[PaymentMethod]
    """Every way to pay it."""
    depositInstructions: DepositInstructions | None
    """What the customer sends, and where; null before a commit."""
    expirationTime: str | None
    """End of the payment window, UTC; null before a commit."""
    quoteExpirationTime: str
    """Until then a commit keeps the amounts of `paymentMethods`, UTC."""
    refunds: list[Refund]
    """Money of it that was sent back, or is on its way."""
    asks: list[JsonObject] | None = None
    """What the payer is asked; absent where nothing is asked, no terms and no tip."""
    answers: JsonObject | None = None
    """What the payer answered, by `key`; empty before, and when erased; absent with `asks`."""
    answeredAt: str | None = None
    """When the payer answered, UTC; null: not yet; absent with `asks`."""
    termsUrl: str | None = None
    """Address of the terms; null without; absent with `asks`."""
    termsAcceptedAt: str | None = None
    """When the payer accepted the terms, UTC; null: not yet, or there are none; absent with `asks`."""
    tip: str | None = None
    """What the payer added, in the billing currency: part of `total`; absent with `asks`."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""


class CheckoutCommitment(Model):
    depositInstructions: DepositInstructions
    """What the customer sends, and where."""
    settlement: Settlement
    """What you are credited for this payment."""
    expirationTime: str
    """End of the payment window, UTC."""
    quoteExpirationTime: str
    """Until then the settlement is guaranteed for these amounts."""
    checkoutId: str
    """Id of the checkout."""
    paymentUri: str | None
    """Link that opens a wallet with everything filled in; null where there is none."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""


class CreatedHostedCheckout(Model):
    id: str
    """Its id: 12 characters."""
    url: str
    """Address of the payment page: send the customer there."""
    checkoutId: str
    """The same as `id`, read by older clients."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""
    warnings: list[str] | None = None
    """Sentences: what was asked for and cannot be done, as far as it stops no sale."""


class ChargeTotals(Model):
    total: str
    """What the customer is charged, rounded once, halves up, to the decimals of the currency."""
    decimals: int
    """Digits after the point that the billing currency has."""
    netTotal: str
    """Lines less discounts plus shipping, without tax, exact."""
    taxTotal: str
    """All taxes, exact."""
    discountTotal: str
    """All discounts, exact."""
    shippingTotal: str
    """All shipping costs, exact."""


class DepositAddress(Model):
    id: str
    """Its id: 12 characters."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    address: str
    """May be paid any number of times."""
    memo: str | None
    """What has to be given beside the address, or null."""
    memoType: str | None
    """Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo."""
    paymentUri: str | None
    """Link that opens a wallet with everything filled in; null where there is none."""
    label: str | None
    """Your own name for it, up to 200 characters; null where none was given."""
    webhook: str | None
    """Address that is told of its payments, beside the receivers of the account; null where none was given."""
    timestamp: str
    """When it was made, UTC."""
    destinationTag: int | None = None
    """On the XRP Ledger: what has to be given beside the address."""
    lightningAddress: str | None = None
    """Lightning: the address in the form of a mail address."""
    lnurl: str | None = None
    """Lightning: the same as an LNURL."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""


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


class Delivery(Model):
    url: str
    """Address of the receiver."""
    webhookEndpointId: str | None
    """Which receiver of the account; null of an address given with a checkout or a deposit address."""
    state: Literal["PENDING", "DELIVERED", "PARKED", "DISABLED"]
    """How far it is."""
    attempts: int
    """How often it was tried."""
    lastStatus: int | None
    """HTTP status of the last answer; null where there was none."""
    lastError: str | None
    """Why the last attempt got no answer, in words; null where it got one."""
    nextAttempt: str | None
    """When it is tried again, UTC; null where it is not."""
    finishedTime: str | None
    """When it ended, UTC; null while it has not."""
    reason: str | None
    """Why it ended without success, in words; null otherwise."""


class ListedEvent(Model):
    eventType: EventType
    """What happened."""
    data: JsonObject
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in."""
    deliveries: list[Delivery]
    """One for each receiver."""
    test: bool | None = None
    """There where a person sent it to try a receiver: nothing of it has happened."""
    body: str | None = None
    """The text of the webhook, byte for byte: what signatures are made over"""


class CheckoutAnswer(Model):
    checkout: Checkout
    """The checkout as it stands."""


class CheckoutEvent(Model):
    eventType: Literal["CHECKOUT_COMPLETED", "CHECKOUT_PENDING", "CHECKOUT_UNDERPAID", "CHECKOUT_EXPIRED", "CHECKOUT_CANCELLED", "CHECKOUT_REVERSED", "CHECKOUT_RESTORED", "CHECKOUT_PENDING_WITHDRAWN", "CHECKOUT_MISDIRECTED", "CHECKOUT_PAID_AGAIN", "UNDERPAID_ACCEPTED"]
    """What happened."""
    data: CheckoutAnswer
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class ToldRefund(Model):
    id: str
    """Its id: 12 characters."""
    checkoutId: str
    """Id of the checkout."""
    context: Literal["COMPLETED_CHECKOUT", "UNDERPAID_CHECKOUT", "OVERPAID_TRANSACTION"]
    """What it gives back of: a completed checkout, an underpaid one, or what was paid too much."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""
    restsUntil: str | None = None
    """Of REFUND_RESTS alone: it is not sent before, UTC, and can be cancelled."""
    payment: Literal["STANDING", "UNCERTAIN", "TAKEN_BACK"] | None = None
    """Of REFUND_FAILED and REFUND_RETURNED alone: whether the payment that it gave back stands."""
    failure: str | None = None
    """Of REFUND_FAILED and REFUND_RETURNED alone: why, as far as that is known; null otherwise."""


class RefundEventData(Model):
    refund: ToldRefund
    """The refund as it stands."""


class RefundEvent(Model):
    eventType: Literal["REFUND_RESTS", "REFUND_COMPLETED", "REFUND_FAILED", "REFUND_REOPENED", "REFUND_RETURNED"]
    """What happened."""
    data: RefundEventData
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class Deposit(Model):
    id: str
    """Names the payment, in each event about it."""
    state: Literal["PENDING", "WITHDRAWN", "COMPLETED", "REVERSED", "MISDIRECTED"]
    """How far it is."""
    timestamp: str
    """When its block was made, UTC; before it is in one, when it was seen first."""
    depositAddressId: str
    """Id of the deposit address."""
    label: str | None
    """Your own name for it, up to 200 characters; null where none was given."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    networkName: str
    """Name of the network, to be shown."""
    address: str
    """Address on the network."""
    memo: str | None
    """What has to be given beside the address, or null."""
    memoType: str | None
    """Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo."""
    tx: str
    """Hash of the transaction on the network."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    assetCode: str
    """Code of the asset, such as `LTC`; not unique: several networks issue `USDC`."""
    amount: str
    """What came, in whole coins."""
    netAmount: str | None
    """What was credited: `amount` less `fee`; null where nothing was."""
    fee: str | None
    """What the service keeps; null where nothing was credited."""
    confirmations: int
    """Blocks that confirm it now."""
    confirmationsRequired: int | None
    """Blocks after which it is final; null while that is not known."""
    meta: JsonObject | None = None
    """What you gave with it; absent where nothing was given."""


class DepositEventData(Model):
    deposit: Deposit
    """The payment to a deposit address."""


class DepositEvent(Model):
    eventType: Literal["DEPOSIT_PENDING", "DEPOSIT_PENDING_WITHDRAWN", "DEPOSIT_COMPLETED", "DEPOSIT_REVERSED", "DEPOSIT_MISDIRECTED"]
    """What happened."""
    data: DepositEventData
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class Suspense(Model):
    id: str
    """Its number."""
    state: Literal["OPEN", "ASSIGNED", "RETURNING", "RETURNED", "WRITTEN_OFF", "GONE"]
    """Whether somebody decided."""
    reason: Literal["WRONG_ASSET", "WRONG_NETWORK", "NO_MEMO", "UNKNOWN_MEMO", "NO_REFERENCE", "UNKNOWN_REFERENCE", "UNKNOWN_INDEX", "UNKNOWN_INVOICE"]
    """Why it is not credited."""
    detail: str | None
    """A sentence for a person, where more is known; null otherwise."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    amount: str
    """In whole coins of the asset, as a decimal text."""
    amountAssetCode: str
    """Code of the asset that `amount` is in."""
    tx: str
    """Hash of the transaction on the network."""
    destination: str
    """Where it came to: the address, with a colon and the memo or tag where it has one."""
    checkoutId: str | None
    """Checkout that it came for; null where none."""
    depositAddressId: str | None
    """Deposit address that it came to; null where none."""
    timestamp: str
    """Since when it lies there, UTC."""
    resolvedTime: str | None
    """When it was decided, UTC; null while it was not."""
    returnAddress: str | None
    """Where it is sent back to; null where it is not."""
    returnTx: str | None
    """Hash of the transaction that sent it back; null where there is none."""
    meta: JsonObject | None = None
    """What you gave with its checkout; absent where nothing was given."""


class SuspenseEventData(Model):
    suspense: Suspense
    """Money that came and is not credited."""


class SuspenseEvent(Model):
    eventType: Literal["SUSPENSE_RESOLVED"]
    """What happened."""
    data: SuspenseEventData
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class Swap(Model):
    id: str
    """Its id: 12 characters."""
    state: Literal["QUOTED", "COMPLETED", "FAILED", "EXPIRED"]
    """How far it is."""
    sourceAsset: str
    """Id of the asset that is given."""
    sourceAmount: str
    """What is given, in whole coins."""
    targetAsset: str
    """Id of the asset that is got."""
    targetAmount: str
    """What is got, in whole coins, after the fee."""
    exchangeRate: str
    """How much of the target one of the source is, before the fee."""
    fee: str
    """What the service keeps, in the target asset."""
    expirationTime: str
    """Until then the quote can be committed, UTC."""
    failure: str | None = None
    """Why, of a swap that failed; absent otherwise."""


class SwapAnswer(Model):
    swap: Swap
    """The swap as it stands."""


class SwapEvent(Model):
    eventType: Literal["SWAP_COMPLETED", "SWAP_FAILED"]
    """What happened."""
    data: SwapAnswer
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class Transfer(Model):
    id: str
    """Its id: 12 characters."""
    state: Literal["QUOTED", "RESERVED", "TO_SEND", "SUBMITTED", "COMPLETED", "FAILED", "EXPIRED", "RETURNED"]
    """How far it is."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    amount: str
    """Taken from your balance, in whole coins: `targetAmount` with `networkFee` and `fee`."""
    networkFee: str
    """The most that the network may take, and what it took once that is known."""
    fee: str
    """What the service takes, in the same asset."""
    targetAmount: str
    """What arrives, in whole coins."""
    expirationTime: str
    """Until then the quote can be committed, UTC."""
    tx: str | None
    """Hash of the transaction on the network; null while there is none."""
    gasFee: GasFee | None
    """What the network takes in another asset, which you do not pay; null where nothing."""
    beneficiaryId: str | None
    """Who gets it; null of one that carries a refund."""
    failure: str | None
    """Why it failed, as far as that is known; null otherwise."""
    stuckSince: str | None
    """Since when one that was sent is in no block for too long; null otherwise."""
    claimableBalance: ClaimableBalance | None
    """Where on Stellar a receiver without a trust line claims it; null otherwise."""
    returnedAmount: str | None
    """Of one that is RETURNED: what came back; null otherwise."""


class TransferAnswer(Model):
    transfer: Transfer
    """The transfer as it stands."""


class TransferEvent(Model):
    eventType: Literal["TRANSFER_COMPLETED", "TRANSFER_FAILED", "TRANSFER_REOPENED", "TRANSFER_RETURNED"]
    """What happened."""
    data: TransferAnswer
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


class SettlementSchedule(Model):
    every: Literal["DAY", "WEEK", "MONTH"]
    """Each day, week or month."""
    hour: int
    """From 0 to 23, in the time zone."""
    zone: str
    """Time zone, such as `Europe/Berlin`."""
    day: int | None = None
    """Of a week 1 to 7 (1 is Monday), of a month 1 to 31 (its last day where it is shorter); null or absent of a day."""


class SettlementRule(Model):
    id: str
    """Its id: 12 characters."""
    state: Literal["ACTIVE", "PAUSED"]
    """Whether it is followed."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    threshold: str | None
    """Least of the balance with which it is followed, in whole coins; null where none was given."""
    keep: str
    """What stays in the balance, in whole coins."""
    schedule: SettlementSchedule | None
    """When it is followed; null: whenever `threshold` is reached."""
    convertTo: str | None
    """Id of the asset that it is converted to; null without conversion."""
    network: str | None
    """Id of the network that it is sent on; null where it stays in the balance."""
    beneficiaryId: str | None
    """Who gets it; null where it stays in the balance."""
    nextTime: str | None
    """When it is looked at next, UTC; null of one that is paused."""
    createdBy: str
    """Who made it: `key` and its id, or a person."""
    timestamp: str
    """When it was made, UTC."""


class SettlementRun(Model):
    dueTime: str
    """When it was due, UTC."""
    state: Literal["DONE", "SKIPPED"]
    """Whether it was followed."""
    amount: str | None
    """What it took from the balance, in whole coins; null where nothing."""
    swapId: str | None
    """Conversion that it made; null where none."""
    transferId: str | None
    """Transfer that it made; null where none."""
    code: str | None
    """Why it was skipped, as an error code; null where it was followed."""
    reason: str | None
    """The same, in words."""
    timestamp: str
    """When it was tried last, UTC."""


class SettlementEventData(Model):
    settlementRule: SettlementRule
    """The rule as it stands."""
    run: SettlementRun
    """The period that was skipped."""


class SettlementEvent(Model):
    eventType: Literal["SETTLEMENT_SKIPPED"]
    """What happened."""
    data: SettlementEventData
    """What it happened to."""
    id: str
    """Its id: 12 characters."""
    created: str
    """When it was made, UTC."""
    sequence: int
    """Rises from 1 with each event of one thing: the highest is the newest."""
    apiVersion: str
    """Dated version that this is told in, that of its receiver; `1` is the first."""
    test: bool | None = None
    """A person tries a receiver: nothing of it happened"""


Event: TypeAlias = CheckoutEvent | RefundEvent | DepositEvent | SuspenseEvent | SwapEvent | TransferEvent | SettlementEvent
"""The body of a webhook: which one it is says `eventType`."""


class FollowedEvent(Model):
    id: str
    """Id of the event, the header `webhook-id`."""
    eventType: EventType
    """What happened"""
    body: str
    """The text of the webhook, byte for byte: what signatures are made over"""


class FollowedEvents(Model):
    events: list[FollowedEvent]
    """In the order in which they were told, oldest first."""
    after: str
    """Where the next question goes on"""


class ListedRequest(Model):
    id: str
    """The `X-Request-Id` of its answer"""
    apiKey: str
    """The key it named"""
    method: str
    """Of HTTP"""
    path: str
    """As it was asked for, without the query"""
    status: int
    """Of HTTP, as it was answered"""
    errorCode: str | None
    """The `X-Error-Code` of a refusal"""
    durationMs: int
    """How long the answer took, in milliseconds"""
    timestamp: str
    """When it was answered"""
    query: str | None = None
    """The query, without secrets; null where nothing was kept"""
    requestHeaders: str | None = None
    """Lines of headers, without secrets; null where nothing was kept"""
    requestBody: str | None = None
    """What was sent, without secrets; null where nothing was kept"""
    answerHeaders: str | None = None
    """Lines of headers, without secrets; null where nothing was kept"""
    answerBody: str | None = None
    """What was answered, without secrets; null where nothing was kept"""


class WebhookEndpoint(Model):
    id: str
    """Its id: 12 characters."""
    url: str
    """Address that events are sent to."""
    eventTypes: list[EventType] | None
    """Which are sent; null: all of them."""
    format: Literal["QUITTANCE", "GREENFIELD", "COMMERCE"]
    """In whose words it is told: ours, of BTCPay Server, or of Coinbase Commerce."""
    apiVersion: str
    """Dated version that its events are told in."""
    timestamp: str
    """When it was made, UTC."""
    disabledTime: str | None
    """Since when nothing is sent to it, UTC; null while it is in use."""


class WebhookEndpointWithSecret(Model):
    webhookEndpoint: WebhookEndpoint
    """The receiver."""
    secret: str
    """Signs what is sent to it (Standard Webhooks, `whsec_…`): told here only."""


class WebhookEndpointReference(Model):
    webhookEndpointId: str
    """Id of the receiver."""
    overlapHours: int | None = None
    """Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given."""
    apiVersion: Literal["2026-11-24", "2026-11-25"] | None = None
    """Of a change alone: dated version that its events are told in from now on."""


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


class MailWords(Model):
    kind: Literal["PAYMENT_SEEN", "PAID", "UNDERPAID", "EXPIRED", "REFUND_CLAIM", "REFUND_SENT", "BILL_SENT", "BILL_DUE_SOON", "BILL_DUE", "BILL_OVERDUE"]
    """Which mail."""
    language: PageLanguage
    """Code of a language of `GET /languages`."""
    opening: str | None = None
    """What it begins with, up to 500 characters; null as it is by itself."""
    closing: str | None = None
    """What it ends with, up to 500 characters; null as it is by itself."""


class PageSettings(Model):
    asks: list[JsonObject] | None = None
    """Asked from the payer first, up to 20: `key`, `label`, `labels` by language, `kind` (TEXT unless given, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`."""
    termsUrl: str | None = None
    """Address, http or https, of terms that the payer has to accept; null without."""
    termsText: str | None = None
    """What the payer ticks to accept terms, up to 500 characters; null: words of ours."""
    tipPercents: list[str] | None = None
    """Tips that are offered, up to 6, above 0 and up to 1: 0.1 is ten percent."""
    tipAmounts: list[str] | None = None
    """Tips that are offered, up to 6, in the billing currency."""
    tipOwn: bool | None = None
    """Whether the payer may name a tip of his own."""
    returnMethod: Literal["GET", "POST"] | None = None
    """`POST`: a signed form leads back; `GET` unless given."""
    returnUrl: str | None = None
    """Where the customer goes after paying; `checkoutId` is appended to its query."""
    cancelUrl: str | None = None
    """Where the customer goes who cancels; `checkoutId` is appended to its query."""
    shopName: str | None = None
    """Name over the page, up to 200 characters."""
    displayBuyerInfo: bool | None = None
    """Whether what is known of the customer is shown."""
    displaySellerInfo: bool | None = None
    """Whether name and address of the seller are shown."""


class AccountSettings(Model):
    riskTolerance: Literal["LOW", "MEDIUM", "HIGH"]
    """Assets above this risk are neither offered nor settled in."""
    preferredAuthentication: Literal["DIGEST", "BASIC"]
    """`DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too."""
    customerMails: list[Literal["PAYMENT_SEEN", "PAID", "UNDERPAID", "EXPIRED", "REFUND_CLAIM", "REFUND_SENT", "BILL_SENT", "BILL_DUE_SOON", "BILL_DUE", "BILL_OVERDUE"]]
    """Mails that customers get; none unless switched on."""
    payerMails: bool
    """Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do."""
    settlementAsset: str
    """Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid."""
    methodOrder: list[str]
    """Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after."""
    methodsOff: list[str]
    """Ways to pay that new checkouts do not offer."""
    methodsRecommended: list[str]
    """Ways to pay that pages show first and mark."""
    customerMailWords: list[MailWords]
    """Your own words in such mails."""
    pageLanguages: list[PageLanguage]
    """Languages that the pages of the account are offered in."""
    defaultPageLanguage: PageLanguage
    """That of `pageLanguages` in which they are where the browser of a customer wants none."""
    embedOrigins: list[str]
    """Sites that may show pages of the account in a frame."""
    confirmations: dict[str, list[int]]
    """By id of a network, blocks for small, medium and large amounts, each 1 to 1,000."""
    lateFloorPercent: str
    """Percent of the price that late money has to be worth, 50 to 100."""
    lateDays: int
    """Days after its window in which a checkout can still complete."""
    underpaidPercent: str
    """Percent that may be missing from a payment, 0 to 2."""
    pageSettings: PageSettings
    """What its pages ask, and how they lead back."""


class PageWords(Model):
    place: Literal["HEADING", "PAY_NOTE", "PAID", "TERMS"]
    """`HEADING`: above all else; `PAY_NOTE`: under what is to be paid; `PAID`: after the payment; `TERMS`: your terms."""
    language: PageLanguage
    """Code of a language of `GET /languages`."""
    words: str
    """Plain text of up to 500 characters, in `HEADING` 120; empty is none."""


class PageLook(Model):
    font: Literal["system", "humanist", "rounded", "serif", "mono"]
    """Families that devices have."""
    cornerRadius: int
    """Of a card, in pixels, 0 to 24."""
    primaryColor: str | None
    """Of buttons: `#rrggbb`, null: as we make it."""
    backgroundColor: str | None
    """Behind the cards: `#rrggbb`, null: as we make it."""
    colors: list[str]
    """Of single things, `dark-surface=#1c2226`, readable on what they stand on."""
    blocks: list[Literal["pay", "order", "note"]]
    """Parts of a page, each once, in their order."""
    words: list[PageWords]
    """Your own words on your pages."""
    logo: str | None
    """Beside your name: path of the picture, null without one."""
    darkLogo: str | None
    """The same where pages are dark: path of the picture, null without one."""
    fontFile: str | None
    """Your own font: path of the file, null without one."""
    boldFontFile: str | None
    """The same for bold text: path of the file, null without one."""


class SpendingLimit(Model):
    kind: Literal["DAY", "TWO_PEOPLE", "COOL_DOWN"]
    """What it bounds: `DAY` what leaves in 24 hours, `TWO_PEOPLE` and `COOL_DOWN` one payment."""
    measure: str
    """Id of an asset, of which so much; or a currency, of all assets so much in value."""
    amount: str
    """In whole coins of the asset, or in the currency."""
    left: str | None = None
    """What may still be sent now: of a `DAY`; null of others, and where it has no price right now. Not in requests."""


class WalletAddress(Model):
    network: str
    """Id of a network, such as `LITECOIN`."""
    address: str
    """Address on the network."""
    memo: str | None
    """What has to be given beside the address, or null."""
    memoType: str | None
    """Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo."""


class Wallet(Model):
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    assetCode: str
    """Code of the asset, such as `LTC`; not unique: several networks issue `USDC`."""
    balance: str
    """All of it: `available`, `pending` and what transfers under way hold, less `owed`; may be below zero."""
    available: str
    """What may be sent, converted or refunded now."""
    pending: str
    """Came for checkouts that are not paid in full."""
    owed: str
    """What you owe, because a payment that you had refunded was taken back by its network."""
    depositAddresses: list[WalletAddress]
    """Those of your newest 250 deposit addresses that take this asset."""


class CustomerReference(Model):
    customerId: str
    """Id of the customer."""


class Customer(Model):
    id: str
    """Its id: 12 characters."""
    email: str
    """E-mail address, up to 254 characters."""
    firstname: str | None
    """First name, up to 200 characters; null where there is none."""
    lastname: str | None
    """Last name, up to 200 characters; null where there is none."""
    company: str | None
    """Company, up to 200 characters; null where there is none."""
    adr1: str | None
    """First line of the address, up to 200 characters; null where there is none."""
    adr2: str | None
    """Second line of the address, up to 200 characters; null where there is none."""
    zip: str | None
    """Postal code, up to 20 characters; null where there is none."""
    city: str | None
    """City, up to 200 characters; null where there is none."""
    countrycode: str | None
    """Country: ISO 3166-1, two letters in either case; null where there is none."""
    phonenumber: str | None
    """Telephone, up to 40 characters; null where there is none."""
    taxid: str | None
    """Number for taxes, up to 50 characters; null where there is none."""
    note: str | None
    """Your own note, up to 2,000 characters; null where there is none."""
    meta: JsonObject | None
    """Your own data, up to 16 KiB of JSON; null where there is none."""
    timestamp: str
    """When it was made, UTC."""


class BeneficiaryReference(Model):
    beneficiaryId: str
    """Id of the beneficiary."""


class BeneficiaryAccount(Model):
    address: str | None = None
    """Address on the network; of SWIFT where the holder lives"""
    invoice: str | None = None
    """LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount"""
    lightningAddress: str | None = None
    """LIGHTNING: name@domain (LUD-16), or invoice, or lnurl"""
    lnurl: str | None = None
    """LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress"""
    account: str | None = None
    """STELLAR, XRP_LEDGER: the account"""
    memo: str | None = None
    """STELLAR: what has to be given beside the account, with memoType"""
    memoType: str | None = None
    """STELLAR: kind of the memo, text, id, hash, return"""
    iban: str | None = None
    """SEPA: the IBAN; SWIFT: it, or accountNumber"""
    accountNumber: str | None = None
    """SWIFT: number of the account, or iban"""
    bic: str | None = None
    """SWIFT: BIC of the bank; SEPA: where it is known"""
    holder: str | None = None
    """SEPA, SWIFT: whose account it is"""
    pixKey: str | None = None
    """PIX: CPF, CNPJ, e-mail address, telephone or random key"""
    taxId: str | None = None
    """PIX: CPF or CNPJ"""
    destinationTag: int | None = None
    """XRP_LEDGER: what has to be given beside the account, as number or text"""


class Beneficiary(Model):
    id: str
    """Its id: 12 characters."""
    label: str
    """Your own name for it; no two have the same."""
    network: str
    """Id of a network, such as `LITECOIN`."""
    account: BeneficiaryAccount
    """Where to, by the fields that its network needs."""
    timestamp: str
    """When it was made, UTC."""
    usableTime: str
    """From then on it can be paid, UTC."""


class SettlementRuleReference(Model):
    settlementRuleId: str
    """Id of the rule."""


class SettlementRuleAnswer(Model):
    settlementRule: SettlementRule
    """The rule as it stands."""
    runs: list[SettlementRun] | None = None
    """Of `GET /settlement-rule` alone: what it did in its last 50 periods, newest first."""


class Approval(Model):
    subject: str
    """What waits: `transfer:` and an id, also of the transfer that carries a refund."""
    environment: str
    """`test` or `live`: that of the key."""
    merchantId: str | None
    """Whose it is; null of the house."""
    about: str
    """What it is, in words."""
    maker: str | None
    """Who made it: `key` and its id, or a person; null where that is not known."""
    askedAt: str
    """Since when it waits, UTC."""
    waitsUntil: str
    """Until then it can be approved, UTC."""
    approver: str | None
    """Who approved it; null while nobody has."""
    approvedAt: str | None
    """When, UTC; null while nobody has."""


class SandboxPayment(Model):
    network: str
    """Id of a network, such as `LITECOIN`."""
    assetId: str
    """Id of the asset, such as `LTC:NATIVE`."""
    amount: str
    """In whole coins of the asset, as a decimal text."""
    transaction: str
    """Hash of the transaction on the simulated network."""


class SandboxTip(Model):
    network: str
    """Id of a network, such as `LITECOIN`."""
    height: int
    """Height of the newest block."""
    hash: str
    """Hash of the newest block."""


class SandboxAnswer(Model):
    checkoutId: str | None = None
    """Of `/sandbox/expire`: the checkout whose window ended."""
    meta: JsonObject | None = None
    """Of `/sandbox/expire`: what you gave with the checkout; absent where nothing was given."""
    minutes: int | None = None
    """Of `/sandbox/advance`: how many passed."""
    checkouts: int | None = None
    """Of `/sandbox/advance`: how many windows came nearer."""
    deliveries: int | None = None
    """Of `/sandbox/advance`: how many attempts at webhooks came nearer."""
    settlementRules: int | None = None
    """Of `/sandbox/advance`: how many settlement rules came nearer."""
    tip: SandboxTip | None = None
    """Of `/sandbox/reorg`: the newest block that is left."""
    payments: list[SandboxPayment] | None = None
    """Of `/sandbox/pay` and `/sandbox/replace`: what was sent."""
    tips: list[SandboxTip] | None = None
    """Of `/sandbox/mine`: the newest block of each network."""


class SandboxFreeze(Model):
    network: str
    """Id of a network, such as `LITECOIN`."""
    seconds: int
    """For how long its node is silent: 0 to 86,400."""
