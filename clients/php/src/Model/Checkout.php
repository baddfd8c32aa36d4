<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $timestamp When it was made, UTC.
 * @property-read string $state How far it is.
 * @property-read string $type `HOSTED`: paid on our page; `SELF_HOSTED`: on yours.
 * @property-read string $origin What made it.
 * @property-read string|null $settlementAssetId Id of the asset that is credited; null while nothing was chosen for ORIGIN.
 * @property-read string|null $settlementAmountRequired What a full payment settles to, in that asset; null before a commit.
 * @property-read string|null $settlementAmountReceived What was settled so far, in that asset; null before a commit.
 * @property-read string|null $settlementAmountFeePaid Fees of that, in that asset; null before a commit.
 * @property-read string|null $sourceAssetId Id of the asset that the customer pays in; null before a commit.
 * @property-read string|null $sourceAmountRequired What the customer has to send, in that asset; null before a commit.
 * @property-read string|null $sourceAmountReceived What came and is final, in that asset; null before a commit.
 * @property-read string|null $sourceNetwork Network that the customer pays on; null before a commit.
 * @property-read string|null $sourceNetworkName Its name, to be shown; null before a commit.
 * @property-read string|null $depositAddress Where the customer pays to; null before a commit.
 * @property-read list<CheckoutTransaction> $blockchainTransactions Every transaction that belongs to it, oldest first.
 * @property-read CheckoutPayload $payload The request as it came, with what is always there in the current layout.
 * @property-read string $hostedCheckoutUrl Address of its payment page.
 * @property-read string $total What the customer is charged, in the billing currency.
 * @property-read string $billingCurrency Code of the currency of the charge.
 * @property-read list<mixed>|null $asks What the payer is asked; absent where nothing is.
 * @property-read Record|null $answers By `key`; empty before, and when erased.
 * @property-read string|null $answeredAt UTC, ISO 8601; null: not yet.
 * @property-read string|null $termsUrl Where the terms are.
 * @property-read string|null $termsAcceptedAt UTC, ISO 8601; null: not yet, or none.
 * @property-read string|null $tip What the payer added: part of `total`.
 * @property-read list<CheckoutStateChange> $stateHistory Every state it had, oldest first.
 * @property-read CheckoutFlags $flags What one state cannot say; each only when it holds.
 * @property-read list<PaymentMethod> $paymentMethods Every way to pay it.
 * @property-read DepositInstructions|null $depositInstructions What the customer sends, and where; null before a commit.
 * @property-read string|null $expirationTime End of the payment window, UTC; null before a commit.
 * @property-read string $quoteExpirationTime Until then a commit keeps the amounts of `paymentMethods`.
 * @property-read Record|null $meta What you gave with it, if anything.
 * @property-read list<Refund> $refunds Money of it that was sent back, or is on its way.
 */
final class Checkout extends Record
{
    protected const FIELDS = [
        'blockchainTransactions' => [CheckoutTransaction::class],
        'payload' => CheckoutPayload::class,
        'stateHistory' => [CheckoutStateChange::class],
        'flags' => CheckoutFlags::class,
        'paymentMethods' => [PaymentMethod::class],
        'depositInstructions' => DepositInstructions::class,
        'refunds' => [Refund::class],
    ];
}
