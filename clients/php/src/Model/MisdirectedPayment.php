<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string|null $reason What was wrong; with `misdirected`.
 * @property-read string $network Network, such as `LITECOIN`.
 * @property-read string $amount In whole coins of the asset, as a decimal text.
 * @property-read string $assetCode Code of the asset, such as `LTC`; not unique: several networks issue `USDC`.
 * @property-read string $tx Hash of the transaction on the network; null while there is none.
 */
final class MisdirectedPayment extends Record
{
}
