<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $timestamp When it came to this state, UTC.
 * @property-read string $state How far it is.
 * @property-read string $type `HOSTED`: paid on our page; `SELF_HOSTED`: on yours.
 * @property-read string $origin What made it: a key, a person in the dashboard, or a payment link.
 * @property-read string|null $settlementAssetId Id of the asset that is credited; null while nothing was chosen for ORIGIN.
 * @property-read string|null $settlementAmountRequired What a full payment settles to, before the fee, in that asset; null before a commit.
 * @property-read string $settlementAmountReceived What was settled so far, before the fee, in that asset; 0 before a commit.
 * @property-read string $settlementAmountFeePaid Fees of that, in that asset; 0 before a commit.
 * @property-read string|null $sourceAssetId Id of the asset that money came in last, else of the one chosen last; null before a commit.
 * @property-read string|null $sourceAmountRequired What has to arrive of the customer, in that asset, without what an anchor keeps; null before a commit.
 * @property-read string $sourceAmountReceived What came and is final, in that asset; 0 before a commit.
 * @property-read string|null $sourceNetwork Network of the same; null before a commit.
 * @property-read string|null $sourceNetworkName Its name, to be shown; null before a commit.
 * @property-read string|null $depositAddress Where the customer pays to by it; null before a commit.
 * @property-read list<CheckoutTransaction> $blockchainTransactions Every transaction that belongs to it: first those of anchors, then its payments, oldest first.
 * @property-read CheckoutPayload $payload The request as it came, with what is always there in the current layout.
 * @property-read string $hostedCheckoutUrl Address of its payment page.
 * @property-read string $total What the customer is charged, in the billing currency.
 * @property-read string $billingCurrency Code of the currency of the charge.
 * @property-read list<mixed>|null $asks What the payer is asked; absent where nothing is asked, no terms and no tip.
 * @property-read Record|null $answers What the payer answered, by `key`; empty before, and when erased; absent with `asks`.
 * @property-read string|null $answeredAt When the payer answered, UTC; null: not yet; absent with `asks`.
 * @property-read string|null $termsUrl Address of the terms; null without; absent with `asks`.
 * @property-read string|null $termsAcceptedAt When the payer accepted the terms, UTC; null: not yet, or there are none; absent with `asks`.
 * @property-read string|null $tip What the payer added, in the billing currency: part of `total`; absent with `asks`.
 * @property-read list<CheckoutStateChange> $stateHistory Every state it had, oldest first.
 * @property-read CheckoutFlags $flags What one state cannot say; each only when it holds.
 * @property-read list<PaymentMethod> $paymentMethods Every way to pay it.
 * @property-read DepositInstructions|null $depositInstructions What the customer sends, and where; null before a commit.
 * @property-read string|null $expirationTime End of the payment window, UTC; null before a commit.
 * @property-read string $quoteExpirationTime Until then a commit keeps the amounts of `paymentMethods`, UTC.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
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
