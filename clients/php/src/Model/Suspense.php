<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Its number.
 * @property-read string $state Whether somebody decided.
 * @property-read string $reason Why it is not credited.
 * @property-read string|null $detail A sentence for a person, where more is known; null otherwise.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $amountAssetCode Code of the asset that `amount` is in.
 * @property-read string $tx Hash of the transaction on the network.
 * @property-read string $destination Where it came to: the address, with a colon and the memo or tag where it has one.
 * @property-read string|null $checkoutId Checkout that it came for; null where none.
 * @property-read string|null $depositAddressId Deposit address that it came to; null where none.
 * @property-read string $timestamp Since when it lies there, UTC.
 * @property-read string|null $resolvedTime When it was decided, UTC; null while it was not.
 * @property-read string|null $returnAddress Where it is sent back to; null where it is not.
 * @property-read string|null $returnTx Hash of the transaction that sent it back; null where there is none.
 * @property-read Record|null $meta What you gave with its checkout; absent where nothing was given.
 */
final class Suspense extends Record
{
}
