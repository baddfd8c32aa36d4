<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $id Names the payment, in each event about it.
 * @property-read string $state How far it is.
 * @property-read string $timestamp When its block was made, UTC; before it is in one, when it was seen first.
 * @property-read string $depositAddressId Id of the deposit address.
 * @property-read string|null $label Your own name for it, up to 200 characters; null where none was given.
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $networkName Name of the network, to be shown.
 * @property-read string $address Address on the network.
 * @property-read string|null $memo What has to be given beside the address, or null.
 * @property-read string|null $memoType Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo.
 * @property-read string $tx Hash of the transaction on the network.
 * @property-read string $assetId Id of the asset, such as `LTC:NATIVE`.
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $amount What came, in whole coins.
 * @property-read string|null $netAmount What was credited: `amount` less `fee`; null where nothing was.
 * @property-read string|null $fee What the service keeps; null where nothing was credited.
 * @property-read int $confirmations Blocks that confirm it now.
 * @property-read int|null $confirmationsRequired Blocks after which it is final; null while that is not known.
 * @property-read Record|null $meta What you gave with it; absent where nothing was given.
 */
final class Deposit extends Record
{
}
