<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Names it: twelve characters from a to z and 0 to 9.
 * @property-read string $checkoutId Id of the checkout.
 * @property-read string $state How far it is.
 * @property-read string $kind How much of what came: all, a part, or what was too much.
 * @property-read string $context State of the checkout that it gives back of.
 * @property-read string $network Id of a network of `GET /networks`, such as `LITECOIN`.
 * @property-read string $assetId Id of an asset of `GET /assets`, such as `LTC:NATIVE`.
 * @property-read string $amount In whole coins of the asset, before the network takes its fee.
 * @property-read string $amountAssetCode Code of the asset that `amount` is in.
 * @property-read string|null $address Where to; null while its payer has not said.
 * @property-read string|null $tx Hash of the transaction on the network; null while there is none.
 * @property-read string $payment Whether the payment that it gives back stands.
 * @property-read string|null $failure Why it failed, as far as that is known; null otherwise.
 * @property-read string $timestamp When it was made: UTC, ISO 8601.
 */
final class CheckoutRefund extends Record
{
}
