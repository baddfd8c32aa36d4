<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $type What it did: the payment itself, or a step of an anchor or of the settlement.
 * @property-read string $typeDescription The same, in words.
 * @property-read string $network Network, such as `LITECOIN`.
 * @property-read string $networkName Name of the network, to be shown.
 * @property-read string $timestamp When it was seen first, UTC.
 * @property-read string $tx Hash of the transaction on the network.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $amountAssetCode Code of the asset that `amount` is in.
 * @property-read string|null $exception What is unusual about it, in words; null otherwise.
 * @property-read int $confirmations Blocks that confirm it now.
 * @property-read int|null $confirmationsRequired Blocks after which it is final; null while that is not known.
 */
final class CheckoutTransaction extends Record
{
}
