<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $type What it did: the payment itself, or a step of an anchor or of the settlement.
 * @property-read string $typeDescription The same, in words.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $networkName Name of the network, to be shown.
 * @property-read string $timestamp When its block was made, UTC; before it is in one, when it was seen first.
 * @property-read string $tx Hash of the transaction on the network.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $amountAssetCode Code of the asset that `amount` is in.
 * @property-read string|null $exception `REVERSED`: taken back by the network; `REPLACED`: it will not come; `WRONG_ASSET`; `HELD`: it waits for a person; null otherwise.
 * @property-read int $confirmations Blocks that confirm it now.
 * @property-read int|null $confirmationsRequired Blocks after which it is final; null while that is not known.
 */
final class CheckoutTransaction extends Record
{
}
