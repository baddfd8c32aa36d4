<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $sourceAsset What was asked for: an asset or a currency.
 * @property-read string $sourceAmount In whole coins, or in the currency; rounded up where `targetAmount` was asked for.
 * @property-read string $targetAsset What it is told in: an asset or a currency.
 * @property-read string $targetAmount What the source amount is worth, rounded down to what the target can hold.
 * @property-read string $pair Codes of both, such as `LTC/EUR`.
 * @property-read string $exchangeRate How much of the target one of the source is.
 * @property-read string $deviation How far sources differ, as a fraction of the price: of both assets together.
 * @property-read string $time When the older of both prices was seen, UTC.
 * @property-read list<mixed> $sources Which sources of prices said so.
 */
final class ExchangeRate extends Record
{
}
