<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $network Id of a network, such as `LITECOIN`.
 * @property-read string $address Address on the network.
 * @property-read string|null $memo What has to be given beside the address, or null.
 * @property-read string|null $memoType Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo.
 */
final class WalletAddress extends Record
{
}
