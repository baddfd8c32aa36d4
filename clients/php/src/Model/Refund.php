<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its id: 12 characters.
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string $state How far it is.
 * @property-read string $kind How much of what came: all, a part, or what was too much.
 * @property-read string $context What it gives back of: a completed checkout, an underpaid one, or what was paid too much.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $amount What the payer gets, in whole coins of the asset.
 * @property-read string $amountAssetCode Code of the asset that `amount` is in.
 * @property-read string|null $address Where to; null while its payer has not said.
 * @property-read string|null $tx Hash of the transaction on the network; null while there is none.
 * @property-read string $payment Whether the payment that it gives back stands.
 * @property-read string|null $failure Why it failed, as far as that is known; null otherwise.
 * @property-read string $timestamp When it ended, UTC; before that when it was made.
 * @property-read string|null $networkFee The most that the network may take, and what it took once that is known.
 * @property-read GasFee|null $gasFee What the network takes in another asset, which you do not pay; null where nothing.
 * @property-read ClaimableBalance|null $claimableBalance Where on Stellar a receiver without a trust line claims it; null otherwise.
 * @property-read string|null $claimUrl Link for the payer to say where to; null once that is known.
 * @property-read string|null $claimableUntil Until then the link works, UTC; null without one.
 * @property-read string|null $restsUntil It is not sent before, and can be cancelled until then; null where it does not rest.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 */
final class Refund extends Record
{
    protected const FIELDS = [
        'gasFee' => GasFee::class,
        'claimableBalance' => ClaimableBalance::class,
    ];
}
